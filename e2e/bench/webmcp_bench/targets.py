"""What each measure has to reach, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .results import Result


@dataclass(frozen=True)
class Target:
    """A bound on a result's ``value`` or ``ratio``: at most, or at least, ``bound``."""

    of: Literal["value", "ratio"]
    rule: Literal["at most", "at least"]
    bound: float
    reason: str

    def number(self, result: Result) -> float | None:
        """What of the result is bounded; None where a ratio has no peer."""
        return result.value if self.of == "value" else result.ratio

    def is_met(self, result: Result) -> bool:
        """Whether the result keeps the bound; a ratio without a peer does not."""
        number = self.number(result)
        if number is None:
            return False
        return number <= self.bound if self.rule == "at most" else number >= self.bound

    def __str__(self) -> str:
        sign = "≤" if self.rule == "at most" else "≥"
        return f"{'ratio ' if self.of == 'ratio' else ''}{sign} {self.bound:g}"


TARGETS: dict[str, Target] = {
    "fresh_browser_s": Target(
        "ratio",
        "at most",
        1.1,
        "a fresh browser for every test is the only honest isolation",
    ),
    "relay_call_p50_ms": Target("ratio", "at most", 1.0, "nobody should pay for choosing this relay"),
    "relay_calls_per_s": Target("ratio", "at least", 1.0, "parallel agents share one relay"),
    "chain_call_p50_ms": Target("ratio", "at most", 1.5, "ours has two hops more: worker and content script"),
    "panel_call_p50_ms": Target("value", "at most", 5.0, "a person's click and a model's loop feel no delay"),
    "hops_call_p50_ms": Target("ratio", "at most", 1.1, "who records sees the same races as who does not"),
    "recycle_to_call_ms": Target(
        "value", "at most", 250.0, "a stopped worker is normal: nobody should notice"
    ),
    "probe_p50_ms": Target("value", "at most", 15.0, "a panel with many providers opens at once"),
    "provider_call_p50_ms": Target("value", "at most", 3.0, "a provider's tool is as near as a page's"),
    "cold_probe_p50_ms": Target("value", "at most", 150.0, "a provider's worker mostly sleeps"),
    "provider_reconnect_p50_ms": Target("value", "at most", 200.0, "a closed port is no error"),
    "tabs_growth": Target("value", "at most", 1.3, "people have many tabs open"),
    "tools_growth": Target("value", "at most", 1.3, "a page may have up to 256 tools"),
    "panel_first_paint_ms": Target("value", "at most", 150.0, "a panel that is opened is there"),
    "chat_open_longest_task_ms": Target("value", "at most", 100.0, "a long chat opens without a halt"),
    "chat_use_longest_task_ms": Target("value", "at most", 100.0, "scrolling and typing never wait"),
    "chat_stream_longest_task_ms": Target("value", "at most", 100.0, "the panel stays usable meanwhile"),
    "chat_stream_shift": Target("value", "at most", 0.01, "nobody can read what jumps"),
}
"""Targets by measure; a measure that is missing here is only reported."""


def verdict(result: Result) -> str:
    """A word on the target for the table."""
    target = TARGETS.get(result.name)
    if target is None:
        return "–"
    return f"{target} {'met' if target.is_met(result) else 'MISSED'}"


def misses(results: list[Result]) -> list[str]:
    """A sentence for each target that is missed."""
    return [
        f"{result.name}: {target.of} {target.number(result) or 0:.3g}, wanted {target}: {target.reason}."
        for result in results
        if (target := TARGETS.get(result.name)) is not None and not target.is_met(result)
    ]
