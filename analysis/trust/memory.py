"""Checks the memory block: used and free bytes make up a pool's capacity, and a pool's use is the sum of its parts.

The runners take all four parts from one allocator that only grows (planned buffers, loading, inputs, execution; an
ETDump's debug buffer counts as loading), so the parts can never exceed the use. A port may take more from the same
pool, so a larger use proves nothing.
"""

from __future__ import annotations

from ..named_tuple import NamedTuple
from ..units import format_many
from .settled import Settled

POOLS = ("method", "temp", "planned_fast", "input_file", "etdump_outputs")
PLANNED = "memory.planned_bytes"
PARTS = (PLANNED, "memory.loaded_bytes", "memory.input_bytes", "memory.executor_bytes")
IMPOSSIBLE_BYTES = 1 << 48
"""No size on a target is this large: the number is negative or damaged."""
ALIGNMENT_ROOM_BYTES = 256
"""The most that alignment adds between the parts of the method pool, for ports that measure them differently."""
_EXACT = "arm_executor_runner.cpp"
"""The runner whose parts are differences of the pool's use itself, so that nothing lies between them."""
_ROOM_BYTES = 64
"""The most that alignment adds before each planned buffer."""
_USED = "memory.pools.method.used_bytes"
_BY_SIZE = "by the size that it was set up with"


def check_memory(s: Settled) -> None:
    """Check every pool and the parts of the method pool; repair or take out what contradicts the rest."""
    for path in [path for path in s.figures if path in PARTS or path.startswith("memory.")]:
        value = s.get(path)
        if isinstance(value, int) and (value >= IMPOSSIBLE_BYTES or (value < 0 and path in PARTS)):
            s.doubt("impossible", path, f"{path} : {value}")
            s.drop(path)
    sizes = [s.get(path) for path in PARTS]
    if any(sizes[1:]) and s.lines.get(_USED) == s.draft.seen.get("input_room", 0):
        s.drop(_USED, "memory.pools.method.free_bytes")  # read before the inputs, and the line with the parts was lost
    parts = sum(sizes) if None not in sizes else None
    confirmed = {name for name in POOLS if _pool(s, name, parts if name == "method" else None)}
    used = s.get(_USED)
    if parts is None or used is None:
        return
    room = 1 if _EXACT in s.draft.files else ALIGNMENT_ROOM_BYTES
    if 0 <= used - parts < room:
        _check_buffers(s)
        return
    planned, buffers = sizes[0], s.draft.planned_buffers
    found, right = sum(buffers.values()), used - (parts - planned)
    if 0 <= right < room and planned == found:
        return  # a port that keeps its planned buffers in a memory of their own
    likely = range(found, found + _ROOM_BYTES * len(buffers))
    text = f"{' + '.join(map(str, sizes))} is {parts} bytes, and {used} are printed as used"
    if "method" in confirmed and found and right in likely and planned not in likely:
        text += f" (repaired: {right} planned, by the planned buffers of {found} bytes)"
        s.doubt("parts", PLANNED, text, parts=parts, used=used)
        s.put(PLANNED, right)
        return
    s.doubt("parts", _USED, text, parts=parts, used=used)
    if used > parts:
        return
    if "method" not in confirmed:
        s.drop(_USED)
    if planned not in likely:
        s.drop(PLANNED)
    s.drop(*PARTS[1:])


def _check_buffers(s: Settled) -> None:
    """Check the planned buffers, the only thing that the runner takes between two readings of the method pool's use."""
    planned, buffers = s.get(PLANNED), s.draft.planned_buffers
    whole = _EXACT in s.draft.files and "planned_left_out" not in s.draft.seen
    if not buffers or not whole or "planned_fast" in s.draft.pools.percents or "planned_fast_pool" in s.draft.seen:
        return
    found = sum(buffers.values())
    if not 0 <= planned - found < _ROOM_BYTES * len(buffers):
        sizes = format_many(len(buffers), "planned buffer")
        s.doubt("buffers", "memory.planned_buffers.0", f"{sizes} of {found} bytes, and {planned} bytes planned")
        s.drop(*(f"memory.planned_buffers.{index}" for index in range(len(buffers))))
        s.planned_buffers = {}


def _pool(s: Settled, name: str, parts: int | None) -> bool:
    """Check one pool; True where used, free and capacity confirm each other, or were repaired so that they do."""
    paths = [f"memory.pools.{name}.{part}_bytes" for part in ("used", "free", "capacity")]
    used, free, capacity = (s.get(path) for path in paths)
    if used is None or free is None or capacity is None:
        for path in paths:
            value = s.get(path)
            if value is not None and value < 0:
                s.doubt("impossible", path, f"{path} : {value}")
                s.drop(path)
        if free is None and used is not None and capacity is not None and used > capacity >= 0:
            s.doubt("pool", paths[0], f"{name} pool: {used} used of {capacity}")
            s.drop(paths[0])
        return False
    if used >= 0 and free >= 0 and used + free == capacity:
        return True
    text = f"{name} pool: {used} used of {capacity} with {free} free"
    if name == "temp" and "peak_temp" in s.draft.seen:  # the peak beside what is free now: each has only its bounds
        percent = s.draft.pools.percents.get(name)
        if 0 <= used <= capacity and 0 <= free <= capacity and percent in (None, 100 * used // max(capacity, 1)):
            return True
        s.doubt("pool", paths[0], text)
        s.drop(*paths)
        return False
    repair = _repair(s, name, used, free, capacity, parts)
    if repair is not None:
        path = f"memory.pools.{name}.{repair.part}_bytes"
        s.doubt("pool", path, f"{text} (repaired: {repair.right_bytes} {repair.part}, {repair.proof})")
        s.put(path, repair.right_bytes)
        return True
    s.doubt("pool", paths[0], text)
    if parts is not None and used == parts:
        s.drop(*paths[1:])  # the parts confirm what is used; which of the other two is damaged, nothing tells
        return True
    s.drop(*paths)
    return False


class _Repair(NamedTuple):
    """Which figure of a pool is damaged ("used", "free" or "capacity"), its right value, and what proves that."""

    part: str
    right_bytes: int
    proof: str


def _repair(s: Settled, name: str, used: int, free: int, capacity: int, parts: int | None) -> _Repair | None:
    """The repair of a pool whose figures do not fit together; None where the log does not prove one.

    `parts` is the sum of what the pool was used for, where that is known.
    """
    whole = s.draft.pools.sizes.get(name)
    if whole is not None and 0 <= used <= whole and free >= 0:
        if whole == used + free:
            return _Repair("capacity", whole, _BY_SIZE)
        if whole == capacity and used == parts:
            return _Repair("free", whole - used, _BY_SIZE)
    if parts is not None and used != parts and 0 <= capacity - free - parts < ALIGNMENT_ROOM_BYTES and free >= 0:
        return _Repair("used", capacity - free, "the sum of its parts")
    fitting = _fitting(used, free, capacity, s.draft.pools.percents.get(name))
    if len(fitting) != 1:
        return None
    part, right = fitting[0]
    return _Repair(part, right, "by the percentage beside them")


def _fitting(used: int, free: int, capacity: int, percent: int | None) -> list[tuple[str, int]]:
    """Which of the three figures can be the damaged one, with its right value, by the percentage printed beside them.

    The percentage is the use in whole percent, rounded down; the runner computes it with 32 bits.
    """
    if percent is None:
        return []
    found = []
    for part, u, f, c in (
        ("used", capacity - free, free, capacity),
        ("free", used, capacity - used, capacity),
        ("capacity", used, free, used + free),
    ):
        if u >= 0 and f >= 0 and c > 0 and percent in (100 * u // c, 100 * u % (1 << 32) // c):
            found.append((part, {"used": u, "free": f, "capacity": c}[part]))
    return found
