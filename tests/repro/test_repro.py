"""Counting runs, and reports that somebody sends."""

from __future__ import annotations

from pathlib import Path

import pytest

from webmcp_e2e.cli import main
from webmcp_e2e.repro import Rate, ReportError, load_report, scaffold


@pytest.mark.parametrize(
    ("failures", "runs", "low", "high"),
    [
        (0, 20, 0.0, 0.161),
        (20, 20, 0.839, 1.0),
        (1, 20, 0.009, 0.236),
        (5, 10, 0.237, 0.763),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilsons_interval(failures: int, runs: int, low: float, high: float):
    assert Rate(failures, runs).interval == pytest.approx((low, high), abs=0.001)


def test_a_new_report_is_one_that_can_be_read(tmp_path: Path):
    report = load_report(scaffold(tmp_path / "mine"))
    assert [type(step).__name__ for step in report.steps] == [
        "Goto", "Expect", "Recycle", "Expect", "CallTool", "Executions",
    ]  # fmt: skip
    assert list(report.untrusted()) == []
    with pytest.raises(ReportError, match="already"):
        scaffold(tmp_path / "mine")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "report"),
        ("[report]\ntitle='x'\n[[step]]\nfly='away'", "step"),
        ("[report]\ntitle='x'\npages='../..'", "stay in its own folder"),
        ("[report", "Expected"),
    ],
)
def test_a_report_that_is_wrong_is_refused_with_a_sentence(tmp_path: Path, text: str, says: str):
    (tmp_path / "report.toml").write_text(text)
    with pytest.raises(ReportError, match=says):
        load_report(tmp_path)


def test_code_needs_trust(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "test_it.py").write_text("raise SystemExit('was run')")
    (tmp_path / "report.toml").write_text("[report]\ntitle='x'\npython='test_it.py'")
    assert main(["repro", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "test_it.py" in said
    assert "--trust" in said
