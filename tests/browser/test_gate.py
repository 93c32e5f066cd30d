"""The gate between a played Chromium and a played Playwright: what passes, what does not, in which order."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fake_chromium import EXTENSION_ID, OWN_IDS, SESSION, WORKER_URL, Scene, attached, scene, target
from websockets.exceptions import ConnectionClosed

from webmcp_e2e.browser import BrowserCrashed, CdpError, HarnessTimeout
from webmcp_e2e.browser.hidden import hidden_document

OTHER_SESSION = "F" * 32
MARKER = "Test.marker"


def test_messages_pass_both_ways_byte_for_byte() -> None:
    async def act() -> None:
        async with scene() as stage:
            await stage.ask("Page.enable", 7, SESSION)
            assert await stage.chromium.command("Page.enable") == {
                "id": 7,
                "method": "Page.enable",
                "params": {},
                "sessionId": SESSION,
            }
            answer = f'{{"id":7,"result":{{"text":"ä \\u0000"}},"sessionId":"{SESSION}"}}'
            stage.chromium.say(answer.encode())
            assert await stage.heard_raw() == answer

    asyncio.run(act())


def test_a_message_of_megabytes_in_many_reads_passes_whole() -> None:
    async def act() -> None:
        async with scene() as stage:
            big = json.dumps({"method": "Page.screencastFrame", "params": {"data": "x" * 5_000_000}})
            await asyncio.to_thread(stage.chromium.say, big.encode())
            assert await stage.heard_raw() == big

    asyncio.run(act())


def test_the_gates_own_commands_are_not_heard_by_playwright() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.answers["Browser.getVersion"] = {"product": "Chrome"}
            assert await stage.gate.command("Browser.getVersion") == {"product": "Chrome"}
            assert (await stage.chromium.command("Browser.getVersion"))["id"] >= OWN_IDS
            assert await stage.hears_nothing_before(MARKER) == {"method": MARKER, "params": {}}

    asyncio.run(act())


def test_discovery_is_the_gates_own_affair() -> None:
    async def act() -> None:
        async with scene() as stage:
            for method in ("Target.targetCreated", "Target.targetInfoChanged"):
                stage.chromium.event(method, {"targetInfo": target("T", "page", "about:blank")})
            stage.chromium.event("Target.targetDestroyed", {"targetId": "T"})
            assert (await stage.hears_nothing_before(MARKER))["method"] == MARKER

    asyncio.run(act())


def test_a_worker_is_let_go_and_only_then_detached() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.silent_methods.add("Runtime.runIfWaitingForDebugger")
            start_worker(stage)
            run = await stage.chromium.command("Runtime.runIfWaitingForDebugger", SESSION)
            assert "Target.detachFromTarget" not in stage.chromium.methods()
            assert stage.gate.lives.of(EXTENSION_ID).status == "starting"

            stage.chromium.say({"id": run["id"], "result": {}})

            detach = await stage.chromium.command("Target.detachFromTarget")
            assert detach["params"] == {"sessionId": SESSION}
            assert (await stage.hears_nothing_before(MARKER))["method"] == MARKER

    asyncio.run(act())


def test_a_held_worker_waits_for_the_end_of_the_block() -> None:
    async def act() -> None:
        async with scene() as stage:
            with stage.gate.workers_held():
                start_worker(stage)
                await stage.gate.book.wait_for(lambda: bool(life(stage).held_by), 10, "no worker")
                await stage.gate.command("Browser.getVersion")
                assert "Runtime.runIfWaitingForDebugger" not in stage.chromium.methods()
            await stage.chromium.command("Runtime.runIfWaitingForDebugger", SESSION)
            await stage.gate.book.wait_for(lambda: life(stage).status == "running", 10, "not let go")

    asyncio.run(act())


def test_a_workers_life_is_counted_from_target_events() -> None:
    async def act() -> None:
        async with scene() as stage:
            for generation in (1, 2):
                start_worker(stage, f"W{generation}")
                await stage.gate.book.wait_for(lambda: life(stage).status == "running", 10, "not let go")
                assert life(stage).generation == generation
                stage.chromium.event("Target.targetDestroyed", {"targetId": f"W{generation}"})
                await stage.gate.book.wait_for(lambda: life(stage).status == "stopped", 10, "not stopped")
            assert [attachment.reason for attachment in life(stage).attachments] == ["start", "start"]

    asyncio.run(act())


def test_an_observed_worker_is_playwrights() -> None:
    async def act() -> None:
        async with scene(observe_workers=True) as stage:
            start_worker(stage)
            assert (await stage.heard())["params"]["targetInfo"]["type"] == "service_worker"
            await stage.gate.command("Browser.getVersion")
            assert "Target.detachFromTarget" not in stage.chromium.methods()

    asyncio.run(act())


def test_a_side_panel_is_announced_as_a_page() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.event("Target.attachedToTarget", attached(target("P", "other")))
            heard = await stage.heard()
            assert heard["params"]["targetInfo"] == target("P", "page")
            assert heard["params"]["waitingForDebugger"] is True

    asyncio.run(act())


def test_other_targets_are_announced_as_they_are() -> None:
    async def act() -> None:
        async with scene() as stage:
            devtools = attached(target("D", "other", "devtools://devtools/bundled/x.html"))
            nested = attached(target("N", "other"))
            stage.chromium.event("Target.attachedToTarget", devtools)
            stage.chromium.event("Target.attachedToTarget", nested, OTHER_SESSION)
            assert (await stage.heard())["params"] == devtools
            assert (await stage.heard())["params"] == nested

    asyncio.run(act())


def test_a_hidden_document_is_not_announced_and_a_panel_beside_it_is() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.answers["Target.createTarget"] = {"targetId": "H"}
            stage.chromium.before_answer = lambda command: announce_both(stage, command)
            async with hidden_document(stage.gate, "chrome://extensions/") as session_id:
                assert session_id == SESSION
            assert (await stage.heard())["params"]["targetInfo"]["targetId"] == "P"
            assert (await stage.hears_nothing_before(MARKER))["method"] == MARKER
            assert (await stage.chromium.command("Target.closeTarget"))["params"] == {"targetId": "H"}

    asyncio.run(act())


def announce_both(stage: Scene, command: dict[str, Any]) -> None:
    if command["method"] == "Target.createTarget":
        stage.chromium.event("Target.attachedToTarget", attached(target("P", "other"), OTHER_SESSION))
        stage.chromium.event("Target.attachedToTarget", attached(target("H", "other")))


def test_what_came_before_playwright_is_told_when_it_asks() -> None:
    async def act() -> None:
        async with scene(connected=False) as stage:
            stage.chromium.event("Target.attachedToTarget", attached(target("T", "page", "about:blank")))
            start_worker(stage)
            await stage.chromium.command("Target.detachFromTarget")
            stage.client = await connect_raw(stage)
            await stage.ask("Target.setAutoAttach", 1)
            assert (await stage.heard())["params"]["targetInfo"]["targetId"] == "T"
            assert await stage.heard() == {"id": 1, "result": {}}
            own = [
                message for message in stage.chromium.received if message["method"] == "Target.setAutoAttach"
            ]
            assert [message["id"] >= OWN_IDS for message in own] == [True]
            await stage.client.close()

    asyncio.run(act())


async def connect_raw(stage: Scene) -> Any:
    from websockets.asyncio.client import connect

    return await connect(stage.gate.door.endpoint, proxy=None)


def test_an_own_session_ends_unheard_and_ends_its_commands() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.silent_methods.add("Runtime.evaluate")
            stage.chromium.answers["Target.attachToTarget"] = {"sessionId": SESSION}
            stage.chromium.before_answer = lambda command: announce_own(stage, command)
            session_id = await stage.gate.attach("T")
            evaluation = asyncio.create_task(stage.gate.command("Runtime.evaluate", session_id=session_id))
            await stage.chromium.command("Runtime.evaluate")
            stage.chromium.event("Target.detachedFromTarget", {"sessionId": SESSION, "targetId": "T"})
            with pytest.raises(CdpError, match="went away"):
                await evaluation
            assert (await stage.hears_nothing_before(MARKER))["method"] == MARKER

    asyncio.run(act())


def announce_own(stage: Scene, command: dict[str, Any]) -> None:
    if command["method"] == "Target.attachToTarget":
        stage.chromium.event("Target.attachedToTarget", attached(target("T", "page", "about:blank")))


def test_an_unanswered_command_times_out() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.silent_methods.add("Browser.getVersion")
            with pytest.raises(HarnessTimeout, match=r"Browser\.getVersion within 0\.05 s"):
                await stage.gate.command("Browser.getVersion", timeout=0.05)

    asyncio.run(act())


def test_a_failure_ends_every_wait_and_tells_playwright_why() -> None:
    async def act() -> None:
        async with scene() as stage:
            stage.chromium.silent_methods.add("Browser.getVersion")
            await stage.ask("Runtime.callFunctionOn", 8, SESSION)
            await stage.chromium.command("Runtime.callFunctionOn")
            command = asyncio.create_task(stage.gate.command("Browser.getVersion"))
            wait = asyncio.create_task(stage.gate.book.wait_for(lambda: False, 60, "nothing"))
            await stage.chromium.command("Browser.getVersion")

            stage.gate.fail(BrowserCrashed("it is gone"))

            for task in (command, wait):
                with pytest.raises(BrowserCrashed, match="it is gone"):
                    await task
            answer = await stage.heard()
            assert answer["result"]["exceptionDetails"]["exception"]["description"].startswith(
                "browser_crashed: "
            )
            with pytest.raises(ConnectionClosed):
                await stage.heard()
            with pytest.raises(BrowserCrashed):
                await stage.gate.command("Browser.getVersion")

    asyncio.run(act())


def test_the_end_of_the_pipe_is_reported() -> None:
    async def act() -> None:
        ended = asyncio.Event()
        async with scene(on_pipe_end=ended.set) as stage:
            stage.chromium.close()
            async with asyncio.timeout(10):
                await ended.wait()

    asyncio.run(act())


def start_worker(stage: Scene, target_id: str = "W") -> None:
    info = target(target_id, "service_worker", WORKER_URL)
    stage.chromium.event("Target.targetCreated", {"targetInfo": info})
    stage.chromium.event("Target.attachedToTarget", attached(info))


def life(stage: Scene) -> Any:
    return stage.gate.lives.of(EXTENSION_ID)
