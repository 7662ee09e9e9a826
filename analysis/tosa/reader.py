"""A TOSA graph from its bytes: operators, tensors, shapes and where each operator comes from.

Any bytes give a report or one `TosaError`, in time and memory that grow with their number only; constants are measured
where they stand, never copied.
"""

from __future__ import annotations

from struct import error as StructError

from ..flat.buffer import I32, U8, U32, U64, Buffer, Damaged, TableAt
from ..named_tuple import NamedTuple
from .names import DTYPES, OPERATORS

IDENTIFIER = b"TOSA"
LOCATION_LIMIT_BYTES = 65536
"""Bytes of one operator's location that are kept: ExecuTorch writes JSON there, with the module path and source line."""
_RANK_LIMIT = 64


class TosaError(ValueError):
    """The bytes are no TOSA graph, or cannot be read; the message is one sentence."""


class TosaTensor(NamedTuple):
    """A tensor; `data_bytes` is the size of its constant data, None for one that is computed."""

    name: str
    shape: tuple[int, ...] | None
    """None where the graph leaves the rank open."""
    dtype: str
    data_bytes: int | None
    variable: bool


class TosaShape(NamedTuple):
    """A shape that operators take as a value."""

    name: str
    rank: int
    data_bytes: int | None


class TosaOperator(NamedTuple):
    """An operator; `index` counts in its block, and is Vela's `ext_key`."""

    index: int  # type: ignore[assignment]
    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    location: str | None
    """What the front end wrote of its origin, or None."""


class TosaBlock(NamedTuple):
    """A basic block of a region."""

    region: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    operators: tuple[TosaOperator, ...]
    tensors: tuple[TosaTensor, ...]
    shapes: tuple[TosaShape, ...]


class TosaGraph(NamedTuple):
    """A graph."""

    bytes: int
    version: str
    """Of the specification that it is written by, such as "1.0.0", with "d" behind it for a draft."""
    blocks: tuple[TosaBlock, ...]

    @property
    def constant_bytes(self) -> int:
        """Data of all constants."""
        return sum(t.data_bytes or 0 for block in self.blocks for t in block.tensors)


def read_tosa(data: bytes) -> TosaGraph:
    """The graph in these bytes.

    Raises:
        TosaError: it is none, or it is cut or damaged.
    """
    if len(data) < 8 or data[4:8] != IDENTIFIER:
        raise TosaError("it is no TOSA graph: the identifier TOSA is not at byte 4")
    buffer = Buffer(data)
    where = "its root"
    try:
        root = buffer.table(U32.unpack_from(data)[0])
        version = _version(buffer, buffer.child(root, 0))
        blocks = []
        for region in buffer.tables(root, 1):
            name = buffer.text(region, 0)
            for block in buffer.tables(region, 1):
                where = f"block {buffer.text(block, 0)} of region {name}"
                blocks.append(_block(buffer, name, block))
    except (Damaged, StructError):
        raise TosaError(f"the TOSA graph is cut or damaged: {where} cannot be read") from None
    return TosaGraph(len(data), version, tuple(blocks))


def _version(buffer: Buffer, table: TableAt | None) -> str:
    if table is None:
        raise Damaged
    numbers = ".".join(str(buffer.number(table, slot, I32, -1)) for slot in range(3))
    return numbers + ("d" if buffer.number(table, 3, U8, 1) else "")


def _block(buffer: Buffer, region: str, block: TableAt) -> TosaBlock:
    return TosaBlock(
        region,
        buffer.text(block, 0),
        buffer.texts(block, 3),
        buffer.texts(block, 4),
        tuple(_operator(buffer, index, table) for index, table in enumerate(buffer.tables(block, 1))),
        tuple(_tensor(buffer, table) for table in buffer.tables(block, 2)),
        tuple(
            TosaShape(buffer.text(table, 0), buffer.number(table, 1, U32, 0), _data_bytes(buffer, table, 2))
            for table in buffer.tables(block, 5)
        ),
    )


def _operator(buffer: Buffer, index: int, table: TableAt) -> TosaOperator:
    number = buffer.number(table, 0, U32, 0)
    location = buffer.child(table, 5)
    return TosaOperator(
        index,
        OPERATORS[number] if number < len(OPERATORS) else f"operator {number}",
        buffer.texts(table, 3),
        buffer.texts(table, 4),
        (buffer.text(location, 0, LOCATION_LIMIT_BYTES) or None) if location is not None else None,
    )


def _tensor(buffer: Buffer, table: TableAt) -> TosaTensor:
    number = buffer.number(table, 2, U32, 0)
    unranked = bool(buffer.number(table, 5, U8, 0))
    outside = buffer.number(table, 8, U64, 0) if buffer.number(table, 7, U64, 0) > 1 else None
    return TosaTensor(
        buffer.text(table, 0),
        None if unranked else buffer.numbers(table, 1, "i", _RANK_LIMIT),
        DTYPES[number] if number < len(DTYPES) else f"type {number}",
        outside if outside is not None else _data_bytes(buffer, table, 3),
        bool(buffer.number(table, 4, U8, 0)),
    )


def _data_bytes(buffer: Buffer, table: TableAt, slot: int) -> int | None:
    return buffer.count(table, slot, 1) or None
