"""NPU cycles of each operator, measured on an FVP: its PMU trace walked along the command stream of Vela's database.

The trace tells how far the NPU had read its commands at which cycle, the database at which byte each operation's command
stands.  An operation ends when the command of the next one has been read.  The traps of that, and what is done here:

* operations that are chained into another one (U85) have no end of their own: their cycles are in the other's;
* the reading may jump over a command: the operations around it then cannot be told apart, their cycles are given together,
  and the walk goes on behind them;
* each inference reads the stream from its start: passes are counted, and averaged where they are complete;
* a trace of several command streams (partitions) holds passes that do not fit this database: they are left out;
* cycle 0 is long before the first command is read, and that time is no operation's: each pass starts with its first read;
* a trace may begin inside a pass: an operation whose beginning it does not hold has no cycles there;
* time is split at command reads: what the DMA fetches early for the next operation is charged to the one before.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ..cleaning import clean
from .fvp_trace import TraceEvent
from .vela_debug import Command, DebugDatabase, Operation

WINDOW_LIMIT = 1_000_000
COUNTER_LIMIT = 64
STREAM_LIMIT = 16


class OperatorCycles(NamedTuple):
    """One operation; figures are NPU cycles per pass (inference), None where the trace does not tell them."""

    operation: Operation
    commands: int
    cycles: float | None
    least_cycles: int | None
    most_cycles: int | None
    counters: dict[str, float]
    """Cycles per pass in which an event of the trace was active while this operation ran."""


class NpuTrace(NamedTuple):
    """What a trace tells of the operators of one partition."""

    operators: tuple[OperatorCycles, ...]
    chained: tuple[Operation, ...]
    """Operations that run inside another one."""
    passes: int
    """Complete passes over the command stream, which the figures are averages of."""
    other_passes: int
    """Passes that were cut, or that belong to another command stream."""
    before_cycles: int | None
    """Cycles before the NPU read its first command; no operator's, so they are in no other figure here."""
    total_cycles: float | None
    """Cycles of a pass, those included that could not be given to one operator."""
    together: tuple[tuple[tuple[str, ...], int], ...]
    """Operators that could not be told apart, and the cycles of all of them in one pass."""

    @property
    def mapped(self) -> int:
        """Operators with cycles."""
        return sum(1 for row in self.operators if row.cycles is not None)


class _Segment(NamedTuple):
    """Commands from one that starts an operation to the next that starts another one."""

    operation: int
    own_bytes: int
    end_bytes: int | None
    """Offset of the next segment's command; None for the last."""


class _Sums:
    """Cycles of each segment over the passes that ended at the same byte; `first_key` numbers its segments' windows."""

    def __init__(self, segments: int, first_key: int) -> None:
        self.first_key = first_key
        self.passes = 0
        self.total = 0
        self.cycles: list[list[int]] = [[] for _ in range(segments)]
        self.together: list[tuple[int, int, int]] = []


class QueueWalk:
    """Feed it the command queue's events in the order of the trace."""

    def __init__(self, database: DebugDatabase) -> None:
        self.database = database
        self.segments, self.chained = _segments(database)
        self.windows = _Windows()
        self._partial = _Sums(len(self.segments), 0)
        self._complete: dict[int, _Sums] = {}
        self._kept = 0
        self._before: int | None = None
        self._last_bytes = -1
        self._begin(0)

    def _begin(self, start: int) -> None:
        self._next = 0
        self._first_open = 0
        self._start = self._pass_start = start
        self._start_known = True
        self._found: list[tuple[int, int, int, int]] = []

    def feed(self, event: TraceEvent) -> None:
        """Take an event; those that are not the command queue's are passed over."""
        read, at = event.read_bytes, event.start_cycles
        if read is None:
            return
        fresh = self._before is None or read < self._last_bytes
        if self._before is None:
            self._before = at
        if fresh:
            self._end_pass()
            self._begin(at)
        self._last_bytes = read
        ended = self._next
        while ended < len(self.segments):
            segment = self.segments[ended]
            if segment.end_bytes is not None:
                if read < segment.end_bytes:
                    break
            elif read <= segment.own_bytes or ended > self._next:
                break  # the last one has only begun with this event
            ended += 1
        if ended == self._next:
            return
        self._start_known = self._start_known and not fresh
        exact = ended == len(self.segments) or read == self.segments[ended - 1].end_bytes
        self._next = ended
        if exact:
            end = max(at - 1, self._start if self._start_known else 0)
            if self._start_known:
                self._found.append((self._first_open, ended, self._start, end))
            self._start, self._first_open, self._start_known = end, ended, True

    def _end_pass(self) -> None:
        if not self._found:
            return
        whole = len(self._found) == len(self.segments) and all(last - first == 1 for first, last, _, _ in self._found)
        sums = self._partial
        if whole and (self._last_bytes in self._complete or len(self._complete) < STREAM_LIMIT):
            key = (len(self._complete) + 1) * len(self.segments)
            sums = self._complete.setdefault(self._last_bytes, _Sums(len(self.segments), key))
        sums.passes += 1
        sums.total += self._start - self._pass_start
        for first, last, start, end in self._found:
            if last - first == 1 and self._kept < WINDOW_LIMIT:
                self._kept += 1
                sums.cycles[first].append(end - start)
                self.windows.add(start, end, sums.first_key + first)
            elif last - first > 1 and len(sums.together) < 1000:
                sums.together.append((first, last, end - start))

    def _ours(self) -> _Sums:
        """The passes of this database: of those that fit, the ones that end soonest after its last command."""
        most = max((sums.passes for sums in self._complete.values()), default=0)
        often = [end for end, sums in self._complete.items() if 2 * sums.passes >= most]
        return self._complete[min(often)] if often else self._partial

    def finish(self, counters: WindowCounters | None = None) -> NpuTrace:
        """The figures; `counters` are what a second reading of the trace summed up in the windows of this one."""
        self._end_pass()
        self._begin(0)
        sums = self._ours()
        by_operation: dict[int, list[int]] = {}
        for index, segment in enumerate(self.segments):
            by_operation.setdefault(segment.operation, []).append(index)
        operators: list[OperatorCycles] = []
        for number, indices in by_operation.items():
            samples = [sums.cycles[index] for index in indices]
            known = all(samples)
            passes = [sum(values) for values in zip(*samples, strict=False)] if known else []
            active: dict[str, float] = {}
            if counters is not None and known:
                for name, cycles in counters.of([sums.first_key + index for index in indices]).items():
                    active[name] = cycles / len(samples[0])
            operators.append(
                OperatorCycles(
                    self.database.operations[number],
                    sum(1 for command in self.database.commands if command.operation == number),
                    sum(sum(values) / len(values) for values in samples) if known else None,
                    min(passes, default=None),
                    max(passes, default=None),
                    active,
                )
            )
        names = [self.database.operations[segment.operation] for segment in self.segments]
        together = tuple(
            (tuple(dict.fromkeys(o.name or o.operator for o in names[first:last])), cycles)
            for first, last, cycles in sums.together
        )
        return NpuTrace(
            tuple(operators),
            self.chained,
            0 if sums is self._partial else sums.passes,
            sum(other.passes for other in (self._partial, *self._complete.values()) if other is not sums),
            self._before,
            sums.total / sums.passes if sums.passes else None,
            together,
        )


def _segments(database: DebugDatabase) -> tuple[list[_Segment], tuple[Operation, ...]]:
    stream = database.commands[0].stream
    heads: list[Command] = []
    for command in database.commands:
        operation = database.operations[command.operation]
        inside = operation.chained_to is not None or (heads and command.operation == heads[-1].operation)
        if command.stream != stream or (heads and inside):
            continue
        if not heads or command.offset_bytes > heads[-1].offset_bytes:
            heads.append(command)
    ends = [*(head.offset_bytes for head in heads[1:]), None]
    segments = [_Segment(h.operation, h.offset_bytes, end) for h, end in zip(heads, ends, strict=True)]
    chained = tuple(o for o in database.operations.values() if o.chained_to is not None)
    return segments, chained


class _Windows:
    """When each segment ran: starts in rising order, so that a cycle is found by bisection."""

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")
        self.segments = array("q")

    def add(self, start: int, end: int, segment: int) -> None:
        """Add the next window."""
        if not self.starts or start >= self.starts[-1]:
            self.starts.append(start)
            self.ends.append(end)
            self.segments.append(segment)


class WindowCounters:
    """What went on inside the windows: feed it all events of the trace, in any order, once the walk is over."""

    def __init__(self, walk: QueueWalk) -> None:
        self._windows = walk.windows
        self._sums: dict[str, dict[int, int]] = {}
        self._across: dict[str, dict[int, int]] = {}
        """Windows from which on, and up to which, an event covers whole windows: so a long event costs no more."""

    def feed(self, event: TraceEvent) -> None:
        """Share an event's cycles out among the windows that it lies in."""
        start, end = event.start_cycles, event.start_cycles + event.cycles
        windows = self._windows
        if end == start or not windows.starts:
            return
        sums = self._sums.get(event.counter)
        if sums is None:
            if len(self._sums) >= COUNTER_LIMIT:
                return
            sums = self._sums[event.counter] = {}
        first = max(bisect_right(windows.starts, start) - 1, 0)
        last = bisect_left(windows.starts, end) - 1
        for index in {first, last}:
            inside = min(end, windows.ends[index]) - max(start, windows.starts[index]) if index >= 0 else 0
            if inside > 0:
                key = windows.segments[index]
                sums[key] = sums.get(key, 0) + inside
        if last - first > 1:
            across = self._across.setdefault(event.counter, {})
            across[first + 1] = across.get(first + 1, 0) + 1
            across[last] = across.get(last, 0) - 1

    def of(self, keys: list[int]) -> dict[str, int]:
        """Cycles of each counter in these segments, over all passes of the kind."""
        for name, across in self._across.items():
            self._spread(self._sums[name], across)
        self._across.clear()
        return {clean(name): sum(sums.get(key, 0) for key in keys) for name, sums in self._sums.items()}

    def _spread(self, sums: dict[int, int], across: dict[int, int]) -> None:
        covering = 0
        windows = self._windows
        for index, key in enumerate(windows.segments):
            covering += across.get(index, 0)
            if covering:
                sums[key] = sums.get(key, 0) + covering * (windows.ends[index] - windows.starts[index])
