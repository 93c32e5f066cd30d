"""What a conformance run says: one row a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Role = Literal["provider", "host", "relay", "page"]
Level = Literal["must", "should"]


class Outcome(StrEnum):
    """How a scenario ended; of several parameters that one counts which is last in this order."""

    NOT_TESTED = "not tested"
    PASSED = "passed"
    FAILED = "failed"
    HARNESS_ERROR = "harness error"


_ORDER = list(Outcome)


@dataclass
class Row:
    """One scenario, all parameters folded."""

    name: str
    """``module.function`` (``session.a_business_failure_is_a_result``): the name in a baseline."""
    level: Level
    requirements: tuple[str, ...]
    outcome: Outcome = Outcome.NOT_TESTED
    details: list[str] = field(default_factory=list)
    """What failed or was not tested, one entry a parameter."""

    @property
    def sentence(self) -> str:
        """What is demanded."""
        return self.name.rpartition(".")[2].replace("_", " ")

    def add(self, outcome: Outcome, detail: str = "") -> None:
        """Fold one more end in."""
        self.outcome = max(self.outcome, outcome, key=_ORDER.index)
        if detail and detail not in self.details:
            self.details.append(detail)


@dataclass(frozen=True)
class Judgement:
    """Rows held against a baseline of rows that are known to fail."""

    rows: tuple[Row, ...]
    baseline: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    """Names of rows that were not asked for: a baseline may name them."""

    @property
    def unexpected_failures(self) -> list[Row]:
        """MUST rows that failed and should not have."""
        return [row for row in self._of(Outcome.FAILED) if row.level == "must" and not self.expects(row)]

    @property
    def unexpected_passes(self) -> list[Row]:
        """Rows that passed although the baseline says that they fail."""
        return [row for row in self._of(Outcome.PASSED) if self.expects(row)]

    @property
    def unproven_failures(self) -> list[Row]:
        """Rows of the baseline that were not tested: nobody knows whether they still fail."""
        return [row for row in self._of(Outcome.NOT_TESTED) if self.expects(row)]

    @property
    def harness_errors(self) -> list[Row]:
        """Rows of which nothing is known, because the harness failed."""
        return self._of(Outcome.HARNESS_ERROR)

    @property
    def unknown_names(self) -> list[str]:
        """Names in the baseline that no row has."""
        return sorted(self.baseline - self.left_out - {row.name for row in self.rows})

    @property
    def exit_code(self) -> int:
        """0 all as expected, 1 the subject failed, 2 usage, 3 the harness failed."""
        if self.harness_errors or not self.rows:
            return 3
        if self.unknown_names:
            return 2
        wrong = self.unexpected_failures or self.unexpected_passes or self.unproven_failures
        return 1 if wrong else 0

    def expects(self, row: Row) -> bool:
        """Whether the baseline says that this row fails."""
        return row.name in self.baseline

    def _of(self, outcome: Outcome) -> list[Row]:
        return [row for row in self.rows if row.outcome is outcome]
