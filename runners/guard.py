"""Kills a child's process group when we die without being able to, as by `kill -9` or for want of memory.

The kernel's own way (PR_SET_PDEATHSIG) acts when the *thread* that started the child ends, and has to be set between
fork and exec, where a program with threads must not run Python.  A pipe has neither trouble: its writing end is ours
alone, so its end is our end, and a shell that waits for it does the killing.
"""

from __future__ import annotations

import contextlib
import os
import subprocess

_SCRIPT = 'read -r group || exit 0; read -r done || kill -s KILL -- "-$group"'
"""An end of the pipe before the first line: there is no child.  Before the second: we died before it did."""


class DeathGuard:
    """Started before the child, told of its group, and closed when the group is empty."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,  # what kills our group must not kill it
        )

    def watch(self, group: int) -> None:
        """The process group to kill if we die."""
        self._write(f"{group}\n")

    def close(self) -> None:
        """End without killing anybody."""
        self._write("done\n")
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # somebody ended the guard: then there is nobody to tell
            os.write(self._process.stdin.fileno(), text.encode())
