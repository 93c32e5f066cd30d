"""``webmcp-e2e merge``: the results of several shards as those of one run.

A shard is a ``test-results`` folder: ``junit.xml``, and ``artifacts/`` with the bundles of failed tests. What the
shards prove together is judged anew from the outcomes, since an id may have its scenarios in several shards.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from webmcp_e2e.requirements import Coverage, Scenario, Table, find_scenarios

JUNIT: Final = "junit.xml"
COVERAGE: Final = "coverage.json"
ARTIFACTS: Final = "artifacts"
_COUNTS: Final = ("tests", "errors", "failures", "skipped")


class MergeError(Exception):
    """The shards do not make one run; the message says why and what to do."""


@dataclass(frozen=True)
class Case:
    """One test item of one shard."""

    shard: Path
    key: str
    """``classname.name``, parameters and all."""
    outcome: str
    """``passed``, ``failed``, or ``skipped``, as JUnit calls a quarantined failure too: it proves nothing."""

    @property
    def function(self) -> str:
        """The key without parameters."""
        return self.key.partition("[")[0]


@dataclass(frozen=True)
class Merged:
    """What all shards came to."""

    cases: list[Case]
    coverage: Coverage | None
    missing: list[Scenario]
    """Scenarios that ran in no shard."""

    @property
    def failed(self) -> list[Case]:
        """The items that failed."""
        return [case for case in self.cases if case.outcome == "failed"]


def merge(
    shards: Sequence[Path], out: Path, table: Path | None = None, scenarios: Path | None = None
) -> Merged:
    """Write the merged results into ``out``, which must not hold any yet.

    ``table`` and ``scenarios``: the requirement table and the folder of its scenarios; without them no coverage.
    Raises ``MergeError``.
    """
    _check_folders(shards, out)
    suites = [(shard, _suite(shard / JUNIT)) for shard in shards]
    cases = [case for shard, suite in suites for case in _cases(shard, suite)]
    _check_twice(cases)
    judged = _coverage(cases, table, scenarios) if table and scenarios else None
    out.mkdir(parents=True, exist_ok=True)
    _write_junit([suite for _, suite in suites], out / JUNIT)
    _copy_artifacts(shards, out / ARTIFACTS)
    if judged is None:
        return Merged(cases, None, [])
    coverage, missing = judged
    text = json.dumps({"requirements": coverage.by_id()}, indent=1)
    (out / COVERAGE).write_text(text + "\n", encoding="utf-8")
    return Merged(cases, coverage, missing)


def _check_folders(shards: Sequence[Path], out: Path) -> None:
    if len({shard.resolve() for shard in shards}) < len(shards):
        raise MergeError("a shard's folder is named twice. Name each once.")
    for shard in shards:
        if not (shard / JUNIT).is_file():
            raise MergeError(
                f"{shard} has no {JUNIT}: that shard did not end, or its results were not kept. Run it again "
                f"with --junitxml test-results/{JUNIT}, and name the folder that holds it."
            )
    if (out / JUNIT).exists():
        raise MergeError(f"{out} holds results already. Name a new folder with --out.")


def _suite(path: Path) -> ElementTree.Element:
    try:
        suite = ElementTree.parse(path).getroot().find("testsuite")
    except ElementTree.ParseError as error:
        raise MergeError(f"{path} is cut off or no XML ({error}). Run that shard again.") from None
    if suite is None:
        raise MergeError(f"{path} is no result of pytest. Run that shard with --junitxml.")
    return suite


def _cases(shard: Path, suite: ElementTree.Element) -> Iterator[Case]:
    """One a test item: pytest writes a second element for an error in its teardown."""
    outcomes: dict[str, str] = {}
    for element in suite.iter("testcase"):
        key = f"{element.get('classname')}.{element.get('name')}"
        outcome = _outcome(element)
        if outcomes.get(key) != "failed":
            outcomes[key] = outcome
    yield from (Case(shard, key, outcome) for key, outcome in outcomes.items())


def _outcome(element: ElementTree.Element) -> str:
    found = {child.tag for child in element}
    if found & {"failure", "error"}:
        return "failed"
    return "skipped" if "skipped" in found else "passed"


def _check_twice(cases: Iterable[Case]) -> None:
    first: dict[str, Case] = {}
    for case in cases:
        if case.key.startswith("."):
            continue  # a file that could not be collected, or was skipped whole: every shard has it
        other = first.setdefault(case.key, case)
        if other is not case:
            raise MergeError(
                f"{case.key} ran in {other.shard} and in {case.shard}: these are not shards of one run. "
                "Give every shard the same --splits and its own --group."
            )


def _write_junit(suites: Sequence[ElementTree.Element], path: Path) -> None:
    root = ElementTree.Element("testsuites", name="pytest tests")
    whole = ElementTree.SubElement(root, "testsuite", name="pytest")
    for count in _COUNTS:
        whole.set(count, str(sum(int(suite.get(count) or 0) for suite in suites)))
    whole.set("time", f"{sum(float(suite.get('time') or 0) for suite in suites):.3f}")
    for suite in suites:
        whole.extend(suite)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _copy_artifacts(shards: Sequence[Path], out: Path) -> None:
    for shard in shards:
        if (shard / ARTIFACTS).is_dir():
            shutil.copytree(shard / ARTIFACTS, out, dirs_exist_ok=True)


def _coverage(cases: Iterable[Case], table: Path, root: Path) -> tuple[Coverage, list[Scenario]]:
    coverage = Coverage(Table.load(table), find_scenarios(root))
    by_name = {_dotted(scenario.nodeid): scenario for scenario in coverage.scenarios}
    ran: set[str] = set()
    for case in cases:
        scenario = _scenario_of(case, by_name)
        if scenario is not None:
            coverage.record(scenario.nodeid, case.outcome == "passed")
            ran.add(scenario.nodeid)
    return coverage, [one for one in coverage.scenarios if not one.soak and one.nodeid not in ran]


def _scenario_of(case: Case, by_name: dict[str, Scenario]) -> Scenario | None:
    """Class names in JUnit begin at pytest's root, scenario ids at their own folder: the longest end that is known."""
    parts = case.function.split(".")
    ends = (".".join(parts[start:]) for start in range(len(parts)))
    return next((by_name[end] for end in ends if end in by_name), None)


def _dotted(nodeid: str) -> str:
    return nodeid.replace(".py::", ".").replace("::", ".").replace("/", ".")
