"""Hops: what crossed each border of the chain, on one clock, and what is made of it for a reader.

Fed by callbacks: this package imports neither the browser nor the relay. ``Hops`` is one test's recording,
``Tap`` what a browser's CDP connection is given, ``write_bundle`` what a failed test leaves behind.
"""

from .bundle import Facts, write_bare_bundle, write_bundle
from .calls import Call, Step, find_calls, open_calls
from .recorder import Recorder, Recording
from .records import Lane, Record, Skew
from .redaction import Redactor
from .session import Hops, Mode
from .tap import Tap

__all__ = [
    "Call",
    "Facts",
    "Hops",
    "Lane",
    "Mode",
    "Record",
    "Recorder",
    "Recording",
    "Redactor",
    "Skew",
    "Step",
    "Tap",
    "find_calls",
    "open_calls",
    "write_bare_bundle",
    "write_bundle",
]
