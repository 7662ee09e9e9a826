"""One board against what a run needs: the NPU, the RAM of all pools together or apart, and where the program is kept."""

from __future__ import annotations

from collections.abc import Sequence

from ..meaning.boards import Board
from ..meaning.npu import families
from ..program.needs import OTHER_RAM, SRAM, STORAGE, WORST_FIRST, Check, one_memory, worst_fit
from ..report import Run
from ..units import format_bytes
from .of_run import Item, RegionFit, RunFit, RunNeeds, used_npu

_OUTSIDE = ("scratch", "tensor arena")
"""What is kept in DRAM where the scratch memory is."""


def fit_on(run: Run, board: Board, needs: RunNeeds) -> RunFit:
    """Whether this run would fit on this board."""
    regions = [RegionFit("NPU", _npu(run, board))]
    if regions[0].check.fit != "does not fit":
        regions += [RegionFit("RAM", check) for check in _ram(board, needs)]
        regions.append(RegionFit("program", _program(board, needs)))
    worst = worst_fit(region.check.fit for region in regions)
    return RunFit(board, worst, tuple(sorted(regions, key=lambda region: WORST_FIRST.index(region.check.fit))))


def _npu(run: Run, board: Board) -> Check:
    target = run.target
    if target.npu is None and board.npu not in families(run):
        return Check(
            "does not fit", f"its counters are those of an {' or '.join(families(run))}, the board has {board.npu_name}"
        )
    if target.npu is None:
        return Check(
            "cannot tell" if used_npu(run) else "fits", f"the log does not name the NPU; the board has {board.npu_name}"
        )
    ran = target.name or target.npu
    macs = target.macs is not None and board.macs is not None and target.macs != board.macs
    if target.npu != board.npu or macs:
        return Check("does not fit", f"it was compiled for {ran}, the board has {board.npu_name}")
    return Check("fits", f"it was compiled for {ran}")


def _ram(board: Board, needs: RunNeeds) -> list[Check]:
    """The RAM of all pools together in one memory, or the scratch where the NPU wants it and the rest beside it."""
    if not needs.items:
        return [Check("cannot tell", "the log does not tell how much memory the run used")]
    scratch = [item for item in needs.items if item.name in _OUTSIDE]
    if needs.scratch_outside and scratch:
        rest = tuple(item for item in needs.items if item.name not in _OUTSIDE)
        outside = [_bounded(scratch, f"{scratch[0].name} in DRAM", board, ("ddr",), (), board.platform == "fvp")]
        return outside + ([_bounded(rest, "pools", board, SRAM, needs.unknown, False)] if rest else [])
    names = (*SRAM, "ddr") if board.platform == "fvp" else SRAM
    whole = _bounded(needs.items, "all pools", board, names, needs.unknown, board.platform == "fvp")
    checks = [whole]
    if whole.fit != "fits":
        beside = tuple(item for item in needs.items if item.name != "scratch")
        if scratch and scratch[0].exact and scratch[0].name == "scratch":
            alone = one_memory(scratch[0].bytes, "scratch", board, SRAM, complete=True)
            if alone.fit == "does not fit":
                return [alone]
            apart = (
                _bounded(beside, "pools without scratch", board, OTHER_RAM, needs.unknown, False) if beside else None
            )
            if apart is not None and apart.fit == "fits":
                return [alone, apart]
    return checks


def _bounded(
    items: Sequence[Item], what: str, board: Board, names: tuple[str, ...], unknown: tuple[str, ...], complete: bool
) -> Check:
    """The check at the lower bound where that fails, and else at the upper one."""
    least = sum(item.bytes for item in items if item.exact)
    most = sum(item.bytes for item in items)
    low = one_memory(least, what, board, names, complete=complete)
    if low.fit != "fits":
        return low
    if unknown:
        return low._replace(fit="cannot tell", reason=f"{low.reason}; not known: {', '.join(unknown)}")
    if most == least:
        return low
    high = one_memory(most, f"{what} at most", board, names, complete=complete)
    if high.fit == "fits":
        return high
    return Check(
        "cannot tell",
        f"{what}: {format_bytes(least)} to {format_bytes(most)}, {high.reason.partition(', ')[2]}",
        least,
        high.available_bytes,
    )


def _program(board: Board, needs: RunNeeds) -> Check:
    if needs.program_bytes is None:
        return Check("cannot tell", "the log does not tell the size of the program")
    complete = board.platform == "fvp"
    stored = one_memory(needs.program_bytes, "program", board, STORAGE, complete=complete)
    if stored.fit == "fits" or needs.most_bytes is None:
        return stored
    both = one_memory(needs.program_bytes + needs.most_bytes, "program and pools", board, SRAM, complete=False)
    return both if both.fit == "fits" else stored
