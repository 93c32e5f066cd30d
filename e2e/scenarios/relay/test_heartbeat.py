"""A browser that stops answering pings, at a tenth of the times; ``recycle/test_full_length`` has the full ones."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.heartbeat"),
    pytest.mark.webmcp_runtime("native"),
]


def browser_process(browser: ExtensionBrowser) -> int:
    """Id of the browser's main process, which leads the group of all of them."""
    profile = f"--user-data-dir={browser.profile_dir}"
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if profile in command and not any(word.startswith("--type=") for word in command):
            return int(folder.name)
    raise AssertionError(f"no process has {profile}")


@contextmanager
def stopped(browser: ExtensionBrowser) -> Iterator[None]:
    """Stops every process of the browser, as a suspended machine does, and continues them afterwards."""
    group = browser_process(browser)
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def tab_source(relay: Relay) -> dict[str, Any]:
    return next(one for one in relay.sources() if one["tabId"] != "extension")


class TestAtATenth:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"heartbeatPing": 1_500, "heartbeatDead": 2_500, "sourceGrace": 60_000}

    def test_a_browser_that_is_stopped_falls_away_and_comes_back(
        self, chain: Chain, extension_browser: ExtensionBrowser
    ) -> None:
        with stopped(extension_browser):
            wait_until(lambda: tab_source(chain.relay)["state"] == "reconnecting", "the relay gave up on it")
        wait_until(lambda: tab_source(chain.relay)["state"] == "connected", "it is back", timeout=30)
        assert chain.call("echo", {"text": "back"})["content"][0]["text"] == "back"
