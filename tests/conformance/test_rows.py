"""Rows, baselines and exit codes of a conformance run, without a browser."""

from pathlib import Path

import pytest

from webmcp_e2e.conformance import BaselineError, Outcome, Row, read_baseline
from webmcp_e2e.conformance.collector import row_name
from webmcp_e2e.conformance.report import as_html, as_json, text_lines
from webmcp_e2e.conformance.rows import Judgement, Level


def row(name: str, outcome: Outcome, level: Level = "must") -> Row:
    return Row(name, level, ("lumo.x",), outcome)


def judged(*rows: Row, baseline: str = "") -> Judgement:
    return Judgement(rows, frozenset(baseline.split()))


PASSED, FAILED = row("m.good", Outcome.PASSED), row("m.bad", Outcome.FAILED)
WEAK = row("m.weak", Outcome.FAILED, "should")
UNTESTED, BROKEN = row("m.later", Outcome.NOT_TESTED), row("m.broken", Outcome.HARNESS_ERROR)


@pytest.mark.parametrize(
    ("judgement", "code"),
    [
        (judged(PASSED), 0),
        (judged(PASSED, WEAK, UNTESTED), 0),
        (judged(PASSED, FAILED), 1),
        (judged(PASSED, FAILED, baseline="m.bad"), 0),
        (judged(PASSED, WEAK, baseline="m.weak"), 0),
        (judged(PASSED, baseline="m.good"), 1),
        (judged(PASSED, UNTESTED, baseline="m.later"), 1),
        (judged(PASSED, baseline="m.gone"), 2),
        (judged(PASSED, FAILED, BROKEN), 3),
        (judged(), 3),
    ],
)
def test_exit_codes(judgement: Judgement, code: int) -> None:
    assert judgement.exit_code == code


def test_parameters_are_one_row() -> None:
    folded = Row("m.x", "must", ())
    assert folded.outcome is Outcome.NOT_TESTED

    folded.add(Outcome.PASSED)
    folded.add(Outcome.NOT_TESTED, "no state")
    assert (folded.outcome, folded.details) == (Outcome.PASSED, ["no state"])

    folded.add(Outcome.FAILED, "wrong")
    folded.add(Outcome.PASSED)
    folded.add(Outcome.NOT_TESTED, "no state")
    assert (folded.outcome, folded.details) == (Outcome.FAILED, ["no state", "wrong"])


@pytest.mark.parametrize(
    ("nodeid", "name"),
    [
        ("provider/test_session.py::test_a_port_opens[native-open]", "session.a_port_opens"),
        ("provider/test_x.py::TestReview::test_it[native]", "x.Review.it"),
        ("test_x.py::test_it", "x.it"),
    ],
)
def test_row_names(nodeid: str, name: str) -> None:
    assert row_name(nodeid) == name


def test_a_row_is_a_sentence() -> None:
    assert row("session.a_port_opens", Outcome.PASSED).sentence == "a port opens"


def test_the_report_says_what_decided() -> None:
    text = "\n".join(text_lines(judged(PASSED, FAILED, WEAK, UNTESTED, baseline="m.good m.gone")))

    assert "MUST 1 of 3 passed, 1 not tested; SHOULD 0 of 1 passed, 0 not tested" in text
    assert "unexpected pass: m.good" in text
    assert "the baseline names m.gone" in text


def test_json_has_every_row() -> None:
    report = as_json(judged(PASSED, FAILED, baseline="m.bad"), "provider", "./mine")

    assert report["exitCode"] == 0
    assert [(item["name"], item["outcome"], item["expectedToFail"]) for item in report["rows"]] == [
        ("m.good", "passed", False),
        ("m.bad", "failed", True),
    ]


def test_a_baseline_is_names_and_comments(tmp_path: Path) -> None:
    file = tmp_path / "known"
    file.write_text("# why\nm.bad   # issue 7\n\n  m.weak\n")

    assert read_baseline(file) == {"m.bad", "m.weak"}
    with pytest.raises(BaselineError, match="cannot be read"):
        read_baseline(tmp_path / "missing")


def test_the_page_for_a_reader_has_what_fails_first() -> None:
    html = as_html(judged(PASSED, WEAK, FAILED, UNTESTED, baseline="m.weak"), "page", "http://<subject>/")
    assert [line.state for line in html.lines] == ["known", "bad", "good", "untested"]
    assert html.failed
    assert "MUST 1 of 3 passed" in html.verdict
    assert "http://<subject>/" not in html.html()
