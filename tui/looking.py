"""A thread that looks at something now and then while a screen is seen, and rests while it is not.

A timer of the screen would look in the loop that answers keys, and a disk that hangs would hang the screen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

SECONDS = 1.0
LONGEST_SECONDS = 10.0
"""A look that is slow is repeated the less often, so that looking takes a hundredth of the time at most."""


class Looking:
    """Calls `look` every second, and `look_around` every `seconds`, from a thread of its own."""

    def __init__(
        self, look: Callable[[], None], seconds: float, look_around: Callable[[], None], rests: float = 100.0
    ) -> None:
        """`rests` times as long as a look took nothing is looked at, and a second at least."""
        self._rests = rests
        self._look, self._look_around, self._seconds = look, look_around, seconds
        self._ended = threading.Event()
        self._seen = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """From now on it is looked; harmless when called again."""
        self._seen.set()
        if self._thread is None and not self._ended.is_set():
            self._thread = threading.Thread(target=self._run, name="looking", daemon=True)
            self._thread.start()

    def pause(self) -> None:
        """Nobody sees it."""
        self._seen.clear()

    def end(self) -> None:
        """Look no more; a look that hangs is left to itself."""
        self._ended.set()
        self._seen.set()

    def _run(self) -> None:
        around = time.monotonic()
        pause = SECONDS
        while not self._ended.wait(pause):
            self._seen.wait()
            if self._ended.is_set():
                return
            began = time.monotonic()
            self._try(self._look)
            if began - around >= self._seconds:
                around = began
                self._try(self._look_around)
            pause = min(LONGEST_SECONDS, max(SECONDS, self._rests * (time.monotonic() - began)))

    def _try(self, look: Callable[[], None]) -> None:
        try:
            look()
        except Exception:  # the screen is going, or says it when it reads everything anew
            if not self._ended.is_set():
                self._ended.wait(LONGEST_SECONDS)
