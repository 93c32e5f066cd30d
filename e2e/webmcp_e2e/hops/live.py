"""The hops of a browser that somebody works in, as lines in a terminal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from .events import Event, Story, tell
from .recorder import Recording

_TEXT: Final = 100
_LANE: Final = 26
_RED: Final = "\x1b[31m"
_DIM: Final = "\x1b[2m"
_PLAIN: Final = "\x1b[0m"
_REST: Final = 5.0
"""A look takes longer as the recording grows; so many times its length pass before the next."""
_LEAST_MS: Final = 250.0


class LiveHops:
    """Prints what is new at each ``show()``.

    Args:
        recording: gives everything so far, without secrets.
        words: only lines that hold each of them, in lane, kind or text; ``!word``: that do not hold it.
        write: takes one line.
        colour: whether trouble is red.
    """

    def __init__(
        self,
        recording: Callable[[], Recording],
        words: Sequence[str] = (),
        write: Callable[[str], object] = print,
        *,
        colour: bool = False,
    ) -> None:
        self._recording = recording
        self._wanted = [word.lower() for word in words if not word.startswith("!")]
        self._unwanted = [word[1:].lower() for word in words if word.startswith("!")]
        self._write = write
        self._colour = colour
        self._shown: Counter[Event] = Counter()

    def show(self) -> float:
        """Print what has come since; the milliseconds to wait before the next look."""
        began = time.monotonic()
        story = tell(self._recording())
        titles = {lane.id: lane.title for lane in story.lanes}
        for event in self._new(story):
            line = _line(event, titles.get(event.lane, event.lane))
            if self._is_wanted(line.lower()):
                self._write(self._coloured(line, event))
        return max(_LEAST_MS, (time.monotonic() - began) * 1000 * _REST)

    def _new(self, story: Story) -> list[Event]:
        """A batch may come late, with records that are earlier than what was printed: compared, not counted."""
        known = self._shown.copy()
        self._shown = Counter(map(_key, story.events))
        fresh = []
        for event in story.events:
            key = _key(event)
            if known[key]:
                known[key] -= 1
            else:
                fresh.append(event)
        return fresh

    def _is_wanted(self, line: str) -> bool:
        return all(word in line for word in self._wanted) and not any(word in line for word in self._unwanted)

    def _coloured(self, line: str, event: Event) -> str:
        if not self._colour:
            return line
        paint = _RED if event.trouble else _DIM if event.kind.startswith(("worker.", "nav")) else ""
        return f"{paint}{line}{_PLAIN}" if paint else line


def _key(event: Event) -> Event:
    """An event without what may still change: the call that it is found to belong to, and its payload."""
    return Event(event.t, event.lane, event.kind, event.text, 0, False, None)


def _line(event: Event, lane: str) -> str:
    clock = time.strftime("%H:%M:%S", time.localtime(event.t / 1000)) + f".{int(event.t % 1000):03d}"
    mark = "!" if event.trouble else " "
    text = _printable(event.text)
    cut = f"{text[: _TEXT - 1]}…" if len(text) > _TEXT else text
    return f"{clock} {mark} {_printable(lane)[:_LANE]:<{_LANE}} {event.kind:<13} {cut}".rstrip()


def _printable(text: str) -> str:
    """A page's text moves no cursor and changes no colour."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
