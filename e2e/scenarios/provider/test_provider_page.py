"""The provider's page, used with the keyboard too, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from userscript_calls import source_of

from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.provider import Provider
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("lumo.us.page"), pytest.mark.webmcp_runtime("native")]


def test_switches_take_effect_and_stay(provider: Provider, peer: ScriptedHost, provider_page: Page) -> None:
    for name in ("endpoint", "write", "review"):
        switch = provider_page.get_by_test_id(f"policy-{name}")
        before = switch.is_checked()
        switch.focus()
        provider_page.keyboard.press("Space")
        expect(switch).to_be_checked(checked=not before)

    provider_page.reload()

    for name, on in (("endpoint", False), ("write", False), ("review", True)):
        expect(provider_page.get_by_role("switch", name=NAMES[name])).to_be_checked(checked=on)
    assert peer.probe()["status"]["enabled"] is False


NAMES = {"endpoint": "Agent endpoint", "write": "Writing", "review": "Review"}


def test_a_script_is_written_run_edited_and_deleted_by_keyboard(
    provider: Provider, provider_page: Page, html_app: HtmlApp, allow_user_scripts: Any
) -> None:
    allow_user_scripts(True)
    provider_page.reload()
    expect(provider_page.get_by_test_id("readiness")).to_have_attribute("data-ready", "true")
    keyboard = provider_page.keyboard

    provider_page.get_by_role("button", name="New script").press("Enter")
    editor = provider_page.get_by_role("textbox", name="Source")
    editor.fill("no metadata")
    expect(provider_page.get_by_test_id("editor-problems")).to_contain_text("metadata block")
    editor.fill(source_of("By hand", "document.documentElement.dataset.mark = 'hand';"))
    expect(provider_page.get_by_test_id("editor-problems")).to_be_empty()
    keyboard.press("Tab")
    expect(provider_page.get_by_role("button", name="Save")).to_be_focused()
    keyboard.press("Enter")
    script = provider_page.get_by_test_id("script")
    expect(script).to_have_attribute("data-state", "off")

    provider_page.get_by_role("switch", name="Enable By hand").press("Space")
    expect(script).to_have_attribute("data-state", "runs")
    visited = provider_page.context.new_page()
    visited.goto(html_app.url + "plain.html")
    assert visited.evaluate("document.documentElement.dataset.mark") == "hand"

    provider_page.bring_to_front()
    provider_page.get_by_role("button", name="Edit By hand").press("Enter")
    expect(editor).to_have_value(source_of("By hand", "document.documentElement.dataset.mark = 'hand';"))
    editor.fill(source_of("Renamed"))
    provider_page.get_by_role("button", name="Save").press("Enter")
    expect(script).to_contain_text("Renamed version 2")

    provider_page.get_by_role("button", name="Delete Renamed").press("Enter")
    expect(provider_page.get_by_role("button", name="Really delete?")).to_be_focused()
    keyboard.press("Enter")
    expect(script).to_have_count(0)
    entries = provider.storage.get("audit")
    assert [entry["tool"] for entry in entries] == [
        "create_script",
        "set_script_enabled",
        "update_script",
        "delete_script",
    ]
    assert {entry["senderId"] for entry in entries} == {provider.id}


def test_a_stale_edit_is_refused_and_nothing_is_lost(
    provider: Provider, peer: ScriptedHost, provider_page: Page
) -> None:
    session = peer.session()
    uuid = session.call("create_script", source=source_of("shared"))["structuredContent"]["uuid"]
    provider_page.get_by_role("button", name="Edit shared").click()
    editor = provider_page.get_by_test_id("editor-source")
    editor.fill(source_of("shared", "person();"))
    session.call("update_script", uuid=uuid, version=1, source=source_of("shared", "agent();"))

    provider_page.get_by_test_id("editor-save").click()

    expect(provider_page.get_by_test_id("editor-problems")).to_contain_text("at version 2, not 1")
    expect(editor).to_have_value(source_of("shared", "person();"))
    assert provider.storage.get(f"source:{uuid}") == source_of("shared", "agent();")


def test_foreign_text_is_shown_as_text(provider: Provider, peer: ScriptedHost, provider_page: Page) -> None:
    nasty = "<img src=x onerror=\"document.title='owned'\"><b>"
    session = peer.session()
    session.call("create_script", source=source_of(nasty))
    provider.storage.set({"pendingApprovals": [{"id": "c" * 32, "name": nasty, "at": nasty}]})

    expect(provider_page.get_by_test_id("script")).to_contain_text(nasty)
    expect(provider_page.get_by_test_id("pending-sender")).to_contain_text(nasty)
    assert provider_page.locator("img").count() == 0
    assert provider_page.title() == "Lumo Userscripts"


class TestChinese:
    """The browser's language decides."""

    @pytest.fixture
    def webmcp_chromium_args(self) -> list[str]:
        return ["--lang=zh-CN"]

    def test_the_page_is_chinese(self, provider_page: Page) -> None:
        texts = json.loads(
            (Path(__file__).parents[3] / "extensions/provider/_locales/zh_CN/messages.json").read_text()
        )

        expect(provider_page.get_by_role("switch", name=texts["policy_endpoint"]["message"])).to_be_visible()
        expect(provider_page.get_by_role("heading", name=texts["audit"]["message"])).to_be_visible()
        assert provider_page.locator("html").get_attribute("lang") == "zh-CN"
