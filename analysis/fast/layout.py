"""The shape of a run's bytes, learnt from one run; other runs of the same shape are read with a few operations each.

A `Layout` holds what does not change as literal bytes and what changes as groups of one pattern. `tight.py` jumps over
the literals and then compares the run with the literals and groups put together again, which proves every byte with one
comparison of memory. A run is taken only when every byte is accounted for and all conditions that were asked of the
first run's figures hold for it too. Any other run goes to the reader for everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from ..draft_parts import FIRST_VALUES
from ..rows import RunRow
from ..traced import variables
from .endings import Endings
from .json_code import EXACT_LIMIT
from .json_text import JsonText, elements, json_text
from .judge_code import Joined, Result
from .judge_code import Taken as Taken
from .judgement import Judgement, renamed, simplified
from .line_shapes import Start
from .parts import Block, DumpText, Reading, Text, UnfitError
from .unit import Unit, moving

LESSONS = 64
SAMPLES = 64
"""After so many runs (a power of four), figures that were always equal count as a part of the shape."""
WAYS = 40
"""The most ways for runs of one shape to reach one result, and the most different results."""
JUDGEMENTS = 24
OFTEN = 16
"""A judgement that so many runs reached after others were tried is tried together with others."""
MOST_JOINED = 4
TIED_DIGITS = 5
_OF_PLACE = frozenset(("source", "index", "first_line", "last_line", "start_byte", "end_byte", "at"))


Groups = tuple[Any, ...]
"""What the groups of a pattern hold, then the numbers of elements."""
Picker = Callable[[Groups], Groups]
UNJUDGED = (ValueError, ArithmeticError, TypeError)
"""Errors where figures are of a kind that no run learnt from had."""


Facts = tuple[str, int, int, int, int, int, "str | None", int, int, int]
"""Source, index, first and last line, start and end byte and time stamp of a run; end, lines and recognised of `Taken`."""


class Layout:
    """One shape of runs, with what was learnt about them."""

    def __init__(self, unit: Unit, here: Reading, there: Reading) -> None:
        self.taken = 0
        """Number of runs it has read."""
        self.hits = 0
        """Recent use; it tells which layout to try first."""
        self.narrow = False
        """True where it has figures as literals that may be equal by chance."""
        self.samples: list[Groups] = []
        """What its groups held in some runs."""
        self.settled = False
        """True once there are enough samples."""
        self.lessons = 0
        self.stop = 0
        """Where the last run that it read ended, in the bytes given."""
        self.unjudged = -1
        """Start byte of a run of this layout whose figures were judged like those of no run learnt from."""
        self.signature: object = None
        """Equal for layouts that take the same bytes."""
        self.recognised = here.recognised
        self.endings: Endings | None = None
        """Which other first lines end runs of this layout."""
        self.neighbours = here.neighbours
        """What holds for the runs before and after those of this shape."""
        self.trailing = here.trailing
        """Lines after the last one that counts as the run's, up to the next run."""
        self.start = Start(unit.raw_lines[0], first_text(unit))
        self.blocks = [part for part in unit.parts if isinstance(part, Block)]
        texts = [part for part in unit.parts if isinstance(part, Text)]
        self.dumps = [figure for text in texts for figure in text.figures if isinstance(figure, DumpText)]
        names = [*(block.names for block in self.blocks), *(figure.names for figure in self.dumps)]
        self.never_literal = {name for some in names for name in some}
        """Variables that stay groups of the pattern even where they are pinned."""
        self.block_places: list[int] = []
        """Where blocks would begin within the run if those before them were empty."""
        before = 0
        for block in self.blocks:
            self.recognised -= min(block.count, FIRST_VALUES)
            self.block_places.append(block.place - before)
            before += block.count
        self.ties = ties(unit)
        self.places: dict[str, int] = {}
        """The group of each variable."""
        self.reals = unit.reals
        self.judgements: list[Judgement] = []
        """The results that runs of this shape reach."""
        self.usual: Joined
        """The judgements that most runs reach."""
        self.pinned = here.pinned - self.never_literal
        self.lengths = here.values
        """Numbers of elements in the run learnt from, by their variables."""

    def placed(self, expression: str) -> str:
        """An expression for a line of a run ("line + 40"), where the number of elements before it varies.

        Raises:
            UnfitError: it is a line in the middle of a block.
        """
        if not expression.startswith("line + "):
            return expression
        place = int(expression[7:])
        more = ""
        for block, bare in zip(self.blocks, self.block_places, strict=True):
            count = self.lengths[block.names[0]]
            if place >= bare + count or (count > 1 and place == bare + count - 1):  # behind it, or its last element
                place -= count
                more += f" + {block.names[0]}"
            elif place > bare or (count == 1 and place == bare):
                raise UnfitError
        return f"line + {place}{more}"

    def _text_of(self, here: Reading, there: Reading) -> JsonText:
        floats = {name: f"float({first})" if self.reals[name] else first for name, first in self.ties.items()}
        first = {block.names[1]: block.names[1:] for block in self.blocks}
        return json_text(here.run, there.run, lambda found: self.placed(renamed(found, floats)), first)

    def _lengths_as_here(self, text: JsonText) -> list[str]:
        """Conditions under which as many first values are shown as in the run learnt from, where it matters."""
        blocks = [block for block in self.blocks if elements(block.names[1:]) not in text.expressions]
        counts = [(block.names[0], self.lengths[block.names[0]]) for block in blocks]
        return [f"{name} >= {FIRST_VALUES}" if n >= FIRST_VALUES else f"{name} == {n}" for name, n in counts]

    def known(self, here: Reading) -> bool:
        """Whether runs of this shape gave the same row before, with nothing in it that moves from run to run."""
        self.lengths = here.values
        values, computed = self._fields(here, here)
        steady = (known.result for known in self.judgements if known.steady)
        return here.run is None and Result(tuple(values), tuple(computed), None) in steady

    def _fields(self, here: Reading, there: Reading) -> tuple[list[Any], list[bool]]:
        values: list[Any] = []
        computed: list[bool] = []
        for name, a, b in zip(RunRow._fields, here.row, there.row, strict=True):
            expression = moving(a, b)
            if name not in _OF_PLACE:
                values.append(a if expression is None else self.placed(renamed(expression, self.ties)))
                computed.append(expression is not None)
        return values, computed

    def learn(self, here: Reading, there: Reading) -> None:
        """Runs of this shape may be judged like this one.

        Raises:
            UnfitError: its elements were looked at, or something moves from run to run in a way that is not understood.
        """
        if here.trailing != self.trailing:
            raise UnfitError
        self.lessons += 1
        self.neighbours = self.neighbours._replace(leans=self.neighbours.leans | here.neighbours.leans)
        self.lengths = here.values
        values, computed = self._fields(here, there)
        conditions = [
            f"({name} == {here.values[name]!r})" for name in sorted(here.pinned - self.pinned) if name in here.values
        ]
        conditions += here.tracer.conditions
        asked = dict.fromkeys(renamed(condition, self.ties) for condition in conditions)
        text = self._text_of(here, there) if here.run is not None else None
        exact_ints = set(self.ties.values()) & variables(simplified(asked))
        exact_ints |= text.whole if text is not None else set()
        words = simplified([*asked, *(f"({name} < {EXACT_LIMIT})" for name in sorted(exact_ints))])
        if text is not None:
            words += self._lengths_as_here(text)
        result = Result(tuple(values), tuple(computed), text)
        known = next((known for known in self.judgements if known.result == result), None)
        judgement = known or Judgement(result, self.reals, self.places)
        if (
            judgement.ways >= WAYS
            or not variables([*words, *(str(v) for v in values), *(result.expressions)]) <= self.places.keys()
        ):
            raise UnfitError
        judgement.add(words)
        others = [other for other in self.judgements if other is not judgement]
        self.judgements = [judgement, *others[: JUDGEMENTS - 1]]
        self.usual = judgement

    def same_everywhere(self) -> set[str]:
        """The figures that were equal in all samples, elements excepted."""
        columns = list(zip(*self.samples, strict=False))
        same = {
            name
            for name, place in self.places.items()
            if name.startswith("v") and place < len(columns) and len(set(columns[place])) == 1
        }
        return same | {name for name, first in self.ties.items() if first in same}

    @property
    def full(self) -> bool:
        """True where nothing more is learnt about runs of this shape."""
        return self.lessons >= LESSONS

    def judged(
        self, groups: Groups, facts: Facts, place: int = 0, numbers: Sequence[int] | None = None
    ) -> Taken | None:
        """Judge the figures; return the run, where they are judged like those of a run learnt from.

        Line numbers are counted from the first, unless `numbers` are given, with the `place` of the first among them.
        """
        if not self.settled:
            self.settled = self.narrow or self.taken >= SAMPLES
            if not self.settled:
                self.samples.append(groups)
        for position, judgement in enumerate(self.judgements):
            try:
                if numbers is None:
                    taken: Taken | None = judgement.judge(groups, *facts)
                else:
                    taken = judgement.elsewhere(groups, *facts, place, numbers)
            except UNJUDGED:
                continue
            if taken is not None:
                if position:
                    self._prefer(position)
                return taken
        return None

    def _prefer(self, position: int) -> None:
        """Try this judgement first from now on, or those that runs reach in turn together."""
        judgement = self.judgements.pop(position)
        self.judgements.insert(0, judgement)
        judgement.hits += 1
        hits, alone = judgement.hits, len(self.usual.judgements) == 1
        if hits < OFTEN or (not alone and hits & (hits - 1)):  # each function that is made takes a while to compile
            self.usual = judgement if alone else self.usual
            return
        often = sorted((known for known in self.judgements if known.hits >= OFTEN), key=lambda known: -known.hits)
        self.usual = Joined(often[:MOST_JOINED])


def ties(unit: Unit) -> dict[str, str]:
    """Figures that are printed twice, as the second's variable to the first's.

    "1498202" and "1498202.00" on one line (a single inference), or a number of many digits that comes back later.
    """
    tied: dict[str, str] = {}
    first: dict[bytes, str] = {}
    for part in unit.parts:
        before: tuple[bytes, str] | None = None
        for figure in part.figures if isinstance(part, Text) else ():
            if not figure.name:
                continue
            shown = part.raw[figure.start : figure.end]
            if before is not None and figure.real and shown == before[0] + b".00":
                tied[figure.name] = tied.get(before[1], before[1])
            elif not figure.real:
                if len(shown) >= TIED_DIGITS and shown in first:
                    tied[figure.name] = first[shown]
                first.setdefault(shown, figure.name)
                before = (shown, figure.name)
    return tied


def first_text(unit: Unit) -> Text:
    """The first line of a unit."""
    first = unit.parts[0]
    if not isinstance(first, Text) or first.plain:
        raise UnfitError
    return first


def picker(groups: list[int]) -> Picker:
    """A function that takes these groups out of all."""
    if len(groups) > 1:
        return itemgetter(*groups)
    return lambda all_groups: tuple(all_groups[group] for group in groups)
