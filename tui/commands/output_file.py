"""`--output FILE`: what a command prints goes into a file, which appears when it is whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator

from ...runners.job import InputError, JobError
from ...runners.reading.paths import expand, is_stream
from ...runners.saved_file import check_target, whole_file
from ...runners.storage import FULL_DISK


@contextlib.contextmanager
def output_file(path: str, inputs: Iterable[str], *, force: bool) -> Iterator[None]:
    """Everything printed to stdout inside goes to `path`; on an error the file stays what it was.

    `inputs` are the paths, folders and patterns that are read inside.

    Raises:
        UsageError: it is one of the inputs, or there already without `force`, or no place for a file.
        JobError: it cannot be written there.
    """
    place = os.path.expanduser(path)
    try:
        if path and is_stream(place):  # a pipe or a device is written to as it is
            with open(place, "w", encoding="utf-8", newline="", errors="replace") as file:
                with contextlib.redirect_stdout(file):
                    yield
            return
        target = check_target(path, force=force, inputs=_expanded(inputs))
        with whole_file(target, replace=force) as whole, contextlib.redirect_stdout(whole):
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        hint = "free some space there" if error.errno in FULL_DISK else "choose another place"
        raise JobError(f"{path}: cannot be written ({error.strerror or error})", hint) from None


def _expanded(arguments: Iterable[str]) -> Iterator[str]:
    for argument in arguments:
        with contextlib.suppress(InputError):  # said when its turn comes
            yield from expand([argument], lambda _: None)
