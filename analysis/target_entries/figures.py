"""A target's clocks and memories, each with who says so: what its entry says, and else what the board data say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..meaning.boards import BOARDS, Sourced
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..units import format_bytes, format_hz
from .inherit import Place

if TYPE_CHECKING:
    from typing import Any

_FIGURES = ("clock", "cpu_clock", "memories", "baud")


class Shown(NamedTuple):
    """One value of a target as `targets show` has it."""

    key: str
    value: Any
    text: str
    origin: str
    """The file, `shipped`, or the board."""
    source: str | None = None
    """Who says so, of a figure."""
    verified: bool | None = None
    """False for hearsay; None for what is no figure."""


def shown(place: Place) -> tuple[Shown, ...]:
    """All values of a target in a fixed order, those of its board among them."""
    found = []
    said = place.values.get("unverified", ())
    for key, value in place.values.items():
        if key in ("unverified", "source"):
            continue
        origin = place.origins[key]
        source = place.values.get("source") if origin == "shipped" else "the entry"
        board = BOARDS.get(place.values.get("board", ""))
        if key == "macs" and board is not None and origin == f"board {board.name}":
            found.append(Shown(key, value, str(value), origin, board.npu_source, board.macs_verified))
        elif key in said or key in _FIGURES:
            found.append(Shown(key, _plain(value), written(key, value), origin, source, key not in said))
        else:
            found.append(Shown(key, _plain(value), written(key, value), origin))
    return (*found, *_of_board(place))


def _of_board(place: Place) -> list[Shown]:
    board = BOARDS.get(place.values.get("board", ""))
    if board is None:
        return []
    origin = f"board {board.name}"
    found = []
    for key, figure in (("clock", board.clock_hz), ("cpu_clock", board.cpu_clock_hz)):
        if key not in place.values and figure is not None:
            found.append(Shown(key, figure.value, written(key, figure.value), origin, figure.source, figure.verified))
    if "memories" not in place.values:
        found += [
            Shown(f"memories.{name}", int(size.value), format_bytes(size.value), origin, size.source, size.verified)
            for name, size in board.memories
        ]
    if board.note:
        found.append(Shown("note", board.note, board.note, origin))
    return found


def unverified_keys(place: Place) -> tuple[str, ...]:
    """The keys of a target whose figures nobody has checked, those of its board among them."""
    keys = (value.key.partition(".")[0] for value in shown(place) if value.verified is False)
    return tuple(sorted(dict.fromkeys(keys)))


def npu_clock(name: str, own: float | None, unverified: Collection[str], board: str | None) -> Sourced | None:
    """The clock of a target's NPU with who says so; None where nobody does.

    `own` is that of its entry, `unverified` are the keys that nobody has checked, `board` is a name of the board data.
    """
    if own is not None:
        return Sourced(own, f"target {name}", "unverified" if "clock" in unverified else "source")
    known = BOARDS.get(board or "")
    return known.clock_hz if known is not None else None


def written(key: str, value: Any) -> str:
    """A value as the table has it; what is untrusted in it is cleaned where it is shown."""
    if key in ("clock", "cpu_clock"):
        return format_hz(value)
    if key == "memories":
        return ", ".join(f"{name} {format_bytes(size)}" for name, size in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(f'"{word}"' if word == "" or any(c.isspace() for c in word) else word for word in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return dict(value) if value and isinstance(value[0], tuple) else list(value)
    return dict(value) if isinstance(value, Mapping) else value
