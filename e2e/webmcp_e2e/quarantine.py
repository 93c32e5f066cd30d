"""Known flaky tests, with an end date: they run, their failure is told and does not fail the run, until that day.

The file that the ini option ``webmcp_quarantine`` names::

    [[quarantine]]
    test = "tests/test_panel.py::test_reopens*"   # a node id, or a pattern of node ids
    until = 2026-12-24                            # at most 90 days ahead; from the next day on an error
    reason = "https://example.org/issues/12"
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import pytest

OPTION: Final = "webmcp_quarantine"
MOST_DAYS: Final = 90
PREFIX: Final = "quarantined until"
_MEMBERS: Final = {"test": str, "until": datetime.date, "reason": str}


class QuarantineError(ValueError):
    """The list is wrong or has run out; the message says which entry, and the mend."""


@dataclass(frozen=True)
class Entry:
    """Tests whose node id is, or matches, ``test``; ``until`` is the last day."""

    test: str
    until: datetime.date
    reason: str

    def holds(self, nodeid: str) -> bool:
        """Whether this test is meant; without parameters all of a function's are. A ``[`` is no pattern here."""
        pattern = self.test.replace("[", "[[]")
        return any(fnmatchcase(name, pattern) for name in (nodeid, nodeid.partition("[")[0]))

    @property
    def file(self) -> str:
        """The pattern's part before ``::``."""
        return self.test.partition("::")[0]


def load(path: Path, today: datetime.date) -> list[Entry]:
    """Read and check the list. Raises ``QuarantineError``."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise QuarantineError(f"{path} cannot be read ({error}). Mend the ini option {OPTION}.") from None
    except tomllib.TOMLDecodeError as error:
        raise QuarantineError(f"{path} is no TOML: {error}.") from None
    found = data.pop("quarantine", [])
    if data or not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise QuarantineError(f"{path}: it has [[quarantine]] entries and nothing else.")
    entries = [_entry(path, raw, today) for raw in found]
    for entry in entries:
        if not any(path.parent.glob(entry.file)):
            raise QuarantineError(
                f"{path}: there is no file {entry.file!r} beside it. Delete the entry, or mend its name."
            )
    return entries


def _entry(path: Path, raw: dict[str, Any], today: datetime.date) -> Entry:
    where = f"{path}: the entry {raw.get('test', raw)!r}"
    if raw.keys() != _MEMBERS.keys() or not all(type(raw[name]) is kind for name, kind in _MEMBERS.items()):
        raise QuarantineError(
            f"{where} needs test and reason (texts) and until (a date, 2026-12-24), no more."
        )
    entry = Entry(**raw)
    if entry.until < today:
        raise QuarantineError(f"{where} has run out on {entry.until}. Mend the test, or delete it.")
    if entry.until > today + datetime.timedelta(days=MOST_DAYS):
        raise QuarantineError(
            f"{where} ends on {entry.until}: more than {MOST_DAYS} days ahead. Name a nearer day."
        )
    return entry


def mark(entries: Sequence[Entry], items: Iterable[pytest.Item]) -> None:
    """Mark the tests that are meant. Raises ``QuarantineError`` for an entry that no test of its file matches."""
    idle, files = set(entries), set()
    for item in items:
        files.add(item.nodeid.partition("::")[0])
        for entry in entries:
            if entry.holds(item.nodeid):
                idle.discard(entry)
                reason = f"{PREFIX} {entry.until}: {entry.reason}"
                item.add_marker(pytest.mark.xfail(strict=False, reason=reason))
    for entry in idle:
        if any(fnmatchcase(file, entry.file) for file in files):
            raise QuarantineError(
                f"no test is called {entry.test!r} any more. Delete the entry, or mend its name."
            )


class Quarantine:
    """The hooks; registered where the ini option is set."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    # Before `-k` deselects: what one run leaves out is not gone.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Mark the items. A run of single tests cannot say which entries are idle."""
        single = any("::" in argument for argument in config.args)
        try:
            mark(self._entries, items)
        except QuarantineError as error:
            if not single:
                raise pytest.UsageError(str(error)) from None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what the quarantined tests did."""
        lines = [
            f"{report.nodeid}: {word}, {report.wasxfail.removeprefix('reason: ')}"
            for key, word in (("xfailed", "failed"), ("xpassed", "passed"))
            for report in terminalreporter.stats.get(key, [])
            if PREFIX in getattr(report, "wasxfail", "")
        ]
        if lines:
            terminalreporter.section("quarantine")
            for line in lines:
                terminalreporter.write_line(line)


def register(config: pytest.Config) -> None:
    """Register the hooks where a list is configured. Raises ``pytest.UsageError`` where it is wrong."""
    name = config.getini(OPTION)
    if not name:
        return
    try:
        entries = load(config.rootpath / name, datetime.datetime.now(tz=datetime.UTC).date())
    except QuarantineError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(Quarantine(entries), "webmcp-quarantine")
