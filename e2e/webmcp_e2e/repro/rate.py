"""How often something fails, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

_Z95: Final = 1.959963984540054


@dataclass(frozen=True)
class Rate:
    """``failures`` of ``runs``."""

    failures: int
    runs: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the failure rate (Wilson's score), 0 to 1; everything is possible after no run."""
        if self.runs == 0:
            return 0.0, 1.0
        n, share, z = self.runs, self.failures / self.runs, _Z95
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        share = self.failures / self.runs if self.runs else 0.0
        return f"{self.failures} of {self.runs} runs failed: {share:.1%} (95 %: {low:.1%} to {high:.1%})"
