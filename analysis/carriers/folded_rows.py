"""Lines that a narrow terminal broke before some tool put a stamp or a name before each row.

The rows of one line are joined again only where the log proves it: what stands before the runtime's messages is as
wide everywhere, behind it no row is wider than a usual screen, and below rows as wide as that one stand some that go on.
"""

from __future__ import annotations

from functools import partial

from ..cleaning import compiled
from ..line_forms.wrapped import ON_ITS_OWN, SCREENS
from ..named_tuple import TYPE_CHECKING
from .split_entries import SplitEntries

if TYPE_CHECKING:
    from collections.abc import Callable

_MESSAGE = r"[DIEF?] \[executorch:[^\]]{1,200}\] \S"
_LEAST = 2
"""Messages that go on in the row below."""
_MOST_BEFORE = 100


def decoder_for(head: bytes, known: Callable[[str], bool]) -> Callable[[], SplitEntries] | None:
    """What makes a decoder that joins the rows of a log that begins so; None where none was broken."""
    rows = [row.rstrip("\r") for row in head.decode("utf-8", "replace").split("\n")[:-1]]
    begins = {found.start() for row in rows if (found := compiled(_MESSAGE).search(row)) is not None}
    before = begins.pop() if len(begins) == 1 else 0
    if not 0 < before < _MOST_BEFORE:
        return None
    screen = max(len(row) for row in rows) - before
    going_on = _rest_of_row(before, screen)
    told = sum(
        compiled(_MESSAGE).match(above, before) is not None and going_on(above, row) is not None
        for above, row in zip(rows, rows[1:], strict=False)
    )
    ended = sum(len(row) == before + screen for row in rows) - told
    return partial(SplitEntries, going_on) if screen in SCREENS and told >= max(_LEAST, ended) else None


def _rest_of_row(before: int, screen: int) -> Callable[[str, str], tuple[str, str] | None]:
    def rest(above: str, row: str) -> tuple[str, str] | None:
        """The row above, and what of this one goes on with it: not what begins as a line does."""
        own = row[before:]
        if len(above) != before + screen or not own.strip() or own.startswith(ON_ITS_OWN):
            return None
        alike = _shape(row[:before]) == _shape(above[:before])
        return (above, own) if alike and compiled(_MESSAGE[:-3]).match(own) is None else None

    return rest


def _shape(text: str) -> str:
    return compiled(r"\d").sub("0", text)
