"""A peer of the relay that never answers a ping."""

from __future__ import annotations

import json
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol


class MuteSource(threading.Thread):
    """A source that says hello and never pongs; keeps when its pings came and how it ended."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.pings: list[float] = []
        self.ended: tuple[int, float] | None = None

    def run(self) -> None:
        origin = Origin("chrome-extension://mutemutemutemutemutemutemutemute")
        with connect(
            f"ws://127.0.0.1:{self._port}/",
            origin=origin,
            subprotocols=[Subprotocol("webmcp.v1")],
            ping_interval=None,
        ) as socket:
            began = time.monotonic()
            socket.send(json.dumps({"type": "hello", "tabId": "mute"}))
            try:
                for message in socket:
                    if json.loads(message)["type"] == "ping":
                        self.pings.append(time.monotonic() - began)
            except ConnectionClosed:
                pass
            self.ended = (socket.close_code or 0, time.monotonic() - began)
