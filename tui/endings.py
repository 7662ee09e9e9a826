"""Signals end the dashboard as `q` does: jobs stopped, run folders truthful, the terminal as it was.

The loop calls us between two steps of the app, so nothing is interrupted in the middle.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import EthosuApp

INTERRUPTED = 130
"""Exit code, as of the commands."""


def end_on_signals(app: EthosuApp) -> None:
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


def _leave(app: EthosuApp, number: signal.Signals) -> None:
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
