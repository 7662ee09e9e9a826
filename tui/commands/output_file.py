"""`--output FILE`: what a command prints goes into a file, which appears when it is whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import IO

from ...runners.job import JobError


@contextlib.contextmanager
def output_file(path: str) -> Iterator[None]:
    """Everything printed to stdout inside goes to `path`; on an error the file stays what it was.

    Raises:
        JobError: it cannot be written there.
    """
    folder = os.path.dirname(os.path.abspath(os.path.expanduser(path)))
    target = os.path.join(folder, os.path.basename(path))
    if os.path.isdir(target):
        raise JobError(f"{path}: is a folder", "give the name of a file")
    if os.path.lexists(target) and not os.path.isfile(target):  # a pipe or a device is written to as it is
        with _open(path, target) as file, contextlib.redirect_stdout(file):
            yield
        return
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".ethosu-tui-", dir=folder)
    except OSError as error:
        raise JobError(f"{path}: cannot be written ({error.strerror})", "choose another place") from None
    try:
        with open(descriptor, "w", encoding="utf-8", newline="", errors="replace") as file:
            with contextlib.redirect_stdout(file):
                yield
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, os.path.realpath(target))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _open(path: str, target: str) -> IO[str]:
    try:
        return open(target, "w", encoding="utf-8", newline="", errors="replace")
    except OSError as error:
        raise JobError(f"{path}: cannot be written ({error.strerror})", "choose another place") from None
