"""Runs a report's steps as one test. Not collected by itself: ``webmcp-e2e repro`` gives it to pytest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import pytest

from webmcp_e2e.chain import Chain
from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.repro import report as steps
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until


@pytest.fixture
def html_app(webmcp_report: steps.Report) -> Iterator[HtmlApp]:
    """The report's pages over those of the page app."""
    with HtmlApp([webmcp_report.pages] if webmcp_report.pages else []) as app:
        yield app


def test_report(webmcp_report: steps.Report, chain: Chain) -> None:
    """Every step, in order."""
    for number, step in enumerate(webmcp_report.steps, 1):
        error = _error_of(step, chain)
        if error is not None:
            # Where in this file it failed is nobody's business: the step is what its reader has written.
            pytest.fail(f"step {number}, {_in_words(step)}: {error}", pytrace=False)


def _error_of(step: Any, chain: Chain) -> Exception | None:
    try:
        run(step, chain)
    except Exception as error:
        return error
    return None


def _in_words(step: Any) -> str:
    """As the report has it: ``call = 'greet', args = {}``; what was not given is left out."""
    given = ((key, value) for key, value in vars(step).items() if value not in (None, [], {}))
    return ", ".join(f"{key} = {value!r}" for key, value in given)


@singledispatch
def run(step: Any, chain: Chain) -> None:
    """Does one step."""
    raise TypeError(f"no such step: {step!r}")


@run.register
def _(step: steps.Goto, chain: Chain) -> None:
    url = step.goto if "://" in step.goto else chain.html_app.page(step.goto)
    chain.page.goto(url)


@run.register
def _(step: steps.CallTool, chain: Chain) -> None:
    result = chain.call(step.call, step.args, via=step.via)
    code = result.get("_meta", {}).get(ERROR_META, {}).get("code") if result.get("isError") else None
    if code != step.error:
        raise AssertionError(f"ended with {code or 'a result'}: {result}")
    if step.text is not None:
        said = result["content"][0].get("text")
        if said != step.text:
            raise AssertionError(f"said {said!r}")


@run.register
def _(step: steps.Expect, chain: Chain) -> None:
    def holds() -> bool:
        names = chain.relay.page_tools()
        return names.issuperset(step.tools) and names.isdisjoint(step.without)

    wait_until(holds, f"the MCP client lists {step.tools} and none of {step.without}")


@run.register
def _(step: steps.Recycle, chain: Chain) -> None:
    chain.host.worker.recycle(step.recycle)


@run.register
def _(step: steps.Click, chain: Chain) -> None:
    chain.page.click(step.click)


@run.register
def _(step: steps.Move, chain: Chain) -> None:
    page = chain.page
    moves = {"back": page.go_back, "forward": page.go_forward, "reload": page.reload}
    moves[step.move](wait_until="commit")


@run.register
def _(_step: steps.RestartRelay, chain: Chain) -> None:
    chain.relay.restart()


@run.register
def _(step: steps.Executions, chain: Chain) -> None:
    ran = [one.tool for one in chain.html_app.invocations]
    if len(ran) != step.executions:
        raise AssertionError(f"the page's tools ran {len(ran)} times: {ran}")
