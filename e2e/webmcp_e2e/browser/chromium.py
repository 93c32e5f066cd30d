"""Which Chromium to run, its profile, and the command line it is started with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .errors import ChromiumNotFound

CHROMIUM_VARIABLE: Final = "WEBMCP_CHROMIUM"
"""Environment variable that names the Chromium binary."""

_FORGET_AT_RESTART: Final = 0x8000
"""Bit of an extension's ``creation_flags`` with which Chromium drops it at the next start (measured, 150 and 156)."""

_SYSTEM_COMMANDS: Final = ("chromium", "chromium-browser", "google-chrome-for-testing")
_MAC_APPLICATION: Final = Path("/Applications/Chromium.app/Contents/MacOS/Chromium")


@dataclass(frozen=True)
class ChromiumBinary:
    """A Chromium executable and its version, for example ``"156.0.8078.114"``."""

    path: Path
    version: str

    @property
    def major(self) -> int:
        """The milestone, for example ``156``."""
        return int(self.version.split(".")[0])


def find_chromium(explicit: Path | None = None) -> ChromiumBinary:
    """The first Chromium that runs: ``explicit``, ``$WEBMCP_CHROMIUM``, Playwright's own, the system's.

    A path given by hand is never replaced by another one: if it does not run, that is the error.
    Raises ``ChromiumNotFound``.
    """
    given = explicit or _from_environment()
    if given is not None:
        return _probe(given)
    tried: list[str] = []
    for candidate in _candidates():
        try:
            return _probe(candidate)
        except ChromiumNotFound as error:
            tried.append(str(error))
    raise ChromiumNotFound(
        "no Chromium was found. Install one (`playwright install chromium`, or as root the system package "
        f"`chromium`), or name it with --webmcp-chromium or ${CHROMIUM_VARIABLE}. " + " ".join(tried)
    )


def _from_environment() -> Path | None:
    value = os.environ.get(CHROMIUM_VARIABLE)
    return Path(value) if value else None


def _candidates() -> Iterator[Path]:
    yield from _playwright_binaries()
    for command in _SYSTEM_COMMANDS:
        found = shutil.which(command)
        if found:
            yield Path(found)
    if _MAC_APPLICATION.exists():
        yield _MAC_APPLICATION


def playwright_caches() -> Iterator[Path]:
    """Where Playwright keeps what it downloads; not all need exist."""
    caches = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH"),
        "~/.cache/ms-playwright",
        "~/Library/Caches/ms-playwright",
    ]
    yield from (Path(cache).expanduser() for cache in caches if cache)


def _playwright_binaries() -> Iterator[Path]:
    """Chromium builds in Playwright's cache, newest first, found without starting its driver."""
    layouts = ("chrome-linux*/chrome", "chrome-mac*/Chromium.app/Contents/MacOS/Chromium")
    for root in playwright_caches():
        builds = sorted(root.glob("chromium-[0-9]*"), key=_build_number, reverse=True)
        yield from (binary for build in builds for layout in layouts for binary in build.glob(layout))


def _build_number(folder: Path) -> int:
    return int(folder.name.partition("-")[2])


def _probe(path: Path) -> ChromiumBinary:
    binary = _behind_wrapper(path)
    try:
        answer = subprocess.run(
            [binary, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ChromiumNotFound(
            f"{path} does not run ({error}). Name another with --webmcp-chromium."
        ) from None
    version = re.search(r"\d+(?:\.\d+){3}", answer.stdout)
    if version is None:
        raise ChromiumNotFound(_no_version(path, answer))
    return ChromiumBinary(binary, version.group())


def _no_version(path: Path, answer: subprocess.CompletedProcess[str]) -> str:
    missing = re.search(r"shared librar\w+: (\S+?):? ", answer.stderr)
    if missing:
        return (
            f"{path} lacks the library {missing[1]}. Install the system package that has it; "
            "`playwright install-deps chromium`, as root, installs all that Chromium needs."
        )
    said = (answer.stdout.strip() or answer.stderr.strip()).partition("\n")[0]
    return f"{path} is no Chromium (it said {said[:200]!r}). Name another one with --webmcp-chromium."


def _behind_wrapper(path: Path) -> Path:
    """The real binary behind a distribution's shell wrapper, whose own start costs time and prints warnings."""
    real = path.resolve()
    inner = real.parent.parent / "lib" / real.name / real.name
    return inner if real.parent.name == "bin" and inner.is_file() else real


def write_profile(profile: Path) -> None:
    """Prepares a fresh profile folder: developer mode on, or Chromium disables unpacked extensions at a reload."""
    preferences = profile / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"extensions": {"ui": {"developer_mode": True}}}))


def keep_extensions(profile: Path, ids: Collection[str]) -> list[str]:
    """Makes extensions of a *closed* profile survive its next start, as installed ones do at a user's.

    An extension loaded over CDP is forgotten at the next start, so that it would come back as a fresh install.
    Returns the ids of those whose worker starts with the browser, because it listens to ``runtime.onStartup``.
    """
    preferences = profile / "Default" / "Preferences"
    content = json.loads(preferences.read_text())
    settings = content.get("extensions", {}).get("settings", {})
    kept = {key: entry for key, entry in settings.items() if key in ids and "creation_flags" in entry}
    for entry in kept.values():
        entry["creation_flags"] &= ~_FORGET_AT_RESTART
    preferences.write_text(json.dumps(content))
    return [key for key, entry in kept.items() if _starts_with_browser(entry)]


def _starts_with_browser(entry: dict[str, Any]) -> bool:
    return "runtime.onStartup" in entry.get("serviceworkerevents", []) and not entry.get("disable_reasons")
