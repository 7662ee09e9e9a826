"""How a child gets its streams: pipes, or a pseudo-terminal of its own for programs that behave otherwise without one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROWS, COLUMNS = 24, 80
_LAUNCHER = Path(__file__).with_name("pty_child.py")


class Child(NamedTuple):
    """A child that was started, and our ends of its streams; closing them is for the caller."""

    process: subprocess.Popen[bytes]
    output: int
    errors: int | None = None
    """Its stderr, where that is apart from its output."""
    input: int | None = None
    """Where its input can be written; None where it has none."""

    def close(self) -> None:
        """Close our ends."""
        for descriptor in {self.output, self.errors, self.input} - {None}:
            assert descriptor is not None
            os.close(descriptor)


def with_pipes(
    argv: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str] | None,
    *,
    stdin: bool | int | None = None,
    apart: bool = False,
) -> Child:
    """Start a command with its output on a pipe; its input is a descriptor, a pipe too (True), or none.

    Raises:
        OSError: it cannot be started.
        ValueError: an argument holds a NUL.
    """
    with contextlib.ExitStack() as undo, contextlib.ExitStack() as theirs:

        def pipe(child_reads: bool) -> tuple[int, int]:
            reading, writing = os.pipe()
            mine, its = (writing, reading) if child_reads else (reading, writing)
            undo.callback(os.close, mine)
            theirs.callback(os.close, its)
            os.set_blocking(mine, False)
            return mine, its

        output, stdout = pipe(False)
        errors, stderr = pipe(False) if apart else (None, subprocess.STDOUT)
        given, taken = pipe(True) if stdin is True else (None, stdin if stdin else subprocess.DEVNULL)
        process = subprocess.Popen(
            argv, stdin=taken, stdout=stdout, stderr=stderr, cwd=cwd, env=env, start_new_session=True
        )
        undo.pop_all()
        return Child(process, output, errors, given)


def with_terminal(argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None) -> Child:
    """Start a command on a terminal of 24 rows and 80 columns that it controls, with both streams on it.

    A small program makes the terminal the child's own and becomes the command: that has to happen in the child, where a
    process with threads must not run Python.

    Raises:
        OSError: it cannot be started.
        ValueError: an argument holds a NUL.
    """
    env = dict(os.environ if env is None else env)
    for name in ("LINES", "COLUMNS"):  # they tell of our terminal, not of its own
        env.pop(name, None)
    with contextlib.ExitStack() as undo, contextlib.ExitStack() as theirs:
        ours, terminal = os.openpty()
        undo.callback(os.close, ours)
        theirs.callback(os.close, terminal)
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(ours, False)
        report, told = os.pipe()
        theirs.callback(os.close, report)
        locale = "1" if "LC_CTYPE" in env else "0"
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_LAUNCHER), str(told), locale, *argv],
                stdin=terminal,
                stdout=terminal,
                stderr=terminal,
                pass_fds=(told,),
                cwd=cwd,
                env=env,
                start_new_session=True,
            )
        finally:
            os.close(told)
        failure = os.read(report, 64)  # ends when the command has taken the launcher's place
        if failure:
            process.wait()
            number = int(failure)
            raise OSError(number, os.strerror(number), argv[0])
        undo.pop_all()
        return Child(process, ours, None, ours)
