"""What the run form offers where several values are taken: programs of earlier compiles, places and NPUs, and what does not fit.

Nothing here needs a screen; what reads files is called from threads.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...analysis.lines import clean
from ...analysis.targets import TARGETS
from ...analysis.units import format_age, format_seconds
from ...runners.job import JobError
from ...runners.reading.programs import programs_of_all
from ...runners.run_request import RunRequest
from ...runners.runs.index import listed
from ...runners.several import Expected, Several, count, misfit, product
from .dialogs import Choice
from .run_fields import Entered

MOST_OFFERED = 100
"""Programs of earlier compiles, newest first."""


def compiled_programs(root: Path, now: float) -> list[Choice]:
    """The programs of the stored compiles, newest first.

    Raises:
        InputError: the workspace cannot be read.
    """
    choices: list[Choice] = []
    for row in listed(root):
        if row.kind != "compile" or row.status != "ok" or len(choices) >= MOST_OFFERED:
            continue
        age, label = format_age(now - row.created), clean(row.label)
        choices += (Choice(path, age, label) for path in programs_in((row.path,)))
    return choices


def programs_in(paths: Sequence[str]) -> tuple[str, ...]:
    """The programs of these run folders, as far as they are compiles that made one."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            names = sorted(name for name in os.listdir(path) if name.endswith(".pte") and name[0] != ".")
            found += [os.path.join(path, name) for name in names[:1]]
    return tuple(found)


def npu_choices(wanted: str | None) -> list[Choice]:
    """What a simulator can be, of one family of NPUs or of all."""
    return [Choice(t.name, t.fvp) for t in TARGETS.values() if t.fvp and wanted in (None, t.npu)]


def reasons(entered: Entered, field: str, names: Sequence[str]) -> Mapping[str, str]:
    """Why some values of a field fit nothing of what is chosen in the other fields.  Reads programs.

    Raises:
        JobError: a target's name or file is wrong.
    """
    if not entered.artefact and field != "artefact":
        return {}
    found: dict[str, str] = {}
    for name in names:
        told = [misfit(one) for one in _with(entered, field, name)]
        first = next((one for one in told if one is not None), None)
        if told and first is not None and all(one is not None for one in told):
            found[name] = clean(f"{first[0]}")
    return found


def _with(entered: Entered, field: str, name: str) -> tuple[RunRequest, ...]:
    """The requests that this value would make."""
    if field == "runner":
        npus = entered.several("target") if "target" in entered.fields and entered.npus else ()
        request = dataclasses.replace(entered, places=()).request()
        try:
            return product(request, programs_of_all(entered.several("artefact")), (name,), npus)
        except JobError:
            return ()
    if field == "target":
        one = dataclasses.replace(entered, target=name, npus=())
    else:
        one = dataclasses.replace(entered, artefact=name, programs=())
        if not entered.is_several:  # several programs bring their own NPUs
            one = dataclasses.replace(one, target="")
    with contextlib.suppress(JobError):
        return one.requests()
    return ()


def said_of_several(several: Several, before: Expected, key: str) -> str:
    """What the `key` starts: how many runs these are, and how long like ones took."""
    runs = count(several.requests)
    starts = f"{key} starts {runs} run{'s' if runs != 1 else ''}"
    if not before.known:
        return f"{starts}; {'none of them' if runs != 1 else 'it never'} ran before"
    part = ("all" if before.known >= runs else f"{before.known} of them") if runs != 1 else "it"
    together = " together" if before.known > 1 else ""
    return f"{starts}; {part} ran before, in {format_seconds(before.seconds)}{together}"


def said_left_out(several: Several) -> str:
    """What is left out, by its first reason."""
    left_out = several.left_out
    if not left_out:
        return ""
    more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
    return clean(f"{len(left_out)} left out: {left_out[0].reason}{more}")
