"""What the next line means to the open run: whether it goes on, has ended, or another one begins.

`runs.py` asks; the kinds of events are in `boundaries.py`.
"""

from __future__ import annotations

from ..last_words import ends_in_error
from ..line import SEVERE
from ..named_tuple import TYPE_CHECKING
from .at_work import begins_with, goes_on, judged, leaves, loads_anew, of_others, said_alone, still_begins, tests_anew
from .boundaries import (
    AFTER,
    FAULTS,
    LAUNCH,
    OF_DELEGATE,
    OF_JOB,
    OF_KERNEL,
    OF_PACK,
    OF_TEST,
    OF_TFLITE,
    OPENERS,
    PACK_STARTS,
    RESETS,
    TEST_STARTS,
    ZEPHYR_WORDS,
)
from .console_file import launched_anew, shown_behind

if TYPE_CHECKING:
    from ..draft import RunDraft
    from ..lines import Line
    from ..patterns import Event

_MOST_BEFORE_END = 24
"""The most lines between the last line of a run and the line of the CI service that stopped it."""
_MOST_BEFORE_FAULT = 3
"""Lines from the last one of a run to a fault in what its application does after it."""
_ELEMENTS = frozenset(("output", "output_bool"))
"""The values of outputs, one a line."""


def may_follow(draft: RunDraft, event: Event) -> bool:
    """Whether this event still belongs to a complete run: its last output, a failure of one that never ends, or a fault
    soon after the end, while the application frees its memory and has not said that it exits.
    """
    if event.kind in FAULTS:
        ended = draft.seen.keys() & {"exit_code", "semihosting"} or "program_complete" not in draft.seen
        return not ended and event.line - draft.last_line <= _MOST_BEFORE_FAULT
    if event.kind in _ELEMENTS and not draft.closed and (draft.last_event in _ELEMENTS or not draft.outputs):
        return True  # a page that shows a log in parts: first the run, then what it gave; some examples print it so
    behind_end = event.kind == "executed" and "program_complete" in draft.seen
    return event.kind in AFTER and not behind_end and goes_on(draft, event.kind)


REPEATED = frozenset(("reading_model", "rtt_platform"))
"""Openers that one run may print twice."""
SAID_AGAIN = frozenset(("", "operator_missing", "launch_failed", "esp_ready"))
"""Openers that may stand twice without being doubled: launches are tried again, kernels registered by library."""
_STEPS = {
    "pte_at": frozenset(("pte_magic", "pte_size", "methods", "method")),
    "pte_magic": frozenset(("pte_at", "pte_size", "methods", "method")),
    "pte_size": frozenset(("methods", "method")),
    "methods": frozenset(("method",)),
}
"""Steps by which a runner starts, and what none of them comes behind in one run."""

FOUND = ("F", "E", "[critical]", "Hard fault.", "Info: Simulation is stopping. Reason: CPU time has been exceeded.")
"""How lines begin that ExecuTorch's scripts and tests search for in a simulator's log, and print again."""


SEARCHES = ("script_search", "quoted_problems")
"""What a script or test prints above the lines that it found in the log above."""


def found_again(draft: RunDraft | None, event: Event | None, line: Line) -> bool:
    """Whether a script or test repeats this line of the run above; it belongs to that run and says nothing new."""
    if draft is None or draft.last_event not in SEARCHES or not draft.started:
        return False
    if event is not None and (event.kind in LAUNCH or event.kind == "script_problems"):
        return False
    if line.level not in SEVERE if line.level else not line.message.startswith(FOUND):
        return False
    draft.last_line = line.number
    return True


def listens(draft: RunDraft | None) -> bool:
    """True for a run that a line without a meaning may change: it has not started, or it goes on in such lines."""
    if draft is None:
        return False
    goes_on = draft.etdump.open or draft.open_tensor or draft.doubled
    goes_on = goes_on or (ends_in_error(draft) and max(draft.gone_on, draft.ended_at) <= draft.last_line)
    return bool(goes_on) or not draft.started or draft.last_event in (*SEARCHES, "inputs_ready", "iteration")


def of_other_tools(draft: RunDraft, event: Event) -> bool:
    """Whether this event does not belong to the open run, because another program printed it: one without an NPU, one
    whose application is not at work here, a backtrace without a crash, a kernel after the last output, the end of a CI
    job that went on with something else, or a reset that ended no run.
    """
    if event.kind in OF_PACK:
        return PACK_STARTS.isdisjoint(draft.seen) and not (running(draft) and judged(draft, event.kind))
    if event.kind == "crash_frame":
        return not draft.failed
    if event.kind == "kernel_died" or event.kind in OF_KERNEL:
        return printed_all(draft)
    if event.kind in OF_TEST:
        told = event.kind == "test_summary" and (not draft.started or draft.completed or draft.closed)
        return TEST_STARTS.isdisjoint(draft.seen) and not told
    if event.kind == "bundle_verified":
        return "example_runner.cpp" not in draft.files
    if of_others(draft, event.kind):
        return True
    if event.kind in RESETS:
        begins = draft.stage == "start" and event.kind != "rom_reset"  # the ROM speaks first, firmware later
        if not running(draft) or begins or not OF_JOB.isdisjoint(draft.seen):
            return True
        from ..collect.resets import tells_cause  # only here: few logs tell of a reset

        around = [str(event.values[side]) for side in ("before", "what")] if event.kind == "board_reset" else []
        return bool(around) and not tells_cause(*around)
    if event.kind in OF_JOB:
        return event.line - draft.last_line > _MOST_BEFORE_END
    return event.kind in OF_TFLITE and OF_DELEGATE.isdisjoint(draft.seen)


def measures_again(draft: RunDraft, event: Event) -> bool:
    """True where another tool measures after a complete run, as `label_image` does once; not for a repeated line."""
    if event.kind == "tflite_invoked":
        return bool(draft.predictions)
    ms = event.values.get("ms")
    seconds = round(ms / 1000, 12) if isinstance(ms, float) else None
    return event.kind == "tflite_average" and seconds != draft.get("times.inference_seconds")


def asks_again(draft: RunDraft) -> bool:
    """True where an evaluation kit application offers its menu, waits for a key after a profile, or tells its rate."""
    kit = any(kind.startswith("mlek_") and kind != "mlek_menu" for kind in draft.seen)
    waits = "kit_asks" in draft.seen and draft.last_event == "mlek_cycles" and draft.get("pmu.npu_cycles") is not None
    return kit and (draft.last_event == "mlek_menu" or waits or "kit_rate" in draft.seen)


def quoted(draft: RunDraft | None) -> bool:
    """True for what a test quotes of a run before it shows that run's whole log."""
    return draft is not None and begins_with(draft, "quoted_problems")


def running(draft: RunDraft | None) -> bool:
    """True in the middle of a run, where no line is a launch; kernel and shell may still tell of a crash."""
    over = (
        draft is None or draft.closed or draft.completed or (draft.failed and draft.last_event != "simulator_crashed")
    )
    return draft is not None and draft.started and not over


_OF_DEBUGGERS = ("[Thread ", "[New Thread ", "[Inferior ", "====")


def printed_all(draft: RunDraft | None, before: str = "-") -> bool:
    """True where a runner that does not say when it is through has printed all its outputs, and text of others stands behind them:
    what crashes then is another program.
    """
    if (
        draft is None
        or not before
        or before.startswith(_OF_DEBUGGERS)
        or draft.failed
        or draft.seen.keys().isdisjoint(("executed", "executed_times"))
    ):
        return False
    return draft.announced_outputs is not None and len(draft.outputs) >= draft.announced_outputs


def slower_console(draft: RunDraft | None) -> bool:
    """Whether Zephyr's banner comes after everything that its application printed, because its console is slower."""
    if draft is None or not draft.completed or draft.closed:
        return False
    return "zephyr_boot" not in draft.seen and not ZEPHYR_WORDS.isdisjoint(draft.seen)


def gave_up(draft: RunDraft | None) -> bool:
    """True after a run that failed: what a shell then says about a crash is how that run ended."""
    return draft is not None and draft.started and draft.failed


def launching(draft: RunDraft | None) -> bool:
    """True after a launch and before the first line of a runner."""
    return draft is not None and not draft.started and not idle(draft)


def unreached(draft: RunDraft | None) -> bool:
    """True where only a board could not be reached: not a run of its own, because another try may follow."""
    return draft is not None and not draft.started and draft.seen.keys() == {"launch_failed"}


def idle(draft: RunDraft | None) -> bool:
    """True where only a Zephyr banner or a common sentence was seen: any application may have printed it."""
    booted = draft is not None and not draft.started and "zephyr_boot" in draft.seen and LAUNCH.isdisjoint(draft.seen)
    return booted or said_alone(draft)


def restarts(draft: RunDraft, event: Event) -> bool:
    """Whether this event begins a new run instead of continuing the open one."""
    kind = event.kind
    if kind in TEST_STARTS:
        return _tests_again(draft, event)
    if launched_anew(draft, kind) or tests_anew(draft, kind):
        return True
    if still_begins(draft, kind):
        return False
    if draft.last_event in RESETS and kind in draft.seen and kind not in RESETS and kind != draft.before_reset:
        return True  # what stood further above comes again; a run that goes on was not reset
    if kind not in OPENERS or not draft.started:
        return kind in OPENERS and draft.closed and not shown_behind(draft, event)
    if (
        kind in ("npu_banner", "npu_summary")
        and draft.files
        and draft.stage not in ("execute", "report", "complete")
        and not (draft.closed or draft.failed)
    ):
        known = draft.get("target.macs")  # a runner of ExecuTorch asks the NPU for it when its backend begins: its own
        return known is not None and event.values.get("macs", known) != known
    if draft.completed or draft.closed or draft.stage not in ("start", "load"):
        return True
    if (
        leaves(draft, kind)
        or (draft.failed and kind != "methods")
        or (draft.refused == "execute" and len(draft.seen) > 1)
    ):
        return True  # what failed before its program was there does not go on to load it
    if kind in _STEPS and not _STEPS[kind].isdisjoint(draft.seen):
        return True
    return kind in draft.seen and kind not in REPEATED


_REGISTERED = ("Successfully registered all kernels from ", "Re-registering ")
"""What is printed before `main` begins: by a debug build once for each library, by any where two libraries register one kernel."""


def registers_anew(draft: RunDraft, line: Line) -> bool:
    """Whether another program begins at this line, after the open run has loaded its own."""
    begun = draft.completed or draft.failed or draft.stage not in ("start", "load")
    begun = begun and not (draft.overlap.shared and draft.ends == draft.completed)
    return loads_anew(draft, line) or (begun and line.message.startswith(_REGISTERED))


def _tests_again(draft: RunDraft, event: Event) -> bool:
    """Whether the test of all operators begins anew: on another core, after a reset, or after a different run."""
    if "test_summary" in draft.seen:
        return True
    if "test_started" in draft.seen:
        from ..collect.cmsis_pack import PackRun  # only here: few logs are of it

        return (event.values.get("name"), event.values.get("place")) in draft.state(PackRun).tests
    return draft.started and draft.stage not in ("start", "load")
