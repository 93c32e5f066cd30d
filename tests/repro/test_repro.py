"""Counting runs, and reports that somebody sends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from webmcp_e2e.browser import ChromiumBinary
from webmcp_e2e.cli import main
from webmcp_e2e.repro import Rate, ReportError, Runs, bisect, browsers, load_report, scaffold


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


@dataclass(frozen=True)
class Pretended:
    """Runs as if a bug came with one version; picklable, as what runs in another process has to be."""

    fails_from: int
    fails_to: int = 1_000

    def __call__(self, path: Path) -> Runs:
        fails = self.fails_from <= int(path.name) < self.fails_to
        return Runs(Rate(int(fails), 3))


def versions(*majors: int) -> list[ChromiumBinary]:
    return [ChromiumBinary(Path(str(major)), f"{major}.0.1.2") for major in majors]


@pytest.mark.parametrize(
    ("run", "says"),
    [
        (Pretended(154), "began to fail between 153.0.1.2 (fine) and 154.0.1.2 (fails)"),
        (Pretended(100, 152), "was mended between 151.0.1.2 (fails) and 152.0.1.2 (fine)"),
        (Pretended(900), "All ends are alike"),
    ],
)
def test_the_change_between_browsers_is_found(run: Pretended, says: str):
    found = bisect(versions(*range(149, 157)), run)
    assert says in list(found.lines())[-1]
    assert len(found.rates) <= 5


def test_browsers_are_found_in_their_folders_and_sorted_by_age(tmp_path: Path):
    for name, place, version in (
        ("new", "chrome-linux/chrome", "156.0.10.1"),
        ("old", "chromium", "156.0.9.2"),
    ):
        program = tmp_path / name / place
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho Chromium {version}\n")
        program.chmod(0o755)
    assert [one.version for one in browsers([tmp_path / "new", tmp_path / "old"])] == [
        "156.0.9.2",
        "156.0.10.1",
    ]
    with pytest.raises(ReportError, match="at least two"):
        browsers([tmp_path / "new"])
    with pytest.raises(ReportError, match="has no Chromium"):
        browsers([tmp_path / "new", tmp_path])


def test_one_that_passed_and_one_that_failed_are_to_be_compared():
    runs = Runs(Rate(1, 3), failed={"run3": "c"}, passed={"run1": "", "run2": "b"})
    assert runs.to_compare == ("b", "c")
    assert Runs(Rate(1, 1), failed={"run1": "a"}).to_compare is None
