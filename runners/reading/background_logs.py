"""Reading many logs beside the screen: a process of ours reads one after the other and tells what it has found so far.

As in `background`, a thread of the dashboard would hold the interpreter while keys wait.  The child
(`reading/background_logs_child`) takes the paths from its standard input, as there may be more than an argument list holds.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...analysis.row_store import Packed, RunStore
from ..own_python import own_python
from .background import Done, frames

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
    outside: tuple[tuple[str, str, str, int | None], ...]
    """As `RunStore.outside`: errors that belong to no run."""
    remarks: tuple[str, ...]
    """What is to be said of inputs: what could not be read, and why."""


class BackgroundLogs:
    """The reading of many logs, from our side; `follow()` in a thread, the rest from anywhere."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Raises:
        OSError: there is no process to be had.
        """
        import subprocess  # here, as the child loads this module too

        self.paths = tuple(os.path.expanduser(path) for path in paths)
        self.rows = RunStore()
        self.inputs_done = 0
        self.logs_done = 0
        self.lines_done = 0
        self.remarks: list[str] = []
        self.done: Done | None = None
        self._stopped = False
        self._process = subprocess.Popen(
            own_python(".runners.reading.background_logs_child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C at the terminal is a key of the dashboard
        )

    @property
    def pid(self) -> int:
        """Of the process that reads."""
        return self._process.pid

    def follow(self) -> None:
        """Take in what the child says until it has ended; `done` is set then."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(SEPARATOR.join(os.fsencode(path) for path in self.paths))
        done: Done | None = None
        with self._process.stdout as answers:
            for frame in frames(answers):
                if isinstance(frame, LogsNews):
                    self._take(frame)
                elif isinstance(frame, Done):
                    done = frame
        code = self._process.wait()
        self.done = done or Done(
            None, self._end_of(code), "what is listed was read before; open them again to read all"
        )

    def _take(self, news: LogsNews) -> None:
        self.remarks += news.remarks
        self.rows.outside += news.outside
        self.inputs_done, self.logs_done, self.lines_done = news[:3]
        self.rows.extend(news.rows)

    def _end_of(self, code: int) -> str:
        how = f"was killed (signal {-code})" if code < 0 else f"ended with status {code}"
        said = f"the process that reads the logs {how} after {self.inputs_done:,} of {len(self.paths):,}"
        return "" if self._stopped else said

    def stop(self) -> None:
        """End the child; what was read stays."""
        self._stopped = True
        with suppress(ProcessLookupError):
            self._process.kill()

    def close(self) -> None:
        """Nobody looks any more."""
        self.stop()
