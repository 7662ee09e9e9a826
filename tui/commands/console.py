"""`ethosu-tui console`: a board's console with the keyboard passed through, everything stored as a run.

Ctrl-T opens a menu of single keys, Ctrl-] leaves; every other key goes to the board as it is.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

from ...analysis.lines import clean
from ...analysis.watching.live_text import LiveText
from ...runners.job import Chunk, Exit, JobError, Progress, UsageError
from ...runners.run_request import RunRequest
from ...runners.serial.job import SerialJob
from ...runners.serial_console import open_console
from ...runners.targets.resolve import resolve
from .interruption import interruptible
from .saying import broken, columns_of, say

MENU, LEAVE = 0x14, 0x1D
HELP = (
    "Ctrl-T ?  this help",
    "Ctrl-T r  reset the board (as --reset says)",
    "Ctrl-T t  timestamps on and off",
    "Ctrl-T e  the board's escape sequences, shown or removed",
    "Ctrl-T l  where the log is",
    "Ctrl-T Ctrl-T  send Ctrl-T",
    "Ctrl-T q, Ctrl-]  leave",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `console`."""
    parser.add_argument(
        "port", metavar="PORT", help="/dev/..., socket://HOST:PORT, rfc2217://HOST:PORT, or a target's name"
    )
    parser.add_argument("--baud", type=int, metavar="N", help="bits per second (default: 115200)")
    parser.add_argument("--reset", metavar="HOW", help="dtr, rts, or a command: done at the start and by Ctrl-T r")
    parser.add_argument("--appear", type=float, metavar="S", help="wait S seconds for the port (default: 10)")
    parser.add_argument("--timestamps", action="store_true", help="a timestamp before each line")
    parser.add_argument("--raw", action="store_true", help="show the board's escape sequences to this terminal")


def execute(options: argparse.Namespace) -> int:
    """Connect, pass keys through until the user leaves, and say where the log is."""
    from ...runners.hooks import words

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise UsageError("console needs a terminal", "use `ethosu-tui run --on serial:PORT` in scripts")
    named = "/" not in options.port
    request = RunRequest(
        options.port if named else f"serial:{options.port}",
        baud=options.baud,
        reset=words(options.reset, "--reset") if options.reset is not None else (),
        appear=options.appear,
    )
    if named:
        request = resolve(request)
        if request.place.kind != "serial":
            raise UsageError(
                f"{options.port} is not a board on a serial port", "give a device, a URL, or the name of such a target"
            )
    view = View(sys.stdout.fileno(), times=options.timestamps, raw=options.raw)
    end = Exit(None, "lost", 0.0)
    with interruptible() as interruption:
        session, job = open_console(request, "" if named else options.port, view.show)
        interruption.stops(session.stop)
        view.note("Ctrl-T ? for help, Ctrl-] leaves")
        keys = Keys(job, view, str(session.folder.console_path if session.folder else ""))
        with RawTerminal(sys.stdin.fileno(), keys.press):
            for event in session.events():
                if isinstance(event, Progress):
                    view.note(event.stage)
                elif isinstance(event, Exit):
                    end = event
    where = f"kept as run {session.folder.id}" if session.folder is not None else ""
    say(f"ethosu-tui: {end.text or end.reason}; {where}")
    if interruption.asked:
        return 130
    return 0 if end.reason == "stopped" else 4


class View:
    """What the user sees: the board's text, cleaned unless told otherwise, and remarks of ours on lines of their own."""

    def __init__(self, descriptor: int, times: bool = False, raw: bool = False) -> None:
        self.times = times
        self.raw = raw
        self._descriptor = descriptor
        self._live = LiveText()
        self._lock = threading.Lock()
        self._at_start = True
        self._began = datetime.now(timezone.utc).astimezone()
        self._last: float | None = None

    def show(self, chunk: Chunk) -> None:
        """Bytes of the board."""
        text = self._live.feed(chunk.data)
        with self._lock:
            if self.raw:
                self._write(chunk.data)
                self._at_start = chunk.data.endswith((b"\n", b"\r"))
                return
            parts = text.split("\n")
            for number, part in enumerate(parts):
                if number:
                    self._write(b"\r\n")
                    self._at_start = True
                if not part.strip("\r"):
                    self._write(part.encode())
                    continue
                if self._at_start and self.times:
                    self._write(self._stamp(chunk.at).encode())
                self._at_start = False
                self._write(part.encode("utf-8", "replace"))

    def note(self, text: str) -> None:
        """A remark of ours."""
        with self._lock:
            start = b"" if self._at_start else b"\r\n"
            rows = broken(f"[ethosu-tui: {clean(text)}]", columns_of(self._descriptor))
            self._write(start + "".join(f"{row}\r\n" for row in rows).encode("utf-8", "replace"))
            self._at_start = True

    def _stamp(self, at: float) -> str:
        moment = self._began + timedelta(seconds=at)
        delta = at - self._last if self._last is not None else 0.0
        self._last = at
        return f"[{moment:%H:%M:%S}.{moment.microsecond // 1000:03d} +{delta:.3f}] "

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._descriptor, view) :]
            except OSError:  # the terminal has gone; SIGHUP ends us in good order
                return


class Keys:
    """What the user presses: to the board, or after Ctrl-T to us."""

    def __init__(self, job: SerialJob, view: View, log: str) -> None:
        self._job = job
        self._view = view
        self._log = log
        self._menu = False
        self._actions: dict[int, Callable[[], None]] = {
            ord("?"): self._help,
            ord("h"): self._help,
            ord("r"): self._reset,
            ord("t"): self._times,
            ord("e"): self._escapes,
            ord("l"): lambda: view.note(f"the log is {log}"),
            ord("q"): job.stop,
            MENU: lambda: self._send(bytes([MENU])),
        }

    def press(self, data: bytes) -> None:
        """Take the bytes of some keys."""
        plain = bytearray()
        for byte in data:
            if self._menu:
                self._menu = False
                action = self._actions.get(byte)
                if action is None:
                    self._view.note("Ctrl-T ? shows what there is")
                else:
                    action()
            elif byte in (MENU, LEAVE):
                self._send(bytes(plain))
                plain.clear()
                if byte == LEAVE:
                    self._job.stop()
                    return
                self._menu = True
            else:
                plain.append(byte)
        self._send(bytes(plain))

    def _send(self, data: bytes) -> None:
        if data:
            try:
                self._job.write(data)
            except JobError as error:
                self._view.note(str(error))

    def _help(self) -> None:
        for line in HELP:
            self._view.note(line)

    def _reset(self) -> None:
        try:
            self._view.note(self._job.reset())
        except JobError as error:
            self._view.note(str(error))

    def _times(self) -> None:
        self._view.times = not self._view.times
        self._view.note(f"timestamps {'on' if self._view.times else 'off'}")

    def _escapes(self) -> None:
        self._view.raw = not self._view.raw
        self._view.note(f"escape sequences {'shown' if self._view.raw else 'removed'}")


class RawTerminal:
    """The terminal without its own editing and signals, and a thread that reads keys, for a while."""

    def __init__(self, descriptor: int, press: Callable[[bytes], None]) -> None:
        self._descriptor = descriptor
        self._press = press
        self._before = termios.tcgetattr(descriptor)
        self._wake_reading, self._wake_writing = os.pipe()
        self._thread = threading.Thread(target=self._read, name="keys", daemon=True)

    def __enter__(self) -> RawTerminal:
        tty.setraw(self._descriptor)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._wake_writing, b"x")
        self._thread.join(5)  # a reset that takes longer does not keep the terminal
        try:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        except termios.error:  # it has gone
            pass

    def _read(self) -> None:
        while True:
            ready, _, _ = select.select([self._descriptor, self._wake_reading], [], [])
            if self._wake_reading in ready:
                return
            try:
                data = os.read(self._descriptor, 4096)
            except OSError:
                return
            if not data:
                return
            self._press(data)
