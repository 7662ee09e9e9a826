"""A profile as a trace for https://ui.perfetto.dev and chrome://tracing: JSON in the Trace Event Format.

The format counts microseconds and knows no cycles. So a cycle is written as one nanosecond: Perfetto can show durations
as "trace nanoseconds", and then shows cycles. The names and the metadata in the file say that it is not time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..lines import clean
from .operators import Profile

_PROCESS = 1
_FIRST_TRACK = 2
"""Not the number of the process: such a thread is shown as its main one."""


def perfetto_trace(profile: Profile) -> Iterator[str]:
    """The text of the file in pieces, one for each event."""
    real = profile.unit == "ns"
    one = profile.unit.removesuffix("s")
    meaning = "nanoseconds" if real else f"1 ns shown = 1 {one}, not time"
    about = {
        "title": clean(profile.title),
        "unit": profile.unit,
        "unit_note": "Durations are time in nanoseconds."
        if real
        else f"Durations are {profile.unit}, each written as one nanosecond. They are not time: no clock is assumed.",
        "evidence": profile.evidence,
        "notes": list(profile.notes),
    }
    yield f'{{"displayTimeUnit": "ns", "otherData": {_dump(about)}, "traceEvents": [\n'
    yield _dump(_named("process_name", 0, f"{clean(profile.title)}: {profile.evidence} ({meaning})"))
    tracks = {name: number for number, name in enumerate(dict.fromkeys(c.track for c in profile.costs), _FIRST_TRACK)}
    for name, number in tracks.items():
        yield ",\n" + _dump(_named("thread_name", number, name if real else f"{name} (1 ns = 1 {one})"))
    at = 0.0
    known = [cost.start for cost in profile.costs if cost.start is not None]
    first = min(known, default=0)
    for cost in profile.costs:
        start = at if cost.start is None else float(cost.start - first)
        event = {
            "name": clean(cost.name), "cat": profile.unit, "ph": "X", "pid": _PROCESS, "tid": tracks[cost.track],
            "ts": start / 1000, "dur": cost.duration / 1000,
            "args": {profile.unit: cost.duration, **{k: clean(v) if isinstance(v, str) else v for k, v in cost.detail.items()}},
        }  # fmt: skip
        if cost.place is not None:
            event["args"]["tosa_operator"] = cost.place  # type: ignore[index]
        yield ",\n" + _dump(event)
        bytes_used = cost.detail.get(profile.memory) if profile.memory else None
        if bytes_used is not None:
            counter = {"name": profile.memory_name, "ph": "C", "pid": _PROCESS, "ts": start / 1000}
            yield ",\n" + _dump({**counter, "args": {"bytes": bytes_used}})
        at = start + cost.duration
    yield "\n]}\n"


def _named(what: str, thread: int, name: str) -> dict[str, Any]:
    return {"name": what, "ph": "M", "pid": _PROCESS, "tid": thread, "args": {"name": clean(name)}}


def _dump(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
