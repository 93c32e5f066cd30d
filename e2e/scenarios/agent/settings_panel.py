"""Settings of the language model, as a person enters them."""

from __future__ import annotations

from chat_panel import PATIENCE, labelled, paste
from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.services.llm import Llm, Protocol

MODEL = "test-model-1"


class SettingsPanel:
    """The panel at its Settings tab."""

    def __init__(self, panel: Page) -> None:
        self.panel = panel
        panel.get_by_role("tab", name="Settings").click()
        self.section = panel.get_by_test_id("llm-settings")
        expect(self.section.get_by_role("button", name="Edit")).to_be_visible(timeout=PATIENCE)

    def edit(self) -> Locator:
        """Open the form of the language model."""
        self.section.get_by_role("button", name="Edit").click()
        return self.section.get_by_role("form", name="Language model")

    def enter_model(self, llm: Llm, protocol: Protocol) -> None:
        """Fill in the form for this server, and save."""
        form = self.edit()
        labelled(form, "Protocol").select_option(protocol)
        paste(labelled(form, "Base URL"), llm.base_url(protocol))
        paste(labelled(form, "Model"), MODEL)
        paste(labelled(form, "API key"), llm.api_key)
        form.get_by_role("button", name="Save").click()
        expect(self.section.get_by_test_id("llm-summary")).to_contain_text(llm.base_url(protocol))
