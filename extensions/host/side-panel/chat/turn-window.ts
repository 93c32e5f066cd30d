/** Which turns are drawn at once. */
import type { Turn } from "../../../agent-chat-core/index.ts";

/** Messages and calls drawn in one go: some milliseconds of work. */
const BATCH = 24;

function weight({ messages }: Turn): number {
  return messages.reduce((sum, message) => sum + 1 + message.calls.length, 1);
}

/** Index of the first turn of the batch that ends before `end`; at least one turn is in it. */
export function earlierStart(turns: readonly Turn[], end: number): number {
  let start = Math.max(0, end - 1);
  let sum = start < end ? weight(turns[start]!) : 0;
  while (start > 0) {
    sum += weight(turns[start - 1]!);
    if (sum > BATCH) break;
    start--;
  }
  return start;
}
