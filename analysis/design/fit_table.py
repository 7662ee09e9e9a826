"""Whether one compiled configuration fits on a board, as a table: a line for each memory of one board, or for each
board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..fit.tables import checks_table, clock_cell
from ..meaning.boards import BOARDS, Board
from ..named_tuple import TYPE_CHECKING
from ..program.needs import VERDICT_TONES, WORST_FIRST, Check
from ..report import CompileSummary
from ..tables import Cell, Column, Table
from ..units import whole_of
from .candidates import Candidate
from .on_boards import checks_on, is_for

if TYPE_CHECKING:
    from typing import Any

_ON_TOP = "Vela's estimate; the runner's pools and firmware come on top."


def candidate_of(entry: Mapping[str, Any], summary: CompileSummary) -> Candidate:
    """The configuration of a checked compile result, or of Vela's summary if there is no result."""
    target = str(entry.get("target") or summary.accelerator or "")
    one = Candidate("", target, summary.system_config, summary.memory_mode)
    return one.with_figures(summary, whole_of(entry.get("pte_bytes")))


def worst_of(checks: Sequence[Check]) -> Check:
    """The check that decides: the one with the worst verdict, and among those the one with the smallest margin."""
    return min(checks, key=lambda check: (WORST_FIRST.index(check.fit), free(check)))


def free(check: Check) -> float:
    """The share of the memory that stays free; 1 if nothing is compared."""
    if check.needed_bytes is None or not check.available_bytes:
        return 1.0
    return (check.available_bytes - check.needed_bytes) / check.available_bytes


def compile_board_table(entry: Mapping[str, Any], summary: CompileSummary, board: Board | None) -> Table:
    """The memories of this board, or a line for each board with the NPU that the program was compiled for."""
    one = candidate_of(entry, summary)
    if board is not None:
        if not is_for(one, board):
            check = Check("does not fit", f"it was compiled for {one.target}, the board has {board.npu_name}")
            return checks_table(board.name, check.fit, [("NPU", check)], f"{board.title}. {_ON_TOP}")
        checks = list(checks_on(one, board))
        named = [(check.reason.partition(":")[0] if check.needed_bytes is not None else "-", check) for check in checks]
        return checks_table(board.name, worst_of(checks).fit, named, f"{board.title}. {_ON_TOP}")
    columns = (
        Column("Board"), Column("Clock", "right"), Column("Verdict"), Column("Left", "right"), Column("Because", least=20),
    )  # fmt: skip
    boards = [known for known in BOARDS.values() if known.platform == "board" and is_for(one, known)]
    rows = []
    for known in boards:
        checks = list(checks_on(one, known))
        worst = worst_of(checks)
        reason = "; ".join(check.reason for check in checks if check.fit == worst.fit)
        left = 100 * free(worst)
        rows.append(
            (
                Cell(known.name, known.name),
                clock_cell(known),
                Cell(worst.fit, worst.fit, None, VERDICT_TONES[worst.fit]),
                Cell(f"{left:.0f} %" if worst.fit != "cannot tell" else "-", left),
                Cell(reason),
            )
        )
    return Table(
        "Known boards with this NPU", columns, tuple(rows), _ON_TOP if rows else "No known board has this NPU."
    )
