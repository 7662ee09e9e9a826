"""Parts of reports without the runs around them: pages and searches show the figures of one run below those of another."""

from __future__ import annotations

from .at_work import loads_anew
from .collect.collect import figures_of
from .collect.stages import STAGE
from .draft import RunDraft
from .lines import Line
from .patterns import Event

_PLACES = {
    kind: place
    for place, kind in enumerate(
        ("inferences", "delegations", "profile_start", "operator_cycles", "operators_total", "inference_cycles", "ratio_note",
         "cpu_ratio", "cpu_ratio_unknown", "npu_ratio", "npu_ratio_unknown", "cpu_wait", "pmu_start", "npu_cycles", "counter",
         "counter_names")
    )
}  # fmt: skip
"""The lines of a performance report in their order."""
_MEMORY = frozenset(("loaded_size", "program_size", "method_use"))
"""What a report on memory begins with: it stands before or behind the other, of the same run."""
_SHARED = frozenset(("pmu_start", "npu_cycles", "counter", "operator_cycles"))
"""What a part begins with only where a runner of ExecuTorch prints: others print it after each inference."""
_FIRST = (_PLACES.keys() - _SHARED - {"counter_names"}) | _MEMORY
"""What it begins with in any other case, and a runner prints once."""
_ENDS = frozenset(("npu_cycles", "counter", "counter_names"))
"""What a performance report has printed last, unless its lines stand in reverse."""


_MAINS = frozenset(("executor_runner.cpp", "arm_executor_runner.cpp", "example_runner.cpp", "sdk_example_runner.cpp"))
"""Files with the main function of a program, of which no run has two."""


def begins_again(draft: RunDraft, event: Event, line: Line) -> bool:
    """Whether this line begins another part: the open run has printed nothing but its report, and the line cannot be of it;
    or it has aborted, and what somebody wrote stands between; or another program prints behind one that came to its end."""
    kind = event.kind
    if line.file in _MAINS and line.file not in draft.files and not _MAINS.isdisjoint(draft.files):
        return draft.failed or draft.stage in ("report", "complete")
    if kind == "executed" and draft.completed and line.file is not None and line.file not in draft.files:
        return True
    if loads_anew(draft, line):
        return True
    logged = line.level != "" and line.file is not None
    if logged and line.number > draft.last_line + 1 and draft.seen.get("assert_failed", 0) == draft.last_line:
        return True
    if kind == "execute_start" and kind not in draft.seen and draft.last_event == "inferences_finished":
        return line.number > draft.last_line + 1  # a text stands between an end that was quoted and another log
    if kind not in _FIRST and not (kind in _SHARED and of_executorch(draft)):
        return False
    if "server_done" in draft.seen:
        return False  # a server reports after each inference
    first = next(iter(draft.seen), "")
    if first not in _FIRST and first not in _SHARED:
        return False
    if kind == "counter":
        if "inferences" in draft.seen or not _another(draft, first, event):
            return False
    elif kind == first:
        pass
    elif kind in draft.seen:
        if "inferences" in draft.seen or draft.last_event == kind or not _differs(draft, event):
            return False  # a whole block that contradicts itself is of two targets
    elif not (_PLACES.get(kind, 99) < _PLACES.get(first, 0) and _at_end(draft)):
        return False
    return all(STAGE.get(seen, "report") == "report" for seen in draft.seen)


def _at_end(draft: RunDraft) -> bool:
    """Whether a performance report has come to its end: the next one may begin with a line that this one has lost."""
    return draft.last_event in _ENDS or draft.last_event not in _PLACES


def of_executorch(draft: RunDraft) -> bool:
    """Whether a runner of ExecuTorch prints: it names its source files, and if not, values per inference are its own words."""
    return (
        bool(draft.files)
        or "pmu.npu_cycles_per_inference" in draft.figures
        or any(value is not None for value in draft.per_inference.values())
    )


def _another(draft: RunDraft, first: str, event: Event) -> bool:
    """Whether a counter is of another part: the report began with it, or it had another value there."""
    index = event.values["index"]
    if index not in draft.counters:
        return False
    if first == "counter" and next(iter(draft.counters)) == index:
        return True
    beside = next(reversed(draft.counters)) == index  # directly below the other: two targets speak at once
    return not beside and draft.counters[int(index)] != event.values["value"]


def _differs(draft: RunDraft, event: Event) -> bool:
    """Whether a line that came before, but not first, comes with another figure: one that is the same was written twice."""
    if event.kind == "operator_cycles":
        return draft.operators.get("ethos-u", (None, None))[0] not in (None, event.values["cycles"])
    figures = figures_of(event.kind, event.values)
    return any(draft.get(path) not in (None, value) for path, value in figures.items() if "per_inference" not in path)
