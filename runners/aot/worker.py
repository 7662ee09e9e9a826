"""Runs ExecuTorch's own ahead-of-time script for many jobs while paying for its imports once.

This file is started by path under the interpreter that holds executorch, where this package may not be installed:
it uses the standard library and executorch only.  It imports the script once, then forks for each job and calls the
script's `main()` with the arguments that a person would type, so that the `.pte` is the script's own, byte for byte.
What it adds happens around the script's functions: which stage runs, how the partitions went, why it failed, and one
more Vela run per partition for the per-operator figures that the script throws away.

Protocol: our end of a socket pair brings a first line with a token, then one JSON line per job, with two descriptors
(console, events); we answer with lines that carry the token before their JSON (`ready`, `unavailable`, `exit`).  A job
keeps none of our descriptors, and signs its events with a token of its own.  The end of the socket is the order to end
everything.
"""

from __future__ import annotations

import fcntl
import gc
import hashlib
import json
import os
import platform
import secrets
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import metadata, util
from typing import Any

SCRIPT = "backends/arm/scripts/aot_arm_compiler.py"
PACKAGES = ("executorch", "torch", "ethos-u-vela", "tosa-tools")
MODULES = {"executorch": "executorch", "torch": "torch", "ethos-u-vela": "ethosu", "tosa-tools": "tosa_serializer"}
RELEASE_MODULES = ("cmsis_nn",)
"""What single releases import that no package of theirs brings."""

_EQUAL_YAML = {
    "4e04715d10c4e489139689b104c078168c700e1b04a52e316b73dfb5ca5cf237",  # 1.0.1 to 1.3.1
    "5c599f3b58c6effd249f9cb1a8ac7757a0d5059396c2b96b620a7bc79e612f34",  # 1.4.0 to 1.5.1
}
"""SHA-256 of the edge.yaml texts for which libyaml is known to give the very object that ruamel.yaml gives."""


def installed() -> dict[str, Any]:
    """What this interpreter has, without importing any of it."""
    versions: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "unknown" if util.find_spec(MODULES[package]) else None
    home = None
    spec = util.find_spec("executorch")
    for directory in (spec.submodule_search_locations or ()) if spec else ():
        if os.path.isfile(os.path.join(directory, SCRIPT)):
            home = directory
            break
    return {
        "executable": sys.executable,
        "python": platform.python_version(),
        "versions": versions,
        "executorch": home,
        "modules": [name for name in RELEASE_MODULES if util.find_spec(name)],
    }


def main(arguments: list[str]) -> int:
    """`--probe` prints what is installed; a number is the descriptor of the socket to serve."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]  # our modules are not theirs
    if arguments == ["--probe"]:
        print(json.dumps(installed()))
        return 0
    return Worker(socket.socket(fileno=int(arguments[0]))).serve()


class Worker:
    """The parent of all jobs: forks them, reports their ends, and leaves none behind."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._token = ""
        self._private: list[int] = []
        """Descriptors that no job may keep."""
        self._descriptors: list[int] = []
        self._children: dict[int, dict[str, Any]] = {}
        self._script: Any = None
        self._observer: Any = None

    def serve(self) -> int:
        """Answer requests until the other end closes the socket."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        first = b""
        while not first.endswith(b"\n"):  # one byte at a time: what follows comes with descriptors
            if not (byte := self._channel.recv(1)):
                return 0
            first += byte
        hello = json.loads(first)
        self._token = hello["token"]
        try:
            with _ending_with(os.getppid()):
                self._script = _import_script()
                self._observer = _sibling("observer")
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            sys.stderr.flush()
            self._tell(event="unavailable", error=f"{type(error).__name__}: {error}")
            return 3
        if hello.get("keep"):
            with suppress(OSError):
                _sibling("warm").keep(self, hello["keep"])
        self.answer()
        return 0

    def answer(self) -> None:
        """Do jobs, once everything is imported."""
        self._tell(event="ready", **installed())
        try:
            self._loop()
        finally:
            self._abandon()

    def _loop(self) -> None:
        woken, wake = os.pipe()
        for descriptor in (woken, wake):
            os.set_blocking(descriptor, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        buffer = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._channel, selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            self._private = [woken, wake]
            if hasattr(selector, "fileno"):
                self._private.append(selector.fileno())
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if woken in ready:
                    with suppress(BlockingIOError):
                        os.read(woken, 4096)
                    self._reap()
                if self._channel in ready:
                    data, descriptors, _, _ = socket.recv_fds(self._channel, 1 << 16, 2)
                    self._descriptors += descriptors
                    if not data:
                        return
                    *lines, buffer = (buffer + data).split(b"\n")
                    for line in lines:
                        self._obey(json.loads(line))

    def _obey(self, request: dict[str, Any]) -> None:
        if "kill" in request:
            for pid, job in self._children.items():
                if job["job"] == request["kill"]:
                    os.kill(pid, signal.SIGKILL)
            return
        console, events = self._descriptors[:2]
        del self._descriptors[:2]
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become(request, console, events, parent)
        os.close(console)
        os.close(events)
        self._children[pid] = request

    def _become(self, job: dict[str, Any], console: int, events: int, parent: int) -> None:
        """In the forked child: run the job and end."""
        code = 1
        self._children = {}  # they are our parent's: whatever happens here, we neither kill nor clean up after them
        try:
            _die_with(parent)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._channel.close()
            for descriptor in self._private:
                os.close(descriptor)
            self._token = ""
            os.dup2(console, 1)
            os.dup2(console, 2)
            os.close(console)
            tell = self._observer.Events(_out_of_the_way(events), job.pop("token"))
            sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            os.mkdir(job["tmp"], 0o700)
            # Vela's command line is split at blanks: this has none.
            tempfile.tempdir = os.environ["TMPDIR"] = job["tmp"]
            if "cwd" in job:  # on another machine
                os.chdir(job["cwd"])
            sys.path.insert(0, os.getcwd())  # as `python -m` has it
            if job["model"]:
                sys.path.append(os.path.dirname(job["model"]))
            sys.argv = [str(self._script.__file__), *job["argv"]]
            code = self._observer.compile_observed(self._script, job, tell, _sibling)
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                with suppress(Exception):
                    sys.stdout.flush()
                    sys.stderr.flush()
            finally:
                os._exit(code)

    def _reap(self) -> None:
        for pid in list(self._children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                job = self._children.pop(pid)
                self._tell(event="exit", job=job["job"], code=os.waitstatus_to_exitcode(status))

    def _tell(self, **message: Any) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # nobody listens: the loop ends at the next read
            self._channel.sendall(f"{self._token} {json.dumps(message)}\n".encode())

    def _abandon(self) -> None:
        for pid in self._children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid, job in self._children.items():
            os.waitpid(pid, 0)
            shutil.rmtree(job["tmp"], ignore_errors=True)


@contextmanager
def _ending_with(parent: int) -> Iterator[None]:
    """While importing, nothing reads the socket: look twice a second whether our parent still lives."""

    def check(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(3)

    signal.signal(signal.SIGALRM, check)
    signal.siginterrupt(signal.SIGALRM, False)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _import_script() -> Any:
    """Import the script.  What an import makes stays: looking for garbage in it costs a fifth of the time."""
    gc.disable()
    try:
        with _fast_yaml():
            from executorch.backends.arm.scripts import aot_arm_compiler
    finally:
        gc.freeze()
        gc.enable()
    return aot_arm_compiler


def _sibling(name: str) -> Any:
    """A module beside this file, loaded by path: our folder is no place for their imports to look into."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = util.spec_from_file_location(f"ethosu_tui_aot_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _fast_yaml() -> Iterator[None]:
    """Half of the import time is edge.yaml in pure Python; read the texts that are known to be safe with libyaml."""
    try:
        import yaml
        from ruamel.yaml import YAML

        loader = yaml.CSafeLoader
    except (ImportError, AttributeError):
        yield
        return
    original = YAML.load

    def load(self: Any, stream: Any) -> Any:
        if isinstance(stream, str) and hashlib.sha256(stream.encode()).hexdigest() in _EQUAL_YAML:
            return yaml.load(stream, Loader=loader)
        return original(self, stream)

    YAML.load = load
    try:
        yield
    finally:
        YAML.load = original


def _out_of_the_way(descriptor: int) -> int:
    """The same pipe under a number that no loop over the first few descriptors meets, and no program of a model gets."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64 + secrets.randbelow(128))
    os.close(descriptor)
    return moved


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(3)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # tearing torch down takes a second and nobody needs it
