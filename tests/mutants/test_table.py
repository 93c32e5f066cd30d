"""Every known fault can be planted, and its killers exist."""

import ast
from pathlib import Path

import pytest
from webmcp_mutants.table import ROOT, Mutant, MutantError, load, mutated


def names_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("mutant", load(), ids=lambda mutant: mutant.name)
def test_it_can_be_planted_and_its_killers_exist(mutant: Mutant) -> None:
    source = mutant.source.read_text(encoding="utf-8")

    assert mutated(mutant, source) != source
    assert mutant.killed_by
    for scenario in mutant.killed_by:
        path, _, name = scenario.partition("::")
        file = ROOT / "e2e" / "scenarios" / path
        assert not name or name.rpartition("::")[2] in names_in(file), scenario


def test_names_are_unique() -> None:
    names = [mutant.name for mutant in load()]
    assert len(set(names)) == len(names) >= 20


def test_a_source_that_moved_on_is_an_error() -> None:
    mutant = load("timer")[0]

    with pytest.raises(MutantError, match="0 times, not once"):
        mutated(mutant, "something else")


def test_each_reported_bug_has_its_fault_and_its_scenario() -> None:
    numbers = {f"B{number:02}" for number in range(1, 26)}
    faults = {number for mutant in load("bug-") for number in numbers if f"bug-{number}-" in mutant.name}
    scenarios = "".join(file.read_text() for file in (ROOT / "e2e" / "scenarios").rglob("test_*.py"))
    marked = {number for number in numbers if f'"{number}"' in scenarios}

    assert faults == marked == numbers
    assert all(mutant.report for mutant in load("bug-"))
