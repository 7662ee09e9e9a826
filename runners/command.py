"""Any command as a target (QEMU, west, docker, a debugger): an argv with placeholders, never a shell's text."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

from .job import MissingTool, UsageError
from .placeholders import fill
from .process import Limits, ProcessJob

TIME_LIMIT_SECONDS = 600.0


class CommandJob(ProcessJob):
    """One run of a command; its placeholders are filled when the run folder is known."""

    def __init__(
        self,
        words: Sequence[str],
        values: Mapping[str, str | None],
        *,
        label: str,
        cwd: str | None = None,
        limits: Limits | None = None,
        pty: bool = False,
    ) -> None:
        self._words = tuple(words)
        self._values = dict(values)
        argv = fill(
            self._words, self._values | {"folder": "."}
        )  # what is wrong with them is said before there is a folder
        require_program(argv[0], cwd)
        super().__init__(argv, label=label, cwd=cwd, limits=limits, pty=pty)

    def use_folder(self, folder: str) -> None:
        """Fill `{folder}`; to be called before the run."""
        self.argv = tuple(fill(self._words, self._values | {"folder": folder}))


def require_program(name: str, cwd: str | None) -> None:
    """MissingTool unless a command of this name can be started from `cwd`."""
    if not name:
        raise UsageError(
            "the command has an empty name", "write the program first, e.g. -- qemu-system-arm -M mps3-an547"
        )
    if os.sep not in name:
        if shutil.which(name) is None:
            raise MissingTool(f"{name} is not on PATH", "install it, or write its whole path")
        return
    path = os.path.join(cwd or os.curdir, name)
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        why = "not an executable file" if os.path.lexists(path) else "no such file"
        raise MissingTool(f"{path}: {why}", "check the path of the command, and its rights")
