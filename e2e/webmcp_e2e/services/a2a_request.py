"""The record of what A2A agents were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class A2aRequest:
    """One JSON-RPC request, without its token. ``version`` is the header ``A2A-Version``, ``""`` where absent."""

    method: str
    params: dict[str, Any]
    version: str

    @property
    def text(self) -> str:
        """The text parts of the message that it sends; empty where it sends none."""
        parts = self.params.get("message", {}).get("parts", ())
        return "".join(part["text"] for part in parts if "text" in part)
