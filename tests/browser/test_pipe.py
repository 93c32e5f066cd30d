"""Messages are cut at NULs, however the reads fall."""

from __future__ import annotations

import pytest

from webmcp_e2e.browser.pipe import PipeReader

MESSAGES = [b"one", b"", b"three" * 100, b"4"]
STREAM = b"".join(message + b"\0" for message in MESSAGES)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100, len(STREAM)])
def test_any_cut_gives_the_same_messages(size: int) -> None:
    seen: list[bytes] = []
    reader = PipeReader(seen.append, lambda: None)

    for start in range(0, len(STREAM), size):
        reader.data_received(STREAM[start : start + size])

    assert seen == MESSAGES


def test_an_unfinished_message_waits() -> None:
    seen: list[bytes] = []
    reader = PipeReader(seen.append, lambda: None)

    reader.data_received(b"half")
    assert seen == []
    reader.data_received(b" and half\0")
    assert seen == [b"half and half"]
