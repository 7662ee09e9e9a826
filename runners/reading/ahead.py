"""What the copy of a process does that reads a part of a file ahead of it."""

from __future__ import annotations

import os

from ...analysis.fast.seams import LOOKED_AT_BYTES, Passing
from ...analysis.named_tuple import TYPE_CHECKING
from .blocks import PLAIN_BYTES
from .halves import SEAMS, Core, Gathered, Halves, Place

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ...analysis.fast.seams import Seam
    from ...analysis.scan import Scanner
    from .harvest import Harvest
    from .set_aside import SetAside


def read_ahead(
    halves: Halves, scanner: Scanner, middle: int, pipe: Connection, core: Core, aside: SetAside | None
) -> None:
    """Read from the middle to our end, and say what came of it to the process that asks; end where that has gone."""
    seam = scanner.seam
    assert seam is not None
    halves.position = seam.byte
    passing = Passing()
    buffer = bytearray(PLAIN_BYTES)  # one for all: new memory for each block would take as long as to count its lines
    while halves.position + PLAIN_BYTES <= middle - LOOKED_AT_BYTES:
        size = os.preadv(halves.file.descriptor, [buffer], halves.position)
        passing.count(size, buffer.count(b"\n", 0, size))
        halves.position += size
        if not size or os.getppid() != halves.asker:
            return
    while halves.position < middle:
        passing.add(_block(halves))
        if os.getppid() != halves.asker:
            return
    while not passing.begin(scanner.last_start):  # a long run stands across the middle
        if halves.position >= min(middle + SEAMS // 2 * PLAIN_BYTES, halves.file.size):
            return
        passing.add(_block(halves))
    scanner.skip(passing)
    scanner.feed(passing.rest)
    reader = _Reader(halves, scanner, aside)
    told = False
    while (place := halves.reached(scanner)) is None and halves.position < halves.file.size:
        if os.getppid() != halves.asker:
            return
        scanner.feed(_block(halves))
        reader.take()
        if len(reader.first) == SEAMS:
            if not told:
                pipe.send([known for known, _ in reader.first])
                told = True
            halves.divide(scanner)
    if not told:
        pipe.send([known for known, _ in reader.first])
    core.give_back()
    asked: Place = pipe.recv()
    found = reader.handed_over(asked, place)
    if found is not None:
        pipe.send(found)


class _Reader:
    """What the copy has read: block by block as far as it may be met there, and the rest."""

    def __init__(self, halves: Halves, scanner: Scanner, aside: SetAside | None) -> None:
        self._halves = halves
        self._scanner = scanner
        self._aside = aside
        self.first: list[tuple[Seam | None, Harvest]] = []
        self._later = halves.harvest()
        self.take()

    def take(self) -> None:
        """One more block was read."""
        if len(self.first) < SEAMS:
            self.first.append((self._scanner.seam, self._taken(self._halves.harvest())))
        else:
            self._taken(self._later)

    def _taken(self, harvest: Harvest) -> Harvest:
        """The harvest, with what was made of one more block; JSON lines are set aside."""
        harvest.keep(self._scanner.rows())
        if self._aside is not None:
            self._aside.add(self._scanner.json_lines())
        return harvest

    def handed_over(self, asked: Place, place: Place | None) -> Gathered | None:
        """All rows from where we were asked up to the place that we reached; without one, up to the end of the file.

        None if another would make something else of what we have read.
        """
        halves, scanner = self._halves, self._scanner
        here, there = self.first[asked.number][0], asked.seam
        if here is None or not scanner.join(here, there):
            return None
        reading = None
        if place is None:
            if not halves.position == halves.file.size == os.fstat(halves.file.descriptor).st_size:
                return None
            reading = halves.finish(scanner)
        harvest = halves.harvest()
        for part in (*(part for _, part in self.first[asked.number + 1 :]), self._later):
            harvest.merge(part)
        runs = there.amounts.runs - here.amounts.runs
        harvest.store.count_on(runs)
        self._taken(harvest)
        if self._aside is not None:
            self._aside.flush()
        seam = scanner.seam
        if place is None:
            return Gathered(harvest, reading, None, runs)
        if seam is None:
            return None
        others, reading, onward, _ = halves.gathered(place._replace(seam=seam))
        others.later = ()
        harvest.merge(others)
        return Gathered(harvest, reading, onward if reading is None else None, runs)


def _block(halves: Halves) -> bytes:
    """What is read next: up to where a block of the other processes ends.

    Raises:
        EOFError: the file became shorter.
    """
    at, file = halves.position, halves.file
    block = os.pread(file.descriptor, min(PLAIN_BYTES - at % PLAIN_BYTES, file.size - at), at)
    if not block:
        raise EOFError
    halves.position = at + len(block)
    return block
