"""The Chat tab of the real side panel, as a person uses it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

PATIENCE = 30_000
"""Milliseconds that a state may take on a busy machine; nothing is proven by its length."""


def paste(field: Locator, text: str) -> None:
    """Replace a field's text, as a person does who has it in the clipboard."""
    field.click()
    field.press("ControlOrMeta+a")
    field.page.keyboard.insert_text(text)


def labelled(form: Locator, label: str) -> Locator:
    """A form's control by the beginning of its label; a hint may follow."""
    return form.get_by_label(re.compile(rf"^{re.escape(label)}\b"))


class ChatPanel:
    """The panel at its Chat tab."""

    def __init__(self, panel: Page) -> None:
        self.panel = panel
        self.message = panel.get_by_role("textbox", name="Message")
        self.sessions = panel.get_by_role("combobox", name="Session")
        self.show()

    def show(self) -> None:
        """Go to the Chat tab."""
        self.panel.get_by_role("tab", name="Chat").click()
        expect(self.message).to_be_visible(timeout=PATIENCE)

    def choose_agent(self, name: str) -> None:
        """Let another agent answer."""
        self.panel.get_by_role("combobox", name="Agent").select_option(label=name)

    def ask(self, text: str) -> None:
        """Type a message and send it by Enter."""
        self.message.click()
        self.panel.keyboard.type(text)
        self.panel.keyboard.press("Enter")

    def press(self, button: str) -> None:
        """Press one of the chat's buttons."""
        self.button(button).click()

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.panel.get_by_role("button", name=name, exact=True)

    @property
    def answers(self) -> Locator:
        """What the agent has made of each message, oldest first."""
        return self.panel.locator("[data-testid=message][data-role=assistant]")

    @property
    def answer(self) -> Locator:
        """The latest of them."""
        return self.answers.last

    def expect_state(self, state: str) -> None:
        """Wait until the latest turn is ``streaming``, ``done``, ``stopped``, ``interrupted`` or ``error``."""
        expect(self.answer).to_have_attribute("data-state", state, timeout=PATIENCE)

    def expect_done(self, text: str) -> None:
        """Wait for the latest turn's end, and for what it says."""
        self.expect_state("done")
        expect(self.answer).to_contain_text(text)

    def expect_error(self, code: str, text: str | re.Pattern[str]) -> None:
        """Wait until the latest turn has ended with this error."""
        self.expect_state("error")
        expect(self.answer.get_by_role("alert").get_by_test_id("error-code")).to_have_text(code)
        expect(self.answer.get_by_role("alert")).to_contain_text(text)

    @property
    def calls(self) -> Locator:
        """The latest turn's trace."""
        return self.answer.get_by_test_id("tool-call")

    def call(self, ending: str) -> Locator:
        """The calls of the latest turn whose tool's public name ends so."""
        return self.answer.locator(f"[data-testid=tool-call][data-tool$='{ending}']")

    def expect_calls(self, *expected: tuple[str, str]) -> None:
        """The latest turn's trace, in order: ending of the tool's name, and state."""
        expect(self.calls).to_have_count(len(expected), timeout=PATIENCE)
        for at, (ending, state) in enumerate(expected):
            expect(self.calls.nth(at)).to_have_attribute("data-tool", re.compile(f"{ending}$"))
            expect(self.calls.nth(at)).to_have_attribute("data-state", state, timeout=PATIENCE)

    def unfold(self, call: Locator) -> Locator:
        """Open a call of the trace, if it is closed."""
        if call.get_attribute("open") is None:
            call.locator("summary").click()
        return call

    def result_of(self, call: Locator) -> str:
        """The result that the trace shows."""
        return self.unfold(call).get_by_test_id("call-result").inner_text()

    def consent(self, ending: str) -> Locator:
        """The question whether a tool may run."""
        return self.answer.get_by_role("group", name=re.compile(rf"^Allow .*{ending}\?$"))
