"""Commands that a run wants before or after it: flash tools, resets, power switches.

A hook is an argv with placeholders, never shell text.  Its output is kept in a file of the run folder and handed on as
progress; its process group is emptied on every way out, as that of any job.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..analysis.splitter import LineSplitter
from .job import Chunk, Exit, Progress, Started, UsageError
from .process import Limits, ProcessJob

TIME_LIMIT_SECONDS = 600.0
"""For a hook that never ends: the slowest flash tools take minutes."""

_LAST_LINES = 5
_SHOWN_CHARACTERS = 400


def words(command: str, option: str) -> tuple[str, ...]:
    """A command as somebody typed it, taken apart as a shell would, and never given to one.

    Raises:
        UsageError: a quotation mark is missing, or there is nothing.
    """
    try:
        found = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{option} {command} cannot be taken apart ({error})", "close the quotation mark") from None
    if not found:
        raise UsageError(f"{option} names no command", "write the program and its arguments in quotation marks")
    return found


class Hook:
    """One command beside a run; it can run once, and be stopped from any thread."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        time_limit_seconds: float = TIME_LIMIT_SECONDS,
    ) -> None:
        """`name` says what it is for (`flash`), in progress and in failures."""
        self.name = name
        self.argv = tuple(argv)
        self.end: Exit | None = None
        """How it ended; None before that."""
        self._job = ProcessJob(argv, cwd=cwd, env=env, limits=Limits(time_seconds=time_limit_seconds))
        self._last: deque[str] = deque(maxlen=_LAST_LINES)

    def stop(self) -> None:
        """End it, from any thread."""
        self._job.stop()

    def run(self, log: Path | None = None) -> Iterator[Progress]:
        """Yield its lines as progress; `log` gets its raw output, below the command line."""
        yield Progress(f"{self.name}: {shlex.join(self.argv)}")
        splitter = LineSplitter()
        with contextlib.ExitStack() as stack:
            descriptor = _open(log)
            if descriptor is not None:
                stack.callback(os.close, descriptor)
                _append(descriptor, f"$ {shlex.join(self.argv)}\n".encode(errors="replace"))
            events = self._job.run()
            stack.callback(getattr(events, "close", lambda: None))
            for event in events:
                lines = []
                if isinstance(event, Chunk):
                    _append(descriptor, event.data)
                    lines = splitter.feed(event.data)
                elif isinstance(event, Exit):
                    lines = splitter.finish()
                    self.end = event
                for line in lines:
                    if line.text.strip():
                        text = line.text[:_SHOWN_CHARACTERS]
                        self._last.append(text)
                        yield Progress(f"{self.name}: {text}")
                assert isinstance(event, (Started, Chunk, Progress, Exit))

    @property
    def failure(self) -> str | None:
        """One sentence for a hook that failed, with its last lines; None for one that did its work."""
        if self.end is None:
            return f"{self.name} did not run"
        if self.end.code == 0 and self.end.reason == "ended":
            return None
        said = f"; it says: {' | '.join(self._last)}" if self._last else "; it said nothing"
        why = self.end.text or f"exit status {self.end.code}"
        return f"{self.name} failed: {os.path.basename(self.argv[0])}: {why}{said}"


def run_hook(hook: Hook, log: Path | None = None) -> str | None:
    """Run a hook with nobody looking; the sentence for its failure, or None."""
    for _ in hook.run(log):
        pass
    return hook.failure


def _open(log: Path | None) -> int | None:
    if log is None:
        return None
    with contextlib.suppress(OSError):  # the run itself will say that its folder cannot be written
        return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    return None


def _append(descriptor: int | None, data: bytes) -> None:
    if descriptor is not None:
        with contextlib.suppress(OSError):
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
