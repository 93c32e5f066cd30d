"""``chrome.storage`` of an extension from outside: its worker is neither woken nor attached to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from .errors import CdpError

if TYPE_CHECKING:
    from .extension import Extension
    from .gate import Gate

StorageArea = Literal["local", "session", "sync", "managed"]
"""The areas of ``chrome.storage``."""

_WAIT: Final = 10.0
_RETRY_SECONDS: Final = 0.005
_NOT_YET: Final = "Extension not found"


class Storage:
    """Reads and writes; each call opens a hidden document of the extension for its moment."""

    def __init__(self, extension: Extension) -> None:
        self._extension = extension

    def get(self, key: str, area: StorageArea = "local") -> Any:
        """The value under ``key``, none when there is none."""
        return self._call(area, "get", key).get(key)

    def set(self, values: Mapping[str, Any], area: StorageArea = "local") -> None:
        """Writes JSON values."""
        self._call(area, "set", dict(values))

    def remove(self, key: str, area: StorageArea = "local") -> None:
        """Removes ``key``."""
        self._call(area, "remove", key)

    def _call(self, area: StorageArea, verb: str, argument: object) -> Any:
        document = f"chrome-extension://{self._extension.id}/manifest.json"
        script = f"chrome.storage.{area}.{verb}({json.dumps(argument)})"
        return self._extension.browser.evaluate_in_hidden(document, script)


async def storage_command(gate: Gate, session_id: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Sends a storage command on a session of the extension's worker: the only one that Chromium takes it
    from, and only once the worker's process is known to be the extension's."""
    until = asyncio.get_running_loop().time() + _WAIT
    while True:
        try:
            return await gate.command(method, params, session_id=session_id)
        except CdpError as error:
            if _NOT_YET not in str(error) or asyncio.get_running_loop().time() > until:
                raise
        await asyncio.sleep(_RETRY_SECONDS)
