"""Logs of GNU Screen that stamps silence: where nothing came for two minutes, the time goes into the log, also in the middle of a line."""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import compiled
from .joined_rows import JoinedRows

_STAMP = r"-- \d{1,4}:\S{0,80} -- time-stamp -- [A-Z][a-z]{2}/\d\d/\d\d {1,2}\d{1,2}:\d\d:\d\d --\r?\Z"


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[ScreenLog]:
    """The decoder; no other program stamps a log so."""
    return ScreenLog


class ScreenLog(JoinedRows):
    """Joins the lines that a stamp stands in; one on a line of its own stays there.

    Example:
        >>> ScreenLog().decode(b"one-- 0:tty -- time-stamp -- Feb/03/31  4:05:06 --\\n two\\nthree\\n", True)
        'one two\\n\\nthree\\n'
    """

    def __init__(self) -> None:
        super().__init__("\n")

    def _above(self, row: str) -> str:
        stamp = compiled(_STAMP).search(row) if " -- time-stamp -- " in row else None
        if not self._open:
            self._parts = []
            return f"{row}\n" if stamp is None or not stamp.start() else self._begin(row[: stamp.start()])
        self._go_on(row if stamp is None else row[: stamp.start()])
        return self._ended() if stamp is None else ""
