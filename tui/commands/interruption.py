"""Ctrl-C, `kill` and a closed terminal end a command in good order: jobs stopped, run folders truthful, exit code 130.

A signal may arrive at any line.  While something runs, it only asks that to stop, and what follows is the normal way
out; before that there is nothing to lose and KeyboardInterrupt is raised at once.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ...runners.job import JobError
from ..gone_terminal import let_go_of
from .saying import say

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Interruption:
    """Whether the user asked us to end, and what that stops."""

    def __init__(self) -> None:
        self.asked = False
        self._stop: Callable[[], None] | None = None
        self._leave: Callable[[], None] | None = None

    def stops(self, stop: Callable[[], None], leave: Callable[[], None] | None = None) -> None:
        """From now on a signal calls `stop`, in a thread of its own, and interrupts nothing.

        A terminal that has gone calls `leave` instead, where there is one: what can go on without us does.
        """
        self._stop, self._leave = stop, leave

    def handle(self, number: int, frame: FrameType | None) -> None:
        """One signal: the first one stops, a second Ctrl-C no longer waits; others may well come twice."""
        first, self.asked = not self.asked, True
        act = self._stop
        if number == getattr(signal, "SIGHUP", None):
            let_go_of((sys.stdout, sys.stderr))
            act = self._leave or self._stop
        if act is None or (not first and number == signal.SIGINT):
            raise KeyboardInterrupt
        if first:  # in a thread: the interrupted code may hold the very lock that stopping needs
            threading.Thread(target=_try, args=(act,), daemon=True).start()


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Take the signals over for a while; elsewhere than in the main thread, where there are none, do nothing."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        numbers.remove(signal.SIGHUP)  # nohup: we are meant to go on without a terminal
    before = {number: signal.signal(number, interruption.handle) for number in numbers}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _try(act: Callable[[], None]) -> None:
    try:
        act()
    except JobError as error:
        say(f"ethosu-tui: {error.message}; {error.hint}")
