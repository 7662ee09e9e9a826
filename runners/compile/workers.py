"""The processes that work for a batch: one that holds torch and forks a job each, and a few that hold Vela only.

All are started when there is something to do for them, waited for in one place, and ended together.
"""

from __future__ import annotations

import selectors
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from ..aot.process import AotProcess
from ..aot.warm_process import start_worker
from ..interpreters import Interpreter
from ..processors import processors
from ..vela.process import VelaProcess
from .script_process import ScriptProcess


class Compiler(Protocol):
    """What takes jobs from their model on; see `AotProcess`."""

    def start(self, job: Mapping[str, Any]) -> tuple[int, int]: ...
    def kill(self, job: int) -> None: ...
    def messages(self) -> tuple[list[dict[str, Any]], bool]: ...
    def said(self) -> bytes: ...


class Vela(Protocol):
    """What runs Vela for one job; see `VelaProcess`."""

    def start(self, job: Mapping[str, Any]) -> None: ...
    def answer(self) -> dict[str, Any] | None: ...
    def end(self) -> int: ...


class Crew(Protocol):
    """Who does the jobs of a batch: `Workers` here, or a `Fleet` elsewhere."""

    @property
    def compiler(self) -> Compiler | None: ...
    @property
    def width(self) -> int: ...
    def notes(self) -> list[str]: ...
    def start_compiler(self) -> Compiler | None: ...
    def drop_compiler(self) -> int: ...
    def take_vela(self, job: Any) -> Vela | None: ...
    def give_back(self, process: Any) -> None: ...
    def drop(self, process: Any) -> int: ...
    def listen(self, descriptor: int, job: Any) -> None: ...
    def release(self, descriptor: int) -> None: ...
    def wait(self, seconds: float | None) -> list[tuple[Any, Any]]: ...
    def end(self) -> None: ...
    def close(self) -> None: ...


class Workers:
    """The processes of one batch.  `end()` may be called from any thread, all else belongs to the batch's own."""

    def __init__(self, interpreter: Interpreter, warm: bool = True) -> None:
        self._interpreter = interpreter
        self._warm = warm
        self.width = processors()
        """So many jobs can run at a time."""
        self._lock = threading.Lock()
        self._ended = False
        self._idle: list[VelaProcess] = []
        self._busy: set[VelaProcess] = set()
        self.compiler: AotProcess | ScriptProcess | None = None
        """The one with torch, once it was needed."""
        self._selector = selectors.DefaultSelector()

    def notes(self) -> list[str]:
        """There is nothing to say about processes of this machine."""
        return []

    def start_compiler(self) -> AotProcess | ScriptProcess | None:
        """The process with torch, or what runs the script as it is; None after the end."""
        with self._lock:
            if self.compiler is None and not self._ended:
                self.compiler = _compiler(self._interpreter, self._warm)
                self._selector.register(self.compiler, selectors.EVENT_READ)
            return self.compiler

    def drop_compiler(self) -> int:
        """The process with torch is gone; its exit status."""
        with self._lock:
            process, self.compiler = self.compiler, None
        assert process is not None
        self._selector.unregister(process)
        status = process.end()
        process.close()
        return status

    def take_vela(self, job: Any) -> VelaProcess | None:
        """A process with Vela for one job, which `wait` names with it; None after the end."""
        with self._lock:
            if self._ended:
                return None
            home = str(self._interpreter.executorch)
            process = self._idle.pop() if self._idle else VelaProcess(self._interpreter.path, home)
            self._busy.add(process)
            self._selector.register(process, selectors.EVENT_READ, job)
            return process

    def give_back(self, process: VelaProcess) -> None:
        """The job is done and the process free."""
        with self._lock:
            self._selector.unregister(process)
            self._busy.discard(process)
            self._idle.append(process)

    def drop(self, process: VelaProcess) -> int:
        """The process is of no use any more; its exit status."""
        with self._lock:
            self._selector.unregister(process)
            self._busy.discard(process)
        return process.close()

    def listen(self, descriptor: int, job: Any) -> None:
        """Wait for a pipe of a job too."""
        self._selector.register(descriptor, selectors.EVENT_READ, job)

    def release(self, descriptor: int) -> None:
        """No longer wait for it."""
        self._selector.unregister(descriptor)

    def wait(self, seconds: float | None) -> list[tuple[Any, Any]]:
        """What is ready, with its job: descriptors of pipes, and processes (the one with torch has no job)."""
        return [(key.fileobj, key.data) for key, _ in self._selector.select(seconds)]

    def end(self) -> None:
        """Kill all of them; whoever waits is woken."""
        with self._lock:
            self._ended = True
            processes = [*self._idle, *self._busy]
            if self.compiler is not None:
                self.compiler.end()
        for process in processes:
            process.end()

    def close(self) -> None:
        """End them and give everything back."""
        self.end()
        with self._lock:
            processes: list[AotProcess | ScriptProcess | VelaProcess] = [*self._idle, *self._busy]
            self._idle, self._busy = [], set()
            if self.compiler is not None:
                processes.append(self.compiler)
                self.compiler = None
        for process in processes:
            process.close()
        self._selector.close()


def _compiler(interpreter: Interpreter, warm: bool) -> AotProcess | ScriptProcess:
    return start_worker(interpreter.path, warm) if interpreter.why_script is None else ScriptProcess(interpreter)


def has_data(descriptor: int) -> bool:
    """Whether a pipe holds something, or is at its end."""
    with selectors.PollSelector() as selector:  # also for files
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(0))
