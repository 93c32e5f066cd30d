"""The userscript manager: what is stored, and what really runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from userscript_calls import error_code, source_of

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.lumo.scripted import HostSession, ScriptedHost
from webmcp_e2e.provider import Provider
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.webmcp_runtime("native")

Visit = Callable[[str], str | None]


@pytest.fixture
def visit(extension_browser: ExtensionBrowser, html_app: HtmlApp) -> Visit:
    """Load a path of the page app; gives the mark that userscripts left on the document, once it is complete."""
    page = extension_browser.context.new_page()

    def load(path: str) -> str | None:
        page.goto(html_app.url + path, wait_until="load")
        return page.evaluate("document.documentElement.dataset.mark ?? null")  # type: ignore[no-any-return]

    return load


def marking(name: str, mark: str, match: str = "http://127.0.0.1/plain.html*") -> str:
    """A script that leaves ``mark`` on the document before its load event."""
    return source_of(name, f"document.documentElement.dataset.mark = '{mark}';", match)


def create(session: HostSession, source: str) -> str:
    """The uuid of a new script."""
    result = session.call("create_script", source=source)
    assert error_code(result) is None, result
    return str(result["structuredContent"]["uuid"])


@pytest.mark.requirement("lumo.us.runs")
def test_an_enabled_script_runs_on_matching_pages_only(
    provider: Provider, peer: ScriptedHost, visit: Visit, allow_user_scripts: Any
) -> None:
    allow_user_scripts(True)
    session = peer.session()
    uuid = create(session, marking("mark", "one"))
    assert visit("plain.html") is None, "new scripts are disabled"

    session.call("set_script_enabled", uuid=uuid, enabled=True)
    assert visit("plain.html") == "one"
    assert visit("views/orders") is None

    session.call("update_script", uuid=uuid, version=1, source=marking("mark", "two"))
    assert visit("plain.html") == "two"

    provider.worker.stop()
    assert visit("plain.html") == "two", "the browser runs it, worker or no worker"

    session = peer.session()
    session.call("set_script_enabled", uuid=uuid, enabled=False)
    assert visit("plain.html") is None


@pytest.mark.requirement("lumo.us.runs")
def test_nothing_runs_while_the_browsers_toggle_is_off(
    provider: Provider, peer: ScriptedHost, visit: Visit, allow_user_scripts: Any
) -> None:
    allow_user_scripts(True)
    session = peer.session()
    uuid = create(session, marking("mark", "one"))
    session.call("set_script_enabled", uuid=uuid, enabled=True)
    allow_user_scripts(False)

    assert visit("plain.html") is None
    status = peer.probe()["status"]
    assert (status["ready"], "Allow User Scripts" in status["reason"]) == (False, True)
    assert session.call("list_scripts")["structuredContent"]["scripts"][0]["runs"] is False

    allow_user_scripts(True)
    assert visit("plain.html") == "one"


@pytest.mark.requirement("lumo.us.runs")
def test_a_script_deleted_while_the_toggle_was_off_does_not_come_back(
    provider: Provider, peer: ScriptedHost, visit: Visit, allow_user_scripts: Any
) -> None:
    allow_user_scripts(True)
    session = peer.session()
    uuid = create(session, marking("mark", "one"))
    session.call("set_script_enabled", uuid=uuid, enabled=True)
    allow_user_scripts(False)
    assert error_code(session.call("delete_script", uuid=uuid)) is None
    provider.worker.stop()
    allow_user_scripts(True)

    peer.session().call("list_scripts")

    assert provider.worker.evaluate("async () => (await chrome.userScripts.getScripts()).length") == 0
    assert visit("plain.html") is None


@pytest.mark.requirement("lumo.us.crud")
def test_create_read_update_search_enable_delete(
    provider: Provider, peer: ScriptedHost, allow_user_scripts: Any
) -> None:
    allow_user_scripts(True)
    session = peer.session()
    source = source_of("Order helper", "const needle = 1;", "https://shop.example/*")
    uuid = create(session, source)

    [listed] = session.call("list_scripts")["structuredContent"]["scripts"]
    assert (listed["uuid"], listed["name"], listed["version"], listed["enabled"]) == (
        uuid,
        "Order helper",
        1,
        False,
    )
    assert listed["matches"] == ["https://shop.example/*"]
    assert "source" not in listed
    assert session.call("get_script", uuid=uuid)["structuredContent"]["source"] == source

    newer = source_of("Order helper", "const other = 2;", "https://shop.example/*")
    updated = session.call("update_script", uuid=uuid, version=1, source=newer)["structuredContent"]
    assert updated["version"] == 2
    stale = session.call("update_script", uuid=uuid, version=1, source=source)
    assert error_code(stale) == "invalid_args"
    assert "at version 2, not 1" in stale["content"][0]["text"]
    assert session.call("get_script", uuid=uuid)["structuredContent"]["source"] == newer

    assert session.call("search_scripts", query="NEEDLE")["structuredContent"]["hits"] == []
    [hit] = session.call("search_scripts", query="OTHER")["structuredContent"]["hits"]
    assert (hit["uuid"], hit["where"]) == (uuid, "6")

    assert session.call("set_script_enabled", uuid=uuid, enabled=True)["structuredContent"]["enabled"] is True
    assert session.call("list_scripts")["structuredContent"]["scripts"][0]["runs"] is True
    session.call("delete_script", uuid=uuid)
    assert session.call("list_scripts")["structuredContent"]["scripts"] == []
    assert error_code(session.call("get_script", uuid=uuid)) == "invalid_args"
    assert provider.storage.get(f"source:{uuid}") is None


@pytest.mark.requirement("lumo.us.crud")
def test_concurrent_updates_of_one_version_are_one_success(provider: Provider, peer: ScriptedHost) -> None:
    sessions = [peer.session(), peer.session()]
    uuid = create(sessions[0], source_of("one"))
    for index, session in enumerate(sessions):
        arguments = {"uuid": uuid, "version": 1, "source": source_of(f"by {index}")}
        session.post(session.numbered("tools/call", {"name": "update_script", "arguments": arguments}))

    answers = [sessions[0].answers(3)[0], sessions[1].answers(2)[0]]

    assert [error_code(answer["result"]) for answer in answers if answer].count(None) == 1
    assert sessions[0].call("get_script", uuid=uuid)["structuredContent"]["version"] == 2


class TestDefaults:
    """A fresh install."""

    pytestmark = pytest.mark.requirement("lumo.us.defaults")

    @pytest.fixture
    def provider_storage(self) -> dict[str, Any]:
        return {}

    def test_endpoint_off_write_off_review_on(
        self, provider: Provider, peer: ScriptedHost, provider_page: Page
    ) -> None:
        assert peer.probe()["status"]["enabled"] is False
        peer.connect().wait_closed()
        expect(provider_page.get_by_test_id("policy-endpoint")).not_to_be_checked()
        expect(provider_page.get_by_test_id("policy-write")).not_to_be_checked()
        expect(provider_page.get_by_test_id("policy-review")).to_be_checked()


class TestReview:
    """Review on: a person decides."""

    @pytest.fixture
    def provider_storage(self, provider_storage: dict[str, Any]) -> dict[str, Any]:
        return provider_storage | {"policy": {"endpoint": True, "write": True, "review": True}}

    @pytest.mark.requirement("lumo.us.review")
    def test_a_create_and_an_update_wait(
        self, peer: ScriptedHost, provider_page: Page, visit: Visit, allow_user_scripts: Any
    ) -> None:
        allow_user_scripts(True)
        session = peer.session()
        answer = session.call("create_script", source=marking("mark", "one"))["structuredContent"]
        assert answer["status"] == "pending_approval"
        assert "approval" in answer["message"]
        assert session.call("list_scripts")["structuredContent"]["scripts"] == []
        review = provider_page.get_by_test_id("review")
        expect(review).to_have_attribute("data-kind", "create")
        expect(review.get_by_test_id("source")).to_contain_text("dataset.mark = 'one'")
        expect(review.get_by_test_id("matches")).to_contain_text("http://127.0.0.1/plain.html*")
        review.get_by_role("button", name="Approve").click()
        expect(review).to_have_count(0)

        uuid = answer["uuid"]
        session.call("set_script_enabled", uuid=uuid, enabled=True)
        assert visit("plain.html") == "one"
        session.call("update_script", uuid=uuid, version=1, source=marking("mark", "two"))
        assert visit("plain.html") == "one", "the approved source runs until the update is approved"
        review.get_by_role("button", name="Approve").click()
        expect(review).to_have_count(0)
        assert visit("plain.html") == "two"

    @pytest.mark.requirement("lumo.us.review")
    def test_a_refused_change_leaves_nothing(
        self, provider: Provider, peer: ScriptedHost, provider_page: Page
    ) -> None:
        peer.session().call("create_script", source=source_of("one"))
        provider_page.get_by_test_id("review-refuse").click()
        expect(provider_page.get_by_test_id("review")).to_have_count(0)

        assert not provider.storage.get("scripts")
        assert [entry["result"] for entry in provider.storage.get("audit")] == ["pending", "refused"]

    @pytest.mark.requirement("lumo.us.defaults", "lumo.us.review")
    def test_it_cannot_be_walked_around(
        self,
        provider: Provider,
        peer: ScriptedHost,
        provider_page: Page,
        visit: Visit,
        allow_user_scripts: Any,
    ) -> None:
        """A script from before review was switched on: updating, switching and deleting it all wait."""
        allow_user_scripts(True)
        review_switch = provider_page.get_by_test_id("policy-review")
        review_switch.uncheck()
        session = peer.session()
        uuid = create(session, marking("mark", "unseen"))
        session.call("set_script_enabled", uuid=uuid, enabled=True)
        assert visit("plain.html") == "unseen"

        review_switch.check()
        expect(provider_page.get_by_test_id("script")).to_have_attribute("data-state", "unapproved")
        assert visit("plain.html") is None, "its source was never approved"
        for tool, more in (
            ("update_script", {"version": 1, "source": marking("mark", "other")}),
            ("set_script_enabled", {"enabled": True}),
            ("delete_script", {}),
        ):
            answer = session.call(tool, uuid=uuid, **more)["structuredContent"]
            assert answer["status"] == "pending_approval", tool
        session.call("set_script_enabled", uuid=uuid, enabled=False)
        assert visit("plain.html") is None
        assert [script["uuid"] for script in provider.storage.get("scripts")] == [uuid]

        enabling = provider_page.locator("[data-testid=review][data-kind=enable]")
        enabling.get_by_role("button", name="Approve").click()
        expect(enabling).to_have_count(0)
        assert visit("plain.html") == "unseen"
