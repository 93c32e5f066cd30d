"""Reports about names that models refuse, names that fold into one, and browsers that disagree about shapes."""

from __future__ import annotations

import re

import pytest

from webmcp_e2e.browser import ChromiumBinary
from webmcp_e2e.chain import Chain
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native")]
LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
HARD = ("a.b", "a-b", "a_b", "n" * 64, "n" * 65, "long." * 24)
REGISTER = """
async (names) => {
  for (const name of names) {
    await document.modelContext.registerTool({
      name, description: "d", inputSchema: {type: "object"}, execute: () => name,
    });
  }
}
"""


@pytest.mark.bug("B16", "B17")
@pytest.mark.requirement("chain.relay.names")
def test_every_name_is_legal_distinct_stable_and_leads_back(chain: Chain) -> None:
    before = chain.relay.page_tools()
    chain.page.evaluate(REGISTER, HARD)

    def fresh() -> set[str]:
        return chain.relay.page_tools() - before

    names = wait_until(lambda: len(fresh()) == len(HARD) and fresh(), "all of them are listed")
    assert all(LEGAL.fullmatch(name) for name in names)
    answers = {chain.relay.call(name).content[0].text for name in names}
    assert answers == set(HARD), "each public name leads to a tool of its own"
    chain.host.worker.stop()
    chain.host.worker.wait_running()
    wait_until(lambda: fresh() == names, "the same names from the next worker")


@pytest.mark.bug("B22")
@pytest.mark.requirement("chain.main.skew")
class TestBothGenerations:
    @pytest.fixture(params=["object", "text"])
    def chromium_binary(
        self, request: pytest.FixtureRequest, chromium_binary: ChromiumBinary
    ) -> ChromiumBinary:
        """The browser under test wants an object, Chromium 150 a text."""
        if request.param == "text":
            return request.getfixturevalue("chromium_150")  # type: ignore[no-any-return]
        return chromium_binary

    def test_arguments_and_schemas_arrive_whatever_shape_the_browser_wants(self, chain: Chain) -> None:
        assert chain.call("sum", {"a": 20, "b": 22})["structuredContent"] == {"sum": 42}
        schema = chain.relay.tools()["sum"].input_schema
        assert set(schema["properties"]) == {"a", "b"}
        assert [one.tool for one in chain.html_app.invocations] == ["sum"]
