"""Two to many runs or compiles side by side: values, ratios to a baseline, and an honest "not comparable".

CPU cycles of a simulator are not time, totals over different numbers of inferences are not the same thing, and a
counter exists only where the NPU has it: such figures are shown, marked, and given no ratio.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..order_statistics import best_of
from ..rows import cause_object
from .figures import ROWS, Row, counter_rows, derived_rows, obstacle
from .names import labels_of
from .samples import Sample, Verdict, sample, verdict
from .setups import Setups, setups
from .sides import Better, Side

if TYPE_CHECKING:
    from typing import Any


SCHEMA = "ethosu-tui/comparison/1"


class Metric(NamedTuple):
    """One row: a figure of every column, its ratio to the baseline, and whether that ratio means anything."""

    name: str
    unit: str
    better: Better
    values: tuple[float | None, ...]
    ratios: tuple[float | None, ...]
    comparable: tuple[bool, ...]
    reason: str | None
    samples: tuple[Sample | None, ...] = ()
    """Where a column is a series: the repeats of each column, whose medians are `values`.  Else empty."""
    verdicts: tuple[Verdict | None, ...] = ()
    """Where a column is a series: whether each separates from the baseline; None where nothing can be said."""

    @property
    def best(self) -> tuple[int, ...]:
        """Columns with the best value; none where most columns share it, or it does not separate from the next best."""
        both = tuple(zip(self.values, self.comparable, strict=True))
        wanted = best_of([v for v, ok in both if ok and v is not None], self.better)
        found = tuple(i for i, (v, ok) in enumerate(both) if ok and v is not None and v == wanted)
        if not found or not self.samples:
            return found
        others = [i for i, (v, ok) in enumerate(both) if ok and v is not None and i not in found]
        if not others:
            return found
        sign = -1 if self.better == "higher" else 1
        following = min(others, key=lambda i: sign * (self.values[i] or 0))
        ours, theirs = self.samples[found[0]], self.samples[following]
        said = verdict(ours, theirs) if ours is not None and theirs is not None else None
        return found if said is None or said.separates else ()

    def separates(self, column: int) -> bool:
        """False where repeats do not bear out that this column differs from the baseline; True where there are none."""
        said = self.verdicts[column] if self.verdicts else None
        return said is None or said.separates


class Comparison(NamedTuple):
    """The whole table; `baseline` is the index of the column that ratios refer to."""

    sides: tuple[Side, ...]
    baseline: int
    metrics: tuple[Metric, ...]

    @property
    def setups(self) -> Setups:
        """What is known of how the columns came about."""
        return setups(self.sides)

    def lines(self) -> tuple[str, ...]:
        """How the setups differ, then why runs did not pass, a line each."""
        labels = labels_of(self.sides)
        failed = (_failed(label, side) for label, side in zip(labels, self.sides, strict=True))
        return (*self.setups.lines(), *(line for line in failed if line))

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``ethosu-tui/comparison/1``."""
        return {
            "schema": SCHEMA,
            "columns": [
                {
                    "label": s.label,
                    "source": s.source,
                    "target": s.target,
                    "kind": s.kind,
                    "status": s.run.status if s.run is not None else None,
                    "root_cause": cause_object(s.cause),
                    **({"repeats": {"used": len(s.repeats), "left_out": s.left_out}} if s.repeats else {}),
                }
                for s in self.sides
            ],
            "baseline": self.baseline,
            "setup": self.setups.to_dict(),
            "metrics": [
                {
                    "name": m.name,
                    "unit": m.unit,
                    "better": m.better,
                    "values": list(m.values),
                    "ratios": list(m.ratios),
                    "comparable": list(m.comparable),
                    "reason": m.reason,
                    **_repeated(m),
                }
                for m in self.metrics
            ],
        }


def _failed(label: str, side: Side) -> str:
    """Why the run in this column did not pass; empty where it did, or nothing says why."""
    if side.run is None or side.cause is None:
        return ""
    where = f", line {side.cause.lines[0]}" if side.cause.lines else ""
    return f"{label} ({side.run.status.replace('_', ' ')}{where}): {side.cause.title}"


def _repeated(metric: Metric) -> dict[str, Any]:
    if not metric.samples:
        return {}
    return {
        "spread": [one.to_dict() if one is not None else None for one in metric.samples],
        "significance": [one.to_dict() if one is not None else None for one in metric.verdicts],
    }


def figures(side: Side) -> Iterator[tuple[str, str, float]]:
    """Every figure that one column has: its name, its unit, its value."""
    for row in (*ROWS, *counter_rows((side,)), *derived_rows((side,))):
        if (value := row.get(side)) is not None:
            yield row.name, row.unit, value


def compare(sides: Sequence[Side], baseline: int = 0) -> Comparison:
    """Put the sides into columns.

    Raises:
        ValueError: fewer than two sides, or a baseline that is none of them.
    """
    if len(sides) < 2:
        raise ValueError("a comparison needs at least two sides")
    if not 0 <= baseline < len(sides):
        raise ValueError(f"baseline {baseline} is none of the {len(sides)} sides")
    # figures that come per run are looked for in all repeats
    each = [_each(side) for side in sides]
    every = [one for ones in each for one in ones]
    metrics = []
    for row in (*ROWS, *counter_rows(every), *derived_rows(every)):
        samples = tuple(_sample(row, ones, bool(side.repeats)) for side, ones in zip(sides, each, strict=True))
        if any(one is not None for one in samples):
            metrics.append(_metric(row, samples, sides, baseline))
    return Comparison(tuple(sides), baseline, tuple(metrics))


def _each(side: Side) -> list[Side]:
    """A column for each of its repeats; itself where it has none."""
    return [side._replace(run=run, repeats=()) for run in side.repeats] or [side]


def _sample(row: Row, ones: Sequence[Side], repeated: bool) -> Sample | None:
    values = [value for one in ones if (value := row.get(one)) is not None]
    return sample([value for value in values if math.isfinite(value)] if repeated else values)


def _metric(row: Row, samples: tuple[Sample | None, ...], sides: Sequence[Side], baseline: int) -> Metric:
    reason: str | None = None
    comparable = []
    values = tuple(one.median if one is not None else None for one in samples)
    for index, value in enumerate(values):
        why = obstacle(row, sides[index], sides[baseline]) if value is not None else None
        reason = reason or why
        comparable.append(why is None and value is not None)
    base = values[baseline]
    ratios = tuple(
        value / base if ok and comparable[baseline] and value is not None and base else None
        for value, ok in zip(values, comparable, strict=True)
    )
    metric = Metric(row.name, row.unit, row.better, values, ratios, tuple(comparable), reason)
    if not any(side.repeats for side in sides):
        return metric
    first = samples[baseline]
    verdicts = tuple(
        verdict(one, first) if ok and i != baseline and one is not None and first is not None else None
        for i, (one, ok) in enumerate(zip(samples, comparable, strict=True))
    )
    return metric._replace(samples=samples, verdicts=verdicts)
