"""How the harness puts a provider that it does not know into a state, and what it may call there.

A provider's folder has it as ``conformance.json``::

    {"states": {"open": {"local": {"enabled": true, "allowlist": ["$SENDER"]}},
                "off": {"local": {"enabled": false}}, "unlisted": {"local": {"allowlist": []}},
                "not_ready": {"local": {"broken": true}}},
     "read":  {"tool": "list_notes", "arguments": {}},
     "fails": {"tool": "get_note", "arguments": {"id": "no such note"}},
     "write": {"tool": "add_note", "arguments": {"text": "note $N"}}}

``local`` is laid over what ``chrome.storage.local`` holds. A list item, or a member, with ``$SENDER`` in it is
repeated for each extension that the state lets in. ``$N`` is a number that is new for each call. ``userScripts`` of a
state flips the browser's "Allow User Scripts" toggle. ``open`` means: enabled, ready, ``$SENDER`` authorized.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

SETUP_FILE: Final = "conformance.json"
StateName = Literal["open", "off", "unlisted", "not_ready"]
CallName = Literal["read", "fails", "write"]

_SENDER: Final = "$SENDER"
_NUMBER: Final = "$N"


class SetupError(ValueError):
    """The set-up is missing or wrong; the message says what to write."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class State(_Part):
    """What makes the provider be in a state."""

    local: dict[str, Any] = {}
    user_scripts: bool | None = Field(None, alias="userScripts")


class ToolCall(_Part):
    """A tool and arguments for it."""

    tool: str
    arguments: dict[str, Any] = {}


class ProviderSetup(_Part):
    """The whole set-up. What is left out is not tested."""

    states: dict[StateName, State]
    read: ToolCall | None = None
    fails: ToolCall | None = None
    write: ToolCall | None = None

    @classmethod
    def load(cls, file: Path) -> ProviderSetup:
        """Read a set-up. Raises ``SetupError``."""
        try:
            setup = cls.model_validate_json(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise SetupError(
                f"{file} is missing: it says how to switch this provider on. See docs/protocol.md."
            ) from None
        except ValidationError as error:
            raise SetupError(f"{file} is no set-up of a provider: {error}") from None
        if "open" not in setup.states:
            raise SetupError(f'{file} names no state "open". Every scenario begins there: add it.')
        return setup

    def storage(self, state: StateName, senders: Sequence[str]) -> dict[str, Any]:
        """Items of ``chrome.storage.local`` that make the state, with these extension ids let in."""
        return dict(_expanded(self.states[state].local, senders))

    def call(self, name: CallName, number: int = 1) -> tuple[str, dict[str, Any]] | None:
        """Tool and arguments, or None where the set-up has no such call."""
        call: ToolCall | None = getattr(self, name)
        if call is None:
            return None
        text = json.dumps(call.arguments).replace(_NUMBER, str(number))
        return call.tool, json.loads(text)


def _expanded(value: Any, senders: Sequence[str]) -> Any:
    if isinstance(value, list):
        return [item for template in value for item in _copies(template, senders)]
    if isinstance(value, dict):
        members = [pair for template in value.items() for pair in _members(template, senders)]
        return dict(members)
    return value


def _copies(template: Any, senders: Sequence[str]) -> Iterator[Any]:
    if _SENDER not in json.dumps(template):
        yield _expanded(template, senders)
        return
    for sender in senders:
        yield json.loads(json.dumps(template).replace(_SENDER, sender))


def _members(template: tuple[str, Any], senders: Sequence[str]) -> Iterator[tuple[str, Any]]:
    key, value = template
    if _SENDER not in key:
        yield key, _expanded(value, senders)
        return
    for sender in senders:
        yield key.replace(_SENDER, sender), value
