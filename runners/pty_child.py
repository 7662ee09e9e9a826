"""Run by `spawning.py` as a process of its own: takes the terminal on stdin as its own and becomes the command.

Arguments: a descriptor for the number of the error when that fails, whether LC_CTYPE was set, and the command.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios


def main() -> None:
    """Never returns where the command could be started."""
    told = int(sys.argv[1])
    os.set_inheritable(told, False)
    if sys.argv[2] == "0":
        os.environ.pop("LC_CTYPE", None)  # Python sets it for itself where the locale is C
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and a command would inherit that
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.execvp(sys.argv[3], sys.argv[3:])
    except OSError as error:
        os.write(told, str(error.errno).encode())


if __name__ == "__main__":
    main()
