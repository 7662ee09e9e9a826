"""What a run is made of when it is taken apart: lines, the numbers in them, dumps of tensors, and what was read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..dividing.left_off import Neighbours
from ..lines import Line
from ..named_tuple import NamedTuple
from ..rows import RunRow
from ..traced import Tracer

if TYPE_CHECKING:
    from .dumps import Dump

CHECKED = frozenset(4**power for power in range(32))
"""After so many runs of a layout, the last one is read line by line as well."""
REFUSED = b"\0"
"""Stands for an odd line in a run that was cleaned; no layout takes it."""


class UnfitError(Exception):
    """Runs like this one are left to the reader for everything."""


class Figure:
    """A number within a line, bytes `start` to `end`; `name` is its variable, empty where nothing reads it."""

    __slots__ = ("end", "name", "real", "signed", "start")

    def __init__(self, start: int, end: int, name: str, real: bool, signed: bool = False) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.real = real
        """True where it is read as a float, with or without a point."""
        self.signed = signed
        """True where other runs may have a negative number."""


class DumpText(Figure):
    """The base64 text of an ETDump; `names` are the variables of its events' times, where those are wanted."""

    __slots__ = ("dump", "names")

    def __init__(self, start: int, dump: Dump, names: list[str]) -> None:
        super().__init__(start, start + dump.characters, "", False)
        self.dump = dump
        self.names = names


class Text:
    """A line of its own."""

    __slots__ = ("body", "figures", "place", "plain", "raw", "shown")

    def __init__(self, raw: bytes, place: int, line: Line) -> None:
        self.raw = raw
        self.place = place
        """Number of the line within the unit, from 0."""
        self.shown = line.text
        self.figures: list[Figure] = []
        self.plain = False
        """True where the line means nothing and changed nothing."""
        message = line.message.encode()
        self.body = raw.rfind(message) if message else len(raw.rstrip(b"\r\n"))
        """Where the message begins; -1 where the bytes do not hold it as it was read."""


class Block:
    """Elements of one tensor, 0 to `count` - 1, one per line."""

    __slots__ = ("count", "idle", "kind", "middle", "names", "place", "prefix", "raw", "real", "tail", "tensor")

    def __init__(self, found: re.Match[bytes], raw: bytes, place: int) -> None:
        self.prefix, kind, tensor, _, self.middle, _, point = found.groups()
        self.raw = raw
        self.place = place
        self.kind = "outputs" if kind == b"Output" else "inputs"
        self.tensor = int(tensor)
        self.tail = raw[found.end() :]
        self.real = point is not None
        self.count = 0
        self.idle: list[Text] = []
        """Meaningless lines up to the line that ends the dump."""
        self.names: list[str] = []
        """Variables: the number of elements, then the first values."""

    def takes(self, found: re.Match[bytes]) -> bool:
        """Whether this is the next element."""
        prefix, _, _, index, middle, _, point = found.groups()
        same = (prefix, middle, point is not None) == (self.prefix, self.middle, self.real)
        return same and index == b"%d" % self.count


class Reading(NamedTuple):
    """What the reader for everything made of a unit; its numbers may be `Traced`."""

    row: RunRow
    run: dict[str, Any] | None
    tracer: Tracer
    recognised: int
    pinned: set[str]
    """Variables whose values must be equal in another run."""
    values: dict[str, Any]
    """The figures of this run by variable."""
    trailing: int
    """Lines of the unit after the last one that counts as the run's."""
    neighbours: Neighbours
    """What holds for the runs before and after it."""
