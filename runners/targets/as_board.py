"""A target of the user's own as a board: what it says of its NPU, clocks and memories, over the board that it is built on."""

from __future__ import annotations

from ...analysis.meaning.boards import BOARDS, Board, BoardMemory, Sourced
from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError, UsageError

if TYPE_CHECKING:
    from ..target import Target


def board_from(target: Target) -> Board | None:
    """The board; None where not even its NPU is known."""
    known = BOARDS.get(target.board or "")
    npu, _, size = (target.npu_target or "").rpartition("-")
    family = npu or target.npu
    if known is None and not family:
        return None
    simulator = target.kind == "fvp"
    board = known or Board(target.name, target.title, "fvp" if simulator else "board", str(family), None, None, "")
    if family:
        macs = int(size) if size.isdigit() else board.macs if board.npu == family else None
        board = board._replace(npu=str(family), macs=macs)
    said = f"the entry of the target {target.name}"
    trust = "unverified" if "clock" in target.unverified else "source"
    if target.clock_hz is not None:
        board = board._replace(clock_hz=Sourced(target.clock_hz, said, trust))  # type: ignore[arg-type]
    if target.cpu_clock_hz is not None:
        board = board._replace(cpu_clock_hz=Sourced(target.cpu_clock_hz, said, "source"))
    if target.memories:
        checked = "unverified" if "memories" in target.unverified else "source"
        rows = tuple(BoardMemory(name, Sourced(size, said, checked)) for name, size in target.memories)  # type: ignore[arg-type]
        board = board._replace(memories=rows)
    return board._replace(name=target.name, title=target.title or board.title)


def own_board(name: str) -> Board | None:
    """The target of this name as a board; None where there is none, or nothing of its NPU is known.

    Raises:
        InputError: its entry is wrong.
    """
    from .catalogue import Catalogue

    try:
        return board_from(Catalogue().target(name))
    except UsageError:
        return None


def own_boards() -> tuple[Board, ...]:
    """All targets of the user's own that can be taken for a board; entries with mistakes in them are left out."""
    from .catalogue import Catalogue

    found = []
    catalogue = Catalogue()
    for name, layer in catalogue.names():
        if layer == "shipped":
            continue
        try:
            board = board_from(catalogue.target(name))
        except (InputError, UsageError):
            continue
        if board is not None:
            found.append(board)
    return tuple(found)
