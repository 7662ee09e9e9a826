"""Where a run was left off when another one began: two targets whose lines stand mixed go on with both.

A runner prints its report in one order.  Where a run breaks off in it, and the next line of that order comes in a run that
has not executed anything yet, the first target goes on there: the log lost no piece that could explain both.
"""

from __future__ import annotations

from .boundaries import LAUNCH
from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .draft import RunDraft
    from .patterns import Event

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
"""What Arm's runner prints; what stands together need not be there, or comes several times."""
_PLACES = {kind: place for place, kinds in enumerate(_ORDER, 1) for kind in kinds.split()}
_AGAIN = frozenset(
    ("counter", "output", "operator_cycles", "model_run", "bundle_stats", "mean_absolute_error", "max_absolute_error",
     "mean_relative_error", "max_relative_error", "bundle_match", "bundle_result", "output_file", "input_file_use", "executed", "etdump_size",
     "etdump_script", "etdump_writing", "etdump_data", "etdump_command", "etdump_end")
)  # fmt: skip
"""Of these, more may follow."""
_FIRST = frozenset(
    ("inferences", "outputs", "output", "output_file", "program_size", "loaded_size", "method_use", "executed")
)
"""What may come first behind the inputs, where a release tells of no execution or measures nothing."""
_INPUTS, _READY, _REPORT = _PLACES["inputs_start"], _PLACES["execute_start"], _PLACES["inferences"]
_COMPLETE, _LAST = _PLACES["program_complete"], _PLACES["exit_this_sim"]
_EXPLAINED = 2
"""Where no more than one of them is missing between two lines of a run, it was lost, or is not printed."""
_FILES = ("arm_executor_runner.cpp", "arm_perf_monitor.cpp")
"""What prints in this order; its outputs and its end have no prefix."""
ENDS = frozenset(_ORDER[-2:])
"""What comes when a program has ended."""
LATE = frozenset(kind for kind, place in _PLACES.items() if place >= _REPORT)
UNKNOWN = -1
"""It was not told what stood before this run."""


class Neighbours(NamedTuple):
    """What a run, read without those around it, means to the one behind it, and asks of the one before it."""

    place: int
    """How far it came in this order."""
    leans: frozenset[int]
    """Places at which the run before it must not have been left off, or this one would be read otherwise."""

    @classmethod
    def of(cls, draft: RunDraft) -> Neighbours:
        """Those of a run that was begun with `UNKNOWN` before it."""
        return cls(place_of(draft), frozenset(draft.leans))


def place_of(draft: RunDraft) -> int:
    """How far a run came in this order."""
    return max((_PLACES[kind] for kind in _PLACES.keys() & draft.seen.keys()), default=0)


def left_by(place: int, status: str) -> int:
    """The same where more was to come behind a run that ended so; 0 where nothing was."""
    if status == "passed":
        return place if _COMPLETE <= place < _LAST else 0
    return place if status in ("truncated", "failed") and _REPORT <= place < _COMPLETE else 0


def goes_on(draft: RunDraft, event: Event) -> bool:
    """Whether this line is the next one of the run before, and comes too early for this run."""
    place = _PLACES.get(event.kind)
    if place is None:
        return False
    before = draft.place
    if place <= _COMPLETE:
        draft.place = max(before, place)
    behind = place - (event.kind not in _AGAIN)
    if draft.left not in (behind, UNKNOWN) or draft.first_line == event.line or place - before <= _EXPLAINED:
        return False
    if behind <= before or not _too_early(draft, event, place, before):
        return False
    if draft.left == UNKNOWN:
        draft.leans.add(behind)
        return False
    draft.left, draft.shared = place, True
    return True


def of_runner(draft: RunDraft) -> bool:
    """Whether the newest line of a run is one that Arm's runner printed with its prefix."""
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
    """Whether this run goes on in its report behind an exit code, which is that of the complete run before."""
    place, seen = _PLACES.get(event.kind, 0), draft.seen
    if draft.left < _COMPLETE or draft.failed or draft.mixed or "program_complete" in seen or "exit_code" not in seen:
        return False
    return place - (event.kind not in _AGAIN) == draft.place


def of_launch(draft: RunDraft, kind: str) -> bool:
    """Whether a second target is still being launched, while the one before goes on."""
    return draft.shared and kind in LAUNCH and LATE.union(LAUNCH).issuperset(draft.seen)
