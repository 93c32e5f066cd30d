"""Loading unpacked extensions so that their storage is written before their worker's first line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .errors import CdpError, ExtensionError
from .storage import storage_command
from .targets import WorkerLife
from .worker import runs, settle

if TYPE_CHECKING:
    from .gate import Gate

_WAIT: Final = 10.0
LOAD_SECONDS: Final = 30.0
"""Bound of one load; Chromium itself may still be starting."""

Wanted = Mapping[Path, Mapping[str, Any] | None]
"""Folders of unpacked extensions, each with its first ``chrome.storage.local``, or none."""


@dataclass(frozen=True)
class Load:
    """One extension to load: its folder, its first storage, whether it has a service worker."""

    path: Path
    storage: dict[str, Any] | None
    """What ``chrome.storage.local`` is to hold, all of it; none leaves it as it is."""
    has_worker: bool


def plan(wanted: Wanted) -> list[Load]:
    """Reads the manifests. Raises ``ExtensionError`` for what cannot be loaded."""
    return [_plan_one(path.resolve(), storage) for path, storage in wanted.items()]


def has_worker(path: Path) -> bool:
    """Whether the manifest in ``path`` names a background service worker."""
    manifest = path / "manifest.json"
    if not manifest.is_file():
        raise ExtensionError(f"{path} has no manifest.json. Give the folder of a built, unpacked extension.")
    return "service_worker" in json.loads(manifest.read_text()).get("background", {})


async def load_all(gate: Gate, loads: Sequence[Load]) -> list[str]:
    """Loads all at once, until their workers run; returns their ids. They are still to be settled.

    What is loaded already is reloaded.
    """
    async with gate.loading:
        before = gate.lives.generations()
        with gate.workers_held():
            ids = await asyncio.gather(*(_load(gate, load, before) for load in loads))
    await asyncio.gather(*(runs(gate, life, subject) for life, subject in _lives(gate, loads, ids)))
    return ids


async def settle_all(gate: Gate, loads: Sequence[Load], ids: Sequence[str]) -> None:
    """Waits until the workers of freshly loaded extensions have got their first event."""
    await asyncio.gather(*(settle(gate, life, subject) for life, subject in _lives(gate, loads, ids)))


def _lives(gate: Gate, loads: Sequence[Load], ids: Sequence[str]) -> list[tuple[WorkerLife, str]]:
    together = zip(loads, ids, strict=True)
    return [(gate.lives.of(key), str(load.path)) for load, key in together if load.has_worker]


def _plan_one(path: Path, storage: Mapping[str, Any] | None) -> Load:
    load = Load(path, None if storage is None else dict(storage), has_worker(path))
    if storage and not load.has_worker:
        raise ExtensionError(
            f"{path} has no service worker, so nothing waits for its storage. Use `storage.set()`."
        )
    return load


async def _load(gate: Gate, load: Load, before: Mapping[str, int]) -> str:
    try:
        answer = await gate.command("Extensions.loadUnpacked", {"path": str(load.path)}, timeout=LOAD_SECONDS)
    except CdpError as error:
        raise ExtensionError(f"Chromium refuses {load.path}: {error}. Build the extension anew.") from None
    extension_id = str(answer["id"])
    if load.has_worker:
        life, known = gate.lives.of(extension_id), before.get(extension_id, 0)
        what = f"no service worker of {load.path}"
        await gate.book.wait_for(lambda: life.generation > known and bool(life.held_by), _WAIT, what)
        if load.storage is not None:
            await _replace_storage(gate, extension_id, life.held_by, load.storage)
    return extension_id


async def _replace_storage(gate: Gate, extension_id: str, session_id: str, storage: dict[str, Any]) -> None:
    where = {"id": extension_id, "storageArea": "local"}
    await storage_command(gate, session_id, "Extensions.clearStorageItems", where)
    await storage_command(gate, session_id, "Extensions.setStorageItems", {**where, "values": storage})
