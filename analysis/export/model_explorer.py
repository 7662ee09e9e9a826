"""A profile as node data for Google's Model Explorer: a figure on each operator of a TOSA graph.

Arm's TOSA adapter names a graph after its region, which ExecuTorch calls "main", and an operator `main/op<index>`. A
file is for one graph, so for one partition. Operators that Vela computes as part of another operator have no cycles of
their own, so they get no figure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..lines import clean
from .operators import Profile

GRAPH = "main"
_GRADIENT = ((0.0, "#f3f5f7"), (0.2, "#ffe08a"), (0.5, "#ff9f43"), (1.0, "#d63031"))


def node_data(profile: Profile, partition: int = 1) -> Iterator[str]:
    """The text of the file; several operations of one TOSA operator are added up."""
    sums: dict[int, float] = {}
    for cost in profile.costs:
        if cost.place is not None and cost.partition == partition:
            sums[cost.place] = sums.get(cost.place, 0) + cost.duration
    several = f", partition {partition}" if len(profile.partitions) > 1 else ""
    graph = {
        "name": f"{profile.unit.capitalize()} ({profile.evidence}){several}: {clean(profile.title)}",
        "results": {f"{GRAPH}/op{place}": {"value": value} for place, value in sorted(sums.items())},
        "gradient": [{"stop": stop, "bgColor": colour} for stop, colour in _GRADIENT],
    }
    yield json.dumps({GRAPH: graph}, indent=1, allow_nan=False) + "\n"
