"""What the analyst agent does: figures from order rows that it finds in a text. No A2A in here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Analysis:
    """Figures of some orders. ``largest`` is the id of the one with the highest amount."""

    orders: int
    total: Decimal
    largest: str
    by_warehouse: dict[str, Decimal]

    @property
    def text(self) -> str:
        """The figures as the agent says them."""
        places = ", ".join(f"{name} {amount}" for name, amount in sorted(self.by_warehouse.items()))
        return f"{self.orders} orders, {self.total} in total ({places}). The largest is {self.largest}."

    @property
    def data(self) -> dict[str, Any]:
        """The figures as JSON: amounts are strings with two decimals."""
        places = {name: str(amount) for name, amount in self.by_warehouse.items()}
        return {
            "orders": self.orders,
            "total": str(self.total),
            "largest": self.largest,
            "byWarehouse": places,
        }


def analyse(text: str) -> Analysis | None:
    """The figures of all order rows in ``text``; ``None`` where there is none.

    A row is a JSON object with ``id``, ``warehouse`` and ``amount``, wherever it stands in the text.
    """
    rows = {str(row["id"]): row for row in _rows(text)}.values()
    if not rows:
        return None
    amounts = {str(row["id"]): _money(row["amount"]) for row in rows}
    places: dict[str, Decimal] = {}
    for row in rows:
        name = str(row["warehouse"])
        places[name] = places.get(name, Decimal(0)) + _money(row["amount"])
    return Analysis(
        len(amounts), sum(amounts.values(), Decimal(0)), max(amounts, key=amounts.__getitem__), places
    )


def _money(amount: float) -> Decimal:
    return Decimal(str(amount)).quantize(Decimal("0.01"))


def _rows(text: str) -> Iterator[dict[str, Any]]:
    for value in _json_values(text):
        yield from _rows_in(value)


def _json_values(text: str) -> Iterator[Any]:
    """Each JSON object or array that stands in a text."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        if text[at] in "{[":
            try:
                value, at = decoder.raw_decode(text, at)
            except ValueError:
                pass
            else:
                yield value
                continue
        at += 1


def _rows_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from _rows_in(item)
    elif isinstance(value, dict):
        if {"id", "warehouse", "amount"} <= value.keys():
            yield value
        else:
            yield from _rows_in(list(value.values()))
