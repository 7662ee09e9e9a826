"""The figures of a run while they are checked against each other: a copy, so that the draft keeps what was printed.

A live run is frozen again and again; a repair that was written into the draft would count as printed the next time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..draft import RunDraft, Trouble
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

OPERATOR = "cycles.operators.0"
"""Path of the total of the operator `ethos-u`, the only operator that the runners print."""
NAME = "ethos-u"
NPU_CYCLES = "pmu.npu_cycles"
NPU_EACH = "pmu.npu_cycles_per_inference"


class Settled:
    """The figures of a draft after the checks: repaired or taken out, with the doubts about them."""

    def __init__(self, draft: RunDraft) -> None:
        self.draft = draft
        self.figures: dict[str, Any] = dict(draft.figures)
        self.lines = dict(draft.lines)
        self.operators = dict(draft.block.operators)
        self.counters = dict(draft.block.counters)
        self.mlek = dict(draft.block.named_counters)
        self.names: tuple[str | None, ...] = draft.counter_names
        self.planned_buffers: Mapping[int, int] = draft.planned_buffers
        self.iterations: Sequence[float] = draft.iterations
        self.doubts: list[Trouble] = []

    def get(self, path: str) -> Any:
        """The total under this path, which may also be that of an operator or a counter."""
        if path == OPERATOR:
            return self.operators.get(NAME, (None, None))[0]
        if path.startswith("pmu.counters."):
            return self.counters.get(int(path[13:]))
        return self.figures.get(path)

    def each(self, path: str) -> float | None:
        """The value per inference printed beside a total; None where it is missing or no finite number."""
        if path == OPERATOR:
            value = self.operators.get(NAME, (None, None))[1]
        elif path == NPU_CYCLES:
            value = self.figures.get(NPU_EACH)
        else:
            value = self.draft.block.per_inference.get(path)
        return value if value is not None and value == value and abs(value) < 1e300 else None

    def put(self, path: str, value: int) -> None:
        """Replace a total by its repaired value."""
        if path == OPERATOR:
            self.operators[NAME] = (value, self.operators[NAME][1])
        elif path.startswith("pmu.counters."):
            self.counters[int(path[13:])] = value
        else:
            self.figures[path] = value

    def drop(self, *paths: str) -> None:
        """Take figures out of the report because they cannot be right."""
        for path in paths:
            if path == OPERATOR:
                if NAME in self.operators:
                    self.operators[NAME] = (None, None)
                continue  # the operator stays listed, with its line, and without a value
            if path.startswith("pmu.counters."):
                self.counters.pop(int(path[13:]), None)
                event = next(
                    (name for i, name in enumerate(self.draft.block.named_counters) if i == int(path[13:])), None
                )
                if event is not None:
                    self.mlek.pop(event, None)
            if path == NPU_CYCLES:
                self.figures.pop(NPU_EACH, None)
                self.lines.pop(NPU_EACH, None)
            self.figures.pop(path, None)
            self.lines.pop(path, None)

    def doubt(self, kind: str, path: str, text: str, **values: Any) -> None:
        """Record for the findings what was printed under `path` and why it is not believed."""
        line = self.lines.get(path) or self.draft.lines.get(path) or self.draft.last_line
        self.doubts.append(Trouble(kind, line, "", text, values))
