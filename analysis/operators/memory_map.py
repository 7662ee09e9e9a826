"""Where Vela put each tensor and how long it stays there: the table `tensors` of its debug database."""

from __future__ import annotations

from typing import NamedTuple

from ..npu_trace.debug_tables import DebugTables

_WORDS = ("name", "memory", "usage", "data_type", "format")


class MappedTensor(NamedTuple):
    """A tensor in one of the memories."""

    name: str
    memory: str
    """As Vela calls it: "Sram", "Dram", "OnChipFlash", "OffChipFlash"."""
    usage: str
    """What it is for: "OpLocal" for data between operations, "OpBuffering" for weights that are fetched before they are needed."""
    data_type: str
    format: str
    start_time: int
    """First step of Vela's schedule in which it is alive; an operation takes two steps."""
    end_time: int
    """Last step in which it is alive."""
    start_address: int
    end_address: int
    """The byte after it."""
    bytes: int


class MappedMemory(NamedTuple):
    """What one memory holds over time."""

    memory: str
    peak_bytes: int
    """Highest address in use: what the memory must have room for."""
    live_bytes: int
    """Most bytes that are alive at once; what is above it in the peak is lost between tensors."""
    live_time: int
    """The first step at which so many are."""
    tensors: int


class MemoryMap(NamedTuple):
    """The map of one partition; a memory that nothing was put in is not in it."""

    memories: tuple[MappedMemory, ...]
    tensors: tuple[MappedTensor, ...]
    """By memory, then by the time from which they are alive."""
    passed_over: int
    """Rows that could not be read; the peaks may be higher by them."""


def memory_map(tables: DebugTables) -> MemoryMap | None:
    """The map; None where the database has no such table."""
    if "tensors" not in tables:
        return None
    tensors: list[MappedTensor] = []
    rows = 0
    lost = tables.lost
    for row in tables.rows("tensors"):
        rows += 1
        start, end = row.number("start_time"), row.number("end_time")
        first, after, size = (row.address(name) for name in ("start_address", "end_address", "size"))
        if start is None or end is None or first is None or after is None or size is None:
            continue
        name, memory, usage, data_type, layout = (row.text(column) for column in _WORDS)
        tensors.append(MappedTensor(name, memory, usage, data_type, layout, start, end, first, after, size))
    tensors.sort(key=lambda tensor: (tensor.memory, tensor.start_time, tensor.start_address))
    names = sorted({tensor.memory for tensor in tensors})
    memories = tuple(_memory(name, [t for t in tensors if t.memory == name]) for name in names)
    return MemoryMap(memories, tuple(tensors), rows - len(tensors) + tables.lost - lost)


def _memory(name: str, tensors: list[MappedTensor]) -> MappedMemory:
    changes: dict[int, int] = {}
    for tensor in tensors:
        changes[tensor.start_time] = changes.get(tensor.start_time, 0) + tensor.bytes
        changes[tensor.end_time + 1] = changes.get(tensor.end_time + 1, 0) - tensor.bytes
    alive = most = when = 0
    for time in sorted(changes):
        alive += changes[time]
        if alive > most:
            most, when = alive, time
    return MappedMemory(name, max(tensor.end_address for tensor in tensors), most, when, len(tensors))
