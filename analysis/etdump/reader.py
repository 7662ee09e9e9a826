"""ETDump, ExecuTorch's profile, from its bytes: what ran, on which instruction, from which tick to which.

The reader is our own and needs only `struct`: it walks the FlatBuffer (file identifier "ED00") by the schema that
ExecuTorch has used from 0.2 to main, with or without the size in front.  A dump comes out of a log and may be cut,
garbled or made to hurt: every offset is checked before it is followed, tables and text are counted against a budget that
grows with the size of the data, and an event that cannot be read is counted, not guessed.  Nothing in it is executed.
The `flatbuffers` package is left out on purpose: it checks no bounds and loads numpy where it finds it.

Ticks are what the target's timer counts: CPU cycles on bare metal, nanoseconds on a host.  The dump does not say which.
"""

from __future__ import annotations

from struct import error as StructError
from typing import NamedTuple

from ..flat.buffer import TEXT_LIMIT_BYTES
from .flatbuffer import F32, F64, I32, I64, U32, U64, Buffer, Damaged, TableAt

IDENTIFIER = b"ED00"
HEAD_BYTES = 12
"""Size, first offset and identifier."""
METADATA_LIMIT_BYTES = 4096
"""Bytes of one event's delegate metadata that are kept."""
MOST_TICKS = 1 << 48
"""No event takes longer: at a nanosecond each, that is three days."""
EVENT_LIMIT = 250_000
"""Events of one dump that are kept; the rest is counted."""

_REPLACEMENT = "\ufffd"
_DTYPES = {
    0: "byte", 1: "char", 2: "short", 3: "int", 4: "long", 5: "half", 6: "float", 7: "double", 11: "bool", 12: "qint8",
    13: "quint8", 14: "qint32", 15: "bfloat16", 16: "quint4x2", 17: "quint2x4", 22: "bits16", 23: "float8e5m2",
    24: "float8e4m3fn", 25: "float8e5m2fnuz", 26: "float8e4m3fnuz", 27: "uint16", 28: "uint32", 29: "uint64",
}  # fmt: skip


class EtdumpError(ValueError):
    """The bytes are no ETDump, or too little of one; the message is one sentence."""


class ProfileEvent(NamedTuple):
    """Something that took time; `chain` and `instruction` are None where it belongs to no instruction."""

    name: str
    """As the Inspector names it: the delegate's identifier where the delegate gave one, else the runtime's name."""
    chain: int | None
    instruction: int | None
    delegate_id: int | str | None
    metadata: bytes
    start_ticks: int
    end_ticks: int

    @property
    def ticks(self) -> int | None:
        """How long it took; a 32-bit timer that went round once is allowed for; None where the two make no sense."""
        if self.start_ticks <= self.end_ticks:
            return self.end_ticks - self.start_ticks
        if self.start_ticks < 1 << 32:
            return self.end_ticks - self.start_ticks + (1 << 32)
        return None

    @property
    def wrapped(self) -> bool:
        """True where the timer went round between start and end."""
        return self.end_ticks < self.start_ticks < 1 << 32

    @property
    def endless(self) -> bool:
        """True where no event takes so long."""
        return self.end_ticks - self.start_ticks > MOST_TICKS


class AllocationEvent(NamedTuple):
    """Memory taken from an allocator of the run (`allocator` is an index into `EtdumpRun.allocators`)."""

    allocator: int
    bytes: int


class Tensor(NamedTuple):
    """A tensor in the debug buffer: `offset_bytes` is where its data begins there."""

    dtype: str
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset_bytes: int


class DebugEvent(NamedTuple):
    """A value that was logged for debugging: a scalar, or tensors whose data lie in the debug buffer."""

    name: str
    chain: int | None
    instruction: int | None
    delegate_id: int | str | None
    value: int | float | bool | None
    tensors: tuple[Tensor, ...]
    output: bool
    """True for an output of the whole method."""


Event = ProfileEvent | AllocationEvent | DebugEvent


class EtdumpRun(NamedTuple):
    """One block of events: "Default" for loading, one "Execute" for each inference."""

    name: str
    bundled_input: int | None
    allocators: tuple[str, ...]
    events: tuple[Event, ...]


class Etdump(NamedTuple):
    """A decoded dump."""

    bytes: int
    """Size of the data that was there, without the size field in front of it."""
    announced_bytes: int | None
    """Size that the dump says it has; None where it has no size field."""
    version: int
    runs: tuple[EtdumpRun, ...]
    unreadable: int
    """Events that the dump lists and that could not be read: cut off, damaged, or beyond the limit."""
    lost_runs: int
    """Blocks of events whose very list cannot be read."""
    recovered: int
    """Events of a cut dump whose layout was lost with its end and was taken to be the one that ExecuTorch writes."""
    garbled: bool
    """True where a text holds characters that none has."""

    @property
    def impossible(self) -> bool:
        """True where it came with damage though no mark tells of any: a text that is garbled, an event that takes days."""
        return self.garbled or any(isinstance(e, ProfileEvent) and e.endless for run in self.runs for e in run.events)

    @property
    def cut(self) -> bool:
        """True where less data was there than the dump announces."""
        return self.announced_bytes is not None and self.bytes < self.announced_bytes

    @property
    def timed(self) -> bool:
        """False where every tick is zero: the target has no timer that the runner could read."""
        return any(e.end_ticks or e.start_ticks for run in self.runs for e in run.events if isinstance(e, ProfileEvent))


def sniff(head: bytes) -> bool:
    """True where these first bytes (12 at least) are those of an ETDump."""
    return head[4:8] == IDENTIFIER or head[8:12] == IDENTIFIER


def announced_size(head: bytes) -> int | None:
    """Bytes that a whole dump with this beginning has, its size field included; None where it has no such field."""
    return U32.unpack_from(head)[0] + 4 if head[8:12] == IDENTIFIER and head[4:8] != IDENTIFIER else None


class DumpReader(Buffer):
    """The schema: which field of which table means what.  `decode` reads a whole dump with it."""

    def __init__(self, data: bytes, whole: int) -> None:
        super().__init__(data, whole)
        self.lost_runs = 0
        self._events_left = min(EVENT_LIMIT, len(data) // 8)

    @property
    def garbled(self) -> bool:
        """Whether a text that was read holds bytes that are no UTF-8, or characters that cannot be shown."""
        for place, text in self._texts.items():
            size = U32.unpack_from(self.data, place)[0]
            if size <= TEXT_LIMIT_BYTES and (_REPLACEMENT in text or len(text) != size != len(text.encode())):
                return True
        return False

    def run(self, place: int) -> EtdumpRun | None:
        """One block of events; None where not even its list of events can be read."""
        try:
            table = self.table(place, "run")
            places = self.places(table, 3)
        except (Damaged, StructError):
            self.lost_runs += 1
            return None
        try:
            name = self.text(table, 0)
        except Damaged:
            name = ""
        try:
            bundled = self.number(table, 1, I32, -1)
            allocators = tuple(self.text(self.table(p), 0) for p in self.places(table, 2))
        except Damaged:
            bundled, allocators = -1, ()
        events: list[Event] = []
        seen: set[int] = set()
        for index, at in enumerate(places):
            if self._events_left <= 0:
                self.unreadable += len(places) - index
                break
            self._events_left -= 1
            recovered = self.recovered
            try:
                event = self._event(at) if at not in seen else None  # else it took the place of another one
            except (Damaged, StructError):
                event = None
            seen.add(at)
            if event is None:
                self.unreadable += 1
                self.recovered = recovered
            else:
                events.append(event)
        return EtdumpRun(name, bundled if bundled >= 0 else None, allocators, tuple(events))

    def _event(self, place: int) -> Event | None:
        table = self.table(place, "event")
        profile = self.child(table, 0, "profile")
        if profile is not None:
            return self._profile(profile)
        allocation = self.child(table, 1)
        if allocation is not None:
            return AllocationEvent(self.number(allocation, 0, I32, 0), self.number(allocation, 1, U64, 0))
        debug = self.child(table, 2)
        return None if debug is None else self._debug(debug)

    def _delegate_id(self, table: TableAt) -> int | str | None:
        value = self.number(table, 3, I32, -1)
        return value if value != -1 else self.text(table, 4) or None

    def _profile(self, table: TableAt) -> ProfileEvent:
        chain = self.number(table, 1, I32, 0)
        instruction = self.number(table, 2, I32, -1)
        inside = chain >= 0 and instruction >= 0
        delegate_id = self._delegate_id(table)
        return ProfileEvent(
            self.text(table, 0) if delegate_id is None else str(delegate_id),
            chain if inside else None,
            instruction if inside else None,
            delegate_id,
            self.raw(table, 5, METADATA_LIMIT_BYTES),
            self.number(table, 6, U64, 0),
            self.number(table, 7, U64, 0),
        )

    def _debug(self, table: TableAt) -> DebugEvent:
        chain = self.number(table, 0, I64, 0)
        instruction = self.number(table, 1, I32, -1)
        inside = chain >= 0 and instruction >= 0
        entry = self.child(table, 2)
        value: int | float | bool | None = None
        tensors: list[Tensor] = []
        output = False
        if entry is not None:
            value = self._scalar(entry)
            one = self.child(entry, 1)
            tensors = [] if one is None else [self._tensor(one)]
            many = self.child(entry, 2)
            if many is not None:
                tensors += [self._tensor(self.table(p)) for p in self.places(many, 0)]
            flag = self.child(entry, 7)
            output = flag is not None and self._flag(flag)
        delegate_id = self._delegate_id(table)
        return DebugEvent(
            self.text(table, 5) if delegate_id is None else str(delegate_id),
            chain if inside else None,
            instruction if inside else None,
            delegate_id,
            value,
            tuple(tensors),
            output,
        )

    def _flag(self, table: TableAt) -> bool:
        place, fields = table
        return bool(fields and fields[0] and self.data[place + fields[0]])

    def _scalar(self, entry: TableAt) -> int | float | bool | None:
        whole = self.child(entry, 3)
        if whole is not None:
            return self.number(whole, 0, I64, 0)
        for field, kind in ((4, F32), (5, F64)):
            real = self.child(entry, field)
            if real is not None:
                place, fields = real
                if not fields or not fields[0]:
                    return 0.0
                value: float = kind.unpack_from(self.data, place + fields[0])[0]
                return value
        flag = self.child(entry, 6)
        return None if flag is None else self._flag(flag)

    def _tensor(self, table: TableAt) -> Tensor:
        place, fields = table
        dtype = self.data[place + fields[0]] if fields and fields[0] else 0
        return Tensor(
            _DTYPES.get(dtype, f"type {dtype}"),
            self.longs(table, 1),
            self.longs(table, 2),
            self.number(table, 3, I64, 0),
        )
