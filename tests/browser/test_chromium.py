"""Finding a Chromium, and preparing its profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webmcp_e2e.browser import CHROMIUM_VARIABLE, ChromiumNotFound, chromium, find_chromium


def put_script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_given_path_is_taken_with_its_version(tmp_path: Path) -> None:
    binary = find_chromium(put_script(tmp_path / "chrome", "echo Chromium 156.0.8078.114 built somewhere"))

    assert binary.version == "156.0.8078.114"
    assert binary.major == 156


def test_the_environment_names_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = put_script(tmp_path / "chrome", "echo Chromium 150.0.1.2")
    monkeypatch.setenv(CHROMIUM_VARIABLE, str(script))

    assert find_chromium().path == script


def test_a_wrapper_is_looked_behind(tmp_path: Path) -> None:
    wrapper = put_script(tmp_path / "bin" / "chromium", "exit 1")
    real = put_script(tmp_path / "lib" / "chromium" / "chromium", "echo Chromium 156.0.1.2")

    assert find_chromium(wrapper).path == real


@pytest.mark.parametrize("text", ["echo Mozilla Firefox", "exit 3"])
def test_what_is_no_chromium_is_refused_with_the_mend(tmp_path: Path, text: str) -> None:
    with pytest.raises(ChromiumNotFound, match=r"chromium_not_found: .* Name another"):
        find_chromium(put_script(tmp_path / "chrome", text))


def test_a_missing_path_is_never_replaced_by_another_browser(tmp_path: Path) -> None:
    with pytest.raises(ChromiumNotFound, match="does not run"):
        find_chromium(tmp_path / "nowhere")


def test_nothing_anywhere_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHROMIUM_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))

    with pytest.raises(ChromiumNotFound, match="playwright install chromium"):
        find_chromium()


def test_playwrights_newest_build_comes_before_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CHROMIUM_VARIABLE, raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    put_script(tmp_path / "chromium-999" / "chrome-linux" / "chrome", "echo Chromium 100.0.0.1")
    newest = put_script(tmp_path / "chromium-1255" / "chrome-linux64" / "chrome", "echo Chromium 156.0.0.1")

    assert find_chromium().path == newest


def test_a_profile_keeps_its_extensions_and_says_which_start_with_it(tmp_path: Path) -> None:
    chromium.write_profile(tmp_path)
    preferences = tmp_path / "Default" / "Preferences"
    starting = {"creation_flags": 32806, "serviceworkerevents": ["runtime.onStartup"]}
    settings = {
        "starts": starting,
        "sleeps": {"creation_flags": 32806, "serviceworkerevents": ["runtime.onInstalled"]},
        "off": {**starting, "disable_reasons": [1]},
        "foreign": {"creation_flags": 32806},
    }
    preferences.write_text(json.dumps({"extensions": {"settings": settings}, "other": 1}))

    assert chromium.keep_extensions(tmp_path, ["starts", "sleeps", "off", "gone"]) == ["starts"]

    kept = json.loads(preferences.read_text())
    flags = {key: entry["creation_flags"] for key, entry in kept["extensions"]["settings"].items()}
    assert flags == {"starts": 38, "sleeps": 38, "off": 38, "foreign": 32806}
    assert kept["other"] == 1
