"""What was asked of the figures of one run, as a function that judges the figures of others.

The function is compiled from expressions that `traced.py` wrote: arithmetic and comparisons over our own variable names
and numbers; no text of a log gets into it.  Conditions that follow from others are left out or tried last, which halves
the time; what a run must meet stays the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from ..rows import RunRow
from .json_lines import EXACT_LIMIT, JsonText, text_code
from .traced import VARIABLE, as_shown, variables

FIGURE_LIMIT = 1e20
"""No figure that a layout takes is as large, and none is negative."""
_BOUND = re.compile(r"(not )?\((v\d+) (<|<=|>|>=|==|!=) (\(?-?[\d.e+]+\)?)\)\Z")
_SIZE = re.compile(r"\(abs\(v\d+\) < \((\d[\d.]*e\+\d+)\)\)\Z")
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MOST = re.compile(r"not \((v\d+) > (.+)\)\Z")
_PRODUCTS = (
    re.compile(r"not \(\((v\d+) \* (v\d+)\) >= 4611686018427387904\)\Z"),
    re.compile(r"not \(round\(\(\(\((v\d+) \* (v\d+)\) - (v\d+)\) / 4294967296\)\) > 0\)\Z"),
    re.compile(r"\((v\d+) < \(4611686018427387904 / (v\d+)\)\)\Z"),
    re.compile(
        r"\(abs\(\(\((v\d+) \* (v\d+)\) - (v\d+)\)\) <= \(\(\(\d[\d.]*\) \* \2\) \+ \(\(\d[\d.e-]*\) \* abs\(\3\)\)\)\)\Z"
    ),
)
"""Conditions that hold wherever a value per inference times the inferences is the total (which is below 2^53)."""
_TURNS = re.compile(r"not \((v\d+) >= \((v\d+) \* 4294967296\)\)\Z")
_LINE = re.compile(r"\bline((?: \+ \w+)+)")
_FUNCTIONS: dict[str, Any] = {"round": round, "abs": abs, "max": max, "float": float, "trunc": math.trunc}
_FUNCTIONS |= {"as_shown": as_shown, "floor": math.floor, "ceil": math.ceil}

MOST_REALS = 1 << 15
"""Different texts of numbers with a point that are kept with their values."""

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
    """The run as a JSON line, its source first, where that is wanted."""


class Result(NamedTuple):
    """What is concluded from figures: the fields of a row after `at`, as expressions where they are not fixed."""

    values: tuple[Any, ...]
    computed: tuple[bool, ...]
    text: JsonText | None
    """The run as JSON, where that is wanted."""

    @property
    def expressions(self) -> tuple[str, ...]:
        """The expressions of the JSON text."""
        return self.text.expressions if self.text is not None else ()


class _Bounds:
    """The bounds of figures that some conditions state, and the conditions that are none."""

    def __init__(self, conditions: Iterable[str]) -> None:
        self.upper: dict[str, tuple[float, str]] = {}
        self.lower: dict[str, tuple[float, str]] = {}
        self.others: list[str] = []
        for condition in conditions:
            size = _SIZE.match(condition)
            if size is not None and float(size[1]) >= FIGURE_LIMIT:
                continue
            bound = _BOUND.match(condition)
            if bound is None:
                self.others.append(condition)
            else:
                self._add(*bound.groups())

    def _add(self, negated: str | None, name: str, sign: str, text: str) -> None:
        sign = _OPPOSITE[sign] if negated else sign
        bare = text.strip("()")
        limit = float(bare) if "." in bare or "e" in bare else int(bare)
        if sign in ("==", "!="):
            if sign == "==" or limit >= 0:
                self.others.append(f"{name} {sign} {limit!r}")
        elif sign in ("<", "<="):
            known = self.upper.get(name)
            if limit < FIGURE_LIMIT and (known is None or (limit, sign == "<=") < (known[0], known[1] == "<=")):
                self.upper[name] = (limit, sign)
        elif limit > 0 or (limit == 0 and sign == ">"):
            known = self.lower.get(name)
            if known is None or (limit, sign == ">") > (known[0], known[1] == ">"):
                self.lower[name] = (limit, sign)

    def below(self, name: str, limit: float) -> bool:
        """Whether the figure is known to be less than this."""
        known = self.upper.get(name)
        return known is not None and (known[0] < limit or (known[0] == limit and known[1] == "<"))

    def words(self) -> list[str]:
        """The bounds as conditions."""
        words = [f"{name} {sign} {limit!r}" for name, (limit, sign) in self.upper.items()]
        return words + [f"{name} {sign} {limit!r}" for name, (limit, sign) in self.lower.items()]


def _largest(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"max({', '.join(names)})"


def simplified(conditions: Iterable[str]) -> list[str]:
    """The same conditions in fewer words: one bound for each side of a figure, and none that always holds."""
    bounds = _Bounds(conditions)
    counted = {name for name, (limit, sign) in bounds.lower.items() if limit >= 1 or sign == ">"}
    counted |= {other.split(" ")[0] for other in bounds.others if re.fullmatch(r"v\d+ != 0", other)}
    plain: list[str] = []
    most: dict[str, list[str]] = {}
    products: dict[str, list[str]] = {}
    totals = {
        found.group(1, 2): found[3] for other in bounds.others if (found := _PRODUCTS[3].match(other)) is not None
    }
    for other in dict.fromkeys(bounds.others):
        turns = _TURNS.match(other)
        if turns is not None and turns[2] in counted and bounds.below(turns[1], 1 << 32):
            continue
        if other.endswith(" != 0") and other.split(" ")[0] in bounds.lower:
            continue
        product = next((found for form in _PRODUCTS if (found := form.match(other)) is not None), None)
        total = totals.get(product.group(1, 2)) if product is not None else None
        if product is not None and total is not None and bounds.below(total, EXACT_LIMIT) and product[2] in counted:
            each, count = product.group(1, 2)
            shortcut = f"{count} == 1" if each == total else f"{each} * {count} == {total}"
            products.setdefault(shortcut, []).append(other)
            continue
        largest = _MOST.match(other)
        if largest is not None:
            most.setdefault(largest[2], []).append(largest[1])
        else:
            plain.append(other)
    for limit, names in most.items():
        names = [name for name in names if name != limit]
        plain += [f"{_largest(names)} <= {limit}"] if names else []
    plain += [f"({shortcut} or ({' and '.join(words)}))" for shortcut, words in products.items()]
    return bounds.words() + plain


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """An expression with other variables."""
    return VARIABLE.sub(lambda found: names.get(found.group(), found.group()), expression)


class Judgement:
    """Conditions under which one result follows; runs that come to it in several ways are judged by one function."""

    def __init__(self, result: Result, reals: Mapping[str, bool], places: Mapping[str, int]) -> None:
        """`reals`: which variables are read as floats; `places`: the group of each."""
        self.result = result
        self._reals = reals
        self._places = places
        self._ways: list[list[str]] = []
        self._checks: list[str] = []
        self.placeless = result.text is None and self.steady
        """True where it needs no numbers of lines."""
        self.judge: Judge = _never
        self.elsewhere: Judge = _never
        """`judge` for runs whose lines are not counted on from the first.

        It also takes the place of the first line among the numbers of lines, and those numbers.
        """

    @property
    def ways(self) -> int:
        """In how many ways runs came to this result."""
        return len(self._ways)

    @property
    def steady(self) -> bool:
        """True where nothing in the result depends on where the run stands."""
        values = zip(*self.result[:2], strict=True)
        return not any(done and ("line" in value or "index" in value) for value, done in values)

    def add(self, conditions: Sequence[str]) -> None:
        """Runs for which these conditions hold come to the result, too."""
        way = list(dict.fromkeys(conditions))
        if way in self._ways:
            return
        self._ways.insert(0, way)
        common = [word for word in self._ways[0] if all(word in way for way in self._ways)]
        checks = list(common)
        if len(self._ways) > 1:
            rest = [[word for word in way if word not in common] for way in self._ways]
            if all(rest):
                checks.append("(" + " or ".join(f"({' and '.join(way)})" for way in rest) + ")")
        self._checks = checks
        self.judge, self.elsewhere = self._judge_first, self._elsewhere_first

    def _judge_first(self, *facts: Any) -> Any:
        """Compiled when it is needed: most captures need one of the two."""
        self.judge = self._function(self._checks, elsewhere=False)
        return self.judge(*facts)

    def _elsewhere_first(self, *facts: Any) -> Any:
        self.elsewhere = self._function(self._checks, elsewhere=True)
        return self.elsewhere(*facts)

    def _function(self, checks: list[str], *, elsewhere: bool) -> Judge:
        values, computed, text = self.result
        space: dict[str, Any] = {f"k{place}": value for place, value in enumerate(values)}
        results = [
            str(value) if done else f"k{place}"
            for place, (value, done) in enumerate(zip(values, computed, strict=True))
        ]
        making: list[str] = []
        if text is not None:
            making, names = text_code(text, self._reals, self._places, elsewhere=elsewhere)
            space |= names
        needed = variables([*checks, *making, *(name for name, done in zip(results, computed, strict=True) if done)])
        body = self._numbers(sorted(needed, key=lambda name: int(name[1:])), space)
        if checks:
            body.append(f"    if not ({' and '.join(checks)}): return None")
        body += making
        facts = "source, index, line, last, start, end, at"
        shown = "text" if text is not None else "None"
        body.append(
            f"    return new(taken, (new(row, ({facts}, {', '.join(results)})), stop, lines, recognised, {shown}))"
        )
        more = ", place, numbers" if elsewhere else ""
        code = f"def judge(groups, {facts}, stop, lines, recognised{more}):\n" + "\n".join(body) + "\n"
        if elsewhere:
            code = _LINE.sub(r"numbers[place\1]", code)
        space |= _FUNCTIONS
        space |= {
            "__builtins__": {},
            "int": int,
            "real": _real,
            "map": map,
            "new": tuple.__new__,
            "row": RunRow,
            "taken": Taken,
        }
        exec(compile(code, "<judgement>", "exec"), space)
        judge: Judge = space["judge"]
        return judge

    def _numbers(self, names: Sequence[str], space: dict[str, Any]) -> list[str]:
        """The statements that read figures; a run need not have as many elements as the one that was learnt from."""
        body: list[str] = []
        kinds = {name: "real" if self._reals[name] else "int" for name in names}
        for kind in ("int", "real"):
            some = [name for name in names if kinds[name] == kind and name[0] != "e"]
            if len(some) > 1:
                space[f"every_{kind}"] = itemgetter(*(self._places[name] for name in some))
                body.append(f"    {', '.join(some)} = map({kind}, every_{kind}(groups))")
            elif some:
                body.append(f"    {some[0]} = {kind}(groups[{self._places[some[0]]}])")
        for name in names:
            if name[0] == "e":
                place = self._places[name]
                read = f"{'float' if self._reals[name] else 'int'}(groups[{place}])"
                body.append(f"    {name} = {read} if groups[{place}] is not None else None")
        return body


def _never(*_: Any) -> Any:
    return None
