"""A compile that failed when Vela had compiled delegates of its network: those are parts of one that was never saved."""

from __future__ import annotations

from collections.abc import Sequence

from ..compiles.whole_network import UNFINISHED, trailing
from ..host.host_line import HostLine
from ..host.host_log import HostLog
from ..report import CompileSummary, Finding
from ..units import format_many


def unfinished(said: HostLine, log: HostLog, summaries: Sequence[CompileSummary]) -> list[Finding]:
    """What there is to say of the summaries above the error that ended their compile; nothing where several compiles may have made them.

    Only ExecuTorch's own script is known to compile one network and end: it is named by its command, or by the traceback.
    """
    commands = [note.line for note in log.notes if note.kind == "compile_command" and note.line < said.line]
    if not (commands or said.place.by_script) or log.saved > said.line:
        return []
    parts = trailing(summaries, max([*commands, log.saved]), said.line)
    if not parts:
        return []
    lines = tuple(part.first_line for part in parts if part.first_line is not None)
    return [
        Finding(
            UNFINISHED, "info", None, f"The compile failed when Vela had compiled {format_many(len(parts), 'delegate')} of it",
            "Each summary of Vela above the error is of one delegate of the same network, of which no program was saved.",
            "Take no figure of them for the whole network.", lines,
        )
    ]  # fmt: skip
