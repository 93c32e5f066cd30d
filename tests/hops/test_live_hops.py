"""Hops as lines: each once, what is asked for only, and no page's text in charge of the terminal."""

from recordings import BEGAN, CLIENT, RELAY, ask

from webmcp_e2e.hops import Recorder, Redactor
from webmcp_e2e.hops.live import LiveHops


def printer(recorder: Recorder, *words: str, colour: bool = False) -> tuple[LiveHops, list[str]]:
    lines: list[str] = []
    return LiveHops(recorder.recording, words, lines.append, colour=colour), lines


def test_each_record_is_printed_once_and_one_that_comes_late_too() -> None:
    recorder = Recorder()
    live, lines = printer(recorder)
    recorder.add(CLIENT, "rpc.out", BEGAN + 5, data=ask(1, "echo", {"n": 1}))
    live.show()
    live.show()
    assert len(lines) == 1

    recorder.add(RELAY, "rpc.in", BEGAN, data=ask(1, "sum", {}))  # earlier than what was printed
    for _ in range(2):  # two that are alike are two
        recorder.add(CLIENT, "rpc.out", BEGAN + 5, data=ask(1, "echo", {"n": 1}))
    live.show()
    assert len(lines) == 4
    assert "sum" in lines[1]


def test_words_choose_lines() -> None:
    recorder = Recorder()
    live, lines = printer(recorder, "MCP", "!ping")
    for tool in ("echo", "ping"):
        for lane in (CLIENT, RELAY):
            recorder.add(lane, "rpc.out", BEGAN, data=ask(1, tool, {}))
    live.show()
    assert len(lines) == 1
    assert "MCP client" in lines[0]
    assert "echo" in lines[0]


def test_a_pages_text_moves_no_cursor_and_is_cut() -> None:
    recorder = Recorder()
    live, lines = printer(recorder)
    recorder.add(CLIENT, "error", BEGAN, message="\x1b[2J\u202e" + "x" * 500)
    live.show()
    assert lines[0].isprintable()
    assert len(lines[0]) < 180
    assert " ! " in lines[0]


def test_trouble_is_red_on_a_terminal_only() -> None:
    recorder = Recorder()
    recorder.add(CLIENT, "error", BEGAN, message="broken")
    for colour in (True, False):
        live, lines = printer(recorder, colour=colour)
        live.show()
        assert ("\x1b[31m" in lines[0]) is colour


def test_a_secret_is_not_printed() -> None:
    recorder = Recorder(Redactor(["hush-hush-0815"]))
    live, lines = printer(recorder)
    recorder.add(CLIENT, "rpc.out", BEGAN, data=ask(1, "echo", {"text": "hush-hush-0815"}))
    live.show()
    assert len(lines) == 1
    assert "hush" not in lines[0]
