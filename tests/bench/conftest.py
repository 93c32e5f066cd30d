"""The benchmark is run as a script, so its package is not installed: put it on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "e2e" / "bench"))
