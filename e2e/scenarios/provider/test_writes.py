"""Every write: its window and its audit entry."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page
from userscript_calls import creates, error_code, source_of

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.lumo.audit import arguments_digest
from webmcp_e2e.lumo.models import AuditEntry
from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.provider import Provider

pytestmark = pytest.mark.webmcp_runtime("native")

MOST = LIMITS["writesPerWindow"].value


def audit(provider: Provider) -> list[AuditEntry]:
    """The log, each entry checked against the contract."""
    stored = provider.storage.get("audit") or []
    return [AuditEntry.model_validate(entry, extra="forbid") for entry in stored]


@pytest.mark.requirement("lumo.audit.writes")
def test_every_write_and_refused_write_is_audited(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()
    made = {"source": source_of("one")}
    uuid = session.call("create_script", **made)["structuredContent"]["uuid"]
    session.call("update_script", uuid=uuid, version=7, source=source_of("stale"))
    session.call("set_script_enabled", uuid=uuid, enabled=False)
    session.call("create_script", nonsense=True)
    provider.set_policy(write=False, review=False)
    session.call("delete_script", uuid=uuid)
    provider.set_policy(write=True, review=True)
    session.call("delete_script", uuid=uuid)
    session.call("list_scripts")

    entries = audit(provider)

    assert [(entry.tool, entry.result) for entry in entries] == [
        ("create_script", "ok"),
        ("update_script", "error"),
        ("set_script_enabled", "ok"),
        ("create_script", "error"),
        ("delete_script", "denied"),
        ("delete_script", "pending"),
    ]
    assert {entry.sender_id for entry in entries} == {peer.id}
    assert [entry.target_uuid for entry in entries] == [uuid, uuid, uuid, None, uuid, uuid]
    assert entries[0].arguments_digest == arguments_digest(provider.storage.get("auditSalt"), made)
    assert entries[4].arguments_digest == entries[5].arguments_digest
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)


@pytest.mark.requirement("lumo.audit.no-source")
def test_no_source_in_the_log_in_any_form(
    provider: Provider, peer: ScriptedHost, provider_page: Page
) -> None:
    session = peer.session()
    secret = "hunter2_in_a_userscript_source"
    source = source_of("one", f"const key = '{secret}';")
    pieces = [secret[start : start + 10] for start in range(len(secret) - 9)]
    forms = [*pieces, secret.encode().hex(), quote(secret), secret[::-1], *base64_forms(secret)]

    def nothing_leaked(entries: int) -> None:
        """Looked at after each write: a later one might clean up."""
        log = json.dumps(provider.storage.get("audit"))
        assert len(audit(provider)) == entries
        assert [form for form in forms if form in log] == []

    created = session.call("create_script", source=source)
    uuid = created["structuredContent"]["uuid"]
    nothing_leaked(1)
    for so_far, (tool, args) in enumerate(
        [
            ("update_script", {"uuid": uuid, "version": 1, "source": f"{source}//"}),
            ("update_script", {"uuid": secret, "version": 1, "source": source}),
            ("delete_script", {"uuid": source}),
            ("create_script", {"source": secret}),
            ("create_script", {secret: source}),
        ]
    ):
        session.call(tool, **args)
        nothing_leaked(so_far + 2)
    provider.set_policy(write=True, review=True)
    session.call("create_script", source=source)
    nothing_leaked(7)
    provider_page.get_by_test_id("review-approve").click()
    provider_page.get_by_test_id("review").wait_for(state="detached")
    nothing_leaked(8)


def base64_forms(text: str) -> list[str]:
    """The text in base64 at each of the three alignments, without the characters that its surroundings decide."""
    forms = []
    for shift in range(3):
        encoded = base64.b64encode(b" " * shift + text.encode()).decode()
        forms.append(encoded[4:-4])
    return forms


@pytest.mark.requirement("lumo.audit.durable")
def test_the_log_survives_worker_and_browser(
    extension_browser: ExtensionBrowser, provider: Provider, peer: ScriptedHost
) -> None:
    session = peer.session()
    session.call_all(creates(3))
    before = audit(provider)
    provider.worker.stop()
    peer.session().call("create_script", source=source_of("four"))
    extension_browser.restart()

    after = audit(provider)

    assert after[:3] == before
    assert len(after) == 4


@pytest.mark.requirement("lumo.audit.durable")
def test_the_ring_keeps_a_thousand_and_is_exported_whole(
    provider: Provider, peer: ScriptedHost, provider_page: Page, tmp_path: Path
) -> None:
    session = peer.session()
    session.call("create_script", source=source_of("first"))
    [first] = provider.storage.get("audit")
    old = [first | {"at": f"2026-01-01T00:00:00.{index:03d}Z"} for index in range(1_000)]
    provider.storage.set({"audit": old})

    session.call("create_script", source=source_of("newest"))

    entries = provider.storage.get("audit")
    assert len(entries) == LIMITS["auditEntries"].value
    assert entries[0] == old[1]
    assert entries[-1]["at"] > old[-1]["at"]
    rows = provider_page.locator("[data-testid=audit-entry]")
    rows.nth(999).wait_for()
    with provider_page.expect_download() as downloading:
        provider_page.get_by_test_id("audit-export").click()
    exported = tmp_path / "audit.jsonl"
    downloading.value.save_as(exported)
    assert [json.loads(line) for line in exported.read_text().splitlines()] == entries


@pytest.mark.requirement("lumo.rate.window", "lumo.audit.writes")
def test_store_log_and_answers_of_forty_parallel_writes_agree(provider: Provider, peer: ScriptedHost) -> None:
    sessions = [peer.session(), peer.session()]
    begun = [session.begin(creates(20)) for session in sessions]

    answers = [session.answers(*ids) for session, ids in zip(sessions, begun, strict=True)]

    results = [answer["result"] for of_one in answers for answer in of_one if answer]
    assert Counter(map(error_code, results)) == {None: MOST, "rate_limited": 40 - MOST}
    assert len(provider.storage.get("scripts")) == MOST
    assert Counter(entry.result for entry in audit(provider)) == {"ok": MOST, "rate_limited": 40 - MOST}
    refused = next(result for result in results if error_code(result))
    assert "Try again in" in refused["content"][0]["text"]


ABYSS = """(handle) => {
  const nested = (levels) => {
    let inner = [];
    for (let level = 0; level < levels; level += 1) inner = [inner];
    return inner;
  };
  const message = (levels) => {
    const params = { name: "create_script", arguments: { source: nested(levels) } };
    return { jsonrpc: "2.0", id: "abyss", method: "tools/call", params };
  };
  let levels = 16_384;
  while (levels > 0 && !scripted.post(handle, [message(levels)])) levels = Math.floor(levels * 0.9);
  return levels;
}"""
"""Posts arguments as deep as a port takes them; gives the levels."""


@pytest.mark.requirement("lumo.audit.writes", "lumo.us.crud")
def test_arguments_made_to_break_the_store_are_refused_and_audited(
    provider: Provider, peer: ScriptedHost
) -> None:
    session = peer.session()
    assert peer.run(ABYSS, session.handle) > 1_000
    [answer] = session.answers("abyss")
    assert answer
    assert error_code(answer["result"]) == "invalid_args"

    # Names that every JavaScript object has, and a pattern that would fill each listing.
    for line in ("// @run-at constructor", f"// @match http://127.0.0.1/{'x' * 10_000}"):
        broken = source_of("one").replace("// @name", f"{line}\n// @name")
        assert error_code(session.call("create_script", source=broken)) == "invalid_args", line[:30]

    assert [entry.result for entry in audit(provider)] == ["error"] * 3
    assert provider.storage.get("scripts") in (None, [])
    assert error_code(session.call("create_script", source=source_of("two"))) is None


@pytest.mark.requirement("lumo.rate.reads")
def test_reads_are_not_audited(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()

    session.call_all([("list_scripts", {}), ("search_scripts", {"query": "x"})])

    assert audit(provider) == []
