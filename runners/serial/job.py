"""A run on a board behind a serial port: hooks, reset, capture, and every way in which that ends.

A thread reads the port from the moment it is open, so bytes carry the time of their arrival and none waits for a hook or
a slow viewer.  What is not a byte of the board (a port that went away, a reset) is an event beside the console.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..deadlines import IDLE_SECONDS
from ..hooks import Hook, run_hook
from ..inbox import Arrived, Inbox, Remark
from ..job import Chunk, Exit, ExitReason, JobError, JobEvent, Progress, Started
from ..placeholders import placeholders
from ..runs.event_log import EVENTS, EventLog
from ..until import Until
from .port import BAUD, PortLost, SerialPort
from .reader import PortReader

TIME_LIMIT_SECONDS = 600.0
LINES = ("dtr", "rts")

_QUIET_SECONDS = 0.5
_MARKER_SECONDS = 5.0
"""After an end marker: a pause of the first length ends the run, and the second at the latest."""
_AFTER_SECONDS = 60.0
_STEP_SECONDS = 0.2
_TROUBLE = {"overruns", "buffer overruns"}


@dataclass(frozen=True, slots=True)
class SerialRun:
    """What is to be captured; commands are ready to run, without placeholders."""

    url: str
    baud: int = BAUD
    label: str = ""
    before: tuple[str, ...] = ()
    flash: tuple[str, ...] = ()
    reset: tuple[str, ...] = ()
    """A command, or one of `LINES`."""
    after: tuple[str, ...] = ()
    port_in_flash: bool = False
    """Whether the flash command uses the port itself, which must be free then."""
    port_in_reset: bool = False
    until: tuple[str, ...] = ()
    ends_at_marker: bool = True
    """Whether the runner's own end markers end the run; a console goes on."""
    time_limit_seconds: float | None = TIME_LIMIT_SECONDS
    """From when the board was started, or the port was open."""
    silence_limit_seconds: float | None = None
    appear_seconds: float | None = None


def uses_port(argv: tuple[str, ...]) -> bool:
    """Whether a command is told which port the board has."""
    return "port" in placeholders(argv)


class SerialJob:
    """One capture; it can run once.

    `ended` is asked after each chunk whether the console so far holds the end marker of the runner.
    """

    def __init__(self, asked: SerialRun) -> None:
        self.asked = asked
        self.label = asked.label or asked.url
        self.ended: Callable[[], bool] = lambda: False
        self.port = SerialPort(asked.url, asked.baud)
        self.offset = 0
        """Bytes handed over so far."""
        self._folder: Path | None = None
        self._events = EventLog()
        self._inbox = Inbox()
        self._reader: PortReader | None = None
        self._hook: Hook | None = None
        self._stop = threading.Event()
        self._began = 0.0
        self._connected = False
        self._end: Exit | None = None
        self._counted: dict[str, int] | None = None

    def keep(self, folder: Path) -> None:
        """Where events and the output of hooks go; to be called before the run."""
        self._folder = folder
        self._events = EventLog(folder / EVENTS)

    def stop(self) -> None:
        """End the run from any thread; a second call also ends the hook that comes after it."""
        self._stop.set()
        hook = self._hook
        if hook is not None:
            hook.stop()
        self._inbox.remark("stop", self._now())

    def write(self, data: bytes) -> None:
        """Send bytes to the board, from any thread.

        Raises:
            JobError: the port is not there, or takes nothing.
        """
        try:
            self.port.write(data)
        except PortLost as error:
            raise JobError(error.text, error.hint) from error
        self._events.add("sent", self._now(), self.offset, bytes=len(data))

    def reset(self) -> str:
        """Reset the board as it was asked for, from any thread; what was done, in a sentence.

        Raises:
            JobError: no way was given, or it failed.
        """
        argv = self.asked.reset
        if not argv:
            raise JobError("no way to reset this board was given", "--reset dtr, rts or a command")
        self._note("reset", argv[0])
        if argv[0] in LINES:
            try:
                self.port.pulse(argv[0])
            except PortLost as error:
                raise JobError(error.text) from error
            return f"reset by {argv[0].upper()}"
        failure = run_hook(Hook("reset", argv), self._log("reset"))
        if failure is not None:
            raise JobError(failure)
        return f"reset by {argv[0]}"

    def run(self) -> Iterator[JobEvent]:
        """Yield `Started`, chunks and progress, and one `Exit`."""
        self._began = time.monotonic()
        asked = self.asked
        if self._stop.is_set():
            yield Started(())
            yield self._exit("stopped", "stopped before it was started")
            return
        try:
            yield Started(())
            yield from self._all()
        finally:
            self._shut()
            after = Hook("after", asked.after, time_limit_seconds=_AFTER_SECONDS) if asked.after else None
            self._hook = after
            remarks = list(after.run(self._log("after"))) if after is not None else []
            self._hook = None
        yield from remarks
        if after is not None and after.failure is not None:
            yield Progress(after.failure)
        yield self._end or self._exit("stopped", "stopped")

    def _all(self) -> Iterator[JobEvent]:
        """The steps of a run; `_end` is set by whatever ends it."""
        asked = self.asked
        listening = not asked.port_in_flash and not asked.reset
        commanded = bool(asked.reset) and asked.reset[0] not in LINES
        yield from self._with_hook("before", asked.before)
        if not listening:
            yield from self._with_hook("flash", asked.flash)
        if commanded and asked.port_in_reset:
            yield from self._with_hook("reset", asked.reset)
        if self._end is None:
            self._reader = PortReader(self.port, self._inbox, self._began, asked.appear_seconds)
            self._reader.start()
            yield from self._carry(lambda: self._connected)
        if listening:  # a tool that starts the board by itself: its first lines come before the tool has ended
            yield from self._with_hook("flash", asked.flash)
        if commanded and not asked.port_in_reset:
            yield from self._with_hook("reset", asked.reset)
        elif asked.reset and not commanded and self._end is None:
            yield from self._pulse(asked.reset[0])
        if self._end is None:
            yield from self._capture()
        yield from self._last()

    def _pulse(self, line: str) -> Iterator[JobEvent]:
        self._note("reset", line)
        yield Progress(f"reset by {line.upper()}")
        try:
            self.port.pulse(line)
        except PortLost as error:
            self._end = self._exit("not_started", f"the board cannot be reset: {error.text}")

    def _with_hook(self, name: str, argv: tuple[str, ...]) -> Iterator[JobEvent]:
        """Run a hook while the port is read; a failing one is the end."""
        if self._stop.is_set() and self._end is None:
            self._end = self._exit("stopped", "stopped")
        if not argv or self._end is not None:
            return
        hook = self._hook = Hook(name, argv)
        self._note(name, "began")

        def work() -> None:
            for progress in hook.run(self._log(name)):
                self._inbox.remark("progress", self._now(), progress.stage)
            self._inbox.remark("hook", self._now())

        thread = threading.Thread(target=work, name=f"hook {name}", daemon=True)
        thread.start()
        try:
            yield from self._carry(lambda: not thread.is_alive())
        finally:
            hook.stop()
            thread.join()
            self._hook = None
        yield from self._rest()
        self._note(name, "failed" if hook.failure else "done")
        if self._end is None and self._stop.is_set():
            self._end = self._exit("stopped", "stopped")
        if self._end is None and hook.failure is not None:
            self._end = self._exit("not_started", hook.failure)

    def _last(self) -> Iterator[JobEvent]:
        """What was read before the end, also where the reader waits for room."""
        reader = self._reader
        if reader is not None:
            yield from self._line_trouble()
            reader.halt()
            while reader.is_alive():
                item = self._inbox.take(_STEP_SECONDS / 10)
                if item is not None:
                    yield from self._handle(item)
            yield from self._rest()

    def _rest(self) -> Iterator[JobEvent]:
        while (item := self._inbox.take(0)) is not None:
            yield from self._handle(item)

    def _carry(self, done: Callable[[], bool]) -> Iterator[JobEvent]:
        """Hand on what comes until `done`, or until something ends the run."""
        while self._end is None and not done():
            item = self._inbox.take(_STEP_SECONDS)
            if item is not None:
                yield from self._handle(item)
            if self._stop.is_set() and self._end is None:
                self._end = self._exit("stopped", "stopped")

    def _capture(self) -> Iterator[JobEvent]:
        """From the board's start to the end of the run."""
        asked, until = self.asked, Until(self.asked.until)
        began = heard = time.monotonic()
        idle = True
        armed = not self._asked_end()
        if not armed:
            yield Progress(
                "a run ended on the console while the board was being prepared; waiting for another (add --reset, "
                "so that one starts afterwards)"
            )
        marker: float | None = None
        why = ""
        while self._end is None:
            now = time.monotonic()
            limits = [_STEP_SECONDS if marker is not None or not idle else 1.0]
            if asked.time_limit_seconds is not None:
                limits.append(began + asked.time_limit_seconds - now)
            if asked.silence_limit_seconds is not None and self._connected:
                limits.append(heard + asked.silence_limit_seconds - now)
            item = self._inbox.take(max(0.0, min(limits)))
            now = time.monotonic()
            if item is not None:
                yield from self._handle(item)
                if isinstance(item, Arrived):
                    heard, idle = now, False
                    ended = self._asked_end()
                    armed = armed or not ended
                    found = until.feed(item.data) if marker is None else None
                    if marker is None and (found is not None or (ended and armed)):
                        marker, why = now, f"ended at {found!r}" if found is not None else ""
                        self._note("marker", found or "")
                elif item.name in ("opened", "lost"):
                    heard = now
            elif not idle and now - heard >= IDLE_SECONDS:
                idle = True
                yield Chunk(b"", now - self._began, "uart")
            if self._end is not None:
                break
            if self._stop.is_set():
                self._end = self._exit("stopped" if marker is None else "marker", "stopped" if marker is None else why)
            elif marker is not None:
                if now - heard >= _QUIET_SECONDS or now - marker >= _MARKER_SECONDS:
                    self._end = self._exit("marker", why)
            elif asked.time_limit_seconds is not None and now - began >= asked.time_limit_seconds:
                away = "" if self._connected else ", while the port was away"
                text = f"ended by us after the time limit of {asked.time_limit_seconds:g} s{away}"
                self._end = self._exit("timeout", text)
            elif (
                asked.silence_limit_seconds is not None
                and self._connected
                and item is None
                and now - heard >= asked.silence_limit_seconds
            ):
                self._end = self._exit("silence", f"ended by us after {asked.silence_limit_seconds:g} s without output")

    def _asked_end(self) -> bool:
        return self.asked.ends_at_marker and self.ended()

    def _handle(self, item: Arrived | Remark) -> Iterator[JobEvent]:
        if isinstance(item, Arrived):
            yield Chunk(item.data, item.at, "uart")
            self.offset += len(item.data)
            return
        if item.name == "opened":
            self._connected = True
            self._counted = self.port.line_errors()
        elif item.name == "lost":
            self._connected = False
        elif item.name in ("gone", "refused") and self._end is None:
            reason: ExitReason = "lost" if self._was_open() else "not_started"
            self._end = self._exit(reason, item.text)
        if item.name in ("opened", "lost", "gone", "refused"):
            self._events.add(item.name, item.at, self.offset, text=item.text)
        if item.text and item.name in ("opened", "lost", "waiting", "progress"):
            yield Progress(item.text)

    def _was_open(self) -> bool:
        return self._reader is not None and self._reader.opened

    def _line_trouble(self) -> Iterator[JobEvent]:
        """What the kernel counted since the port was opened, where it counts."""
        now = self.port.line_errors()
        if now is None or self._counted is None:
            return
        more = {name: now[name] - self._counted[name] for name in now if now[name] > self._counted[name]}
        if not more:
            return
        self._events.add("line", self._now(), self.offset, **more)
        text = ", ".join(f"{count} {name}" for name, count in more.items())
        if _TROUBLE & more.keys():
            yield Progress(f"the host lost bytes on this port ({text})")
        else:
            yield Progress(f"the line had {text}: check the baud rate")

    def _shut(self) -> None:
        """Free the port; what still came is not of this run any more."""
        self._inbox.close()
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.halt()
            reader.join()
        with contextlib.suppress(OSError):
            self.port.dispose()

    def _note(self, event: str, text: str) -> None:
        self._events.add(event, self._now(), self.offset, text=text)

    def _log(self, name: str) -> Path | None:
        return self._folder / f"{name}.log" if self._folder is not None else None

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _exit(self, reason: ExitReason, text: str) -> Exit:
        return Exit(None, reason, self._now(), text)
