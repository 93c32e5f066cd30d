"""Contestants measured in turn, so that a machine that gets slower meanwhile wrongs none of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def in_turn(contestants: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """Runs every contestant once to warm up, then ``rounds`` times; who begins changes with each round."""
    names = list(contestants)
    for name in names:
        contestants[name]()
    samples: dict[str, list[T]] = {name: [] for name in names}
    for number in range(rounds):
        start = number % len(names)
        for name in names[start:] + names[:start]:
            samples[name].append(contestants[name]())
    return samples


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which ``share`` (0 to 1) of the values lie, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def median_of(rounds: Iterable[Iterable[float]], share: float = 0.5) -> float:
    """The median over the rounds of each round's percentile."""
    return statistics.median(percentile(values, share) for values in rounds)
