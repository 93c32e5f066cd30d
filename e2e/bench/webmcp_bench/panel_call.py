"""A call from the side panel straight to the content script.

Its floor is one round trip between the two worlds of a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.waiting import wait_until

from .results import Result
from .rounds import in_turn, median_of
from .setting import Setting

_CALLS = 200

# Both scripts return milliseconds of each call. The panel's handle goes the way that a click there goes.
_IS_LISTED = "globalThis.lumoPanel?.tools().some((name) => name.endsWith('__echo'))"
_FROM_PANEL = """
async (count) => {
  const name = lumoPanel.tools().find((candidate) => candidate.endsWith("__echo"));
  const times = [];
  for (let done = 0; done < count; done++) {
    const begin = performance.now();
    const result = await lumoPanel.call(name, {text: "twelve bytes"});
    times.push(performance.now() - begin);
    if (result.isError) throw new Error(`echo failed while it was measured: ${JSON.stringify(result)}`);
  }
  return times;
}
"""
_MAIN_WORLD = """
() => addEventListener("message", (event) => {
  if (event.data?.bench === "ping") postMessage({bench: "pong"}, location.origin);
})
"""
# Ten trips to a time: a page's clock has steps of a tenth of a millisecond.
_ISOLATED_WORLD = """
(async (count) => {
  let answered;
  addEventListener("message", (event) => { if (event.data?.bench === "pong") answered(); });
  const trip = () => new Promise((resolve) => {
    answered = resolve;
    postMessage({bench: "ping"}, location.origin);
  });
  const times = [];
  for (let done = 0; done < count; done++) {
    const begin = performance.now();
    for (let trips = 0; trips < 10; trips++) await trip();
    times.push((performance.now() - begin) / 10);
  }
  return times;
})(%d)
"""


@contextmanager
def _desk(setting: Setting) -> Iterator[tuple[Extension, Page]]:
    stderr_file = setting.folder / "panel-chromium.log"
    browser = ExtensionBrowser.launch(setting.playwright, binary=setting.binary, stderr_file=stderr_file)
    try:
        host = browser.load_extension(setting.host, local_storage={RELAY_SETTINGS_KEY: {"enabled": False}})
        page = browser.context.new_page()
        page.goto(setting.app.page(lab="", journal="off"))
        page.wait_for_selector("html[data-tools=ready]", state="attached")
        yield host, page
    finally:
        browser.close()


def _between_worlds(page: Page) -> list[float]:
    """The floor, in the very page that is called; the extension's listeners hear these messages, too."""
    session = page.context.new_cdp_session(page)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "bench"})
    answer = session.send(
        "Runtime.evaluate",
        {
            "expression": _ISOLATED_WORLD % _CALLS,
            "contextId": world["executionContextId"],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    session.detach()
    times: list[float] = answer["result"]["value"]
    return times


def measure_panel_call(setting: Setting) -> Iterator[Result]:
    """Milliseconds of a call of ``echo`` from the real side panel."""
    with _desk(setting) as (host, page):
        panel = host.side_panel(page)
        # Not wait_for_function: it polls by eval, which the policy of extension pages forbids.
        wait_until(lambda: panel.evaluate(_IS_LISTED), "the panel lists the tool")
        page.evaluate(_MAIN_WORLD)
        samples = in_turn(
            {
                "ours": lambda: panel.evaluate(_FROM_PANEL, _CALLS),
                "floor": lambda: _between_worlds(page),
            },
            setting.rounds,
        )
    found = {who: median_of(values) for who, values in samples.items()}
    yield Result("panel_call_p50_ms", found["ours"], "ms", floor_value=found["floor"])
