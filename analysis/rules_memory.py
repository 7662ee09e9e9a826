"""Pools that were too small: which one, by how much, and the definition to build the runner with."""

from __future__ import annotations

from .draft import Evidence, Trouble
from .outcome import Outcome
from .report import Finding, Run
from .units import format_bytes
from .verdict import error

_METHOD_POOL = "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"
_FAST_POOL = "-DET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE"
_TEMP_POOL = "-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"


def method_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    failed = seen.first("allocation_failed")
    if failed is None:
        return _planned_buffer(run, seen)
    if _short_pool(seen, failed) != "method":
        return None
    after = [t for t in seen.trouble if t.line >= failed.line]
    follow = next(
        (t for t in after if t.kind in ("planned_allocation_failed", "values_failed", "method_load_failed")), None
    )
    requested, left = int(failed.values["requested"]), int(failed.values["available"])
    pool = run.memory.pools.get("method")
    capacity = pool.capacity_bytes if pool else None
    held = capacity - left if capacity is not None and capacity >= left else 0
    need = _round(max(held + requested, sum(run.memory.planned_buffers)))
    room = f"the pool of {capacity} bytes had {left} left" if capacity is not None else f"{left} bytes were left"
    detail = f"{requested} bytes were asked for and {room} (available means left, not the size)."
    if run.memory.planned_buffers:
        detail += f" Planned buffers alone take {sum(run.memory.planned_buffers)} bytes."
    return error(
        "method-pool-too-small", run, f"The method pool is too small: {format_bytes(requested)} did not fit", detail,
        f"Build the runner with {_METHOD_POOL}={need} or more (Zephyr: CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE={need}); "
        "that covers what was asked for so far, and the method's own structures come on top.",
        failed.line, *((follow.line,) if follow else ()),
    )  # fmt: skip


def _planned_buffer(run: Run, seen: Evidence) -> Finding | None:
    bad = seen.first("planned_allocation_failed")
    if bad is None or _is_fast(bad):
        return None
    size = int(bad.values["size"])
    return error(
        "method-pool-too-small",
        run,
        f"The method pool is too small: a planned buffer of {format_bytes(size)} did not fit",
        f"{bad.text}.",
        f"Build the runner with {_METHOD_POOL}={_round(size)} or more.",
        bad.line,
    )


def fast_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    missing = seen.first("fast_pool_missing")
    bad = next((t for t in seen.all("planned_allocation_failed") if _is_fast(t)), None)
    if missing is None and bad is None:
        return None
    if bad is None:
        assert missing is not None
        return error(
            "fast-pool-missing",
            run,
            "The program plans a buffer in fast memory, and the runner has no fast pool",
            f"{missing.text}.",
            f"Build the runner with {_FAST_POOL}=BYTES, at least the size of that planned buffer.",
            missing.line,
        )
    size = int(bad.values["size"])
    failed = seen.first("allocation_failed")
    room = f"; {failed.values['available']} bytes were left in it" if failed is not None else ""
    return error(
        "fast-pool-too-small",
        run,
        f"The planned-fast pool is too small: {format_bytes(size)} did not fit",
        f"A planned buffer of {size} bytes goes to fast memory{room}.",
        f"Build the runner with {_FAST_POOL}={_round(size)} or more.",
        *((failed.line,) if failed is not None else ()),
        bad.line,
    )


def temp_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    failed = seen.first("allocation_failed")
    named = seen.first("scratch_failed", "temp_failed")
    if named is None and (failed is None or _short_pool(seen, failed) != "temp"):
        return None
    size = int(named.values["size"]) if named else int(failed.values["requested"]) if failed else 0
    need = _round(size)
    what = "The NPU's scratch arena" if named and named.kind == "scratch_failed" else "An operator's scratch memory"
    left = f" {failed.values['available']} bytes were left." if failed else ""
    kernel = seen.first("kernel_failed")
    where = f" The operator is {kernel.values['name']}." if kernel else ""
    lines = [t.line for t in (failed, named) if t is not None]
    return error(
        "temp-pool-too-small", run, f"The temp pool is too small: {format_bytes(size)} did not fit",
        f"{what} needs {size} bytes.{left}{where}",
        f"Build the runner with {_TEMP_POOL}={need} or more (Zephyr: CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE={need}), "
        "or compile for less SRAM (memory mode Dedicated_Sram, Vela's --optimise Size, a smaller input).", *lines,
    )  # fmt: skip


def _is_fast(trouble: Trouble) -> bool:
    return str(trouble.values.get("region") or "").startswith("FAST")


def _short_pool(seen: Evidence, failed: Trouble) -> str:
    """Which pool an allocation failure was about: the line itself never says, the next ones do."""
    for trouble in seen.trouble:
        if trouble.line < failed.line:
            continue
        if trouble.kind in ("scratch_failed", "temp_failed"):
            return "temp"
        if trouble.kind in ("planned_allocation_failed", "values_failed", "method_load_failed"):
            return "fast" if _is_fast(trouble) else "method"
    return "temp" if "execute_start" in seen.seen else "method"


def _round(size: int) -> int:
    return (size + 15) // 16 * 16
