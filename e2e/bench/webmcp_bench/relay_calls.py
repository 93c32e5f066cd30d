"""A page's tool called by an MCP client: our relay, the peer's, and the Python SDK alone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from webmcp_e2e.services.mcp_client import McpClient

from .calls import one_by_one, per_second
from .results import Result
from .rigs import ARGS, PEER_RELAY, TOOL, Rig, embed_rig, extension_rig, floor_client
from .rounds import in_turn, median_of
from .setting import Setting

_CALLS = 200
_LOAD_CALLS = 600
_IN_FLIGHT = 32


@dataclass(frozen=True)
class Caller:
    """A client and the name under which its server offers the measured tool."""

    client: McpClient
    tool: str = TOOL

    @classmethod
    def on(cls, rig: Rig) -> Caller:
        """The client of a rig."""
        return cls(rig.relay, rig.public_name(TOOL))

    def latencies(self) -> list[float]:
        """Milliseconds of each call, one after the other."""
        return one_by_one(self.client, self.tool, ARGS, _CALLS)

    def load(self) -> float:
        """Calls per second, 32 under way."""
        return per_second(self.client, self.tool, ARGS, _LOAD_CALLS, _IN_FLIGHT)


def measure_relay(setting: Setting) -> Iterator[Result]:
    """Our extension on both relays."""
    with ExitStack() as stack:
        callers = {
            "ours": Caller.on(stack.enter_context(extension_rig(setting, "ours", "relay-ours"))),
            "peer": Caller.on(stack.enter_context(extension_rig(setting, "peer", "relay-peer"))),
            "floor": Caller(stack.enter_context(floor_client(setting.folder))),
        }
        times = in_turn({who: caller.latencies for who, caller in callers.items()}, setting.rounds)
        loads = in_turn({who: caller.load for who, caller in callers.items()}, setting.rounds)
    for name, share in (("relay_call_p50_ms", 0.5), ("relay_call_p95_ms", 0.95)):
        found = {who: median_of(values, share) for who, values in times.items()}
        yield Result(name, found["ours"], "ms", PEER_RELAY, found["peer"], found["floor"])
    load = {who: statistics.median(values) for who, values in loads.items()}
    yield Result("relay_calls_per_s", load["ours"], "1/s", PEER_RELAY, load["peer"], load["floor"])


def measure_chain(setting: Setting) -> Iterator[Result]:
    """Our whole chain beside the peer's shorter one, both in the runtime that the peer's embed knows."""
    with ExitStack() as stack:
        ours = stack.enter_context(extension_rig(setting, "ours", "chain-ours", runtime="polyfill"))
        callers = {
            "ours": Caller.on(ours),
            "peer": Caller.on(stack.enter_context(embed_rig(setting, "chain-embed"))),
        }
        times = in_turn({who: caller.latencies for who, caller in callers.items()}, setting.rounds)
    found = {who: median_of(values) for who, values in times.items()}
    yield Result("chain_call_p50_ms", found["ours"], "ms", f"{PEER_RELAY} with its embed", found["peer"])
