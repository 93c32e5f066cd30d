"""The workflow that strangers copy: its inputs, its commands and what they name exist."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
WORKFLOW = (DOCS / "ci" / "webmcp-e2e.yml").read_text()


def test_every_input_that_is_used_is_declared_and_the_other_way_round() -> None:
    declared = set(re.findall(r"^      (\w+):\n        description:", WORKFLOW, re.MULTILINE))
    used = set(re.findall(r"inputs\.(\w+)", WORKFLOW))
    assert declared == used


def test_inputs_reach_the_shell_as_variables_only() -> None:
    """An expression inside a command would be run as a part of it."""
    commands = re.findall(r"run: (?:>-\n)?((?:.+\n)(?:          .+\n)*)", WORKFLOW)
    assert commands
    assert not [command for command in commands if "${{" in command]


def test_the_page_calls_it_with_inputs_that_it_has() -> None:
    page = (DOCS / "ci.md").read_text()
    called = page.partition("    with:\n")[2].partition("```")[0]
    names = set(re.findall(r"^      (\w+):", called, re.MULTILINE))
    assert names
    assert names <= set(re.findall(r"inputs\.(\w+)", WORKFLOW))
