"""Where the built extensions, the page app, the scenarios and the requirement table are.

In a checkout they stand beside the package, in an installed wheel in ``webmcp_e2e/_data``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


class ResourceMissing(RuntimeError):
    """A part of the distribution is not there; the message says how to get it."""


def _first(what: str, mend: str, *candidates: Path) -> Path:
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise ResourceMissing(f"{what} is missing (looked at {', '.join(map(str, candidates))}). {mend}")


def is_checkout() -> bool:
    """Whether the package runs from a checkout of the project rather than from an installed wheel."""
    return (_CHECKOUT / "extensions" / "package.json").exists()


def extension_dir(name: str) -> Path:
    """Folder of the built unpacked extension ``name`` (``"host"`` or ``"provider"``)."""
    return _first(
        f"the built {name} extension",
        "In a checkout run `make setup`.",
        _CHECKOUT / "extensions" / "dist" / name,
        _PACKAGE / "_data" / "extensions" / name,
    )


def html_app_dir() -> Path:
    """Folder of the page app's static files."""
    mend = "Reinstall webmcp-e2e."
    return _first("the page app", mend, _CHECKOUT / "html_app", _PACKAGE / "_data" / "html_app")


def vendor_dir() -> Path:
    """Folder of the page app's bundled third-party scripts (built with the extensions)."""
    return _first(
        "the page app's vendor folder",
        "In a checkout run `make setup`.",
        _CHECKOUT / "extensions" / "dist" / "vendor",
        _PACKAGE / "_data" / "extensions" / "vendor",
    )


def requirements_file() -> Path:
    """The project's requirement table."""
    mend = "Reinstall webmcp-e2e."
    return _first(
        "requirements.toml",
        mend,
        _CHECKOUT / "e2e" / "requirements.toml",
        _PACKAGE / "_data" / "requirements.toml",
    )


def scenarios_dir() -> Path:
    """Folder of the scenarios."""
    root = _CHECKOUT / "e2e" if is_checkout() else _PACKAGE / "_data"
    return _first("the scenarios folder", "Reinstall webmcp-e2e.", root / "scenarios")


def scenario_arguments() -> list[str]:
    """Pytest arguments that run the bundled scenarios and check them against the bundled table."""
    scenarios = scenarios_dir()
    options = {
        "webmcp_requirements": requirements_file(),
        "webmcp_scenarios": scenarios,
    }
    settings = [part for key, value in options.items() for part in ("-o", f"{key}={value}")]
    return [str(scenarios), "-p", "pytester", "--rootdir", str(scenarios.parent), *settings]
