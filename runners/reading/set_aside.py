"""JSON lines that one process makes and another prints later: compressed, in a file without a name, so that memory is bounded.

How many runs stand before them is known only when they are printed, so their numbers are counted on then.
"""

from __future__ import annotations

import os
import struct
import tempfile

from ...analysis.fast.seams import counted_on
from ...analysis.named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LENGTH = struct.Struct("=Q")


class SetAside:
    """Made before the process is copied: the copy adds, the other one reads when it was told that all is there.

    Raises:
        OSError: no file can be made, or the disk is full.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  it is kept

    def add(self, lines: Sequence[str]) -> None:
        """The lines of one more block; none are counted as well."""
        record = packed(lines) if lines else b""
        self._file.write(_LENGTH.pack(len(record)))
        self._file.write(record)

    def flush(self) -> None:
        """All that was added can be read."""
        self._file.flush()

    def lines(self, skipped: int, runs: int) -> Iterator[list[str]]:
        """What was added, but for the first `skipped` blocks; `runs` more stand before all but those of the last block."""
        with self._file as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(0)
            while file.tell() < size:
                (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
                if skipped or not length:
                    skipped = max(0, skipped - 1)
                    file.seek(length, os.SEEK_CUR)
                    continue
                lines = unpacked(file.read(length))
                yield lines if file.tell() == size else [counted_on(line, runs) for line in lines]

    def close(self) -> None:
        """Nobody wants them."""
        self._file.close()


def packed(lines: Sequence[str]) -> bytes:
    """Lines as they are kept or sent: they say much the same."""
    import zstandard

    return zstandard.ZstdCompressor(level=1).compress("\n".join(lines).encode())


def unpacked(block: bytes) -> list[str]:
    """The lines of `packed`."""
    import zstandard

    return zstandard.ZstdDecompressor().decompress(block).decode().split("\n")
