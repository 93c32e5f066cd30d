"""What the page scenarios share: the order desk's pages, opened, and a port to them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_page_server import SHORT_HANDSHAKE
from page_tools_port import OpenPort, PageToolsPort, Serve, Visit
from playwright.sync_api import Page

from webmcp_e2e import resources
from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY, TIMINGS_KEY
from webmcp_e2e.services.html_app import HtmlApp


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The rows of any page hold the order desk in one runtime: the other files here hold it in both."""
    if config.getoption("--webmcp-page"):
        return
    spared = [
        item
        for item in items
        if item.path.name == "test_any_page.py"
        and item.get_closest_marker("webmcp_runtime") is None
        and item.callspec.params["webmcp_runtime"] == "polyfill"  # type: ignore[attr-defined]
    ]
    config.hook.pytest_deselected(items=spared)
    items[:] = [item for item in items if item not in spared]


@pytest.fixture
def own_pages(tmp_path: Path) -> Path:
    """Folder whose pages lie over the order desk's."""
    folder = tmp_path / "pages"
    folder.mkdir()
    return folder


@pytest.fixture
def html_app(own_pages: Path) -> Iterator[HtmlApp]:
    """The order desk, with the test's own pages beside it."""
    with HtmlApp(static_dirs=[own_pages]) as app:
        yield app


@pytest.fixture
def serve(own_pages: Path, html_app: HtmlApp) -> Serve:
    """Puts a page of the test's own on the order desk's server."""

    def put(html: str) -> str:
        name = f"own-{len(list(own_pages.iterdir()))}.html"
        (own_pages / name).write_text(f"<!doctype html><title>{name}</title>{html}", encoding="utf-8")
        return html_app.page(name)

    return put


@pytest.fixture
def open_port(host: Extension, page: Page) -> OpenPort:
    """Opens one more port to ``page`` from the real side panel."""
    return lambda: PageToolsPort(host.side_panel(page))


@pytest.fixture
def visit(page: Page, html_app: HtmlApp, open_port: OpenPort) -> Visit:
    """Goes to a page of the order desk, waits until its tools are registered and the port is ready."""

    def go(path: str = "", **query: Any) -> PageToolsPort:
        page.goto(html_app.page(path, **query))
        page.locator("html[data-tools=ready]").wait_for(state="attached")
        port = open_port()
        port.wait_state("ready")
        return port

    return go


@pytest.fixture
def host_path(request: pytest.FixtureRequest) -> Path:
    """The unpacked extension under test."""
    return request.config.getoption("--webmcp-host") or resources.extension_dir("host")


@pytest.fixture
def half_host_path(host_path: Path, tmp_path: Path) -> Path:
    """The same extension without its MAIN world half: the page has the channel to itself."""
    copy = tmp_path / "half-host"
    shutil.copytree(host_path, copy)
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["content_scripts"] = [
        entry for entry in manifest["content_scripts"] if entry.get("world") != "MAIN"
    ]
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return copy


@pytest.fixture
def half_host(
    extension_browser: ExtensionBrowser, half_host_path: Path, relay_settings: dict[str, object]
) -> Extension:
    """The extension without its MAIN world half: who serves the page is the test's choice."""
    return extension_browser.load_extension(
        half_host_path,
        local_storage={RELAY_SETTINGS_KEY: relay_settings, TIMINGS_KEY: SHORT_HANDSHAKE},
    )


@pytest.fixture
def own_page(extension_browser: ExtensionBrowser, half_host: Extension) -> Page:
    """An empty page beside the half extension."""
    return extension_browser.context.new_page()
