"""An answer of a model as it streams: piece by piece, at a rate, held, failing or cut."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from aiohttp import web

from .hold import Hold
from .llm_script import Cut, Fail, LlmRequest, Piece, ScriptedReply, ToolCall, tokens
from .llm_wire import Encoder, cors_headers

_SSE: Final = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store"}


async def stream(
    http: web.Request, request: LlmRequest, encoder: Encoder, reply: ScriptedReply, pieces: Iterable[Piece]
) -> web.StreamResponse:
    """Says the pieces to the client, at the reply's rate, until the answer's end, an error or a cut."""
    response = web.StreamResponse(headers={**_SSE, **cors_headers(request.headers)})
    await response.prepare(http)
    speaker = _Speaker(response, encoder, reply.rate)
    await speaker.send(encoder.begin())
    try:
        for piece in pieces:
            await speaker.say(piece)
    except _StreamOver:
        pass
    except _ConnectionCut:
        request.outcome = "answered"
        _break(http)
        return response
    else:
        await speaker.send(encoder.end(reply.finish))
    await response.write_eof()
    request.outcome = "answered"
    return response


class _StreamOver(Exception):
    """An error event was the last one."""


class _ConnectionCut(Exception):
    """The connection is to break now."""


def _break(http: web.Request) -> None:
    """Closes what is said so far without the body's end; an abort could take back what is still on its way."""
    if http.transport is not None:
        http.transport.close()


class _Speaker:
    """Says pieces at the wanted rate."""

    def __init__(self, response: web.StreamResponse, encoder: Encoder, rate: float | None) -> None:
        self._response = response
        self._encoder = encoder
        self._pause = 0.0 if rate is None else 1 / rate
        self._next_at = asyncio.get_running_loop().time()

    async def send(self, events: Iterable[bytes]) -> None:
        for event in events:
            await self._response.write(event)

    async def say(self, piece: Piece) -> None:
        match piece:
            case str():
                for word in tokens(piece):
                    await self._keep_time()
                    await self.send(self._encoder.text(word))
            case ToolCall():
                await self.send(self._encoder.tool_call(piece))
            case Hold():
                await piece.wait()
                self._next_at = asyncio.get_running_loop().time()
            case Fail():
                await self.send(self._encoder.fail(piece))
                raise _StreamOver
            case Cut():
                raise _ConnectionCut

    async def _keep_time(self) -> None:
        """Paces by the clock, not by the pause, so that slow writing does not lower the rate."""
        if not self._pause:
            return
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._next_at - loop.time()))
        self._next_at += self._pause
