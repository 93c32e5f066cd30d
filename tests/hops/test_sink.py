"""Where workers' records arrive: nobody else can put anything there."""

from __future__ import annotations

import asyncio
import threading
from urllib.parse import urlsplit

import pytest

from webmcp_e2e.hops.sink import Sink

BODY = b'{"context": "w"}'


async def ask(port: int, request: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode() + BODY)
    answer = await reader.readline()
    writer.close()
    return answer


async def one_request(change: str) -> tuple[bytes, list[tuple[str, bytes]]]:
    received: list[tuple[str, bytes]] = []
    sink = Sink(lambda sender, body: received.append((sender, body)))
    await sink.open()
    url = urlsplit(sink.url("T1"))
    assert url.port is not None
    path = "/guessed/T1" if change == "path" else url.path
    host = "rebound.example" if change == "host" else url.netloc
    method = "GET" if change == "method" else "POST"
    length = 10**9 if change == "length" else len(BODY)
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n"
    answer = await ask(url.port, head)
    sink.close()
    return answer, received


def in_a_loop_of_its_own(change: str) -> tuple[bytes, list[tuple[str, bytes]]]:
    """Another test of this process may have left Playwright's loop running in this thread."""
    found: list[tuple[bytes, list[tuple[str, bytes]]]] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(one_request(change))))
    thread.start()
    thread.join(30)
    return found[0]


def test_a_batch_arrives_with_its_senders_name() -> None:
    assert in_a_loop_of_its_own("") == (b"HTTP/1.1 204 No Content\r\n", [("T1", BODY)])


@pytest.mark.parametrize("change", ["path", "host", "method", "length"])
def test_anything_else_is_refused(change: str) -> None:
    assert in_a_loop_of_its_own(change) == (b"HTTP/1.1 404 Not Found\r\n", [])
