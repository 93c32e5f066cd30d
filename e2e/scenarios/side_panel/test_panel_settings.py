"""The log goes out without secrets; settings go out and come back as a file, and a hostile file changes nothing."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from panel_tabs import PATIENCE, call_by_hand, show
from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("panel.settings"), pytest.mark.webmcp_runtime("native")]

KEY = "llm-key/with+odd chars"
TOKEN = "a2a-bearer-token-0815"
PROVIDER = "abcdefghijklmnop" * 2
CONFIG = {
    "protocol": "openai-compat",
    "baseUrl": "http://127.0.0.1:9/v1",
    "path": "/chat/completions",
    "model": "m",
    "maxTokens": 1000,
}
AGENT = {"id": "analyst", "cardUrl": "http://127.0.0.1:9/card.json"}
STORED = {
    "llmConfig": CONFIG,
    "llmKey": KEY,
    "llmKeyOrigin": "http://127.0.0.1:9",
    "a2aAgents": [AGENT],
    "a2aTokens": {"analyst": TOKEN},
    "providers": [PROVIDER],
}
LATER = "token-that-is-stored-later"
STORED_LOG = """() => new Promise((resolve) => {
  indexedDB.open("lumo-panel").onsuccess = ({target}) => {
    const all = target.result.transaction("log").objectStore("log").getAll();
    all.onsuccess = () => { target.result.close(); resolve(JSON.stringify(all.result)); };
  };
})"""
EVERYTHING = "chrome.storage.local.get(null)"


@pytest.fixture
def panel(host: Extension, page: Page, html_app: HtmlApp) -> Page:
    """The panel of a user who has keys and tokens stored."""
    host.storage.set(STORED)
    page.goto(html_app.page(lab=""))
    return host.side_panel(page)


def saved(panel: Page, button: str, folder: Path) -> str:
    """Press a button of the Settings tab; the text of the file that the browser saves."""
    with panel.expect_download() as downloading:
        panel.get_by_role("button", name=button).click()
    target = folder / downloading.value.suggested_filename
    downloading.value.save_as(target)
    return target.read_text()


def hidden_in(text: str, secret: str) -> bool:
    """Whether a secret stands in a text, raw, in a URL, in JSON or in base64."""
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    forms = (secret, secret.replace(" ", "%20").replace("/", "%2F").replace("+", "%2B"), encoded)
    return any(form in text for form in forms)


def test_the_log_goes_out_without_secrets_and_is_cleared_by_two_clicks(
    panel: Page, host: Extension, page: Page, tmp_path: Path
) -> None:
    # Its card would be fetched, which is logged too.
    host.storage.remove("a2aAgents")
    spoken = (KEY, TOKEN, "Bearer abcdefghijklm", base64.b64encode(TOKEN.encode()).decode())
    for text in spoken:
        called = call_by_hand(panel, "echo", {"text": f"<{text}>"})
        expect(called.get_by_test_id("tool-result")).to_have_text(f"<{text}>")
    late = call_by_hand(panel, "sum", {"a": LATER, "b": 1})
    expect(late.get_by_test_id("error-code")).to_have_text("invalid_args")

    # The log outlives the panel.
    size = show(panel, "settings").get_by_test_id("log-size")
    expect(size).to_have_text("Entries: 5", timeout=PATIENCE)
    stored = panel.evaluate(STORED_LOG)
    assert LATER in stored, "the log is read where it is kept"
    assert not any(hidden_in(stored, secret) for secret in (KEY, TOKEN, "abcdefghijklm"))
    host.storage.set({"a2aTokens": {"analyst": TOKEN, "late": LATER}})
    host.close_side_panel(page)
    panel = host.side_panel(page)
    settings = show(panel, "settings")
    expect(settings.get_by_test_id("log-size")).to_have_text("Entries: 5", timeout=PATIENCE)
    lines = saved(panel, "Export log", tmp_path)
    entries = [json.loads(line) for line in lines.splitlines()]
    assert [entry["data"]["outcome"] for entry in entries] == ["ok"] * 4 + ["invalid_args"]
    assert [entry["data"]["args"] for entry in entries] == [
        *[{"text": "<[redacted]>"}] * 4,
        {"a": "[redacted]", "b": 1},
    ]
    assert not any(hidden_in(lines, secret) for secret in (KEY, TOKEN, LATER, "abcdefghijklm"))

    clear = settings.get_by_role("button", name="Clear log")
    clear.click()
    sure = settings.get_by_role("button", name="Really clear the log?")
    expect(sure).to_be_focused()
    panel.keyboard.press("Escape")
    expect(clear).to_be_visible()
    expect(settings.get_by_test_id("log-size")).to_have_text("Entries: 5")
    clear.press("Enter")
    sure.press("Enter")
    expect(settings.get_by_test_id("log-size")).to_have_text("Entries: 0")
    expect(settings.get_by_role("button", name="Export log")).to_be_disabled()


def choose_file(settings: Locator, name: str, content: str | bytes) -> None:
    """Choose a file for the import."""
    buffer = content.encode() if isinstance(content, str) else content
    settings.get_by_test_id("settings-file").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": buffer}
    )


def test_settings_go_out_without_keys_and_come_back(panel: Page, host: Extension, tmp_path: Path) -> None:
    settings = show(panel, "settings")
    text = saved(panel, "Export settings", tmp_path)
    exported = json.loads(text)
    assert not any(hidden_in(text, secret) for secret in (KEY, TOKEN))
    sections = exported["sections"]
    assert sections["providers"] == {"ids": [PROVIDER], "offered": []}
    assert sections["languageModel"]["baseUrl"] == CONFIG["baseUrl"]
    assert sections["a2aAgents"][0]["cardUrl"] == AGENT["cardUrl"]
    before = host.storage.get("relaySettings")
    assert sections["relay"]["ports"] == before["ports"]

    sections["panel"]["language"] = "zh_CN"
    sections["relay"]["workspace"] = "imported"
    choose_file(settings, "settings.json", json.dumps(exported))
    plan = settings.get_by_test_id("import-plan")
    expect(plan.get_by_role("listitem")).to_have_count(len(sections))
    assert host.storage.get("relaySettings") == before, "nothing changes before the user says so"
    plan.get_by_role("button", name="Apply").click()

    expect(settings.get_by_test_id("import-applied")).to_have_text("设置已导入。")
    assert host.storage.get("relaySettings") == {**before, "workspace": "imported"}
    assert host.storage.get("llmKey") == KEY, "the key stays with the server that it was entered for"

    sections["languageModel"]["baseUrl"] = "https://thief.example/v1"
    sections["a2aAgents"][0]["cardUrl"] = "https://thief.example/card.json"
    choose_file(settings, "thief.json", json.dumps(exported))
    plan.get_by_test_id("import-apply").click()
    expect(plan).to_have_count(0)
    assert host.storage.get("llmKey") is None, "a key never goes to a server that a file names"
    assert TOKEN not in json.dumps(host.storage.get("a2aTokens"))


def settings_file(sections: Any) -> str:
    """A settings file with these sections."""
    return json.dumps({"format": "lumo-settings", "version": 1, "sections": sections})


RELAY = {"enabled": True, "host": "127.0.0.1", "ports": [4000, 4001]}
SCRIPT = "<img src=x onerror=document.title='owned'>"
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "no JSON": ("{", "import_not_json"),
    "binary": (bytes(range(256)), "import_not_json"),
    "nested without end": ("[" * 200_000, "import_not_json"),
    "too large": (" " * 1_000_001, "import_too_large"),
    "another format": ('{"format":"other"}', "import_wrong_format"),
    "a list": ("[]", "import_wrong_format"),
    "another version": (
        '{"format":"lumo-settings","version":99,"sections":{}}',
        "import_wrong_version",
    ),
    "prototype": (
        '{"format":"lumo-settings","version":1,"sections":{"__proto__":{"relay":1}}}',
        "import_unknown_member",
    ),
    "unknown section": (settings_file({SCRIPT: {}}), "import_unknown_member"),
    "a key": (settings_file({"languageModel": {**CONFIG, "apiKey": "x"}}), "import_has_secret"),
    "relay elsewhere": (settings_file({"relay": {**RELAY, "host": "evil.example"}}), "import_invalid"),
    "port scan": (settings_file({"relay": {**RELAY, "ports": [1, 65535]}}), "import_invalid"),
    "a provider that is none": (
        settings_file({"providers": {"ids": [SCRIPT], "offered": []}}),
        "import_invalid",
    ),
    "LLM by javascript": (
        settings_file({"languageModel": {**CONFIG, "baseUrl": "javascript:alert(1)"}}),
        "import_invalid",
    ),
    "half right": (
        settings_file({"panel": {"language": "zh_CN"}, "relay": {**RELAY, "enabled": 1}}),
        "import_invalid",
    ),
}


def test_hostile_files_are_refused_and_change_nothing(panel: Page, host: Extension) -> None:
    settings = show(panel, "settings")
    before = panel.evaluate(EVERYTHING)
    refused = settings.get_by_test_id("import-refused")
    for name, (content, code) in HOSTILE.items():
        # A good file in between: what is refused next cannot be the refusal before.
        choose_file(settings, "good.json", settings_file({"panel": {"language": "en"}}))
        settings.get_by_role("button", name="Cancel").click()
        expect(refused).to_have_count(0)
        choose_file(settings, f"{name}.json", content)
        expect(refused, name).to_have_attribute("data-code", code, timeout=PATIENCE)
        expect(refused).to_have_attribute("role", "alert")
        assert len(refused.inner_text()) > len(code) + 20, "the code has a sentence beside it"
        assert settings.get_by_test_id("import-plan").count() == 0
    assert panel.evaluate(EVERYTHING) == before
    assert panel.title() == "Lumo"
