"""Checks that the bytes of a TensorFlow Lite model are whole, as far as a compiler follows them. Nothing else is read
from it.
"""

from __future__ import annotations

from struct import error as StructError

from ..flat.buffer import U32, Buffer, Damaged, TableAt

IDENTIFIER = b"TFL3"
_SHAPE, _NAME = 0, 3
_INPUTS, _OUTPUTS = 1, 2


class TfliteError(ValueError):
    """The bytes are no TensorFlow Lite model, or cannot be read; the message is one sentence."""


def check_tflite(data: bytes) -> None:
    """Check that every table, name, shape and constant lies inside the data. The time grows with the size of the data
    only.

    Raises:
        TfliteError: it is no model, or it is cut or damaged.
    """
    if len(data) < 8 or data[4:8] != IDENTIFIER:
        raise TfliteError("it is no TensorFlow Lite model: the identifier TFL3 is not at byte 4")
    buffer = Buffer(data)
    where = "its root"
    try:
        root = buffer.table(U32.unpack_from(data)[0])
        buffer.tables(root, 1)
        where = "its constants"
        for constant in buffer.tables(root, 4):
            buffer.count(constant, 0, 1)
        for number, graph in enumerate(buffer.tables(root, 2)):
            where = f"subgraph {number}"
            _check_graph(buffer, graph)
    except (Damaged, StructError):
        raise TfliteError(f"the TensorFlow Lite model is cut or damaged: {where} cannot be read") from None


def _check_graph(buffer: Buffer, graph: TableAt) -> None:
    for tensor in buffer.tables(graph, 0):
        buffer.count(tensor, _SHAPE, 4)
        buffer.count(tensor, _NAME, 1)
    for operator in buffer.tables(graph, 3):
        buffer.count(operator, _INPUTS, 4)
        buffer.count(operator, _OUTPUTS, 4)
