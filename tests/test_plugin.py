"""The plugin's hooks and options, in pytest runs of their own; no browser."""

import json
from pathlib import Path

import pytest

TABLE = """
[area]
"area.one" = "one works"
"area.two" = "two works"
"""

SCENARIO = """
import pytest

@pytest.mark.requirement("area.one")
@pytest.mark.parametrize("n", [1, 2])
def test_one(n):
    assert n != BROKEN

@pytest.mark.requirement("area.two")
def test_two(): ...
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a requirement table and one scenario file."""
    pytester.makeini("[pytest]\nwebmcp_requirements = table.toml\nwebmcp_scenarios = scenarios\n")
    (pytester.path / "table.toml").write_text(TABLE)
    write_scenario(pytester)
    return pytester


def write_scenario(pytester: pytest.Pytester, text: str = SCENARIO, broken: int = 0) -> None:
    folder = pytester.path / "scenarios"
    folder.mkdir(exist_ok=True)
    (folder / "test_it.py").write_text(text.replace("BROKEN", str(broken)))


def coverage(pytester: pytest.Pytester) -> dict[str, dict[str, int]]:
    text = (pytester.path / "test-results" / "coverage.json").read_text()
    return json.loads(text)["requirements"]


def test_coverage_of_a_green_run(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("scenarios", "--output=out")
    result.assert_outcomes(passed=3)
    assert coverage(project) == {
        "area.one": {"scenarios": 1, "passed": 1},
        "area.two": {"scenarios": 1, "passed": 1},
    }
    result.stdout.fnmatch_lines(["*requirement coverage*", "area * 2 * 2 * 0 * 0"])


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["one process", "xdist"])
def test_a_failure_takes_the_proof_away(project: pytest.Pytester, workers: list[str]) -> None:
    write_scenario(project, broken=2)
    result = project.runpytest_subprocess("scenarios", "--output=out", *workers)
    result.assert_outcomes(passed=2, failed=1)
    assert coverage(project)["area.one"] == {"scenarios": 1, "passed": 0}
    result.stdout.fnmatch_lines(["not proven: area.one (0 of 1 scenarios passed)"])


def test_the_gap_check_does_not_depend_on_what_was_selected(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("scenarios", "-k", "test_two", "--output=out").assert_outcomes(
        passed=1, deselected=2
    )
    write_scenario(project, SCENARIO.replace('"area.two"', '"area.one"'))
    result = project.runpytest_subprocess("scenarios", "-k", "test_one", "--output=out")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*area.two has no scenario*"])


def test_a_scenario_without_requirement_stops_the_run(project: pytest.Pytester) -> None:
    write_scenario(project, SCENARIO + "\ndef test_bare(): ...\n")
    result = project.runpytest_subprocess("scenarios", "--output=out")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_bare names no requirement*"])


def test_other_tests_of_the_project_are_not_checked(project: pytest.Pytester) -> None:
    write_scenario(project, SCENARIO + "\ndef test_bare(): ...\n")
    project.makepyfile(test_unit="def test_unit(): ...")
    project.runpytest_subprocess("test_unit.py", "--output=out").assert_outcomes(passed=1)


def test_soaks_run_only_when_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.soak\ndef test_long(): ...\ndef test_short(): ...\n")
    pytester.runpytest_subprocess("--output=out").assert_outcomes(passed=1, deselected=1)
    pytester.runpytest_subprocess("--output=out", "-m", "soak").assert_outcomes(passed=1, deselected=1)


def test_observed_workers_and_idling_exclude_each_other(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.idling\ndef test_idle(): ...\n")
    result = pytester.runpytest_subprocess("--output=out", "--webmcp-observe-workers")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*keeps workers alive*test_idle*"])


@pytest.mark.parametrize(
    ("option", "names"),
    [
        ("both", ["native", "polyfill"]),
        ("polyfill", ["polyfill"]),
    ],
)
def test_runtimes(pytester: pytest.Pytester, option: str, names: list[str]) -> None:
    pytester.makepyfile(
        """
        import pytest
        def test_any(webmcp_runtime): ...
        @pytest.mark.webmcp_runtime("native")
        def test_fixed(webmcp_runtime): ...
        """
    )
    result = pytester.runpytest_subprocess(
        "--output=out", "--collect-only", "-q", f"--webmcp-runtime={option}"
    )
    collected = [line.split("::")[1] for line in result.outlines if "::" in line]
    assert collected == [*(f"test_any[{name}]" for name in names), "test_fixed[native]"]


@pytest.mark.parametrize("timings", ["{'no_such': 1}", "{'probe': 0}", "{'probe': 'fast'}"])
def test_wrong_timings_are_named(timings: str) -> None:
    from webmcp_e2e.plugin import parse_timings

    with pytest.raises(pytest.UsageError, match="webmcp_timings"):
        parse_timings(eval(timings))


def test_fixtures_teach_themselves(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--fixtures", "--output=out")
    text = result.stdout.str()
    for name in ("extension_browser", "host", "worker", "side_panel", "html_app", "relay", "chain"):
        assert f"\n{name} -- " in text or f"\n{name} [" in text, name
    ours = Path(__file__).parent.parent / "e2e" / "webmcp_e2e" / "fixtures.py"
    assert ours.exists()
    assert "no docstring available" not in text.partition("fixtures defined from webmcp_e2e.fixtures")[2]


@pytest.fixture
def strangers_project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A repository with an extension of its own, a relay of its own, and three lines of configuration."""
    (pytester.mkdir("build") / "manifest.json").write_text("{}")
    (pytester.mkdir("provider") / "manifest.json").write_text("{}")
    lines = ["webmcp_host = build", "webmcp_provider = provider", "webmcp_relay = node relay.js --quiet"]
    pytester.makeini("\n".join(["[pytest]", *lines]))
    pytester.makepyfile("""
        def test_subjects(pytestconfig):
            option = pytestconfig.getoption
            print("host", option("--webmcp-host").resolve().relative_to(pytestconfig.rootpath.resolve()))
            print("provider", option("--webmcp-provider").name)
            print("relay", option("--webmcp-relay"))
    """)
    return pytester


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["one process", "xdist"])
def test_three_lines_of_configuration_name_the_subjects(
    strangers_project: pytest.Pytester, workers: list[str]
) -> None:
    result = strangers_project.runpytest_subprocess("-rP", *workers)
    result.stdout.fnmatch_lines(["host build", "provider provider", "relay node relay.js --quiet"])


def test_the_command_line_wins_over_the_configuration(strangers_project: pytest.Pytester) -> None:
    (strangers_project.mkdir("other") / "manifest.json").write_text("{}")
    result = strangers_project.runpytest_subprocess("-rP", "--webmcp-host", "other")
    result.stdout.fnmatch_lines(["host other", "provider provider"])


def test_a_subject_that_is_no_extension_is_named_with_the_mend(strangers_project: pytest.Pytester) -> None:
    (strangers_project.path / "build" / "manifest.json").unlink()
    result = strangers_project.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*build has no manifest.json. Give webmcp_host*build it first*"])
