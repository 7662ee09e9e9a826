"""From a request that names a target to one that holds all of its settings, judged before anything starts.

What the command line says counts more than the target's entry.  A request that was resolved stays as it is, so that the
process that carries it out needs no file.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, NamedTuple

from ..job import JobError, UsageError
from ..run_request import RunRequest
from ..target import KINDS

if TYPE_CHECKING:
    from ...analysis.program.report import Program

PROGRAM_LIMIT_BYTES = 1 << 30
_HELD = ("fvp", "serial", "ssh", "command")
"""Kinds with an NPU behind them."""


class Misfit(UsageError):
    """This program, or this NPU, does not go with this place; another one may."""


def resolve(request: RunRequest) -> RunRequest:
    """The request with the settings of the target that it names.

    Raises:
        UsageError: no target has that name.
        InputError: its entry, or a file that could name it, is wrong.
    """
    if request.kind in KINDS:
        return request
    from .catalogue import Catalogue  # only where a target is named

    place = Catalogue().target(request.on)
    return dataclasses.replace(
        request,
        place=place,
        python=request.python or place.python,
        fast=request.fast or place.fast,
        trace=request.trace or place.trace,
        semihosting=request.semihosting or place.semihosting,
        extra=(*place.fvp_args, *request.extra) if place.kind == "fvp" else request.extra,
    )


class Judged(NamedTuple):
    """A request that can work, as far as its files tell."""

    request: RunRequest
    """With the NPU of the program, where a simulator was not told which."""
    notes: tuple[str, ...]
    """What a person should know before the figures are read."""


def judged(request: RunRequest) -> Judged:
    """Refuse what cannot work: a program for another NPU, or for a memory mode that its NPU cannot have.

    Raises:
        UsageError: it cannot work; the message says why.
    """
    kind = request.kind
    notes = _of_target(request)
    if kind not in _HELD or request.artefact is None:
        return Judged(request, notes)
    path = os.path.expanduser(request.artefact)
    program = read_program_of(path)
    if program is None:
        return Judged(request, notes)
    from ...analysis.target_entries.judge import Hardware, judge, targets_of

    place = request.place
    compiled = targets_of(program)
    target = request.npu_target
    if target is None and kind == "fvp" and len(compiled) == 1:
        npu = compiled[0].rpartition("-")[0]
        if place.npu in (None, npu):  # a simulator has all sizes: that of the program
            target = compiled[0]
            request = dataclasses.replace(request, target=target)
    family, _, size = target.rpartition("-") if target is not None and target.startswith("ethos-") else ("", "", "")
    hardware = Hardware(
        name=f"the target {place.name}" if place.name else "this FVP" if kind == "fvp" else "this target",
        npu=family or place.npu,
        macs=int(size) if size.isdigit() else None,
        simulator=kind == "fvp",
        board=place.board,
        memories=place.memories,
        memory_mode=place.memory_mode,
        system_config=place.system_config,
        doubtful="macs" in place.unverified,
    )
    found = judge(program, path, hardware)
    if found.refusal is not None:
        raise Misfit(*found.refusal)
    return Judged(request, (*notes, *found.notes))


def _of_target(request: RunRequest) -> tuple[str, ...]:
    """What does not depend on the program: another NPU than the hardware has, and figures that nobody has checked."""
    place = request.place
    if not place.name:
        return ()
    wanted = request.target
    if wanted is not None and place.kind in _HELD:
        has = place.npu_target if place.kind != "fvp" else None
        other = has is not None and wanted != has
        if other or place.npu is not None and wanted.startswith("ethos-") and wanted.rpartition("-")[0] != place.npu:
            raise Misfit(f"--target {wanted} is not what {place.name} has ({has or place.npu})", "leave --target out")
    from ...analysis.meaning.boards import BOARDS
    from ...analysis.target_entries.figures import npu_clock
    from ...analysis.units import format_hz

    clock = npu_clock(place.name, place.clock_hz, place.unverified, place.board)
    board = BOARDS.get(place.board or "")
    notes = []
    if clock is not None and not clock.verified:
        notes.append(
            f"nobody has checked the clock of {place.name}, {format_hz(clock.value)} ({clock.source}), and times are marked so: "
            'give it as clock = "..." in an entry of your own'
        )
    if board is not None and board.note and board.clock_hz is not None and place.clock_hz is None:
        notes.append(f"{place.name}: {board.note}")
    return tuple(notes)


def read_program_of(path: str) -> Program | None:
    """The program of a `.pte` or `.bpte`; None for anything else, and for what its runner will complain of."""
    from ...analysis.program.reader import ProgramError, read_bundle, read_program
    from ..artefacts import identify

    try:
        artefact = identify(path)
        if artefact.kind not in ("pte", "bpte") or artefact.bytes > PROGRAM_LIMIT_BYTES:
            return None
        with open(path, "rb") as stream:
            data = stream.read()
        return read_bundle(data)[1] if artefact.kind == "bpte" else read_program(data)
    except (JobError, ProgramError, OSError):
        return None
