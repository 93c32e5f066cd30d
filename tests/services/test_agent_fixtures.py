"""The fixtures as a stranger's tests meet them."""

from __future__ import annotations

import pytest

ASK = """
    import httpx

    def ask(llm, body):
        headers = {"Authorization": f"Bearer {llm.api_key}"}
        return httpx.post(f"{llm.openai_url}/chat/completions", json=body, headers=headers)
"""


def test_a_malformed_request_fails_the_test_at_its_end(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(helper=ASK)
    pytester.makepyfile(
        """
        from helper import ask

        def test_it(llm):
            assert ask(llm, {"model": "m"}).status_code == 400
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*MalformedRequest: openai-compat: *messages: Field required*"])


def test_a_well_formed_one_does_not(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(helper=ASK)
    pytester.makepyfile(
        """
        from helper import ask

        def test_it(llm, a2a_agent, scripted_a2a_agent):
            llm.reply("Hello.")
            body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
            assert ask(llm, body).json()["choices"][0]["message"]["content"] == "Hello."
            ports = {a2a_agent.origin, scripted_a2a_agent().origin, scripted_a2a_agent().origin, llm.origin}
            assert len(ports) == 4
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_without_the_extra_the_mend_is_said(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import sys; sys.modules['openai'] = None")
    pytester.makepyfile("def test_it(llm): pass")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*pip install 'webmcp-e2e?agent?'*"])
