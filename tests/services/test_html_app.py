"""The page app's server over real HTTP: pages, policies, overlay, the count of executions."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from webmcp_e2e import resources
from webmcp_e2e.services.html_app import HtmlApp, InvocationTimeout


@pytest.fixture
def app() -> Iterator[HtmlApp]:
    with HtmlApp() as running:
        yield running


def get(url: str) -> tuple[str, dict[str, str]]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode(), {name.lower(): value for name, value in answer.headers.items()}


def post(app: HtmlApp, path: str, record: dict[str, object]) -> None:
    request = urllib.request.Request(
        app.page(path), json.dumps(record).encode(), {"content-type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 204


def status_of(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_orders_are_enough_to_page_through_and_whole() -> None:
    orders = json.loads((resources.html_app_dir() / "orders.json").read_text(encoding="utf-8"))
    assert len(orders) >= 200
    assert len({order["id"] for order in orders}) == len(orders)
    keys = {"id", "date", "customer", "warehouse", "salesperson", "status", "amount"}
    assert all(set(order) == keys for order in orders)


@pytest.mark.parametrize("page", sorted(path.name for path in resources.html_app_dir().glob("*.html")))
def test_every_page_is_served_without_a_placeholder_left(app: HtmlApp, page: str) -> None:
    text, headers = get(app.page(page))
    assert "{{" not in text
    assert "no-store" not in headers["cache-control"]
    assert "content-security-policy" not in headers


@pytest.mark.parametrize("page", sorted(path.name for path in resources.html_app_dir().glob("*.html")))
def test_under_the_strict_policy_every_script_and_sheet_has_its_nonce(app: HtmlApp, page: str) -> None:
    text, headers = get(app.page(page, csp="strict"))
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert len(nonce) >= 16
    loads = text.count("<script") + text.count('rel="stylesheet"')
    assert text.count(f'nonce="{nonce}"') == loads


def test_query_values_are_escaped_in_templates(app: HtmlApp) -> None:
    text, _ = get(app.page("frame.html", prefix='"><script>alert(1)</script>'))
    assert "<script>alert" not in text


def test_two_origins_serve_the_same_app(app: HtmlApp) -> None:
    assert app.origin != app.cross_origin
    assert app.cross_origin in get(app.page("frames.html"))[0]


def test_own_pages_win_and_are_left_untouched(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine {{nonce}}")
    with HtmlApp([tmp_path]) as app:
        assert get(app.url)[0] == "mine {{nonce}}"
        assert "Order desk" not in get(app.url)[0]
        assert get(app.page("orders.json"))[0].startswith("[")


@pytest.mark.parametrize("path", ["../pyproject.toml", "%2e%2e/pyproject.toml", "js/../../pyproject.toml"])
def test_nothing_outside_the_folder_is_served(app: HtmlApp, path: str) -> None:
    assert status_of(app.url + path) == 404


def test_executions_are_counted_once_and_in_order(app: HtmlApp) -> None:
    post(app, "invocations", {"id": "a", "tool": "echo", "args": {"text": "1"}, "frame": "top", "url": "u"})
    post(app, "invocations", {"id": "a", "tool": "echo", "args": {"text": "1"}, "frame": "top", "url": "u"})
    post(app, "invocations", {"id": "b", "tool": "sum", "args": {}, "frame": "/frame.html", "url": "u"})
    first, second = app.invocations
    assert (first.seq, first.tool, first.args, first.outcome) == (1, "echo", {"text": "1"}, "running")
    assert (second.seq, second.tool, second.frame) == (2, "sum", "/frame.html")


def test_outcomes_are_noted_and_those_from_before_a_clear_ignored(app: HtmlApp) -> None:
    post(app, "invocations", {"id": "old", "tool": "slow"})
    app.clear()
    post(app, "invocations", {"id": "new", "tool": "slow"})
    post(app, "invocations/outcome", {"id": "old", "outcome": "finished"})
    post(app, "invocations/outcome", {"id": "new", "outcome": "aborted"})
    assert [(one.seq, one.outcome) for one in app.invocations] == [(1, "aborted")]


def test_a_navigating_form_is_counted_by_the_page_it_goes_to(app: HtmlApp) -> None:
    get(app.page("submitted/open_order", order="SO-1001"))
    (only,) = app.invocations
    assert (only.tool, only.args, only.outcome) == ("open_order", {"order": "SO-1001"}, "finished")


def test_waiting_ends_when_the_execution_comes(app: HtmlApp) -> None:
    sender = threading.Thread(target=post, args=(app, "invocations", {"id": "x", "tool": "echo"}))
    sender.start()
    assert [one.tool for one in app.wait_for_invocations(1)] == ["echo"]
    sender.join()


def test_a_wait_in_vain_says_what_was_seen(app: HtmlApp) -> None:
    post(app, "invocations", {"id": "x", "tool": "echo"})
    with pytest.raises(InvocationTimeout, match="1 echo running"):
        app.wait_for_outcome(1, "aborted", timeout=0.05)


def test_close_is_idempotent_and_frees_the_port() -> None:
    app = HtmlApp().start()
    port = app.port
    app.close()
    app.close()
    with HtmlApp(port=port) as again:
        assert again.port == port


def test_a_taken_port_is_an_error_that_leaves_nothing_running(app: HtmlApp) -> None:
    threads = threading.active_count()
    with pytest.raises(OSError, match="in use"):
        HtmlApp(port=app.port).start()
    assert threading.active_count() == threads
