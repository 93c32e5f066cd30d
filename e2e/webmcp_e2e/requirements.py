"""The requirement table, and the check that table and scenarios know each other in both directions.

The table is a TOML file: one table an area, ``"id" = "text"``; ``[planned]`` lists ids (or ``area.*``
patterns) whose work is still to come, each with a reason. Scenarios name ids with
``@pytest.mark.requirement("id", ...)`` on a function, a class or the module's ``pytestmark``. They are read
from the source, not from what one run happened to collect, so ``-k`` and single files change nothing.
"""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

MARKER = "requirement"


class RequirementError(ValueError):
    """Table and scenarios do not match; the message lists every gap and what to do."""


@dataclass(frozen=True)
class Table:
    """Requirement texts by id, and which ids are planned."""

    texts: Mapping[str, str]
    planned: Mapping[str, str]
    """Reason by id."""

    @classmethod
    def load(cls, path: Path) -> Table:
        """Read a requirement table.

        Raises:
            RequirementError: a planned pattern that names no id.
        """
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        patterns: dict[str, str] = data.pop("planned", {})
        texts = {key: text for area in data.values() for key, text in area.items()}
        planned: dict[str, str] = {}
        for pattern, reason in patterns.items():
            matching = [key for key in texts if fnmatchcase(key, pattern)]
            if not matching:
                raise RequirementError(
                    f"{path}: planned pattern {pattern!r} names no requirement. Remove it."
                )
            planned.update(dict.fromkeys(matching, reason))
        return cls(texts, planned)

    @property
    def due(self) -> set[str]:
        """Ids that need a scenario now."""
        return set(self.texts) - set(self.planned)


@dataclass(frozen=True)
class Scenario:
    """One test function and the requirement ids that it proves."""

    nodeid: str
    """``folder/test_x.py::Class::test_y`` relative to the scenario root, without parameters."""
    ids: frozenset[str]
    soak: bool = False
    """Runs only when asked for, so a usual run is complete without it."""


_Aliases = Mapping[str, ast.expr]
"""Module-level names of expressions: ``heal = pytest.mark.requirement("chain.port.heal")`` is used as ``@heal``."""


def _aliases(tree: ast.Module) -> _Aliases:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _marker_ids(expressions: Iterable[ast.expr], aliases: _Aliases) -> Iterator[str]:
    for given in expressions:
        expression = aliases.get(given.id, given) if isinstance(given, ast.Name) else given
        if (
            isinstance(expression, ast.Call)
            and isinstance(expression.func, ast.Attribute)
            and expression.func.attr == MARKER
        ):
            for argument in expression.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _is_soak(marked: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(isinstance(mark, ast.Attribute) and mark.attr == "soak" for mark in marked.decorator_list)


def _own_marks(tree: ast.Module | ast.ClassDef) -> list[ast.expr]:
    """What ``pytestmark`` of a module or class holds."""
    marks: list[ast.expr] = []
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        if not any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets):
            continue
        marks.extend(node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value])
    return marks


def _functions(
    body: list[ast.stmt], prefix: str, inherited: frozenset[str], aliases: _Aliases, soak: bool = False
) -> Iterator[Scenario]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            own = frozenset(_marker_ids(node.decorator_list, aliases))
            yield Scenario(f"{prefix}::{node.name}", inherited | own, soak or _is_soak(node))
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            own = frozenset(_marker_ids([*node.decorator_list, *_own_marks(node)], aliases))
            group = f"{prefix}::{node.name}"
            yield from _functions(node.body, group, inherited | own, aliases, soak or _is_soak(node))


def find_scenarios(root: Path) -> list[Scenario]:
    """All scenarios below ``root``, read from the source of ``test_*.py``."""
    found: list[Scenario] = []
    for path in sorted(root.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        aliases = _aliases(tree)
        module_ids = frozenset(_marker_ids(_own_marks(tree), aliases))
        relative = path.relative_to(root).as_posix()
        found.extend(_functions(tree.body, relative, module_ids, aliases))
    return found


def check(table: Table, scenarios: Iterable[Scenario]) -> None:
    """Fail when either side has a gap.

    Raises:
        RequirementError: scenarios without an id, ids that the table does not know, due ids without a scenario.
    """
    gaps: list[str] = []
    named: set[str] = set()
    for scenario in scenarios:
        if not scenario.ids:
            gaps.append(f"{scenario.nodeid} names no requirement: add @pytest.mark.requirement(...)")
        for unknown in sorted(scenario.ids - set(table.texts)):
            gaps.append(
                f"{scenario.nodeid} names {unknown!r}, which the table does not know: add it or mend it"
            )
        named |= scenario.ids
    gaps += [f"{key} has no scenario: write one ({table.texts[key]})" for key in sorted(table.due - named)]
    if gaps:
        raise RequirementError("requirements and scenarios do not match:\n  " + "\n  ".join(gaps))


@dataclass
class Coverage:
    """What a run proved: outcomes of test items, folded into scenarios and ids."""

    table: Table
    scenarios: list[Scenario]
    _outcomes: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def record(self, nodeid: str, passed: bool) -> None:
        """Note the outcome of one item; ``nodeid`` is relative to the scenario root."""
        self._outcomes[nodeid.partition("[")[0]].append(passed)

    def passed(self, scenario: Scenario) -> bool:
        """Whether the scenario ran, and passed with all of its parameters that ran."""
        outcomes = self._outcomes.get(scenario.nodeid, [])
        return bool(outcomes) and all(outcomes)

    def by_id(self) -> dict[str, dict[str, int]]:
        """``{id: {"scenarios": n, "passed": n}}`` for every id of the table."""
        counts = {key: {"scenarios": 0, "passed": 0} for key in self.table.texts}
        for scenario in self.scenarios:
            if scenario.soak and scenario.nodeid not in self._outcomes:
                continue
            for key in scenario.ids & counts.keys():
                counts[key]["scenarios"] += 1
                counts[key]["passed"] += self.passed(scenario)
        return counts

    @staticmethod
    def proven(count: Mapping[str, int]) -> bool:
        """An id is proven when it has scenarios and all of them passed."""
        return 0 < count["scenarios"] == count["passed"]

    def lines(self) -> list[str]:
        """The coverage table for the terminal: one line an area, then each due id that is not proven."""
        counts = self.by_id()
        areas: dict[str, list[str]] = defaultdict(list)
        for key in counts:
            areas[key.split(".")[0]].append(key)
        out = [f"{'area':<10}{'ids':>6}{'proven':>8}{'open':>6}{'planned':>9}"]
        for area, ids in areas.items():
            planned = [key for key in ids if key in self.table.planned and not self.proven(counts[key])]
            proven = [key for key in ids if self.proven(counts[key])]
            still = len(ids) - len(planned) - len(proven)
            out.append(f"{area:<10}{len(ids):>6}{len(proven):>8}{still:>6}{len(planned):>9}")
        return [*out, *self._unproven(counts)]

    def _unproven(self, counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
        """A line for each due id of which something ran; one for all others, as in a run of a single file."""
        ran = {
            key for scenario in self.scenarios if scenario.nodeid in self._outcomes for key in scenario.ids
        }
        unproven = [key for key in sorted(self.table.due) if not self.proven(counts[key])]
        for key in unproven:
            if key in ran:
                passed, of = counts[key]["passed"], counts[key]["scenarios"]
                yield f"not proven: {key} ({passed} of {of} scenarios passed)"
        if rest := len(set(unproven) - ran):
            yield f"not run: {rest} more ids"
