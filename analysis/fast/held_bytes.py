"""Bytes that wait for the end of the run that they begin, since a layout is held against whole runs."""

from __future__ import annotations

END_BYTES = 512
"""How much of the newest bytes is known without joining all: no less than the first line of a run."""


class HeldBytes:
    """Pieces of a capture in their order; joined once, when the run's end was seen."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size_bytes = 0
        self.end = b""
        """The newest `END_BYTES` of them, in which the first line of the next run may have begun."""

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def hold(self, data: bytes) -> None:
        """Keep the next bytes."""
        self._pieces.append(data)
        self.size_bytes += len(data)
        self.end = (self.end + data[-END_BYTES:])[-END_BYTES:]

    def let_go(self) -> bytes:
        """All that was held; nothing is held afterwards."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        self.size_bytes, self.end = 0, b""
        return data
