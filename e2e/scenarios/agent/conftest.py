"""What the scenarios of the agent share: the panel's chat, with a model that the scenario speaks for."""

from __future__ import annotations

from typing import Any

import pytest
from chat_panel import ChatPanel
from playwright.sync_api import Page
from settings_panel import MODEL

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Llm, Protocol


@pytest.fixture
def protocol(request: pytest.FixtureRequest) -> Protocol:
    """The model's wire format; a scenario that is parametrized with it runs once in each."""
    return getattr(request, "param", "openai-compat")


@pytest.fixture
def agent_timings() -> dict[str, int]:
    """Milliseconds in place of the agent's own durations."""
    return {"backoffFirst": 50, "a2aPoll": 50}


@pytest.fixture
def agent_storage() -> dict[str, Any]:
    """More that stands in the extension's storage before the panel opens."""
    return {}


@pytest.fixture
def configured_host(
    host: Extension,
    llm: Llm,
    protocol: Protocol,
    agent_timings: dict[str, int],
    agent_storage: dict[str, Any],
) -> Extension:
    """The host with the model in its settings, as the Settings tab stores it."""
    path = {"openai-compat": "/chat/completions", "anthropic": "/v1/messages"}[protocol]
    config = {"protocol": protocol, "baseUrl": llm.base_url(protocol), "path": path, "model": MODEL}
    key = {"llmKey": llm.api_key, "llmKeyOrigin": llm.origin}
    host.storage.set({"llmConfig": config, **key, "agentTimings": agent_timings, **agent_storage})
    return host


@pytest.fixture
def start_page(html_app: HtmlApp) -> str:
    """The page beside the panel."""
    return html_app.page(lab="")


@pytest.fixture
def chat(configured_host: Extension, page: Page, start_page: str) -> ChatPanel:
    """The panel's chat beside ``start_page``, with the agent that goes on until it is done."""
    page.goto(start_page)
    chat = ChatPanel(configured_host.side_panel(page))
    chat.choose_agent("Multi-turn loop")
    return chat
