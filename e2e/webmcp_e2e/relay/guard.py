"""Who may open a websocket: Host and Origin are judged at the handshake, before any data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers

from webmcp_e2e.relay.wire import BROWSER_PROTOCOL, DISCOVERY_PROTOCOL, RELAY_PROTOCOL

EXTENSION_ORIGINS: Final = "chrome-extension://*"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class Refused(Exception):
    """The handshake is refused; `status` and the message are what the client gets."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Admission:
    """A handshake that may go on. `origin` is the real one; `None` only for a relay that joins."""

    origin: str | None
    subprotocol: str


class Guard:
    """Judges handshakes.

    Args:
        allowed: origins beside extensions; ``*`` in one stands for any text (``https://*.example.com``).
    """

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._allowed = (EXTENSION_ORIGINS, *allowed)

    def admit(self, headers: Headers, port: int) -> Admission:
        """Judge a handshake that came in on `port`.

        Raises:
            Refused: with the status and a sentence that says what to do.
        """
        self._check_host(headers.get_all("Host"), port)
        origins = headers.get_all("Origin")
        if len(origins) > 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "Send one Origin header.")
        origin = origins[0] if origins else None
        if origin is not None and not self.allows(origin):
            mend = f"Start the relay with --allow-origin {origin} if it is yours."
            raise Refused(HTTPStatus.FORBIDDEN, f"Origin {origin!r} is not allowed. {mend}")
        if headers.get("Upgrade", "").lower() != "websocket":
            raise Refused(HTTPStatus.UPGRADE_REQUIRED, "Here is a WebMCP relay; speak WebSocket.")
        return Admission(origin, _choose(origin, headers.get_all("Sec-WebSocket-Protocol")))

    def allows(self, origin: str) -> bool:
        """Whether `origin` is an extension or one that ``--allow-origin`` names."""
        return any(fnmatchcase(origin, pattern) for pattern in self._allowed)

    def allows_hello(self, real_origin: str, hello_origin: str | None) -> bool:
        """Whether a socket of `real_origin` may speak for a page of `hello_origin`.

        An extension may speak for any page; a page's own socket only for allowed ones.
        """
        if fnmatchcase(real_origin, EXTENSION_ORIGINS):
            return True
        return hello_origin is not None and self.allows(hello_origin)

    @staticmethod
    def _check_host(hosts: list[str], port: int) -> None:
        """A foreign name in Host means that somebody's DNS points at us (DNS rebinding)."""
        legal = {f"{name}:{port}" for name in _LOOPBACK}
        if len(hosts) != 1 or hosts[0].lower() not in legal:
            raise Refused(HTTPStatus.FORBIDDEN, f"Connect to 127.0.0.1:{port}, not to {hosts!r}.")


def _choose(origin: str | None, offers: list[str]) -> str:
    """The first subprotocol offered that this kind of client may speak."""
    offered = [name.strip() for offer in offers for name in offer.split(",")]
    speaks = (RELAY_PROTOCOL,) if origin is None else (BROWSER_PROTOCOL, DISCOVERY_PROTOCOL)
    for name in offered:
        if name in speaks:
            return name
    who = "A client without an Origin" if origin is None else "A browser"
    status = HTTPStatus.FORBIDDEN if origin is None else HTTPStatus.BAD_REQUEST
    raise Refused(status, f"{who} must offer the subprotocol {' or '.join(speaks)}.")
