"""The pytest plugin: options, marks and hooks; fixtures are in ``fixtures``, coverage in ``coverage_report``.

Installing the package changes nobody's tests: the fixtures that share a name with pytest-playwright's
(``page``, ``context``) act only in tests that ask, directly or through a fixture, for one of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from webmcp_e2e.contract import TIMINGS

RUNTIMES = ("native", "polyfill")

OURS = frozenset(
    {
        "chain",
        "extension_browser",
        "host",
        "html_app",
        "provider",
        "scripted_host",
        "scripted_provider",
        "side_panel",
        "worker",
    }
)
"""A test that asks for one of these fixtures gets our ``context`` and ``page``."""

SUBJECTS = {
    "host": "Unpacked host extension",
    "provider": "Unpacked provider extension",
    "relay": "Command line of the relay",
}
"""What a project may put in the place of ours, by option or in its configuration."""


def uses_extension_browser(fixturenames: Iterable[str]) -> bool:
    """Whether a test with these fixtures runs in the extension browser."""
    names = set(fixturenames)
    return "extension_browser" in names or bool(OURS & names and {"page", "context"} & names)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options, all with the prefix ``--webmcp-``."""
    group = parser.getgroup("webmcp", "WebMCP end-to-end testing (webmcp-e2e)")
    group.addoption(
        "--webmcp-runtime",
        choices=[*RUNTIMES, "both"],
        default="native",
        help="Page runtime: the browser's own document.modelContext (native), the extension's polyfill on a "
        "browser without it, or both, which runs every test twice (default: native).",
    )
    group.addoption(
        "--webmcp-host",
        type=Path,
        metavar="PATH",
        help="Unpacked host extension under test (default: the one that comes with webmcp-e2e).",
    )
    group.addoption(
        "--webmcp-provider",
        type=Path,
        metavar="PATH",
        help="Unpacked provider extension under test (default: the one that comes with webmcp-e2e).",
    )
    group.addoption(
        "--webmcp-relay",
        metavar="CMD",
        help="Command line of the relay under test; it gets `--port N` and must speak MCP on stdio "
        "(default: webmcp-relay).",
    )
    group.addoption(
        "--webmcp-page",
        metavar="URL",
        help="Page under test of the scenarios that hold for any page (default: the order desk that comes with "
        "webmcp-e2e).",
    )
    group.addoption(
        "--webmcp-chromium",
        type=Path,
        metavar="PATH",
        help="Chromium to run (default: $WEBMCP_CHROMIUM, Playwright's own, then a system one).",
    )
    group.addoption(
        "--webmcp-observe-workers",
        action="store_true",
        help="Keep a debugger on service workers, so that context.service_workers and context.route see them. "
        "Such a worker never idles: tests about idling refuse to run with it.",
    )
    group.addoption(
        "--webmcp-hops",
        choices=["on", "off", "retain-on-failure"],
        default="off",
        help="Record what crosses each hop of the chain. on: a bundle for every test; retain-on-failure: for "
        "failed ones; off: nothing is observed (default: off).",
    )
    parser.addini("webmcp_requirements", "Requirement table (TOML) to check scenarios against.")
    parser.addini("webmcp_scenarios", "Folder of the scenarios that prove the requirement table.")
    for role, what in SUBJECTS.items():
        parser.addini(
            f"webmcp_{role}", f"{what} under test, as --webmcp-{role}; a path counts from this file."
        )
    parser.addini("webmcp_quarantine", "List (TOML) of tests that may fail until a day.")


def pytest_configure(config: pytest.Config) -> None:
    """Register marks, and the fixtures after all entry points, so that ours come first."""
    for line in (
        "requirement(*ids): the requirement ids that this scenario proves.",
        "webmcp_runtime(name): run in this page runtime only, whatever --webmcp-runtime says.",
        "conformance(role, level='must'): what any provider, host or relay must or should do, not only ours.",
        "webmcp_shared_browser: takes turns with one browser, reset between tests; for many small ones.",
        "bug(*ids): the reported bugs that this scenario reproduces.",
        "idling: the test lets a worker idle out, so no debugger may watch it.",
        "soak: slow; deselected unless asked for by -m soak.",
    ):
        config.addinivalue_line("markers", line)
    _choose_subjects(config)
    from webmcp_e2e import (
        agent_fixtures,
        coverage_report,
        diagnosis,
        fixtures,
        hops_fixtures,
        lumo_fixtures,
        quarantine,
        standby_browser,
    )

    for module in (fixtures, hops_fixtures, lumo_fixtures, agent_fixtures, diagnosis, standby_browser):
        config.pluginmanager.register(module, module.__name__)
    coverage_report.register(config)
    quarantine.register(config)


def _choose_subjects(config: pytest.Config) -> None:
    """The subjects of the configuration file, where the command line names none."""
    home = config.inipath.parent if config.inipath else config.rootpath
    for role in SUBJECTS:
        said = config.getini(f"webmcp_{role}")
        option = f"webmcp_{role}"
        if said and config.getoption(option) is None:
            setattr(config.option, option, said if role == "relay" else home / said)
        folder = config.getoption(option)
        if isinstance(folder, Path) and not (folder / "manifest.json").is_file():
            raise pytest.UsageError(
                f"{folder} has no manifest.json. Give webmcp_{role} (or --webmcp-{role}) the folder of an "
                "unpacked extension; build it first if it is built."
            )


def pytest_report_header(config: pytest.Config) -> list[str]:
    """The settings that are in effect."""
    from webmcp_e2e.browser import ChromiumNotFound, find_chromium

    try:
        binary = find_chromium(config.getoption("--webmcp-chromium"))
        chromium = f"Chromium {binary.version} ({binary.path})"
    except ChromiumNotFound as error:
        chromium = f"no Chromium: {error}"
    host = config.getoption("--webmcp-host") or "bundled"
    return [f"webmcp: {chromium}, runtime {config.getoption('--webmcp-runtime')}, host extension {host}"]


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that uses the extension browser its runtimes."""
    if "webmcp_runtime" not in metafunc.fixturenames:
        if not uses_extension_browser(metafunc.fixturenames):
            return
        # Our `page` finds the browser only when it runs, so its needs are not in the closure yet.
        metafunc.fixturenames.append("webmcp_runtime")
    mark = metafunc.definition.get_closest_marker("webmcp_runtime")
    chosen = mark.args[0] if mark else metafunc.config.getoption("--webmcp-runtime")
    metafunc.parametrize("webmcp_runtime", RUNTIMES if chosen == "both" else [chosen], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave soaks out unless they are asked for, and refuse idling tests with observed workers."""
    if config.getoption("--webmcp-observe-workers"):
        idling = [item.nodeid for item in items if item.get_closest_marker("idling")]
        if idling:
            raise pytest.UsageError(
                "--webmcp-observe-workers keeps workers alive, so tests about idling prove nothing with it. "
                f"Leave it out, or deselect: {', '.join(idling)}"
            )
    if "soak" in (config.getoption("-m") or ""):
        return
    soaks = [item for item in items if item.get_closest_marker("soak")]
    if soaks:
        config.hook.pytest_deselected(items=soaks)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


def parse_timings(timings: dict[str, Any]) -> dict[str, int]:
    """Check overrides of the timing table (milliseconds).

    Raises:
        pytest.UsageError: an unknown name, or a value that is no positive number.
    """
    for key, value in timings.items():
        if key not in TIMINGS:
            raise pytest.UsageError(f"webmcp_timings: {key!r} is no timing. Known: {', '.join(TIMINGS)}")
        if not isinstance(value, int) or value <= 0:
            raise pytest.UsageError(f"webmcp_timings: {key} must be a positive whole number of milliseconds")
    return timings
