"""The binary stream that ExecuTorch makes of Vela's output: blocks of 16 bytes' alignment between a head and a foot.

A block's header is 32 bytes: a name of 16, the length of the data, a flag for data kept elsewhere, and 11 reserved.
"""

from __future__ import annotations

from struct import Struct

from ..lines import clean
from .report import VelaBlock, VelaStream, VelaTensor

HEAD = b"vela_bin_stream"
FOOT = "vela_end_stream"
_HEADER = Struct("<16sIB")
_HEADER_BYTES = 32
_BLOCK_LIMIT = 256
_TENSOR_LIMIT = 4096
_TENSOR = Struct("<9i")
_COUNT = Struct("<i")
_SIZE = Struct("<I")


class VelaStreamError(ValueError):
    """The stream cannot be read; the message is one sentence."""


def read_stream(data: bytes, start: int, end: int) -> VelaStream:
    """The stream that stands between these bytes of the data.

    Raises:
        VelaStreamError: it is cut, damaged, or none.
    """
    if not data.startswith(HEAD, start, end):
        raise VelaStreamError("the data do not begin with vela_bin_stream")
    blocks: list[VelaBlock] = []
    places: dict[str, tuple[int, int]] = {}
    at = start
    while not blocks or blocks[-1].name != FOOT:
        if end - at < _HEADER_BYTES:
            raise VelaStreamError(f"the Vela stream is cut off after {len(blocks)} blocks, before vela_end_stream")
        if len(blocks) == _BLOCK_LIMIT:
            raise VelaStreamError(f"the Vela stream has over {_BLOCK_LIMIT} blocks")
        raw, size, external = _HEADER.unpack_from(data, at)
        name = clean(raw.split(b"\0", 1)[0].decode("ascii", "replace"))
        at += _HEADER_BYTES
        if size > end - at:
            raise VelaStreamError(f"block {name} of the Vela stream announces {size:,} bytes, {end - at:,} are there")
        blocks.append(VelaBlock(name, at - start, size, bool(external)))
        if not external:
            places.setdefault(name, (at, size))
        at += -(-size // 16) * 16
    scratch = places.get("scratch_size")
    return VelaStream(
        tuple(blocks),
        _size(places.get("cmd_data")),
        _size(places.get("weight_data")),
        None if scratch is None or scratch[1] < 4 else int(_SIZE.unpack_from(data, scratch[0])[0]),
        _tensors(data, places.get("inputs"), "inputs"),
        _tensors(data, places.get("outputs"), "outputs"),
    )


def _size(place: tuple[int, int] | None) -> int | None:
    return None if place is None else place[1]


def _tensors(data: bytes, place: tuple[int, int] | None, name: str) -> tuple[VelaTensor, ...]:
    if place is None:
        return ()
    start, size = place
    count = int(_COUNT.unpack_from(data, start)[0]) if size >= 4 else -1
    if not 0 <= count <= min(_TENSOR_LIMIT, (size - 4) // _TENSOR.size):
        raise VelaStreamError(f"block {name} of the Vela stream does not hold as many tensors as it says")
    found = []
    for index in range(count):
        *shape, element, offset, region = _TENSOR.unpack_from(data, start + 4 + index * _TENSOR.size)
        total = element
        for length in shape:
            total *= length
        found.append(VelaTensor(tuple(shape), element, offset, region, max(total, 0)))
    return tuple(found)
