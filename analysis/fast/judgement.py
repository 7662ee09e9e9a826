"""What was asked of the figures of one run, as a function that judges the figures of others.

Conditions that follow from others are left out or tried last, which halves the time; what a run must meet stays the
same. `judge_code.py` compiles the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..traced import VARIABLE
from .json_code import EXACT_LIMIT
from .judge_code import Joined, Result

FIGURE_LIMIT = 1e20
"""Every figure that a layout takes is smaller than this, and none is negative."""
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
    """The same conditions, shorter: one bound for each side of a figure, and none that always holds."""
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
    """An expression with its variables renamed."""
    return VARIABLE.sub(lambda found: names.get(found.group(), found.group()), expression)


class Judgement(Joined):
    """Conditions under which one result follows; runs that reach it in several ways are judged by one function."""

    def __init__(self, result: Result, reals: Mapping[str, bool], places: Mapping[str, int]) -> None:
        """`reals` are the variables that are read as floats; `places` is the group of each."""
        super().__init__([self])
        self.result = result
        self.reals = reals
        self.places = places
        self.checks: list[str] = []
        """All conditions that a run must meet."""
        self.hits = 0
        """Runs that reached this result after other judgements were tried."""
        self._ways: list[list[str]] = []

    @property
    def ways(self) -> int:
        """In how many ways runs reached this result."""
        return len(self._ways)

    @property
    def steady(self) -> bool:
        """True where nothing in the result depends on where the run stands."""
        values = zip(*self.result[:2], strict=True)
        return not any(done and ("line" in value or "index" in value) for value, done in values)

    def add(self, conditions: Sequence[str]) -> None:
        """Add conditions under which runs reach the same result."""
        way = list(dict.fromkeys(conditions))
        if way in self._ways:
            return
        self._ways.insert(0, way)
        common = [word for word in self._ways[0] if all(word in way for way in self._ways)]
        self.checks = list(common)
        if len(self._ways) > 1:
            rest = [[word for word in way if word not in common] for way in self._ways]
            if all(rest):
                self.checks.append("(" + " or ".join(f"({' and '.join(way)})" for way in rest) + ")")
        self.changed()
