/** What happens to the document: leaving, coming back from the bfcache, thawing, moving within itself. */
import { formOfTool, isAutosubmit, SUBMITTED_TEXT } from "../document/forms.ts";
import type { PageCall } from "./page-call.ts";
import type { PortHub } from "./port-hub.ts";

/** Ends its listeners when `signal` aborts. */
export function watchPage(hub: PortHub, signal: AbortSignal): void {
  const destination = watchDestination(signal, () => hub.session.nudge());
  const leave = (): void => {
    hub.eachCall((call) => endByNavigation(call, destination()));
    hub.session.stop();
  };
  const restore = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    // The other side was told at the entry, this side never is: the old ports look open and deliver nothing.
    hub.dropPorts();
    hub.session.start();
  };
  window.addEventListener("pagehide", leave, { signal });
  window.addEventListener("pageshow", restore, { signal });
  document.addEventListener("resume", () => hub.probe(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || hub.probe(), { signal });
}

/** The answers must be on their way within this event: a task later the document is gone. */
function endByNavigation(call: PageCall, url: string): void {
  const form = formOfTool(document, call.name);
  if (form && isAutosubmit(form)) call.succeed({ content: [{ type: "text", text: SUBMITTED_TEXT }] });
  else call.end("navigated", `the page navigated to ${url} while the tool ran. Check before you repeat.`);
}

/** Follows where the document was last told to go; a move within it may have brought a server. */
function watchDestination(signal: AbortSignal, onMoved: () => void): () => string {
  let destination = "another page";
  const { navigation } = window;
  navigation?.addEventListener("navigate", (event) => (destination = event.destination.url), { signal });
  navigation?.addEventListener("currententrychange", onMoved, { signal });
  return () => destination;
}
