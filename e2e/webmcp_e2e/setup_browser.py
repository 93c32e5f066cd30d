"""Makes sure that there is a Chromium: what ``make setup`` and ``make browsers`` run.

Exit codes: 0 there is one, 3 there is none and none could be installed; the last line says what to run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from webmcp_e2e.browser import ChromiumNotFound, find_chromium

_MEND = "Install Chromium (Debian: apt-get install chromium) or set WEBMCP_CHROMIUM=/path/to/chromium."


def _say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def _run(*command: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = subprocess.DEVNULL
    done = subprocess.run(command, check=False, stdin=quiet, stdout=quiet, stderr=quiet, env=environment)
    return done.returncode == 0


def _from_playwright() -> bool:
    _say("no Chromium found; trying Playwright's own into the user's cache")
    return _run("timeout", "300", sys.executable, "-m", "playwright", "install", "chromium")


def _from_debian() -> bool:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    _say("that cannot be downloaded here; installing the system's package `chromium` (as root)")
    _run("apt-get", "update")
    return _run("apt-get", "install", "-y", "--no-install-recommends", "chromium")


def _as_it_is() -> bool:
    return True


def ensure_first() -> int:
    """Find a Chromium, or install one; returns the exit code."""
    for install in (_as_it_is, _from_playwright, _from_debian):
        if not install():
            continue
        try:
            find_chromium()
        except ChromiumNotFound:
            continue
        return 0
    _say(f"no Chromium, and none could be installed. {_MEND}")
    return 3


def ensure_second(optional: bool) -> int:
    """Fetch Chromium 150 beside the system's; where it cannot be had that is an error unless ``optional``."""
    from webmcp_e2e.browser import second_chromium

    if second_chromium.find() is not None:
        return 0
    try:
        second_chromium.fetch()
    except second_chromium.FetchError as error:
        _say(f"no Chromium 150: {error}")
        return 0 if optional else 3
    return 0


def _path_of(major: str) -> Path:
    from webmcp_e2e.browser import second_chromium

    if major != "150":
        raise SystemExit(
            f"setup: CHROMIUM={major} is not known. CHROMIUM=150 is the second browser there is."
        )
    found = second_chromium.find()
    if found is None:
        _say("Chromium 150 is not here. Run `make browsers`.")
        raise SystemExit(3)
    return found


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Find or install the browsers that the harness drives.")
    parser.add_argument("--second", action="store_true", help="fetch Chromium 150 beside the system's")
    parser.add_argument(
        "--optional", action="store_true", help="with --second: no error where it cannot be had"
    )
    parser.add_argument(
        "--path", metavar="MAJOR", help="print the path of the fetched browser of this version"
    )
    options = parser.parse_args()
    if options.path:
        print(_path_of(options.path))
        return 0
    return ensure_second(options.optional) if options.second else ensure_first()


if __name__ == "__main__":
    sys.exit(main())
