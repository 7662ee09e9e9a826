"""Signals and a terminal that has gone end the dashboard as `q` does: jobs stopped, run folders truthful.

The loop calls us between two steps of the app, so nothing is interrupted in the middle.  A terminal that has gone fails
every write, with a signal or (where it was not the controlling one) without.  Textual's thread of writes would end at the
first of them, and the app would then wait for it for ever: it is given a file that fails once, to us.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver

INTERRUPTED = 130
"""Exit code, as of the commands."""


def end_on_signals(app: App[None]) -> None:
    """From now on SIGTERM and SIGHUP leave the app; elsewhere than in the main thread there are none to take."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGHUP"):
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup, or a program around us, has its own idea
            loop.add_signal_handler(number, _leave, app, number)


def release_signals() -> None:
    """Give the signals back."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGHUP"):
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.remove_signal_handler(number)


def lasting(driver_class: type[Driver]) -> type[Driver]:
    """The same driver, which outlives its terminal."""

    class Lasting(driver_class):  # type: ignore[misc, valid-type]
        """Writes to a file that cannot fail."""

        _file: Any

        def __init__(self, app: App[None], *arguments: Any, **options: Any) -> None:
            super().__init__(app, *arguments, **options)
            loop = asyncio.get_running_loop()
            self._file = _Terminal(self._file, partial(loop.call_soon_threadsafe, _leave, app, signal.SIGHUP))

    return Lasting


class _Terminal:
    """The terminal as a file to which writing succeeds; its first failure is told."""

    def __init__(self, file: TextIO, gone: Callable[[], object]) -> None:
        self._file = file
        self._gone: Callable[[], object] | None = gone

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        self._try(partial(self._file.write, text))
        return len(text)

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except (OSError, ValueError):  # gone, or closed
            if self._gone is not None:
                gone, self._gone = self._gone, None
                with contextlib.suppress(RuntimeError):  # the loop has ended as well
                    gone()


def _leave(app: App[None], number: signal.Signals) -> None:
    if number == signal.SIGHUP:
        _let_go_of_the_terminal()
    app.exit(return_code=INTERRUPTED)


def _let_go_of_the_terminal() -> None:
    """A terminal that has gone fails every write, and that must not get in the way of a good end."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            descriptor = stream.fileno()
        except (OSError, ValueError):  # closed, or no file
            continue
        poll = select.poll()
        poll.register(descriptor, 0)
        if any(events & (select.POLLHUP | select.POLLERR) for _, events in poll.poll(0)):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
