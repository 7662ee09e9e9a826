"""Board fits as tables: region by region for a board that was chosen, or a line for each board that could be."""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING
from ..program.needs import VERDICT_TONES
from ..report import Run
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_hz
from .of_run import LEVERS, RunFit, RunNeeds
from .on_boards import fit_on

if TYPE_CHECKING:
    from ..meaning.boards import Board
    from ..program.needs import Check

_ON_TOP = "Firmware and stack come on top."


def board_table(run: Run, needs: RunNeeds, board: Board) -> Table:
    """Each region of one board, with the biggest contributor and the first thing to try."""
    found = fit_on(run, board, needs)
    biggest = needs.biggest
    notes = [f"{board.title}."]
    if biggest is not None:
        notes.append(f"Most of the RAM is {needs.most_words}.")
        if found.fit != "fits" and biggest.name in LEVERS:
            notes.append(f"To try: {LEVERS[biggest.name]}.")
    notes += [f"Not known: {', '.join(needs.unknown)}."] if needs.unknown else []
    regions = [(region.region, region.check) for region in found.regions]
    return checks_table(board.name, found.fit, regions, " ".join((*notes, _ON_TOP)))


def checks_table(board: str, fit: str, regions: Sequence[tuple[str, Check]], note: str) -> Table:
    """What is needed and what there is, by region."""
    columns = (
        Column("Region"), Column("Needs", "right"), Column("Room", "right"), Column("Left", "right"), Column("Verdict"),
        Column("Because", least=20),
    )  # fmt: skip
    rows = []
    for region, check in regions:
        need, room = check.needed_bytes, check.available_bytes
        left = room - need if need is not None and room is not None else None
        percent = f" ({100 * left / room:.0f} %)" if left is not None and room else ""
        rows.append(
            (
                Cell(region, region),
                Cell(format_bytes(need), need),
                Cell(format_bytes(room), room),
                Cell(format_bytes(left) + percent, left, None, "bad" if left is not None and left < 0 else ""),
                Cell(check.fit, check.fit, None, VERDICT_TONES[check.fit]),
                Cell(check.reason, None),
            )
        )
    return Table(f"On {board}: {fit}", columns, tuple(rows), note)


def boards_table(run: Run, needs: RunNeeds, boards: Sequence[Board]) -> Table:
    """A line for each board: verdict, smallest margin, and what decides."""
    fits = sorted((fit_on(run, board, needs) for board in boards), key=_order)
    columns = (
        Column("Board"), Column("NPU"), Column("Clock", "right"), Column("Verdict"), Column("Left", "right"),
        Column("Because", least=20),
    )  # fmt: skip
    return Table("Known boards", columns, tuple(_board_row(found) for found in fits), _ON_TOP if fits else "")


def clock_cell(board: Board) -> Cell:
    """The clock of its NPU, with a "?" where nobody has checked the figure."""
    clock = board.clock_hz
    if clock is None:
        return Cell(format_hz(None))
    return Cell(format_hz(clock.value) + ("" if clock.verified else "?"), clock.value)


def _order(found: RunFit) -> tuple[int, float]:
    return ("fits", "cannot tell", "does not fit").index(found.fit), -(found.margin_percent or 0.0)


def _board_row(found: RunFit) -> tuple[Cell, ...]:
    board, margin = found.board, found.margin_percent
    return (
        Cell(board.name, board.name),
        Cell(board.npu_name, board.npu_name),
        clock_cell(board),
        Cell(found.fit, found.fit, None, VERDICT_TONES[found.fit]),
        Cell(f"{margin:.0f} %" if margin is not None and found.fit != "cannot tell" else "-", margin),
        Cell(found.reason, None),
    )
