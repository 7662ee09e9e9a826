"""A pseudo-terminal for tests: what a program sends is kept as it came, and the settings of the line can be looked at."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

_MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
_KITTY = re.compile(rb"\x1b\[([><])(\d*)u")
REPLY_SECONDS = 90.0


class PseudoTerminal:
    """One program with a terminal of its own, which is its controlling one."""

    def __init__(self, argv: list[str], environment: Mapping[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self.master, slave = pty.openpty()
        self.output = b""
        self.resize(*size, tell=False)
        self.settings = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.login_tty(slave) if hasattr(os, "login_tty") else _login(slave)
                os.execve(argv[0], argv, dict(environment))
            finally:
                os._exit(127)
        self._slave = slave  # held open, so that the settings can be read when the program has gone
        self.code: int | None = None

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self._slave)

    def resize(self, width: int, height: int, tell: bool = True) -> None:
        """Another size; the kernel tells the program."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def send(self, keys: bytes) -> None:
        """Type; what the program says meanwhile is read, so that neither waits for the other."""
        while keys:
            readable, writable, _ = select.select([self.master], [self.master], [], REPLY_SECONDS)
            if readable:
                self.output += os.read(self.master, 65_536)
            if writable:
                keys = keys[os.write(self.master, keys[:512]) :]

    def read(self, seconds: float) -> None:
        """Take what comes within this time."""
        if select.select([self.master], [], [], seconds)[0]:
            self.output += os.read(self.master, 65_536)

    def wait(self, condition: Callable[[], bool] | bytes, limit: float = REPLY_SECONDS) -> None:
        """Read until a text came, or a condition holds."""
        wanted = condition
        told = (lambda: wanted in self.output) if isinstance(wanted, bytes) else wanted
        deadline = time.monotonic() + limit
        while not told():
            if time.monotonic() > deadline:
                raise AssertionError(f"{condition!r} did not come within {limit} s after {self._last_words()}")
            self.read(0.05)

    def wait_quiet(self, seconds: float = 0.4) -> None:
        """Read until nothing has come for a while."""
        before = -1
        while before != len(self.output):
            before = len(self.output)
            self.read(seconds)

    def wait_ended(self, limit: float = REPLY_SECONDS) -> int:
        """Read until the program has ended; its exit code, or the negative signal."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
                self.read(0.05)
                return self.code
            self.read(0.05)
        raise AssertionError(f"the program did not end within {limit} s; it said last {self._last_words()}")

    def _last_words(self) -> str:
        """The end of what was said, and where the program stands now (`told_when_stuck`)."""
        said = len(self.output)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)
        self.wait_quiet(2.0)
        return f"{self.output[said - 3000 : said]!r}\n{self.output[said:].decode(errors='replace')}"

    def left_on(self) -> list[str]:
        """What the program switched on and did not switch off: modes, keyboard protocols, settings of the line."""
        on = {"25": True, "7": True}  # cursor and line wrap are on in a terminal at rest
        for numbers, letter in _MODE.findall(self.output):
            for number in numbers.decode().split(";"):
                on[number] = letter == b"h"
        wrong = [f"mode {number}" for number, value in on.items() if value != (number in ("25", "7"))]
        pushes = sum(1 if sign == b">" else -1 for sign, _ in _KITTY.findall(self.output))
        wrong += [f"{pushes} keyboard protocols"] if pushes > 0 else []
        now = termios.tcgetattr(self._slave)
        return wrong + (["settings of the line"] if now != self.settings else [])


def _login(slave: int) -> None:
    """As `os.login_tty` of Python 3.11."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for descriptor in range(3):
        os.dup2(slave, descriptor)


def surroundings(home: Path, **settings: str) -> dict[str, str]:
    """An environment with little more than a home: what is not there cannot be the reason why a test passes."""
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    packages = [str(Path(__file__).with_name("told_when_stuck")), *filter(None, [os.environ.get("PYTHONPATH")])]
    told = {
        "PYTHONPATH": os.pathsep.join(packages),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "HOME": str(home),
        "ETHOSU_TUI_WORKSPACE": str(home / "runs"),
    }
    return {**kept, **told, **settings}


def dashboard(*words: str) -> list[str]:
    """The command line of the dashboard."""
    return [sys.executable, "-m", "ethosu_tui.tui", *words]
