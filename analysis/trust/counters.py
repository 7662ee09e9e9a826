"""Checks NPU counters against the NPU's cycles, the number of ports and the event list; impossible values are taken
out.

Event counters have 32 bits and are read once per delegation; the cycle counter has 48 bits. A port moves at most one
beat per cycle in each direction, and a unit is active at most once per cycle. Names come only from the log's own list.
"""

from __future__ import annotations

from ..meaning.pmu_events import EVENTS, PREFIX, generation_of, is_torn, ports_of
from ..units import format_many
from .quoting import quote
from .settled import NPU_CYCLES, OPERATOR, Settled

_2_32 = 1 << 32
_ROOM = 1.02
"""A counter may exceed its limit by 2 %: it runs from enable to disable, the cycle counter only from active to idle."""
_ROOM_COUNTS = 100
"""And by so many counts, which matter in runs of few cycles."""
_SUM_ROOM = 16
"""Counters of one inference are read one after another, so their sum may miss the total by some cycles."""


def check_counters(s: Settled) -> None:
    """Check names, zeros and limits of the counters, in this order: each check decides what the next may use."""
    _check_names(s)
    called = s.get("cycles.delegations")
    if called is None:
        called = s.get("cycles.inferences")  # up to 0.7 this is the number of calls of the delegate
        if not s.get(OPERATOR) and not s.get("cycles.cpu_wait_for_npu"):
            called = None  # nothing shows that the delegate was called at all
    _check_zeros(s, called)
    _check_limits(s, called)
    check_sum(s)


def _events(s: Settled) -> list[tuple[str, str | None, int]]:
    """Path, event name and value of each counter."""
    if s.mlek:
        events = enumerate(s.draft.block.named_counters)
        return [(f"pmu.counters.{i}", name, s.mlek[name]) for i, name in events if name in s.mlek]
    return [
        (f"pmu.counters.{index}", s.names[index] if index < len(s.names) else None, value)
        for index, value in sorted(s.counters.items())
    ]


def _check_names(s: Settled) -> None:
    for name in [name for name in s.mlek if is_torn(name)]:
        del s.mlek[name]  # which of the counters this is, nobody can tell
    if s.mlek or not s.counters:
        return
    s.names = tuple(None if name is None or is_torn(name) else name for name in s.names)
    last = f"pmu.counters.{max(s.counters)}"
    if not s.names:
        s.doubt("names_missing", last, format_many(len(s.counters), "counter"))
        return
    printed = s.draft.block.counters  # one that was taken out for its value is no lost line
    if len(s.names) != len(printed) or max(printed) != len(printed) - 1:
        indexes = ", ".join(str(index) for index in sorted(printed))
        s.doubt("names_count", last, f"counters {indexes}, and a list of {len(s.names)} events")
        known = frozenset(name for events in EVENTS.values() for name in events)
        # a list that lost something may be cut inside a name
        s.names = tuple(n if n is not None and n.removeprefix(PREFIX) in known else None for n in s.names)
        if len(s.names) < len(printed) and None in s.names:  # two names became one there, and those behind it moved up
            s.names = s.names[: s.names.index(None)]
        return
    names = tuple(name for name in s.names if name is not None)
    generations = generation_of(names)
    npu = _npu(s)
    if npu is not None and generations and npu not in generations:
        s.doubt("names_family", last, f"{', '.join(n.removeprefix(PREFIX) for n in names)}", npu=npu)
        s.names = ()


def _npu(s: Settled) -> str | None:
    """The NPU as the log names it; not one that only the event list suggests."""
    name = s.get("target.name")
    if name is not None:
        family = str(name).rpartition("-")[0]
        return family if family in EVENTS else None
    npu = s.get("target.npu")
    listed = s.lines.get("target.npu") == s.draft.seen.get("counter_names")
    return npu if npu in EVENTS and not listed else None


def _check_zeros(s: Settled, called: int | None) -> None:
    cycles, events = s.get(NPU_CYCLES), _events(s)
    taken = s.get(OPERATOR)
    if s.draft.failed or called == 0 or (called is None and not (taken or (cycles and s.mlek.get("ACTIVE", cycles)))):
        return  # cycles of the NPU or of its delegate prove that it worked, and none prove nothing unless it was called
    if cycles == 0:
        calls = f"{called} calls of the NPU" if called else f"{taken} CPU cycles of its delegate"
        s.doubt("npu_cycles_zero", NPU_CYCLES, f"{quote(NPU_CYCLES, 0)} after {calls}")
        s.drop(NPU_CYCLES)
        return
    configured = "pmu_start" in s.draft.seen  # firmware that serves requests prints the counters nobody asked for too
    beats = [value for _, name, value in events if (configured if name is None else "_DATA_BEAT_" in name)]
    if cycles and len(beats) > 1 and not any(beats):
        s.doubt("counters_zero", events[0][0], f"{cycles} NPU cycles, and all {len(beats)} traffic counters are 0")


def _check_limits(s: Settled, called: int | None) -> None:
    cycles = s.get(NPU_CYCLES)
    over: list[tuple[str, str]] = []
    for path, name, value in _events(s):
        if value < 0 or (called and value >= called * _2_32):
            s.doubt("impossible", path, quote(path, value))
            s.drop(path)
            continue
        ports = ports_of(name) if name is not None else None
        if ports is not None and cycles and value > ports * cycles * _ROOM + _ROOM_COUNTS:
            over.append((path, f"{quote(path, value)} ({str(name).removeprefix(PREFIX)})"))
    if over:
        text = f"{', '.join(text for _, text in over)} in {cycles} NPU cycles"
        s.doubt("over_limit", over[0][0], text)
        if len(over) > 1 and s.each(NPU_CYCLES) is None:
            s.drop(NPU_CYCLES)  # two counters over the same limit: it is the limit that is damaged
        else:
            s.drop(*(path for path, _ in over))
    if cycles and called and cycles >= called * _2_32:
        text = f"{cycles} NPU cycles in {called} delegation{'s' if called > 1 else ''}"
        s.doubt("counters_suspect", NPU_CYCLES, text)


def check_sum(s: Settled) -> None:
    """Check that the evaluation kit's active and idle cycles add up to its total."""
    active, idle, cycles = s.mlek.get("ACTIVE"), s.mlek.get("IDLE"), s.get(NPU_CYCLES)
    if cycles is None or (active is None and idle is None):
        return
    both = active is not None and idle is not None
    total = (active or 0) + (idle or 0)
    if abs(total - cycles) > _SUM_ROOM if both else total > cycles + _SUM_ROOM:
        parts = [f"NPU {name} {value}" for name, value in (("ACTIVE", active), ("IDLE", idle)) if value is not None]
        s.doubt("npu_sum", NPU_CYCLES, f"{' + '.join(parts)} does not match NPU TOTAL {cycles}")
