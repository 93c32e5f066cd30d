"""The chain's shared constants, mirrored from ``extensions/contract/*.ts``; a test compares the two.

Durations are milliseconds, sizes are UTF-8 bytes of JSON (spec ``chain.md``).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

TIMINGS: Final[dict[str, int]] = {
    "handshakeAttempt": 10_000,
    "handshakePause": 1_000,
    "formWait": 25_000,
    "keepAlive": 20_000,
    "browserDeadline": 50_000,
    "relayDeadline": 55_000,
    "joinedRelayDeadline": 57_000,
    "heartbeatPing": 15_000,
    "heartbeatDead": 25_000,
    "reconnectFirst": 500,
    "reconnectMax": 3_000,
    "alarmFirst": 30_000,
    "alarmSecond": 60_000,
    "alarmRest": 120_000,
    "rejectionPause": 120_000,
    "probe": 1_000,
    "sourceGrace": 10_000,
    "listChangedDebounce": 16,
}
"""Every duration of the chain in milliseconds; ``extensions/contract/timings.ts`` says what each is for."""

LIMITS: Final[dict[str, int]] = {
    "result": 8_000_000,
    "args": 1_000_000,
    "description": 4_096,
    "schema": 65_536,
    "tools": 256,
    "frame": 10_000_000,
    "peerFrame": 1_000_000,
    "publicName": 64,
}
"""Bounds of untrusted input; ``extensions/contract/limits.ts`` gives the reasons."""

ErrorCode = Literal[
    "not_ready",
    "timeout",
    "unknown_tool",
    "cancelled",
    "navigated",
    "too_large",
    "invalid_args",
    "page_error",
    "waiting_for_user",
    "source_disconnected",
    "relay_gone",
    "denied",
    "rate_limited",
    "outcome_unknown",
]
"""The error codes of every hop."""

ERROR_CODES: Final[tuple[str, ...]] = get_args(ErrorCode)

Executed = Literal["no", "yes", "unknown"]
"""Whether the tool ran."""

ERROR_META: Final = "webmcp-e2e/error"
"""Key in a result's ``_meta`` that carries ``{"code", "executed"}``."""

RELAY_SETTINGS_KEY: Final = "relaySettings"
"""Key in ``chrome.storage.local`` of the host extension's relay settings."""

TIMINGS_KEY: Final = "webmcpTimings"
"""Key in ``chrome.storage.local`` of the timing overrides for development."""

TAB_SELECTION_KEY: Final = "relayTabSelection"
"""Key in ``chrome.storage.session`` of ``{"tabIds": [...]}``."""
