"""A program that takes the terminal over for a while, and its keys and signals with it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from .signal_names import signal_name

_OF_KEYS = (signal.SIGINT, signal.SIGQUIT)


def take_over(argv: Sequence[str], *, stdin: IO[bytes] | None = None, env: Mapping[str, str] | None = None) -> int:
    """Run a program on our terminal until it ends; Ctrl-C and Ctrl-\\ are for it alone meanwhile, and a terminal that it left
    raw is as it was.  Its exit code, or the negative signal.  OSError: it cannot be started."""
    before = [signal.signal(number, signal.SIG_IGN) for number in _OF_KEYS]
    try:
        with _settings_kept(), subprocess.Popen(argv, stdin=stdin, env=env, preexec_fn=_take_keys) as process:
            return process.wait()
    finally:
        for number, handler in zip(_OF_KEYS, before, strict=True):
            signal.signal(number, handler)


def _take_keys() -> None:
    """In the child: what we ignore, it would ignore too."""
    for number in _OF_KEYS:
        signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _settings_kept() -> Iterator[None]:
    terminal = sys.__stdin__
    try:
        if terminal is None:
            raise OSError
        kept = termios.tcgetattr(terminal.fileno())
    except (OSError, ValueError, termios.error):  # no terminal
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(terminal.fileno(), termios.TCSADRAIN, kept)


def ended_badly(name: str, code: int) -> str | None:
    """What to say of a program that did not end well, in one sentence."""
    if code == 0:
        return None
    if code > 0:
        return f"{name} ended with exit code {code}"
    return f"{name} was ended by {signal_name(code)}"
