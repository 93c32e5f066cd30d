"""The order desk, used by a person and by tools: one state, whoever changes it.

A tool that reads, a form that a tool begins and the desk without tools run in both runtimes; what only the desk's own
table and forms do runs in one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e import resources

if TYPE_CHECKING:
    from webmcp_e2e.browser import ExtensionBrowser
    from webmcp_e2e.chain import Chain
    from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.requirement("chain.page.tools")

ORDERS: list[dict[str, Any]] = json.loads(
    (resources.html_app_dir() / "orders.json").read_text(encoding="utf-8")
)


def data_of(result: dict[str, Any]) -> dict[str, Any]:
    """The object that a tool of the desk returned."""
    assert not result.get("isError"), result
    return result["structuredContent"]  # type: ignore[no-any-return]


def shown_ids(page: Page) -> list[str]:
    """The order numbers in the table as a person sees it."""
    return page.locator("#rows th").all_inner_texts()


def test_a_query_by_tool_is_what_the_person_sees(chain: Chain) -> None:
    query = {"warehouse": "Lyon", "amountMin": 500, "sortBy": "amount", "sortDirection": "ascending"}
    answer = data_of(chain.call("query_table_data", query))

    expected = sorted(
        (order for order in ORDERS if order["warehouse"] == "Lyon" and order["amount"] >= 500),
        key=lambda order: order["amount"],
    )
    assert answer["total"] == len(expected)
    assert answer["rows"] == expected[:10]
    assert shown_ids(chain.page) == [order["id"] for order in expected[:10]]
    expect(chain.page.get_by_label("Warehouse").first).to_have_value("Lyon")
    expect(chain.page.get_by_label("Amount from")).to_have_value("500")
    expect(chain.page.get_by_role("columnheader", name="Amount")).to_have_attribute("aria-sort", "ascending")
    assert [one.tool for one in chain.html_app.invocations] == ["query_table_data"]


@pytest.mark.webmcp_runtime("native")
def test_what_the_person_filters_and_sorts_is_what_the_tool_reports(chain: Chain) -> None:
    page = chain.page
    page.get_by_role("searchbox", name="Search").press_sequentially("fjord")
    page.get_by_label("Status").first.select_option("open")
    page.get_by_role("button", name="Customer").click()

    table = data_of(chain.call("get_status"))["table"]
    expected = [order for order in ORDERS if "Fjord" in order["customer"] and order["status"] == "open"]
    assert (table["text"], table["status"]) == ("fjord", "open")
    assert (table["sortBy"], table["sortDirection"]) == ("customer", "ascending")
    assert table["matching"] == len(expected) > 0
    expect(page.locator("#count")).to_have_text(f"{len(expected)} of {len(ORDERS)} orders")


@pytest.mark.webmcp_runtime("native")
def test_pages_turn_by_keyboard_and_by_tool_and_show_every_order_once(chain: Chain) -> None:
    pages = [
        data_of(chain.call("query_table_data", {"page": number, "pageSize": 100})) for number in (1, 2, 3)
    ]
    ids = [row["id"] for page in pages for row in page["rows"]]
    assert sorted(ids) == sorted(order["id"] for order in ORDERS)

    chain.call("query_table_data", {"pageSize": 10})
    chain.page.get_by_role("button", name="Next").press("Enter")
    chain.page.get_by_role("button", name="Next").press("Space")
    expect(chain.page.locator("#page-state")).to_have_text("Page 3 of 24")
    assert data_of(chain.call("get_status"))["table"]["page"] == 3
    assert data_of(chain.call("query_table_data", {"page": 999}))["page"] == 24
    expect(chain.page.get_by_role("button", name="Next")).to_be_disabled()


def test_a_tool_begins_the_form_and_the_person_places_the_order(chain: Chain) -> None:
    fields = {"customer": "Quay Street Bikes", "warehouse": "Porto", "amount": 129.5}
    filled = data_of(chain.call("form_fill_fields", {"fields": fields}, via="panel"))
    assert set(filled["errors"]) == {"salesperson", "date"}

    form = chain.page.get_by_role("form", name="New order")
    expect(form.get_by_label("Customer")).to_have_value("Quay Street Bikes")
    form.get_by_label("Salesperson").select_option("Bao Li")
    form.get_by_label("Order date").fill("2026-10-02")
    form.get_by_label("Customer").press("Enter")
    expect(form.get_by_role("status")).to_contain_text("Order SO-1241 for Quay Street Bikes is placed.")

    status = data_of(chain.call("get_status"))
    assert status["orders"] == len(ORDERS) + 1
    assert status["lastPlaced"]["amount"] == 129.5
    found = data_of(chain.call("query_table_data", {"text": "quay street"}))
    assert [row["id"] for row in found["rows"]] == ["SO-1241"]


@pytest.mark.webmcp_runtime("native")
def test_what_the_person_types_is_what_the_tool_reads_by_the_schema(chain: Chain) -> None:
    schema = data_of(chain.call("form_get_schema"))
    form = chain.page.get_by_role("form", name="New order")
    for name, field in schema["properties"].items():
        control = form.get_by_label(field["title"])
        if "enum" in field:
            control.select_option(field["enum"][1])
        else:
            control.fill({"customer": "Zoë & Söhne", "amount": "12.345", "date": "2026-03-01"}[name])

    read = data_of(chain.call("form_get_values"))
    assert read["values"]["customer"] == "Zoë & Söhne"
    assert read["values"]["warehouse"] == schema["properties"]["warehouse"]["enum"][1]
    assert list(read["errors"]) == ["amount"]
    expect(form.get_by_label("Amount")).to_have_attribute("aria-invalid", "true")


@pytest.mark.webmcp_runtime("native")
def test_a_fill_with_one_wrong_value_changes_nothing(chain: Chain) -> None:
    form = chain.page.get_by_role("form", name="New order")
    form.get_by_label("Customer").fill("Left as it is")

    result = chain.call("form_fill_fields", {"fields": {"customer": "Changed", "date": "2026-02-30"}})
    assert result["isError"]
    expect(form.get_by_label("Customer")).to_have_value("Left as it is")
    (execution,) = chain.html_app.invocations
    assert chain.html_app.wait_for_outcome(execution.seq, "failed").tool == "form_fill_fields"


def test_the_desk_is_whole_by_hand_where_no_extension_is(
    extension_browser: ExtensionBrowser, html_app: HtmlApp, webmcp_runtime: str
) -> None:
    page = extension_browser.context.new_page()
    page.goto(html_app.url)
    offered = "5 tools are offered" if webmcp_runtime == "native" else "works by hand"
    expect(page.locator("#tools-state")).to_contain_text(offered)
    page.get_by_role("button", name="Place order").click()
    expect(page.get_by_text("Customer is missing.")).to_be_visible()
    expect(page.get_by_role("form", name="New order").get_by_label("Customer")).to_be_focused()
    page.get_by_label("Warehouse").first.select_option("Suzhou")
    expect(page.locator("#rows tr").first).to_contain_text("Suzhou")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("#count")).to_have_text(f"{len(ORDERS)} of {len(ORDERS)} orders")
