"""Compares two copies of one line whose figures differ, to tell damage in one of them from the line of another target.

A line that was cut has the beginning of its number or none of it. One that lost a digit has the others. A total that
its own value per inference contradicts was damaged.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..draft import RunDraft
from ..named_tuple import TYPE_CHECKING
from ..patterns.printed_once import MEASURED

if TYPE_CHECKING:
    from typing import Any

    from ..line import Line

_ROUNDING = 0.0051
"""Values per inference are printed with two decimals."""


def damaged(draft: RunDraft, before: tuple[Any, ...], values: Mapping[str, Any]) -> str | None:
    """Which copy of a line is damaged, "first" or "second", by the values of both; None where each may be right."""
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
    if first[:-1] != second[:-1]:
        return None
    return shorter(first[-1], second[-1])


def both_right(draft: RunDraft, before: tuple[Any, ...], values: Mapping[str, Any]) -> bool:
    """Whether two different totals each match their value per inference, so that neither is a damaged copy of the
    other.
    """
    second = tuple(values.values())
    if "per_inference" not in values or len(before) != len(second) or before[-2] == second[-2]:
        return False
    return all(_fits(draft, copy[-2], copy[-1]) is True for copy in (before, second))


def shorter(first: Any, second: Any) -> str | None:
    """Which copy of a number is what is left of the other, "first" or "second"; None where neither is."""
    texts = _text(first), _text(second)
    if _left_of(texts[1], texts[0]):
        return "second"
    return "first" if _left_of(texts[0], texts[1]) else None


class Pair:
    """The last two equal lines of a report that stood one below the other."""

    later_line = 0


def in_pairs(draft: RunDraft, line: Line) -> bool:
    """Whether two consecutive lines of a report each come twice: no runner prints that, so a tool doubled the log."""
    if draft.mixed or line.file != "arm_perf_monitor.cpp" or draft.last_event not in MEASURED:
        return False
    pair = draft.state(Pair)
    before, pair.later_line = pair.later_line, line.number
    return before == line.number - 2


def _text(value: Any) -> str:
    """A number as its digits begin; nothing of it may be left."""
    return "" if value is None or value != value else str(value).removesuffix(".0")


def _left_of(part: str, whole: str) -> bool:
    """Whether a number is what is left of another that was cut or lost a digit."""
    if whole.startswith(part):
        return True
    return len(part) == len(whole) - 1 and any(whole[:at] + whole[at + 1 :] == part for at in range(len(whole)))


def _fits(draft: RunDraft, total: int | None, each: float | None) -> bool | None:
    """Whether a total is its value per inference times the inferences; None where that is unknown."""
    count = draft.get("cycles.inferences")
    if total is None or each is None or not count:
        return None
    return bool(abs(each * count - total) <= _ROUNDING * count + 1e-9 * abs(total))
