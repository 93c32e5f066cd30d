"""``doctor`` finds each fault that is planted here, and says the mend."""

import importlib.util
import json
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webmcp_e2e import doctor, doctor_checks, resources
from webmcp_e2e.doctor_checks import Finding
from webmcp_e2e.services import ports

Plant = Callable[[pytest.MonkeyPatch, Path], Any]


def no_browser(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    fake = path / "chromium"
    fake.write_text("#!/bin/sh\necho Netscape 4\n")
    fake.chmod(0o755)
    return doctor_checks.chromium(fake)


def old_browser(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    fake = path / "chromium"
    fake.write_text("#!/bin/sh\necho Chromium 120.0.6099.224\n")
    fake.chmod(0o755)
    return doctor_checks.chromium(fake)


def library_gone(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    fake = path / "chromium"
    said = "chromium: error while loading shared libraries: libnss3.so: cannot open shared object file"
    fake.write_text(f"#!/bin/sh\necho '{said}' >&2; exit 127\n")
    fake.chmod(0o755)
    return doctor_checks.chromium(fake)


def no_sandbox(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    """A program that has a version, and then says what Chromium says where it finds no sandbox."""
    fake = path / "chromium"
    said = "FATAL:zygote_host_impl_linux.cc No usable sandbox! If you are running on Ubuntu 23.10+ ..."
    fake.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo Chromium 156.0.8078.114 && exit\necho "{said}" >&2; exit 1\n'
    )
    fake.chmod(0o755)
    # In a process of its own: pytest-playwright may have Playwright running in this one.
    command = [sys.executable, "-m", "webmcp_e2e.cli", "doctor", "--json", "--webmcp-chromium", str(fake)]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return Finding(**told["findings"][-1])


def windows(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr("platform.system", lambda: "Windows")
    return doctor_checks.platform_and_python()


def old_python(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr(doctor_checks, "PYTHON", (9, 9))
    return doctor_checks.platform_and_python()


def other_playwright(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.40.0")
    return doctor_checks.playwright_version()


def full_disk(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=1024, total=2048))
    return doctor_checks.temporary_folder()


def long_path(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    folder = path / ("x" * doctor_checks.LONGEST_TEMP)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return doctor_checks.temporary_folder()


def no_ports(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr(ports, "_all_free", lambda candidates: False)
    return doctor_checks.ports()


def unbuilt(monkeypatch: pytest.MonkeyPatch, path: Path) -> Finding:
    monkeypatch.setattr(resources, "_CHECKOUT", path)
    monkeypatch.setattr(resources, "_PACKAGE", path)
    return doctor_checks.extensions()


@pytest.mark.parametrize(
    ("plant", "mend"),
    [
        (no_browser, "Name another one"),
        (old_browser, "Install Chromium 138 or newer"),
        (library_gone, "install-deps"),
        (no_sandbox, "user namespaces"),
        (windows, "WSL"),
        (old_python, "Python 3.11"),
        (other_playwright, "playwright<1.66"),
        (full_disk, "has some"),
        (long_path, "shorter"),
        (no_ports, "port"),
        (unbuilt, "make setup"),
    ],
)
def test_what_stops_tests_is_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plant: Plant, mend: str
) -> None:
    finding = plant(monkeypatch, tmp_path)
    assert finding.state == "wrong"
    assert mend in finding.mend


def test_what_is_optional_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "a2a" else found(name))
    monkeypatch.setattr("webmcp_e2e.browser.second_chromium.find", lambda: None)
    monkeypatch.setattr("webmcp_e2e.browser.chromium.playwright_caches", lambda: iter([tmp_path]))
    small = SimpleNamespace(total=64 * 1024**2)
    monkeypatch.setattr(doctor_checks, "shutil", SimpleNamespace(disk_usage=lambda folder: small))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        notes = [
            doctor_checks.agent_extra(),
            doctor_checks.second_browser(),
            doctor_checks.video(),
            doctor_checks.shared_memory(tmp_path),
            doctor_checks.relay_of_a_person(range(port, port + 1)),
        ]
    assert [finding.state for finding in notes] == ["note"] * 5
    assert all(finding.mend for finding in notes)
    assert str(port) in notes[-1].found


def test_a_folder_that_takes_no_file_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The checks after it go on, no browser is started, and the exit code says so."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    monkeypatch.setattr(doctor, "BEFORE_THE_BROWSER", [doctor_checks.temporary_folder])

    assert doctor.report(None, as_json=True) == 3

    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    [folder, chromium] = told["findings"]
    assert (folder["what"], folder["state"]) == ("temporary folder", "wrong")
    assert "No such file" in folder["found"]
    assert chromium["what"] == "chromium"
