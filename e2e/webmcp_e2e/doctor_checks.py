"""What ``doctor`` looks at without a browser: one function a thing, each gives one finding."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from packaging.requirements import Requirement

from webmcp_e2e import resources

State = Literal["ok", "note", "wrong"]
"""``note``: something optional is not here; ``wrong``: tests cannot run until it is mended."""

PYTHON: Final = (3, 11)
LEAST_FREE: Final = 500 * 1024**2
"""Bytes in the temporary folder: a profile has some 30 MB, and traces and bundles come beside it."""
SMALL_SHARED_MEMORY: Final = 512 * 1024**2
LONGEST_TEMP: Final = 42
"""Characters of the temporary folder's path: Chromium makes a socket below it, and a socket's path may have 107."""
OLDEST_CHROMIUM: Final = 138
"""The first that has the userscripts toggle of its own (the provider's ``minimum_chrome_version``)."""
AGENT_MODULES: Final = ("a2a", "anthropic", "jsonschema", "openai", "uvicorn")
DEFAULT_RELAY_PORTS: Final = range(9333, 9349)


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it stands, what was found, and the mend where something can be mended."""

    what: str
    state: State
    found: str
    mend: str = ""


def ok(what: str, found: str) -> Finding:
    """Nothing to mend."""
    return Finding(what, "ok", found)


def wrong(what: str, found: str, mend: str) -> Finding:
    """Tests cannot run."""
    return Finding(what, "wrong", found, mend)


def note(what: str, found: str, mend: str) -> Finding:
    """Tests run; something optional does not."""
    return Finding(what, "note", found, mend)


def platform_and_python() -> Finding:
    """The system, and whether Python is new enough."""
    found = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    if platform.system() == "Windows":
        return wrong("platform", found, "Run it in WSL: Chromium is driven over POSIX pipes.")
    if sys.version_info < PYTHON:
        return wrong("platform", found, "Install Python 3.11 or newer, and webmcp-e2e into it.")
    return ok("platform", found)


def playwright_version() -> Finding:
    """Playwright for Python, in the versions that the gate was measured with."""
    [wanted] = [
        one for one in importlib.metadata.requires("webmcp-e2e") or [] if one.startswith("playwright")
    ]
    try:
        version = importlib.metadata.version("playwright")
    except importlib.metadata.PackageNotFoundError:
        return wrong("playwright", "not installed", f"pip install '{wanted}'")
    if version not in Requirement(wanted).specifier:
        return wrong(
            "playwright", version, f"Install the version that this release is tested with: '{wanted}'."
        )
    return ok("playwright", version)


def temporary_folder() -> Finding:
    """Where profiles and logs go: it can be written, and has space."""
    folder = tempfile.gettempdir()
    with tempfile.NamedTemporaryFile(prefix="webmcp-doctor-") as file:
        file.write(b"x")
    free = shutil.disk_usage(folder).free
    found = f"{folder}, {free // 1024**2:,} MB free"
    if len(folder) > LONGEST_TEMP:
        return wrong(
            "temp folder", found, "Its path is too long for Chromium's socket: set TMPDIR to a shorter one."
        )
    if free < LEAST_FREE:
        return wrong("temp folder", found, "Make space there, or set TMPDIR to a folder that has some.")
    return ok("temp folder", found)


def shared_memory(folder: Path = Path("/dev/shm")) -> Finding:
    """Containers often give 64 MB, in which Chromium's renderers crash; the harness then uses files."""
    if not folder.exists():
        return ok("shm", "none on this system")
    total = shutil.disk_usage(folder).total
    found = f"{total // 1024**2:,} MB"
    if total < SMALL_SHARED_MEMORY:
        mend = "Chromium gets --disable-dev-shm-usage here, which is slower; a container takes --shm-size=1g."
        return note("shm", found, mend)
    return ok("shm", found)


def ports() -> Finding:
    """Free adjacent loopback ports, as each test takes them."""
    from webmcp_e2e.services.ports import NoFreePorts, port_range  # not importable on Windows

    try:
        with port_range() as free:
            return ok("ports", f"free on loopback, e.g. {free[0]}-{free[-1]}")
    except NoFreePorts as error:
        return wrong("ports", "none free", str(error))


def relay_of_a_person(candidates: range = DEFAULT_RELAY_PORTS) -> Finding:
    """Relays on the default ports are somebody's own; tests take other ports."""
    taken = [str(port) for port in candidates if _listens(port)]
    if not taken:
        return ok("own relay", f"none on {candidates[0]}-{candidates[-1]}")
    mend = "Tests leave it alone. `webmcp-relay` by hand joins it; end it first if you want a fresh one."
    return note("own relay", f"something listens on {', '.join(taken)}", mend)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def extensions() -> Finding:
    """The built extensions and the page app, in the checkout or in the wheel."""
    try:
        found = resources.extension_dir("host").parent
        resources.extension_dir("provider")
        resources.html_app_dir()
        resources.vendor_dir()
    except resources.ResourceMissing as error:
        return wrong("extensions", "not complete", str(error))
    return ok("extensions", str(found))


def agent_extra() -> Finding:
    """What the fixtures ``llm``, ``a2a_agent`` and ``scripted_a2a_agent`` need."""
    missing = [name for name in AGENT_MODULES if importlib.util.find_spec(name) is None]
    if missing:
        found = f"without {', '.join(missing)}: no fixtures llm, a2a_agent, scripted_a2a_agent"
        return note("agent extra", found, "pip install 'webmcp-e2e[agent]'")
    return ok("agent extra", "installed")


def video() -> Finding:
    """Playwright's own ffmpeg, which only ``--video`` needs."""
    from webmcp_e2e.browser.chromium import playwright_caches

    if any(found for cache in playwright_caches() for found in cache.glob("ffmpeg-*")):
        return ok("video", "ffmpeg is here")
    return note("video", "no ffmpeg: --video records nothing", "playwright install ffmpeg")


def second_browser() -> Finding:
    """Chromium 150, the other shape of the native API."""
    from webmcp_e2e.browser import second_chromium

    found = second_chromium.find()
    if found is None:
        mend = "In a checkout `make browsers` fetches it; without it version skew is not tested."
        return note("second", "no Chromium 150", mend)
    return ok("second", f"Chromium 150 at {found}")


def chromium(explicit: Path | None) -> Finding:
    """The browser, by the order of the documentation."""
    from webmcp_e2e.browser import ChromiumNotFound, find_chromium

    try:
        binary = find_chromium(explicit)
    except ChromiumNotFound as error:
        return wrong("chromium", "none", str(error))
    if binary.major < OLDEST_CHROMIUM:
        mend = f"Install Chromium {OLDEST_CHROMIUM} or newer, or name one with --webmcp-chromium."
        return wrong("chromium", f"{binary.version} at {binary.path} is too old", mend)
    return ok("chromium", f"{binary.version} at {binary.path}")
