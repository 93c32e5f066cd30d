"""What taps send, opened."""

import json

from webmcp_e2e.hops import Lane, Recorder, Skew
from webmcp_e2e.hops.records import Parcel


def parcel(context: str, world: str, *records: dict, target: str = "T1", **more) -> Parcel:
    text = json.dumps({"context": context, "world": world, "records": list(records)})
    return Parcel(text, target, **more)


def hello(n: int = 0, **more) -> dict:
    return {"n": n, "t": 1000.0, "kind": "hello", **more}


def test_a_worker_a_script_and_a_panel_have_lanes_of_their_own():
    recorder = Recorder()
    recorder.name("x", "host")
    recorder.parcel(parcel("w", "worker", hello(), extension="x", generation=2))
    recorder.parcel(parcel("i", "isolated", hello(extension="x")))
    recorder.parcel(parcel("p", "page", hello(url="http://a/")))
    recorder.parcel(
        parcel("e", "page", hello(extension="x", url="chrome-extension://x/p/panel.html"), target="T2")
    )
    found = {lane.id: (lane.kind, lane.title) for lane in recorder.recording().lanes}
    assert found == {
        "worker:x": ("worker", "host: worker"),
        "script:x:T1": ("script", "host: content script t1"),
        "page:T1": ("page", "page t1"),
        "page:T2": ("panel", "host: panel.html"),
    }
    assert recorder.recording().records[0]["generation"] == 2


def test_lost_records_are_counted_and_nonsense_is_skipped():
    recorder = Recorder()
    recorder.parcel(parcel("w", "worker", hello(), hello(3)))
    recorder.parcel(Parcel("{not json", "T1"))
    recorder.parcel(Parcel('{"context": 1}', "T1"))
    recording = recorder.recording()
    assert (len(recording.records), recording.lost) == (2, 2)


def test_a_clock_is_put_right_only_where_it_is_known_to_be_wrong():
    recorder = Recorder()
    recorder.skew("ahead", Skew(offset=500, error=1))
    recorder.skew("fine", Skew(offset=0.5, error=1))
    for context in ("ahead", "fine"):
        recorder.parcel(parcel(context, "worker", hello(), extension=context))
    times = {record["lane"]: record["t"] for record in recorder.recording().records}
    assert times == {"worker:ahead": 500.0, "worker:fine": 1000.0}


def test_a_secret_that_becomes_known_later_is_out_all_the_same():
    recorder = Recorder()
    recorder.add(Lane("client", "client", "c"), "console", data=["hush-hush"])
    recorder.redactor.add("hush-hush")
    assert "hush" not in str(recorder.recording().records)
