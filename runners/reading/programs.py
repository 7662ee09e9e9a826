"""What people name when several programs are to run: files, folders of compile results, run folders; each program once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ...analysis.lines import clean
from ..job import InputError, UsageError
from ..runs.folder import RunFolder
from .paths import is_run_folder

MOST_PROGRAMS = 200
_ENDINGS = (".pte", ".bpte")


@lru_cache(maxsize=4 * MOST_PROGRAMS)
def program_label(path: str) -> str:
    """What a program is called in a list: its file, and in a run folder, where all have one name, what was compiled."""
    folder = os.path.dirname(os.path.abspath(os.path.expanduser(path)))
    if is_run_folder(folder):
        return RunFolder.read(Path(folder)).label
    return clean(os.path.basename(path))


def programs_of_all(paths: Iterable[str]) -> tuple[str, ...]:
    """Those of each of these, every program once; raises as `programs_of`."""
    return tuple(dict.fromkeys(program for path in paths for program in programs_of(path)))


def programs_of(path: str) -> tuple[str, ...]:
    """The file itself, or the programs in a folder and the folders below it, in the order of their names.

    Links to folders are not followed.  Of a program that lies there with and without reference data the one without is
    taken, as the two are the same program.

    Raises:
        InputError: a folder without a program, or one that cannot be listed.
        UsageError: a folder with more programs than anybody runs at once.
    """
    folder = os.path.expanduser(path)
    if not os.path.isdir(folder):
        return (path,)
    found: list[str] = []
    refused: list[OSError] = []
    for root, folders, names in os.walk(folder, onerror=refused.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += (os.path.join(root, name) for name in sorted(names) if name.endswith(_ENDINGS) and name[0] != ".")
        if len(found) > 2 * MOST_PROGRAMS:
            break
    if refused:
        raise InputError(f"cannot list {refused[0].filename} ({refused[0].strerror})", "check its permissions")
    there = set(found)
    found = [one for one in found if not (one.endswith(".bpte") and f"{one[:-5]}.pte" in there)]
    if not found:
        raise InputError(
            f"{path}: this folder contains no program (.pte)", "give a .pte, or a folder of compile results"
        )
    if len(found) > MOST_PROGRAMS:
        raise UsageError(f"{path} holds more than {MOST_PROGRAMS} programs", "name a folder under it, or the files")
    return tuple(found)
