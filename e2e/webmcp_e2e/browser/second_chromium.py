"""Fetches Chromium 150 beside the system's browser: the older generation of ``document.modelContext``.

150 takes a tool's arguments as a JSON string and lists ``inputSchema`` as one, 156 takes and lists objects.
It is Debian's own package, taken by ``apt-get download`` (no root, nothing is installed), pinned by SHA-256
and unpacked into the project's cache. Run as a module it fetches the browser and prints its path.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from webmcp_e2e import resources

from .errors import HarnessError

VERSION: Final = "150.0.7871.100"
"""The version that is fetched."""

_PACKAGE_VERSION: Final = f"{VERSION}-1~deb12u1"

PINNED: Final[Mapping[str, Mapping[str, str]]] = {
    "amd64": {
        "chromium": "9eb054fb52bbcd7a8c6407484be2337298ff8b1e19af14af2e7b497fa190ce4f",
        "chromium-common": "31326f6b71ce20a52e7bea9792bf7135d4ff802e1cdbc250960b1b46729998d2",
    },
    "arm64": {
        "chromium": "86498cb83d37852bdec2cf0ede07749af6474871ec5561ddd06b98a0ca308f12",
        "chromium-common": "f22042b2a2578981c51d963652d37c83275892b106228cf55130c68b36666aa7",
    },
}
"""SHA-256 of the packages by Debian architecture and package."""

_BINARY: Final = Path("usr/lib/chromium/chromium")
_OTHERWISE: Final = "`make e2e` runs without it; only the scenarios about version skew are then not proven."
_UPDATE_SECONDS: Final = 180.0
_DOWNLOAD_SECONDS: Final = 900.0


class FetchError(HarnessError):
    """Chromium 150 cannot be had here; the message says why and what would help."""

    code = "second_chromium_unavailable"


def default_cache() -> Path:
    """``.cache/chromium-150`` of a checkout, else the same in the user's cache."""
    if resources.is_checkout():
        return resources.html_app_dir().parent / ".cache" / "chromium-150"
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "webmcp-e2e" / "chromium-150"


def find(cache_dir: Path | None = None) -> Path | None:
    """The binary that was fetched before, or None. Starts nothing and asks no network."""
    binary = (cache_dir or default_cache()) / _BINARY
    return binary if binary.is_file() else None


def fetch(cache_dir: Path | None = None) -> Path:
    """The binary, fetched (about 100 MB) unless it is there. Progress goes to stderr. Raises FetchError."""
    target = cache_dir or default_cache()
    found = find(target)
    if found is not None:
        return found
    hashes = _hashes_here()
    target.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target, so that the finished folder gets there by one rename: a broken fetch leaves nothing.
    with tempfile.TemporaryDirectory(prefix=".chromium-150-", dir=target.parent) as scratch:
        unpacked = _unpack(_download(Path(scratch), hashes), Path(scratch) / "unpacked")
        _check_runs(unpacked / _BINARY)
        _put_in_place(unpacked, target)
    _say(f"Chromium {VERSION} is in {target}")
    return target / _BINARY


def _say(text: str) -> None:
    print(f"browsers: {text}", file=sys.stderr, flush=True)


def _hashes_here() -> Mapping[str, str]:
    missing = [tool for tool in ("apt-get", "dpkg", "dpkg-deb") if shutil.which(tool) is None]
    if missing:
        raise FetchError(
            f"it comes from Debian's archive, and this system has no {', no '.join(missing)}. "
            f"Fetch it on Debian or Ubuntu and copy the folder. {_OTHERWISE}"
        )
    architecture = _run(["dpkg", "--print-architecture"], 10.0).stdout.strip()
    if architecture not in PINNED:
        raise FetchError(f"no pinned package for {architecture} (known: {', '.join(PINNED)}). {_OTHERWISE}")
    return PINNED[architecture]


def _download(scratch: Path, hashes: Mapping[str, str]) -> list[Path]:
    """The packages as files, by the system's package lists or, where those are too old, by fresh ones."""
    if not _apt_download(scratch, hashes, options=()):
        _say("the system's package lists do not have it; reading fresh ones into a folder of our own")
        options = _private_lists(scratch / "apt")
        _run(["apt-get", *options, "-q", "update"], _UPDATE_SECONDS, scratch)
        if not _apt_download(scratch, hashes, options):
            raise FetchError(
                f"apt-get has no chromium {_PACKAGE_VERSION}: the system's sources are not Debian 12's, "
                f"the archive has dropped that version, or there is no network. "
                f"{_last_words(scratch)} {_OTHERWISE}"
            )
    return [_checked(scratch, name, digest) for name, digest in hashes.items()]


def _apt_download(scratch: Path, hashes: Mapping[str, str], options: Sequence[str]) -> bool:
    _say(f"downloading chromium {_PACKAGE_VERSION}, about 100 MB")
    wanted = [f"{name}={_PACKAGE_VERSION}" for name in hashes]
    return _run(["apt-get", *options, "-q", "download", *wanted], _DOWNLOAD_SECONDS, scratch).returncode == 0


def _private_lists(folder: Path) -> list[str]:
    """Options that keep apt's lists in ``folder``: no root needed, and the system's own stay as they are."""
    (folder / "lists" / "partial").mkdir(parents=True)
    return ["-o", f"Dir::State::Lists={folder / 'lists'}", "-o", f"Dir::Cache={folder / 'cache'}"]


def _run(
    command: Sequence[str], seconds: float, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command without input, its answer in plain English; a command that hangs is a FetchError."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        raise FetchError(
            f"`{command[0]}` did not finish within {seconds:.0f} s. Look at the network."
        ) from None
    if folder is not None:
        (folder / "last-output.txt").write_text(done.stdout + done.stderr)
    return done


def _last_words(scratch: Path) -> str:
    """apt's own errors of the last run, shortened."""
    lines = (scratch / "last-output.txt").read_text().splitlines()
    errors = [line for line in lines if line.startswith("E:")]
    return f"(apt-get says: {' '.join(errors)[:300]})" if errors else ""


def _checked(scratch: Path, name: str, digest: str) -> Path:
    files = list(scratch.glob(f"{name}_*.deb"))
    if len(files) != 1:
        raise FetchError(f"apt-get left no single {name}_*.deb behind. Run it again.")
    actual = hashlib.sha256(files[0].read_bytes()).hexdigest()
    if actual != digest:
        raise FetchError(
            f"{files[0].name} has SHA-256 {actual}, pinned is {digest}. Nothing was unpacked. "
            "Do not use that file; look at where this system's packages come from."
        )
    return files[0]


def _unpack(packages: Sequence[Path], folder: Path) -> Path:
    folder.mkdir()
    for package in packages:
        done = _run(["dpkg-deb", "-x", str(package), str(folder)], 120.0)
        if done.returncode != 0:
            raise FetchError(
                f"{package.name} cannot be unpacked ({done.stderr.strip()}). Look at the free disk space."
            )
    return folder


def _check_runs(binary: Path) -> None:
    done = _run([str(binary), "--version"], 30.0)
    if VERSION not in done.stdout:
        raise FetchError(
            f"the fetched Chromium does not run: {done.stderr.strip()[:300]} "
            "Install the libraries it needs (as root: apt-get install chromium brings them)."
        )


def _put_in_place(unpacked: Path, target: Path) -> None:
    if target.exists() and find(target) is None:
        shutil.rmtree(target)
    try:
        unpacked.rename(target)
    except OSError:
        # Another run was faster; its folder is as good.
        if find(target) is None:
            raise


def main() -> int:
    """Fetches it and prints the binary's path; exit code 3 where it cannot be had."""
    try:
        print(fetch())
    except FetchError as error:
        _say(str(error))
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
