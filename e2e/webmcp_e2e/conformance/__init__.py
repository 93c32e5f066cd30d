"""Conformance: the scenarios that hold for any provider or host, run against an unpacked extension of yours."""

from webmcp_e2e.conformance.baseline import BaselineError, read_baseline
from webmcp_e2e.conformance.rows import Level, Outcome, Role, Row
from webmcp_e2e.conformance.run import Request, run

__all__ = ["BaselineError", "Level", "Outcome", "Request", "Role", "Row", "read_baseline", "run"]
