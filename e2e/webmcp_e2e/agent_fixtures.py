"""The public fixtures of the agent's surroundings: a language model and A2A agents, as real servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from webmcp_e2e.services.a2a_agent import A2aAgent
    from webmcp_e2e.services.a2a_scripted import Hold, Raw, ScriptedA2aAgent
    from webmcp_e2e.services.llm import Llm

__all__ = ["a2a_agent", "a2a_protocols", "llm", "scripted_a2a_agent"]

_MEND = "pip install 'webmcp-e2e[agent]'"


class MakeA2aAgent(Protocol):
    """Makes and starts one scripted A2A agent more."""

    def __call__(
        self, *, card: Mapping[str, Any] | Raw | Hold | None = None, token: str | None = None
    ) -> ScriptedA2aAgent:
        """Start it; the arguments are those of ``ScriptedA2aAgent``."""


@pytest.fixture
def llm() -> Iterator[Llm]:
    """A language model's server in your hand, in both wire formats, streaming included.

    ``.openai_url .anthropic_url .api_key`` go into the settings of what you test; ``.reply("Hello ", ToolCall(...))``
    and ``.reply_by(function_of_the_request)`` queue answers, with ``Hold``, ``Fail`` and ``Cut`` among their pieces;
    ``.requests`` is what it was asked. Each request is checked with the vendors' own types: a malformed one fails
    the test. Needs ``pip install 'webmcp-e2e[agent]'``.
    """
    Llm = _needed("webmcp_e2e.services.llm").Llm
    with Llm() as server:
        yield server
        server.check()


@pytest.fixture
def a2a_protocols() -> tuple[str, ...]:
    """The protocol versions that ``a2a_agent`` offers, ``1.0`` and ``0.3``. Override to offer only one."""
    return ("1.0", "0.3")


@pytest.fixture
def a2a_agent(a2a_protocols: tuple[str, ...]) -> Iterator[A2aAgent]:
    """A real A2A agent on the official SDK's server: an analyst of order rows, for A2A 1.0 and 0.3.

    ``.card_url .endpoint .token`` bind it; ``.requests`` and ``.texts`` are what it was asked. It answers rows with
    an artifact, a question with a message, and asks for rows where it got none. Needs
    ``pip install 'webmcp-e2e[agent]'``.
    """
    with _needed("webmcp_e2e.services.a2a_agent").A2aAgent(a2a_protocols) as agent:
        yield agent


@pytest.fixture
def scripted_a2a_agent() -> Iterator[MakeA2aAgent]:
    """Makes A2A agents that do what you say, right or wrong, each on a port of its own.

    ``agent = scripted_a2a_agent(card={"url": None})``; ``agent.answer(Step("working"), Says("done"), Raw("garbage"))``:
    see ``webmcp_e2e.services.a2a_scripted``. A malformed request fails the test. Needs
    ``pip install 'webmcp-e2e[agent]'``.
    """
    scripted = _needed("webmcp_e2e.services.a2a_scripted").ScriptedA2aAgent
    with ExitStack() as stack:
        agents: list[ScriptedA2aAgent] = []

        def make(
            *, card: Mapping[str, Any] | Raw | Hold | None = None, token: str | None = None
        ) -> ScriptedA2aAgent:
            agents.append(stack.enter_context(scripted(card=card, token=token)))
            return agents[-1]

        yield make
        for agent in agents:
            agent.check()


def _needed(module: str) -> Any:
    """A module of the extra ``agent``."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise pytest.UsageError(f"{error}. This fixture needs more packages: {_MEND}") from error
