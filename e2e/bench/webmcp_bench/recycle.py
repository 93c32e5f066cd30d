"""How long after its worker was stopped the whole chain answers again."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.waiting import wait_until

from .results import Result
from .rigs import ARGS, TOOL, Rig, extension_rig
from .rounds import in_turn
from .setting import Setting

_RETRYABLE = {"source_disconnected", "not_ready"}
_LONGEST_S = 20.0


def _answers(rig: Rig, tool: str) -> bool:
    """Calls once; a call that was on its way when the socket fell is said to be lost and is called again."""
    result = rig.relay.call(tool, dict(ARGS))
    if not result.is_error:
        return True
    error = (result.meta or {}).get(ERROR_META, {})
    if error.get("code") not in _RETRYABLE:
        raise RuntimeError(f"{tool} failed while it was measured: {result.content}")
    return False


def _stop_and_call(rig: Rig, tool: str) -> float:
    host = rig.host
    if host is None:
        raise RuntimeError("this measure needs the extension")
    wait_until(lambda: host.worker.status == "running", "the worker runs again", timeout=_LONGEST_S)
    generation = host.worker.generation
    host.worker.stop()
    begin = time.perf_counter()
    wait_until(lambda: _answers(rig, tool), "the chain answers again", timeout=_LONGEST_S, step=0.001)
    spent = (time.perf_counter() - begin) * 1000
    if host.worker.generation == generation:
        raise RuntimeError("the worker was not stopped: the call went to the old one.")
    return spent


def measure_recycle(setting: Setting) -> Iterator[Result]:
    """Milliseconds from the worker's end to the result of the first call over the whole chain."""
    with extension_rig(setting, "ours", "recycle") as rig:
        tool = rig.public_name(TOOL)
        samples = in_turn({"ours": lambda: _stop_and_call(rig, tool)}, setting.rounds)
    yield Result("recycle_to_call_ms", statistics.median(samples["ours"]), "ms")
