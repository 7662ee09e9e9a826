"""Long dumps of tensors, passed over by counting: after the first values only their number is kept.

A line that dumps an element takes as long to read as any other, and a capture may be nothing else.  Where lines are
elements in order, as a look at all of them at once proves, the reader is shown the first ones and the last one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LEAST = 32
"""Fewer lines are read one by one."""
_CHARACTERS = b"0123456789.-"
_ELEMENT: re.Pattern[bytes] | None = None


class Elements(NamedTuple):
    """Whole lines that dump elements of one tensor, from index `first` on."""

    begin: int
    end: int
    kind: str
    """"outputs" or "inputs"."""
    tensor: int
    first: int
    count: int
    dtype: str | None

    @property
    def last_line(self) -> int:
        """Index of the last element."""
        return self.first + self.count - 1


def _element() -> re.Pattern[bytes]:
    global _ELEMENT
    if _ELEMENT is None:
        _ELEMENT = re.compile(
            rb"((Out|In)put\[(\d{1,4})\]\[)(\d{1,9})(\]: (?:\((float|int|char|byte)\) )?)-?\d{1,20}(?:\.\d{1,20})?(\r?\n)"
        )
    return _ELEMENT


def find_elements(data: bytes, at: int) -> Elements | None:
    """The next long dump that begins at the start of a line, at `at` or after it."""
    element = _element()
    while True:
        begin = at if data.startswith((b"Output[", b"Input["), at) else _next(data, at)
        if begin < 0:
            return None
        found = element.match(data, begin)
        if found is not None:
            count, end = _regular(data, begin, found)
            if count >= LEAST:
                dtype = found[6].decode() if found[6] else None
                kind = "outputs" if found[2] == b"Out" else "inputs"
                return Elements(begin, end, kind, int(found[3]), int(found[4]), count, dtype)
            at = max(end, found.end()) - 1
        else:
            at = begin + 1


def _next(data: bytes, at: int) -> int:
    places = [place for word in (b"\nOutput[", b"\nInput[") if (place := data.find(word, at)) >= 0]
    return min(places) + 1 if places else -1


def _regular(data: bytes, begin: int, found: re.Match[bytes]) -> tuple[int, int]:
    """How many lines from `begin` on are elements in order, and where they end."""
    prefix, _, _, index, middle, _, tail = found.groups()
    bare = (prefix + middle).translate(None, _CHARACTERS) + tail
    window, most = 1 << 14, 0
    while True:  # a short dump must not cost a look at all that follows it
        end = data.rfind(b"\n", begin, begin + window) + 1
        rest = data[begin:end].translate(None, _CHARACTERS)
        lines = len(rest) // len(bare)
        most = _alike(rest, bare, lines)
        if most < lines or end >= len(data) - 4096 or window >= len(data) - begin:
            break
        window *= 4
    if most < LEAST:
        return most, _after(data, begin, most)
    end = _after(data, begin, most)
    last = data.rfind(b"\n", begin, end - 1) + 1
    if not data.startswith(prefix + b"%d]" % (int(index) + most - 1), last):
        return 0, found.end()
    return most, end


def _alike(rest: bytes, bare: bytes, lines: int) -> int:
    """How many times `bare` stands at the start."""
    if rest.startswith(bare * lines):
        return lines
    low, high = 0, lines
    while high - low > 1:
        middle = (low + high) // 2
        if rest.startswith(bare * (middle - low), low * len(bare)):
            low = middle
        else:
            high = middle
    return low


def _after(data: bytes, begin: int, lines: int) -> int:
    """The place after so many lines."""
    low, high = begin, len(data)
    while lines > 64:
        middle = low + (high - low) // 2
        count = data.count(b"\n", low, middle)
        if count <= lines - 1:
            low, lines = middle, lines - count
        else:
            high = middle
    for _ in range(lines):
        low = data.find(b"\n", low) + 1
    return low
