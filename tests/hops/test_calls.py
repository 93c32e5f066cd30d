"""Which records belong to one call."""

from recordings import CLIENT, RELAY, WORKER, Script, ask, invoke

from webmcp_e2e.hops import find_calls, open_calls


def test_a_call_is_found_on_its_whole_way_and_has_the_pages_name():
    [call] = find_calls(Script().call(1).recording.records)
    assert [(step.lane, step.kind) for step in call.steps] == [
        ("client", "rpc.out"),
        ("relay", "rpc.in"),
        ("relay", "socket.out"),
        ("worker:x", "socket.in"),
        ("worker:x", "socket.out"),
        ("relay", "socket.in"),
        ("relay", "rpc.out"),
        ("client", "rpc.in"),
    ]
    assert (call.tool, call.ended, call.failed, call.took) == ("echo", True, False, 7)


def test_calls_with_equal_arguments_are_kept_apart_in_the_order_of_the_hops():
    script = Script()
    for number in (1, 2):
        script.add(CLIENT, "rpc.out", ask(number, "echo", {"a": 1}))
    for number in (1, 2):
        script.add(RELAY, "rpc.in", ask(number, "echo", {"a": 1}))
    first, second = find_calls(script.recording.records)
    assert [step.index for step in first.steps] == [0, 2]
    assert [step.index for step in second.steps] == [1, 3]


def test_a_call_that_is_stuck_does_not_take_the_steps_of_the_next_one():
    script = Script().add(CLIENT, "rpc.out", ask(1, "echo", {})).add(RELAY, "rpc.in", ask(1, "echo", {}))
    script.pause(10_000).call(2)
    stuck, whole = find_calls(script.recording.records)
    assert (len(stuck.steps), len(whole.steps)) == (2, 8)
    assert open_calls([stuck, whole]) == [stuck]


def test_other_arguments_or_another_tool_are_another_call():
    script = Script().add(RELAY, "socket.out", invoke("a", "echo", {"n": 1}), socket=1)
    script.add(WORKER, "socket.in", invoke("a", "echo", {"n": 2}), socket=1)
    script.add(WORKER, "socket.in", invoke("b", "sum", {"n": 1}), socket=1)
    assert len(find_calls(script.recording.records)) == 3
