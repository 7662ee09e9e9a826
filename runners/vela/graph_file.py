"""Whether a `.tosa` or `.tflite` file is one, and whole: Vela would say so in its own words, a second later."""

from __future__ import annotations

from pathlib import Path

from ...analysis.compiles.tflite import check_tflite
from ...analysis.tosa.reader import read_tosa
from ..job import InputError

IDENTIFIERS = {".tosa": b"TOSA", ".tflite": b"TFL3"}
"""What stands at byte 4 of each."""
_LARGEST_BYTES = 2 << 30
"""More than a FlatBuffer can be."""
_CHECKED_BYTES = 512 << 20
"""Of a larger one only the beginning is looked at."""


def check_graph(path: Path, kind: str) -> None:
    """See that the file is what its ending says, `kind`.

    Raises:
        InputError: it is missing, unreadable, something else, cut off or damaged.
    """
    identifier = IDENTIFIERS[kind]
    try:
        if not path.is_file():
            what = "is a directory" if path.is_dir() else "is not there" if not path.exists() else "is no file"
            raise InputError(f"{path} {what}", "check the path")
        size = path.stat().st_size
        with path.open("rb") as stream:
            data = stream.read(8 if size > _CHECKED_BYTES else _CHECKED_BYTES)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path and permissions") from error
    if size == 0:
        raise InputError(f"{path} is empty", "write it again")
    if data[4:8] != identifier or int.from_bytes(data[:4], "little") >= size:
        name = "TOSA graph" if identifier == b"TOSA" else "TensorFlow Lite model"
        raise InputError(
            f"{path} is no {name} (it lacks {identifier.decode()!r} at byte 4, or is cut off)", "check the file"
        )
    if size > _LARGEST_BYTES:
        raise InputError(f"{path} is larger than any FlatBuffer", "check the file")
    if size > _CHECKED_BYTES:
        return
    try:
        if kind == ".tosa":
            read_tosa(data)
        else:
            check_tflite(data)
    except ValueError as error:
        raise InputError(f"{path}: {error}", "write or copy it again") from None
