"""The public fixtures of the extension protocol: the provider under test, and peers that a test scripts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from webmcp_e2e import resources
from webmcp_e2e.browser import ExtensionBrowser

if TYPE_CHECKING:
    from webmcp_e2e.lumo.scripted import ScriptedHost, ScriptedProvider
    from webmcp_e2e.provider import Provider

__all__ = [
    "peer_folders",
    "provider",
    "provider_path",
    "provider_storage",
    "scripted_host",
    "scripted_provider",
]


class MakeProvider(Protocol):
    """Makes and loads one scripted provider more."""

    def __call__(self, *, manifest: Mapping[str, Any] | None = None, **behaviour: Any) -> ScriptedProvider:
        """Load it; ``behaviour`` are members of ``ProviderBehaviour``."""


class MakeHost(Protocol):
    """Makes and loads one scripted host more."""

    def __call__(
        self, provider_id: str = "", *, name: str = "Scripted host", manifest: Mapping[str, Any] | None = None
    ) -> ScriptedHost:
        """Load it; it talks to ``provider_id``."""


@pytest.fixture
def provider_path(pytestconfig: pytest.Config) -> Path:
    """The folder of the provider under test. Chosen by ``--webmcp-provider``."""
    return pytestconfig.getoption("--webmcp-provider") or resources.extension_dir("provider")


@pytest.fixture
def provider_storage() -> dict[str, Any]:
    """What is in the provider's ``chrome.storage.local`` before its worker's first line. Override to change.

    Default: nothing, a fresh install.
    """
    return {}


@pytest.fixture
def provider(
    extension_browser: ExtensionBrowser, provider_path: Path, provider_storage: dict[str, Any]
) -> Provider:
    """The provider extension, loaded: ``.id .worker .storage .reload() .disable() .enable()``.

    What a person does to it: ``.page()`` opens its page, ``.set_policy(endpoint=True)`` sets switches,
    ``.allow(host.id)`` lets a sender in, ``.allow_user_scripts()`` flips the browser's real toggle.
    ``--webmcp-provider PATH`` puts yours in its place.
    """
    from webmcp_e2e.provider import Provider

    loaded = extension_browser.load_extension(provider_path, local_storage=provider_storage)
    return Provider(extension_browser, loaded)


@pytest.fixture
def peer_folders(tmp_path: Path) -> Iterator[Path]:
    """A new folder for each scripted peer of this test; the folder's path decides the peer's id."""
    return (tmp_path / "peers" / f"peer-{number}" for number in itertools.count(1))


@pytest.fixture
def scripted_provider(extension_browser: ExtensionBrowser, peer_folders: Iterator[Path]) -> MakeProvider:
    """Makes providers that do what you say, right or wrong, each a real extension with an id of its own.

    ``peer = scripted_provider(probe="never")``, ``scripted_provider(tools=["a", "a"], call="drop")``: see
    ``webmcp_e2e.lumo.scripted.ProviderBehaviour``. ``peer.behave(...)`` changes it later; ``peer.probes``,
    ``peer.connects``, ``peer.messages()`` and ``peer.calls`` are what it received and executed, over all lives of
    its worker. ``manifest={...}`` replaces members of its manifest.
    """
    from webmcp_e2e.lumo.scripted import ProviderBehaviour, ScriptedProvider, write_provider

    def make(*, manifest: Mapping[str, Any] | None = None, **behaviour: Any) -> ScriptedProvider:
        wanted = ProviderBehaviour(**behaviour)
        folder = write_provider(next(peer_folders), wanted, manifest)
        peer = ScriptedProvider(extension_browser.load_extension(folder), wanted)
        # From here on it knows its plan: what must be decided before its listener returns can be.
        peer.wait_for("started")
        return peer

    return make


@pytest.fixture
def scripted_host(extension_browser: ExtensionBrowser, peer_folders: Iterator[Path]) -> MakeHost:
    """Makes hosts in your hand, each a real extension with an id of its own.

    ``host = scripted_host(provider.id)``; ``host.probe()``, ``host.send(anything)``, ``host.connect(*messages)``;
    ``session = host.session()`` has done the handshake: ``session.call("tool", key=value)``,
    ``session.call_all([...])`` in one burst, ``session.post(raw)``, ``session.inbox``, ``session.wait_closed()``.
    """
    from webmcp_e2e.lumo.scripted import ScriptedHost, write_host

    def make(
        provider_id: str = "", *, name: str = "Scripted host", manifest: Mapping[str, Any] | None = None
    ) -> ScriptedHost:
        folder = write_host(next(peer_folders), name, manifest)
        return ScriptedHost(extension_browser.load_extension(folder), provider_id)

    return make
