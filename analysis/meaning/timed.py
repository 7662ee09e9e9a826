"""Statistics of inferences that a runner timed one by one: least, median and most, and the first.

The first inference warms caches up and maps what the others use, so a mean over a few says little.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..report import Derived

MOST_TIMED = 10_000
"""Times that are kept per run; the count includes all."""
ITERATIONS = "times.iterations"
"""Path of the line of the first one."""
COUNT, LEAST, MEDIAN, MOST, FIRST = NAMES = (
    "timed_inferences",
    "min_seconds_per_inference",
    "median_seconds_per_inference",
    "max_seconds_per_inference",
    "first_seconds_per_inference",
)


def timed(seconds: Sequence[float]) -> dict[str, Derived]:
    """What several timed inferences took; empty for one, which has no spread."""
    if len(seconds) < 2:
        return {}
    from ..order_statistics import median  # only here: few runners time their inferences

    values = {LEAST: min(seconds), MEDIAN: median(seconds), MOST: max(seconds), FIRST: seconds[0]}
    found = {name: Derived(round(value, 12), "seconds", (ITERATIONS,)) for name, value in values.items()}
    return {COUNT: Derived(len(seconds), "count", (ITERATIONS,)), **found}
