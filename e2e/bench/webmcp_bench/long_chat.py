"""A chat of 200 messages and 1,000 tool calls: how long the panel's thread is busy at a time, and what jumps."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.services.llm import Llm
from webmcp_e2e.waiting import wait_until

from .results import Result
from .setting import Setting
from .stored_chat import TURNS, stored_chat

_WORDS_PER_SECOND = 200
_SECONDS = 4
_PATIENCE = 60_000

_WATCH = """
() => {
  globalThis.benchTasks = [];
  globalThis.benchShifts = [];
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({type});
  watch("longtask", (entry) => benchTasks.push(entry.duration));
  watch("layout-shift", (entry) => benchShifts.push(entry.value));
}
"""
# Two frames later everything that has happened so far is observed.
_TAKE = """
async () => {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  const taken = {tasks: benchTasks.splice(0), shifts: benchShifts.splice(0)};
  return {longest: Math.max(0, ...taken.tasks), shift: taken.shifts.reduce((sum, one) => sum + one, 0)};
}
"""
_STREAM = """\
Row {n} has **{n}0.50** and `code`, see [this](https://example.com/{n}).

- one point
- another point

| id | total |
|---|---:|
| {n} | {n}.00 |

"""


@dataclass(frozen=True)
class _Chat:
    panel: Page
    log: Locator
    llm: Llm

    def taken(self) -> dict[str, float]:
        """The longest task (ms; 0 where none took 50) and the sum of layout shifts since the last time."""
        found: dict[str, float] = self.panel.evaluate(_TAKE)
        return found


@contextmanager
def _long_chat(setting: Setting) -> Iterator[_Chat]:
    """The Chat tab with the stored session, watched since before it was shown."""
    stderr_file = setting.folder / "long-chat-chromium.log"
    browser = ExtensionBrowser.launch(setting.playwright, binary=setting.binary, stderr_file=stderr_file)
    try:
        with Llm() as llm:
            storage = {
                RELAY_SETTINGS_KEY: {"enabled": False},
                **stored_chat(llm.openai_url, llm.origin, llm.api_key),
            }
            host = browser.load_extension(setting.host, local_storage=storage)
            page = browser.context.new_page()
            page.goto(setting.app.page(lab="", journal="off"))
            panel = host.side_panel(page)
            panel.evaluate(_WATCH)
            panel.get_by_role("tab", name="Chat").click()
            yield _Chat(panel, panel.get_by_role("log", name="Conversation"), llm)
    finally:
        browser.close()


def _wait_filled(chat: _Chat) -> None:
    answers = chat.panel.locator("[data-testid=message][data-role=assistant]")
    wait_until(lambda: answers.count() == TURNS, "the whole conversation is there", timeout=60)


def _scroll_and_type(chat: _Chat) -> None:
    """To the beginning by the wheel, and a sentence."""
    chat.log.hover()
    while chat.log.evaluate("(log) => log.scrollTop > 0"):
        chat.panel.mouse.wheel(0, -2_000)
    chat.panel.get_by_role("textbox", name="Message").click()
    chat.panel.keyboard.type("Show me what has changed since the first day, please.")
    chat.panel.keyboard.press("ControlOrMeta+a")


def _stream(chat: _Chat) -> None:
    """An answer at the rate, watched at its end; typing and scrolling are over, so that shifts count."""
    text = "".join(_STREAM.format(n=number) for number in range(_WORDS_PER_SECOND * _SECONDS // 25))
    reply = chat.llm.reply(text, "The end.", rate=_WORDS_PER_SECOND)
    chat.panel.keyboard.type("Go on.")
    chat.panel.keyboard.press("Enter")
    reply.wait_asked()
    chat.taken()
    newest = chat.panel.locator("[data-testid=message][data-role=assistant]").last
    expect(newest).to_have_attribute("data-state", "done", timeout=_PATIENCE)


def measure_long_chat(setting: Setting) -> Iterator[Result]:
    """Longest task while it opens, scrolls, types; longest task and layout shift while an answer streams."""
    opened: list[float] = []
    used: list[float] = []
    streamed: list[dict[str, float]] = []
    for _ in range(setting.rounds):
        with _long_chat(setting) as chat:
            _wait_filled(chat)
            opened.append(chat.taken()["longest"])
            _scroll_and_type(chat)
            used.append(chat.taken()["longest"])
            _stream(chat)
            streamed.append(chat.taken())
    median = statistics.median
    yield Result("chat_open_longest_task_ms", median(opened), "ms", note="0: none took 50")
    yield Result("chat_use_longest_task_ms", median(used), "ms", note="0: none took 50")
    yield Result("chat_stream_longest_task_ms", median(one["longest"] for one in streamed), "ms")
    yield Result("chat_stream_shift", median(one["shift"] for one in streamed), "CLS")
