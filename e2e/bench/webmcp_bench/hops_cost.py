"""What recording costs a call: the same chain with hops on and off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from webmcp_e2e.hops import Hops

from .relay_calls import Caller
from .results import Result
from .rigs import extension_rig
from .rounds import in_turn, median_of
from .setting import Setting


def measure_hops(setting: Setting) -> Iterator[Result]:
    """A call's median with every hop recorded; the peer is the same chain unobserved."""
    with ExitStack() as stack:
        on = extension_rig(setting, "ours", "hops-on", hops=Hops("on", setting.folder))
        off = extension_rig(setting, "ours", "hops-off")
        callers = {"on": Caller.on(stack.enter_context(on)), "off": Caller.on(stack.enter_context(off))}
        times = in_turn({who: caller.latencies for who, caller in callers.items()}, setting.rounds)
    found = {who: median_of(values) for who, values in times.items()}
    yield Result("hops_call_p50_ms", found["on"], "ms", "hops off", found["off"])
