"""What a failed test leaves behind: one folder that tells a reader elsewhere what happened."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from . import perfetto, sequence, timeline
from .events import Story, tell
from .recorder import Recording, lines
from .redaction import Redactor

SUMMARY: Final = "summary.json"
HOPS: Final = "hops.jsonl"
TIMELINE: Final = "timeline.html"
_WITHHELD: Final = "withheld: a secret was found in this file after it had been cleaned\n"


@dataclass(frozen=True)
class Facts:
    """Of the test: its id, how it ended, what it said, versions of what took part, the command that runs it again."""

    test: str
    outcome: str
    failure: str = ""
    rerun: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


def write_bundle(
    folder: Path,
    recording: Recording,
    facts: Facts,
    redactor: Redactor,
    logs: Mapping[str, Path] | None = None,
) -> Path:
    """Writes the bundle into ``folder``, beside what is there already (screenshots, ``trace.zip``).

    ``logs``: text files to take in, by the name that they get. Every text is free of secrets before it lands; a
    self-check looks for each again in what has landed, and withholds the file in which it finds one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clean = Facts(**redactor.value(asdict(facts)))
    for name, text in _texts(tell(recording), recording, clean):
        (folder / name).write_text(text, encoding="utf-8")
    _finish(folder, redactor, logs or {})
    return folder


def write_bare_bundle(
    folder: Path, facts: Facts, redactor: Redactor, logs: Mapping[str, Path] | None = None
) -> Path:
    """Writes what is known of a test whose hops were not recorded: no timeline, no calls. See ``write_bundle``."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = redactor.value(asdict(facts))
    (folder / SUMMARY).write_text(json.dumps(clean, indent=2, ensure_ascii=False), encoding="utf-8")
    (folder / "rerun.txt").write_text(f"{clean['rerun']}\n", encoding="utf-8")
    _finish(folder, redactor, logs or {})
    return folder


def _finish(folder: Path, redactor: Redactor, logs: Mapping[str, Path]) -> None:
    """Takes the logs in, cleans what stands there already, and looks for secrets once more."""
    for name, path in logs.items():
        if path.is_file():
            (folder / name).write_text(redactor.text(path.read_text(errors="replace")), encoding="utf-8")
    for archive in folder.glob("*.zip"):
        clean_archive(archive, redactor)
    withhold(folder, redactor)


def _texts(story: Story, recording: Recording, facts: Facts) -> Iterator[tuple[str, str]]:
    yield HOPS, lines(recording)
    line = _one_line(story, facts)
    yield TIMELINE, timeline.html(story, title=facts.test, facts=line, failure=facts.failure)
    yield "sequence.md", sequence.markdown(story, f"{facts.test}: {line}")
    yield "timeline.json", perfetto.trace_events(story)
    yield SUMMARY, json.dumps(_summary(story, facts), indent=2, ensure_ascii=False)
    yield "rerun.txt", f"{facts.rerun}\n"


def _one_line(story: Story, facts: Facts) -> str:
    open_ones = sum(not call.ended for call in story.calls)
    parts = [facts.outcome, f"{len(story.events)} events", f"{len(story.calls)} calls"]
    if open_ones:
        parts.append(f"{open_ones} never answered")
    if story.lost:
        parts.append(f"{story.lost} records lost")
    return ", ".join([*parts, *(f"{name} {version}" for name, version in facts.versions.items())])


def _summary(story: Story, facts: Facts) -> dict[str, Any]:
    calls = [{key: value for key, value in call.summary().items() if key != "steps"} for call in story.calls]
    return {**asdict(facts), "lost": story.lost, "calls": calls}


def clean_archive(archive: Path, redactor: Redactor) -> None:
    """Rewrites an archive (Playwright's trace) without secrets; members that are no text stay as they are."""
    fresh = archive.with_suffix(".clean")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            new.writestr(member.filename, _clean(old.read(member), redactor))
    shutil.move(fresh, archive)


def _clean(content: bytes, redactor: Redactor) -> bytes:
    try:
        return redactor.text(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def withhold(folder: Path, redactor: Redactor) -> list[Path]:
    """The self-check: files in which a secret still stands, in any disguise, are emptied; returns them."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and _holds_secret(path, redactor)]
    for path in found:
        path.write_text(_WITHHELD, encoding="utf-8")
    return found


def _holds_secret(path: Path, redactor: Redactor) -> bool:
    if path.suffix != ".zip":
        return redactor.found_in(path.read_bytes().decode("utf-8", "replace"))
    with zipfile.ZipFile(path) as archive:
        return any(
            redactor.found_in(archive.read(name).decode("utf-8", "replace")) for name in archive.namelist()
        )
