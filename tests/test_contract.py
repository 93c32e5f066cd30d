"""The Python mirror of extensions/contract/*.ts must not drift."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from webmcp_e2e import contract

EXTENSIONS = Path(__file__).parent.parent / "extensions"

DUMP = """
import { build } from "esbuild";
const entry = `
export * from "./contract/timings.ts"; export * from "./contract/errors.ts";
export * from "./contract/limits.ts"; export * from "./contract/settings.ts";`;
const out = await build({ stdin: { contents: entry, resolveDir: "." }, bundle: true, write: false, format: "esm" });
const module = await import("data:text/javascript;base64," + Buffer.from(out.outputFiles[0].text).toString("base64"));
console.log(JSON.stringify(module));
"""


@pytest.fixture(scope="module")
def typescript() -> dict[str, Any]:
    done = subprocess.run(
        ["node", "--input-type=module", "-e", DUMP],
        cwd=EXTENSIONS,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_timings_are_the_same(typescript: dict[str, Any]) -> None:
    assert typescript["TIMINGS"] == contract.TIMINGS


def test_limits_are_the_same(typescript: dict[str, Any]) -> None:
    assert typescript["LIMITS"] == contract.LIMITS


def test_error_codes_are_the_same(typescript: dict[str, Any]) -> None:
    assert typescript["ERROR_CODES"] == list(contract.ERROR_CODES)
    assert typescript["ERROR_META"] == contract.ERROR_META


def test_storage_keys_are_the_same(typescript: dict[str, Any]) -> None:
    for name in ("RELAY_SETTINGS_KEY", "TIMINGS_KEY", "TAB_SELECTION_KEY"):
        assert typescript[name] == getattr(contract, name)
