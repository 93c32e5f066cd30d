"""The hops of one test: what is recorded, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from .calls import Call, find_calls
from .outside import ClientTap, tape_reader
from .recorder import Recorder, Recording
from .redaction import Redactor
from .tap import Tap

Mode = Literal["on", "off", "retain-on-failure"]


class Hops:
    """``.active``, ``.recording()``, ``.calls()``; switched off it records nothing and puts nothing anywhere."""

    def __init__(self, mode: Mode, folder: Path, secrets: Iterable[str] = ()) -> None:
        self.mode: Mode = mode
        self.recorder = Recorder(Redactor(secrets))
        self._folder = folder
        self._tapes = 0

    @property
    def active(self) -> bool:
        """Whether anything is recorded."""
        return self.mode != "off"

    def tap(self) -> Tap | None:
        """A tap for a browser that is about to be launched."""
        return Tap(self.recorder) if self.active else None

    def follow(self, hook: object) -> None:
        """A browser that was launched for another test: its tap records into this one's from now on."""
        if isinstance(hook, Tap):
            hook.recorder = self.recorder

    def client(self, name: str = "") -> ClientTap | None:
        """A listener for an MCP client."""
        return ClientTap(self.recorder, name) if self.active else None

    def tape(self, name: str = "") -> list[str]:
        """Flags that make our relay write down its side; none when switched off."""
        if not self.active:
            return []
        self._tapes += 1
        path = self._folder / f"relay-{self._tapes}.tape"
        self.recorder.source(tape_reader(path, name))
        return ["--record", str(path)]

    def recording(self) -> Recording:
        """Everything so far, in the order of time, without secrets."""
        return self.recorder.recording()

    def calls(self) -> list[Call]:
        """Each call of a tool so far, with its way over all hops."""
        return find_calls(self.recording().records)
