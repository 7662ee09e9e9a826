"""The process that reads many logs for the dashboard (see `background_logs`): paths from its input to frames on its output."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING
from .background import Done
from .background_child import GARBAGE_AFTER, Pace, send
from .background_logs import SEPARATOR, LogsNews
from .gather import gather
from .harvest import Harvest, Outlets, Remark
from .settings import ReadSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

    from ...analysis.report import Capture
    from ...analysis.rows import RunRow

FULL_RUNS = 1


def main() -> None:
    """What the child does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(GARBAGE_AFTER)
    paths = [os.fsdecode(path) for path in sys.stdin.buffer.read().split(SEPARATOR) if path]
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb", buffering=0) as out:
        try:
            _Telling(out).read_all(paths)
        except MemoryError:
            send(out, Done(None, "there is not enough memory to continue reading", "close other programs"))


class _Telling(Harvest):
    """Keeps nothing whole, and tells of rows as they come: a large log may be among them."""

    def __init__(self, out: IO[bytes]) -> None:
        super().__init__(ReadSettings(full_runs=FULL_RUNS), 0, Outlets(self._remarked, self._counted))
        self._out = out
        self._inputs = self._lines = 0
        self._pace = Pace()

    def read_all(self, paths: Sequence[str]) -> None:
        """One after the other, to the end."""
        for path in paths:
            gather(path, self)
            self._inputs += 1
            self._tell_now_and_then()
        self._tell()
        send(self._out, Done(None, ""))

    def keep(self, rows: Sequence[RunRow]) -> None:
        super().keep(rows)
        self._tell_now_and_then()

    def _remarked(self, remark: Remark) -> None:
        if remark.code:  # a note on what was read all the same is for its report
            self.remarks.append(remark)

    def _counted(self, capture: Capture) -> None:
        self._lines += capture.lines

    def _tell_now_and_then(self) -> None:
        if self._pace.is_due(self.store.count):
            self._tell()

    def _tell(self) -> None:
        outside, remarks = tuple(self.store.outside), tuple(remark.text for remark in self.remarks)
        self.store.outside.clear()
        self.remarks.clear()
        send(self._out, LogsNews(self._inputs, self.store.captures, self._lines, self.store.take(), outside, remarks))
