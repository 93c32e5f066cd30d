"""The relay's durations: the chain's table with the overrides of ``webmcp-relay --timing``."""

from __future__ import annotations

from collections.abc import Mapping

from webmcp_e2e.contract import TIMINGS


class Timings:
    """Durations by name, in seconds (the table itself is in milliseconds)."""

    def __init__(self, overrides: Mapping[str, float] | None = None) -> None:
        self._table: dict[str, float] = {**TIMINGS, **(overrides or {})}

    def seconds(self, name: str) -> float:
        """Duration `name` of ``webmcp_e2e.contract.TIMINGS`` in seconds."""
        return self._table[name] / 1000

    def with_invoke_timeout(self, seconds: float) -> Timings:
        """The same with another deadline of a call; a joined relay waits 2 s longer, as in the table."""
        longer = TIMINGS["joinedRelayDeadline"] - TIMINGS["relayDeadline"]
        deadlines = {"relayDeadline": seconds * 1000, "joinedRelayDeadline": seconds * 1000 + longer}
        return Timings({**self._table, **deadlines})


def parse_timing(text: str) -> tuple[str, float]:
    """``name=milliseconds`` of the command line.

    Raises:
        ValueError: unknown name, or not a positive number; the message lists the names.
    """
    name, _, value = text.partition("=")
    if name not in TIMINGS:
        raise ValueError(f"unknown timing {name!r}; give one of {', '.join(TIMINGS)} as NAME=MILLISECONDS")
    try:
        milliseconds = float(value)
    except ValueError:
        milliseconds = 0
    if not 0 < milliseconds < float("inf"):
        raise ValueError(f"timing {name} needs a positive number of milliseconds, not {value!r}")
    return name, milliseconds
