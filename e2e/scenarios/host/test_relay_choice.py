"""``relaySettings`` choose the relay; every other listener is left in peace."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.choice"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def two(relay_ports: range) -> Iterator[tuple[ScriptedRelay, ScriptedRelay]]:
    """Two relays in one range: a person's own, and the test's."""
    with ExitStack() as stack:
        yield (
            stack.enter_context(ScriptedRelay(relay_ports[0], hello={"relayId": "own", "workspace": "home"})),
            stack.enter_context(
                ScriptedRelay(relay_ports[2], hello={"relayId": "test", "workspace": "suite"})
            ),
        )


@pytest.fixture
def wanted() -> dict[str, Any]:
    """More members of the settings."""
    return {}


@pytest.fixture
def relay_settings(two, relay_ports: range, wanted: dict[str, Any]) -> dict[str, Any]:
    return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]], **wanted}


def announced(relay: ScriptedRelay) -> list[str | None]:
    """Whom the relay was told about."""
    return [one.tab_id for one in relay.connections if one.hello is not None]


def test_the_first_matching_port_of_the_range_is_taken(host: Extension, two) -> None:
    two[0].wait_for("extension")
    assert announced(two[1]) == []


@pytest.mark.parametrize(
    "wanted", [{"relayId": "test"}, {"workspace": "suite"}], ids=["relayId", "workspace"]
)
def test_only_the_relay_that_matches_is_told_anything(host: Extension, two, wanted) -> None:
    two[1].wait_for("extension")
    assert announced(two[0]) == [], "the other relay heard no hello"
    wait_until(lambda: not any(one.is_open for one in two[0].connections), "its probe is closed")


@pytest.mark.parametrize("wanted", [{"relayId": "nobody"}])
def test_no_match_is_no_connection(host: Extension, two, wanted) -> None:
    wait_until(lambda: host.storage.get("relayConnector", area="session"), "the scan has ended")
    assert announced(two[0]) == announced(two[1]) == []


def test_changed_settings_move_to_the_other_relay(host: Extension, two, relay_settings) -> None:
    first = two[0].wait_for("extension")

    host.storage.set({"relaySettings": {**relay_settings, "relayId": "test"}})

    two[1].wait_for("extension")
    wait_until(lambda: first.close_code == 1000, "the first relay's sockets end with 1000")


@pytest.fixture
def outside() -> Iterator[ScriptedRelay]:
    """A relay on a port that no setting names."""
    with port_range(1) as elsewhere, ScriptedRelay(elsewhere[0]) as relay:
        yield relay


def test_a_relay_outside_the_range_is_never_touched(outside: ScriptedRelay, host: Extension, two) -> None:
    two[0].wait_for("extension")
    assert outside.connections == []


@pytest.mark.parametrize("wanted", [{"enabled": False}])
def test_switched_off_from_the_first_start_opens_nothing(host: Extension, page: Page, two, wanted) -> None:
    panel = host.side_panel(page)
    panel.get_by_test_id("view-relay").click()
    panel.get_by_test_id("relay-reconnect").click()
    expect(panel.get_by_test_id("relay-state")).to_have_attribute("data-phase", "off")
    assert two[0].connections == two[1].connections == []


@pytest.mark.parametrize("wanted", [{"enabled": False}])
def test_unusable_settings_open_nothing_and_are_named(host, page: Page, two, wanted, relay_settings) -> None:
    panel = host.side_panel(page)
    panel.get_by_test_id("view-relay").click()
    unusable = [
        ({"host": "relay.example"}, "no loopback"),
        ({"ports": [9, 8]}, "no range"),
        ({"ports": [1, 65535]}, "64"),
    ]
    for members, problem in unusable:
        host.storage.set({"relaySettings": {**relay_settings, "enabled": True, **members}})
        expect(panel.get_by_test_id("relay-problem")).to_contain_text(problem)
        expect(panel.get_by_test_id("relay-state")).to_have_attribute("data-phase", "invalid")
    assert two[0].connections == two[1].connections == []


def test_the_person_chooses_in_the_panel(host, page: Page, two) -> None:
    first = two[0].wait_for("extension")
    panel = host.side_panel(page)
    panel.get_by_test_id("view-relay").click()
    expect(panel.get_by_test_id("relay-id")).to_have_text("own")

    panel.get_by_label("Only this workspace").fill("suite")
    panel.get_by_test_id("settings-save").click()

    expect(panel.get_by_test_id("relay-id")).to_have_text("test")
    assert first.close_code == 1000
    panel.get_by_label("Offer tools to a relay").uncheck()
    panel.get_by_test_id("settings-save").click()
    expect(panel.get_by_test_id("relay-state")).to_have_attribute("data-phase", "off")
    wait_until(lambda: not any(one.is_open for one in two[1].connections), "its sockets are closed")


class TestForeignListeners:
    """Ports of the range on which something else listens."""

    @pytest.fixture
    def two(self, relay_ports: range) -> Iterator[tuple[ScriptedRelay, ScriptedRelay]]:
        """A mute TCP listener, a websocket server without hello, and behind them the relay."""
        with ExitStack() as stack:
            stack.enter_context(socket.create_server(("127.0.0.1", relay_ports[0])))
            foreign = stack.enter_context(ScriptedRelay(relay_ports[1], silent=True))
            yield foreign, stack.enter_context(ScriptedRelay(relay_ports[2]))

    def test_they_are_passed_over(self, host: Extension, two) -> None:
        two[1].wait_for("extension")
        assert announced(two[0]) == []
        wait_until(lambda: not any(one.is_open for one in two[0].connections), "the probe is closed")
