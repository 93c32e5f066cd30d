"""The door by itself: who gets in, and that nobody else does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from webmcp_e2e.browser.door import Door

WAIT_S = 10


class Events:
    """Notes what the door tells."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.gone = asyncio.Event()
        self.arrived = asyncio.Event()

    def client_message(self, message: bytes) -> None:
        self.messages.append(message)
        self.arrived.set()

    def client_gone(self) -> None:
        self.gone.set()

    def client_slow(self, slow: bool) -> None:
        self.slow = slow


async def open_door() -> tuple[Door, Events]:
    events = Events()
    door = Door(events)
    await door.open()
    return door, events


def test_the_one_client_speaks_and_hears() -> None:
    async def act() -> None:
        door, events = await open_door()
        async with connect(door.endpoint, proxy=None, max_size=None) as client:
            await client.send("grüße")
            await asyncio.wait_for(events.arrived.wait(), WAIT_S)
            assert events.messages == ["grüße".encode()]
            door.send(b"x" * 3_000_000)
            assert len(await asyncio.wait_for(client.recv(), WAIT_S)) == 3_000_000
        await asyncio.wait_for(events.gone.wait(), WAIT_S)

    asyncio.run(act())


def test_a_message_in_fragments_arrives_whole() -> None:
    async def act() -> None:
        door, events = await open_door()
        async with connect(door.endpoint, proxy=None) as client:
            await client.send(["one ", "two ", "three"])
            await asyncio.wait_for(events.arrived.wait(), WAIT_S)
            assert events.messages == [b"one two three"]

    asyncio.run(act())


@pytest.mark.parametrize(
    "options",
    [
        {"origin": "http://localhost"},
        {"origin": "null"},
        {"additional_headers": {"Host": "evil.example"}},
    ],
)
def test_strangers_are_refused_and_the_door_stays_open(options: dict[str, Any]) -> None:
    async def act() -> None:
        door, _ = await open_door()
        with pytest.raises((InvalidStatus, InvalidMessage)):
            await connect(door.endpoint, proxy=None, **options)
        assert door.listening
        async with connect(door.endpoint, proxy=None):
            assert not door.listening

    asyncio.run(act())


def test_a_second_client_that_was_already_at_the_door_is_dropped() -> None:
    async def act() -> None:
        door, _ = await open_door()
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(b"GET / HTTP/1.1\r\n")
        async with connect(door.endpoint, proxy=None):
            with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                await asyncio.wait_for(reader.readexactly(1), WAIT_S)
        writer.close()

    asyncio.run(act())


def test_what_was_sent_before_the_end_still_arrives() -> None:
    async def act() -> None:
        door, _ = await open_door()
        async with connect(door.endpoint, proxy=None) as client:
            door.send(b"last words")
            door.close()
            assert await asyncio.wait_for(client.recv(), WAIT_S) == "last words"
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(client.recv(), WAIT_S)

    asyncio.run(act())
