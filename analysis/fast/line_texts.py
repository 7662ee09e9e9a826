"""Makes stretches of JSON text in which only line numbers differ from run to run, from texts that were made before.

A report names the line of each of its figures, which is a third of its text. All but the last three digits of these
numbers are equal, so a stretch is kept for each place within a thousand lines, with the thousands left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

MOST_SPAN = 200
"""Most lines between the first and the last number of a stretch; more would too often cross a thousand."""
LEAST_NUMBERS = 4
MOST_CHARACTERS = 4 << 20
"""Characters of all texts that are kept; beyond that they are made again."""
OPEN = "\0"
"""Stands for the thousands; JSON text never holds it."""
_LAST_DIGITS = [f"{OPEN}{number:03}" for number in range(1000)]


class _Kept:
    """How much is kept, and by whom."""

    characters = 0
    holders: list[LineTexts] = []  # noqa: RUF012


class LineTexts(dict[int, str]):
    """The text of one stretch, by the place of its first line in a thousand, with `OPEN` in place of the thousands.

    Example:
        >>> texts = LineTexts(["a: ", ", b: ", ""], [0, 2])
        >>> texts.at(21_007)
        'a: 21007, b: 21009'
    """

    def __init__(self, pieces: Sequence[str], offsets: Sequence[int]) -> None:
        """`pieces` stand around the numbers; `offsets` are the lines counted from the first, the smallest being 0."""
        super().__init__()
        self.span = max(offsets) + 1
        self._pieces = [""] * (2 * len(offsets) + 1)
        self._pieces[0::2] = pieces
        self._pick = itemgetter(*offsets)

    def __missing__(self, place: int) -> str:
        made = list(self._pieces)
        made[1::2] = self._pick(_LAST_DIGITS[place : place + self.span])
        text = "".join(made)
        if _Kept.characters + len(text) > MOST_CHARACTERS:
            for holder in _Kept.holders:
                holder.clear()
            _Kept.holders.clear()
            _Kept.characters = 0
        if not self:
            _Kept.holders.append(self)
        _Kept.characters += len(text)
        self[place] = text
        return text

    def at(self, line: int) -> str:
        """The text where the first line has this number."""
        thousands, place = divmod(line, 1000)
        if thousands and place + self.span <= 1000:
            return self[place].replace(OPEN, repr(thousands))
        return self.of(range(line, line + self.span))

    def of(self, numbers: Sequence[int]) -> str:
        """The text with these line numbers, from the first to the last."""
        made = list(self._pieces)
        made[1::2] = map(repr, self._pick(numbers))
        return "".join(made)
