/**
 * Takes the place of `queueMicrotask` in the MAIN world bundle (build.mjs injects it), for the polyfill's sake: it looks
 * at a submit event "a microtask later" to see what the page answered. When a person submits, no script is on the
 * stack, so that microtask runs between two listeners, before the page's own, and the answer is lost. A task later,
 * the dispatch is over in any case.
 */
function afterDispatch(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}

export { afterDispatch as queueMicrotask };
