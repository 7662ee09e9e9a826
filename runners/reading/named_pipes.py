"""Opening a named pipe waits for somebody who writes to it, for ever if nobody does: here for some seconds only."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue

from ..job import InputError

WRITER_WAIT_SECONDS = 5
"""A writer that is started by the same script comes sooner."""


def open_pipe(path: str) -> int:
    """A descriptor to read from, once somebody writes to it; an `InputError` where nobody came.

    The pipe is opened as usual, in a thread: opened without waiting it would look empty and at its end until a writer comes.
    """
    opened: SimpleQueue[int | OSError] = SimpleQueue()
    threading.Thread(target=_open, args=(path, opened), daemon=True).start()
    try:
        found = opened.get(timeout=WRITER_WAIT_SECONDS)
    except Empty:
        with suppress(OSError):  # who may not write to it leaves the thread waiting, which ends with the process
            os.close(os.open(path, os.O_RDWR))  # a writer for a moment, so that the thread comes back
            late = opened.get()
            if isinstance(late, int):
                os.close(late)
        raise InputError(
            f"{path}: is a named pipe without a writer",
            "start the writer first, or wait for it with --follow",
        ) from None
    if isinstance(found, OSError):
        raise found
    return found


def _open(path: str, opened: SimpleQueue[int | OSError]) -> None:
    try:
        opened.put(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        opened.put(error)
