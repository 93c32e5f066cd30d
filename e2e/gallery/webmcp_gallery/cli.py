"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from webmcp_gallery.bugs import ROOT, bugs
from webmcp_gallery.page import markdown
from webmcp_gallery.pictures import camera, take

_DOCS = ROOT / "docs"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; 0, or 3 where a bundle is missing."""
    parser = argparse.ArgumentParser(prog="gallery", description="Picture the bundles of the reported bugs.")
    parser.add_argument(
        "bundles", type=Path, help="folder with one bundle a fault, as `mutants --bundles` makes it"
    )
    options = parser.parse_args(arguments)
    try:
        shown = list(bugs(options.bundles))
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 3
    with camera() as page:
        for bug in shown:
            take(page, bug.bundle / "timeline.html", _DOCS / "gallery" / "bugs" / f"{bug.number}.png")
        for timeline in sorted((_DOCS / "gallery").glob("*/timeline.html")):
            take(page, timeline, timeline.with_name("timeline.png"))
    (_DOCS / "gallery-bugs.md").write_text(markdown(shown), encoding="utf-8")
    print(f"{len(shown)} pictures in {_DOCS / 'gallery' / 'bugs'}")
    return 0
