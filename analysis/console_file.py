"""The console of a simulator that went into a file: a CI job shows it once the simulator has ended."""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .draft import RunDraft
    from .patterns import Event

_OF_LINUX = frozenset(("threads", "model_file", "tflite_device", "npu_asked", "npu_capable", "reading_model"))
"""How programs begin that run under an operating system."""
_MOST_BETWEEN = 60
"""Lines: the simulator's statistics, and what the job says and does in between."""


_COMES_UP = frozenset(("fvp_config", "fvp_terminal", "fvp_npu", "fvp_version", "fvp_command"))
"""What a simulator says as it comes up."""


def launched_anew(draft: RunDraft, kind: str) -> bool:
    """Whether another start follows one of which nothing more was said: a simulator that has ended, a device or a debugger that begins again."""
    if kind in ("himax_device", "debugger_started"):
        return kind in draft.seen
    return kind in _COMES_UP and draft.closed and not draft.started and "fvp_stopped" in draft.seen


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


_OF_ANY = frozenset(("pico_started", "impulse_npu"))
"""What any program may say as it begins, or one that goes on to wait for a command."""
_MOST_ROWS = 12
"""Of a screen, that one line goes over."""


def begins_with(draft: RunDraft, kind: str) -> bool:
    """Whether this is the first thing that was said, and once: in one line, which a screen may have broken."""
    return next(iter(draft.seen), "") == kind and draft.seen[kind] - draft.first_line < _MOST_ROWS


def said_alone(draft: RunDraft | None) -> bool:
    """Whether all that is known of a run is one sentence that any program may print."""
    return draft is not None and len(draft.seen) == 1 and not _OF_ANY.isdisjoint(draft.seen)
