"""A large log read by several processes: where a core is free, a copy of this one reads the second half of what is left.

The copy starts between two runs with all that was learnt by then, counts lines up to the middle, and reads on from the run
that begins there.  When this process has come to the middle, both compare what they carry at the end of some block; only
where that is the same, the other's rows are those that this one would make.  Where it is not, or the copy died, this process
just reads on: nothing is lost but the time saved.

Whoever is done first frees a core, and the other divides what it has left once more: cores are rarely equally fast.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from contextlib import suppress
from itertools import pairwise
from time import perf_counter

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from .blocks import PLAIN_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from ...analysis.fast.seams import Seam
    from ...analysis.scan import Scanner
    from .blocks import PlainFile
    from .harvest import Harvest
    from .set_aside import SetAside
    from .settings import Reading
    from .spare import SpareCores

FIRST_BYTES = 8 << 20
"""As much is read alone: what most runs look like is learnt by then."""
LEAST_BYTES = 16 << 20
"""With less left to read, another process is not worth it."""
MOST_COUNTING = 0.75
"""Of the time that reading takes, counting lines is not taken to need more."""
TIMED_BLOCKS = 8
"""By the last ones it is told how fast a file is read."""
COUNTED_BLOCKS = 3
"""So often lines of a block are counted, to know how long that takes."""
SEAMS = 32
"""Blocks behind the middle at whose end both may meet."""
LOOK_SECONDS = 0.2
"""As often somebody who waits for another process sees whether it is still waited for itself."""


class Place(NamedTuple):
    """Where one process stops since another has read on from there."""

    number: int
    """Of the other's seams."""
    seam: Seam


class Gathered(NamedTuple):
    """What a process hands over: all from the place that it was told up to the end, or up to where somebody else goes on."""

    harvest: Harvest
    reading: Reading | None
    """None before the end."""
    onward: Place | None
    runs: int
    """Which came before it, and that it did not know of."""


class Core:
    """One that a copy uses, given back once: by the copy, or for one that has died by whoever started it."""

    def __init__(self, spare: SpareCores) -> None:
        from mmap import mmap

        self._spare = spare
        self._given = mmap(-1, 1)  # both see it

    def give_back(self) -> None:
        """It is not used any longer."""
        if not self._given[0]:
            self._given[0] = 1
            self._spare.give()


class Other:
    """Another process, which reads ahead from `middle` on."""

    def __init__(self, pid: int, pipe: Connection, middle: int, core: Core, aside: SetAside | None) -> None:
        """`core` is the one that it uses; `aside` takes its JSON lines, where those are wanted."""
        self.pid = pid
        self.middle = middle
        self._pipe = pipe
        self._core = core
        self._aside = aside
        self._seams: list[Seam | None] | None = None

    def seams(self, asker: int | None, *, wait: bool) -> list[Seam | None] | None:
        """What it carried at the ends of its first blocks; None if it has not come so far, and is not waited for.

        `asker` is the process whose copy this one is.

        Raises:
            EOFError, OSError: it has died, or the asker has.
        """
        if self._seams is None and (wait or self._pipe.poll()):
            self._wait(asker)
            self._seams = self._pipe.recv()
        return self._seams

    def gathered(self, place: Place, asker: int | None) -> Gathered:
        """What it has read behind this place; it is over then.

        Raises:
            EOFError, OSError: it has died, or has found that it cannot be relied on, or the asker has died.
        """
        self._pipe.send(place)
        self._wait(asker)
        found: Gathered = self._pipe.recv()
        if self._aside is not None:
            found.harvest.later = self._aside.lines(place.number + 1, found.runs)
            self._aside = None
        return found

    def _wait(self, asker: int | None) -> None:
        """Until it has said something; it may read for minutes, in which nobody may want it any longer."""
        while not self._pipe.poll(None if asker is None else LOOK_SECONDS):
            if os.getppid() != asker:
                raise EOFError

    def leave(self) -> None:
        """In a copy of the process that has started it: it is none of the copy's business."""
        self._pipe.close()

    def close(self) -> None:
        """End it; nothing more comes of it."""
        if self._aside is not None:
            self._aside.close()
        self._pipe.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # whoever started us had children end unseen (SIGCHLD ignored)
            os.waitpid(self.pid, 0)
        self._core.give_back()


def _in_copy(work: Callable[[], None], held: set[signal.Signals | int]) -> None:
    """Do this in the copy, and end it: nothing that was begun before is ended by it.

    `held` are the signals that are held back from then on: before, Ctrl-C was as well.
    """
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that people see
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        work()
        code = 0
    finally:
        os._exit(code)


class Halves:
    """The parts of a file that other processes read ahead; ask it after each block."""

    def __init__(
        self,
        file: PlainFile,
        finish: Callable[[Scanner], Reading],
        harvest: Callable[[], Harvest],
        spare: SpareCores,
        ahead: Callable[[Halves, Scanner, int, Connection, Core, SetAside | None], None],
    ) -> None:
        """`finish` makes a reading of a scanner that has come to the end; `harvest` is what takes rows meanwhile.

        `ahead` is what a copy does: reads from a byte on, says through a connection what came of it, gives its core back.
        """
        self.file = file
        self.finish = finish
        self.harvest = harvest
        self.spare = spare
        self._ahead = ahead
        self.position = 0
        self.asker: int | None = None
        """In a copy, which reads ahead: the process that it is a copy of."""
        self._alone = False
        """Whether no more copies are made: one was of no use."""
        self._end = file.size
        self._behind: list[Seam | None] = []
        """Seams of the one who reads on behind our end, where that is not the end of the file."""
        self._others: list[Other] = []
        """The nearest one last."""
        self._times: deque[float] = deque(maxlen=1 + TIMED_BLOCKS)
        """When the last blocks were read, in seconds."""

    def met(self, scanner: Scanner, block_bytes: int) -> tuple[Harvest, Reading] | None:
        """The rows of all that is left, and the reading, once it is known that others have made what we would make of it.

        The scanner has read `block_bytes` more, and its rows were taken.
        """
        self.position += block_bytes
        try:
            place = self.reached(scanner)
            if place is None:
                self.divide(scanner)
                return None
            self.spare.give()  # we wait
            try:
                harvest, reading, _, _ = self.gathered(place)
            finally:
                self.spare.use()
            return (harvest, reading) if reading is not None else None
        except (OSError, EOFError):  # one of them died, or has found that it cannot be relied on
            self._alone = True
            self.close()
            return None

    def reached(self, scanner: Scanner) -> Place | None:
        """The place that we have come to, if somebody reads on from there just as we would.

        Raises:
            EOFError, OSError: who reads on there has died, or in a copy: what is known of it is nothing like our seams.
        """
        end = self._others[-1].middle if self._others else self._end
        if self.position < end:
            return None
        seam, known = scanner.seam, self._known(wait=True)
        for number, theirs in enumerate(known or ()):
            if seam is not None and theirs is not None and theirs.meets(seam):
                return Place(number, seam)
        if self.position >= end + SEAMS * PLAIN_BYTES:
            if not self._others:
                raise EOFError
            self._others.pop().close()
            self._alone = True
        return None

    def _known(self, *, wait: bool) -> list[Seam | None] | None:
        """The seams of the one who reads on where we end; None where they are still to come."""
        return self._others[-1].seams(self.asker, wait=wait) if self._others else self._behind

    def gathered(self, place: Place) -> Gathered:
        """What all others have read behind the place that was reached.

        Raises:
            EOFError, OSError: one of them has died.
        """
        from itertools import chain

        whole, reading, onward = self.harvest(), None, place
        later: list[Iterator[list[str]]] = []
        while self._others:
            harvest, reading, following, _ = self._others[-1].gathered(onward, self.asker)
            later.append(iter(harvest.later))
            harvest.later = ()
            whole.merge(harvest)
            self._others.pop().close()
            if following is None:  # it came to the end of the file, past where others had gone on
                self.close()
            else:
                onward = following
        whole.later = chain(*later)
        return Gathered(whole, reading, onward, 0)

    def divide(self, scanner: Scanner) -> None:
        """Have another process read the second half of what is left to us, if that is worth it and a core is free."""
        self._times.append(perf_counter())
        end = self._others[-1].middle if self._others else self._end
        left = end - self.position
        if self._alone or left < LEAST_BYTES or self.position < FIRST_BYTES or self.position % PLAIN_BYTES:
            return
        if scanner.jsonl and (self._others or self.asker is not None):
            return  # two processes at a time: what is streamed takes no more memory the larger the machine
        if scanner.seam is None or self._known(wait=False) is None:
            return
        if self.spare.take():
            try:
                self._start(scanner, end, self.position + int(left * self._share()))
            except (OSError, ImportError):  # no room for another process, for more open files, or for its lines
                self.spare.give()
                self._alone = True

    def _share(self) -> float:
        """As much of what is left as lets both end at once: the other counts lines up to its part, and reads the rest."""
        buffer = bytearray(PLAIN_BYTES)
        counted = [perf_counter()]
        for _ in range(
            COUNTED_BLOCKS
        ):  # the quickest: a moment in which something else ran says nothing about counting
            os.preadv(self.file.descriptor, [buffer], self.position - PLAIN_BYTES)
            buffer.count(b"\n")
            counted.append(perf_counter())
        counting = min(b - a for a, b in pairwise(counted))
        taken = sorted(b - a for a, b in pairwise(self._times))
        seconds = taken[len(taken) // 2] if taken else 0.0  # of a usual block: in some, much was to be learnt
        return 1 / (2 - min(counting / seconds, MOST_COUNTING)) if seconds > 0 else 0.5

    def _start(self, scanner: Scanner, end: int, middle: int) -> None:
        from multiprocessing import Pipe

        aside = None
        if scanner.jsonl:
            from .set_aside import SetAside

            aside = SetAside()
        middle = middle // PLAIN_BYTES * PLAIN_BYTES
        us = os.getpid()
        core = Core(self.spare)
        ours, theirs = Pipe()

        def work() -> None:
            ours.close()  # or the copy would wait for itself when we are killed
            self._become_copy(end, us)
            try:
                self._ahead(self, scanner, middle, theirs, core, aside)
            finally:
                core.give_back()

        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # or the copy might end as we do, in our code
        try:
            pid = os.fork()
            if pid == 0:
                _in_copy(work, held)
            self._others.append(Other(pid, ours, middle, core, aside))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        theirs.close()

    def _become_copy(self, end: int, asker: int) -> None:
        """What the nearest other reads is behind the end of what we read now."""
        self.asker, self._behind, self._end = asker, self._known(wait=False) or [], end
        for other in self._others:
            other.leave()
        self._others = []

    def close(self) -> None:
        """End the other processes; nothing more comes of them."""
        while self._others:
            self._others.pop().close()
