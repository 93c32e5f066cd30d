"""What the scenarios of the provider share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixture_types import Allow, CallOf, Enter
from playwright.sync_api import Page
from providers_panel import ProvidersPanel

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.lumo.provider_setup import SETUP_FILE, CallName, ProviderSetup, StateName
from webmcp_e2e.lumo.scripted import ScriptedHost, unpacked_id, write_host
from webmcp_e2e.provider import Provider


@pytest.fixture
def peer_folder(peer_folders: Iterator[Path]) -> Path:
    """The unpacked peer; its path decides its id, so the id is known before it is loaded."""
    return write_host(next(peer_folders))


@pytest.fixture
def provider_storage(peer_folder: Path, provider_path: Path) -> dict[str, Any]:
    """The provider is open for the peer before its worker's first line."""
    return ProviderSetup.load(provider_path / SETUP_FILE).storage("open", [unpacked_id(peer_folder)])


@pytest.fixture
def provider(
    extension_browser: ExtensionBrowser,
    provider_path: Path,
    provider_storage: dict[str, Any],
    peer_folder: Path,
) -> Provider:
    """The provider under test, loaded together with the peer, which is on its allowlist."""
    wanted = {provider_path: provider_storage, peer_folder: None}
    return Provider(extension_browser, extension_browser.load_extensions(wanted)[0])


@pytest.fixture
def peer(extension_browser: ExtensionBrowser, provider: Provider, peer_folder: Path) -> ScriptedHost:
    """A host in the scenario's hand, which the provider lets in."""
    return ScriptedHost(extension_browser.extensions[unpacked_id(peer_folder)], provider.id)


@pytest.fixture
def enter(provider: Provider, peer: ScriptedHost) -> Enter:
    """Brings the provider, whichever it is, into a state of its set-up; the peer, and others named, are let in."""

    def into(state: StateName, *others: str) -> None:
        if state not in provider.setup.states:
            pytest.skip(f"the provider's set-up has no state {state!r}")
        provider.enter(state, peer.id, *others)

    return into


@pytest.fixture
def any_provider(provider: Provider, enter: Enter) -> Provider:
    """The provider, whichever it is, in the state ``open``."""
    enter("open")
    return provider


@pytest.fixture
def call_of(provider: Provider) -> CallOf:
    """Tool and arguments of a call that the provider's set-up names."""

    def call(name: CallName, number: int = 1) -> tuple[str, dict[str, Any]]:
        found = provider.setup.call(name, number)
        if found is None:
            pytest.skip(f"the provider's set-up names no call {name!r}")
        return found

    return call


@pytest.fixture
def provider_page(provider: Provider) -> Page:
    """The provider's own page."""
    return provider.page()


@pytest.fixture
def allow_user_scripts(provider: Provider) -> Allow:
    """Flips the browser's real "Allow User Scripts" toggle."""
    return provider.allow_user_scripts


@pytest.fixture
def providers_panel(host: Extension, page: Page) -> ProvidersPanel:
    """The side panel of the host under test, at its Providers view."""
    return ProvidersPanel(host, page)
