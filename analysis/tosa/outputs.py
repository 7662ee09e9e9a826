"""A TOSA graph that also gives out tensors from its middle: the same bytes with a longer list of outputs behind them.

FlatBuffer offsets point forward, so a new list is put at the end and the block's field is turned to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import error as StructError

from ..flat.buffer import U32, Buffer, Damaged
from .reader import TosaError, read_tosa

_OUTPUTS = 4
"""The field of a block that lists its outputs."""


def with_outputs(data: bytes, names: Sequence[str]) -> bytes:
    """The graph whose first block gives out these tensors after its own outputs, each once.

    Raises:
        TosaError: it is no graph, or has no such tensor.
    """
    block = read_tosa(data).blocks[0]
    unknown = set(names) - {tensor.name for tensor in block.tensors}
    if unknown:
        raise TosaError(f"the TOSA graph has no tensor {min(unknown)}")
    wanted = list(dict.fromkeys((*block.outputs, *names)))
    buffer = Buffer(data)
    try:
        root = buffer.table(U32.unpack_from(data)[0])
        place, fields = buffer.tables(buffer.tables(root, 1)[0], 1)[0]
        at = place + fields[_OUTPUTS]
        if not fields[_OUTPUTS]:
            raise Damaged
    except (Damaged, StructError, IndexError):
        raise TosaError("the TOSA graph has no outputs") from None
    made = bytearray(data)
    made += bytes(-len(made) % 4)
    start = len(made)
    U32.pack_into(made, at, start - at)
    made += U32.pack(len(wanted)) + bytes(4 * len(wanted))
    for number, name in enumerate(wanted, 1):
        entry = start + 4 * number
        U32.pack_into(made, entry, len(made) - entry)
        text = name.encode()
        made += U32.pack(len(text)) + text + bytes(4 - len(text) % 4)
    return bytes(made)
