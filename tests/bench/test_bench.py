"""The benchmark's own arithmetic and exit codes; what it measures is measured by `make bench`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from webmcp_bench import cli, targets
from webmcp_bench.results import Result, table, write_jsonl
from webmcp_bench.rounds import in_turn, median_of, percentile
from webmcp_bench.targets import TARGETS, Target


def test_contestants_run_in_turn_after_one_warm_up_each_and_take_turns_to_begin() -> None:
    order: list[str] = []
    samples = in_turn({name: lambda name=name: order.append(name) or len(order) for name in "ab"}, 3)
    assert order == ["a", "b", "a", "b", "b", "a", "a", "b"]
    assert samples == {"a": [3, 6, 7], "b": [4, 5, 8]}


def test_percentiles_are_of_each_round_and_their_median_is_taken() -> None:
    assert percentile([3, 1, 2], 0.5) == 2
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7], 0.95) == 7
    assert median_of([[1, 2, 3], [10, 20, 30], [4, 5, 6]]) == 5


def test_a_line_has_exactly_the_agreed_keys(tmp_path: Path) -> None:
    file = tmp_path / "results" / "bench.jsonl"
    write_jsonl([Result("a", 3.0, "ms", "peer", 2.0, 1.0), Result("b", 1.0, "s")], file)
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    keys = ["name", "value", "unit", "peer", "peer_value", "ratio", "floor_value"]
    assert list(first) == list(second) == keys
    assert first["ratio"] == 1.5
    assert second["ratio"] is None


@pytest.mark.parametrize(
    ("target", "value", "peer", "met"),
    [
        (Target("value", "at most", 5, ""), 5.0, None, True),
        (Target("value", "at most", 5, ""), 5.1, None, False),
        (Target("ratio", "at least", 1, ""), 10.0, 10.0, True),
        (Target("ratio", "at least", 1, ""), 9.0, 10.0, False),
        (Target("ratio", "at most", 1, ""), 1.0, None, False),
    ],
)
def test_a_target_is_met_or_not(target: Target, value: float, peer: float | None, met: bool) -> None:
    assert target.is_met(Result("x", value, "ms", "peer" if peer else None, peer)) is met


def test_every_target_belongs_to_a_measure() -> None:
    assert set(TARGETS) <= set(cli.NAMES)


def test_the_table_names_what_is_missed() -> None:
    missed = Result("panel_call_p50_ms", 9.0, "ms")
    text = table([missed], {missed.name: targets.verdict(missed)})
    assert "MISSED" in text
    assert "–" in text


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """Results that the command line gets instead of measuring; empty: the measure breaks."""
    results: list[Result] = []

    def measure(_setting: object) -> Iterator[Result]:
        if not results:
            raise RuntimeError("the measure broke")
        yield from results

    class Silent:
        def say(self, text: str) -> None: ...

    @contextmanager
    def no_setting(*_arguments: object) -> Iterator[Silent]:
        yield Silent()

    monkeypatch.setattr(cli, "open_setting", no_setting)
    monkeypatch.setattr(cli, "MEASURES", ((("panel_call_p50_ms",), measure),))
    return results


@pytest.mark.parametrize(
    ("value", "arguments", "code"), [(4.0, ["--check"], 0), (6.0, [], 0), (6.0, ["--check"], 1)]
)
def test_only_check_makes_a_missed_target_an_error(
    *,
    measured: list[Result],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    value: float,
    arguments: list[str],
    code: int,
) -> None:
    measured.append(Result("panel_call_p50_ms", value, "ms"))
    assert cli.main([*arguments, "--out", str(tmp_path / "b.jsonl")]) == code
    assert ("bench: missed panel_call_p50_ms" in capsys.readouterr().out) is (value > 5)


def test_a_measure_that_breaks_is_named_and_is_exit_code_3(
    measured: list[Result], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--out", str(tmp_path / "b.jsonl")]) == 3
    assert "panel_call_p50_ms could not be measured" in capsys.readouterr().out
