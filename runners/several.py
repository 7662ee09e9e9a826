"""Several programs on several places at once: which of the pairs can work, and their start, each as a run of its own.

A pair that cannot work (a program of an Ethos-U85 on a board with an Ethos-U55) is left out with its reason; whatever else
is wrong with the request stops all of it before anything starts.  The runs take turns by the slots of their places, as all
runs do.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..analysis.program.needs import ETHOS_U
from .job import JobError, UsageError
from .keeping.claims import check_free, claim_of
from .keeping.viewer import Viewer
from .kinds import heard, plan
from .kinds.estimate import usual_of
from .launch import launch
from .reading.programs import program_label
from .run_request import RunRequest
from .runs.index import Listed
from .target import KINDS
from .targets.resolve import Misfit, judged, read_program_of, resolve

MOST_RUNS = 200
"""Each waits in a process of its own."""


class LeftOut(NamedTuple):
    """A pair that cannot work."""

    request: RunRequest
    reason: str
    advice: str


class Several(NamedTuple):
    """What was asked for, by what can be done with it."""

    requests: tuple[RunRequest, ...]
    left_out: tuple[LeftOut, ...]


class Expected(NamedTuple):
    """How long runs of the very same files took before."""

    known: int
    """How many of the runs."""
    seconds: float
    """Of these together, one after the other."""


def product(
    request: RunRequest, artefacts: Sequence[str | None], places: Sequence[str], npus: Sequence[str | None] = (None,)
) -> tuple[RunRequest, ...]:
    """The request for each program on each place and, where a simulator is to be told which, each NPU."""
    made = []
    for artefact in artefacts or (None,):
        for on in places:
            kind = on.partition(":")[0]
            sized = npus if kind not in ("host", "replay") else (None,)
            made += [dataclasses.replace(request, on=on, artefact=artefact, target=npu) for npu in sized or (None,)]
    return tuple(dict.fromkeys(made))


def misfit(request: RunRequest) -> tuple[str, str] | None:
    """Why this program does not go with this place, and what to do; None where nothing says so.  Reads the program.

    Raises:
        JobError: a target's name or file is wrong.
    """
    try:
        resolved = judged(resolve(request)).request
    except Misfit as wrong:
        return wrong.message, wrong.hint
    if request.artefact is None or resolved.kind not in ("fvp", "host"):
        return None
    program = read_program_of(os.path.expanduser(request.artefact))
    if program is None:  # whoever makes the plan says what is wrong with the file
        return None
    if resolved.kind == "fvp" and resolved.npu_target is None:
        return f"{request.artefact} does not say for which NPU it was compiled", "say which to simulate with --target"
    if resolved.kind == "host" and any(delegate.id == ETHOS_U for delegate in program.delegates):
        return (
            f"{request.artefact} has parts for an Ethos-U, and this machine has none",
            "run it on a simulator or a board, or compile it without delegation for this machine",
        )
    return None


def sorted_out(requests: Iterable[RunRequest]) -> Several:
    """Which of these can work; all that can be known before a start is known then.

    Raises:
        JobError: a file or a tool is missing, or the request makes no sense.
        UsageError: none can work, or they are too many.
    """
    good: list[RunRequest] = []
    left_out: list[LeftOut] = []
    resolved = [resolve(request) for request in requests]
    kinds = {request.kind for request in resolved}
    for request in (heard(one, kinds) for one in resolved):
        wrong = misfit(request)
        if wrong is not None:
            left_out.append(LeftOut(request, *wrong))
            continue
        planned = plan(request)
        asked = planned.request or request
        if asked.kind == "replay":
            raise UsageError("a replay runs alone", "name one log, and no other place beside it")
        good.append(asked)
    if len(good) > MOST_RUNS:
        raise UsageError(f"these are {len(good)} runs, and at most {MOST_RUNS} can be started at once", "name fewer")
    if not good:
        if not left_out:
            raise UsageError("nothing to run", "name a program")
        first = left_out[0]
        more = f" (and {len(left_out) - 1} more that cannot work)" if len(left_out) > 1 else ""
        raise UsageError(f"{first.reason}{more}", first.advice)
    return Several(tuple(dict.fromkeys(good)), tuple(left_out))


def launch_all(requests: Sequence[RunRequest], root: Path) -> Iterator[Viewer]:
    """Start these one after the other; those that share a port or a machine stand in line.

    Raises:
        JobError: one cannot be started; those before it go on.
    """
    claims = [claim_of(request) for request in requests]
    sharing = Counter(claim.key for claim in claims if claim is not None and not claim.waits)
    lined_up, free = [], set()
    for request, claim in zip(requests, claims, strict=True):
        if claim is not None and not claim.waits:
            if claim.key not in free:
                check_free(request)
                free.add(claim.key)
            if sharing[claim.key] > 1:  # the first as well: their processes may come in another order
                request = dataclasses.replace(request, wait=True)
        lined_up.append(request)
    for request in lined_up:
        started = launch(request, root)
        assert isinstance(started, Viewer)  # only a replay is none
        yield started


def expected(requests: Iterable[RunRequest], rows: Sequence[Listed]) -> Expected:
    """What the same files took before; reads them, so call it in a thread."""
    known, seconds = 0, 0.0
    for request in requests:
        try:
            found = usual_of(request, rows) if rows else None
        except JobError:  # the start says what is wrong
            continue
        if found is not None:
            runs = request.series_length or 1
            known, seconds = known + runs, seconds + runs * found.seconds
    return Expected(known, seconds)


def count(requests: Iterable[RunRequest]) -> int:
    """How many runs these make, repeats and warm-ups among them."""
    return sum(request.series_length or 1 for request in requests)


def place_name(request: RunRequest) -> str:
    """Where a request runs, in a few words."""
    if request.kind == "fvp":
        npu = request.npu_target or "?"
        return f"{request.place.name} {npu}" if request.place.name else f"fvp {npu}"
    return request.on if request.on in KINDS or ":" in request.on else request.place.name or request.on


def program_name(request: RunRequest, repeat: str = "") -> str:
    """What runs, in a few words; with its place in a series, if it has one."""
    name = program_label(request.artefact) if request.artefact else request.command[0] if request.command else "-"
    return f"{name}, {repeat}" if repeat else name
