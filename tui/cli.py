"""The entry point of the command `ethosu-tui`: as little as can be, so that Ctrl-C is answered from the first moment.

Everything else, argparse too, is imported under the handler: what is pressed while Python still loads modules ends the
command as it does later.
"""

from __future__ import annotations

import gc
import os
import sys

INTERRUPTED = 130
_TAKE_LEAVE = frozenset(("atexit", "threading", "weakref"))
"""Modules through which something may ask to be called when Python ends."""
GARBAGE_AFTER = 50_000
"""Objects between two looks for garbage: nearly all that is made while modules load and lines are read goes by itself."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the return value is the exit code."""
    gc.set_threshold(GARBAGE_AFTER)
    try:
        from .command_line import run

        return run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        if sys.stderr is not None:
            os.write(2, b"ethosu-tui: interrupted\n")
        return INTERRUPTED


def command() -> NoReturn:
    """The command as a process of its own: where nothing waits for the end of Python, taking it apart is left to the system.

    Else that takes as long as `python -c pass`.
    """
    code = main()
    if _TAKE_LEAVE.isdisjoint(sys.modules):
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            sys.exit(code)  # it says what is wrong
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    command()
