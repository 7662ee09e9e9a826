"""Signals and a terminal that has gone end the dashboard as `q` does: jobs stopped, run folders truthful.

The loop calls us between two steps of the app, so nothing is interrupted in the middle.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .gone_terminal import let_go_of

if TYPE_CHECKING:
    from textual.app import App

INTERRUPTED = 130
"""Exit code, as of the commands."""
READING_SECONDS = 1.0
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()


def end_on_signals(app: App[None]) -> None:
    """From now on these signals leave the app; elsewhere than in the main thread there are none to take."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGHUP"):
        return
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        handler = signal.getsignal(number)  # nohup, or a program around us, has its own idea
        if handler == signal.SIG_DFL or number == signal.SIGINT and callable(handler):
            loop.add_signal_handler(number, leave, app, number)


def release_signals() -> None:
    """Give the signals back."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGHUP"):
        loop = asyncio.get_running_loop()
        for number in _ENDING:
            loop.remove_signal_handler(number)


_needed = 0
_counting = threading.Condition()


@contextlib.contextmanager
def needed() -> Iterator[None]:
    """Around what must come to its own end before the process may: a job, a file that is being written."""
    global _needed
    with _counting:
        _needed += 1
    try:
        yield
    finally:
        with _counting:
            _needed -= 1
            _counting.notify_all()


def end_soon(code: Callable[[], int]) -> threading.Event:
    """The terminal is restored: threads that are needed are waited for, and one that only reads a moment at most.

    A pipe that nobody writes to, or a disk that does not answer, would hold us for ever, and take no Ctrl-C.  Setting the
    event that is returned says that all threads have ended.
    """
    ended = threading.Event()

    def watch() -> None:
        with _counting:
            _counting.wait_for(lambda: _needed == 0)
        if ended.wait(READING_SECONDS):
            return
        for stream in (sys.__stdout__, sys.__stderr__):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # gone, closed, or none
                stream.flush()  # type: ignore[union-attr]
        os._exit(code())

    threading.Thread(target=watch, name="ending", daemon=True).start()
    return ended


def end_at_once_when_interrupted() -> None:
    """Nothing is left to be told or kept: a Ctrl-C more ends us, without a word about the threads that were waited for."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


def leave(app: App[None], number: signal.Signals) -> None:
    """End the app as a signal does."""
    if number == signal.SIGHUP:
        let_go_of((sys.__stdout__, sys.__stderr__))
    app.exit(return_code=INTERRUPTED)
