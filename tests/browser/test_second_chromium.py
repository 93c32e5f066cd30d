"""The fetch of the second Chromium, against a stand-in for apt-get: what it does where things are missing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from webmcp_e2e.browser import second_chromium
from webmcp_e2e.browser.second_chromium import FetchError, fetch, find

PACKAGES = ("chromium", "chromium-common")


class FakeApt:
    """``apt-get``, ``dpkg`` and ``dpkg-deb`` as small scripts, first on the PATH, that log their calls."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.needs_update = folder / "needs-update"
        folder.mkdir()
        self._script("dpkg", "echo testarch")
        self._script(
            "apt-get",
            f"""
            echo "$@" >> {self.log}
            case "$*" in
              *update*) rm -f {self.needs_update}; exit 0 ;;
            esac
            if test -e {self.needs_update}; then echo "E: Version was not found" >&2; exit 100; fi
            for name in {" ".join(PACKAGES)}; do printf "%s" "$name" > "$name"_1_testarch.deb; done
            """,
        )
        self.unpack_binary(f"echo Chromium {second_chromium.VERSION}")

    def unpack_binary(self, body: str) -> None:
        """What the unpacked browser does."""
        self._script(
            "dpkg-deb",
            f"""
            mkdir -p "$3/usr/lib/chromium"
            printf '#!/bin/sh\\n{body}\\n' > "$3/usr/lib/chromium/chromium"
            chmod +x "$3/usr/lib/chromium/chromium"
            """,
        )

    def _script(self, name: str, body: str) -> None:
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeApt:
    fake = FakeApt(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{fake.folder}:/usr/bin:/bin")
    pinned = {name: hashlib.sha256(name.encode()).hexdigest() for name in PACKAGES}
    monkeypatch.setattr(second_chromium, "PINNED", {"testarch": pinned})
    return fake


def test_it_is_fetched_once(apt: FakeApt, tmp_path: Path) -> None:
    cache = tmp_path / "cache" / "chromium-150"
    assert find(cache) is None
    binary = fetch(cache)
    assert find(cache) == binary
    assert fetch(cache) == binary
    assert len(apt.calls()) == 1
    assert [path.name for path in cache.parent.iterdir()] == ["chromium-150"]


def test_stale_lists_are_refreshed_in_a_folder_of_our_own(apt: FakeApt, tmp_path: Path) -> None:
    apt.needs_update.touch()
    assert fetch(tmp_path / "cache").is_file()
    _, update, download = apt.calls()
    assert "Dir::State::Lists=" in update
    assert "Dir::State::Lists=" in download


def test_a_version_that_is_gone_is_said_with_apts_own_words(
    apt: FakeApt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apt._script("apt-get", 'echo "E: Version was not found" >&2; exit 100')
    with pytest.raises(FetchError, match=r"dropped that version.*E: Version was not found"):
        fetch(tmp_path / "cache" / "chromium-150")
    assert list((tmp_path / "cache").iterdir()) == []


def test_another_file_than_the_pinned_one_is_never_unpacked(
    apt: FakeApt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_chromium, "PINNED", {"testarch": dict.fromkeys(PACKAGES, "0" * 64)})
    apt._script("dpkg-deb", f"touch {tmp_path}/unpacked")
    with pytest.raises(FetchError, match="Nothing was unpacked"):
        fetch(tmp_path / "cache" / "chromium-150")
    assert not (tmp_path / "unpacked").exists()


def test_a_browser_that_does_not_run_is_not_kept(apt: FakeApt, tmp_path: Path) -> None:
    apt.unpack_binary("echo error: libfoo.so missing >&2; exit 127")
    with pytest.raises(FetchError, match=r"libfoo\.so missing"):
        fetch(tmp_path / "cache" / "chromium-150")
    assert find(tmp_path / "cache" / "chromium-150") is None


def test_an_unknown_architecture_and_a_system_without_apt_are_named(
    apt: FakeApt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apt._script("dpkg", "echo s390x")
    with pytest.raises(FetchError, match="no pinned package for s390x"):
        fetch(tmp_path / "cache")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(FetchError, match="no apt-get"):
        fetch(tmp_path / "cache")
