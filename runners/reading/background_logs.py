"""Reading many logs beside the screen: a process of ours reads one after the other and tells what it has found so far.

As in `background`, a thread of the dashboard would hold the interpreter while keys wait.  The child
(`reading/background_logs_child`) takes the paths from its standard input, as there may be more than an argument list holds.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...analysis.rows import Outside
from ...analysis.rows.store import Packed
from ..own_python import own_python
from .background import ReadBeside

if TYPE_CHECKING:
    from collections.abc import Sequence

SEPARATOR = b"\0"
"""Between paths: no name has it."""


class LogsNews(NamedTuple):
    """What was found since the last frame."""

    inputs_done: int
    logs_done: int
    """More than inputs where those are archives."""
    lines_done: int
    rows: Packed
    outside: tuple[Outside, ...]
    """As `RunStore.outside`: errors that belong to no run."""
    remarks: tuple[str, ...]
    """What is to be said of inputs: what could not be read, and why."""


class BackgroundLogs(ReadBeside):
    """The reading of many logs."""

    AGAIN = "open them again to read them all"

    def __init__(self, paths: Sequence[str]) -> None:
        """Raises:
        OSError: there is no process to be had.
        """
        import subprocess

        self.paths = tuple(os.path.expanduser(path) for path in paths)
        self.inputs_done = 0
        self.logs_done = 0
        self.lines_done = 0
        self.remarks: list[str] = []
        super().__init__(own_python(".runners.reading.background_logs_child"), stdin=subprocess.PIPE)

    def follow(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(SEPARATOR.join(os.fsencode(path) for path in self.paths))
        super().follow()

    def take(self, frame: object) -> None:
        if isinstance(frame, LogsNews):
            self.remarks += frame.remarks
            self.rows.outside += frame.outside
            self.inputs_done, self.logs_done, self.lines_done = frame[:3]
            self.rows.extend(frame.rows)
            self.rows.captures = max(self.logs_done, min(1, self.rows.count))  # one that is being read is not done

    def ended_early(self, how: str) -> str:
        return f"the process that reads the logs {how} after {self.inputs_done:,} of {len(self.paths):,}"
