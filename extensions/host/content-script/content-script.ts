/** Isolated world, `document_start`, top frame: the page's tools on the port `webmcp-page-tools`. */
import { watchPage } from "./page-life.ts";
import { PortHub } from "./port-hub.ts";

/** Where a second injection of the same extension finds the first; a reloaded extension has a world of its own. */
const RUNNING = Symbol.for("webmcp-e2e.content-script");

interface Running {
  handOver(): void;
}

function run(): Running {
  const hub = new PortHub();
  const life = new AbortController();
  hub.listen();
  watchPage(hub, life.signal);
  hub.session.start();
  return {
    handOver() {
      life.abort();
      hub.close();
    },
  };
}

const world = globalThis as { [RUNNING]?: Running };
world[RUNNING]?.handOver();
world[RUNNING] = run();
