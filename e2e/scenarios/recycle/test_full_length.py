"""The natural lengths in full, side by side: 30 s of idling, 25 s of a mute peer, 35 s and 70 s of quiet.

Everything begins in one module fixture, so that the file takes as long as its longest wait.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mute_source import MuteSource
from playwright.sync_api import Playwright
from witness_kit import Witness

from webmcp_e2e import resources
from webmcp_e2e.browser import ChromiumBinary, ExtensionBrowser, Worker
from webmcp_e2e.browser.hook import GateHook
from webmcp_e2e.chain import Chain
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.hops import Hops
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.idling

IDLE_S = 30.0
EVENT_JITTER_S = 1.0
SLOW_MACHINE_S = 75.0
"""An event of the browser on a slow machine may begin the 30 s anew once."""


def attached(worker: Worker, since: float, until: float = math.inf) -> list[Any]:
    """Debuggers that were on the worker in that time; each would have kept it alive."""
    log = worker.attach_log
    return [one for one in log if one.since < until and (one.until is None or one.until > since)]


def tab_source(relay: Relay) -> dict[str, Any]:
    return next(one for one in relay.sources() if one["tabId"] != "extension")


@dataclass
class QuietChain:
    """A connected chain that nobody uses."""

    chain: Chain
    worker: Worker = field(init=False)
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.worker = self.chain.host.worker
        self.generation = self.worker.generation
        self.sockets = self._sockets()
        self.since = time.monotonic()

    def first_call_after(self, seconds: float) -> None:
        """Wait until nobody has called for so long; then a call succeeds, in the same worker on the same sockets."""
        wait_until(lambda: time.monotonic() - self.since >= seconds, "quiet", timeout=seconds + 30)

        text = f"after {seconds}"
        assert self.chain.call("echo", {"text": text})["content"][0]["text"] == text
        assert self.worker.generation == self.generation, "it is the same worker as before"
        assert self.worker.status == "running"
        assert self._sockets() == self.sockets, "on the sockets that it had"
        assert attached(self.worker, self.since) == [], "no debugger kept it alive"
        assert len(self.chain.html_app.invocations) == 1

    def _sockets(self) -> dict[str, float]:
        return {source["tabId"]: source["connectedAt"] for source in self.chain.relay.sources()}


@dataclass
class Idling:
    """A worker that nobody disturbs, and the moment when it ended."""

    worker: Worker
    since: float
    ended: Future[float]


@dataclass
class Waits:
    """All that waits."""

    short: QuietChain
    long: QuietChain
    mute: MuteSource
    host: Idling
    witness: Witness
    witness_birth: str
    witness_idling: Idling
    recorded: Idling
    """The host's worker once more, in a browser whose hops are recorded."""
    hops: Hops


class Stage:
    """Starts browsers, relays and pages that live as long as the file."""

    def __init__(self, stack: ExitStack, pytestconfig: pytest.Config, folder: Path) -> None:
        self._stack = stack
        self._host_path = pytestconfig.getoption("--webmcp-host") or resources.extension_dir("host")
        self._folder = folder
        self.pool = stack.enter_context(ThreadPoolExecutor(3))

    def browser(
        self, playwright: Playwright, binary: ChromiumBinary, hook: GateHook | None = None
    ) -> ExtensionBrowser:
        browser = ExtensionBrowser.launch(playwright, binary=binary, connect=False, hook=hook)
        self._stack.callback(browser.close)
        return browser

    def relay(self, name: str) -> Relay:
        relay = Relay(self._stack.enter_context(port_range(4)), self._folder, name=name)
        self._stack.callback(relay.close)
        relay.begin()
        return relay

    def settings(self, ports: range) -> dict[str, Any]:
        return {RELAY_SETTINGS_KEY: {"enabled": True, "host": "127.0.0.1", "ports": [ports[0], ports[-1]]}}

    def chain(self, browser: ExtensionBrowser, relay: Relay) -> Chain:
        relay.wait_ready()
        host = browser.load_extension(self._host_path, local_storage=self.settings(relay.ports))
        app = self._stack.enter_context(HtmlApp())
        page = browser.context.pages[0]
        page.goto(app.page(lab=""))
        chain = Chain(host, page, relay, app)
        chain.wait_ready()
        return chain

    def lonely_host(self, browser: ExtensionBrowser) -> Idling:
        """The host beside a page with tools, switched on, and nothing listens in its range."""
        app = self._stack.enter_context(HtmlApp())
        browser.context.pages[0].goto(app.url)
        ports = self._stack.enter_context(port_range(4))
        host = browser.load_extension(self._host_path, local_storage=self.settings(ports))
        wait_until(lambda: host.storage.get("relayConnector", area="session"), "the scan has ended")
        assert host.storage.get("relayConnector", area="session") == {"waiting": {"step": 0}}
        return Idling(host.worker, time.monotonic(), self.pool.submit(idle_end, host.worker))


def idle_end(worker: Worker) -> float:
    """Wait for the natural end; when it came."""
    worker.wait_idle(timeout=SLOW_MACHINE_S)
    return time.monotonic()


def recycle_by_idling(worker: Worker) -> float:
    """The same by way of ``recycle``."""
    worker.recycle("idle")
    return time.monotonic()


@pytest.fixture(scope="module")
def waits(
    playwright: Playwright,
    chromium_binary: ChromiumBinary,
    pytestconfig: pytest.Config,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Waits]:
    """Everything begun; the set-up takes a few seconds, less than any of the waits."""
    with ExitStack() as stack:
        stage = Stage(stack, pytestconfig, tmp_path_factory.mktemp("full-length"))
        relays = [stage.relay("long"), stage.relay("short")]
        browsers = [stage.browser(playwright, chromium_binary) for _ in range(3)]
        long, short = (
            QuietChain(stage.chain(browser, relay))
            for browser, relay in zip(browsers[:2], relays, strict=True)
        )
        mute = MuteSource(long.chain.relay.port)
        mute.start()
        witness = Witness(browsers[2])
        birth = witness.birth()
        witness_idling = Idling(
            witness.worker, time.monotonic(), stage.pool.submit(recycle_by_idling, witness.worker)
        )
        host = stage.lonely_host(browsers[2])
        hops = Hops("on", tmp_path_factory.mktemp("hops"), [])
        recorded = stage.lonely_host(stage.browser(playwright, chromium_binary, hops.tap()))
        yield Waits(short, long, mute, host, witness, birth, witness_idling, recorded, hops)


@pytest.mark.requirement("chain.relay.heartbeat")
def test_the_living_stay_and_the_mute_are_closed(waits: Waits) -> None:
    """Ping every 15 s, dead after 25 s."""
    mute, relay = waits.mute, waits.long.chain.relay
    wait_until(lambda: mute.ended, "the mute source is closed", timeout=60)

    assert mute.ended is not None
    code, after = mute.ended
    assert code == 1001
    assert after >= 24.9
    assert mute.pings[0] >= 14.9
    assert len(mute.pings) == 1
    source = tab_source(relay)
    assert source["state"] == "connected"
    # Its first pong: the heartbeat runs from the socket's opening, the source from its hello a little later.
    assert source["lastSeenAt"] - source["connectedAt"] >= 10_000, "the extension answered the ping"


@pytest.mark.requirement("recycle.modes")
def test_idle_is_the_natural_end_with_nothing_attached(waits: Waits) -> None:
    """``recycle("idle")`` waits; Chromium ends the worker."""
    idling, witness = waits.witness_idling, waits.witness

    ended = idling.ended.result(SLOW_MACHINE_S)

    assert ended - idling.since > IDLE_S - EVENT_JITTER_S
    assert (idling.worker.status, idling.worker.generation) == ("stopped", 1)
    assert attached(idling.worker, idling.since, ended) == [], "a debugger was attached while it idled"
    assert witness.birth() != waits.witness_birth
    assert idling.worker.generation == 2
    witness.wait_for_events("installed:install")


@pytest.mark.requirement("chain.sw.idle")
def test_the_hosts_worker_idles_out_thirty_seconds_after_the_last_scan(waits: Waits) -> None:
    """With Playwright connected and a page with tools open in the selected tab."""
    idling = waits.host
    ended = idling.ended.result(SLOW_MACHINE_S)

    assert ended - idling.since > IDLE_S - 2 * EVENT_JITTER_S
    assert attached(idling.worker, idling.since, ended) == [], "a debugger would have kept it alive"


@pytest.mark.requirement("harness.timeline", "recycle.unobserved")
def test_recording_its_hops_keeps_no_worker_alive(waits: Waits) -> None:
    idling = waits.recorded
    ended = idling.ended.result(SLOW_MACHINE_S)

    assert ended - idling.since > IDLE_S - 2 * EVENT_JITTER_S
    assert attached(idling.worker, idling.since, ended) == []
    recording = waits.hops.recording()
    lanes = {lane.id for lane in recording.lanes if lane.kind == "worker"}
    assert [one for one in recording.records if one["lane"] in lanes], "the tap was in it"


@pytest.mark.requirement("chain.sw.alive")
def test_a_call_succeeds_first_time_after_35_seconds_of_quiet(waits: Waits) -> None:
    waits.short.first_call_after(35)


@pytest.mark.requirement("chain.sw.alive")
def test_a_call_succeeds_first_time_after_70_seconds_of_quiet(waits: Waits) -> None:
    """The worker's 30 s of idle time pass twice."""
    waits.long.first_call_after(70)
