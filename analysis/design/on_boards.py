"""The best configuration for each known board, as far as its memories are known.

A system config describes the clocks and memories of a board, so nobody can choose one for a given board. Of the
compiled system configs, the one with the clock nearest to the board's is taken. What remains to be chosen is the memory
mode, the arena limit, what Vela optimises for, and on a simulator, which has them all, the MACs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ..meaning.boards import BOARDS, Board
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..program.needs import SRAM, STORAGE, Check, one_memory, worst_fit
from ..targets import TARGETS
from .candidates import Candidate
from .objectives import Objective, best

if TYPE_CHECKING:
    from typing import Literal

    OnBoard = Literal["fits", "does not fit", "cannot tell", "not compiled"]


class BoardAnswer(NamedTuple):
    """What to take for one board; `place` is that of the candidate, or None if none is for its NPU or none fits."""

    board: str
    title: str
    fit: OnBoard
    place: int | None
    reason: str
    """What decides: what does not fit, or what is not known; empty where it fits."""
    clock_hz: float | None
    """The clock of the board's NPU where it is known; Vela's time is at that of the system config."""


def best_per_board(
    candidates: Sequence[Candidate], objective: Objective, boards: Iterable[Board] = ()
) -> tuple[BoardAnswer, ...]:
    """An answer for each board that we know, or for each of the given ones.

    A configuration that fits comes before one of which that is not known. Firmware and the runner's own pools are not
    counted.
    """
    return tuple(_answer(candidates, objective, board) for board in boards or BOARDS.values())


def _answer(candidates: Sequence[Candidate], objective: Objective, board: Board) -> BoardAnswer:
    clock = board.clock_hz.value if board.clock_hz is not None and board.clock_hz.verified else None
    here = [place for place, candidate in enumerate(candidates) if is_for(candidate, board)]
    here = [place for place in here if candidates[place].sram_bytes is not None]
    if not here:
        return BoardAnswer(
            board.name, board.title, "not compiled", None, f"nothing was compiled for {board.npu_name}", clock
        )
    if clock is not None:
        here = _nearest(candidates, here, clock)
    checks = {place: tuple(checks_on(candidates[place], board)) for place in here}
    verdicts: tuple[OnBoard, ...] = ("fits", "cannot tell")
    for verdict in verdicts:
        fitting = [place for place in here if worst_fit(check.fit for check in checks[place]) == verdict]
        place = best(candidates, fitting, objective)
        if place is not None:
            reason = "; ".join(check.reason for check in checks[place] if check.fit != "fits")
            return BoardAnswer(board.name, board.title, verdict, place, reason, clock)
    least = min(here, key=lambda place: candidates[place].need("sram") or 0)
    reason = "; ".join(check.reason for check in checks[least] if check.fit == "does not fit")
    return BoardAnswer(board.name, board.title, "does not fit", None, reason, clock)


def is_for(candidate: Candidate, board: Board) -> bool:
    """Whether it was compiled for the NPU of this board."""
    target = TARGETS.get(candidate.target)
    return target is not None and target.npu == board.npu and board.macs in (None, target.macs)


def _nearest(candidates: Sequence[Candidate], places: list[int], clock: float) -> list[int]:
    """Those of the system config whose clock is nearest to this one, in ratio."""
    clocks = {c.core_clock_hz for place in places if (c := candidates[place]).core_clock_hz}
    if not clocks:
        return places
    nearest = min(clocks, key=lambda one: abs(math.log(one / clock)))
    return [place for place in places if candidates[place].core_clock_hz == nearest]


def checks_on(candidate: Candidate, board: Board) -> Iterator[Check]:
    """Each memory that the configuration needs, checked against the board's, as `inspect` does for a program."""
    simulator = board.platform == "fvp"
    what = "arena and weights" if candidate.weights_in_sram else "arena"
    sram, dram, stored = candidate.need("sram"), candidate.need("dram"), candidate.need("flash")
    if sram is None:
        yield Check("cannot tell", f"how much SRAM the {what} needs is not known")
    else:
        yield one_memory(sram, "cache" if candidate.arena_in_dram else what, board, SRAM, complete=True)
    if candidate.arena_in_dram and dram:
        yield one_memory(dram, "arena and weights in DRAM", board, ("ddr",), complete=simulator)
    if stored is None:
        yield Check("cannot tell", "the size of the program is not known")
    else:
        yield one_memory(stored, "program", board, STORAGE, complete=simulator)
