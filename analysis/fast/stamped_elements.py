"""Skips long dumps of tensors with a host's time stamp on each line, as `elements` does for those without.

A stamp is part of what a line means, so every line is matched whole. Lines that are elements of one tensor, in order
and with stamps of one form, are taken together.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from ..line_forms.host_prefix import host_time
from .elements import LEAST, WINDOW_BYTES, Elements, find_elements

LONGEST_STAMP = 64
_HOLD = b"+" if sys.version_info >= (3, 11, 5) else b""
"""Makes a repeat possessive, which is faster; what it repeats can be matched in only one way."""
_VALUE = rb"-?\d{1,20}(?:\.\d{1,20})?"
_LINE = re.compile(
    rb"((Out|In)put\[(\d{1,4})\]\[)(\d{1,9})(\]: (?:\((float|int|char|byte)\) )?)" + _VALUE + rb"(\r?\n)"
)


def next_dump(block: bytes, at: int) -> Elements | None:
    """The next long dump whose first line begins from `at` on, with or without stamps; or a short one that is repeated."""
    if block.find(b"put[", at) < 0:
        return None
    bare = find_elements(block, at, repeated=True)
    return find_stamped(block, at, bare.begin if bare is not None else len(block)) or bare


def find_stamped(data: bytes, at: int, end: int) -> Elements | None:
    """The next long dump with stamps whose first line begins from `at` on and before `end`."""
    while (place := data.find(b"put[", at, end)) >= 0:
        at = place + 4
        found = _LINE.match(data, place - 3) or _LINE.match(data, place - 2) if place >= 3 else None
        if found is None:
            continue
        begin = data.rfind(b"\n", 0, place) + 1
        stamp = data[begin : found.start()]
        if begin < place - LONGEST_STAMP or not _is_stamp(stamp):
            continue
        dump = _counted(data, begin, stamp, found)
        if dump.count >= LEAST:
            return dump
        at = max(at, dump.end - 1)
    return None


def _is_stamp(head: bytes) -> bool:
    """Whether what stands before a message is a time stamp and a blank, and nothing else."""
    if head[-1:] != b" " or not head.isascii():
        return False
    text = head.decode()
    return text.isprintable() and host_time(text) == text[:-1]


def _counted(data: bytes, begin: int, stamp: bytes, found: re.Match[bytes]) -> Elements:
    """The lines from `begin` on that dump consecutive elements; `found` is the first of them after its stamp."""
    prefix, kind, tensor, index, middle, dtype, tail = found.groups()
    lines, indexes = _patterns(re.sub(rb"\d", b"0", stamp), prefix, middle, tail)
    first, count, widest, at = int(index), 0, 0, begin
    while (stop := data.rfind(b"\n", at, at + WINDOW_BYTES) + 1) > at:
        match = lines.match(data, at, stop)
        reached = match.end() if match is not None else at
        shown = indexes.findall(data, at, reached)
        wanted = range(first + count, first + count + len(shown))
        good = len(shown)
        if list(map(int, shown)) != list(wanted):
            good = next(
                place for place, (one, other) in enumerate(zip(shown, wanted, strict=True)) if int(one) != other
            )
            reached = at
            for _ in range(good):
                reached = data.find(b"\n", reached) + 1
        widest = max(widest, *map(len, data[at:reached].split(b"\n")))
        count, at = count + good, reached
        if reached < stop:
            break
    name = "outputs" if kind == b"Out" else "inputs"
    return Elements(
        begin, at, name, int(tensor), first, count, dtype.decode() if dtype is not None else None, widest=widest
    )


@lru_cache(maxsize=16)
def _patterns(shape: bytes, prefix: bytes, middle: bytes, tail: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """A pattern for all lines with stamps of this shape, and one for the index in a line."""
    stamp = rb"\d".join(re.escape(text) for text in shape.split(b"0"))
    line = stamp + re.escape(prefix) + rb"\d{1,9}" + re.escape(middle) + _VALUE + tail
    return re.compile(b"(?:%s)*%s" % (line, _HOLD)), re.compile(re.escape(prefix) + rb"(\d{1,9})")
