"""With no relay and nothing to do the worker ends by itself; nothing of ours holds it."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("chain.sw.idle"), pytest.mark.webmcp_runtime("native")]


@pytest.fixture
def relay_settings(relay_ports: range) -> dict[str, Any]:
    """Switched on, and nothing listens in the range."""
    return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@pytest.fixture
def watched(
    extension_browser: ExtensionBrowser, html_app: HtmlApp, request: pytest.FixtureRequest
) -> Extension:
    """The host, loaded beside an open page with tools; the scan of its start has found nothing."""
    page = extension_browser.context.new_page()
    page.goto(html_app.url)
    host: Extension = request.getfixturevalue("host")
    wait_until(lambda: host.storage.get("relayConnector", area="session"), "the scan has ended")
    return host


class TestDormancyAtATenth:
    """The alarms look again, each at a longer distance, and only they start the worker."""

    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"alarmFirst": 1_500, "alarmSecond": 3_000, "alarmRest": 6_000}

    def test_alarms_come_at_growing_distances_and_find_a_stopped_worker(self, watched: Extension) -> None:
        generation = watched.worker.generation
        steps: list[tuple[int, float]] = []
        for step in (0, 1, 2):
            wait_until(lambda step=step: step_of(watched) >= step, f"alarm {step} is set", timeout=20)
            steps.append((step_of(watched), time.monotonic()))
            watched.worker.stop()

        assert [step for step, _ in steps] == [0, 1, 2]
        first, second = (later[1] - earlier[1] for earlier, later in pairwise(steps))
        assert first > 1.0
        assert second > 2.5
        assert watched.worker.generation == generation + 2, "one start an alarm, nothing else"


def step_of(host: Extension) -> int:
    """The number of the alarm that is set."""
    return int(host.storage.get("relayConnector", area="session")["waiting"]["step"])
