"""Reproductions: reported bugs of the bundled scenarios, and reports that somebody sends, run often and counted."""

from .bisect import Bisection, bisect, browsers
from .rate import Rate
from .report import Report, ReportError, load_report
from .runs import How, Runs, run_bug, run_report
from .scaffold import scaffold

__all__ = [
    "Bisection",
    "How",
    "Rate",
    "Report",
    "ReportError",
    "Runs",
    "bisect",
    "browsers",
    "load_report",
    "run_bug",
    "run_report",
    "scaffold",
]
