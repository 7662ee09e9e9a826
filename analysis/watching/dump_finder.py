"""Finds the dumps of a log of any size at the speed of searching bytes, without making a `Line` of each line.

`dump_lines.kind_of` is asked about one line of each shape. The following lines of the same shape (the same text before
the message, except for digits) are skipped by one pattern.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..lines import Line, parse_line
from .dump_lines import KINDS, LEAST, Dump, kind_of

_BODIES = {
    1: rb"(?:Output|Input|out|in)\[\d{1,9}\]\[\d{1,9}\][^\n\r]*",
    2: rb"[A-Za-z0-9+/]{40,4096}={0,2}\\?",
}
_OUTPUT = re.compile(rb"(?:Output|Input|out|in)\[\d{1,9}\]\[\d{1,9}\]")
_REST_OF_BASE64 = re.compile(rb"[A-Za-z0-9+/]*={0,2}\\?[ \t]*\r*\n")
_LETTERS = bytes(48 if chr(i).isalnum() and i < 128 or i in b"+/" else 10 if i == 10 else 32 for i in range(256))
"""Translation of bytes that may stand in base64 text to `0`; line ends stay."""
_LETTERS_RUN = re.compile(rb"0+")
_LONG = b"0" * 40
_DIGIT = re.compile(rb"\d")


class DumpFinder:
    """Takes the lines of a log in pieces and in order; gives each dump once it has ended."""

    def __init__(self) -> None:
        self.index = 0
        """Number of lines taken so far."""
        self._kind = 0
        self._start = 0
        self._shape: re.Pattern[bytes] | None = None

    def feed(self, text: bytes) -> list[Dump]:
        """Take whole lines with line feeds between them; return the dumps that end in them, by lines counted from 0."""
        text += b"\n"
        found: list[Dump] = []
        marks = _Marks(text)
        place = 0
        while place < len(text):
            if self._kind and self._shape is not None:
                place = self._pass_over(text, place, self._shape)
            elif not self._kind:
                start = marks.line_from(place)
                behind = len(text) if start is None else start
                self.index += text.count(b"\n", place, behind)
                place = behind
            if place == len(text):
                break
            behind = text.index(b"\n", place) + 1
            kind = self._look_at(text[place : behind - 1].rstrip(b"\r"))
            if kind != self._kind:
                found += self._ended()
                self._kind, self._start = kind, self.index
            place = behind
            self.index += 1
        return found

    @property
    def unfinished(self) -> Dump | None:
        """The dump at the end of the lines so far, which may go on; None where there is none."""
        return next(iter(self._ended()), None)

    def _ended(self) -> list[Dump]:
        known = self._kind and self.index - self._start >= LEAST
        return [Dump(self._start, self.index, KINDS[self._kind])] if known else []

    def _pass_over(self, text: bytes, place: int, shape: re.Pattern[bytes]) -> int:
        """The place after the lines from `place` on that have the shape of this dump."""
        match = shape.match(text, place)
        behind = match.end() if match else place
        self.index += text.count(b"\n", place, behind)
        return behind

    def _look_at(self, raw: bytes) -> int:
        """Which of `KINDS` a line is; if it belongs to a dump, its shape becomes that of the dump."""
        line = seen(1, raw)
        kind = kind_of(line)
        self._shape = _shape_of(raw, line.message, kind) if kind else None
        return kind


class _Marks:
    """Where the marks stand in a text without which a line belongs to no dump."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._letters = text.translate(_LETTERS)
        self._output: int | None = -1
        self._base64: int | None = -1

    def line_from(self, place: int) -> int | None:
        """Start of the next line that may belong to a dump, from the line start `place` on; None without one."""
        if self._output is not None and self._output < place:
            self._output = self._next_output(place)
        if self._base64 is not None and self._base64 < place:
            self._base64 = self._next_base64(place)
        return min((start for start in (self._output, self._base64) if start is not None), default=None)

    def _next_output(self, place: int) -> int | None:
        text = self._text
        while (found := text.find(b"][", place)) >= 0:
            start = max(place, text.rfind(b"\n", 0, found) + 1)
            place = text.index(b"\n", found)
            if _OUTPUT.search(text, start, place):
                return start
        return None

    def _next_base64(self, place: int) -> int | None:
        while (found := self._letters.find(_LONG, place)) >= 0:
            if _REST_OF_BASE64.match(self._text, found):
                return self._text.rfind(b"\n", 0, found) + 1
            run = _LETTERS_RUN.match(self._letters, found)
            place = run.end() if run else found + 1
        return None


def seen(number: int, raw: bytes) -> Line:
    """A line as a terminal would leave it: of text that a carriage return overwrote, the last is seen."""
    raw = raw.rstrip(b"\r")
    return parse_line(number, raw.rpartition(b"\r")[2] if b"\r" in raw else raw)


def _shape_of(raw: bytes, message: str, kind: int) -> re.Pattern[bytes] | None:
    """A pattern for lines of the same shape, with line ends; None where the text before the message is unknown."""
    said = message.encode("utf-8", "replace")
    if b"\r" in raw or not raw.endswith(said):
        return None
    return _pattern(_DIGIT.sub(b"0", raw[: len(raw) - len(said)]), kind)


@lru_cache(256)
def _pattern(before: bytes, kind: int) -> re.Pattern[bytes]:
    shape = re.escape(before).replace(b"0", rb"\d")
    return re.compile(rb"(?:%s%s\r*\n)*" % (shape, _BODIES[kind]))
