"""Command line of the benchmark.

Exit codes: 0 measured, 1 a target is missed (with ``--check``), 2 usage, 3 something was not measured.
"""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from . import targets
from .fresh_browser import measure_fresh_browser
from .growth import measure_tabs, measure_tools
from .hops_cost import measure_hops
from .long_chat import measure_long_chat
from .panel_call import measure_panel_call
from .panel_paint import measure_panel_paint
from .provider_calls import measure_provider
from .recycle import measure_recycle
from .relay_calls import measure_chain, measure_relay
from .results import Result, table, write_jsonl
from .setting import Setting, open_setting

Measure = Callable[[Setting], Iterator[Result]]

MEASURES: tuple[tuple[tuple[str, ...], Measure], ...] = (
    (("fresh_browser_s",), measure_fresh_browser),
    (("relay_call_p50_ms", "relay_call_p95_ms", "relay_calls_per_s"), measure_relay),
    (("chain_call_p50_ms",), measure_chain),
    (("panel_call_p50_ms",), measure_panel_call),
    (("hops_call_p50_ms",), measure_hops),
    (("recycle_to_call_ms",), measure_recycle),
    (
        ("probe_p50_ms", "provider_call_p50_ms", "cold_probe_p50_ms", "provider_reconnect_p50_ms"),
        measure_provider,
    ),
    (("tabs_growth",), measure_tabs),
    (("tools_growth",), measure_tools),
    (("panel_first_paint_ms",), measure_panel_paint),
    (
        (
            "chat_open_longest_task_ms",
            "chat_use_longest_task_ms",
            "chat_stream_longest_task_ms",
            "chat_stream_shift",
        ),
        measure_long_chat,
    ),
)
"""What each function measures; functions share a rig between measures where they can."""

NAMES = [name for names, _ in MEASURES for name in names]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench", description="Measure the harness and the chain against their peers."
    )
    add = parser.add_argument
    one = f"one measure; may be repeated: {', '.join(NAMES)}"
    add("--only", metavar="NAME", action="append", choices=NAMES, help=one)
    add("--rounds", type=int, default=5, help="rounds after the warm-up (default: 5)")
    add("--check", action="store_true", help="exit 1 if a target is missed")
    add("--out", type=Path, default=Path("test-results/bench.jsonl"), help="one JSON object a measure")
    add("--webmcp-chromium", type=Path, metavar="PATH", help="the Chromium to measure with")
    add("--webmcp-host", type=Path, metavar="PATH", help="another built host extension")
    return parser


def run(setting: Setting, wanted: Sequence[str]) -> tuple[list[Result], list[str]]:
    """Results of the wanted measures, and those that broke: one broken measure does not hide the others."""
    results: list[Result] = []
    broken: list[str] = []
    for names, measure in MEASURES:
        if not set(names) & set(wanted):
            continue
        setting.say(f"measuring {', '.join(names)}")
        try:
            results += [result for result in measure(setting) if result.name in wanted]
        except Exception:
            traceback.print_exc()
            broken += names
    return results, broken


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints the table, writes the file; returns the exit code."""
    options = _parser().parse_args(arguments)
    with open_setting(options.rounds, options.webmcp_chromium, options.webmcp_host) as setting:
        results, broken = run(setting, options.only or NAMES)
    write_jsonl(results, options.out)
    print(table(results, {result.name: targets.verdict(result) for result in results}))
    for name in broken:
        print(f"bench: {name} could not be measured; the error is above.")
    missed = targets.misses(results)
    for sentence in missed:
        print(f"bench: missed {sentence}")
    if broken:
        return 3
    return 1 if options.check and missed else 0
