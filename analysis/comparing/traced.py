"""The operators of a run as its FVP traced them, for a comparison: only measured NPU cycles.

The same database holds Vela's estimates. They are left out, because the difference between a measurement and an
estimate shows how good the estimate is, not how two runs differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from .match import Item
from .operator import Operator

if TYPE_CHECKING:
    from typing import Any

    from ..npu_trace.operators import NpuTrace


class Traced(NamedTuple):
    """What the trace of one run gives."""

    operators: tuple[Operator, ...]
    """With NPU cycles of a pass (inference); None where the trace could not tell them from a neighbour's."""
    passes: int
    """Complete passes that these are averages of; 0 for a trace without one, whose cycles mean nothing beside another's."""


def traced(trace: NpuTrace, compiled: Sequence[Mapping[str, Any]] = ()) -> Traced:
    """The operators of a trace; `compiled` are the operators of the compile result, which know where they come from."""
    known = {row.get("tosa_index"): row for row in reversed(compiled) if row.get("tosa_index") is not None}
    found = []
    for place, row in enumerate(trace.operators):
        operation = row.operation
        entry = known.get(operation.ext_key, {}) if operation.ext_key is not None else {}
        module, source, torch = (_word(entry, name) for name in ("module", "source", "torch"))
        name = operation.name if operation.name and not operation.name.startswith("#") else None
        found.append(
            Operator(
                Item(
                    operation.source_operator or operation.operator, name, (module, torch) if module or torch else None
                ),
                place,
                row.cycles,
                "" if row.cycles is not None else "not told apart from its neighbour by the trace",
                module,
                source,
                torch,
            )
        )
    return Traced(tuple(found), trace.passes)


def _word(entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    return value if isinstance(value, str) and value else None
