"""Writes the unpacked extension of a scripted peer into a folder, from the templates beside this module."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

TEMPLATES: Final = Path(__file__).with_name("templates")


class PeerStorage(Protocol):
    """``chrome.storage`` of a loaded extension."""

    def get(self, key: str) -> Any:
        """The value under ``key``, none when there is none."""

    def set(self, values: Mapping[str, Any]) -> None:
        """Writes JSON values."""


class PeerWorker(Protocol):
    """The service worker of a loaded extension."""

    @property
    def status(self) -> Any:
        """``"running"``, ``"starting"`` or ``"stopped"``."""

    @property
    def generation(self) -> int:
        """How often it has started."""

    def stop(self) -> None:
        """Stops it at once."""

    def wait_idle(self, timeout: float = 45.0) -> None:
        """Waits until it has stopped by itself."""

    def evaluate(self, js: str, arg: Any = None, timeout: float = 10.0) -> Any:
        """The JSON value of a function called with ``arg``; promises are awaited for ``timeout`` seconds."""


class LoadedExtension(Protocol):
    """What a scripted peer needs of ``webmcp_e2e.browser.Extension``."""

    @property
    def id(self) -> str:
        """Its extension id."""

    @property
    def storage(self) -> PeerStorage:
        """Its ``chrome.storage``."""

    @property
    def worker(self) -> PeerWorker:
        """Its service worker."""

    def disable(self) -> None:
        """Switches it off."""


def write_peer(
    folder: Path,
    scripts: Sequence[str],
    *,
    name: str,
    version: str = "1",
    manifest: Mapping[str, Any] | None = None,
    behaviour: Mapping[str, Any] | None = None,
) -> Path:
    """Make ``folder`` an unpacked extension and return it.

    Args:
        folder: made if it is missing; what an earlier peer left in it is replaced.
        scripts: names of templates; the first is the service worker.
        name: the extension's name.
        version: the extension's version.
        manifest: members that replace or add to the manifest.
        behaviour: JSON that the worker finds as ``BEHAVIOUR``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for script in scripts:
        shutil.copyfile(TEMPLATES / script, folder / script)
    if behaviour is not None:
        (folder / "behaviour.js").write_text(f"export const BEHAVIOUR = {json.dumps(behaviour)};\n")
    whole = {
        "manifest_version": 3,
        "name": name,
        "version": version,
        "permissions": ["storage"],
        "background": {"service_worker": scripts[0], "type": "module"},
    } | dict(manifest or {})
    (folder / "manifest.json").write_text(json.dumps(whole, indent=1))
    return folder


def unpacked_id(folder: Path) -> str:
    """The id that Chromium gives an unpacked extension without a ``key``: it comes from the folder's path.

    So a peer's id is known before it is loaded, and one folder has one id.
    """
    digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)
