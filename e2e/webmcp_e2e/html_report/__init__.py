"""``--html FILE``: a report for a reader, of whatever was looked at, in one file that opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from webmcp_e2e.hops.sealed import sealed_page

__all__ = ["HtmlReport", "Line", "State"]

State = Literal["bad", "note", "known", "untested", "good"]
"""``known``: bad, and listed in a baseline."""


@dataclass(frozen=True)
class Line:
    """One thing that was looked at. ``link``: a file beside the report, as a relative path."""

    state: State
    group: str
    text: str
    details: Sequence[str] = ()
    link: str = ""


@dataclass(frozen=True)
class HtmlReport:
    """What is said on top, and the lines. Texts of the subject are shown as text, whatever is in them."""

    title: str
    subject: str
    verdict: str
    failed: bool
    lines: Sequence[Line] = field(default_factory=list)

    def write(self, file: Path) -> None:
        """Write the file, with the folder that it is in. Raises ``OSError``."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.html(), encoding="utf-8")

    def html(self) -> str:
        """The file's text."""
        return sealed_page(__package__, "report", asdict(self))
