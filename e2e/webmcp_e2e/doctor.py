"""``webmcp-e2e doctor``: what the harness needs, whether it is here, and the mend."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from webmcp_e2e import __version__, doctor_checks, doctor_start
from webmcp_e2e.doctor_checks import Finding, wrong

BEFORE_THE_BROWSER: list[Callable[[], Finding]] = [
    doctor_checks.platform_and_python,
    doctor_checks.playwright_version,
    doctor_checks.temporary_folder,
    doctor_checks.shared_memory,
    doctor_checks.ports,
    doctor_checks.relay_of_a_person,
    doctor_checks.extensions,
    doctor_checks.agent_extra,
    doctor_checks.video,
    doctor_checks.second_browser,
]


def findings(chromium: Path | None) -> Iterator[Finding]:
    """Everything looked at, in order; a browser is started only where nothing that it needs is wrong."""
    broken = False
    for check in [*BEFORE_THE_BROWSER, lambda: doctor_checks.chromium(chromium)]:
        finding = _guarded(check)
        broken = broken or finding.state == "wrong"
        yield finding
    if not broken:
        yield from doctor_start.start(chromium)


def _guarded(check: Callable[[], Finding]) -> Finding:
    """A check that fails itself is a finding, and the others go on."""
    try:
        return check()
    except (OSError, ImportError) as error:
        mend = "Mend what the message names (rights, space, a missing package), then run doctor again."
        return wrong(getattr(check, "__name__", "check").replace("_", " "), f"{error}", mend)


def report(chromium: Path | None, *, as_json: bool = False) -> int:
    """Print the findings as they come; exit code 0 when nothing is wrong, 3 otherwise."""
    found = findings(chromium)
    return _print_json([*found]) if as_json else _print_lines(found)


def _print_lines(found: Iterable[Finding]) -> int:
    print(f"webmcp-e2e {__version__} ({Path(sys.executable)})")
    bad = 0
    for finding in found:
        print(f"{finding.state:>6}  {finding.what:<11} {finding.found}", flush=True)
        if finding.mend:
            print(f"{'':>6}  {'':<11} mend: {finding.mend}", flush=True)
        bad += finding.state == "wrong"
    print(f"{bad} wrong" if bad else "nothing is wrong")
    return 3 if bad else 0


def _print_json(found: list[Finding]) -> int:
    bad = any(finding.state == "wrong" for finding in found)
    told = {"version": __version__, "ok": not bad, "findings": [asdict(finding) for finding in found]}
    print(json.dumps(told, indent=2))
    return 3 if bad else 0
