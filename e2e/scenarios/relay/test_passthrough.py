"""What a page says of its tools and in its results arrives at the MCP client."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.requirement("chain.relay.passthrough")


@pytest.fixture
def rich(relay: Relay, host: Extension, page: Page, html_app: HtmlApp) -> dict[str, Any]:
    """The definition of the tool ``rich`` as the MCP client sees it."""
    page.goto(html_app.page("rich.html"))
    tool = wait_until(lambda: relay.tools().get("rich"), "the tool is listed")
    assert tool is not None
    return tool.model_dump(by_alias=True, exclude_none=True)


def test_a_definition_arrives_whole_with_its_source_in_front(
    rich: dict[str, Any], relay: Relay, page: Page, html_app: HtmlApp
) -> None:
    tab = next(source["tabId"] for source in relay.sources() if source["tabId"] != "extension")
    assert rich["title"] == "Search orders"
    assert rich["description"] == f"[{html_app.origin} · tab {tab}] finds orders"
    assert rich["inputSchema"]["properties"]["q"]["description"] == "what to look for"
    assert rich["annotations"]["readOnlyHint"] is True
    assert ("outputSchema" in rich) == keeps_output_schemas(page)


def keeps_output_schemas(page: Page) -> bool:
    """Whether the page's runtime does: what forgets a member of the registration cannot be made to tell it."""
    script = (
        "async () => (await document.modelContext.getTools()).some((tool) => tool.outputSchema !== undefined)"
    )
    return bool(page.evaluate(script))


@pytest.mark.conformance("relay")
def test_results_arrive_as_the_page_gives_them(rich: dict[str, Any], relay: Relay) -> None:
    """Structured content and ``_meta`` whole, and a page's own error as it is."""
    result = relay.call("rich", {"q": "tea"})
    assert result.content[0].text == "found tea"
    assert result.structured_content == {"n": 2}
    assert result.meta is not None
    assert result.meta["shop.test/trace"] == "t1"
    assert not result.is_error

    refused = relay.call("refuses")
    assert refused.is_error
    assert refused.content[0].text == "no such order"
