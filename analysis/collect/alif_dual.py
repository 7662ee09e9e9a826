"""Lines of the application with two NPUs. Both programs share the board, so their memory needs are added up."""

from __future__ import annotations

from ..draft import RunDraft
from .load import on_model_size
from .monitor import on_mcu_time
from .results import says_passed

_MOST_PROGRAMS = 8
"""The application has two programs; a damaged log may show any number of names."""


class OfPrograms(dict[str, dict[str, int]]):
    """What each program takes: figure to the program's name to bytes."""


def _sum(draft: RunDraft, figure: str, name: str, size: int) -> int:
    known = draft.state(OfPrograms).setdefault(figure, {})
    if name in known or len(known) < _MOST_PROGRAMS:
        known[name] = size
    return sum(known.values())


def on_dual_program(draft: RunDraft, line: int, name: str, size: int) -> None:
    on_model_size(draft, line, _sum(draft, "program", name, size))


def on_dual_models(draft: RunDraft, line: int, u55: int, u85: int) -> None:
    on_model_size(draft, line, u55 + u85)


def on_dual_arena(draft: RunDraft, line: int, name: str, size: int) -> None:
    draft.set("memory.pools.tensor_arena.capacity_bytes", _sum(draft, "arena", name, size), line)


def on_dual_planned(draft: RunDraft, line: int, name: str, used: int, free: int) -> None:
    draft.set("memory.planned_bytes", _sum(draft, "planned", name, used), line)
    draft.set("memory.pools.method.used_bytes", _sum(draft, "data", name, used), line)
    draft.set("memory.pools.method.capacity_bytes", _sum(draft, "room", name, used + free), line)


def on_dual_inputs(draft: RunDraft, line: int, name: str, used: int) -> None:
    draft.set("memory.pools.method.used_bytes", _sum(draft, "data", name, used), line)


def on_dual_temp(draft: RunDraft, line: int, name: str, used: int, free: int) -> None:
    """Printed before the first inference, which is what the pool is for; a use of 0 means nothing then."""
    total = _sum(draft, "temp", name, used)
    if total:
        draft.set("memory.pools.temp.used_bytes", total, line)
    draft.set("memory.pools.temp.capacity_bytes", _sum(draft, "scratch", name, used + free), line)


on_dual_passed = says_passed
on_dual_time = on_mcu_time  # from the start of the first to the end of the last of both inferences


def on_dual_failed(draft: RunDraft, line: int, u55: int, u85: int) -> None:
    """The numbers are the application's own, not status codes of the runtime."""
    npus = " and ".join(npu for npu, code in (("U55", u55), ("U85", u85)) if code)
    if npus:
        draft.fail("execution_failed", line, f"the inference on the Ethos-{npus} failed (U55={u55} U85={u85})")
