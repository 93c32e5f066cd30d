"""The directions of import that docs/architecture.md states."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "e2e" / "webmcp_e2e"
LAYERS = ("browser", "relay", "lumo", "hops")
"""Siblings that do not know one another."""
SHARED = {
    "main-world": ("document",),
    "content-script": ("document",),
    "service-worker": ("page-port", "mcp"),
    "side-panel": ("page-port",),
}
"""Folders of the host that more than one world may use: the document's side, and the port's far side."""
BESIDE = {"side-panel": ("agent-chat-core",)}
"""Folders beside the host's that a world of the host may use, besides the contract."""
FRONT = ("plugin", "cli", "fixtures")
"""Nothing but the front itself imports these."""


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def modules_of(folder: str) -> list[Path]:
    return sorted((PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_do_not_import_one_another(layer: str) -> None:
    forbidden = tuple(f"webmcp_e2e.{other}" for other in LAYERS if other != layer)
    for path in modules_of(layer):
        wrong = [name for name in imports(path) if name.startswith(forbidden)]
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("layer", [*LAYERS, "services"])
def test_nothing_below_imports_the_front(layer: str) -> None:
    forbidden = {f"webmcp_e2e.{name}" for name in FRONT}
    for path in modules_of(layer):
        wrong = forbidden & set(imports(path))
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_scenarios_use_the_public_api_only() -> None:
    for path in (ROOT / "e2e" / "scenarios").rglob("*.py"):
        private = [name for name in imports(path) if re.search(r"webmcp_e2e\..*\._|webmcp_e2e\._", name)]
        assert not private, f"{path.relative_to(ROOT)} imports {private}"


def typescript_imports(path: Path) -> list[str]:
    return re.findall(r"""(?:from|import)\s+["']([^"']+)["']""", path.read_text(encoding="utf-8"))


def test_the_contract_imports_nothing_but_itself() -> None:
    for path in (ROOT / "extensions" / "contract").rglob("*.ts"):
        wrong = [name for name in typescript_imports(path) if not re.fullmatch(r"\./[\w-]+\.ts", name)]
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("world", ["main-world", "content-script", "service-worker", "side-panel"])
def test_the_hosts_worlds_meet_only_in_the_contract(world: str) -> None:
    for path in (ROOT / "extensions" / "host" / world).rglob("*.ts"):
        for name in typescript_imports(path):
            if name.startswith("."):
                target = (path.parent / name).resolve().relative_to(ROOT / "extensions")
                allowed = {"contract", "host", *BESIDE.get(world, ())}
                assert target.parts[0] in allowed, f"{path.name} imports {name}"
                if target.parts[0] == "host":
                    assert target.parts[1] in {world, *SHARED.get(world, ())}, f"{path.name} imports {name}"


def test_the_agents_core_knows_no_host() -> None:
    core = ROOT / "extensions" / "agent-chat-core"
    for path in core.rglob("*.ts"):
        for name in typescript_imports(path):
            if name.startswith("."):
                target = (path.parent / name).resolve().relative_to(ROOT / "extensions")
                assert target.parts[0] in {"contract", "agent-chat-core"}, f"{path.name} imports {name}"
