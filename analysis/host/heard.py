"""Which events of a capture say something about the programs of the host: commands, builds, what stopped them."""

from __future__ import annotations

from ..line_forms.other_languages import in_english
from ..named_tuple import TYPE_CHECKING
from ..patterns import HOST_EVENTS

if TYPE_CHECKING:
    from ..patterns import Event
    from .host_log import HostLog

_WRITTEN = frozenset(("pte_saved", "program_complete"))
_OF_OTHERS = frozenset(("job_lost", "script_bundle"))
"""Events of a run, which are the host's own where no run was seen before them."""
_STOPPERS = frozenset(("job_timeout", "job_cancelled", "emulator_stopped"))
"""Events that say who stopped a command; of a run, where one was seen before them."""
_COMPILER = "aot_arm_compiler"


def tell_host(host: HostLog, event: Event, message: str, *, before_runs: bool) -> None:
    """Let the log of host programs hear of this event of a line with this message.

    `before_runs` says that no run was seen so far: what stops something then stops a command of the host.
    """
    kind, line = event.kind, event.line
    if kind in HOST_EVENTS:
        _in_english(host, kind, line, message)
    elif kind in _WRITTEN:
        host.done(line, saved=kind == "pte_saved", path=str(event.values.get("path", "")))
    elif kind in _OF_OTHERS and before_runs:
        host.feed(kind, line, message)
    elif kind in _STOPPERS and before_runs:
        _stopped(host, kind, line, message)
    elif kind == "e2e_flow" or (kind == "aot_command" and _COMPILER in message):
        host.feed("compile_command", line, message)
    elif host.open:
        host.raised_elsewhere(message)


def _in_english(host: HostLog, kind: str, line: int, message: str) -> None:
    """Tell it in English, and keep the words of the log for the line that is quoted."""
    host.feed(kind, line, english := in_english(message))
    if english != message and host.lines and host.lines[-1].line == line:
        host.lines[-1] = host.lines[-1]._replace(written=message)


def _stopped(host: HostLog, kind: str, line: int, message: str) -> None:
    if kind != "job_timeout":
        host.feed("killer", line, message)
    elif host.steps or host.notes or host.lines:  # else it is a job of something else
        host.feed(kind, line, message)
