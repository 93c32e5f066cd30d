"""The public fixtures. Their docstrings are what ``pytest --fixtures`` prints."""

from __future__ import annotations

import os
import shlex
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright

from webmcp_e2e import resources
from webmcp_e2e.base_url import set_base_url
from webmcp_e2e.browser import ChromiumBinary, Extension, ExtensionBrowser, Worker, find_chromium
from webmcp_e2e.contract import RELAY_SETTINGS_KEY, TIMINGS_KEY
from webmcp_e2e.diagnosis import BROWSER, attach_log
from webmcp_e2e.hops_fixtures import keep_browser, traced
from webmcp_e2e.plugin import parse_timings, uses_extension_browser
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.shared_browser import MARK as SHARED_MARK
from webmcp_e2e.shared_browser import SharedBrowsers
from webmcp_e2e.standby_browser import STANDBY
from webmcp_e2e.video import record_video

if TYPE_CHECKING:
    # The MCP SDK and aiohttp are imported by the fixtures that need them: every pytest run of a machine that
    # has this plugin installed pays for what stands at the top of this file.
    from pytest_playwright.pytest_playwright import ArtifactsRecorder

    from webmcp_e2e.chain import Chain
    from webmcp_e2e.hops import Hops
    from webmcp_e2e.services.html_app import HtmlApp
    from webmcp_e2e.services.relay_nursery import RelayNursery
    from webmcp_e2e.services.relay_process import Relay

__all__ = [
    "chain",
    "chromium_binary",
    "context",
    "extension_browser",
    "host",
    "html_app",
    "page",
    "relay",
    "relay_flags",
    "relay_ports",
    "relay_settings",
    "side_panel",
    "webmcp_chromium_args",
    "webmcp_extension_paths",
    "webmcp_relay_nursery",
    "webmcp_runtime",
    "webmcp_shared_browsers",
    "webmcp_start_url",
    "webmcp_timings",
    "worker",
]


@pytest.fixture(scope="session")
def chromium_binary(pytestconfig: pytest.Config) -> ChromiumBinary:
    """The Chromium under test: ``.path``, ``.version``, ``.major``. Chosen by ``--webmcp-chromium``."""
    return find_chromium(pytestconfig.getoption("--webmcp-chromium"))


@pytest.fixture
def webmcp_runtime(request: pytest.FixtureRequest) -> str:
    """The page runtime of this test: ``"native"`` or ``"polyfill"``. Chosen by ``--webmcp-runtime``."""
    return str(request.param)


@pytest.fixture
def webmcp_extension_paths() -> list[Path]:
    """Unpacked extensions to load beside the host. Override to test with others of your own."""
    return []


@pytest.fixture
def webmcp_chromium_args() -> list[str]:
    """More command-line arguments for Chromium. Override for a test, a module or everywhere."""
    return []


@pytest.fixture
def webmcp_start_url() -> str | None:
    """Where ``page`` goes first; ``None``: about:blank. Override to start on your own page."""
    return None


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """Overrides of the chain's timing table, in milliseconds, for extension and relay. Default: none."""
    return {}


@pytest.fixture
def relay_ports() -> Iterator[range]:
    """Four adjacent loopback ports that only this test uses; never 9333-9348."""
    with port_range(4) as ports:
        yield ports


@pytest.fixture
def relay_flags() -> list[str]:
    """More command-line flags for the relay. Override for a test or module."""
    return []


@pytest.fixture
def relay_settings(request: pytest.FixtureRequest, relay_ports: range) -> dict[str, Any]:
    """The host's relay settings, written before its worker runs its first line.

    Default: this test's own port range, switched on only in tests that ask for ``relay``.
    """
    enabled = "relay" in request.fixturenames
    return {"enabled": enabled, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@pytest.fixture(scope="session")
def webmcp_shared_browsers() -> Iterator[SharedBrowsers]:
    """The browsers that tests marked ``webmcp_shared_browser`` share."""
    browsers = SharedBrowsers()
    yield browsers
    browsers.close()


@pytest.fixture
def extension_browser(
    request: pytest.FixtureRequest,
    playwright: Playwright,
    chromium_binary: ChromiumBinary,
    webmcp_runtime: str,
    webmcp_chromium_args: list[str],
    webmcp_extension_paths: list[Path],
    browser_type_launch_args: dict[str, Any],
    webmcp_shared_browsers: SharedBrowsers,
    hops: Hops,
    tmp_path: Path,
) -> Iterator[ExtensionBrowser]:
    """A fresh Chromium with a fresh profile, launched over a pipe, Playwright connected through the gate.

    ``.context`` is its Playwright context, ``.load_extension(path)`` loads an unpacked extension,
    ``.restart()`` restarts it on the same profile. Workers are unobserved: they idle out as at a user's.
    With the mark ``webmcp_shared_browser`` tests share one, reset between them.
    """
    refuse_foreign_options(request.config, browser_type_launch_args)
    observe = request.config.getoption("--webmcp-observe-workers")
    args = [*webmcp_chromium_args, *browser_type_launch_args.get("args", [])]

    def launch(runtime: str) -> ExtensionBrowser:
        return ExtensionBrowser.launch(
            playwright,
            binary=chromium_binary,
            runtime=runtime,  # type: ignore[arg-type]
            headless=browser_type_launch_args.get("headless", True),
            slow_mo=browser_type_launch_args.get("slow_mo", 0),
            args=args,
            # A bundle has it after the browser has gone; a browser that was started ahead has no test yet.
            stderr_file=tmp_path / "chromium.log" if hops.active else None,
            observe_workers=observe,
            extensions=dict.fromkeys(webmcp_extension_paths),
            connect=False,
            hook=hops.tap(),
        )

    def key_of(runtime: str) -> Hashable:
        return (
            runtime,
            chromium_binary,
            hops.active,
            *args,
            *map(str, webmcp_extension_paths),
        )

    standby = request.config.stash[STANDBY]

    def fresh() -> ExtensionBrowser:
        if not hops.active:
            return standby.take(webmcp_runtime, key_of, launch)
        standby.rest()  # a recorded browser reports to its own test from its first moment
        return launch(webmcp_runtime)

    shared = request.node.get_closest_marker(SHARED_MARK) is not None
    key = key_of(webmcp_runtime)
    browser = webmcp_shared_browsers.take(key, fresh) if shared else fresh()
    hops.follow(browser.hook)
    attach_log(request.node, "Chromium's stderr", browser.stderr_file)
    request.node.stash[BROWSER] = browser
    try:
        yield browser
    finally:
        keep_browser(hops, request.node, browser)
        del request.node.stash[BROWSER]
        if shared:
            webmcp_shared_browsers.give_back(key, browser, clean=_passed_so_far(request.node))
        else:
            browser.close()


def _passed_so_far(item: pytest.Item) -> bool:
    """Whether set-up and call passed; pytest-playwright leaves its reports on the item."""
    report = getattr(item, "rep_call", None)
    return bool(report is not None and report.passed)


def refuse_foreign_options(config: pytest.Config, launch_args: dict[str, Any]) -> None:
    """Options of pytest-playwright that make no sense with an extension are usage errors."""
    wrong = {
        "--browser": [name for name in config.getoption("--browser") if name != "chromium"],
        "--device": config.getoption("--device"),
        "--browser-channel": launch_args.get("channel"),
    }
    for option, value in wrong.items():
        if value:
            raise pytest.UsageError(
                f"{option} does not work with an extension's browser. Leave it out; "
                "--webmcp-chromium PATH chooses the browser."
            )


@pytest.fixture
def host(
    request: pytest.FixtureRequest,
    extension_browser: ExtensionBrowser,
    relay_settings: dict[str, Any],
    webmcp_timings: dict[str, int],
) -> Extension:
    """The host extension, loaded: ``.id .worker .storage .side_panel(page) .reload() .disable() .enable()``.

    ``--webmcp-host PATH`` puts yours in its place. A relay that the test asks for is up before it loads.
    """
    if "relay" in request.fixturenames:
        request.getfixturevalue("relay").wait_ready()
    path = request.config.getoption("--webmcp-host") or resources.extension_dir("host")
    stored: dict[str, Any] = {RELAY_SETTINGS_KEY: relay_settings}
    if webmcp_timings:
        stored[TIMINGS_KEY] = parse_timings(webmcp_timings)
    return extension_browser.load_extension(path, local_storage=stored)


@pytest.fixture
def worker(host: Extension) -> Worker:
    """The host's service worker: ``.status .generation .evaluate(js) .stop() .wait_idle() .recycle(mode)``."""
    return host.worker


@pytest.fixture
def context(request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """pytest-playwright's context; in tests that ask for one of our fixtures, the extension browser's own."""
    if not uses_extension_browser(request.fixturenames):
        yield request.getfixturevalue("context")
        return
    browser: ExtensionBrowser = request.getfixturevalue("extension_browser")
    request.getfixturevalue("host")
    recorder: ArtifactsRecorder = request.getfixturevalue("_artifacts_recorder")
    set_base_url(browser.context, request.getfixturevalue("base_url"))
    recorder.on_did_create_browser_context(browser.context)
    folder = Path(request.getfixturevalue("output_path"))
    tracing = traced(request.getfixturevalue("hops"), request.node, browser.context)
    with record_video(request.config, browser.context, folder), tracing:
        yield browser.context
    recorder.on_will_close_browser_context(browser.context)


def _first_page(context: BrowserContext) -> Page:
    """The tab that a fresh browser starts with: it was the active one when the extension came."""
    if len(context.pages) == 1 and context.pages[0].url == "about:blank":
        return context.pages[0]
    return context.new_page()


@pytest.fixture
def page(request: pytest.FixtureRequest, context: BrowserContext, webmcp_start_url: str | None) -> Page:
    """pytest-playwright's page; in tests that ask for one of our fixtures, a page in the extension browser."""
    if not uses_extension_browser(request.fixturenames):
        return request.getfixturevalue("page")  # type: ignore[no-any-return]
    page = _first_page(context)
    if webmcp_start_url is not None:
        page.goto(webmcp_start_url)
    return page


@pytest.fixture
def side_panel(host: Extension, page: Page) -> Page:
    """The host's real side panel, opened in the window of ``page``, as a Playwright page."""
    return host.side_panel(page)


@pytest.fixture
def html_app() -> Iterator[HtmlApp]:
    """The order desk, a page with tools, on a server of its own: ``.url .page(name, ...) .invocations``."""
    from webmcp_e2e.services.html_app import HtmlApp

    with HtmlApp() as app:
        yield app


@pytest.fixture(scope="session")
def webmcp_relay_nursery() -> Iterator[RelayNursery | None]:
    """Makes the relays of a run from one process that has the imports done; ``WEBMCP_RELAY_NURSERY=0``: none."""
    from webmcp_e2e.services.relay_nursery import SWITCH, RelayNursery

    nursery = None if os.environ.get(SWITCH) == "0" else RelayNursery()
    yield nursery
    if nursery is not None:
        nursery.close()


@pytest.fixture
def relay(
    request: pytest.FixtureRequest,
    webmcp_relay_nursery: RelayNursery | None,
    relay_ports: range,
    webmcp_timings: dict[str, int],
    relay_flags: list[str],
    hops: Hops,
    tmp_path: Path,
) -> Iterator[Relay]:
    """A real relay process and a real MCP client on its stdio.

    ``.port .sources() .tools() .call(name, args) .kill() .restart()``; ``--webmcp-relay CMD`` puts yours in
    its place.
    """
    from webmcp_e2e.services.relay_process import Relay

    command = request.config.getoption("--webmcp-relay")
    relay = Relay(
        relay_ports,
        tmp_path,
        command=shlex.split(command) if command else None,
        nursery=webmcp_relay_nursery,
        timings=parse_timings(webmcp_timings) if not command else None,
        flags=[*relay_flags, *([] if command else hops.tape())],
    )
    relay.listener = hops.client()
    attach_log(request.node, "the relay's log", relay.log_file)
    relay.start()
    try:
        yield relay
    finally:
        relay.close()


@pytest.fixture
def chain(relay: Relay, host: Extension, page: Page, html_app: HtmlApp) -> Chain:
    """The whole chain, connected: the order desk's lab page is open and the MCP client lists its tools.

    ``.call(name, args, via="relay"|"panel")``, and ``.host .page .relay .html_app``.
    """
    from webmcp_e2e.chain import Chain

    connected = Chain(host, page, relay, html_app)
    page.goto(html_app.page(lab=""))
    connected.wait_ready()
    return connected
