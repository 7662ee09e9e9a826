"""Words for many runs with one root cause: a title with ranges, and advice that serves all of them.

The figures of the run that was read first are not figures of the group. The text is the same in whatever order the runs
come, because texts are joined only by minimum, maximum and union.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from . import Outside

MOST_NAMES = 64
"""Operators that the advice of a group lists."""
_NAMED = 3
"""The most different words that a title lists."""
_BEGIN = 3
"""Two sentences that share so many words at their beginning say the same about different things."""
_DEEPEST = 3
"""The most colons in a row up to which a shared beginning is said once."""
_FRAME, _NAME = 20, 60
"""Characters that sentences must share for so many of each to stand side by side in one."""
_LONGEST = 100
"""The most characters of one sentence among others."""
_LONGEST_TITLE = 600
"""The most characters of a group's title."""
_AMOUNT = r"(?<![\w.:/-])(\d[\d,]*(?:\.\d+)?(?: (?:B|KiB|MiB|GiB)\b)?)(?![\w:/-]|\.\d)"
_UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_NEED = r"(?:SIZE=|at least (?:what is in use already \+ )?|by at least |better by )(\d{1,18})\b"
_LIST = re.compile(r'(-DEXECUTORCH_SELECT_OPS_LIST=")([\w:.,]*)(")')
_LARGEST = " That is the largest need among these runs."
_OTHERS = " Other runs with this cause are told other values: see each."


def by_rule(errors: Iterable[Outside]) -> list[tuple[str, str, list[Outside]]]:
    """Errors outside runs, grouped by rule: the rule, a title for all of them, and the errors."""
    found: dict[str, list[Outside]] = {}
    for error in errors:
        found.setdefault(error.rule, []).append(error)
    groups = []
    for rule, those in found.items():
        titles = {error.title for error in those}
        groups.append((rule, joined_title(titles) if len(titles) > 1 else those[0].title, those))
    return groups


def told(advices: Mapping[str, int]) -> list[str]:
    """What to do about runs with one root cause, the advice for most runs first.

    Advice that differs only in amounts or listed operators is joined. Other advice stays apart, because the fix of a
    few runs is no fix of the others.
    """
    groups: dict[str, list[str]] = {}
    for advice in sorted(advices, key=lambda advice: (-advices[advice], advice)):
        alike = _LIST.pattern if _LIST.search(advice) else _NEED if _need(advice) else re.sub(r"\d[\d,.]*", "0", advice)
        groups.setdefault(alike, []).append(advice)
    found = []
    for alike, those in groups.items():
        joined = those[0]
        if alike in (_LIST.pattern, _NEED):
            for other in those[1:]:
                joined = _joined_advice(joined, other)
        elif len(those) > 1:
            joined += _OTHERS
        found.append((sum(advices[advice] for advice in those), joined))
    found.sort(key=lambda item: (-item[0], item[1]))
    if len(found) == 1:
        return [found[0][1]]
    whole = sum(advices.values())
    lines = [f"{count:,} of {whole:,}: {text}" for count, text in found[:_NAMED]]
    rest = sum(count for count, _ in found[_NAMED:])
    return [*lines, f"{rest:,} of {whole:,}: something else; see each."] if rest else lines


def _joined_advice(one: str, other: str) -> str:
    """Advice that serves the runs of both: the larger need, or all operators of both."""
    if any(_LIST.search(text) for text in (one, other)):
        return _joined_names(one, other)
    return max((text.removesuffix(_LARGEST) for text in (one, other)), key=lambda text: (_need(text), text)) + _LARGEST


def _joined_names(one: str, other: str) -> str:
    names: set[str] = set()
    frames = []
    for text in (one, other):
        found = _LIST.search(text)
        if found is not None:
            names.update(name for name in found[2].split(",") if name)
            frames.append(text[: found.start(2)] + "\0" + text[found.end(2) :])
    return max(frames).replace("\0", ",".join(sorted(names)[:MOST_NAMES]))


def _need(advice: str) -> int:
    return max((int(number) for number in re.findall(_NEED, advice)), default=0)


def joined_title(titles: Iterable[str]) -> str:
    """One title for all: two amounts stand side by side, more become a range, other different words stand side by side."""
    amounts = re.compile(_AMOUNT)
    shapes: dict[tuple[str, ...], list[list[str]]] = {}
    for title in set(titles):
        parts = amounts.split(title)
        found, shape = parts[1::2], tuple(parts[::2])
        slots = shapes.setdefault(shape, [[] for _ in found])
        for slot, text in zip(slots, found, strict=True):
            if text not in slot:
                ordered = sorted((*slot, text), key=_amount)
                slot[:] = ordered if len(ordered) < 3 else (ordered[0], ordered[1], ordered[-1])
    joined = sorted(_filled(shape, slots) for shape, slots in shapes.items())
    return joined[0] if len(joined) == 1 else _clipped(_side_by_side(joined), _LONGEST_TITLE) if joined else ""


def _filled(shape: tuple[str, ...], slots: list[list[str]]) -> str:
    """The sentence with the least and the greatest amount in each place; nothing lies between two that are all there are."""
    texts = [
        slot[0] if len(slot) == 1 else f"{slot[0]} {'or' if len(slot) == 2 else 'to'} {slot[-1]}" for slot in slots
    ]
    return "".join(part for pair in zip(shape, [*texts, ""], strict=True) for part in pair)


def _amount(text: str) -> tuple[float, str]:
    number, _, unit = text.partition(" ")
    return float(number.replace(",", "")) * _UNITS.get(unit, 1), text


def _side_by_side(titles: Iterable[str], deeper: int = _DEEPEST) -> str:
    """Joins different words inside one sentence, or whole sentences; those that begin alike share their beginning."""
    one = _in_place(sorted(titles))
    if one is not None:
        return one
    heads = {title.partition(": ")[0] for title in titles if ": " in title}
    begun: dict[str, list[str]] = {}
    for title in sorted(titles):
        head = title.partition(": ")[0]
        begun.setdefault(head if head in heads else " ".join(title.split(" ")[:_BEGIN]), []).append(title)
    parts: list[str] = []
    for head, those in sorted(begun.items(), key=lambda item: -len(item[1])):  # first what is said in most ways
        tails = {title.partition(": ")[2] for title in those} - {""}
        joined = _in_place(those)
        if joined is None and tails and deeper:
            parts.append(f"{head}: {_side_by_side(tails, deeper - 1)}")
        else:
            parts += [_clipped(title) for title in (those if joined is None else [joined])]
    return _named(parts, "; ")


def _clipped(title: str, longest: int = _LONGEST) -> str:
    return title if len(title) <= longest else f"{title[: longest - 3]}..."


def _in_place(titles: list[str]) -> str | None:
    """One sentence with the different words side by side; None where too little of it would be left."""
    words = [re.findall(r"\S*/\S*|[\w:.]*\w|\W", title) for title in titles]
    least = min(map(len, words))
    begin = 0
    while begin < least and len({line[begin] for line in words}) == 1:
        begin += 1
    end = 0
    while end < least - begin and len({line[-1 - end] for line in words}) == 1:
        end += 1
    while end and any(len(line) == begin + end for line in words):
        end -= 1
    middles = sorted({"".join(line[begin : len(line) - end]) for line in words})
    before, behind = "".join(words[0][:begin]), "".join(words[0][len(words[0]) - end :] if end else [])
    shared, longest = len(before) + len(behind), max(map(len, middles))
    if len(titles) > 1 and (not middles[0] or longest > (_NAME if shared >= _FRAME else shared)):
        return None
    return before + _named(middles, " / ") + behind


def _named(parts: list[str], between: str) -> str:
    more = len(parts) - _NAMED
    return between.join([*parts[:_NAMED], *([f"{more} other{'s' if more > 1 else ''}"] if more > 0 else [])])
