"""A page that has stopped answering is told from one that is only slow, with a played Chromium."""

from __future__ import annotations

import asyncio

from fake_chromium import SESSION, Scene, scene

PATIENCE_S = 0.4


def test_a_silent_page_fails_the_calls_on_it() -> None:
    async def act() -> None:
        async with scene(hang_timeout=PATIENCE_S) as stage:
            stage.chromium.silent_methods.add("Runtime.evaluate")
            began = asyncio.get_running_loop().time()
            await stage.ask("Page.navigate", 5, SESSION)
            answer = await stage.heard()
            assert answer["id"] == 5
            assert answer["sessionId"] == SESSION
            assert answer["error"]["message"].startswith("page_hung: ")
            assert asyncio.get_running_loop().time() - began >= PATIENCE_S
            await an_answer_that_comes_too_late_is_dropped(stage)

    asyncio.run(act())


async def an_answer_that_comes_too_late_is_dropped(stage: Scene) -> None:
    """Playwright breaks on an answer to a command that it has forgotten."""
    stage.chromium.say({"id": 5, "result": {}, "sessionId": SESSION})
    assert (await stage.hears_nothing_before("Test.marker"))["method"] == "Test.marker"


def test_a_slow_call_on_a_page_that_answers_probes_is_left_alone() -> None:
    async def act() -> None:
        async with scene(hang_timeout=PATIENCE_S) as stage:
            await stage.ask("Page.navigate", 5, SESSION)
            await stage.chromium.command("Runtime.evaluate", SESSION)
            stage.chromium.received.clear()
            await stage.chromium.command("Runtime.evaluate", SESSION)
            stage.chromium.say({"id": 5, "result": {"late": True}, "sessionId": SESSION})
            assert (await stage.heard())["result"] == {"late": True}

    asyncio.run(act())


def test_a_page_with_an_open_dialog_is_excused() -> None:
    async def act() -> None:
        async with scene(hang_timeout=PATIENCE_S) as stage:
            stage.chromium.silent_methods.add("Runtime.evaluate")
            await stage.ask("Page.navigate", 5, SESSION)
            stage.chromium.event("Page.javascriptDialogOpening", {}, SESSION)
            assert (await stage.heard())["method"] == "Page.javascriptDialogOpening"
            await stage.ask("Page.navigate", 6, "E" * 32)
            assert (await stage.heard())["id"] == 6, "the page without a dialog is given up"
            stage.chromium.event("Page.javascriptDialogClosed", {}, SESSION)
            assert (await stage.heard())["method"] == "Page.javascriptDialogClosed"
            assert (await stage.heard())["id"] == 5, "and the other one once its dialog is closed"

    asyncio.run(act())


def test_a_silent_browser_ends_everything() -> None:
    async def act() -> None:
        async with scene(hang_timeout=PATIENCE_S) as stage:
            stage.chromium.silent_methods.add("Browser.getVersion")
            await stage.ask("Target.createTarget", 5)
            assert "Chromium as a whole" in (await stage.heard())["error"]["message"]
            assert stage.gate.failure is not None

    asyncio.run(act())
