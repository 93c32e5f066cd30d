"""The Providers view of the real side panel, as a person uses it, and tool calls from the panel."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo.scripted import ScriptedProvider
from webmcp_e2e.waiting import wait_until

Result = dict[str, Any]

_START_CALL = """({name, args}) => {
  const calls = (globalThis.startedCalls ??= []);
  const entry = {};
  calls.push(entry);
  void globalThis.lumoPanel.call(name, args).then((result) => { entry.result = result; });
  return calls.length - 1;
}"""


class ProvidersPanel:
    """Uses the panel's documented test ids and its ``lumoPanel`` handle, nothing else of the host."""

    def __init__(self, host: Extension, page: Page) -> None:
        self._host = host
        self._page = page
        self.panel = host.side_panel(page)
        self.show("providers")

    def reopen(self) -> None:
        """Close the panel and open it again."""
        self._host.close_side_panel(self._page)
        self.panel = self._host.side_panel(self._page)
        self.show("providers")

    def show(self, view: str) -> None:
        """Go to a view of the panel."""
        self.panel.get_by_test_id(f"view-{view}").click()

    # ---- the list

    def add(self, *ids: str) -> None:
        """Type the ids into the field and press Enter."""
        self.panel.get_by_test_id("provider-id").fill(" ".join(ids))
        self.panel.get_by_test_id("provider-id").press("Enter")

    def card(self, provider_id: str) -> Locator:
        """One provider of the list."""
        return self.panel.locator(f'[data-testid="provider"][data-provider-id="{provider_id}"]')

    def part(self, provider_id: str, test_id: str) -> Locator:
        """A part of a provider's card."""
        return self.card(provider_id).get_by_test_id(test_id)

    def retry(self, provider_id: str) -> None:
        """Press Retry."""
        self.part(provider_id, "provider-retry").click()

    def remove(self, provider_id: str) -> None:
        """Press Remove."""
        self.part(provider_id, "provider-remove").click()

    @property
    def ids(self) -> list[str]:
        """The ids of the list, in its order."""
        cards = self.panel.get_by_test_id("provider")
        found: list[str] = cards.evaluate_all("(cards) => cards.map((card) => card.dataset.providerId)")
        return found

    # ---- what a card says

    def checked_at(self, provider_id: str) -> int:
        """When the last check ended, epoch milliseconds by the host's clock; 0 before the first one has."""
        return int(self.card(provider_id).get_attribute("data-checked-at") or 0)

    def expect_settled(self, provider_id: str, timeout: float = 15.0) -> None:
        """Wait until the provider is not being checked."""
        expect(self.card(provider_id)).to_have_attribute("data-checking", "false", timeout=timeout * 1000)

    def expect_error(self, provider_id: str, code: str, text: str, timeout: float = 15.0) -> None:
        """Wait for an error by code and text, with the provider's tools gone unless it is only not ready."""
        card = self.card(provider_id)
        expect(card).to_have_attribute("data-code", code, timeout=timeout * 1000)
        expect(card).to_have_attribute("data-state", "error")
        expect(self.part(provider_id, "provider-code")).to_have_text(code)
        expect(self.part(provider_id, "provider-text")).to_have_text(text)
        self.expect_settled(provider_id)

    def expect_connected(
        self, provider_id: str, *, tools: int, rejected: int = 0, timeout: float = 15.0
    ) -> None:
        """Wait until the provider is connected, with these counts."""
        expect(self.card(provider_id)).to_have_attribute("data-state", "connected", timeout=timeout * 1000)
        expect(self.part(provider_id, "provider-tools")).to_have_text(
            f"Tools: {tools}", timeout=timeout * 1000
        )
        expect(self.part(provider_id, "provider-rejected")).to_have_text(f"Rejected: {rejected}")
        self.expect_settled(provider_id)

    def rejections(self, provider_id: str) -> list[tuple[str, str]]:
        """Name and rule of each rejected tool, in the panel's order."""
        entries = self.part(provider_id, "rejection")
        found: list[list[str]] = entries.evaluate_all(
            "(all) => all.map((entry) => [entry.querySelector('code').textContent, entry.dataset.rule])"
        )
        return [(name, rule) for name, rule in found]

    def rule_texts(self, provider_id: str) -> list[str]:
        """The sentence beside each rejected tool."""
        return [
            re.sub(r"^[^:]*: ", "", text) for text in self.part(provider_id, "rejection").all_inner_texts()
        ]

    # ---- tools

    def tools(self, namespace: str = "") -> list[str]:
        """Public names of provider tools that the panel can call, as the agent would see them."""
        names: list[str] = self.panel.evaluate("() => globalThis.lumoPanel.tools()")
        return [name for name in names if name.startswith(f"ext__{namespace}")]

    def wait_for_tools(self, *names: str, namespace: str = "") -> None:
        """Wait until exactly these tools are there."""
        wait_until(lambda: self.tools(namespace) == list(names), f"the panel's provider tools are {names}")

    def call(self, name: str, /, **args: Any) -> Result:
        """Call a tool by its public name; its MCP result."""
        self.panel.set_default_timeout(60_000)
        result: Result = self.panel.evaluate(
            "({name, args}) => globalThis.lumoPanel.call(name, args)", {"name": name, "args": args}
        )
        return result

    def start_call(self, name: str, /, **args: Any) -> int:
        """Start a call; ``result_of`` waits for its end."""
        return int(self.panel.evaluate(_START_CALL, {"name": name, "args": args}))

    def result_of(self, call: int, timeout: float = 30.0) -> Result:
        """The result of a started call."""
        script = "(call) => globalThis.startedCalls[call].result ?? null"
        return wait_until(
            lambda: self.panel.evaluate(script, call), "the started call has a result", timeout=timeout
        )


def error_of(result: Result) -> tuple[str, str] | None:
    """Code and ``executed`` of a chain error; None for anything else."""
    error = result.get("_meta", {}).get("webmcp-e2e/error") if result.get("isError") else None
    return None if error is None else (error["code"], error["executed"])


def retried(providers_panel: ProvidersPanel, peer: ScriptedProvider) -> None:
    """Press Retry and wait until the host has checked the provider anew."""
    providers_panel.expect_settled(peer.id)
    before = str(providers_panel.checked_at(peer.id))
    providers_panel.retry(peer.id)
    expect(providers_panel.card(peer.id)).not_to_have_attribute("data-checked-at", before, timeout=15_000)
    providers_panel.expect_settled(peer.id)
