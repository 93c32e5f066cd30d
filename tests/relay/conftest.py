from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from relay_support import RunningRelay, StartRelay

from webmcp_e2e.relay.relay import Relay, RelayOptions
from webmcp_e2e.relay.timings import Timings


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def start_relay() -> AsyncIterator[StartRelay]:
    """Starts relays on free ports; durations are given in milliseconds by name."""
    started: list[Relay] = []

    async def start(*, timings: dict[str, float] | None = None, **options: Any) -> RunningRelay:
        options.setdefault("ports", [0])
        relay = RunningRelay(RelayOptions(timings=Timings(timings), **options))
        await relay.start()
        started.append(relay)
        return relay

    yield start
    for relay in started:
        await relay.stop()


@pytest.fixture
async def relay(start_relay: StartRelay) -> RunningRelay:
    return await start_relay()
