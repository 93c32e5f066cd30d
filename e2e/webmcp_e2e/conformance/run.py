"""Runs the scenarios of a role against an unpacked extension or a relay, through pytest in this process."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from webmcp_e2e import resources
from webmcp_e2e.conformance.baseline import BaselineError, read_baseline
from webmcp_e2e.conformance.collector import Collector
from webmcp_e2e.conformance.report import as_html, as_json, text_lines
from webmcp_e2e.conformance.rows import Judgement, Role
from webmcp_e2e.interruptible import run_pytest
from webmcp_e2e.lumo.provider_setup import SETUP_FILE, ProviderSetup, SetupError
from webmcp_e2e.services.page_target import PageTargetError, check_page_target, page_url

USAGE, HARNESS = 2, 3


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    role: Role
    target: str
    """Folder of the unpacked extension; of a relay, the command line that starts it; of a page, its URL, or an
    HTML file, whose folder is then served."""
    own_server: bool = False
    """Of a page: hold the MCP server that it brings itself, with an extension that puts none into it."""
    rows: tuple[str, ...] = ()
    """Only rows whose name has one of these in it; ``*`` and ``?`` stand for what they stand for in file names."""
    chromium: Path | None = None
    baseline: Path | None = None
    junit: Path | None = None
    html: Path | None = None
    bundles: Path | None = None
    """Folder for a bundle of each row that fails, with its hops."""
    json: Path | None = None
    """``-`` for standard output, which then has nothing else."""

    @property
    def path(self) -> Path:
        """The target as a folder."""
        return Path(self.target)


def run(request: Request) -> int:
    """Run, report, and return the exit code: 0 all as expected, 1 the subject failed, 2 usage, 3 the harness."""
    try:
        check_subject(request)
        baseline = read_baseline(request.baseline) if request.baseline else frozenset()
    except (SetupError, BaselineError, PageTargetError) as error:
        print(f"webmcp-e2e: {error}", file=sys.stderr)
        return USAGE
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="webmcp-conformance-")))
        collector, log = _run_pytest(request, scratch, _subject(request, stack))
    if not collector.rows and collector.left_out:
        print(_no_such_row(request, collector.left_out), file=sys.stderr)
        return USAGE
    judgement = Judgement(collector.rows, baseline, collector.left_out)
    _report(request, judgement)
    if collector.collection_errors or not collector.rows:
        print(f"webmcp-e2e: the scenarios could not be run:\n{log[-4_000:]}", file=sys.stderr)
        return HARNESS
    return judgement.exit_code


def _no_such_row(request: Request, names: frozenset[str]) -> str:
    known = "".join(f"\n  {name}" for name in sorted(names))
    asked = " or ".join(repr(row) for row in request.rows)
    return f"webmcp-e2e: no row of a {request.role} has {asked} in its name. The rows are:{known}"


def check_subject(request: Request) -> None:
    """Raises ``SetupError`` where the folder is no extension, or no provider that we know how to switch on."""
    if request.own_server and request.role != "page":
        raise SetupError("--own-server is about a page. Leave it out, or say `conformance page`.")
    if request.role == "relay":
        _check_command(request.target)
        return
    if request.role == "page":
        check_page_target(request.target)
        return
    _check_manifest(request.path)
    if request.role == "provider":
        ProviderSetup.load(request.path / SETUP_FILE)


def _check_manifest(folder: Path) -> None:
    file = folder / "manifest.json"
    if not file.is_file():
        raise SetupError(f"{folder} has no manifest.json. Give the folder of an unpacked extension.")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8-sig"))
        version = manifest.get("manifest_version")
    except (ValueError, AttributeError) as error:
        raise SetupError(
            f"{file} is no manifest ({error}). Give the folder that your build writes."
        ) from None
    if version != 3:
        raise SetupError(
            f"{file} has manifest_version {version}. Chromium loads extensions of version 3 only."
        )


def _check_command(command: str) -> None:
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        raise SetupError(f"{command!r} is no command line. Quote it: 'node my-relay.js'.") from None
    if shutil.which(program) is None:
        raise SetupError(
            f"there is no program {program!r}. Give the command that starts your relay on stdio."
        )


def without_page_server(copy: Path) -> Path:
    """Our host extension in ``copy`` without its MAIN world half: the page has the channel to itself."""
    shutil.copytree(resources.extension_dir("host"), copy)
    file = copy / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    scripts = manifest["content_scripts"]
    manifest["content_scripts"] = [one for one in scripts if one.get("world") != "MAIN"]
    file.write_text(json.dumps(manifest), encoding="utf-8")
    return copy


def _subject(request: Request, stack: ExitStack) -> str:
    """The value of ``--webmcp-ROLE``; a page that is a file is served for as long as `stack` is open."""
    if request.role == "relay":
        return request.target
    if request.role == "page":
        return stack.enter_context(page_url(request.target))
    return str(request.path.resolve())


_FOLDERS: Final = {
    "provider": "provider",
    "host": "",
    "relay": "relay",
    "page": "page/test_any_page.py",
}
"""Where a role's scenarios are, below the folder of all."""


def _arguments(request: Request, scratch: Path, subject: str) -> Iterator[str]:
    scenarios = resources.scenarios_dir()
    yield str(scenarios / _FOLDERS[request.role])
    yield from (f"--webmcp-{request.role}", subject)
    if request.role == "page":
        yield from ("--webmcp-runtime", "both")
    if request.own_server:
        yield from ("--webmcp-host", str(without_page_server(scratch / "host")))
    yield from ("--rootdir", str(scenarios.parent), "-p", "pytester", "-p", "no:cacheprovider")
    yield from ("--output", str(request.bundles.resolve() if request.bundles else scratch / "artifacts"))
    if request.bundles:
        yield from ("--webmcp-hops", "retain-on-failure")
    for option in ("addopts", "webmcp_requirements", "webmcp_scenarios"):
        yield from ("-o", f"{option}=")
    if request.chromium:
        yield from ("--webmcp-chromium", str(request.chromium))
    if request.junit:
        yield f"--junitxml={request.junit}"


def _run_pytest(request: Request, scratch: Path, subject: str) -> tuple[Collector, str]:
    """pytest's own output goes into a file: it is shown only where pytest itself failed."""
    collector, log = Collector(request.role, request.rows), scratch / "pytest.log"
    with log.open("w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        run_pytest(list(_arguments(request, scratch, subject)), [collector])
    return collector, log.read_text(encoding="utf-8")


def _report(request: Request, judgement: Judgement) -> None:
    if request.json != Path("-"):
        print("\n".join(text_lines(judgement)))
    if request.html:
        as_html(judgement, request.role, request.target).write(request.html)
    if request.json is None:
        return
    text = json.dumps(as_json(judgement, request.role, request.target), indent=1)
    if request.json == Path("-"):
        print(text)
    else:
        request.json.write_text(text + "\n", encoding="utf-8")
