"""The thread that reads a port: waits for it, reads, and opens it again when it went away."""

from __future__ import annotations

import threading
import time

from ..inbox import Inbox
from ..job import JobError
from .port import PortAbsent, PortError, PortForbidden, PortLost, SerialPort

APPEAR_SECONDS = 10.0
"""How long a port that is not there is waited for at first."""
RETURN_SECONDS = 60.0
"""The same for one that was there: somebody has pulled a cable, or a board starts again."""

_RETRY_SECONDS = 0.1
_RIGHTS_SECONDS = 2.0
"""A device that has just appeared belongs to root until udev has looked at it."""
_READ_SECONDS = 1.0
_GATHER_SECONDS = 0.008
_GATHER_BYTES = 4096
"""While a port delivers less than this at once and does not pause, it is left alone for a moment: fewer, larger reads."""


class PortReader(threading.Thread):
    """Puts into an inbox what a port gives: bytes, and the remarks `waiting`, `opened`, `lost`, `gone`, `refused`."""

    def __init__(self, port: SerialPort, inbox: Inbox, began: float, appear_seconds: float | None = None) -> None:
        """`began` is the time (monotonic) from which all others count; `appear_seconds` goes for both waits."""
        super().__init__(name=f"reader of {port.url}", daemon=True)
        self.port = port
        self._inbox = inbox
        self._began = began
        self._first_seconds = APPEAR_SECONDS if appear_seconds is None else appear_seconds
        self._again_seconds = RETURN_SECONDS if appear_seconds is None else appear_seconds
        self._halt = threading.Event()
        self.opened = False
        """Whether the port was open at any time."""

    def halt(self) -> None:
        """End the thread; the port is closed when it has ended."""
        self._halt.set()
        self.port.wake()

    def run(self) -> None:
        """Read until told to stop, or until the port stays away."""
        again = False
        try:
            while not self._halt.is_set() and self._open(again):
                self._say("opened", f"{'back: ' if again else ''}{self.port.url} at {self.port.baud} baud, 8N1")
                try:
                    self._read()
                except PortLost as error:
                    self.port.close()
                    self._say("lost", error.text)
                again = True
        except JobError as error:
            self._say("refused", str(error))
        except Exception as error:  # a driver or pyserial in a way that nobody has seen: the run must hear of it
            self._say("refused", f"{self.port.url}: {type(error).__name__}: {error}")
        finally:
            self.port.close()

    def _open(self, again: bool) -> bool:
        began = time.monotonic()
        patience = self._again_seconds if again else self._first_seconds
        told = False
        present: float | None = None
        while not self._halt.is_set():
            try:
                self.port.open()
                self.opened = True
                return True
            except PortError as error:
                now = time.monotonic()
                waited = now - began
                if isinstance(error, PortAbsent):
                    present = None
                elif present is None:
                    present = now
                new = told and isinstance(error, PortForbidden) and now - (present or now) < _RIGHTS_SECONDS
                if not again and not isinstance(error, PortAbsent) and not new:
                    self._say("refused", str(error))
                    return False
                if waited >= patience:
                    how = f"did not come back within {patience:g} s" if again else f"waited {patience:g} s for it"
                    self._say("gone", f"{error} ({how})")
                    return False
                if not told:
                    told = True
                    self._say("waiting", f"waiting up to {patience:g} s for {self.port.url} ({error.text})")
                self._halt.wait(_RETRY_SECONDS)
        return False

    def _read(self) -> None:
        port, inbox, began, halt = self.port, self._inbox, self._began, self._halt
        last = 0.0
        while not halt.is_set():
            data = port.read(_READ_SECONDS)
            if not data:
                continue
            now = time.monotonic()
            inbox.arrived(data, now - began)
            if now - last < 4 * _GATHER_SECONDS and len(data) < _GATHER_BYTES:
                time.sleep(_GATHER_SECONDS)
            last = now

    def _say(self, name: str, text: str) -> None:
        self._inbox.remark(name, time.monotonic() - self._began, text)
