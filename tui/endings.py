"""Signals and a terminal that has gone end the dashboard as `q` does: jobs stopped, run folders truthful.

The loop calls us between two steps of the app, so nothing is interrupted in the middle.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from .gone_terminal import let_go_of

if TYPE_CHECKING:
    from textual.app import App

INTERRUPTED = 130
"""Exit code, as of the commands."""
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


def end_at_once_when_interrupted() -> None:
    """Nothing is left to be told or kept: a Ctrl-C more ends us, without a word about the threads that were waited for."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


def leave(app: App[None], number: signal.Signals) -> None:
    """End the app as a signal does."""
    if number == signal.SIGHUP:
        let_go_of((sys.__stdout__, sys.__stderr__))
    app.exit(return_code=INTERRUPTED)
