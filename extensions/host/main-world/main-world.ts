/** MAIN world, `document_start`: WebMCP where there is none, and its tools as MCP on the window's channel. */
import { installPolyfill } from "./polyfill.ts";
import { TabServer } from "./tab-server.ts";

/** Where a document's server is found by a second injection (after the extension was reloaded). */
const SERVER = Symbol.for("webmcp-e2e.page-server");

/** Page scripts can have run: not in a document that is still empty. */
function isLate(): boolean {
  return document.readyState !== "loading" || document.body !== null || document.scripts.length > 0;
}

/** One server a document: it speaks MCP with any later content script, so a second one is never started. */
function startOnce(): void {
  const running: unknown = Reflect.get(window, SERVER);
  if (running instanceof Object && "announce" in running) {
    (running as TabServer).announce();
    return;
  }
  installPolyfill();
  const server = new TabServer();
  Object.defineProperty(window, SERVER, { value: server });
  server.start(isLate());
}

startOnce();
