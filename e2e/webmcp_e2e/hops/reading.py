"""Reads a bundle back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .bundle import HOPS, SUMMARY, TIMELINE
from .recorder import Recording
from .records import Lane, Skew


class BundleError(ValueError):
    """What was given is no bundle; the message says what one is."""

    code = "no_bundle"


def read_recording(bundle: Path) -> Recording:
    """The recording in a bundle's folder (or a ``hops.jsonl`` itself). Raises ``BundleError``."""
    path = bundle / HOPS if bundle.is_dir() else bundle
    try:
        head, *records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        lanes = [Lane(**lane) for lane in head["lanes"]]
        skews = {key: Skew(**skew) for key, skew in head["skews"].items()}
        return Recording(records, lanes, skews, int(head["lost"]))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise BundleError(
            f"{path} is no recording of hops ({error}). Give the folder of a bundle; a failed test prints it."
        ) from None


def read_summary(bundle: Path) -> dict[str, Any]:
    """``summary.json``, empty where there is none. Raises ``BundleError``."""
    path = bundle / SUMMARY
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
    except (OSError, ValueError, TypeError) as error:
        raise BundleError(f"{path} is damaged ({error}). Its timeline.html may still open.") from None


def timeline_file(bundle: Path) -> Path:
    """The page that shows the bundle. Raises ``BundleError``."""
    path = bundle / TIMELINE
    if not path.is_file():
        raise BundleError(f"{path} is not there. Give the folder of a bundle; a failed test prints it.")
    return path
