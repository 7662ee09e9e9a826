"""Which requested sizes are possible: a size that no memory holds is garbled, and no pool is too small for it."""

from __future__ import annotations

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error

IMPOSSIBLE_BYTES = 1 << 31
"""No pool of such a target is this large; (size_t)-1 and its like are, and what is read out of a damaged program."""

_REQUESTS = ("allocation_failed", "planned_allocation_failed", "scratch_failed", "temp_failed")


def impossible_request(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A request that no memory could hold: the size is wrong, not the pool."""
    asked = [(t, t.values.get("requested", t.values.get("size"))) for t in seen.all(*_REQUESTS)]
    bad = [(t, int(size)) for t, size in asked if size is not None and not _possible(size)]
    if not bad:
        return None
    size = bad[0][1]
    minus = next((f" (it is -{(1 << bits) - size} as a {bits}-bit number)" for bits in (32, 64)
                  if 0 < (1 << bits) - size < 1 << 20), "")  # fmt: skip
    return error(
        "allocation-impossible", run, f"{size} bytes were requested, which is not a possible size",
        f"The runner says: {bad[0][0].text}. That is not a valid size{minus}: no pool can be large enough.",
        "Check that the .pte is complete, where it is placed, and that it comes from the runner's release: the size is garbled, or the program it was read "
        "from is corrupt. If the line loses bytes, capture again.",
        *(t.line for t, _ in bad[:8]),
    )  # fmt: skip


def _possible(size: object) -> bool:
    return isinstance(size, int) and 0 <= size < IMPOSSIBLE_BYTES


def all_possible(seen: Evidence, *kinds: str) -> list[Trouble]:
    """Troubles of these kinds with a possible size, or without one."""
    return [
        t for t in seen.all(*kinds)
        if all(t.values.get(name) is None or _possible(t.values[name]) for name in ("requested", "available", "size"))
    ]  # fmt: skip


def any_impossible(seen: Evidence) -> bool:
    """Whether one of the requested sizes is impossible."""
    return len(all_possible(seen, *_REQUESTS)) < len(seen.all(*_REQUESTS))
