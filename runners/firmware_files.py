"""Files of generated text: all of them or none, each whole, and none over a file that is there unless asked to."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from .job import JobError, UsageError
from .saved_file import check_target
from .storage import FULL_DISK


def write_files(
    folder: str, files: Mapping[str, Iterable[bytes]], *, force: bool, inputs: Iterable[str] = ()
) -> list[Path]:
    """Write them into the folder, which is made where it is not there; `inputs` are files that are read meanwhile.

    Raises:
        UsageError: the folder is no place for them, or one of them is there already and `force` is not given.
        JobError: the system refused; the message says why, and no new file is left.
    """
    place = Path(os.path.expanduser(folder)) if folder else Path()
    if not folder or place.exists() and not place.is_dir():
        raise UsageError(f"{folder or 'an empty name'} is no folder", "name a folder")
    try:
        made = _make(place)
    except OSError as error:
        raise JobError(f"cannot make the folder {place} ({error.strerror or error})", "name another one") from None
    written: list[tuple[Path, Path]] = []
    try:
        targets = [check_target(str(place / name), force=force, inputs=inputs) for name in files]
        for target, blocks in zip(targets, files.values(), strict=True):
            temporary = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}")
            written.append((temporary, target))
            _write(temporary, blocks)
        for temporary, target in written:
            os.replace(temporary, target)
    except BaseException as error:
        for temporary, _ in written:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        for new in made:
            with contextlib.suppress(OSError):  # something else is in it by now
                new.rmdir()
        if not isinstance(error, OSError):
            raise
        if error.errno in FULL_DISK:
            raise JobError(f"the disk is full, nothing was written to {place}", "free some space") from None
        reason = error.strerror or str(error)
        raise JobError(f"cannot write to {place} ({reason})", "check the folder and its permissions") from None
    return targets


def _make(place: Path) -> list[Path]:
    """Make the folder and those above it; those that were made, the innermost first."""
    missing = [path for path in (place, *place.parents) if not path.exists()]
    place.mkdir(parents=True, exist_ok=True)
    return missing


def _write(path: Path, blocks: Iterable[bytes]) -> None:
    with open(path, "wb") as stream:
        for block in blocks:
            stream.write(block)
        stream.flush()
        os.fsync(stream.fileno())
