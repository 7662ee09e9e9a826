"""Two copies of one line with different figures: a digit lost in one of them is damage, and no line of another target.

A line that was cut holds the beginning of its number, and a total whose own value per inference contradicts it was damaged.
"""

from __future__ import annotations

from collections.abc import Mapping

from .draft import RunDraft
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_ROUNDING = 0.0051
"""Values per inference are printed with two decimals."""


def damaged(draft: RunDraft, before: tuple[Any, ...], values: Mapping[str, Any]) -> str | None:
    """Which copy of a line was damaged, "first" or "second", by the values of both; None where each may be right."""
    first, second = before, tuple(values.values())
    if len(first) != len(second):
        return None
    if "per_inference" in values:
        fits = [_fits(draft, copy[-2], copy[-1]) for copy in (first, second)]
        if True in fits and False in fits:
            return "first" if fits[1] else "second"
        if fits == [True, True]:
            return None
        first, second = first[:-1], second[:-1]
        if first == second:
            return "first" if fits[1] else "second"
    if first[:-1] != second[:-1] or None in (first[-1], second[-1]):
        return None
    texts = str(first[-1]), str(second[-1])
    if texts[0].startswith(texts[1]):
        return "second"
    return "first" if texts[1].startswith(texts[0]) else None


def _fits(draft: RunDraft, total: int | None, each: float | None) -> bool | None:
    """Whether a total is its value per inference times the inferences; None where that cannot be told."""
    count = draft.get("cycles.inferences")
    if total is None or each is None or not count:
        return None
    return bool(abs(each * count - total) <= _ROUNDING * count + 1e-9 * abs(total))
