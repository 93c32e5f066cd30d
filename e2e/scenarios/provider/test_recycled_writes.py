"""500 writes of 20 hosts while the provider's worker is stopped again and again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from userscript_calls import error_code, source_of

from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import HostSession, ScriptedHost, initialize_params
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider

pytestmark = [
    pytest.mark.requirement("lumo.audit.writes", "lumo.rate.recycle"),
    pytest.mark.webmcp_runtime("native"),
]

HOSTS, ROUNDS, BATCH = 20, 5, 5


@pytest.fixture
def hosts(provider: Provider, peer: ScriptedHost, scripted_host: MakeHost) -> list[ScriptedHost]:
    """All on the allowlist."""
    more = [scripted_host(provider.id) for _ in range(1, HOSTS)]
    provider.allow(*(host.id for host in more))
    return [peer, *more]


def connected(host: ScriptedHost) -> HostSession:
    """A session; where a stop hits the handshake, the next one."""
    for _ in range(10):
        session = host.connect()
        hello = session.numbered("initialize", initialize_params())
        session.post(hello)
        if session.answers(hello["id"])[0]:
            return session
    raise AssertionError("ten handshakes in a row fell")


@pytest.mark.soak
def test_store_and_log_agree_and_nothing_is_written_twice(
    provider: Provider, hosts: list[ScriptedHost], record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(7)
    told, unknown, stops = set[str](), set[str](), 0

    for round_ in range(ROUNDS):
        posted = []
        for index, host in enumerate(hosts):
            names = [f"round {round_} host {index} write {write}" for write in range(BATCH)]
            session = connected(host)
            calls = [("create_script", {"source": source_of(name)}) for name in names]
            posted.append((session, names, session.begin(calls)))
            if chance.random() < 0.3:
                provider.worker.stop()
                stops += 1
        for session, names, ids in posted:
            for name, answer in zip(names, session.answers(*ids), strict=True):
                if answer is None:
                    unknown.add(name)
                else:
                    assert error_code(answer["result"]) is None, answer
                    told.add(name)

    scripts = provider.storage.get("scripts")
    written = Counter(script["metadata"]["name"] for script in scripts)
    logged = [entry for entry in provider.storage.get("audit") if entry["result"] == "ok"]
    record_property(
        "outcome", {"told": len(told), "unknown": len(unknown), "written": len(scripts), "stops": stops}
    )
    assert stops > 10
    assert len(told) + len(unknown) == HOSTS * ROUNDS * BATCH, "each call ended"
    assert max(written.values()) == 1, "a write happened twice"
    assert told <= set(written) <= told | unknown
    assert sorted(entry["targetUuid"] for entry in logged) == sorted(script["uuid"] for script in scripts)
    by_sender = Counter(entry["senderId"] for entry in logged)
    for host in hosts:
        window = provider.storage.get(f"writeWindow:{host.id}", area="session") or []
        assert by_sender[host.id] <= len(window) <= LIMITS["writesPerWindow"].value
