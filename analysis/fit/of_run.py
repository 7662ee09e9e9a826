"""Whether what a run used fits on a board: need, room, margin, and what takes most of it.

A log tells what the runner's pools held, not where a board has to keep it.  The scratch memory of the NPU is printed by few
releases only: then it lies between nothing and the pool that was large enough for it, and a verdict counts only where both
ends give the same one.  Firmware and stack come on top, and are in no log.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import CompileSummary, Run
from ..units import format_bytes

if TYPE_CHECKING:
    from ..meaning.boards import Board
    from ..program.needs import Check, Fit

LEVERS: Mapping[str, str] = {
    "planned": "a smaller input, or fewer activations alive at once: they are planned by the export's memory planning",
    "loaded": "fewer operators outside of the delegate: each one keeps its structures there",
    "input": "int8 inputs instead of float (quantised inputs), or a smaller input",
    "executor": "fewer methods in the program",
    "method pool": "smaller inputs, and fewer operators outside of the delegate",
    "tensor arena": "a smaller input, or Vela's --optimise Size: the arena holds all activations and the NPU's scratch memory",
    "planned fast": "a smaller buffer in fast memory, or none",
    "scratch": "another memory mode, a smaller --arena-cache-size, or Vela's --optimise Size",
    "program": "keep it in flash or external memory, or prune the weights so that they compress better",
}
"""The first thing to try, by what takes most."""


class Item(NamedTuple):
    """Something that memory is needed for."""

    name: str
    bytes: int
    path: str
    """Field that it was read from."""
    exact: bool = True
    """False where it is an upper bound or an estimate."""


class RunNeeds(NamedTuple):
    """What a run needs: RAM in parts, and the program; None where the log does not say."""

    items: tuple[Item, ...]
    program_bytes: int | None
    scratch_outside: bool
    """The NPU's scratch memory may be DRAM (Dedicated_Sram)."""
    unknown: tuple[str, ...]
    """What is needed, and of which not even a bound is known."""

    @property
    def least_bytes(self) -> int | None:
        """RAM that it needs for certain."""
        return sum(item.bytes for item in self.items if item.exact) if self.items else None

    @property
    def most_bytes(self) -> int | None:
        """RAM that is enough; None where something is not known at all."""
        return sum(item.bytes for item in self.items) if self.items and not self.unknown else None

    @property
    def biggest(self) -> Item | None:
        """What takes most of the RAM, of what is certain."""
        return max((item for item in self.items if item.exact), key=lambda item: item.bytes, default=None)

    @property
    def most_words(self) -> str:
        """What takes most of the RAM, in words; empty where nothing is known for certain."""
        biggest = self.biggest
        if biggest is None:
            return ""
        said = f"{biggest.name}, {format_bytes(biggest.bytes)}"
        other = next((item for item in self.items if not item.exact and item.bytes > biggest.bytes), None)
        return (
            said if other is None else f"{said}, unless {other.name} takes more (at most {format_bytes(other.bytes)})"
        )


class RegionFit(NamedTuple):
    """One region of a board against what is needed there."""

    region: str
    """"NPU", "RAM" or "program"."""
    check: Check

    @property
    def margin_percent(self) -> float | None:
        """What would stay free of the memory; negative where it does not fit."""
        need, room = self.check.needed_bytes, self.check.available_bytes
        return 100 * (room - need) / room if need is not None and room else None


_NPU_FITS = ("NPU", "fits")


class RunFit(NamedTuple):
    """The verdict for one board; `regions` with those that decide first."""

    board: Board
    fit: Fit
    regions: tuple[RegionFit, ...]

    @property
    def reason(self) -> str:
        """What decides."""
        return "; ".join(
            r.check.reason for r in self.regions if r.check.fit == self.fit and (r.region, self.fit) != _NPU_FITS
        )

    @property
    def margin_percent(self) -> float | None:
        """The smallest margin of a region that is compared with a memory."""
        return min((m for region in self.regions if (m := region.margin_percent) is not None), default=None)


_BEFORE_USE = "memory.planned_buffers.0"
"""The planned buffers as they were set up: the least that a method holds, in logs that do not tell the rest."""


def needs_of_run(run: Run, summary: CompileSummary | None = None) -> RunNeeds:
    """What the run used, as far as its log (and the compile in the same capture) tells."""
    method = _method_items(run)
    items = [*method]
    pools = run.memory.pools
    fast = pools.get("planned_fast")
    if fast is not None and fast.used_bytes:
        items.append(Item("planned fast", fast.used_bytes, "memory.pools.planned_fast.used_bytes"))
    mode = run.target.memory_mode or (summary.memory_mode if summary is not None else None)
    outside = mode is not None and _in_dram(mode)
    unknown: list[str] = []
    arena = pools.get("tensor_arena")
    if (
        not items and arena is not None and arena.used_bytes
    ):  # of TensorFlow Lite Micro: the scratch memory is a tensor in it
        items.append(Item("tensor arena", arena.used_bytes, "memory.pools.tensor_arena.used_bytes"))
        if outside:
            unknown.append("the NPU's cache in SRAM beside the arena")
        return RunNeeds(tuple(items), run.model.pte_bytes, outside, tuple(unknown))
    if not method or any(item.path == _BEFORE_USE for item in method):
        unknown.append("what else the method pool held" if method else "what the method pool held")
    if used_npu(run):
        scratch = _scratch(run, summary, outside)
        if scratch is not None:
            items.append(scratch)
        else:
            unknown.append("the NPU's scratch memory (this release does not print it)")
    return RunNeeds(tuple(items), run.model.pte_bytes, outside, tuple(unknown))


def _in_dram(mode: str) -> bool:
    from ..meaning.memory_mode import family  # few logs name a mode

    return family(mode) == "Dedicated_Sram"


def _method_items(run: Run) -> list[Item]:
    memory, pool = run.memory, run.memory.pools.get("method")
    named = (
        ("planned", memory.planned_bytes, "memory.planned_bytes"),
        ("loaded", memory.loaded_bytes, "memory.loaded_bytes"),
        ("input", memory.input_bytes, "memory.input_bytes"),
        ("executor", memory.executor_bytes, "memory.executor_bytes"),
    )
    parts = [Item(name, size, path) for name, size, path in named if size]
    used = pool.used_bytes if pool is not None else None
    if used is None:
        buffers = (
            sum(memory.planned_buffers) if memory.planned_bytes is None else 0
        )  # printed before anything is in use
        return [Item("planned", buffers, _BEFORE_USE), *parts] if buffers else parts
    rest = used - sum(part.bytes for part in parts)
    if parts and rest >= 0:
        return [*parts, *([Item("other", rest, "memory.pools.method.used_bytes")] if rest else [])]
    return [Item("method pool", used, "memory.pools.method.used_bytes")]


def used_npu(run: Run) -> bool:
    """Whether the log shows that the NPU did something."""
    return (run.pmu is not None and bool(run.pmu.npu_cycles)) or bool(run.cycles.delegations)


def _scratch(run: Run, summary: CompileSummary | None, outside: bool) -> Item | None:
    pool = run.memory.pools.get("temp")
    if pool is not None and pool.used_bytes:
        return Item("scratch", pool.used_bytes, "memory.pools.temp.used_bytes")
    planned = None
    if summary is not None:
        planned = summary.dram_used_bytes if outside else summary.sram_used_bytes
    if planned:
        return Item("scratch", planned, "compile.dram_used_bytes" if outside else "compile.sram_used_bytes")
    if pool is not None and pool.capacity_bytes:
        return Item("scratch", pool.capacity_bytes, "memory.pools.temp.capacity_bytes", exact=False)
    return None


def boards_with_npu(run: Run) -> tuple[Board, ...]:
    """The boards of the board data with the NPU of this run, without simulators; none where the NPU is not known."""
    target = run.target
    if target.npu is None:
        return ()
    from ..meaning.boards import (
        BOARDS,  # these and their checks: only where there is an NPU, which many logs do not name
    )

    return tuple(
        board
        for board in BOARDS.values()
        if board.platform == "board"
        and board.npu == target.npu
        and (target.macs is None or board.macs is None or target.macs == board.macs)
    )
