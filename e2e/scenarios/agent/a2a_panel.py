"""The A2A agents tab of the real side panel, as a person uses it."""

from __future__ import annotations

from chat_panel import PATIENCE, labelled, paste
from playwright.sync_api import Locator, Page, expect


class A2aPanel:
    """The panel at its A2A agents tab."""

    def __init__(self, panel: Page) -> None:
        self.panel = panel
        self.show()

    def show(self) -> None:
        """Go to the tab."""
        self.panel.get_by_role("tab", name="A2A agents").click()
        expect(self.button("Add agent")).to_be_visible(timeout=PATIENCE)

    @property
    def form(self) -> Locator:
        """The open form."""
        return self.panel.get_by_role("form", name="Agent")

    @property
    def agents(self) -> Locator:
        """The list."""
        return self.panel.get_by_test_id("a2a-agent")

    def agent(self, agent_id: str) -> Locator:
        """One of them."""
        return self.panel.locator(f"[data-testid=a2a-agent][data-id='{agent_id}']")

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.panel.get_by_role("button", name=name, exact=True)

    def fill(self, *, agent_id: str = "", card_url: str = "", endpoint: str = "", token: str = "") -> None:
        """Write into the open form; what is empty stays as it is."""
        fields = {
            "Id": agent_id,
            "Card URL": card_url,
            "Endpoint": endpoint,
            "Bearer token": token,
        }
        for label, text in fields.items():
            if text:
                paste(labelled(self.form, label), text)

    def press_save(self) -> None:
        """Press Save, which may be refused."""
        self.form.get_by_role("button", name="Save").click()

    def save(self) -> None:
        """Press Save, and wait until it is saved."""
        self.press_save()
        expect(self.form).to_have_count(0, timeout=PATIENCE)

    def add(self, agent_id: str, card_url: str, *, token: str = "", endpoint: str = "") -> Locator:
        """Add an agent; its entry."""
        self.button("Add agent").click()
        self.fill(agent_id=agent_id, card_url=card_url, endpoint=endpoint, token=token)
        self.save()
        return self.agent(agent_id)

    def expect_state(self, agent_id: str, state: str) -> None:
        """Wait until an agent is ``loading``, ``ready`` or ``error``."""
        expect(self.agent(agent_id)).to_have_attribute("data-state", state, timeout=PATIENCE)
