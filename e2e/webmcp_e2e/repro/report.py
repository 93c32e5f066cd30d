"""A report that somebody sends: page files, steps in TOML, and perhaps an extension or Python that needs trust."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails


class ReportError(ValueError):
    """The report cannot be run as it is; the message says what to change."""

    code = "bad_report"


class _Step(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Goto(_Step):
    """Shows a file of the report's pages, or a URL."""

    goto: str


class CallTool(_Step):
    """Calls a tool of the page; ``text``: its first text, ``error``: the code that it has to end with."""

    call: str
    args: dict[str, Any] = Field(default_factory=dict)
    via: Literal["relay", "panel"] = "relay"
    text: str | None = None
    error: str | None = None


class Expect(_Step):
    """Waits until the MCP client lists ``tools`` and none of ``without``."""

    tools: list[str] = Field(default_factory=list)
    without: list[str] = Field(default_factory=list)


class Recycle(_Step):
    """Ends the host's worker."""

    recycle: Literal["stop", "idle", "reload", "restart"]


class Click(_Step):
    """Clicks an element of the page (CSS)."""

    click: str


class Move(_Step):
    """Moves in the page's history, or loads it again."""

    move: Literal["back", "forward", "reload"]


class RestartRelay(_Step):
    """Kills the relay and starts it again."""

    restart_relay: Literal[True]


class Executions(_Step):
    """How often the page's tools have run in all; only tools that are ``journaled`` count."""

    executions: int


_KINDS: Final[tuple[type[_Step], ...]] = (
    Goto,
    CallTool,
    Expect,
    Recycle,
    Click,
    Move,
    RestartRelay,
    Executions,
)
Step: TypeAlias = Goto | CallTool | Expect | Recycle | Click | Move | RestartRelay | Executions


class _Head(_Step):
    title: str
    url: str = ""
    runtime: Literal["native", "polyfill"] = "native"
    pages: str = ""
    extension: str = ""
    python: str = ""


class _File(_Step):
    report: _Head
    step: list[Annotated[Step, Field(union_mode="left_to_right")]] = Field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """``pages``, ``extension``: folders · ``python``: a pytest file in place of steps."""

    title: str
    folder: Path
    steps: list[Step]
    runtime: str = "native"
    pages: Path | None = None
    extension: Path | None = None
    python: Path | None = None

    def untrusted(self) -> Iterator[Path]:
        """The files that would run outside a page's sandbox."""
        if self.python is not None:
            yield self.python
        if self.extension is not None:
            yield from sorted(path for path in self.extension.rglob("*") if path.is_file())


def load_report(path: Path) -> Report:
    """Reads ``report.toml``, or the folder in which it is. Raises ``ReportError``."""
    file = path / "report.toml" if path.is_dir() else path
    try:
        parsed = TypeAdapter(_File).validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise ReportError(f"{file} cannot be read ({error.strerror}). Give the folder of a report.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise ReportError(f"{file}: {_words(error)}. docs/debugging.md lists the steps.") from None
    head, folder = parsed.report, file.parent
    report = Report(
        title=head.title,
        folder=folder,
        steps=parsed.step,
        runtime=head.runtime,
        pages=_inside(folder, head.pages),
        extension=_inside(folder, head.extension),
        python=_inside(folder, head.python),
    )
    if not report.steps and report.python is None:
        raise ReportError(f"{file} has no [[step]]. Add one, or name a python file; --new NAME shows how.")
    return report


def _words(error: UnicodeDecodeError | tomllib.TOMLDecodeError | ValidationError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    errors = error.errors()
    place = errors[0]["loc"]
    if place[0] == "step" and len(place) > 1:
        return f"step {int(place[1]) + 1} {_words_of_step([one for one in errors if one['loc'][:2] == place[:2]])}"
    return f"{'.'.join(map(str, place))}: {errors[0]['msg']}"


def _words_of_step(errors: list[ErrorDetails]) -> str:
    """A step fits none of the kinds: what is wrong with the one that it was meant to be, or that it is none."""
    given = next((one["input"] for one in errors if isinstance(one["input"], dict)), {})
    kind = max(_KINDS, key=lambda kind: len(given.keys() & kind.model_fields.keys()))
    if not given.keys() & kind.model_fields.keys():
        return f"is none of {', '.join(next(iter(kind.model_fields)) for kind in _KINDS)}"
    [first, *_] = [one for one in errors if one["loc"][2] == kind.__name__]
    return f"has {'.'.join(map(str, first['loc'][3:]))} wrong: {first['msg']}"


def _inside(folder: Path, name: str) -> Path | None:
    """A path of the report, which has to stay in its folder."""
    if not name:
        return None
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.exists():
        raise ReportError(f"{name!r} is not in {folder}. A report's files stay in its own folder.")
    return path
