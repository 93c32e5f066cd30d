"""``webmcp-e2e check URL``: what a page's author wants to know of the page's tools, in both runtimes."""

from .findings import Finding, Report
from .lint import lint
from .visit import PageGone, Visit, visit

__all__ = ["Finding", "PageGone", "Report", "Visit", "lint", "visit"]
