"""What the reproductions of reported bugs share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until


@pytest.fixture
def open_page(relay: Relay, host: Extension, page: Page, html_app: HtmlApp) -> Callable[..., None]:
    """``open_page("views/orders", tool="orders_where")``: shows a page, waits until the MCP client lists the tool."""

    def go(path: str, tool: str, **query: str) -> None:
        page.goto(html_app.page(path, **query))
        wait_until(lambda: tool in relay.page_tools(), f"the MCP client lists {tool}")

    return go
