"""The command, on made-up scenarios without a browser."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from webmcp_e2e.cli import main

DRIVER = """
import sys
from pathlib import Path
from webmcp_e2e import cli, resources
resources.scenarios_dir = lambda: Path(sys.argv[1])
sys.exit(cli.main(sys.argv[2:]))
"""
"""A process of its own: pytest does not like to run within pytest."""

SCENARIOS = """
import pytest
from webmcp_e2e.browser import BrowserCrashed

pytestmark = [pytest.mark.conformance("provider"), pytest.mark.requirement("lumo.x")]

def test_good(pytestconfig): assert pytestconfig.getoption("--webmcp-provider").name == "mine"

@pytest.mark.parametrize("n", [1, 2])
def test_known(n): assert n == KNOWN

@pytest.mark.conformance("provider", level="should")
def test_weak(): assert False, "weaker than one could wish"

@pytest.mark.conformance("host")
@pytest.mark.conformance("provider")
def test_both(): ...

def test_untested(): pytest.skip("no state")

@pytest.fixture
def browser_that_dies(): raise BrowserCrashed("it died")

def test_crash(request):
    if CRASH: request.getfixturevalue("browser_that_dies")
"""

OURS = "\nimport pytest\n@pytest.mark.requirement('lumo.us')\ndef test_ours_only(): assert False\n"


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "manifest.json").write_text('{"manifest_version": 3}')
    (folder / "conformance.json").write_text('{"states": {"open": {}}}')
    return folder


@pytest.fixture
def scenarios(tmp_path: Path) -> Path:
    folder = tmp_path / "scenarios" / "provider"
    folder.mkdir(parents=True)
    write(folder)
    (folder / "test_ours.py").write_text(OURS)
    return folder


def write(folder: Path, *, known: int = 1, crash: bool = False) -> None:
    text = SCENARIOS.replace("KNOWN", str(known)).replace("CRASH", str(crash))
    (folder / "test_m.py").write_text(text)


def command(subject: Path, *options: str) -> subprocess.CompletedProcess[str]:
    scenarios = subject.parent / "scenarios"
    arguments = [str(scenarios), "conformance", "provider", str(subject), *options]
    return subprocess.run(
        [sys.executable, "-c", DRIVER, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def run(subject: Path, *options: str) -> tuple[int, dict[str, str]]:
    """Exit code, and outcomes by row."""
    report = subject.parent / "report.json"
    done = command(subject, "--json", str(report), *options)
    rows = json.loads(report.read_text())["rows"]
    return done.returncode, {row["name"]: row["outcome"] for row in rows}


def test_must_rows_decide_and_ours_are_left_out(subject: Path, scenarios: Path) -> None:
    code, outcomes = run(subject)

    assert code == 1
    assert outcomes == {
        "m.good": "passed",
        "m.known": "failed",
        "m.weak": "failed",
        "m.both": "passed",
        "m.untested": "not tested",
        "m.crash": "passed",
    }


def test_the_table_says_why(subject: Path, scenarios: Path) -> None:
    printed = command(subject).stdout

    assert "[2] assert 2 == 1" in printed
    assert "weaker than one could wish" in printed
    assert "no state" in printed


def test_a_baseline_is_strict(subject: Path, scenarios: Path) -> None:
    baseline = subject.parent / "known"
    baseline.write_text("m.known\n")
    assert run(subject, "--baseline", str(baseline))[0] == 0

    baseline.write_text("m.known\nm.good\n")
    assert run(subject, "--baseline", str(baseline))[0] == 1

    baseline.write_text("m.known\nm.gone\n")
    assert run(subject, "--baseline", str(baseline))[0] == 2


def test_a_browser_that_dies_is_no_fault_of_the_subject(subject: Path, scenarios: Path) -> None:
    write(scenarios, crash=True)

    code, outcomes = run(subject)

    assert code == 3
    assert outcomes["m.crash"] == "harness error"


def test_scenarios_that_cannot_be_read_are_the_harness_s_fault(subject: Path, scenarios: Path) -> None:
    (scenarios / "test_broken.py").write_text("import nothing_of_that_name")

    done = command(subject)

    assert done.returncode == 3
    assert "nothing_of_that_name" in done.stderr


def test_json_alone_on_standard_output(subject: Path, scenarios: Path) -> None:
    assert json.loads(command(subject, "--json", "-").stdout)["exitCode"] == 1


def test_junit_is_pytest_s_own(subject: Path, scenarios: Path) -> None:
    junit = subject.parent / "report.xml"

    run(subject, "--junit", str(junit))

    assert 'failures="2"' in junit.read_text()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("manifest.json", None, "has no manifest.json"),
        ("manifest.json", "{", "is no manifest"),
        ("manifest.json", '{"manifest_version": 2}', "has manifest_version 2"),
        ("conformance.json", None, "docs/protocol.md"),
        ("conformance.json", '{"states": {"closed": {}}}', "no set-up of a provider"),
        ("conformance.json", '{"states": {"off": {}}}', 'no state "open"'),
    ],
)
def test_usage_errors_say_the_mend(
    subject: Path, capsys: pytest.CaptureFixture[str], file: str, text: str | None, said: str
) -> None:
    if text is None:
        (subject / file).unlink()
    else:
        (subject / file).write_text(text)

    assert main(["conformance", "provider", str(subject)]) == 2
    assert said in capsys.readouterr().err
