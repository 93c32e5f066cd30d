"""No secret stays, in whatever disguise."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from recordings import CLIENT, Script

from webmcp_e2e.hops import Facts, Redactor, write_bundle

SECRET = 'sk-Ünîcode/"quoted"+0815'


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        f"x={quote(SECRET, safe='')}&y=1",
        json.dumps({"a": SECRET}),
        json.dumps({"a": SECRET}, ensure_ascii=False),
        *(base64.b64encode(b"." * offset + SECRET.encode() + b"tail").decode() for offset in range(3)),
    ],
)
def test_each_disguise_is_found_and_goes(text: str):
    redactor = Redactor([SECRET])
    assert redactor.found_in(text)
    cleaned = redactor.text(text)
    assert not redactor.found_in(cleaned)
    assert "[secret]" in cleaned


def test_members_and_headers_that_say_that_they_are_secret_lose_their_value():
    redactor = Redactor()
    value = redactor.value(
        {"headers": {"X-Api-Key": "k1", "Accept": "all"}, "apiKey": "k2", "list": [{"token": 3}]}
    )
    assert value == {
        "headers": {"X-Api-Key": "[secret]", "Accept": "all"}, "apiKey": "[secret]", "list": [{"token": "[secret]"}],
    }  # fmt: skip
    assert redactor.text("GET / Authorization: Bearer abc.def") == "GET / Authorization: [secret]"
    assert "abc" not in redactor.text('{"name": "cookie", "value": "abc=1; d"}')


def test_a_bundle_holds_no_secret_in_any_member_nor_in_its_trace(tmp_path: Path):
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    with zipfile.ZipFile(bundle / "trace.zip", "w") as trace:
        trace.writestr("trace.network", json.dumps({"url": f"http://x/?k={quote(SECRET, safe='')}"}))
        trace.writestr("resources/picture.jpeg", b"\xff\xd8\xff")
    log = tmp_path / "log"
    log.write_text(f"the key is {SECRET}")
    script = Script().add(CLIENT, "console", [SECRET]).call(1, args={"key": SECRET})
    redactor = Redactor([SECRET])
    script.recorder.redactor = redactor
    facts = Facts(
        test="t", outcome="failed", failure=f"AssertionError: {SECRET}", rerun=f"pytest -k '{SECRET}'"
    )
    write_bundle(bundle, script.recording, facts, redactor, {"chromium.log": log})
    for path in bundle.iterdir():
        if path.suffix != ".zip":
            assert not redactor.found_in(path.read_text()), path.name
    with zipfile.ZipFile(bundle / "trace.zip") as trace:
        assert not redactor.found_in(trace.read("trace.network").decode())
        assert trace.read("resources/picture.jpeg") == b"\xff\xd8\xff"


def test_the_self_check_withholds_a_file_that_still_has_one(tmp_path: Path):
    (tmp_path / "extra.bin").write_bytes(b"\xff" + SECRET.encode())
    write_bundle(tmp_path, Script().call(1).recording, Facts(test="t", outcome="failed"), Redactor([SECRET]))
    assert "withheld" in (tmp_path / "extra.bin").read_text()
