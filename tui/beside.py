"""What is read beside the screen instead of being waited for: a large capture, or more logs than columns can be compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ..runners.reading.archives import may_hold_several
from ..runners.reading.paths import is_run_folder
from . import messages

if TYPE_CHECKING:
    from ..runners.reading.background import BackgroundReading

MOST_COLUMNS = 8
"""So many logs that are opened at once become the columns of a comparison; more are a post-mortem."""


def overview_of(
    paths: Sequence[str], reading: BackgroundReading | None = None, asked: Sequence[str] = ()
) -> Literal["capture", "logs"] | None:
    """What these are shown as while they are read; None where they are read at once.

    `reading` where that of the one path was begun; `asked` are the words that the paths were asked for with.
    """
    if len(paths) == 1 and (reading is not None or not may_hold_several(os.path.expanduser(paths[0]))):
        from ..runners.reading.background import is_huge

        return "capture" if reading is not None or is_huge(paths[0]) else None
    columns = 1 < len(paths) <= MOST_COLUMNS and not (asked and tuple(asked) != tuple(paths) and _any_huge(paths))
    compiles = sum(map(_is_compile, paths))
    return None if columns or 0 < compiles >= len(paths) - MOST_COLUMNS else "logs"


def is_folder_of_logs(path: str) -> bool:
    """Whether this is a folder, and not one that a run or a compile left."""
    path = os.path.expanduser(path)
    return os.path.isdir(path) and not is_run_folder(path)


def all_in(folder: str) -> messages.OpenReport | messages.OpenCompare | messages.Problem:
    """What to ask for to see all logs in a folder; walks through it, so call it in a thread."""
    from ..runners.job import InputError
    from ..runners.reading.paths import expand

    refused: list[InputError] = []
    try:
        found = expand([folder], refused.append)
    except InputError as error:
        return messages.Problem(error.message, error.hint)
    if not found:
        return messages.Problem(refused[0].message, refused[0].hint)
    return messages.OpenReport(found[0]) if len(found) == 1 else messages.OpenCompare(tuple(found), (folder,))


def _any_huge(paths: Sequence[str]) -> bool:
    """Whether one of those that were found in a folder would hold up the screen while it becomes a column."""
    from ..runners.reading.background import is_huge

    return any(map(is_huge, paths))


def _is_compile(path: str) -> bool:
    """Whether this holds no runs, only what a compile says of a program."""
    from ..runners.job import InputError
    from ..runners.reading.results import is_summary

    if path.endswith(".csv"):
        try:
            return is_summary(path)
        except InputError:
            return True  # whoever opens it is told
    return path.endswith((".xml", ".pte", ".bpte")) or os.path.isfile(os.path.join(path, "result.json"))
