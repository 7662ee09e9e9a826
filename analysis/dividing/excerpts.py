"""Recognises excerpts: pages and search results show the figures of one run below those of another, without the runs
around them.
"""

from __future__ import annotations

from ..collect.collect import figures_of
from ..collect.stages import STAGE
from ..draft import RunDraft
from ..lines import Line
from ..patterns import Event
from .at_work import loads_anew

_PLACES = {
    kind: place
    for place, kind in enumerate(
        ("inferences", "delegations", "profile_start", "operator_cycles", "operators_total", "inference_cycles", "ratio_note",
         "cpu_ratio", "cpu_ratio_unknown", "npu_ratio", "npu_ratio_unknown", "cpu_wait", "pmu_start", "npu_cycles", "counter",
         "counter_names")
    )
}  # fmt: skip
"""The lines of a performance report in the order in which they are printed."""
_MEMORY = frozenset(("loaded_size", "program_size", "method_use"))
"""The first lines of a memory report, which stands before or after the performance report of the same run."""
_SHARED = frozenset(("pmu_start", "npu_cycles", "counter", "operator_cycles"))
"""What an excerpt begins with only where a runner of ExecuTorch prints; others print it after each inference."""
_FIRST = (_PLACES.keys() - _SHARED - {"counter_names"}) | _MEMORY
"""What an excerpt begins with otherwise, and a runner prints once."""
_ENDS = frozenset(("npu_cycles", "counter", "counter_names"))
"""The last lines of a performance report, unless its lines stand in reverse."""


_MAINS = frozenset(("executor_runner.cpp", "arm_executor_runner.cpp", "example_runner.cpp", "sdk_example_runner.cpp"))
"""Source files with a program's main function; no run has two of them."""


def begins_again(draft: RunDraft, event: Event, line: Line) -> bool:
    """Whether this line begins another run, or another part of a page, though it is none of a start.

    Either another program prints behind one that came to its end or aborted, or the open run is an excerpt: it has
    printed nothing but its report, and the line cannot belong to that.
    """
    kind = event.kind
    if line.file in _MAINS and line.file not in draft.files and not _MAINS.isdisjoint(draft.files):
        return draft.failed or draft.stage in ("report", "complete")
    if kind == "executed" and draft.completed and line.file is not None and line.file not in draft.files:
        return True
    if loads_anew(draft, line) or _follows_abort(draft, line):
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
    return _is_of_another(draft, event, first) and all(STAGE.get(seen, "report") == "report" for seen in draft.seen)


def _follows_abort(draft: RunDraft, line: Line) -> bool:
    """Whether a line with a log prefix comes behind an abort, with other text between the two."""
    logged = line.level != "" and line.file is not None
    return logged and line.number > draft.last_line + 1 and draft.seen.get("assert_failed", 0) == draft.last_line


def _is_of_another(draft: RunDraft, event: Event, first: str) -> bool:
    """Whether a line of a report cannot belong to the report of this excerpt, which began with the event `first`."""
    kind = event.kind
    if kind == "counter":
        return "inferences" not in draft.seen and _another(draft, first, event)
    if kind == first:
        return True
    if kind in draft.seen:  # a whole block that contradicts itself is of two targets
        return "inferences" not in draft.seen and draft.last_event != kind and _differs(draft, event)
    return _PLACES.get(kind, 99) < _PLACES.get(first, 0) and _at_end(draft)


def _at_end(draft: RunDraft) -> bool:
    """Whether a performance report has ended, so that the next may begin with a line that this one has lost."""
    return draft.last_event in _ENDS or draft.last_event not in _PLACES


def of_executorch(draft: RunDraft) -> bool:
    """Whether a runner of ExecuTorch prints: source files or values per inference show it."""
    return (
        bool(draft.files)
        or "pmu.npu_cycles_per_inference" in draft.figures
        or any(value is not None for value in draft.block.per_inference.values())
    )


def _another(draft: RunDraft, first: str, event: Event) -> bool:
    """Whether a counter belongs to another excerpt: the report began with it, or had another value for it."""
    index = event.values["index"]
    if index not in draft.block.counters:
        return False
    if first == "counter" and next(iter(draft.block.counters)) == index:
        return True
    beside = next(reversed(draft.block.counters)) == index  # directly below the other: two targets speak at once
    return not beside and draft.block.counters[int(index)] != event.values["value"]


def _differs(draft: RunDraft, event: Event) -> bool:
    """Whether a line that came before, but not first, has another figure now; with the same one it is a copy."""
    if event.kind == "operator_cycles":
        return draft.block.operators.get("ethos-u", (None, None))[0] not in (None, event.values["cycles"])
    figures = figures_of(event.kind, event.values)
    return any(draft.get(path) not in (None, value) for path, value in figures.items() if "per_inference" not in path)
