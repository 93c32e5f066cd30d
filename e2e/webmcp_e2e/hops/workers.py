"""Service workers as the tap sees them: their generations, and whose batches are whose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from .records import Lane, Parcel

if TYPE_CHECKING:
    from .tap import Event, Tap

_SCHEME: Final = "chrome-extension"


class Workers:
    """Counts as Chromium does: each new target of an extension's worker is its next generation."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap
        self._generations: dict[str, int] = {}
        self._places: dict[str, tuple[str, int]] = {}
        self._running: set[str] = set()

    def target(self, event: Event) -> None:
        """A target came or went."""
        if event.method == "Target.targetDestroyed":
            self._stopped(event.params["targetId"])
        elif event.method in ("Target.targetCreated", "Target.attachedToTarget"):
            info = event.params["targetInfo"]
            if info["type"] == "service_worker":
                self._started(info)

    def received(self, target: str, body: bytes) -> None:
        """A batch came to the sink, from the tap that was made for this target."""
        extension, generation = self._places.get(target, ("", 0))
        self._tap.recorder.parcel(Parcel(body.decode("utf-8", "replace"), target, extension, generation))

    def _started(self, info: dict[str, Any]) -> None:
        target = info["targetId"]
        if target in self._places:
            return
        parts = urlsplit(info["url"])
        owner = parts.netloc if parts.scheme == _SCHEME else f"{parts.scheme}://{parts.netloc}"
        generation = self._generations[owner] = self._generations.get(owner, 0) + 1
        self._places[target] = (owner, generation)
        self._running.add(target)
        self._tap.recorder.add(_lane(owner), "worker.start", generation=generation)

    def _stopped(self, target: str) -> None:
        if target in self._running:
            self._running.discard(target)
            owner, generation = self._places[target]
            self._tap.recorder.add(_lane(owner), "worker.stop", generation=generation)


def _lane(owner: str) -> Lane:
    return Lane(f"worker:{owner}", "worker", "worker", owner)
