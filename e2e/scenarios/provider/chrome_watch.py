"""Watches from within a host's worker whom it sends messages and opens ports to."""

WATCH_CHROME = """() => {
  globalThis.reached = { sendMessage: [], connect: [] };
  for (const name of ["sendMessage", "connect"]) {
    const real = chrome.runtime[name];
    chrome.runtime[name] = (...args) => {
      if (typeof args[0] === "string") globalThis.reached[name].push(args[0]);
      return real.apply(chrome.runtime, args);
    };
  }
}"""
"""``globalThis.reached`` is then ``{sendMessage: [id…], connect: [id…]}``, until the worker ends."""
