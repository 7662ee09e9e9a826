"""Whether a failure was repaired later: what a build, a set-up, a program or a run after it proves, and what it does
not.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..host.host_line import HostLine
from ..host.host_log import HostLog
from ..report import CompileSummary, Run

_OF_COMPILE = frozenset((
    "vela", "aot-script", "arm-quantiser", "arm-pass", "arm", "cortex-m", "exir", "exir-base", "verifier", "memory", "emit", "recipe", "quantisation", "export",
))  # fmt: skip
"""Parts of a compile, whose failure leaves no program: a runner is built well behind it with an older one."""
_OF_BUILD = ("pte_to_header.py:", "rgb_to_array.py:", "image_to_array.py:")
"""Scripts beside those of a compile that a build calls itself."""
_BY_SETUP = frozenset(("missing-module", "library-missing", "flatc-missing"))
"""Rules of what an installation behind it brings."""


def mended(
    last_error: int,
    errors: Iterable[tuple[HostLine, str]],
    log: HostLog,
    runs: tuple[Run, ...],
    summaries: tuple[CompileSummary, ...],
) -> bool:
    """Whether the log shows that all went well after the last error; `errors` are lines with their rules."""
    if any(run.status == "passed" and run.first_line > last_error for run in runs):
        return True
    if log.last_done <= last_error:
        return False
    again = (note.line for note in log.notes if note.kind == "compile_command")  # which older releases do in silence
    compiled = max(log.saved, *again, *(summary.first_line or 0 for summary in summaries), 0)
    return all(
        (log.installed if rule in _BY_SETUP else 0) > line.line or compiled > line.line
        for line, rule in errors
        if line.kind == "field_error" and line.place.part in _OF_COMPILE and not line.place.frame.startswith(_OF_BUILD)
    )


def aside(line: HostLine) -> bool:
    """Whether this is about something a command did not find, which says nothing about a run that had already passed."""
    said = line.text[:400]
    others = said.startswith("realpath: ") or (said.startswith("Error: ") and said.endswith(" is not a directory"))
    return line.kind == "host_error" and (": No module named " in said[:200] or others)
