"""A quarantined test runs, and may fail, until its day."""

import datetime

import pytest

TESTS = """
import pytest

@pytest.mark.parametrize("n", [1, 2])
def test_flaky(n):
    assert n == 1

def test_fails():
    assert False

def test_fine(): ...
"""
TODAY = datetime.datetime.now(tz=datetime.UTC).date()


def day(ahead: int) -> str:
    return (TODAY + datetime.timedelta(days=ahead)).isoformat()


def entry(test: str, until: str = day(10), reason: str = '"issue 12"') -> str:
    return f'[[quarantine]]\ntest = "{test}"\nuntil = {until}\nreason = {reason}\n'


def run(pytester: pytest.Pytester, quarantine: str, *arguments: str, apart: bool = True) -> pytest.RunResult:
    pytester.makeini("[pytest]\nwebmcp_quarantine = quarantine.toml\n")
    (pytester.path / "quarantine.toml").write_text(quarantine)
    pytester.makepyfile(test_it=TESTS)
    # A run that stops before its tests needs no process of its own.
    return (pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess)(*arguments)


def test_its_failure_is_told_and_fails_nothing(pytester: pytest.Pytester) -> None:
    result = run(pytester, entry("test_it.py::test_fl*") + entry("test_it.py::test_fails"), "-n", "1")

    result.assert_outcomes(passed=1, xfailed=2, xpassed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["*= quarantine =*", f"test_it.py::test_f*: failed, quarantined until {day(10)}: issue 12"]
    )
    result.stdout.fnmatch_lines(["test_it.py::test_flaky?1?: passed, quarantined until *"])


def test_others_still_fail_the_run(pytester: pytest.Pytester) -> None:
    result = run(pytester, entry("test_it.py::test_flaky[2]"))
    result.assert_outcomes(passed=2, xfailed=1, failed=1)
    assert result.ret == 1


@pytest.mark.parametrize(
    ("quarantine", "words"),
    [
        (entry("test_it.py::test_fails", day(-1)), "has run out on"),
        (entry("test_it.py::test_fails", day(91)), "more than 90 days ahead"),
        (entry("test_it.py::test_gone"), "no test is called 'test_it.py::test_gone' any more"),
        (entry("test_that.py::test_fails"), "there is no file 'test_that.py'"),
        (entry("test_it.py::test_fails", '"soon"'), "needs test and reason"),
        (entry("test_it.py::test_fails").replace("reason", "because"), "needs test and reason"),
        ("quarantine = 3", "entries and nothing else"),
        ('quarantine = ["x"]', "entries and nothing else"),
        ("[[quarantine", "is no TOML"),
    ],
)
def test_a_wrong_list_stops_the_run(pytester: pytest.Pytester, quarantine: str, words: str) -> None:
    result = run(pytester, quarantine, apart=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stdout.str() + result.stderr.str()


def test_the_last_day_counts_and_a_part_of_the_tests_is_no_error(pytester: pytest.Pytester) -> None:
    elsewhere = pytester.mkdir("elsewhere") / "test_x.py"
    elsewhere.write_text("def test_y(): ...")
    both = entry("test_it.py::test_fails", day(0)) + entry("elsewhere/test_x.py::test_y")
    assert run(pytester, both, "-k", "fine or fails").ret == 0
    assert run(pytester, entry("test_it.py::test_gone"), "test_it.py::test_fine").ret == 0
