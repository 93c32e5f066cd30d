"""Build hook: a distribution carries the built extensions, so they must be there before packing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA = {
    "extensions/dist": "webmcp_e2e/_data/extensions",
    "html_app": "webmcp_e2e/_data/html_app",
    "e2e/scenarios": "webmcp_e2e/_data/scenarios",
    "e2e/requirements.toml": "webmcp_e2e/_data/requirements.toml",
}
"""What a wheel carries beside the package; a checkout has it in place."""


class ExtensionsBuilt(BuildHookInterface[Any]):
    """Builds ``extensions/dist`` with npm where it is missing; an editable install needs none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a target is packed."""
        if version == "editable":
            return
        self._build_extensions(Path(self.root) / "extensions")
        for source, target in DATA.items():
            build_data["force_include"][str(Path(self.root) / source)] = target

    def _build_extensions(self, folder: Path) -> None:
        if (folder / "dist" / "host" / "manifest.json").exists():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("extensions/dist is missing and npm is not installed. Run `make setup` first.")
        subprocess.run([npm, "ci"], cwd=folder, check=True)
        subprocess.run([npm, "run", "build"], cwd=folder, check=True)
