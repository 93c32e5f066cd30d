"""What the project's own scenarios share."""

from __future__ import annotations

import os

import pytest

from webmcp_e2e.browser import ChromiumBinary, find_chromium, second_chromium


@pytest.fixture(scope="session")
def chromium_150() -> ChromiumBinary:
    """Chromium 150, the other generation of the native API; fetched by ``make e2e`` where it can be had."""
    path = second_chromium.find()
    if path is not None:
        return find_chromium(path)
    missing = "Chromium 150 is not here and could not be fetched; `make browsers` says why"
    if os.environ.get("WEBMCP_REQUIRE_CHROMIUM_150"):
        pytest.fail(missing)
    pytest.skip(missing)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits longest begins first, so that no worker is left alone with it at the end of a run."""
    items.sort(key=lambda item: item.get_closest_marker("idling") is None)
