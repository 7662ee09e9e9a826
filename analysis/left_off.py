"""Where a run was left off when another one began: two targets whose lines stand mixed go on with both.

A runner prints its report in one order.  Where a run breaks off in it, and the next line of that order comes in a run that
has not executed anything yet, the first target goes on there: the log lost no piece that could explain both.
"""

from __future__ import annotations

from .boundaries import LAUNCH, OPENERS
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .draft import RunDraft
    from .patterns import Event

_ORDER = (
    "inferences", "delegations", "profile_start", "operator_cycles", "operators_total", "inference_cycles", "ratio_note", "cpu_ratio",
    "npu_ratio", "cpu_wait", "pmu_start", "npu_cycles", "counter", "counter_names", "inferences_finished", "outputs",
    "output output_file bundle_stats mean_absolute_error max_absolute_error mean_relative_error max_relative_error bundle_match",
    "bundle_result", "model_run", "program_size", "loaded_size", "input_file_use", "method_use", "method_planned", "method_loaded_bytes",
    "method_input", "method_executor", "temp_capacity peak_temp",
    "executed etdump_size etdump_script etdump_writing etdump_data etdump_command etdump_end", "program_complete", "exit_code",
    "exit_this_sim",
)  # fmt: skip
"""What a runner prints from its report on; what stands together need not be there, or comes several times."""
_PLACES = {kind: place for place, kinds in enumerate(_ORDER, 1) for kind in kinds.split()}
_AGAIN = frozenset(
    ("counter", "output", "model_run", "operator_cycles", "etdump_writing", "etdump_data", "etdump_command", "etdump_end",
     *_ORDER[16].split())
)  # fmt: skip
"""Of these, more may follow."""
_COMPLETE, _LAST = _PLACES["program_complete"], _PLACES["exit_this_sim"]
_NEXT = 2
"""One of them may be left out."""
ENDS = frozenset(_ORDER[-2:])
"""What comes when a program has ended."""
LATE = frozenset(_PLACES)
UNKNOWN = -1
"""It was not told what stood before this run."""
_UNREADY = ("start", "load", "plan")
_FIRST = frozenset(("inferences", "outputs", "output", "output_file", "program_size", "executed"))
"""What may come first behind the inputs, where others tell of no execution."""
_FILES = ("arm_executor_runner.cpp", "arm_perf_monitor.cpp")
"""What prints in this order; its outputs and its end have no prefix."""


def place_of(draft: RunDraft) -> int:
    """How far a run came in its report."""
    return max((_PLACES[kind] for kind in LATE.intersection(draft.seen)), default=0)


def left_by(place: int, status: str, stage: str) -> int:
    """The same where more was to come behind a run that ended so; 0 where nothing was."""
    broken = place > 0 and status == "truncated" and stage in ("execute", "report")
    return place if broken or (status == "passed" and _COMPLETE <= place < _LAST) else 0


def goes_on(draft: RunDraft, event: Event) -> bool:
    """Whether this line is the next one of the run before, and can be none of this run yet."""
    place = _PLACES.get(event.kind)
    if place is None or draft.failed or not _too_early(draft, event, place):
        return False
    behind = place - (event.kind not in _AGAIN)
    if draft.left == UNKNOWN:
        draft.leans.update(range(behind - _NEXT + 1, behind + 1))
        return False
    if not 0 <= behind - draft.left < _NEXT:
        return False
    draft.left, draft.shared = place, True
    return True


def _too_early(draft: RunDraft, event: Event, place: int) -> bool:
    newest = draft.newest
    if newest is not None and newest.file is not None and newest.file not in _FILES:
        return False
    if place > _COMPLETE:
        told = draft.completed or event.values.get("code")
        return not told and (draft.stage in _UNREADY or draft.stage == "inputs" or OPENERS.isdisjoint(draft.seen))
    return draft.stage in _UNREADY or (draft.stage == "inputs" and event.kind not in _FIRST)


def of_launch(draft: RunDraft, kind: str) -> bool:
    """Whether a second target is still being launched, while the one before goes on."""
    return draft.shared and kind in LAUNCH and LATE.union(LAUNCH).issuperset(draft.seen)
