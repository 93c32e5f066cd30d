"""Whether a call gets slower with many selected tabs, and with many tools on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

from webmcp_e2e.contract import TAB_SELECTION_KEY
from webmcp_e2e.waiting import wait_until

from .calls import one_by_one
from .results import Result
from .rigs import ARGS, TOOL, Rig, extension_rig
from .rounds import in_turn, median_of
from .setting import Setting

_CALLS = 200
_TABS = 30
_FEW_TOOLS, _MANY_TOOLS = 10, 250
_DESK_TOOLS = 5
_WEB_TABS = "chrome.tabs.query({url: 'http://*/*'}).then((tabs) => tabs.map((tab) => tab.id))"


def _open_tabs(rig: Rig, setting: Setting) -> None:
    """Opens the further tabs and selects all, so that each feeds the relay."""
    if rig.host is None:
        raise RuntimeError("this measure needs the extension")
    for _ in range(_TABS - 1):
        rig.browser.context.new_page().goto(setting.app.page(lab="", journal="off"))
    ids = rig.host.worker.evaluate(_WEB_TABS)
    rig.host.storage.set({TAB_SELECTION_KEY: {"tabIds": ids}}, area="session")
    wait_until(
        lambda: sum(1 for source in rig.relay.sources() if source.get("tabId") != "extension") >= _TABS,
        f"{_TABS} tabs feed the relay",
        timeout=60,
    )
    # Both called tabs are in front: what grows is the number of tabs, not the distance from the person.
    rig.page.bring_to_front()


def _growth(setting: Setting, few: Rig, many: Rig, tool: str) -> tuple[float, float]:
    args = ARGS if tool == TOOL else {}
    samples = in_turn(
        {
            "few": lambda: one_by_one(few.relay, few.public_name(tool), args, _CALLS),
            "many": lambda: one_by_one(many.relay, many.public_name(tool), args, _CALLS),
        },
        setting.rounds,
    )
    return median_of(samples["few"]), median_of(samples["many"])


def _result(name: str, few: float, many: float) -> Result:
    return Result(name, many / few, "×", note=f"{few:.2f} ms → {many:.2f} ms")


def measure_tabs(setting: Setting) -> Iterator[Result]:
    """The median call with 30 selected tabs over that with one."""
    with ExitStack() as stack:
        few = stack.enter_context(extension_rig(setting, "ours", "one-tab"))
        many = stack.enter_context(extension_rig(setting, "ours", "many-tabs"))
        _open_tabs(many, setting)
        yield _result("tabs_growth", *_growth(setting, few, many, TOOL))


def _with_tools(setting: Setting, count: int) -> AbstractContextManager[Rig]:
    return extension_rig(setting, "ours", f"{count}-tools", {"more": count - _DESK_TOOLS})


def measure_tools(setting: Setting) -> Iterator[Result]:
    """The median call with 250 tools on the page over that with 10."""
    with ExitStack() as stack:
        few = stack.enter_context(_with_tools(setting, _FEW_TOOLS))
        many = stack.enter_context(_with_tools(setting, _MANY_TOOLS))
        many.wait_for_tool(f"more_{_MANY_TOOLS - _DESK_TOOLS}")
        yield _result("tools_growth", *_growth(setting, few, many, "more_1"))
