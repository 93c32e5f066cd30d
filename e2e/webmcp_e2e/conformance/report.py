"""A judgement as text for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webmcp_e2e.conformance.rows import Judgement, Outcome, Row
from webmcp_e2e.html_report import HtmlReport, Line, State

_SIGNS = {
    Outcome.PASSED: "ok",
    Outcome.NOT_TESTED: "--",
    Outcome.FAILED: "FAIL",
    Outcome.HARNESS_ERROR: "HARNESS",
}


_STATES: dict[Outcome, State] = {
    Outcome.PASSED: "good",
    Outcome.NOT_TESTED: "untested",
    Outcome.FAILED: "bad",
    Outcome.HARNESS_ERROR: "bad",
}


def text_lines(judgement: Judgement) -> Iterator[str]:
    """The table, then what decided the exit code."""
    for row in judgement.rows:
        yield from _row_lines(row, judgement.expects(row))
    yield ""
    yield _summary(judgement)
    yield from _surprises(judgement)


def as_html(judgement: Judgement, role: str, subject: str) -> HtmlReport:
    """What the table says, for a reader: what fails comes first."""
    order = list(Outcome)[::-1]
    lines = [
        _html_line(row, judgement) for row in sorted(judgement.rows, key=lambda row: order.index(row.outcome))
    ]
    verdict = " ".join([f"{_summary(judgement)}.", *_surprises(judgement)])
    return HtmlReport(f"Conformance of a {role}", subject, verdict, judgement.exit_code != 0, lines)


def _html_line(row: Row, judgement: Judgement) -> Line:
    state = "known" if judgement.expects(row) and row.outcome is Outcome.FAILED else _STATES[row.outcome]
    what = f"{row.sentence} ({', '.join(row.requirements)})"
    return Line(state, f"{row.level.upper()} {row.name.partition('.')[0]}", what, row.details)


def _surprises(judgement: Judgement) -> Iterator[str]:
    for row in judgement.unexpected_failures:
        yield f"failed: {row.name}. Mend your subject; or, if that has to stay, name it in the baseline."
    for row in judgement.unexpected_passes:
        yield f"unexpected pass: {row.name}. Take it out of the baseline."
    for row in judgement.unproven_failures:
        yield f"not tested: {row.name}, which the baseline says fails. Make it run, or take it out of the baseline."
    for name in judgement.unknown_names:
        yield f"the baseline names {name}, which is no row. Mend it or take it out."


def _row_lines(row: Row, expected: bool) -> Iterator[str]:
    known = "  (known)" if expected and row.outcome is Outcome.FAILED else ""
    yield f"{_SIGNS[row.outcome]:<8}{row.level.upper():<7}{row.name.partition('.')[0]:<16}{row.sentence}{known}"
    for detail in row.details:
        yield f"{'':<31}{detail}"


def _summary(judgement: Judgement) -> str:
    parts = []
    for level in ("must", "should"):
        rows = [row for row in judgement.rows if row.level == level]
        passed = sum(row.outcome is Outcome.PASSED for row in rows)
        untested = sum(row.outcome is Outcome.NOT_TESTED for row in rows)
        parts.append(f"{level.upper()} {passed} of {len(rows)} passed, {untested} not tested")
    return "; ".join(parts)


def as_json(judgement: Judgement, role: str, subject: str) -> dict[str, Any]:
    """``{role, subject, exitCode, rows: [{name, level, requirements, outcome, expectedToFail, details}]}``."""
    rows = [
        {
            "name": row.name,
            "level": row.level,
            "requirements": list(row.requirements),
            "outcome": row.outcome.value,
            "expectedToFail": judgement.expects(row),
            "details": row.details,
        }
        for row in judgement.rows
    ]
    return {"role": role, "subject": subject, "exitCode": judgement.exit_code, "rows": rows}
