"""Functions that judge the figures of runs, compiled from the conditions and results of one or several judgements.

The code holds arithmetic and comparisons over our own variable names and numbers; no text of a log gets into it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from ..rows import RunRow
from ..traced import as_shown, variables
from .json_code import MOST_REALS, TextCode
from .json_text import JsonText

_LINE = re.compile(r"\bline((?: \+ \w+)+)")
_FUNCTIONS: dict[str, Any] = {"round": round, "abs": abs, "max": max, "float": float, "trunc": math.trunc}
_FUNCTIONS |= {"as_shown": as_shown, "floor": math.floor, "ceil": math.ceil}

Judge = Callable[..., Any]


class _Reals(dict[bytes, float]):
    """Numbers with a point by their text: ratios come back from run to run, and reading one takes long."""

    def __missing__(self, digits: bytes) -> float:
        if len(self) >= MOST_REALS:
            self.clear()
        number = self[digits] = float(digits)
        return number


_real = _Reals().__getitem__


class Taken(NamedTuple):
    """A run that a layout has read."""

    row: RunRow
    end: int
    """Where the next run begins."""
    lines: int
    recognised: int
    json: str | None
    """The run as a JSON line, beginning with its source, where that is wanted."""


class Result(NamedTuple):
    """What is concluded from figures: the fields of a row after `at`, as expressions where they are not fixed."""

    values: tuple[Any, ...]
    computed: tuple[bool, ...]
    text: JsonText | None
    """The run as JSON, where that is wanted."""

    @property
    def expressions(self) -> tuple[str, ...]:
        """The expressions in the JSON text."""
        return self.text.expressions if self.text is not None else ()


class Judged(Protocol):
    """What a function is made of: the conditions that a run must meet, and the result that follows."""

    result: Result
    checks: list[str]
    reals: Mapping[str, bool]
    """Variables that are read as floats."""
    places: Mapping[str, int]
    """The group of each variable."""

    @property
    def steady(self) -> bool:
        """True where nothing in the result depends on where the run stands."""


class Joined:
    """Judgements that runs reach in turn, as one function; what they have in common is read and asked once."""

    def __init__(self, judgements: Sequence[Judged]) -> None:
        self.judgements = judgements
        self.judge: Judge
        self.elsewhere: Judge
        """`judge` for runs whose lines are not counted on from the first.

        It also takes the place of the first line among the numbers of lines, and those numbers.
        """

        self.changed()

    def changed(self) -> None:
        """Build the function again because conditions have changed."""
        self.placeless = False
        """True where `elsewhere` asks for no numbers of lines."""
        self.judge, self.elsewhere = self._judge_first, self._elsewhere_first

    def _judge_first(self, *facts: Any) -> Any:
        """Compiled when first needed: most captures need only one of the two functions."""
        self.judge = _compiled(self.judgements, elsewhere=False)
        return self.judge(*facts)

    def _elsewhere_first(self, *facts: Any) -> Any:
        self.elsewhere = _compiled(self.judgements, elsewhere=True)
        self.placeless = all(one.result.text is None and one.steady for one in self.judgements)
        return self.elsewhere(*facts)


def _compiled(judgements: Sequence[Judged], *, elsewhere: bool) -> Judge:
    first, *others = judgements
    common = [check for check in first.checks if all(check in other.checks for other in others)]
    space: dict[str, Any] = {}
    conclusions: list[str] = []
    needed = variables(common)
    for number, judgement in enumerate(judgements):
        concluding, read = _conclusion(judgement, number, space, elsewhere=elsewhere)
        asked = [check for check in judgement.checks if check not in common]
        needed |= read | variables(asked)
        conclusions += [f"    if {' and '.join(asked) or 'True'}:", *(f"    {line}" for line in concluding)]
    body = _numbers(sorted(needed, key=lambda name: int(name[1:])), first.reals, first.places, space)
    if common:
        body.append(f"    if not ({' and '.join(common)}): return None")
    more = ", place, numbers" if elsewhere else ""
    head = f"def judge(groups, source, index, line, last, start, end, at, stop, lines, recognised{more}):\n"
    code = head + "\n".join((*body, *conclusions)) + "\n"
    if elsewhere:
        code = _LINE.sub(r"numbers[place\1]", code)
    space |= _FUNCTIONS
    space |= {"__builtins__": {}, "int": int, "real": _real, "map": map, "new": tuple.__new__}
    space |= {"row": RunRow, "taken": Taken}
    exec(compile(code, "<judgement>", "exec"), space)
    judge: Judge = space["judge"]
    return judge


def _conclusion(
    judgement: Judged, number: int, space: dict[str, Any], *, elsewhere: bool
) -> tuple[list[str], set[str]]:
    """The statements that give what follows, and the variables that they read."""
    values, computed, text = judgement.result
    results = [
        str(value) if done else f"k{number}_{place}"
        for place, (value, done) in enumerate(zip(values, computed, strict=True))
    ]
    space.update((name, value) for name, value, done in zip(results, values, computed, strict=True) if not done)
    making: list[str] = []
    read = variables(name for name, done in zip(results, computed, strict=True) if done)
    if text is not None:
        code = TextCode(text, judgement.reals, judgement.places, number, elsewhere=elsewhere)
        making = code.making
        space |= code.space
        read |= variables(making)
    facts = "source, index, line, last, start, end, at"
    shown = "text" if text is not None else "None"
    row = f"new(row, ({facts}, {', '.join(results)}))"
    return [*making, f"    return new(taken, ({row}, stop, lines, recognised, {shown}))"], read


def _numbers(
    names: Sequence[str], reals: Mapping[str, bool], places: Mapping[str, int], space: dict[str, Any]
) -> list[str]:
    """The statements that read figures; a run need not have as many elements as the one that was learnt from."""
    body: list[str] = []
    kinds = {name: "real" if reals[name] else "int" for name in names}
    for kind in ("int", "real"):
        some = [name for name in names if kinds[name] == kind and name[0] != "e"]
        if len(some) > 1:
            space[f"every_{kind}"] = itemgetter(*(places[name] for name in some))
            body.append(f"    {', '.join(some)} = map({kind}, every_{kind}(groups))")
        elif some:
            body.append(f"    {some[0]} = {kind}(groups[{places[some[0]]}])")
    for name in names:
        if name[0] == "e":
            place = places[name]
            read = f"{'float' if reals[name] else 'int'}(groups[{place}])"
            body.append(f"    {name} = {read} if groups[{place}] is not None else None")
    return body
