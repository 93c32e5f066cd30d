"""What is said of tools, and the three reports."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from webmcp_e2e.check import Finding, Report, lint

GOOD = {"type": "object", "properties": {"a": {"type": "string", "description": "what it is"}}}


def test_a_good_tool_is_well():
    [found] = lint("get_status", "Says how many orders there are.", GOOD)
    assert found.level == "ok"


@pytest.mark.parametrize(
    ("name", "description", "schema", "check", "level"),
    [
        ("a.b", "A description of it.", GOOD, "lint.name", "note"),
        ("x" * 65, "A description of it.", GOOD, "lint.name", "note"),
        ("a", "", GOOD, "lint.description", "note"),
        ("a", "x" * 1_025, GOOD, "lint.description", "note"),
        ("a", "A description of it.", {"type": "string"}, "lint.schema", "problem"),
        ("a", "A description of it.", {"type": "object", "oneOf": [{}]}, "lint.schema", "note"),
        ("a", "A description of it.", {"type": "object", "properties": {"b": {}}}, "lint.schema", "note"),
        ("a", "A description of it.", {**GOOD, "items": {"type": "array"}}, "lint.schema", "note"),
        ("a", "A description of it.", {**GOOD, "anyOf": [{"type": ["a", "b"]}]}, "lint.schema", "note"),
        ("a", "A description of it.", {**GOOD, "$defs": {"d": {"not": {}}}}, "lint.schema", "note"),
        ("a", "A description of it.", {"type": "object", "properties": []}, "lint.schema", "problem"),
    ],
)
def test_each_shortcoming_is_named(name, description, schema, check, level):
    [found] = lint(name, description, schema)
    assert (found.check, found.level) == (check, level)


def test_a_property_may_be_called_like_a_keyword():
    properties = {key: {"type": "string", "description": "a word"} for key in ("not", "const", "oneOf")}
    [found] = lint("a", "A description of it.", {"type": "object", "properties": properties})
    assert found.level == "ok"


def test_what_both_runtimes_say_is_told_once():
    same = [Finding("note", "lint.name", "a", "odd", runtime) for runtime in ("native", "polyfill")]
    [_, line, count] = Report("http://x/", same).lines()
    assert line == "  ! [native, polyfill] a: odd (lint.name)"
    assert count == "  0 checks are well; problems: 0, notes: 2"


def test_the_reports_agree():
    findings = [
        Finding("ok", "tools", "page", "fine", "native"),
        Finding("problem", "back", "page", "<gone>", "native"),
    ]
    report = Report("http://x/", findings)
    assert report.failed
    assert any("✗" in line and "<gone>" in line for line in report.lines())
    assert [one["level"] for one in json.loads(report.as_json())["findings"]] == ["ok", "problem"]
    suite = ElementTree.fromstring(report.as_junit())
    assert [case.find("failure") is not None for case in suite] == [False, True]
    assert [line.state for line in report.as_html().lines] == ["bad", "good"]
    assert "<gone>" not in report.as_html().html()
