"""Public names: f(original), the same as in the panel, and who holds which."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webmcp_e2e.relay.naming import NameTable, public_name

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
EXTENSIONS = Path(__file__).parents[2] / "extensions"
VECTORS = [
    "search", "a-b", "a.b", "a_b", "x" * 64, "x" * 65, "x" * 128, "größe", "订单.查询", "\U0001f600", " ", "",
    "tab.with space/and:slash", "a" * 57 + ".b", "\ud800", "A" * 63 + "-",
]  # fmt: skip
SCRIPT = """
import { build } from "esbuild";
const out = await build({ entryPoints: ["contract/names.ts"], bundle: true, write: false, format: "esm" });
const code = Buffer.from(out.outputFiles[0].text).toString("base64");
const { publicName } = await import("data:text/javascript;base64," + code);
const names = [];
for (const [original, limit] of JSON.parse(process.argv[1])) names.push(await publicName(original, limit));
console.log(JSON.stringify(names));
"""


@given(st.text(max_size=150), st.integers(30, 64))
def test_a_public_name_is_legal_and_fits(original: str, limit: int) -> None:
    name = public_name(original, limit)
    assert LEGAL.fullmatch(name)
    assert len(name) <= limit


def test_a_legal_name_is_kept() -> None:
    assert public_name("query_table-data") == "query_table-data"
    assert public_name("x" * 64) == "x" * 64


def test_names_that_look_alike_stay_distinct() -> None:
    assert len({public_name(name) for name in ("a.b", "a-b", "a_b", "a b", "a/b")}) == 5


def test_the_panel_has_the_same_names() -> None:
    asked = [(name, limit) for name in VECTORS for limit in (64, 50)]
    command = ["node", "--input-type=module", "-e", SCRIPT, json.dumps(asked)]
    done = subprocess.run(command, cwd=EXTENSIONS, capture_output=True, text=True, check=True)
    assert [public_name(*pair) for pair in asked] == json.loads(done.stdout)


def test_the_first_keeps_its_name_and_the_newcomer_gets_the_tab() -> None:
    table = NameTable()
    assert table.claim("one", "search", "12") == "search"
    assert table.claim("two", "search", "13") == "search_t13"
    assert table.resolve("search") == ("one", "search")
    assert table.resolve("search_t13") == ("two", "search")


def test_the_newcomer_keeps_its_own_when_the_first_has_gone() -> None:
    table = NameTable()
    table.claim("one", "search", "12")
    table.claim("two", "search", "13")
    table.release("one")
    assert table.claim("two", "search", "13") == "search_t13"
    assert table.claim("three", "search", "14") == "search"


def test_a_taken_tab_name_gets_a_hash() -> None:
    table = NameTable()
    table.claim("one", "search", "12")
    table.claim("one", "search_t13", "12")
    name = table.claim("two", "search", "13")
    assert re.fullmatch(r"search_t13_[0-9a-f]{6}", name)
    assert table.resolve(name) == ("two", "search")


def test_two_browsers_with_the_same_tab_number_stay_distinct() -> None:
    table = NameTable()
    names = {table.claim(owner, "search", "7") for owner in range(20)}
    assert len(names) == 20
    assert all(LEGAL.fullmatch(name) for name in names)


@pytest.mark.parametrize("tab", ["3f2b7c1e-7f5c-4a39-a0ce-1f5c5d1f9a10", "a/b c", "9" * 80])
def test_any_tab_id_gives_a_legal_name(tab: str) -> None:
    table = NameTable()
    table.claim("one", "n" * 64, "1")
    assert LEGAL.fullmatch(table.claim("two", "n" * 64, tab))


def test_a_reserved_name_is_never_given() -> None:
    assert (
        NameTable(frozenset({"webmcp_list_tools"})).claim("one", "webmcp_list_tools", "7")
        != "webmcp_list_tools"
    )
