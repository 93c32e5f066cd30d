"""Calls on their way to a source: deadline, cancel, the wait for a source that is expected back.

Callbacks instead of tasks: a call costs two dictionary entries and one timer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, TypeAlias

from webmcp_e2e.contract import LIMITS, Executed
from webmcp_e2e.relay.jsonio import JsonObject, encode
from webmcp_e2e.relay.registry import Link, Source
from webmcp_e2e.relay.results import error_result, tool_result
from webmcp_e2e.relay.wire import Cancel

Done: TypeAlias = Callable[[JsonObject], None]
"""Gets the MCP tool result of a call, once; never after a cancel."""

_log = logging.getLogger("webmcp_relay.calls")


class Call:
    """One call of a page's tool. `link` is the socket it was sent on; `None` while it waits for one."""

    __slots__ = ("call_id", "data", "done", "link", "origin", "source", "timer", "tool")

    def __init__(self, call_id: str, source: Source, tool: str, data: bytes, done: Done) -> None:
        self.call_id = call_id
        self.source = source
        self.tool = tool
        self.data = data
        self.done = done
        self.origin = source.hello.origin
        self.link: Link | None = None
        self.timer: asyncio.TimerHandle | None = None


class CallTable:
    """The calls in flight of one relay.

    Args:
        deadline: seconds until a call ends as ``timeout``.
        prefix: makes call ids differ between relay processes.
    """

    def __init__(self, deadline: float, prefix: str) -> None:
        self._deadline = deadline
        self._prefix = prefix
        self._numbers = count(1)
        self._calls: dict[str, Call] = {}

    def start(self, source: Source, tool: str, args: JsonObject, done: Done) -> Call | None:
        """Send a call, or keep it for a source that is expected back; `None` if it has already ended."""
        call_id = f"{self._prefix}-{next(self._numbers)}"
        data = encode({"type": "invoke", "callId": call_id, "toolName": tool, "args": args})
        if len(data) > LIMITS["args"] and len(encode(args)) > LIMITS["args"]:
            what = f"the arguments have more than {LIMITS['args']} bytes"
            done(error_result("too_large", "no", what, "Send less in one call."))
            return None
        call = Call(call_id, source, tool, data, done)
        call.timer = asyncio.get_running_loop().call_later(self._deadline, self._expire, call)
        self._calls[call_id] = call
        self._send(call)
        return call

    def settle(self, link: Link, call_id: Any, result: Any) -> None:
        """A source answered. An answer that nobody waits for, or from another socket, is dropped."""
        call = self._calls.get(call_id) if isinstance(call_id, str) else None
        if call is None or call.link is not link:
            _log.debug("a result for call %r, which is not in flight there, is dropped", call_id)
            return
        self._end(call, tool_result(result))

    def cancel(self, call: Call) -> None:
        """Nobody waits for `call` any more: the page is told, and no result will be given."""
        if self._forget(call):
            self._tell_cancelled(call)

    def source_listed(self, source: Source) -> None:
        """`source` has told its tools: waiting calls that it can take are sent."""
        for call in self._of(source):
            self._send(call)

    def site_changed(self, source: Source) -> None:
        """The tab shows another site: a call that waited for the old one must not reach it."""
        what = "the tab went to another site before the call was sent"
        for call in self._of(source):
            if call.link is None and call.origin != source.hello.origin:
                self._end(call, _disconnected("no", what))

    def link_lost(self, link: Link) -> None:
        """A socket fell: what was sent on it may or may not have run, and is never sent again."""
        what = "the connection to the page's browser fell while the tool ran"
        for call in list(self._calls.values()):
            if call.link is link:
                self._end(call, _disconnected("unknown", what))

    def source_gone(self, source: Source) -> None:
        """`source` has ended, or its grace has: what waited for it was never sent."""
        what = "the tab did not come back with this tool"
        for call in self._of(source):
            if call.link is None:
                self._end(call, _disconnected("no", what))

    def waits_for(self, source: Source) -> bool:
        """Whether a call waits for `source` to come back."""
        return any(call.link is None for call in self._of(source))

    def _of(self, source: Source) -> list[Call]:
        return [call for call in self._calls.values() if call.source is source]

    def _send(self, call: Call) -> None:
        source = call.source
        if call.link is None and call.origin == source.hello.origin and source.offers(call.tool):
            call.link = source.link
            assert call.link is not None
            call.link.send(call.data)
            call.data = b""

    def _forget(self, call: Call) -> bool:
        if self._calls.pop(call.call_id, None) is None:
            return False
        if call.timer is not None:
            call.timer.cancel()
        return True

    def _end(self, call: Call, result: JsonObject) -> None:
        if self._forget(call):
            call.done(result)

    def _expire(self, call: Call) -> None:
        self._tell_cancelled(call)
        what = f"no answer within {self._deadline:g} s"
        executed: Executed = "no" if call.link is None else "unknown"
        self._end(call, error_result("timeout", executed, what, "Check what the tool did before you repeat."))

    @staticmethod
    def _tell_cancelled(call: Call) -> None:
        if call.link is not None:
            call.link.send(Cancel(callId=call.call_id).encoded())


def _disconnected(executed: Executed, what: str) -> JsonObject:
    mend = "Check what the tool did before you repeat."
    if executed == "no":
        mend = "The tool did not run. Look at webmcp_list_sources, then call again."
    return error_result("source_disconnected", executed, what, mend)
