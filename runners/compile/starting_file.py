"""The file that `compile --template` writes: a model that compiles as it stands, with comments that say what to change."""

from __future__ import annotations

import os
from pathlib import Path

from ..job import JobError, UsageError

TEMPLATE_FILE = "model.py"
_TEMPLATE = Path(__file__).with_name("models") / "_template.py"


def starting_file() -> str:
    """Its text."""
    return _TEMPLATE.read_text(encoding="utf-8")


def write_starting_file(name: str, force: bool = False) -> Path:
    """Write it; nothing is overwritten unless `force` says so.

    Raises:
        UsageError: there is such a file already, or the name is none of a Python file.
        JobError: it cannot be written.
    """
    path = Path(os.path.expanduser(name))
    if path.suffix != ".py":
        raise UsageError(f"{name} is not the name of a Python file", "let it end in .py")
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        with open(os.open(path, flags, 0o666), "w", encoding="utf-8") as stream:
            stream.write(starting_file())
    except FileExistsError as error:
        raise UsageError(f"{name} is there already", "name another file, or add --force to overwrite it") from error
    except OSError as error:
        raise JobError(f"cannot write {name} ({error.strerror or error})", "choose another place") from error
    return path
