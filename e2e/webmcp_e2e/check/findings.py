"""What was found, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Literal
from xml.etree import ElementTree

from webmcp_e2e.html_report import HtmlReport, Line, State

Level = Literal["ok", "note", "problem"]
"""``note``: works, but some model or client may stumble · ``problem``: does not work."""

_STATES: dict[Level, State] = {"problem": "bad", "note": "note", "ok": "good"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: in which runtime, what about (a tool or the page), and a sentence."""

    level: Level
    check: str
    subject: str
    text: str
    runtime: str = ""


@dataclass(frozen=True)
class Report:
    """All findings about one page."""

    url: str
    findings: list[Finding]

    @property
    def failed(self) -> bool:
        """Whether anything does not work."""
        return any(finding.level == "problem" for finding in self.findings)

    def lines(self) -> Iterable[str]:
        """For a terminal: problems first, then notes, then what is well, counted."""
        yield self.url
        marks: dict[Level, str] = {"problem": "✗", "note": "!"}
        for level, mark in marks.items():
            for one, runtimes in self._told(level).items():
                yield f"  {mark} [{', '.join(runtimes)}] {one.subject}: {one.text} ({one.check})"
        yield f"  {self._count('ok')} checks are well; problems: {self._count('problem')}, notes: {self._count('note')}"

    def _told(self, level: Level) -> dict[Finding, list[str]]:
        """What is the same in both runtimes is told once, with both."""
        told: dict[Finding, list[str]] = {}
        for one in self.findings:
            if one.level == level:
                told.setdefault(replace(one, runtime=""), []).append(one.runtime)
        return told

    def _count(self, level: Level) -> int:
        return sum(one.level == level for one in self.findings)

    def as_json(self) -> str:
        """``{"url", "findings": [{"level", "check", "subject", "text", "runtime"}]}``."""
        content = {"url": self.url, "findings": [asdict(one) for one in self.findings]}
        return json.dumps(content, indent=2, ensure_ascii=False)

    def as_html(self) -> HtmlReport:
        """Problems first, then notes, then what is well."""
        order = list(_STATES)
        lines = [
            Line(_STATES[one.level], f"{one.subject} [{', '.join(runtimes)}]", f"{one.text} ({one.check})")
            for level in order
            for one, runtimes in self._told(level).items()
        ]
        verdict = list(self.lines())[-1].strip()
        return HtmlReport("The tools of a page", self.url, f"{verdict}.", self.failed, lines)

    def as_junit(self) -> str:
        """One test case a finding; problems are failures."""
        suite = ElementTree.Element("testsuite", name=f"check {self.url}", tests=str(len(self.findings)))
        for one in self.findings:
            name, group = f"{one.check} {one.subject}", f"check.{one.runtime}"
            case = ElementTree.SubElement(suite, "testcase", name=name, classname=group)
            if one.level == "problem":
                ElementTree.SubElement(case, "failure", message=one.text)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
