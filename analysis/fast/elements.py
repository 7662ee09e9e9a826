"""Skips long dumps of tensors by counting: after the first values, only the number of elements is kept.

A line with an element takes as long to read as any other, and a capture may hold little else. Where one look at all the
lines proves that they are elements in order, the reader gets only the first ones and the last.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache

from ..named_tuple import NamedTuple

WINDOW_BYTES = 1 << 16
"""Bytes that are looked at in one go; more would leave the processor's cache."""
LEAST = 32
"""Fewer elements are read one by one."""
LEAST_TIMES = 32
"""A shorter dump that is repeated so often, byte for byte, is not read each time."""
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
    count: int  # type: ignore[assignment]
    dtype: str | None
    times: int = 1
    """How often the same `count` lines come, one dump after the other; `end` is after all of them."""
    widest: int = 0
    """Bytes of the widest line, where lines have time stamps."""

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


def find_elements(data: bytes, at: int, *, repeated: bool = False) -> Elements | None:
    """The next long dump that begins at a line start, at `at` or after it; or a short one that is `repeated`."""
    element = _element()
    while True:
        begin = at if data.startswith((b"Output[", b"Input["), at) else _next(data, at)
        if begin < 0:
            return None
        found = element.match(data, begin)
        if found is None:
            at = begin + 1
            continue
        count, end = 1, found.end()
        if data.startswith(found[1] + b"%d]" % (int(found[4]) + 1), end):
            count, end = _regular(data, begin, found)
        times = _times(data, begin, end) if repeated and count < LEAST else 1
        if count >= LEAST or times >= LEAST_TIMES:
            dtype = found[6].decode() if found[6] else None
            kind = "outputs" if found[2] == b"Out" else "inputs"
            end = begin + times * (end - begin)
            return Elements(begin, end, kind, int(found[3]), int(found[4]), count, dtype, times)
        at = max(end, found.end()) - 1


def shortened(data: bytes, least: int) -> bytes:
    """The same lines with at most `least` elements of each dump: learning from a run does not need all of them."""
    pieces, at = [], 0
    found = find_elements(data, 0) if b"put[" in data else None
    while found is not None:
        if found.count > least:
            stop = _after(data, found.begin, found.end, least)
            pieces.append(data[at:stop])
            at = found.end
        found = find_elements(data, found.end - 1)
    return b"".join([*pieces, data[at:]]) if pieces else data


def stretches(data: bytes, shown: int) -> Iterator[tuple[bytes, Elements | None, bytes]]:
    """Whole lines to read, each followed by lines of a dump that need not be read: all but its first and its last."""
    at = 0
    found = find_elements(data, 0) if b"put[" in data else None
    while found is not None:
        if found.count > shown + 1:
            first, last = _after(data, found.begin, found.end, shown), data.rfind(b"\n", 0, found.end - 1) + 1
            yield data[at:first], found, data[first:last]
            at = last
        found = find_elements(data, found.end - 1)
    yield data[at:], None, b""


def _next(data: bytes, at: int) -> int:
    while (place := data.find(b"put[", at)) >= 0:
        for word in (b"\nOut", b"\nIn"):
            begin = place - len(word)
            if begin >= at and data.startswith(word, begin):
                return begin + 1
        at = place + 4
    return -1


def _times(data: bytes, begin: int, end: int) -> int:
    """How often the bytes from `begin` to `end` come one after the other, at least once."""
    unit = data[begin:end]
    times = step = 1
    while unit and step:
        if data.startswith(unit * step, begin + times * len(unit)):
            times += step
            step = min(2 * step, max(1, WINDOW_BYTES // len(unit)))
        else:
            step = 0 if times < LEAST_TIMES else step // 2
    return times


def _regular(data: bytes, begin: int, found: re.Match[bytes]) -> tuple[int, int]:
    """How many lines from `begin` on are elements in order, and where they end."""
    prefix, _, _, index, middle, _, tail = found.groups()
    return count_elements(data, begin, prefix, middle, tail, int(index)) or (0, found.end())


def count_elements(
    data: bytes, begin: int, prefix: bytes, middle: bytes, tail: bytes, index: int = 0, limit: int = sys.maxsize
) -> tuple[int, int] | None:
    """How many lines from `begin` on dump elements from `index` on, and where they end; None where they are not in
    order.

    At most up to `limit`, where the dump should end if it is whole. All lines are compared at once without their
    numbers, and only the first and the last are compared whole. A damaged number in the middle goes unnoticed, but
    nothing of such lines except their number is kept.
    """
    bare = (prefix + middle).translate(None, _CHARACTERS) + tail
    lines, at, window = 0, begin, 1 << 12
    if not data.startswith(prefix + b"%d]" % index, begin):
        return None
    while (end := data.rfind(b"\n", at, min(at + window, limit)) + 1) > at:
        rest = data[at:end].translate(None, _CHARACTERS)
        most, over = divmod(len(rest), len(bare))
        count = most if not over and _repeated(bare).startswith(rest) else _alike(rest, bare, most)
        stop = end if count == most else _after(data, at, end, count)
        if count and not _counts_up(data, at, stop, prefix, index + lines + count - 1):
            count = _in_order(data, at, end, prefix, index + lines, count)
            stop = _after(data, at, end, count)
        lines, at = lines + count, stop
        if stop < end:
            break
        window = min(2 * window, WINDOW_BYTES)
    return (lines, at) if lines else None


@lru_cache(maxsize=1)
def _repeated(bare: bytes) -> bytes:
    """More of the same than a window can hold."""
    return bare * (WINDOW_BYTES // len(bare) + 1)


def _counts_up(data: bytes, begin: int, end: int, prefix: bytes, index: int) -> bool:
    """Whether the last line before `end` dumps this element."""
    return data.startswith(prefix + b"%d]" % index, data.rfind(b"\n", begin, end - 1) + 1 or begin)


def _in_order(data: bytes, begin: int, end: int, prefix: bytes, index: int, lines: int) -> int:
    """How many lines come in order, where the last of so many does not."""
    low, high = 0, lines
    while high - low > 1:
        middle = (low + high) // 2
        if _counts_up(data, begin, _after(data, begin, end, middle), prefix, index + middle - 1):
            low = middle
        else:
            high = middle
    return low


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


def _after(data: bytes, begin: int, end: int, lines: int) -> int:
    """The place after so many lines, which all stand before `end`."""
    low, high = begin, end
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
