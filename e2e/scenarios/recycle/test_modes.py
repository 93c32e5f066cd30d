"""The ways in which a worker ends, each observed really to happen; ``test_full_length`` has the natural one."""

from __future__ import annotations

import pytest
from witness_kit import Witness

from webmcp_e2e.browser import WorkerStopped

pytestmark = [pytest.mark.requirement("recycle.modes"), pytest.mark.webmcp_runtime("native")]


def test_stop_ends_the_worker_and_the_next_event_starts_another(witness: Witness) -> None:
    first = witness.birth()
    witness.extension.storage.set({"mark": 1}, area="session")

    witness.worker.recycle("stop")

    assert (witness.worker.status, witness.worker.generation) == ("stopped", 1)
    assert witness.birth() != first
    assert (witness.worker.status, witness.worker.generation) == ("running", 2)
    assert not witness.worker.debugger_attached
    assert witness.extension.storage.get("mark", area="session") == 1
    witness.wait_for_events("installed:install")


def test_reload_is_an_update_that_loses_the_session(witness: Witness) -> None:
    first = witness.birth()
    witness.extension.storage.set({"mark": 1}, area="session")

    witness.worker.recycle("reload")

    assert (witness.worker.status, witness.worker.generation) == ("running", 2)
    assert not witness.worker.debugger_attached
    assert witness.birth() != first
    assert witness.extension.storage.get("mark", area="session") is None
    assert witness.extension.storage.get("kept") is True
    witness.wait_for_events("installed:install", "installed:update")


def test_restart_brings_the_extension_back_as_at_a_users(witness: Witness) -> None:
    first, pid = witness.birth(), witness.browser.pid
    witness.extension.storage.set({"mark": 1}, area="session")
    witness.wait_for_events("installed:install")

    witness.worker.recycle("restart")

    assert witness.browser.pid != pid
    assert (witness.worker.status, witness.worker.generation) == ("running", 2)
    assert not witness.worker.debugger_attached
    assert witness.birth() != first
    assert witness.extension.storage.get("mark", area="session") is None
    assert witness.extension.storage.get("kept") is True
    witness.wait_for_events("installed:install", "startup")


def test_a_second_restart_is_a_restart_too(witness: Witness) -> None:
    witness.wait_for_events("installed:install")
    witness.worker.recycle("restart")
    witness.wait_for_events("installed:install", "startup")

    witness.worker.recycle("restart")

    witness.wait_for_events("installed:install", "startup", "startup")
    assert witness.worker.generation == 3


@pytest.mark.parametrize("mode", ["stop", "idle"])
def test_a_stopped_worker_cannot_be_recycled_unnoticed(witness: Witness, mode: str) -> None:
    witness.worker.recycle("stop")

    with pytest.raises(WorkerStopped, match="Wake it first"):
        witness.worker.recycle(mode)  # type: ignore[arg-type]
