"""What happens when the reader of stdout leaves early (`| head`): the exit code stays that of the inputs.

A report that is printed while inputs are read loses its reader at a moment that depends on chance; the exit code may not.
So reading goes on for a while with nothing printed, and a large input is given up.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

MOST_UNHEARD = 16 << 20
"""Characters of output, after the reader has left, for which reading still goes on: a moment."""


def drop(stream: TextIO) -> None:
    """Send what is still to be printed nowhere: its reader has gone, or its disk is full."""
    with contextlib.suppress(OSError, ValueError):  # not a file, as in an embedding program
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def patient_stdout(*, endless: bool) -> Iterator[None]:
    """Inside, a lost reader raises BrokenPipeError only after `MOST_UNHEARD` characters; at once for `endless` inputs."""
    with contextlib.redirect_stdout(cast(TextIO, _Patient(sys.stdout, 0 if endless else MOST_UNHEARD))):
        yield


class _Patient:
    def __init__(self, stream: TextIO, most: int) -> None:
        self._stream = stream
        self._left = most
        self._alone = False

    def write(self, text: str) -> int:
        if not self._alone:
            try:
                return self._stream.write(text)
            except BrokenPipeError:
                self._lost()
        self._left -= len(text)
        if self._left < 0:
            raise BrokenPipeError
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._lost()

    def _lost(self) -> None:
        self._alone = True
        drop(self._stream)
        if not self._left:
            raise BrokenPipeError

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
