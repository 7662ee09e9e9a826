"""Where a run broke off in its report while another began: two targets are mixed, and the log goes on with both.

A runner prints its report in a fixed order. Where a run breaks off and the next line of that order appears inside a run
that has not executed anything yet, the first target continues there: no lost piece of the log explains both.
"""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING, NamedTuple
from .boundaries import LAUNCH

if TYPE_CHECKING:
    from ..draft import RunDraft
    from ..patterns import Event

_ORDER = (
    "semihosting reading_model pte_at pte_magic", "pte_size", "methods", "method", "method_pool", "planned_buffer", "method_loaded",
    "inputs_start", "inputs_ready", "execute_start",
    "inferences", "delegations", "profile_start", "operator_cycles", "operators_total", "inference_cycles", "ratio_note", "cpu_ratio",
    "npu_ratio", "cpu_wait", "pmu_start", "npu_cycles", "counter", "counter_names", "inferences_finished", "outputs",
    "output output_file bundle_stats mean_absolute_error max_absolute_error mean_relative_error max_relative_error bundle_match "
    "bundle_result", "model_run", "program_size", "loaded_size input_file_use", "method_use", "method_planned", "method_loaded_bytes",
    "method_input", "method_executor", "temp_capacity peak_temp "
    "executed etdump_size etdump_script etdump_writing etdump_data etdump_command etdump_end", "program_complete", "exit_code",
    "exit_this_sim",
)  # fmt: skip
"""The order of what Arm's runner prints. Events in one string may be absent or repeated."""
_PLACES = {kind: place for place, kinds in enumerate(_ORDER, 1) for kind in kinds.split()}
_AGAIN = frozenset(
    ("counter", "output", "operator_cycles", "model_run", "bundle_stats", "mean_absolute_error", "max_absolute_error",
     "mean_relative_error", "max_relative_error", "bundle_match", "bundle_result", "output_file", "input_file_use", "executed", "etdump_size",
     "etdump_script", "etdump_writing", "etdump_data", "etdump_command", "etdump_end")
)  # fmt: skip
"""Events of the order that may come several times."""
_FIRST = frozenset(
    ("inferences", "outputs", "output", "output_file", "program_size", "loaded_size", "method_use", "executed")
)
"""What may come first after the inputs, in releases that do not log the execution or do not measure."""
_INPUTS, _READY, _REPORT = _PLACES["inputs_start"], _PLACES["execute_start"], _PLACES["inferences"]
_COMPLETE, _LAST = _PLACES["program_complete"], _PLACES["exit_this_sim"]
_EXPLAINED = 2
"""A gap of so many lines in the order needs no second target: a line was lost, or is not printed."""
_FILES = ("arm_executor_runner.cpp", "arm_perf_monitor.cpp")
"""Source files that print in this order; outputs and the end of the program have no prefix."""
ENDS = frozenset(_ORDER[-2:])
"""What is printed when a program has ended."""
LATE = frozenset(kind for kind, place in _PLACES.items() if place >= _REPORT)
UNKNOWN = -1
"""The value of `left` where nobody knows how the run before ended."""


class Neighbours(NamedTuple):
    """What a run that was read alone means to the run after it, and requires of the run before it."""

    place: int
    """How far it came in the order."""
    leans: frozenset[int]
    """Places at which the run before it must not have been left off, or this one would be read otherwise."""

    @classmethod
    def of(cls, draft: RunDraft) -> Neighbours:
        """The neighbours of a draft that was begun with `left` set to `UNKNOWN`."""
        return cls(place_of(draft), frozenset(draft.overlap.leans))


def place_of(draft: RunDraft) -> int:
    """How far a run came in the order; 0 where it printed nothing of it."""
    return max((_PLACES[kind] for kind in _PLACES.keys() & draft.seen.keys()), default=0)


def left_by(place: int, status: str) -> int:
    """The place at which a run with this status broke off; 0 where nothing more was to come."""
    if status == "passed":
        return place if _COMPLETE <= place < _LAST else 0
    return place if status in ("truncated", "failed") and _REPORT <= place < _COMPLETE else 0


def goes_on(draft: RunDraft, event: Event) -> bool:
    """Whether this line continues the run before, because it is next in that run's order and too early for the open
    one.
    """
    place = _PLACES.get(event.kind)
    if place is None:
        return False
    before = draft.overlap.place
    if place <= _COMPLETE:
        draft.overlap.place = max(before, place)
    behind = place - (event.kind not in _AGAIN)
    if draft.overlap.left not in (behind, UNKNOWN) or draft.first_line == event.line or place - before <= _EXPLAINED:
        return False
    if behind <= before or not _too_early(draft, event, place, before):
        return False
    if draft.overlap.left == UNKNOWN:
        draft.overlap.leans.add(behind)
        return False
    draft.overlap.left, draft.overlap.shared = place, True
    return True


def of_runner(draft: RunDraft) -> bool:
    """Whether Arm's runner printed the newest line of this run with its log prefix."""
    return draft.newest is not None and draft.newest.file in _FILES


def _too_early(draft: RunDraft, event: Event, place: int, before: int) -> bool:
    newest, values = draft.newest, event.values
    if draft.failed or draft.completed or (newest is not None and newest.file not in (None, *_FILES)):
        return False
    if place > _COMPLETE:
        return not values.get("code") and before < _REPORT
    if place < _REPORT:
        return False
    # Behind the inputs, releases leave out some lines.
    return before < _INPUTS or (before < _READY and event.kind not in _FIRST)


def resumes(draft: RunDraft, event: Event) -> bool:
    """Whether the run continues its report after an exit code that belonged to the complete run before it."""
    place, seen = _PLACES.get(event.kind, 0), draft.seen
    if (
        draft.overlap.left < _COMPLETE
        or draft.failed
        or draft.mixed
        or "program_complete" in seen
        or "exit_code" not in seen
    ):
        return False
    return place - (event.kind not in _AGAIN) == draft.overlap.place


def of_launch(draft: RunDraft, kind: str) -> bool:
    """Whether a second target is still being launched while the one before it continues."""
    return draft.overlap.shared and kind in LAUNCH and LATE.union(LAUNCH).issuperset(draft.seen)
