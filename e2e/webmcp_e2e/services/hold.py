"""A pause in a service's answer that the test ends."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future


class Hold:
    """The service says nothing until ``release()``; never released, it stalls until the client leaves."""

    def __init__(self) -> None:
        self.reached = False
        self._free: Future[None] = Future()

    @property
    def released(self) -> bool:
        """Whether it holds no longer; also true when the client left meanwhile."""
        return self._free.done()

    def release(self) -> None:
        """Lets the service go on."""
        if not self._free.done():
            self._free.set_result(None)

    async def wait(self) -> None:
        """Waits for ``release``; for the server."""
        self.reached = True
        await asyncio.wrap_future(self._free)
