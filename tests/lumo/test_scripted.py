"""What a scripted provider's worker is given."""

import json
from pathlib import Path
from typing import Any

import pytest

from webmcp_e2e.lumo.models import ProbeSuccess
from webmcp_e2e.lumo.rules import is_extension_id
from webmcp_e2e.lumo.scripted import ProviderBehaviour, tool, unpacked_id, write_host, write_provider


def behaviour_in(folder: Path) -> dict[str, Any]:
    text = (folder / "behaviour.js").read_text()
    return json.loads(text.removeprefix("export const BEHAVIOUR = ").removesuffix(";\n"))


def test_the_default_is_right(tmp_path: Path) -> None:
    given = behaviour_in(write_provider(tmp_path / "peer", ProviderBehaviour()))

    answer = {"ok": True, "service": given["service"], "status": given["status"]}
    assert ProbeSuccess.model_validate(answer, extra="forbid").status.authorized
    assert "answer" not in given
    assert [listed["annotations"]["readOnlyHint"] for listed in given["tools"]] == [True, False]


@pytest.mark.parametrize("value", [None, 0, "", [], {"ok": 1}])
def test_any_json_can_be_the_answer(tmp_path: Path, value: object) -> None:
    assert behaviour_in(write_provider(tmp_path, ProviderBehaviour(answer=value)))["answer"] == value


def test_service_and_status_can_be_of_any_type(tmp_path: Path) -> None:
    given = behaviour_in(write_provider(tmp_path, ProviderBehaviour(service="text", status=None)))

    assert (given["service"], given["status"]) == ("text", None)


def test_a_tool_can_have_any_members() -> None:
    assert tool("a", inputSchema=None, extra=1)["inputSchema"] is None


def test_the_manifest_can_be_changed(tmp_path: Path) -> None:
    folder = write_provider(tmp_path, ProviderBehaviour(), {"externally_connectable": {"matches": []}})

    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["externally_connectable"] == {"matches": []}
    assert (folder / manifest["background"]["service_worker"]).is_file()


def test_each_folder_has_an_id_of_its_own(tmp_path: Path) -> None:
    ids = {unpacked_id(write_host(tmp_path / name)) for name in "ab"}

    assert len(ids) == 2
    assert all(map(is_extension_id, ids))
