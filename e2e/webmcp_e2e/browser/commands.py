"""The gate's own commands, in their own range of ids beside Playwright's."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

from .cdp import OWN_IDS_FROM, encode_command
from .errors import CdpError, HarnessError, HarnessTimeout


class OwnCommands:
    """Sends commands and matches their answers; lives on the gate's loop."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.failure: HarnessError | None = None
        self._write = write
        self._ids = itertools.count(OWN_IDS_FROM)
        self._pending: dict[int, tuple[str, asyncio.Future[dict[str, Any]]]] = {}

    def post(self, method: str, params: dict[str, Any], session_id: str = "") -> None:
        """Sends a command whose answer nobody needs."""
        self._write(encode_command(next(self._ids), method, params, session_id))

    async def send(
        self, method: str, params: dict[str, Any] | None, session_id: str, timeout: float
    ) -> dict[str, Any]:
        """Chromium's result. Raises ``CdpError``, ``HarnessTimeout``, or why Chromium has gone."""
        if self.failure is not None:
            raise self.failure
        number = next(self._ids)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[number] = (session_id, future)
        self._write(encode_command(number, method, params, session_id))
        try:
            return _result(method, await asyncio.wait_for(future, timeout))
        except TimeoutError:
            raise HarnessTimeout(f"Chromium did not answer {method} within {timeout:g} s.") from None
        finally:
            self._pending.pop(number, None)

    def answered(self, number: int, message: bytes) -> None:
        """Takes the answer of one of these commands."""
        pending = self._pending.get(number)
        if pending is not None and not pending[1].done():
            pending[1].set_result(json.loads(message))

    def session_ended(self, session_id: str) -> None:
        """Ends the commands of a session that will never answer."""
        self._end(CdpError("the target went away before it answered."), session_id)

    def fail(self, error: HarnessError) -> None:
        """Ends every command, present and future."""
        self.failure = error
        self._end(error)

    def _end(self, error: HarnessError, session_id: str | None = None) -> None:
        for owner, future in self._pending.values():
            if session_id in (None, owner) and not future.done():
                future.set_exception(error)


def _result(method: str, answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        raise CdpError(f"{method}: {answer['error'].get('message')}")
    result: dict[str, Any] = answer["result"]
    return result
