"""Decides the status of a run: passed, failed, timeout, hung, truncated or not started.

Handlers in `collect/` note on the draft what each line says by itself: `failed`, `completed`, `refused` (most of them in
`collect/results.py`). Here, at the end, that is weighed together with what the last lines are (`last_words.py`), what a
program of this kind prints in all, and how the host saw it end (`outcome.py`). Where the capture holds nothing of a
runner, the host alone decides (`Outcome.verdict`).
"""

from __future__ import annotations

from .collect.collect import FAILURES
from .collect.tensors import ENDS_IN_VALUES
from .dividing.at_work import of_linux_runner, without_end
from .dividing.decisions import asks_again
from .draft import HOST_ALONE, RunDraft, Trouble
from .last_words import WAITS, broken_off, complaint, ends_in_error, torn
from .named_tuple import TYPE_CHECKING
from .report import STAGES, Stage, Status

if TYPE_CHECKING:
    from .outcome import CaptureEnd, Outcome

_CUT_SHORT = ("connection_lost", "port_lost", "job_cancelled", "job_lost", "board_reset", "rom_reset")
_HEARD = frozenset(("mlek_label", "mlek_heard", "mlek_recognised"))
_BUNDLED = frozenset(("bundle_named", "bundle_detected"))
_FRAMES = frozenset(("pack_class", "pack_frame", "mlek_class", "mlek_box", "mlek_heard"))


def concluded(draft: RunDraft, end: CaptureEnd) -> RunDraft:
    """A copy that knows what no single line tells: that the run did all it is there for, or that a crash was another
    program's.

    The draft keeps what was read, because a run that only seems to be through may go on.
    """
    result = draft.copy()
    _complete(result, end)
    if not draft.seen.keys().isdisjoint(_CRASHES):
        _outlived(result, end)
    return result


def _complete(draft: RunDraft, end: CaptureEnd) -> None:
    """Mark a run as complete that did all it is there for, though its runner prints no completion line."""
    linux = of_linux_runner(draft)
    if draft.completed or draft.failed or (linux and _is_cut_off(draft, end.text)):
        return
    draft.completed = (linux and _linux_ended(draft)) or _gave_outputs(draft) or _goes_on_for_ever(draft)


def _has_all_outputs(draft: RunDraft) -> bool:
    """Whether every output that was announced was printed."""
    return draft.announced_outputs is not None and len(draft.outputs) >= draft.announced_outputs


def _is_cut_off(draft: RunDraft, last_text: str) -> bool:
    """Whether Linux's runner was about to print more: the last text is a torn line, or a verdict is missing."""
    ends_in_values = _has_all_outputs(draft) or draft.last_event == "bare_value"
    awaits_verdict = not _BUNDLED.isdisjoint(draft.seen) or bool(draft.bundle)
    torn_line = torn(last_text, "EF" if ends_in_values else "DIEFO")
    return torn_line or (awaits_verdict and "result" not in draft.bundle)


def _linux_ended(draft: RunDraft) -> bool:
    """Whether Linux's runner has come to its end: that of its input, or all outputs, whose number is not told before 0.1."""
    if "server_mode" in draft.seen and draft.last_event == "server_done":
        return True
    return "executed" in draft.seen and (_has_all_outputs(draft) or draft.last_event == "bare_value")


def _gave_outputs(draft: RunDraft) -> bool:
    """Whether the program has executed its model and printed what comes last.

    Runners may leave the values of outputs out, or print them elsewhere.
    """
    seen = draft.seen.keys()
    unprinted = draft.announced_outputs is None or "etdump_file" in seen or draft.last_event.startswith("output")
    if "executed_times" in seen and (unprinted or _has_all_outputs(draft)):
        return True
    if draft.last_event == "bare_value" and not ENDS_IN_VALUES.isdisjoint(draft.files):
        return True  # where no verdict was asked for
    if {"executed", "exit_this_sim", "time_limit"} <= seen and draft.outputs:
        return True  # simulations before 0.3
    if draft.stage == "report" and "eot" in seen and "main.cpp" in draft.files:
        return True  # an example stops the simulator
    return draft.seen.get("llm_begun", 0) < draft.seen.get("llm_generated", 0)  # a text; its figures may be elsewhere


def _goes_on_for_ever(draft: RunDraft) -> bool:
    """Whether an application that never ends has done once what it does again and again."""
    seen = draft.seen.keys()
    if ("task_ready" in seen and not _HEARD.isdisjoint(seen)) or {"zephyr_boot", "mlek_label"} <= seen:
        return True
    if without_end(draft) and complaint(draft.trouble, draft.last_line) is None:
        return True
    return not _FRAMES.isdisjoint(seen) and ("sds_started" not in seen or "sds_stopped" in seen)


_CRASHES = ("simulator_crashed", "kernel_died")
_FAILED = FAILURES | {"assert_failed"}
_PAST_EXECUTION = frozenset(("program_complete", "executed", "executed_times"))
"""What a program says that did not crash before it."""


def _outlived(draft: RunDraft, end: CaptureEnd) -> None:
    """Take back a crash that another program had, because this run continued after it and came to its end.

    Such a program ran in another container or job, or was killed by the kernel.
    """
    told = [t.line for t in draft.trouble if t.kind in _CRASHES]
    past = max((draft.seen.get(kind, 0) for kind in _PAST_EXECUTION), default=0)
    own = any(t.level == "F" or (t.kind in _FAILED and t.kind not in _CRASHES) for t in draft.trouble)
    if not told or past <= told[-1] or own:
        return
    draft.failed = False
    _complete(draft, end)
    if draft.completed:
        draft.trouble = [t for t in draft.trouble if t.kind not in (*_CRASHES, "crash_frame")]
    else:
        draft.failed = True


def _out_of_time(trouble: list[Trouble]) -> bool:
    """True where the command `timeout` stopped the emulator or the program."""
    told = (t.values for t in trouble if t.kind == "emulator_stopped")
    return any("command" in values or values.get("by") == "timeout" for values in told)


def status_of(draft: RunDraft, end: CaptureEnd) -> Status:
    """The status of a run that was concluded."""
    outcome = end.outcome
    if draft.failed or (
        not draft.completed and outcome is not None and (outcome.code or 0) < 0 and _by_itself(outcome)
    ):
        return "failed"
    if draft.completed or (asks_again(draft) and draft.stage == "report" and draft.refused is None):
        return "passed"
    reason = outcome.reason if outcome is not None else ""
    if not draft.started:
        told = outcome.verdict if outcome is not None and HOST_ALONE in draft.seen else None
        return told if told is not None else "not_started"
    if draft.refused is not None or "bundle_mismatch" in draft.seen:
        return "failed"  # the verdict itself was cut off
    if draft.seen.keys() & {"time_limit", "job_timeout"} or _out_of_time(draft.trouble) or reason == "timeout":
        return "timeout"
    if reason == "silence" or (draft.interruption.line and draft.last_event in WAITS and of_linux_runner(draft)):
        return "hung"
    if draft.interruption.line > draft.last_line:
        return "truncated"
    ended = "exit_this_sim" in draft.seen or draft.last_event in _CUT_SHORT or reason in ("stopped", "lost")
    over = draft.ended_at > draft.last_line  # a prompt came, or the like
    if (over or (end.last and not end.cut)) and not ended:
        if ends_in_error(draft):
            return "failed"
        return "hung" if draft.stage == "execute" and not broken_off(end.text) else "truncated"
    return "truncated"


def stage_of(draft: RunDraft) -> Stage:
    """How far the run came; the stage at which the driver refused the program, where that is further."""
    refused = draft.refused
    if refused is None or draft.stage_frozen or STAGES.index(refused) < STAGES.index(draft.stage):
        return draft.stage
    return refused


def _by_itself(outcome: Outcome) -> bool:
    """True where nobody stopped the target, so that a signal means that it aborted."""
    return outcome.reason == "ended"
