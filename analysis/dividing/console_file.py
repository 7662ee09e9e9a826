"""The console of a simulator that went into a file: a CI job shows it once the simulator has ended."""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from ..draft import RunDraft
    from ..patterns import Event

_OF_LINUX = frozenset(("threads", "model_file", "tflite_device", "npu_asked", "npu_capable", "reading_model"))
"""How programs begin that run under an operating system."""
_MOST_BETWEEN = 60
"""Lines: the simulator's statistics, and what the job says and does in between."""


_COMES_UP = frozenset(("fvp_config", "fvp_terminal", "fvp_npu", "fvp_version", "fvp_command"))
"""What a simulator says as it comes up."""


_OF_FVP = ("FVP_", "run_fvp", "executor_runner")
"""What a launch names that was one of a simulator's; any other step of a job may lack a program, too."""


def launched_anew(draft: RunDraft, kind: str) -> bool:
    """Whether another start follows one of which nothing more was said: a simulator that has ended or that was not there, a device or a debugger
    that begins again."""
    if kind in ("himax_device", "debugger_started"):
        return kind in draft.seen
    if kind == "fvp_command" and "script_done" in draft.seen and not draft.started:
        return True  # the script has told its own end, and names what it starts next
    if draft.started or kind not in _COMES_UP:
        return False
    if draft.last_event == "launch_failed":
        return any(words in said.text for said in draft.trouble for words in _OF_FVP)
    return draft.closed and "fvp_stopped" in draft.seen


def shown_behind(draft: RunDraft, event: Event) -> bool:
    """Whether the runner that begins here is the one of this simulator, which has ended with nothing of its console in the log.

    That launch then goes on: the run is not over.
    """
    shown = (
        "fvp_stopped" in draft.seen
        and not draft.failed
        and "launch_failed" not in draft.seen
        and event.kind not in _OF_LINUX
        and event.line - draft.last_line <= _MOST_BETWEEN
    )
    draft.closed &= not shown
    return shown
