"""Pools that were too small: which one, by how much, and which definition to build the runner with."""

from __future__ import annotations

from collections.abc import Iterable

from ..collect.results import KIT_ERROR
from ..draft import Evidence, Trouble
from ..error_codes import NO_MEMORY
from ..outcome import Outcome
from ..report import Finding, Run
from ..units import format_bytes
from .evidence import all_saying, error, execution_started, nameless, saying, unread_tensor
from .pool_options import (
    FAST_POOL,
    METHOD_POOL,
    by_script,
    in_brackets,
    planned_in_pool,
    pool_names,
    pool_of_heap,
    pool_option,
    two_programs,
    use_line,
)
from .possible_sizes import all_possible, any_impossible
from .releases import surely_before, surely_from

_FROM_METHOD_POOL = (
    "planned buffer", "Failed to allocate values", "Failed to allocate input_set", "Failed to allocate delegates",
    "Failed to allocate chains", "Failed to allocate instruction", "Failed to allocate external_constants", "for input buffers",
    "to input buffers", "input evalues", "Failed to allocate PlatformMemoryAllocator", "Failed to allocate MergedDataMap", "memory for input buffer",
)  # fmt: skip
"""Words of the lines that say what the method pool had no room for."""
_MARGIN_BYTES = 4096


_FEW = 4
"""So many sizes of requests are named one by one."""


def method_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The method pool: planned buffers, the method's own structures, inputs."""
    failed = all_possible(seen, "allocation_failed")
    pools = _short_pools(run, seen)
    mine = _once(t for t in failed if pools.get(id(t)) == "method")
    if not mine:
        return None if seen.all("allocation_failed") else _unsized_method_pool(run, seen)
    first = mine[0]
    ends = ("assert_failed", "test_failed")
    aborted = next((t.line for t in seen.trouble if t.kind in ends and t.line > first.line), None)
    # what comes then is asked for once more, or of a pool that is empty again
    mine = [t for t in mine if aborted is None or t.line < aborted]
    requested, left = int(first.values["requested"]), _left(first)
    pool = run.memory.pools.get("method")
    capacity = pool.capacity_bytes if pool else None
    held = capacity - left if capacity is not None and left is not None and capacity >= left else 0
    wanted = sum(int(t.values["requested"]) for t in mine)
    need = max(held + wanted, planned_in_pool(run))
    room = f"the pool of {capacity} bytes had {left} left" if capacity is not None else f"{left} bytes were left"
    detail = f"{requested} bytes were requested and {room} (available means left, not the size of the pool)."
    if left is None:
        has = f"; the pool has {capacity} bytes" if capacity is not None else ""
        detail = f"{requested} bytes were requested{has}. The line is cut off before it says how many were left."
    if len(mine) > 1:
        sizes = f" ({' + '.join(str(t.values['requested']) for t in mine)})" if len(mine) <= _FEW else ""
        detail += f" {len(mine)} requests failed, {wanted} bytes in total{sizes}."
    if planned_in_pool(run):
        detail += f" Planned buffers alone take {planned_in_pool(run)} bytes."
    follow = next(
        (t for t in seen.trouble if t.line >= first.line and t is not first and _names_method_pool(t)), None
    )  # fmt: skip
    lines = [*(t.line for t in mine[:8]), *((follow.line,) if follow else ())]
    title = f"The method pool is too small: {format_bytes(requested)} did not fit"
    told = use_line(run, seen)
    trim = f"; then read {told} and trim" if told else ""
    if left is None and capacity is not None:
        return error(
            "method-pool-too-small", run, title, detail,
            f"Enlarge it; {capacity + wanted} bytes cover these requests, and the method's own structures and inputs may add more: "
            f"{pool_option(run, seen, 'method', _roomy(capacity + wanted))}{trim}.", *lines,
        )  # fmt: skip
    if capacity is None and not (follow is not None and "planned buffer" in follow.text):
        least = wanted - left if left is not None else wanted
        unsaid, other = "The log does not say how large the pool is", ""
        if run.stage == "start" and follow is None:  # a line without what stood around it
            title = f"A pool is too small: {format_bytes(requested)} did not fit"
            unsaid += ", nor which pool it is: temp pool requests fail with the same words"
            other = f". If the NPU's scratch buffer did not fit, it is the temp pool: {pool_names(run, seen, 'temp')}"
        return error(
            "method-pool-too-small", run, title, f"{detail} {unsaid}.",
            f"Enlarge the pool by {'at least ' if left is not None else ''}{least} bytes, better by {_roomy(least)}: {pool_names(run, seen, 'method')}; the "
            f"method's other structures and inputs need more{other}.", *lines,
        )  # fmt: skip
    return error(
        "method-pool-too-small", run, title, detail,
        f"Enlarge it to at least {padded(need)} bytes, and more for the method's own structures and inputs: "
        f"{pool_option(run, seen, 'method', _roomy(need))}{trim}.", *lines,
    )  # fmt: skip


def _once(failed: Iterable[Trouble]) -> list[Trouble]:
    """The requests without those that the application says again in words of its own, below the line of the allocator."""
    kept: list[Trouble] = []
    for t in failed:
        again = kept and t.line - kept[-1].line == 1 and _left(t) == _left(kept[-1])
        if not (again and t.text.startswith(KIT_ERROR) and not kept[-1].text.startswith(KIT_ERROR)):
            kept.append(t)
    return kept


def _left(failed: Trouble | None) -> int | None:
    """The bytes that were left when this request failed, if its line came to that."""
    left = failed.values.get("available") if failed is not None else None
    return int(left) if left is not None else None


def _unsized_method_pool(run: Run, seen: Evidence) -> Finding | None:
    """No size was printed: a planned buffer that did not fit, or only the status 0x21 of the load."""
    if any_impossible(seen):
        return None
    bad = next(iter(all_possible(seen, "planned_allocation_failed")), None) or saying(
        seen, "Could not allocate memory for memory planned buffer"
    )
    if bad is not None and not _is_fast(bad) and bad.values.get("size") is not None:
        size = int(bad.values["size"])
        need = max(size, planned_in_pool(run))
        return error(
            "method-pool-too-small", run, f"The method pool is too small: a planned buffer of {format_bytes(size)} did not fit",
            f"{bad.text}.", f"Enlarge it to at least {padded(need)} bytes: {pool_option(run, seen, 'method', _roomy(need))}.", bad.line,
        )  # fmt: skip
    lost = bad if bad is not None and not _is_fast(bad) else None  # the C library printed no number of it
    bad = lost or seen.first("allocation_shifted", "values_failed") or saying(seen, *_FROM_METHOD_POOL[1:])
    load = next((t for t in seen.all("method_load_failed") if t.values.get("status") == NO_MEMORY), unread_tensor(seen))
    if bad is None or (bad.kind == "allocation_shifted" and load is None):
        bad = load
    if bad is None and nameless(seen, "execute", "execute_instruction") is None:
        bad = nameless(seen, "allocate")
    if bad is None or _is_fast(bad) or "scratch_failed" in seen.seen:
        return None
    if bad is load and pool_of_heap(run):
        return error(
            "heap-too-small", run, "The heap could not hold the method pool",
            f"The runner says: {bad.text}, and its allocator gives no size. In this release the pool comes from malloc (70 MiB as delivered), unchecked: if "
            "malloc fails, the first request fails like this.",
            "Set METHOD_ALLOCATOR_POOL_SIZE in the runner's source to a size that the program needs and the heap can hold, or enlarge the heap in the "
            "linker script (the planned buffers are there as well).", bad.line,
        )  # fmt: skip
    pool = run.memory.pools.get("method") if not two_programs(seen) else None
    capacity = pool.capacity_bytes if pool else None
    has = f" The pool has {capacity} bytes." if capacity is not None else ""
    least = max(capacity or 0, planned_in_pool(run))
    return error(
        "method-pool-too-small", run, "The method pool is too small", f"The runner says: {bad.text}, without a size.{has}",
        f"Enlarge it: {pool_option(run, seen, 'method', _roomy(2 * least))}." if least else
        f"Enlarge it ({pool_names(run, seen, 'method')}){', at least to the size of all planned buffers' if not surely_before(run, (0, 4)) else ''}.",
        bad.line, *((load.line,) if load is not None else ()),
    )  # fmt: skip


def fast_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The pool of planned buffers in fast memory (main)."""
    missing = seen.first("fast_pool_missing")
    bad = next((t for t in all_possible(seen, "planned_allocation_failed") if _is_fast(t)), None)
    if bad is None and missing is None:
        return None
    if bad is None:
        assert missing is not None
        sizes = run.memory.planned_buffers  # the newest one, where all came that the runner planned before it
        told = 0 < len(sizes) == (missing.values.get("index") or 0) + 1
        least = f"{padded(sizes[-1])} or more" if told else "BYTES, at least the size of that planned buffer"
        return error(
            "fast-pool-missing", run, "The program plans a buffer in fast memory, and the runner has no fast pool",
            f"{missing.text}.", f"Build the runner with {FAST_POOL}={least}{in_brackets(by_script(run))}.", missing.line,
        )  # fmt: skip
    size = int(bad.values["size"])
    failed = seen.first("allocation_failed")
    left = _left(failed)
    room = f", which had {left} bytes left" if left is not None else ""
    return error(
        "fast-pool-too-small", run, f"The planned-fast pool is too small: {format_bytes(size)} did not fit",
        f"A planned buffer of {size} bytes goes into fast memory{room}.",
        f"Build the runner with {FAST_POOL}={padded(size)} or more{in_brackets(by_script(run))}.",
        *((failed.line,) if failed is not None else ()), bad.line,
    )  # fmt: skip


def temp_pool(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The temp pool: the NPU's scratch arena, and what CPU operators need while they run."""
    pools = _short_pools(run, seen)
    failed = next((t for t in all_possible(seen, "allocation_failed") if pools.get(id(t)) == "temp"), None)
    named = next(iter(all_possible(seen, "scratch_failed", "temp_failed")), None)
    if failed is None and (named is None or named.values.get("size") is None):
        return _unsized_temp_pool(run, seen)
    of_arena = named is not None and named.kind == "scratch_failed"
    where_named = named
    if named is not None and named.values.get("size") is None:
        named = None  # the C library lost the number
    size = int(named.values["size"]) if named else int(failed.values["requested"]) if failed else 0
    what = "The NPU's scratch arena" if of_arena else "An operator's scratch memory"
    verb = "needs"
    if not execution_started(seen) and where_named is None:
        what, verb = "Temporary memory for loading the method", "takes"
    elif where_named is None and failed is not None and failed.line == run.last_line:
        what = "What runs there, the NPU or an operator of the CPU,"  # the next line would tell
    left = f" {_left(failed)} bytes were left." if _left(failed) is not None else ""
    kernel = seen.first("kernel_failed")
    where = f" The operator is {kernel.values['name']}." if kernel else ""
    lines = [t.line for t in (failed, where_named) if t is not None]
    wanted = size if failed is None else max(size, int(failed.values["requested"]))
    need, so_far = _temp_need(run, wanted, _left(failed))
    if need is None and of_arena and _arena_comes_first(run, seen):
        need, so_far = padded(wanted), ""
    smaller = "memory mode Dedicated_Sram, Vela's --optimise Size, a smaller input"
    if need is not None:
        option = f"{pool_option(run, seen, 'temp', need)} or more"
        if of_arena and run.runner.kind == "arm_executor_runner" and surely_from(run, (1, 2)):
            option += " (run.sh --specify_ethosu_scratch takes it from the .pte)"
    else:
        more = padded(max(1, wanted - (_left(failed) or 0)))
        option = f"enlarge the pool by {more} bytes or more ({pool_names(run, seen, 'temp')})"
        smaller = "memory mode Dedicated_Sram, a smaller input"
    return error(
        "temp-pool-too-small", run, f"The temp pool is too small: {format_bytes(size)} did not fit",
        f"{what} {verb} {size} bytes.{left}{where}",
        f"{option[0].upper()}{option[1:]}, or compile for less SRAM ({smaller}).{so_far}", *lines,
    )  # fmt: skip


def _temp_need(run: Run, wanted: int, left: int | None) -> tuple[int | None, str]:
    """What the temp pool must have in bytes, and what is to be said of that.

    None where the log tells nothing of its size: any number might be a smaller pool than there is.
    """
    pool = run.memory.pools.get("temp")
    capacity = pool.capacity_bytes if pool is not None else None
    if capacity is not None and left is not None and capacity >= left:
        return padded(capacity - left + wanted), ""
    if capacity is not None and wanted <= capacity:
        return padded(
            capacity + wanted
        ), f" The pool has {capacity} bytes; the log does not say how much of it is in use."
    known = f"{left} were left" if left is not None else "the log does not say how many that is"
    so_far = f" It needs at least what is already in use + {padded(wanted)} bytes ({known})."
    return (padded(wanted) if capacity is not None else None), so_far


def _arena_comes_first(run: Run, seen: Evidence) -> bool:
    """True where the arena is all that is in the temp pool: it is the first that a delegate asks for, and each instruction finds the pool empty.

    That is so since 0.7, which is the first to print the arena's size; only the server mode has its inputs there before.
    """
    return run.runner.kind in ("arm_executor_runner", "zephyr") and "server_mode" not in seen.seen


def _unsized_temp_pool(run: Run, seen: Evidence) -> Finding | None:
    if any_impossible(seen):
        return None
    bad = seen.first("scratch_failed", "temp_failed")
    bad = bad or next((t for t in seen.all("execution_failed") if t.values.get("status") == NO_MEMORY), None)
    if bad is None or "pack_forward_failed" in seen.seen and bad.kind == "execution_failed":
        return None  # that call loads the method as well: either pool may be meant
    of_arena = bad.kind == "scratch_failed"
    title = (
        "The temp pool is too small for the NPU's scratch buffer"
        if of_arena
        else "Memory ran out during execution of the method"
    )
    return error(
        "temp-pool-too-small", run, title, f"The runner says: {bad.text}, without a size.",
        f"Enlarge the pool ({pool_names(run, seen, 'temp')}); Vela's Total SRAM used is what the NPU needs.",
        bad.line,
    )  # fmt: skip


def etdump_memory(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The ETDump's buffers are taken from the method pool, which had no room for them."""
    full = saying(
        seen, "Ran out of space to store intermediate outputs", "failed to write tensor to debug buffer"
    ) or saying(seen, "Static buffer size provided to ETDumpGen")
    if full is not None:
        return error(
            "etdump-buffer-full", run, "The buffer for ETDump is too small", f"The runner says: {full.text.rstrip('.')}.",
            "Build the runner with a larger buffer (ET_DUMP_INTERMEDIATE_OUTPUTS needs room for every intermediate tensor: -DET_DEBUG_BUFFER_SIZE=BYTES), "
            "or log no intermediate outputs. The inference itself is not at fault.", full.line,
        )  # fmt: skip
    said = all_saying(seen, "Could not allocate memory etdump base64", "ETDump: Could not")
    if not said:  # 0.6 says no more than its allocator, and writes where there is nothing
        pools = _short_pools(run, seen)
        said = [t for t in all_possible(seen, "allocation_failed") if pools.get(id(t)) == "etdump"]
        if not said:
            return None
    asked = [str(t.values["requested"]) if t.kind == "allocation_failed" else t.text.rpartition(" size ")[2] for t in said
             if t.kind == "allocation_failed" or "allocate memory" in t.text]  # fmt: skip
    sizes = [int(size) for size in asked if size.isdecimal()]
    more = f" It asked for {sizes[0]} bytes." if sizes else ""
    if len(sizes) > 1:
        more = f" {len(sizes)} requests failed, {sum(sizes)} bytes in total."
    smaller = (
        ", or make the buffer for outputs smaller (-DET_DEBUG_BUFFER_SIZE=BYTES)"
        if "output buffer" in said[0].text
        else ""
    )
    return error(
        "etdump-memory", run, "Not enough memory for the ETDump", f"{said[0].text}.{more}",
        f"Enlarge the method pool, which holds the ETDump buffers: {METHOD_POOL}{f' by {sum(sizes)}' if sizes else ''}{smaller}.",
        *(t.line for t in said[:5]),
    )  # fmt: skip


def _is_fast(trouble: Trouble) -> bool:
    return str(trouble.values.get("region") or "").startswith("FAST") or "in FAST_MEMORY_REGION" in trouble.text


def _names_method_pool(trouble: Trouble) -> bool:
    if trouble.kind in ("planned_allocation_failed", "values_failed", "method_load_failed"):
        return True
    return any(words in trouble.text for words in _FROM_METHOD_POOL)


def _short_pools(run: Run, seen: Evidence) -> dict[int, str]:
    """Which pool each allocation failure was about, by the `id` of the trouble: its own line never says, the next ones do."""
    pools: dict[int, str] = {}
    pool, by = ("temp" if execution_started(seen) else "method"), ""
    others = {odd.line for odd in seen.odd if odd.kind == "method_pool_has_room"}
    began, done = _execution_began(seen), seen.seen.get("executed", 0) if "etdump_setup" in seen.seen else 0
    for trouble in reversed(seen.trouble):
        if trouble.line < began:
            # runners up to 0.6 go on without a planned buffer: what fails later tells nothing of it
            pool, by, began = "method", "", 0
        if trouble.kind == "allocation_failed":
            loads = pool == "method" and by in ("", "method_load_failed")
            of_temp = loads and (trouble.line in others or _method_pool_has_room(run, trouble))
            late = trouble.line > done > 0 and not by  # nothing but the ETDump asks then
            pools[id(trouble)] = "etdump" if late else "temp" if of_temp else pool
        named = _pool_named(trouble)
        pool, by = (named, trouble.kind) if named else (pool, by)
    return pools


def _execution_began(seen: Evidence) -> int:
    """The line at which execution began; 0 where it never did, or where something failed in an earlier execution."""
    began = execution_started(seen)
    return began if all(_pool_named(t) != "temp" for t in seen.trouble if t.line < began) else 0


def _method_pool_has_room(run: Run, failed: Trouble) -> bool:
    """True where what is left of a pool cannot be left of the method's: loading takes memory of the temp pool too.

    What a method needs beside its planned buffers is about as large as its program without the weights.
    """
    pool, left = run.memory.pools.get("method"), _left(failed)
    planned = run.memory.planned_buffers  # without any, their lines were lost
    if pool is None or pool.capacity_bytes is None or left is None or run.model.pte_bytes is None or not planned:
        return False
    taken = pool.capacity_bytes - sum(planned) - left
    return taken > 4 * run.model.pte_bytes + _MOST_BESIDE_BYTES


_MOST_BESIDE_BYTES = 8 << 20
"""More than all that is taken of a method pool for anything but the method, as for the buffers of an ETDump."""


def _pool_named(trouble: Trouble) -> str:
    """The pool that a line tells; empty where it tells none."""
    if trouble.kind in ("scratch_failed", "temp_failed") or "temp memory" in trouble.text:
        return "temp"
    if trouble.kind == "file_read_failed":
        return "files"
    if trouble.kind == "test_failed":
        return _pool_of_test(trouble.text)
    if "ETDump" in trouble.text or "etdump" in trouble.text:
        return "etdump"
    if _names_method_pool(trouble):
        return "fast" if _is_fast(trouble) else "method"
    return "temp" if trouble.kind in ("kernel_failed", "delegate_failed", "execution_failed") else ""


def _pool_of_test(text: str) -> str:
    """The test of all operators runs metadata methods too, from pools that no finding is about."""
    _, told, step = text.rpartition(" FAIL (")
    if not told:
        return ""
    if step.startswith("execute)"):
        return "temp"
    return "meta" if step.endswith((" method)", " copy)")) or step.startswith("missing embedded") else "method"


def padded(size: int) -> int:
    """The smallest multiple of 16, the pools' alignment, that holds so many bytes."""
    return (size + 15) // 16 * 16


def _roomy(need: int) -> int:
    """A size that leaves room for what comes after the request that failed."""
    size = need + max(_MARGIN_BYTES, need // 16)
    step = 1024 if size < 1 << 20 else 1 << 16
    return (size + step - 1) // step * step
