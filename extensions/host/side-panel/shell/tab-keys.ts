/** How keys move in the row of tabs (ARIA tabs pattern). */

const PLACES = new Map<string, (at: number, count: number) => number>([
  ["ArrowRight", (at, count) => (at + 1) % count],
  ["ArrowLeft", (at, count) => (at - 1 + count) % count],
  ["Home", () => 0],
  ["End", (_, count) => count - 1],
]);

/** The place that a key leads to in a row of `count`, or `undefined` for a key that moves nothing. */
export function placeAfter(key: string, at: number, count: number): number | undefined {
  return PLACES.get(key)?.(at, count);
}
