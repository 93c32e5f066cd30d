"""The next test's browser starts while this one runs: a Chromium boots in the time that a scenario waits.

It is as fresh as any: its own profile, nothing loaded, nobody connected. What the next test will want is a guess from
this one; a wrong guess is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable

import pytest

from webmcp_e2e.browser import ExtensionBrowser, HarnessError

Launch = Callable[[str], ExtensionBrowser]
"""Starts a browser in a runtime, without connecting."""


class StandbyBrowser:
    """At most one browser, started ahead."""

    def __init__(self) -> None:
        self.next_runtime: str | None = None
        """The page runtime of the next test, none if it needs no new browser."""
        self._key: Hashable = None
        self._browser: ExtensionBrowser | None = None
        self._launch: tuple[Callable[[str], Hashable], Launch] | None = None

    def take(self, runtime: str, key_of: Callable[[str], Hashable], launch: Launch) -> ExtensionBrowser:
        """The browser that stands ready if it is of that kind; launched now otherwise.

        ``key_of`` gives what a browser of a runtime is launched with. The way is remembered for the next one.
        """
        self._launch = (key_of, launch)
        browser, self._browser = self._browser, None
        if browser is not None and self._key == key_of(runtime) and browser.failure is None:
            return browser
        if browser is not None:
            browser.close()
        return launch(runtime)

    def rest(self) -> None:
        """Start none until the next ``take``."""
        self._launch = None
        self.close()

    def prepare(self) -> None:
        """Start the next test's browser, if one is foreseen."""
        if self._browser is not None or self._launch is None or self.next_runtime is None:
            return
        key_of, launch = self._launch
        self._key = key_of(self.next_runtime)
        try:
            self._browser = launch(self.next_runtime)
        except (HarnessError, OSError):
            self._browser = None  # the test itself will meet it, and report it as its own

    def close(self) -> None:
        """Close what nobody took; idempotent."""
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()


STANDBY: pytest.StashKey[StandbyBrowser] = pytest.StashKey()
"""On the configuration: the run's one."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Note what the next test will want."""
    standby = item.config.stash.setdefault(STANDBY, StandbyBrowser())
    standby.next_runtime = None if nextitem is None else wanted_runtime(item, nextitem)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """This test has what it needs: the next one's browser may boot."""
    item.config.stash[STANDBY].prepare()
    return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nobody will come for it."""
    standby = session.config.stash.get(STANDBY, None)
    if standby is not None:
        standby.close()


def wanted_runtime(item: pytest.Item, nextitem: pytest.Item) -> str | None:
    """The runtime of the fresh browser that ``nextitem`` will ask for, none if it will not."""
    from webmcp_e2e.shared_browser import MARK

    if nextitem.get_closest_marker(MARK) is not None:
        return None
    params = getattr(getattr(nextitem, "callspec", None), "params", {})
    return params.get("webmcp_runtime")
