"""The requirement table and its check, in both directions."""

from pathlib import Path

import pytest

from webmcp_e2e.requirements import Coverage, RequirementError, Table, check, find_scenarios

TABLE = """
[chain]
"chain.a" = "a works"
"chain.b" = "b works"
[later]
"later.x" = "x works"
[planned]
"later.*" = "not yet"
"""

SCENARIOS = """
import pytest
pytestmark = pytest.mark.requirement("chain.a")

def test_one(): ...

class TestGroup:
    pytestmark = [pytest.mark.requirement("chain.b")]
    def test_two(self): ...

@pytest.mark.requirement("chain.b", "later.x")
@pytest.mark.parametrize("n", [1, 2])
def test_three(n): ...
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    path = tmp_path / "requirements.toml"
    path.write_text(TABLE)
    return Table.load(path)


def scenarios(tmp_path: Path, text: str = SCENARIOS):
    root = tmp_path / "scenarios"
    root.mkdir(exist_ok=True)
    (root / "test_it.py").write_text(text)
    return find_scenarios(root)


def test_marks_of_module_class_and_function_add_up(tmp_path: Path) -> None:
    found = {scenario.nodeid: set(scenario.ids) for scenario in scenarios(tmp_path)}
    assert found == {
        "test_it.py::test_one": {"chain.a"},
        "test_it.py::TestGroup::test_two": {"chain.a", "chain.b"},
        "test_it.py::test_three": {"chain.a", "chain.b", "later.x"},
    }


def test_a_mark_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    text = "import pytest\nworks = pytest.mark.requirement('chain.a')\n@works\ndef test_one(): ...\n"
    assert [set(scenario.ids) for scenario in scenarios(tmp_path, text)] == [{"chain.a"}]


def test_a_complete_table_passes(table: Table, tmp_path: Path) -> None:
    check(table, scenarios(tmp_path))


def test_a_due_id_without_scenario_fails(table: Table, tmp_path: Path) -> None:
    text = "import pytest\n@pytest.mark.requirement('chain.a')\ndef test_one(): ...\n"
    with pytest.raises(RequirementError, match=r"chain\.b has no scenario"):
        check(table, scenarios(tmp_path, text))


def test_a_scenario_without_an_id_fails(table: Table, tmp_path: Path) -> None:
    with pytest.raises(RequirementError, match=r"test_bare names no requirement"):
        check(table, [*scenarios(tmp_path), *scenarios(tmp_path, "def test_bare(): ...")])


def test_an_unknown_id_fails(table: Table, tmp_path: Path) -> None:
    with pytest.raises(RequirementError, match=r"'chain\.c', which the table does not know"):
        check(table, scenarios(tmp_path, SCENARIOS.replace('"later.x"', '"chain.c"')))


def test_a_planned_pattern_without_a_match_fails(tmp_path: Path) -> None:
    path = tmp_path / "requirements.toml"
    path.write_text(TABLE + '"gone.*" = "?"\n')
    with pytest.raises(RequirementError, match=r"gone"):
        Table.load(path)


def test_an_id_is_proven_only_when_all_its_scenarios_passed(table: Table, tmp_path: Path) -> None:
    coverage = Coverage(table, scenarios(tmp_path))
    coverage.record("test_it.py::test_one", True)
    coverage.record("test_it.py::TestGroup::test_two", True)
    coverage.record("test_it.py::test_three[1]", True)
    assert Coverage.proven(coverage.by_id()["chain.a"])
    coverage.record("test_it.py::test_three[2]", False)
    counts = coverage.by_id()
    assert counts["chain.a"] == {"scenarios": 3, "passed": 2}
    assert not Coverage.proven(counts["chain.a"])
    assert any(line.startswith("not proven: chain.b") for line in coverage.lines())


def test_a_soak_counts_only_when_it_ran(table: Table, tmp_path: Path) -> None:
    text = SCENARIOS + "\n@pytest.mark.soak\n@pytest.mark.requirement('chain.a')\ndef test_long(): ...\n"
    coverage = Coverage(table, scenarios(tmp_path, text))
    assert coverage.by_id()["chain.a"]["scenarios"] == 3
    coverage.record("test_it.py::test_long", False)
    assert coverage.by_id()["chain.a"] == {"scenarios": 4, "passed": 0}


def test_what_did_not_run_is_not_proven(table: Table, tmp_path: Path) -> None:
    coverage = Coverage(table, scenarios(tmp_path))
    assert not any(Coverage.proven(count) for count in coverage.by_id().values())
