"""Lines that a terminal broke at its right edge, in a capture that was copied off the screen.

A long line of the log then goes on in the rows below.  Each such row is read as the line that it makes together with
the rows above it, so that the last one tells the whole figure; what the first row said alone is overruled by it.  Only
a row that is as wide as the screen, with an unmarked row below it, can be such a beginning; one without a log prefix is
believed where the screen has a usual width and the row says nothing by itself.
"""

from __future__ import annotations

from ..line import LEVELS, SEVERE
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..line import Line

_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))

SCREENS = frozenset((80, 100, 120, 132, 160, 200))
"""Columns of screens that are believed at once, where the rows make a line of the log together, and not alone."""
NARROWEST = 60
MOST_ROWS = 12
"""That one line goes over."""
_PROOF = 2
"""Different lines that must have gone on below, before anything else is believed."""
_ENOUGH = 3
"""Different lines of one width are no chance any more where there are more, and none is wider."""
_WORDS = 16
ON_ITS_OWN = (
    "Output", "Input", "Info: ", "Warning", "INFO -", "telnetterminal", "echo ", "#", "EXITTHESIM", "Checking", "No problems",
    "sh: ", "xterm", "+ ", "E: ", "W: ", "I: ", "D: ", "Hard fault", "...",
)  # fmt: skip
"""How lines begin that have no prefix and are whole all the same."""
_ASSERTED = " assert failed ("
"""Words of a line that goes on in any text, and is known as one however much of that is there."""
_LONG = ("Running ", "Build Arm ")
"""How lines of ExecuTorch's scripts begin that tell the target, and are wider than any usual screen."""


def columns(raw: bytes | bytearray) -> int:
    """How wide a row is: of a character in UTF-8, its first byte counts."""
    return len(raw) if raw.isascii() else len(raw.translate(None, _LATER))


_LATER = bytes(range(0x80, 0xC0))


class Wrapped:
    """Puts rows together where the screen was too narrow."""

    __slots__ = (
        "_full",
        "_gap",
        "_head",
        "_parsed",
        "known",
        "_rows",
        "_said",
        "_ties",
        "_told",
        "_widest",
        "beyond",
        "found",
    )

    def __init__(self, known: Callable[[str], bool], parsed: Callable[[str], Line]) -> None:
        """`known` tells whether a text is a line of the log, `parsed` makes a line of a text."""
        self.found = False
        """True once a line went over several rows."""
        self.known = known
        self._parsed = parsed
        self.beyond = 0
        """The width of the widest line that is no row: two printers wrote it."""
        self._head: Line | None = None
        """The newest line, while it is as wide as any and may go on."""
        self._gap = ""
        """The blank that the newest row ended with."""
        self._rows = 0
        self._widest = NARROWEST
        self._full = 0
        """Lines of the widest width."""
        self._ties = 0
        """Those of them that an unmarked row followed."""
        self._told: set[str] = set()
        """What some of these said, without their digits."""
        self._said: set[str] = set()
        """Where lines of the widest width were printed from, or how they begin, whatever followed."""

    @property
    def waiting(self) -> bool:
        """True where the next row may be the rest of a line."""
        return self._head is not None

    @property
    def joined(self) -> bool:
        """True where a row was or may have been the rest of the one above it, which counts for later ones."""
        return self.found or self._ties > 0

    @property
    def cut_at(self) -> int:
        """The width at which all lines seem to have been cut: several different ones have it, and none is wider; else 0."""
        few = self.beyond <= self._widest and not self.found and self._ties * 2 < self._full
        return self._widest if few and len(self._said) > _ENOUGH else 0

    @property
    def widest(self) -> int:
        """Rows without a log prefix matter here only where they are wider, or right behind one that is as wide."""
        return self._widest

    def take(self, line: Line, width: int, gap: str = "") -> Line:
        """The line that this row makes, which is `width` columns wide and ends with the blank `gap`, if with any."""
        head, self._head = self._head, None
        before, self._gap = self._gap, gap
        if head is not None and width <= self._widest and _goes_on(head, line, before):
            if head.level and not self._rows:
                self._ties += 1
                if len(self._told) <= _PROOF:
                    self._told.add(head.message.translate(_NO_DIGITS))
            self._rows += 1
            message = (head.message + before + line.text).lstrip()
            if not head.level and _in_prefix(head.message):
                whole = self._parsed(message)
                message = whole.message
                head = whole._replace(number=head.number, text=head.text, at=head.at, stream=head.stream)
            if self._believed(head, before, message, line.text):
                self.found = True
                whole = head._replace(number=line.number, text=line.text, message=message, eot=line.eot)
                line = whole._replace(partial=line.partial)
            if width == self._widest and self._rows < MOST_ROWS:
                self._head = head._replace(message=message) if line.level == "" else line
            return line
        self._rows = 0
        if width > self._widest:
            self._widest, self._full, self._ties = width, 0, 0
            self._told.clear()
            self._said.clear()
        if width == self._widest and line.level and not (line.partial or line.eot):
            self._full += 1
            self._head = line
            if len(self._said) <= _ENOUGH:
                self._said.add(f"{line.file}:{line.source_line}" if line.source_line else line.message[:_WORDS])
        elif width == self._widest and width in SCREENS and line.message and not (line.partial or line.data):
            self._head = line
        elif self.found and width == self._widest - 1 and self._widest in SCREENS and line.level and not line.eot:
            self._head, self._gap = line, " "  # a screen that was copied has lost the blank of its last column
            self._full += 1
        return line

    def may_begin(self, width: int) -> bool:
        """Whether a line so wide, without a log prefix, may go on in the row below it."""
        return width > self._widest or (width == self._widest and width in SCREENS)

    def _believed(self, line: Line, gap: str, message: str, row: str) -> bool:
        """Whether a row below is the rest of a line: what other programs print may stand there, too."""
        head = line.message
        if head == message:
            return True  # it was broken inside its prefix
        usual = self._widest in SCREENS
        proven = self.found or head.startswith(_LONG)
        word = usual and bool(gap or _inside_a_number(head, row) or (proven and _inside_a_word(head, row)))
        closed = (message[-1:] == "]" and head.count("[") > head.count("]")) or _ASSERTED in head
        value = row.strip().lstrip("-").replace(".", "", 1).isdigit()
        valued = value and head[-1:] in ":=)"
        if not line.level:
            rest = self.known(message) and (valued or not self.known(row))
            return rest and (word or closed or not self.known(head))
        if len(self._told) > _PROOF and self._ties * 4 >= self._full * 3:
            return True
        bare = value and message[-1:] != "."  # a row of its own, by its looks
        if head[-1:].isdigit() and row[:1].isdigit() and (usual or not bare):
            return self.known(message)  # a number was broken: the head alone would tell a wrong one
        if head[-1:].isdigit() and row == ".":
            return self.known(message)  # without its full stop, the number might have been broken
        if usual and line.level in SEVERE and head[-1:].islower() and row[:1].islower():
            return True  # a word was broken
        if not usual or (gap and not valued and self.known(row)):
            return False
        return self.known(message) and (word or closed or not self.known(head))


def _inside_a_number(head: str, row: str) -> bool:
    last, first = head[-1:], row[:1]
    if "." in (last, first):
        return row[1:2].isdigit() or (last == "." and first.isdigit())
    return last.isdigit() and first.isdigit()


def _inside_a_word(head: str, row: str) -> bool:
    return (head[-1:].isalnum() or head[-1:] == "_") and (row[:1].isalnum() or row[:1] == "_")


def rows_below(line: Line) -> bool:
    """True for a line that `take()` made of several rows, of which the first ones came before as they are."""
    return len(line.message) > len(line.text) and (line.level != "" or not line.partial)


def _in_prefix(message: str) -> bool:
    """Whether a line ends inside its log prefix."""
    return message[:1] in LEVELS and message[1:2] == " " and "executorch:" in message[:24] and "]" not in message


def _goes_on(head: Line, line: Line, gap: str) -> bool:
    """True for a row that may be the rest of another: it is not marked, and begins as no line without a prefix does.

    Behind a sentence another may follow, where the blank between the two stands in the last column.
    """
    if line.level or line.file is not None or line.data or not line.message or line.message.startswith(ON_ITS_OWN):
        return False
    if line.text.strip() != line.message:
        return False  # stamped or labelled by itself
    if not line.text[0].isupper() or gap:
        return True
    last = head.message[-2:].rstrip("-") if head.message[-1:] == "-" else head.message[-1:]  # a word may have a hyphen
    return last.isalnum() or last == "_"
