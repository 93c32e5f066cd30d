"""Pages, their frames and panels as the tap sees them: batches of their contexts, and what CDP tells anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .records import Lane, Parcel

if TYPE_CHECKING:
    from .tap import Event, Tap

_TEXT: Final = 4_000
_SOCKETS: Final = {
    "Network.webSocketCreated": "socket.new",
    "Network.webSocketFrameSent": "socket.out",
    "Network.webSocketFrameReceived": "socket.in",
    "Network.webSocketClosed": "socket.close",
}


class Documents:
    """Knows which session is which target's; several sessions may be one's."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap
        self._targets: dict[str, str] = {}
        self._shown: dict[str, str] = {}

    def attached(self, session_id: str, info: dict[str, Any]) -> None:
        """A session on a document."""
        self._targets[session_id] = info["targetId"]

    def knows(self, target: str) -> bool:
        """Whether there is a session on this target."""
        return target in self._targets.values()

    def received(self, session_id: str, text: str) -> None:
        """A batch came by the binding."""
        self._tap.recorder.parcel(Parcel(text, self._targets.get(session_id, session_id)))

    def target(self, event: Event) -> None:
        """Navigations, and the ends of documents."""
        if event.method == "Target.targetDestroyed":
            target, url = event.params["targetId"], ""
        else:
            info = event.params["targetInfo"]
            target, url = info["targetId"], info["url"]
            if info["type"] not in ("page", "iframe"):
                return
        if self._shown.get(target, "") != url:
            self._shown[target] = url
            self._tell(target, "navigate" if url else "closed", url=url)

    def saw(self, event: Event) -> None:
        """What a page's own session tells without any tap: console, errors, websockets, crashes."""
        target = self._targets.get(event.session_id)
        if target is None:
            return
        if event.method == "Runtime.consoleAPICalled":
            self._console(target, event.params)
        elif event.method == "Runtime.exceptionThrown":
            self._exception(target, event.params)
        elif event.method in _SOCKETS:
            self._socket(target, _SOCKETS[event.method], event.params)
        elif event.method == "Inspector.targetCrashed":
            self._tell(target, "error", message="the page's process crashed")

    def _console(self, target: str, params: dict[str, Any]) -> None:
        words = [str(arg.get("value", arg.get("description", arg["type"])))[:_TEXT] for arg in params["args"]]
        self._tell(target, "console", at=params["timestamp"], level=params["type"], data=words)

    def _exception(self, target: str, params: dict[str, Any]) -> None:
        details = params["exceptionDetails"]
        description = details.get("exception", {}).get("description") or details["text"]
        at = f"{details.get('url', '')}:{details.get('lineNumber', 0) + 1}"
        self._tell(target, "error", at=params["timestamp"], message=str(description)[:_TEXT], place=at)

    def _socket(self, target: str, kind: str, params: dict[str, Any]) -> None:
        frame = params.get("response", {}).get("payloadData", "")
        more = {"url": params["url"]} if "url" in params else {"data": frame[:_TEXT]} if frame else {}
        self._tell(target, kind, socket=params["requestId"], **more)

    def _tell(self, target: str, kind: str, at: float | None = None, **more: Any) -> None:
        lane = Lane(f"page:{target}", "page", f"page {target[:4].lower()}")
        self._tap.recorder.add(lane, kind, at, **more)
