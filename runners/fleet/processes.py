"""The processes that one Dask worker keeps for our jobs: one that holds torch and forks, and a few with Vela only.

They are those of a local batch (`aot/process.py`, `vela/process.py`), shared by the threads in which a Dask worker runs
its tasks, and ended when nothing was to do for a while.  When the Dask worker is killed, they end by themselves.
"""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from ..aot.process import AotProcess
from ..vela.process import VelaProcess

IDLE_SECONDS = 600.0
_LOOK_SECONDS = 0.3
"""How often a task that runs asks whether somebody still wants it."""
_CONSOLE_BYTES = 16 << 20
"""More than that of what a job prints is not kept: its beginning and its end are."""

Wanted = Callable[[], bool]


class Compiler:
    """The process with torch; any number of threads may run a job in it."""

    def __init__(self, interpreter: str) -> None:
        self._process = AotProcess(interpreter)
        self._lock = threading.Lock()
        self._answers: dict[int, SimpleQueue[dict[str, Any]]] = {}
        self._begun = 0
        self._idle_since = time.monotonic()
        self.gone = False
        threading.Thread(target=self._listen, daemon=True).start()

    def run(self, spec: Mapping[str, Any], wanted: Wanted, heard: Callable[[bytes], None]) -> dict[str, Any] | None:
        """Run one job: `code`, `console` and `events`, and `lost` or `unavailable` with the reason; None once it is gone.

        `heard` gets what the job says of itself as it comes.
        """
        with self._lock:
            if self.gone:
                return None
            self._begun += 1
            number = self._begun
            answers = self._answers[number] = SimpleQueue()
            log, events = self._process.start({**spec, "job": number})
        try:
            pipes = _Pipes(log, events, heard)
            killed = False
            answer = None
            while answer is None:
                pipes.read(_LOOK_SECONDS)
                try:
                    answer = answers.get(block=pipes.ended, timeout=_LOOK_SECONDS)
                except Empty:
                    if not killed and not wanted():
                        killed = True
                        with self._lock:
                            self._process.kill(number)
            pipes.drain()
            return pipes.outcome() | answer
        finally:
            with self._lock:
                del self._answers[number]
                self._idle_since = time.monotonic()
            for descriptor in (log, events):
                os.close(descriptor)

    def _listen(self) -> None:
        """Hand the process's messages to the jobs that they are for, until it is gone or was idle for long."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process, selectors.EVENT_READ)
            while not self.gone:
                selector.select(_LOOK_SECONDS * 10)
                with self._lock:  # `start` makes the socket block for a moment
                    messages, alive = self._process.messages()
                    for message in messages:
                        self._tell(message)
                    idle = not self._answers and time.monotonic() - self._idle_since > IDLE_SECONDS
                    self.gone = idle or not alive
        status = self._process.end()
        reason = f"killed by signal {-status}" if status < 0 else f"it ended with status {status}"
        with self._lock:
            for answers in self._answers.values():
                answers.put({"code": None, "lost": reason})
        self._process.close()

    def _tell(self, message: Mapping[str, Any]) -> None:
        if message["event"] == "exit" and message["job"] in self._answers:
            self._answers[message["job"]].put({"code": message["code"]})
        elif message["event"] == "unavailable":
            for answers in self._answers.values():
                answers.put({"code": None, "unavailable": str(message["error"]), "console": self._process.said()})


class _Pipes:
    """What a job prints and what it says of itself, so far."""

    def __init__(self, log: int, events: int, heard: Callable[[bytes], None]) -> None:
        self._open = {log, events}
        self._log, self._events = log, events
        self._heard = heard
        self._console, self._said = bytearray(), bytearray()
        self._left_out = 0

    @property
    def ended(self) -> bool:
        """Whether nothing more can come."""
        return not self._open

    def read(self, seconds: float) -> bool:
        """Wait for something and take it; whether there was any."""
        if not self._open:
            return False
        with selectors.DefaultSelector() as selector:
            for descriptor in self._open:
                selector.register(descriptor, selectors.EVENT_READ)
            ready = [key.fd for key, _ in selector.select(seconds)]
        for descriptor in ready:
            data = os.read(descriptor, 1 << 16)
            if not data:
                self._open.discard(descriptor)
            elif descriptor == self._log:
                self._keep(data)
            else:
                self._said += data
                self._heard(data)
        return bool(ready)

    def drain(self) -> None:
        """Take what is left; a grandchild may keep the pipes open."""
        while self.read(0):
            pass

    def outcome(self) -> dict[str, Any]:
        """All of it."""
        half = _CONSOLE_BYTES // 2
        console = bytes(self._console)
        if self._left_out:
            note = b"\n[ethosu-tui: %d bytes of this log were left out]\n" % self._left_out
            console = console[:half] + note + console[half:]
        return {"console": console, "events": bytes(self._said)}

    def _keep(self, data: bytes) -> None:
        self._console += data
        half = _CONSOLE_BYTES // 2
        if len(self._console) > 2 * _CONSOLE_BYTES:
            end = len(self._console) - half
            self._left_out += end - half
            del self._console[half:end]


_SWEEPER = "ethosu-tui idle Vela"
_LOCK = threading.Lock()
_COMPILERS: dict[str, Compiler] = {}
_VELAS: dict[tuple[str, str], list[tuple[float, VelaProcess]]] = {}


def compile_in(
    interpreter: str, spec: Mapping[str, Any], wanted: Wanted, heard: Callable[[bytes], None]
) -> dict[str, Any]:
    """Run a job in the process with torch, which is started where there is none; see `Compiler.run`.

    Raises:
        MissingTool: it cannot be started.
    """
    while True:
        with _LOCK:
            compiler = _COMPILERS.get(interpreter)
            if compiler is None or compiler.gone:
                compiler = _COMPILERS[interpreter] = Compiler(interpreter)
        outcome = compiler.run(spec, wanted, heard)
        if outcome is not None:
            return outcome


def vela_in(interpreter: str, executorch: str, request: Mapping[str, Any], wanted: Wanted) -> dict[str, Any]:
    """Run a job in an idle process with Vela, which is started where there is none: its answer, or `error`.

    Raises:
        MissingTool: it cannot be started.
    """
    kept = (interpreter, executorch)
    while True:
        with _LOCK:
            idle = _VELAS.setdefault(kept, [])
            used = bool(idle)
            process = idle.pop()[1] if idle else VelaProcess(*kept)
        try:
            process.start(request)
            answer = _wait(process, wanted)
        except EOFError:
            status = process.close()
            if used:
                continue  # it may have ended while nothing was to do for it; a fresh one tells
            return {"error": f"Vela's process was killed by signal {-status}" if status < 0 else "Vela's process ended"}
        if answer is None:
            process.close()
            return {"error": "it was cancelled"}
        with _LOCK:
            _VELAS[kept].append((time.monotonic(), process))
            if not any(thread.name == _SWEEPER for thread in threading.enumerate()):
                threading.Thread(target=_end_idle, name=_SWEEPER, daemon=True).start()
        return answer


def _wait(process: VelaProcess, wanted: Wanted) -> dict[str, Any] | None:
    with selectors.DefaultSelector() as selector:
        selector.register(process, selectors.EVENT_READ)
        while wanted():
            if selector.select(_LOOK_SECONDS) and (answer := process.answer()) is not None:
                return answer
    return None


def _end_idle() -> None:
    """End those that nobody has used for long, until none is left."""
    while any(_VELAS.values()):
        time.sleep(IDLE_SECONDS / 10)
        with _LOCK:
            for kept, idle in _VELAS.items():
                old = [process for since, process in idle if time.monotonic() - since > IDLE_SECONDS]
                _VELAS[kept] = [entry for entry in idle if entry[1] not in old]
                for process in old:
                    process.close()
