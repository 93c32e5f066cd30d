"""What the scenarios of the service worker share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import TAB_SELECTION_KEY
from webmcp_e2e.services.scripted_relay import ScriptedRelay

TabId = Callable[[Page], int]
Select = Callable[..., list[int]]


@pytest.fixture
def scripted_relay(relay_ports: range) -> Iterator[ScriptedRelay]:
    """A relay that only records, on the first port of the range; up before the host is loaded."""
    with ScriptedRelay(relay_ports[0]) as relay:
        yield relay


@pytest.fixture
def relay_settings(request: pytest.FixtureRequest, relay_ports: range) -> dict[str, Any]:
    """Switched on in tests that ask for a relay, real or scripted."""
    if "scripted_relay" in request.fixturenames:
        request.getfixturevalue("scripted_relay")
    enabled = bool({"relay", "scripted_relay"} & set(request.fixturenames))
    return {"enabled": enabled, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@pytest.fixture
def tab_id(host: Extension) -> TabId:
    """The browser's id of the tab that shows a page."""

    def find(page: Page) -> int:
        script = "async (url) => (await chrome.tabs.query({})).filter((tab) => tab.url === url).map((tab) => tab.id)"
        found: list[int] = host.worker.evaluate(script, page.url)
        assert len(found) == 1, f"{len(found)} tabs show {page.url}"
        return found[0]

    return find


@pytest.fixture
def select(host: Extension, tab_id: TabId) -> Select:
    """Select exactly these pages' tabs; returns their ids."""

    def choose(*pages: Page) -> list[int]:
        ids = [tab_id(page) for page in pages]
        host.storage.set({TAB_SELECTION_KEY: {"tabIds": ids}}, area="session")
        return ids

    return choose
