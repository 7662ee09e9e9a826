"""A large log read by two processes: a copy of this one reads the second half, with all that was learnt by then.

The copy starts between two runs, counts lines up to the middle, and reads on from the run that begins there.  When this
process has come to the middle, both compare what they carry at the end of some block; only where that is the same, the
other's rows are those that this one would make.  Where it is not, or the copy died, this process just reads on: nothing
is lost but the time saved.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.seams import Passing, Seam

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from ...analysis.scan import Scanner
    from .blocks import PlainFile
    from .digest import Reading
    from .harvest import Harvest
    from .set_aside import SetAside

BLOCK_BYTES = 1 << 20
"""Both read up to multiples of this, so that they come to the same places."""
FIRST_BYTES = 8 << 20
"""As much is read alone: what most runs look like is learnt by then."""
LEAST_BYTES = 64 << 20
"""With less left to read, another process is not worth it."""
SHARE = 0.53
"""Of what is left, this process reads somewhat more: the other counts lines up to its half."""
SEAMS = 16
"""Blocks of the second half at whose end both may meet."""


def cores() -> int:
    """Processors that this process may use; 1 where it cannot be copied safely."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") and hasattr(os, "fork") else 1


def may_divide() -> bool:
    """Whether a second process may read a part of a file: a copy of this one can be made and has a core."""
    if cores() < 2:
        return False
    import threading

    return threading.active_count() == 1


class SecondHalf:
    """The half of a file that another process reads ahead; ask it after each block."""

    def __init__(self, file: PlainFile, finish: Callable[[Scanner], Reading], harvest: Callable[[], Harvest]) -> None:
        """`finish` makes a reading of a scanner that has come to the end; `harvest` is what takes rows meanwhile."""
        self.file = file
        self.finish = finish
        self.harvest = harvest
        self.middle = 0
        """Where the other begins, in bytes."""
        self._position = 0
        self._over = not may_divide()
        self._pid = 0
        self._pipe: Connection | None = None
        self.aside: SetAside | None = None
        """The other's JSON lines, where those are wanted."""
        self._seams: list[Seam | None] | None = None

    def met(self, scanner: Scanner, block_bytes: int) -> tuple[Harvest, Reading] | None:
        """The rows of all that is left, and the reading, once it is known that the other has made what we would make of it.

        The scanner has read `block_bytes` more, and its rows were taken.
        """
        self._position += block_bytes
        if self._over or self._position < FIRST_BYTES:
            return None
        if self._pipe is None:
            self._start(scanner)
        elif self._position >= self.middle:
            try:
                return self._compared(scanner, self._pipe)
            except (OSError, EOFError):  # it died, or has found that it cannot be relied on
                self.close()
        return None

    def _start(self, scanner: Scanner) -> None:
        left = self.file.size - self._position
        self._over = left < LEAST_BYTES
        seam = scanner.seam
        if self._over or seam is None or self._position % BLOCK_BYTES:
            return
        from multiprocessing import Pipe

        if scanner.jsonl:
            from .set_aside import SetAside

            try:
                self.aside = SetAside()
            except OSError:  # no folder to write to
                self._over = True
                return
        self.middle = (self._position + int(left * SHARE)) // BLOCK_BYTES * BLOCK_BYTES
        us = os.getpid()
        try:
            ours, theirs = Pipe()
            self._pid = os.fork()
        except OSError:  # no room for another process, or for more open files
            self._over = True
            return
        if self._pid == 0:
            ours.close()  # or the copy would wait for itself when we are killed
            _in_copy(lambda: _read_ahead(self, scanner, seam, theirs, us))
        theirs.close()
        self._pipe = ours

    def _compared(self, scanner: Scanner, pipe: Connection) -> tuple[Harvest, Reading] | None:
        if self._seams is None:
            self._seams = pipe.recv()
        seam = scanner.seam
        for place, known in enumerate(self._seams):
            if seam is not None and known is not None and known.meets(seam):
                pipe.send((place, seam))
                harvest, reading, runs = pipe.recv()
                if self.aside is not None:
                    harvest.later = self.aside.lines(place + 1, runs)
                    self.aside = None
                self.close()
                return harvest, reading
        if self._position >= self.middle + SEAMS * BLOCK_BYTES:
            self.close()
        return None

    def close(self) -> None:
        """End the other process; nothing more comes of it."""
        self._over = True
        if self.aside is not None:
            self.aside.close()
            self.aside = None
        if self._pipe is None:
            return
        self._pipe.close()
        self._pipe = None
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _in_copy(work: Callable[[], None]) -> None:
    """Do this in the copy, and end it: nothing that was begun before is ended by it."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that people see
        work()
        code = 0
    finally:
        os._exit(code)


def _read_ahead(half: SecondHalf, scanner: Scanner, seam: Seam, pipe: Connection, parent: int) -> None:
    """Read from the middle to the end, and say what came of it to the process that asks; end where that has gone."""
    file, at = half.file, seam.byte
    passing = Passing()
    while at < half.middle:
        block = _block(file, at)
        passing.add(block)
        at += len(block)
        if os.getppid() != parent:
            return
    if not passing.begin(scanner.last_start):
        return
    scanner.skip(passing)
    scanner.feed(passing.rest)
    first = [(scanner.seam, _taken(half, scanner, half.harvest()))]
    later = half.harvest()
    while at < file.size and os.getppid() == parent:
        block = _block(file, at)
        at += len(block)
        scanner.feed(block)
        if len(first) == SEAMS:
            _taken(half, scanner, later)
            continue
        first.append((scanner.seam, _taken(half, scanner, half.harvest())))
        if len(first) == SEAMS:
            pipe.send([known for known, _ in first])
    if len(first) < SEAMS:
        pipe.send([known for known, _ in first])
    place, there = pipe.recv()
    here = first[place][0]
    if here is not None and at == file.size == os.fstat(file.descriptor).st_size and scanner.join(here, there):
        parts = [part for _, part in first[place + 1 :]]
        pipe.send(_handed_over(half, scanner, [*parts, later], there.amounts.runs - here.amounts.runs))


def _handed_over(half: SecondHalf, scanner: Scanner, parts: list[Harvest], runs: int) -> tuple[Harvest, Reading, int]:
    """All rows behind the seam; so many `runs` came before it that were not known of."""
    reading = half.finish(scanner)
    harvest = half.harvest()
    for part in parts:
        harvest.merge(part)
    harvest.store.count_on(runs)
    _taken(half, scanner, harvest)
    if half.aside is not None:
        half.aside.flush()
    return harvest, reading, runs


def _taken(half: SecondHalf, scanner: Scanner, harvest: Harvest) -> Harvest:
    """The harvest, with what was made of one more block; JSON lines are set aside."""
    harvest.keep(scanner.rows())
    if half.aside is not None:
        half.aside.add(scanner.json_lines())
    return harvest


def _block(file: PlainFile, at: int) -> bytes:
    """What is read at once from there on: up to where a block of the other process ends.

    Raises:
        EOFError: the file became shorter.
    """
    block = os.pread(file.descriptor, min(BLOCK_BYTES - at % BLOCK_BYTES, file.size - at), at)
    if not block:
        raise EOFError
    return block
