"""Chromium's command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from webmcp_e2e.browser import ChromiumBinary
from webmcp_e2e.browser.flags import Runtime, command_line, join_lists

BINARY = ChromiumBinary(Path("/opt/chromium"), "156.0.1.2")

HIDE_BUGS = (
    "--disable-back-forward-cache",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-popup-blocking",
    "--disable-extensions",
    "--disable-site-isolation-trials",
)


def line(*args: str, runtime: Runtime = "native", headless: bool = True) -> list[str]:
    return command_line(BINARY, Path("/p"), runtime=runtime, headless=headless, args=args)


def test_no_port_is_opened_and_no_bug_is_hidden() -> None:
    flags = line()

    assert "--remote-debugging-pipe" in flags
    assert not [flag for flag in flags if flag.startswith("--remote-debugging-port")]
    assert not set(HIDE_BUGS) & set(flags)


@pytest.mark.parametrize(("runtime", "on"), [("native", True), ("polyfill", False)])
def test_the_runtime_decides_on_webmcp(runtime: Runtime, on: bool) -> None:
    assert ("--enable-blink-features=WebMCP" in line(runtime=runtime)) is on


def test_headed_means_a_window() -> None:
    assert not [flag for flag in line(headless=False) if flag.startswith(("--headless", "--screen-info"))]


def test_own_features_are_added_and_not_put_in_place_of_ours() -> None:
    flags = line("--disable-features=Mine", "--enable-blink-features=Other")

    (disabled,) = [flag for flag in flags if flag.startswith("--disable-features=")]
    assert disabled.endswith(",Mine")
    assert disabled.count(",") > 2
    assert "--enable-blink-features=WebMCP,Other" in flags


def test_other_flags_keep_their_order_and_the_last_one_wins() -> None:
    assert join_lists(["--a=1", "--enable-features=X", "--a=2", "--enable-features=Y"]) == [
        "--a=1",
        "--enable-features=X,Y",
        "--a=2",
    ]
