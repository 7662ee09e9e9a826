"""One operator in a column of a comparison, from a measurement or an estimate."""

from __future__ import annotations

from ..named_tuple import NamedTuple
from .match import Item


class Operator(NamedTuple):
    """One operator of one column."""

    item: Item
    order: int
    """Where it stands among the operators of its column, from 0."""
    cycles: float | None
    """None where it has none of its own; `note` says why."""
    note: str = ""
    module: str | None = None
    source: str | None = None
    torch: str | None = None
