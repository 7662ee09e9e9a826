"""Programs as JSON, and the differences of two files as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..named_tuple import NamedTuple
from ..report import to_dict
from ..tables import Cell, Column, Table
from .needs import BoardFit, Need
from .report import Bundle, Program

DIFFERENCE_LIMIT = 2000
_VALUE_CHARACTERS = 120
_NO_DIFFERENCE = frozenset(
    ("start_byte", "program_start_byte", "segment_base_bytes", "blocks", "checks", "reasons", "note", "title")
)
"""Where a thing stands says nothing of what it is, and a reason nothing that its verdict does not."""
_COMPILE_FLAGS = "compile_flags"  # the same as the flags of `build`, in one string


class Difference(NamedTuple):
    """The path of a fact, and its value in both files (None: not there)."""

    path: str
    first: Any
    second: Any


def program_document(
    program: Program, bundle: Bundle | None, needs: Sequence[Need], fits: Sequence[BoardFit]
) -> dict[str, Any]:
    """The JSON of a program."""
    document: dict[str, Any] = to_dict(program)
    document["cut"] = program.cut
    document["bundle"] = None if bundle is None else to_dict(bundle)
    document["memory"] = [to_dict(need) for need in needs]
    document["boards"] = [{**to_dict(fit), "reasons": list(fit.reasons)} for fit in fits]
    return document


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Difference]:
    """Facts of two documents that differ, in their order."""
    left, right = dict(_facts("", first)), dict(_facts("", second))
    found = []
    for path in (*left, *(path for path in right if path not in left)):
        if left.get(path) != right.get(path):
            found.append(Difference(path, left.get(path), right.get(path)))
            if len(found) == DIFFERENCE_LIMIT:
                break
    return found


def _facts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name not in _NO_DIFFERENCE:
                yield from _facts(f"{path}.{name}" if path else str(name), part)
    elif path.endswith(".build.flags"):
        for flag in value:
            name, _, setting = flag.partition("=")
            yield f"{path}[{name}]", setting or "given"
    elif path.endswith(".instructions"):
        yield path, ", ".join(step["operator"] or step["kind"] for step in value)
    elif isinstance(value, list) and any(isinstance(part, (Mapping, list)) for part in value):
        for index, part in enumerate(value):
            if not isinstance(part, Mapping):
                yield from _facts(f"{path}[{index}]", part)
            elif "key" in part and "value" in part:
                if part["key"] != _COMPILE_FLAGS:
                    yield f"{path}[{part['key']}]", part["value"]
            else:  # what has a name of its own keeps its path when others come and go
                name = next((part[key] for key in ("key", "board", "region", "name") if part.get(key)), index)
                yield from _facts(f"{path}[{name}]", part)
    else:
        yield path, value


def differences_table(found: Sequence[Difference], first: str, second: str) -> Table:
    """Two columns of values; nothing where the files say the same."""
    columns = (Column("What"), Column(first), Column(second))
    rows = tuple(
        (Cell(path), Cell(_text(left), _raw(left)), Cell(_text(right), _raw(right))) for path, left, right in found
    )
    note = f"Only the first {DIFFERENCE_LIMIT:,} are shown." if len(found) == DIFFERENCE_LIMIT else ""
    return Table("Differences", columns, rows, note)


def _text(value: Any) -> str:
    text = "-" if value is None else f"{value:,}" if type(value) is int else str(value)
    return text if len(text) <= _VALUE_CHARACTERS else text[: _VALUE_CHARACTERS - 1] + "\u2026"


def _raw(value: Any) -> float | str | None:
    return value if value is None or isinstance(value, (int, float, str)) else str(value)
