"""Lines about the program and its memory: sizes, addresses, allocators; and where the driver finds the NPU."""

from __future__ import annotations

from collections.abc import Callable

from ..draft import RunDraft
from ..trust.memory import IMPOSSIBLE_BYTES

UNKNOWN_SIZE_BYTES = 0x10000000
"""What the runner prints as program size where the program is not part of its ELF (`--pte=ADDRESS` builds)."""
MOST_PLANNED = 4096
"""Planned buffers that are kept per run; real programs have a few."""


def _size(draft: RunDraft, path: str, size: int, line: int) -> None:
    if size == UNKNOWN_SIZE_BYTES:
        draft.doubt("program_size", line, f"{size} bytes")
        return
    if not 0 <= size < IMPOSSIBLE_BYTES:
        draft.doubt("impossible", line, f"a program of {size} bytes")
        return
    draft.set(path, size, line)


def on_model_file(draft: RunDraft, line: int, path: str) -> None:
    """Printed by the Linux runner; the outputs of a bundled program are compared once they are there."""
    if path.endswith(".bpte"):
        draft.seen.setdefault("bundle_named", line)


def on_model_size(draft: RunDraft, line: int, size: int) -> None:
    _size(draft, "model.pte_bytes", size, line)


on_pte_size = on_example_size = on_mlek_size = on_mcu_model_size = on_pico_started = on_axon_size = on_model_size


def on_program_loading(draft: RunDraft, line: int) -> None:
    """Some applications load the program within each inference, and have announced the inference before this."""
    if draft.last_event == "step_running" and not draft.stage_frozen:
        draft.stage = "load"


def on_mlek_model(draft: RunDraft, line: int, address: str, size: int) -> None:
    """The address has one 0x or two, depending on how the C library prints a pointer."""
    on_model_size(draft, line, size)
    draft.set("model.address", f"0x{address.removeprefix('0x')}", line)


def on_pte_at(draft: RunDraft, line: int, address: str, size: int) -> None:
    on_model_size(draft, line, size)


def on_program_size(draft: RunDraft, line: int, size: int, unknown: str | None) -> None:
    on_model_size(draft, line, size)


def on_loaded_size(draft: RunDraft, line: int, size: int, unknown: str | None) -> None:
    _size(draft, "model.loaded_bytes", size, line)


def on_program_load_failed(draft: RunDraft, line: int, address: str, status: int) -> None:
    if draft.get("model.address") is None:
        draft.set("model.address", address.replace("0x0x", "0x"), line)


def on_identifier_mismatch(draft: RunDraft, line: int, found: str, expected: str) -> None:
    """A runner without bundled inputs took the whole bundle for its program, so the printed size is the bundle's."""
    size = draft.get("model.pte_bytes")
    if found.startswith("BP") and size is not None:
        _size(draft, "model.loaded_bytes", size, draft.lines.get("model.pte_bytes", line))
        draft.set("model.pte_bytes", None, line)


def on_planned_buffer(draft: RunDraft, line: int, index: int, size: int) -> None:
    if not 0 <= size < IMPOSSIBLE_BYTES:
        draft.doubt("impossible", line, f"planned buffer {index}, size {size}")
        return
    if len(draft.planned_buffers) >= MOST_PLANNED and index not in draft.planned_buffers:
        if "planned_left_out" not in draft.seen:
            draft.doubt("planned_left_out", line, f"buffer {index} after {MOST_PLANNED} others")
            draft.seen["planned_left_out"] = line
        return
    draft.planned_buffers[index] = size
    draft.mark(f"memory.planned_buffers.{len(draft.planned_buffers) - 1}", line)


on_pico_planned = on_planned_buffer


def on_planned_buffer_open(draft: RunDraft, line: int, index: int, size: int) -> None:
    """Only a port without log prefixes prints no full stop; with a prefix the line was cut, perhaps in the number."""
    if not draft.files:
        on_planned_buffer(draft, line, index, size)


def _pool(name: str) -> Callable[..., None]:
    """Record what a runner of this family prints about an allocator."""

    def take(draft: RunDraft, line: int, used: int, capacity: int, free: int, percent: int) -> None:
        size = draft.get(f"memory.pools.{name}.capacity_bytes")
        if size is not None and name not in draft.pools.percents:  # an earlier line of its use is no other witness
            draft.pools.sizes[name] = size
        draft.set(f"memory.pools.{name}.used_bytes", used, line)
        draft.set(f"memory.pools.{name}.capacity_bytes", capacity, line)
        draft.set(f"memory.pools.{name}.free_bytes", free, line)
        draft.pools.percents[name] = percent

    return take


on_method_use = _pool("method")
on_temp_use = on_peak_temp = _pool("temp")
on_input_file_use = _pool("input_file")
on_planned_fast = _pool("planned_fast")
on_etdump_pool = _pool("etdump_outputs")


def on_input_room(draft: RunDraft, line: int, used: int, free: int) -> None:
    """What is left of the method allocator: a request that found much less was made of another one.

    The pool's own line comes only after an inference, so this one stands where the run ends before it.
    """
    for bad in draft.trouble:
        left = bad.values.get("available") if bad.kind == "allocation_failed" else None
        if left is not None and free > left + int(bad.values.get("requested") or 0):
            draft.doubt("method_pool_has_room", bad.line, f"{free} bytes")
    if used + free == draft.get("memory.pools.method.capacity_bytes"):  # else one of the three is damaged
        draft.set("memory.pools.method.used_bytes", used, line)
        draft.set("memory.pools.method.free_bytes", free, line)


def _mcu_pool(name: str) -> Callable[..., None]:
    """The same for an application that does not print the free bytes."""

    def take(draft: RunDraft, line: int, capacity: int, used: int, percent: int) -> None:
        if (
            capacity and used > capacity and percent == 100 * used // capacity
        ):  # it adds up requests that came one after another
            draft.doubt("pool_requests", line, f"{name} pool: {used} used of {capacity}, {percent} %")
            draft.set(f"memory.pools.{name}.capacity_bytes", capacity, line)
            return
        draft.set(f"memory.pools.{name}.used_bytes", used, line)
        draft.set(f"memory.pools.{name}.capacity_bytes", capacity, line)
        draft.pools.percents[name] = percent

    return take


on_mcu_method_pool = _mcu_pool("method")
on_mcu_temp_pool = _mcu_pool("temp")


def on_mlek_temp_memory(draft: RunDraft, line: int, peak: int, capacity: int) -> None:
    """Printed before the first inference, when nothing was used yet, and again at the end."""
    if peak or "mlek_inferences" in draft.seen:
        draft.set("memory.pools.temp.used_bytes", peak, line)
    draft.set("memory.pools.temp.capacity_bytes", capacity, line)


def on_mlek_board(draft: RunDraft, line: int) -> None:
    """The evaluation kit names an Alif chip that is ready."""
    draft.seen["kit_board"] = line
