"""Chromium's command line.

Nothing here changes how pages live: Playwright's own defaults that switch off the back/forward cache, background
throttling and the occlusion of windows are left out on purpose, because they hide bugs that users meet.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from .chromium import ChromiumBinary

Runtime = Literal["native", "polyfill"]
"""``native``: Chromium's own ``document.modelContext``; ``polyfill``: WebMCP left off, as in most browsers today."""

_SMALL_SHARED_MEMORY: Final = 512 * 1024 * 1024

_QUIET: Final = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-field-trial-config",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
)
"""Keep a run off the network and the user's key ring, and free of first-run dialogs."""

_WITHOUT: Final = (
    # Two renderers for the address bar's suggestions, a third of a fresh browser's CPU time (measured, 156).
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # Requests to the vendor's servers at every start.
    "AimEnabled",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Translate",
    # A plain http:// URL of a test is what the test says.
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    # Otherwise Chromium 155 and later abort preflighted redirects while Playwright routes requests.
    "AvoidCorsURLLoaderRestartOnRedirect",
)
_WITH: Final = ("SkipListAccountsWithoutGaiaCookies",)

_LISTS: Final = (
    "--enable-features",
    "--disable-features",
    "--enable-blink-features",
    "--disable-blink-features",
)
"""Switches of which Chromium takes the last one only, so that all their values have to be in one."""


def command_line(
    binary: ChromiumBinary, profile: Path, *, runtime: Runtime, headless: bool, args: Sequence[str]
) -> list[str]:
    """The whole command line; ``args`` come last and win, feature lists of both are joined."""
    flags = [f"--user-data-dir={profile}", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging"]
    flags += [*_QUIET, f"--disable-features={','.join(_WITHOUT)}", f"--enable-features={','.join(_WITH)}"]
    if headless:
        flags += ["--headless=new", "--screen-info={1920x1080}"]
    if runtime == "native":
        flags.append("--enable-blink-features=WebMCP")
    flags += _for_this_machine()
    return [str(binary.path), *join_lists([*flags, *args]), "about:blank"]


def join_lists(flags: Sequence[str]) -> list[str]:
    """The flags with each feature list given once, at its first place, with the values of all."""
    values: dict[str, list[str]] = {}
    for flag in flags:
        switch, _, value = flag.partition("=")
        values.setdefault(switch if switch in _LISTS else flag, []).append(value)
    return [f"{key}={','.join(value)}" if key in _LISTS else key for key, value in values.items()]


def _for_this_machine() -> Iterator[str]:
    if os.geteuid() == 0:
        yield "--no-sandbox"
    shared = Path("/dev/shm")
    if shared.exists() and shutil.disk_usage(shared).total < _SMALL_SHARED_MEMORY:
        yield "--disable-dev-shm-usage"
