"""A page under the strictest content security policy has working tools."""

from __future__ import annotations

import pytest
from page_tools_port import Visit, text_of
from playwright.sync_api import ConsoleMessage, Page

from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.requirement("chain.main.csp")


def test_tools_work_under_a_strict_policy_without_a_violation(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    complaints: list[ConsoleMessage] = []
    page.on("console", lambda message: complaints.append(message) if message.type == "error" else None)
    page.add_init_script(
        "window.violations = [];"
        "addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))"
    )
    port = visit(lab="", csp="strict")
    assert text_of(port.call("echo", {"text": "hi"})) == "hi"
    assert port.call("sum", {"a": 1})["code"] == "invalid_args"
    assert [one.tool for one in html_app.invocations] == ["echo"]
    assert page.evaluate("violations") == []
    assert not [message.text for message in complaints if "Content Security Policy" in message.text]


@pytest.mark.webmcp_runtime("native")
def test_the_policy_is_in_force(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    """Guards the test above: what a policy must stop is stopped, and the page hears of it."""
    visit(lab="", csp="strict")
    directive = page.evaluate(
        """(url) => new Promise((resolve) => {
          addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), {once: true});
          fetch(url).catch(() => {});
        })""",
        html_app.cross_origin,
    )
    assert directive == "connect-src"


def test_form_tools_work_under_a_strict_policy(visit: Visit) -> None:
    port = visit("declarative.html", csp="strict")
    assert "SO-1001" in text_of(port.call("find_order", {"order": "SO-1001"}))
