"""Shards become one run, or an error says why they do not."""

import json
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from webmcp_e2e.cli import main

TABLE = '[a]\n"a.one" = "one"\n"a.two" = "two"\n'
SCENARIOS = """
import pytest

@pytest.mark.requirement("a.one")
def test_x(n): ...

class TestGroup:
    @pytest.mark.requirement("a.one", "a.two")
    def test_y(self): ...

@pytest.mark.requirement("a.two")
@pytest.mark.soak
def test_slow(): ...
"""
PASSED, FAILED, KNOWN = "", "<failure message='no'/>", "<skipped type='pytest.xfail'/>"
X1, X2, Y = ("mine.part.test_z.test_x[1]", "mine.part.test_z.test_x[2]", "mine.part.test_z.TestGroup.test_y")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(TABLE)
    Path("mine/part").mkdir(parents=True)
    Path("mine/part/test_z.py").write_text(SCENARIOS)


def shard(name: str, outcomes: Mapping[str, str], bundle: str | None = None) -> str:
    folder = Path(name)
    folder.mkdir()
    cases = "".join(
        f'<testcase classname="{key.rpartition(".")[0]}" name="{key.rpartition(".")[2]}">{inner}</testcase>'
        for key, inner in outcomes.items()
    )
    head = (
        f'<testsuite name="pytest" tests="{len(outcomes)}" failures="{cases.count("<failure")}" time="1.5">'
    )
    (folder / "junit.xml").write_text(f"<testsuites>{head}{cases}</testsuite></testsuites>")
    if bundle:
        (folder / "artifacts" / bundle / "bundle").mkdir(parents=True)
    return name


def merge(*shards: str) -> int:
    return main(["merge", *shards, "--out", "out", "--requirements", "table.toml", "--scenarios", "mine"])


def test_an_id_is_proven_by_all_shards_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert merge(shard("s1", {X1: PASSED, Y: PASSED}), shard("s2", {X2: PASSED})) == 0

    counts = json.loads(Path("out/coverage.json").read_text())["requirements"]
    assert counts == {"a.one": {"scenarios": 2, "passed": 2}, "a.two": {"scenarios": 1, "passed": 1}}
    suite = ElementTree.parse("out/junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("time")) == ("3", "0", "3.000")
    assert len(suite.findall("testcase")) == 3
    assert "2 shards, 3 tests: 3 passed, 0 failed" in capsys.readouterr().out


def test_a_failure_in_one_shard_fails_the_run_and_its_bundle_comes_along(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert merge(shard("s1", {X1: PASSED, Y: PASSED}, "fine"), shard("s2", {X2: FAILED}, "bad")) == 1

    assert Path("out/artifacts/bad/bundle").is_dir()
    assert Path("out/artifacts/fine/bundle").is_dir()
    said = capsys.readouterr().out
    assert f"failed: {X2} (in s2)" in said
    assert "not proven: a.one (1 of 2 scenarios passed)" in said


def test_a_quarantined_failure_ran_fails_nothing_and_proves_nothing() -> None:
    assert merge(shard("s1", {X1: PASSED, Y: PASSED}), shard("s2", {X2: KNOWN})) == 0
    counts = json.loads(Path("out/coverage.json").read_text())["requirements"]
    assert counts["a.one"] == {"scenarios": 2, "passed": 1}


def test_a_wrong_table_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("table.toml").write_text(TABLE + '[planned]\n"b.*" = "later"\n')
    assert merge(shard("s1", {X1: PASSED, Y: PASSED})) == 3
    assert "names no requirement" in capsys.readouterr().err
    assert not Path("out").exists()


def test_an_error_in_teardown_counts_once_and_fails() -> None:
    assert merge(shard("s1", {X1: PASSED, Y: PASSED})) == 0
    cases = f"<testcase classname='{Y.rpartition('.')[0]}' name='test_y'>"
    text = Path("s1/junit.xml").read_text()
    Path("s1/junit.xml").write_text(
        text.replace("</testsuite>", f"{cases}<error message='late'/></testcase></testsuite>")
    )
    Path("out/junit.xml").unlink()
    assert merge("s1") == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("missing", "ran in no shard"),
        ("twice", "ran in s1 and in s2"),
        ("no file", "has no junit.xml"),
        ("cut off", "cut off or no XML"),
        ("same", "named twice"),
    ],
)
def test_what_is_no_run_is_an_error(wrong: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = shard("s1", {X1: PASSED})
    second = shard("s2", {X1: PASSED} if wrong == "twice" else {X2: PASSED})
    if wrong == "no file":
        Path("s2/junit.xml").unlink()
    if wrong == "cut off":
        Path("s2/junit.xml").write_text("<testsuites><test")

    assert merge(first, first if wrong == "same" else second) == 3

    told = capsys.readouterr()
    assert words in told.out + told.err


def test_a_shard_that_is_lost_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    one = shard("s1", {X1: PASSED})
    assert main(["merge", one, "--out", "out", "--expect", "2", "--no-coverage"]) == 3
    assert "1 shards of 2" in capsys.readouterr().err
    assert main(["merge", one, "--out", "out", "--expect", "1", "--no-coverage"]) == 0


def test_a_file_that_no_shard_could_collect_is_a_failure_and_no_double(
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = {".mine.part.test_w": "<error message='no such import'/>"}
    assert merge(shard("s1", {X1: PASSED, Y: PASSED} | broken), shard("s2", {X2: PASSED} | broken)) == 1
    assert "test_w" in capsys.readouterr().out


def test_results_are_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    one = shard("s1", {X1: PASSED, Y: PASSED})
    assert merge(one) == 0
    assert merge(one) == 3
    assert "holds results already" in capsys.readouterr().err
