"""``docs/gallery-bugs.md``: written by the machine, so that it says what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .bugs import Bug

_HEAD = """\
# The reported bugs, seen

Each bug of the field that this project reproduces has a scenario that passes here, and a fault that brings the bug
back. These are the first screens of the timelines that the faults leave behind, made by `make gallery`: what went
wrong stands on top, in red on its lane. `make mutants ARGS="-k bug- --bundles DIR"` makes the bundles themselves, and
`webmcp-e2e show DIR/NAME` opens one.
"""


def markdown(bugs: Iterable[Bug]) -> str:
    """The page's text."""
    return "\n".join([_HEAD, *(line for bug in bugs for line in _section(bug))])


def _section(bug: Bug) -> Iterator[str]:
    yield f"## {bug.number} · {bug.report}\n"
    yield f"Planted: {bug.fault}. Seen by `{bug.scenario}`:\n"
    yield f"```\n{bug.said}\n```\n"
    yield f"![The timeline of {bug.number}](gallery/bugs/{bug.number}.png)\n"
