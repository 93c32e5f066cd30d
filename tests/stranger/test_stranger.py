"""What `make wheel-check` takes from README, and what it holds a wheel to; the check itself needs a network."""

import ast
import zipfile
from pathlib import Path

import pytest
from webmcp_stranger.cli import ROOT, readme_files, wrong_contents


def test_readme_has_the_files_that_it_promises() -> None:
    files = readme_files((ROOT / "README.md").read_text(encoding="utf-8"))
    assert set(files) == {"test_mine.py", "test_theirs.py", "pytest.ini", "site/shop.html"}
    for name in ("test_mine.py", "test_theirs.py"):
        ast.parse(files[name])
    assert files["pytest.ini"].startswith("[pytest]")
    assert "registerTool" in files["site/shop.html"]


def test_the_chinese_readme_shows_the_same_files() -> None:
    english, chinese = (
        readme_files((ROOT / name).read_text(encoding="utf-8")) for name in ("README.md", "README-zh.md")
    )
    assert set(english) == set(chinese)


@pytest.mark.parametrize("stray", ["webmcp_e2e/_data/extensions/node_modules/x.js", "webmcp_e2e/a.pyc"])
def test_a_wheel_that_lacks_or_carries_the_wrong_things_is_named(tmp_path: Path, stray: str) -> None:
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("webmcp_e2e/py.typed", "")
        archive.writestr(stray, "")
    wrong = list(wrong_contents(wheel))
    assert f"some.whl has {stray}" in wrong
    assert any("lacks webmcp_e2e/_data/extensions/host/manifest.json" in line for line in wrong)
    assert not any("py.typed" in line for line in wrong)
