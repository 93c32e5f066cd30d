/** A real HTTP server for one test. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The parsed JSON body; `{}` without one. */
  body: Record<string, unknown>;
}

export type Handler = (received: Received, response: ServerResponse) => void | Promise<void>;

/** Its URL without a slash at the end. It closes with the test, and cuts what is still open. */
export async function startServer(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    void read(request).then((received) => handler(received, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(request: IncomingMessage): Promise<Received> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
  );
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { method: request.method ?? "", path: request.url ?? "", headers, body };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
