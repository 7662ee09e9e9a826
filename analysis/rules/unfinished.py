"""A compile that failed after Vela had compiled delegates of its network, which are parts of a program that was never
saved.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..compiles.whole_network import UNFINISHED, trailing
from ..host.host_line import HostLine
from ..host.host_log import HostLog
from ..report import CompileSummary, Finding
from ..units import format_many
from .killed import KILLED

_OF_PYTHON = ("aot_error", "python_error", "field_error")
"""Errors of what compiles, in its own words or in Python's."""


def unfinished(said: HostLine, log: HostLog, summaries: Sequence[CompileSummary]) -> list[Finding]:
    """A finding about the summaries above the error that ended their compile; None where they may be of several
    compiles.

    Only ExecuTorch's own script is known to compile one network and end; its command or the traceback names it. Up to
    0.5 it did not say that it saved its program, so a later error says nothing about the compile.
    """
    begins = [note.line for note in log.notes if note.kind == "compile_command"]
    commands = [line for line in begins if line < said.line]
    end = min((line for line in begins if line > said.line), default=log.lines[-1].line + 1)
    by_script = any(line.place.by_script for line in log.lines if said.line <= line.line < end)
    if not (commands or by_script) or log.saved > said.line:
        return []
    parts = trailing([s for s in summaries if s.first_line not in log.alone], max([*commands, log.saved]), said.line)
    if not parts:
        return []
    without_frame = said.kind in _OF_PYTHON and not said.place.frame
    killed = KILLED.search(said.text) is not None and log.last_step_at <= (parts[-1].first_line or 0)
    if not (by_script or without_frame or killed):
        return []
    lines = tuple(part.first_line for part in parts if part.first_line is not None)
    return [
        Finding(
            UNFINISHED, "info", None, f"The compile failed when Vela had compiled {format_many(len(parts), 'delegate')} of it",
            "Each summary of Vela above the error is of one delegate of the same network, of which no program was saved.",
            "Take no figure of them for the whole network.", lines,
        )
    ]  # fmt: skip
