"""Reports about workers that end and start: what is lost, doubled, or told wrongly."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from webmcp_e2e.chain import Chain
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native")]
RECYCLES = 20


def recycle(chain: Chain) -> None:
    """Ends the worker and waits until the relay has heard of the end and the next worker runs."""
    chain.host.worker.stop()
    chain.host.worker.wait_running()
    chain.relay.sources()


@pytest.mark.bug("B09", "B03")
@pytest.mark.requirement("chain.port.heal", "chain.relay.grace")
def test_twenty_recycled_workers_leave_one_listener_and_one_source(chain: Chain) -> None:
    """Each call runs once, first time, however often the worker and its socket were made anew."""
    for number in range(RECYCLES):
        recycle(chain)
        text = f"after recycle {number}"
        assert chain.call("echo", {"text": text})["content"][0]["text"] == text
    said = [one.args["text"] for one in chain.html_app.invocations]
    assert said == [f"after recycle {number}" for number in range(RECYCLES)]
    tabs = [source["tabId"] for source in chain.relay.sources()]
    assert len(tabs) == len(set(tabs))
    assert chain.host.worker.generation == RECYCLES + 1


@pytest.mark.bug("B01")
@pytest.mark.requirement("chain.panel.path", "recycle.wake")
def test_the_panel_says_connected_only_while_it_is_so(chain: Chain) -> None:
    badge = chain.host.side_panel(chain.page).get_by_test_id("relay-badge")
    expect(badge).to_have_attribute("data-phase", "connected", timeout=10_000)
    chain.relay.kill()
    expect(badge).not_to_have_attribute("data-phase", "connected", timeout=10_000)
    chain.relay.start()
    expect(badge).to_have_attribute("data-phase", "connected", timeout=30_000)
    recycle(chain)
    assert chain.call("echo", {"text": "woken"})["content"][0]["text"] == "woken"
    expect(badge).to_have_attribute("data-phase", "connected", timeout=10_000)


@pytest.mark.bug("B02")
@pytest.mark.requirement("chain.sw.alive")
@pytest.mark.soak
@pytest.mark.parametrize("seconds", [35, 70])
def test_the_first_call_after_quiet_succeeds(chain: Chain, seconds: int) -> None:
    worker, began = chain.host.worker, time.monotonic()
    generation = worker.generation
    wait_until(lambda: time.monotonic() - began >= seconds, f"{seconds} s of quiet", timeout=seconds + 30)
    assert chain.call("echo", {"text": "first"})["content"][0]["text"] == "first"
    assert worker.generation == generation, "the worker stayed"
    assert len(chain.html_app.invocations) == 1


@pytest.mark.bug("B24")
@pytest.mark.requirement("chain.nav.reload-extension")
def test_a_reloaded_extension_leaves_a_silent_orphan_and_working_tools(chain: Chain) -> None:
    said: list[str] = []
    chain.page.on("console", lambda message: said.append(message.text))
    chain.page.on("pageerror", lambda error: said.append(str(error)))
    for turn in range(2):
        chain.host.reload()
        chain.page.evaluate("window.postMessage({channel: 'mcp-default', type: 'nonsense'}, location.origin)")
        wait_until(
            lambda turn=turn: not chain.relay.call("echo", {"text": str(turn)}).is_error, "the tools are back"
        )
    assert [one.args["text"] for one in chain.html_app.invocations] == ["0", "1"]
    assert not [text for text in said if "context invalidated" in text]


@pytest.mark.bug("B25")
@pytest.mark.requirement("harness.side-panel")
def test_the_real_side_panel_opens_headless_and_works(chain: Chain) -> None:
    panel = chain.host.side_panel(chain.page)
    contexts = panel.evaluate("chrome.runtime.getContexts({contextTypes: ['SIDE_PANEL']})")
    assert [context["documentUrl"] for context in contexts] == [panel.url]
    assert chain.call("echo", {"text": "panel"}, via="panel")["content"][0]["text"] == "panel"
