/** Looking for a relay: which ports of the range answer, and whose hello matches. */
import type { RelaySettings } from "../../contract/settings.ts";
import type { Timings } from "../../contract/timings.ts";
import { authority, type Endpoint, RelaySocket } from "./relay-socket.ts";

/** Every port of the range, in order. */
export function portsOf(settings: RelaySettings): number[] {
  const [first, last] = settings.ports;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * The first of `ports`, in their order, whose relay matches; its socket is open and greeted. Every port is
 * probed at the same time, the sockets of the others are closed.
 */
export async function findRelay(
  ports: readonly number[],
  settings: RelaySettings,
  timings: Timings,
): Promise<RelaySocket | undefined> {
  const probes = ports.map((port) => probe(port, settings, timings.probe));
  for (const [index, result] of probes.entries()) {
    const socket = await result;
    if (!socket) continue;
    for (const rest of probes.slice(index + 1)) void rest.then((other) => other?.close());
    return socket;
  }
  return undefined;
}

async function probe(
  port: number,
  settings: RelaySettings,
  patience: number,
): Promise<RelaySocket | undefined> {
  const endpoint = { host: settings.host, port };
  if (!(await listens(endpoint, patience))) return undefined;
  return new Promise((resolve) => {
    const socket: RelaySocket = new RelaySocket(endpoint, settings, patience, {
      ready: () => resolve(socket),
      frame: () => {},
      ended: () => resolve(undefined),
    });
  });
}

/**
 * Whether anything listens. Asked by plain HTTP, because Chromium delays the websockets of a process by seconds
 * after some failed ones, and a scan of an empty range is nothing but failed ones.
 */
async function listens(endpoint: Endpoint, patience: number): Promise<boolean> {
  const signal = AbortSignal.timeout(patience);
  const request: RequestInit = { cache: "no-store", credentials: "omit", redirect: "manual", signal };
  try {
    const answer = await fetch(`http://${authority(endpoint)}/`, request);
    void answer.body?.cancel();
    return true;
  } catch {
    // A listener that is too slow for HTTP would be too slow for a hello as well.
    return false;
  }
}
