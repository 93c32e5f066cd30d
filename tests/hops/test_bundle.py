"""What is written for a reader: nothing in it is markup or code of a page's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recordings import CLIENT, WORKER, Script

from webmcp_e2e.cli import main
from webmcp_e2e.hops import Facts, Redactor, write_bundle
from webmcp_e2e.hops.diff import first_parting, walks
from webmcp_e2e.hops.reading import read_recording

HOSTILE = "</script><script>alert(1)</script>\u2028 ```\n@everyone [x](javascript:alert(1)) __SCRIPT__"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    script = Script().add(WORKER, "worker.start", generation=1)
    script.add(WORKER, "console", [HOSTILE], level="error").call(1, HOSTILE, {"text": HOSTILE})
    facts = Facts(test=f"test_x[{HOSTILE}]", outcome="failed", failure=HOSTILE, rerun="pytest x")
    return write_bundle(tmp_path / "bundle", script.recording, facts, Redactor())


def test_the_timeline_has_no_markup_of_the_pages(hostile: Path):
    page = (hostile / "timeline.html").read_text()
    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page
    assert "default-src 'none'" in page
    block = page.partition('id="story">')[2].partition("</script>")[0]
    story = json.loads(block)
    assert story["failure"] == HOSTILE
    assert any(call["tool"].endswith(HOSTILE) for call in story["calls"])


def test_the_diagram_is_one_code_block_and_mentions_nobody(hostile: Path):
    text = (hostile / "sequence.md").read_text()
    assert text.count("```") == 2
    assert "@everyone" not in text
    assert "](" not in text.replace("\\](", "").replace("\\]\\(", "")


def test_perfetto_gets_slices_with_arrows(hostile: Path):
    events = json.loads((hostile / "timeline.json").read_text())["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "i", "X", "s", "t"}


def test_a_bundle_is_read_back_as_it_was(tmp_path: Path):
    recording = Script().call(1).recording
    bundle = write_bundle(tmp_path / "b", recording, Facts(test="t", outcome="passed"), Redactor())
    assert read_recording(bundle).records == recording.records


def test_the_first_hop_where_two_runs_part_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    whole = Script().call(1).call(2, "sum", {"a": 1})
    cut = Script().call(1)
    for record in whole.recording.records[8:12]:
        cut.recorder.add(_lane(record["lane"]), record["kind"], record["t"], data=record["data"])
    parting = first_parting(walks(whole.recording), walks(cut.recording))
    assert parting is not None
    assert parting.call == "call 2 of sum"
    assert parting.after == "request at the worker (socket.in)"
    assert (parting.left, parting.right) == (
        "response at the worker (socket.out)", "nothing more is seen of it",
    )  # fmt: skip
    bundles = [
        write_bundle(tmp_path / name, one.recording, Facts(test="t", outcome="passed"), Redactor())
        for name, one in (("a", whole), ("b", cut))
    ]
    assert main(["show", "--diff", *map(str, bundles)]) == 1
    assert "they part in call 2 of sum" in capsys.readouterr().out
    assert main(["show", "--diff", str(bundles[0]), str(bundles[0])]) == 0


def test_where_what_is_said_differs_is_where_two_runs_part():
    good, bad = Script().call(1).recording, Script().call(1).recording
    wrong = {"content": [{"type": "text", "text": "undefined"}]}
    for record in bad.records:
        if "result" in record.get("data", {}):
            record["data"] = {**record["data"], "result": wrong}
    parting = first_parting(walks(good), walks(bad))
    assert parting is not None
    assert "undefined" in parting.right
    assert "undefined" not in parting.left
    assert parting.left.startswith("response at the ")


def _lane(lane_id: str):
    from recordings import RELAY

    return next(lane for lane in (CLIENT, RELAY, WORKER) if lane.id == lane_id)


def test_show_says_what_is_in_it_and_refuses_what_is_none(hostile: Path, tmp_path: Path, capsys):
    assert main(["show", str(hostile), "--no-open"]) == 0
    assert "pytest x" in capsys.readouterr().out
    assert main(["show", str(tmp_path), "--no-open"]) == 2
    assert "Give the folder of a bundle" in capsys.readouterr().err
    assert main(["show"]) == 2
