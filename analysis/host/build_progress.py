"""How far a build is, from what CMake's generators print before each step."""

from __future__ import annotations

import re

from ..named_tuple import NamedTuple

_NINJA = re.compile(r"\s*\[(\d{1,6})/(\d{1,6})\] ")
_MAKE = re.compile(r"\s*\[\s*(\d{1,3})%\] ")


class BuildProgress(NamedTuple):
    """Steps done of all steps; with Makefiles, of 100."""

    done: int
    total: int


def build_progress(line: str) -> BuildProgress | None:
    """What a line says of it: `[ 42%] Building ...` or `[12/345] Building ...`."""
    ninja = _NINJA.match(line)
    if ninja is not None:
        done, total = int(ninja[1]), int(ninja[2])
        return BuildProgress(done, total) if 0 < total and done <= total else None
    make = _MAKE.match(line)
    if make is not None and int(make[1]) <= 100:
        return BuildProgress(int(make[1]), 100)
    return None
