"""An aiohttp application on a loopback port of its own, served by a thread, so that the test's thread may block."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from aiohttp import web
from anyio.from_thread import BlockingPortal, start_blocking_portal

_LOOPBACK = "127.0.0.1"
_SHUTDOWN_SECONDS = 0.2


class LoopbackService:
    """Serves ``self.application()`` while entered, on ``port`` or, with 0, on one of the system's choice.

    A handler is cancelled when its client leaves, so that a service can tell who left.
    """

    def __init__(self, port: int = 0) -> None:
        self._wanted_port = port
        self._port: int | None = None
        self._portal: BlockingPortal | None = None
        self._portal_cm: AbstractContextManager[BlockingPortal] | None = None
        self._runner: web.AppRunner | None = None

    def application(self) -> web.Application:
        """The routes to serve."""
        raise NotImplementedError

    def start(self) -> Self:
        """Starts serving; returns itself. Raises OSError where the wanted port is taken."""
        self._portal_cm = start_blocking_portal("asyncio")
        self._portal = self._portal_cm.__enter__()
        try:
            self._port = self._portal.call(self._serve)
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Stops serving and ends what is still being answered; idempotent."""
        portal, portal_cm, runner = self._portal, self._portal_cm, self._runner
        self._portal = self._portal_cm = self._runner = None
        if portal is not None and runner is not None:
            portal.call(runner.cleanup)
        if portal_cm is not None:
            portal_cm.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port it listens on."""
        if self._port is None:
            raise RuntimeError(
                f"{type(self).__name__} is not running. Use it in a with block, or call start()."
            )
        return self._port

    @property
    def origin(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://{_LOOPBACK}:{self.port}"

    async def _serve(self) -> int:
        self._runner = web.AppRunner(
            self.application(),
            access_log=None,
            shutdown_timeout=_SHUTDOWN_SECONDS,
            handler_cancellation=True,
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, _LOOPBACK, self._wanted_port).start()
        port: int = self._runner.addresses[0][1]
        return port
