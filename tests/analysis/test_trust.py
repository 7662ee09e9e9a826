"""`unremarkable()` against the real checks: it may be too careful, never too trusting."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import Capture, Run, read_capture
from ethosu_tui.analysis.rules_doubts import DOUBTS
from ethosu_tui.analysis.trust import ordinary_events, unremarkable

from .perf_log import GOOD, U55, U85, render

RULES = {doubt.rule for doubt in DOUBTS} | {"npu-not-used"}
EXAMPLES = int(os.environ.get("ETHOSU_TUI_EXAMPLES", "300"))


@st.composite
def consistent(draw: st.DrawFn) -> dict[str, Any]:
    """Figures of a run as a release prints them, all of which agree."""
    count = draw(st.sampled_from((1, 1, 2, 3, 10, 100)))
    wait = draw(st.integers(1, 1 << 29))
    operator = wait + draw(st.integers(0, 1 << 20))
    runtime = operator + draw(st.integers(0, 1 << 29))
    cycles = draw(st.integers(1, (1 << 31) - 1))
    figures: dict[str, Any] = {
        "cycles.inferences": count,
        "cycles.operators.0": operator,
        "cycles.operators_total": operator,
        "cycles.inference": runtime,
        "cycles.cpu_ratio_percent": round(100 * (runtime - wait) / runtime, 2),
        "cycles.npu_ratio_percent": round(100 * wait / runtime, 2),
        "cycles.cpu_wait_for_npu": wait,
        "pmu.npu_cycles": cycles,
    }
    if draw(st.booleans()):
        figures["cycles.delegations"] = count * draw(st.integers(1, 3))
    for index in range(draw(st.sampled_from((0, 4, 5, 7)))):
        figures[f"pmu.counters.{index}"] = draw(st.integers(1 if index == 0 else 0, cycles))
    if draw(st.booleans()):
        parts = [draw(st.integers(0, 1 << 24)) for _ in range(4)]
        free = draw(st.integers(0, 1 << 26))
        names = (f"memory.{part}_bytes" for part in ("planned", "loaded", "input", "executor"))
        figures |= dict(zip(names, parts, strict=True))
        figures["memory.pools.method.used_bytes"] = sum(parts)
        figures["memory.pools.method.free_bytes"] = free
        figures["memory.pools.method.capacity_bytes"] = sum(parts) + free
    if draw(st.booleans()):
        for path in [p for p in figures if p.startswith(("cycles.", "pmu.")) and not p.endswith("percent")][1:]:
            name = "pmu.npu_cycles_per_inference" if path == "pmu.npu_cycles" else f"{path}.per_inference"
            figures[name] = round(figures[path] / count, 2)
    return figures


def _digits(value: int, at: int) -> int:
    text = str(abs(value))
    return int(text[: at % len(text)] + text[at % len(text) + 1 :] or "0")


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """The same, with up to three figures changed as wraps, lost digits and lost lines change them."""
    figures = draw(consistent())
    for path in draw(st.lists(st.sampled_from(sorted(figures)), max_size=3)):
        value = figures.get(path)
        if value is None:
            continue
        if isinstance(value, float):
            figures[path] = draw(
                st.sampled_from(
                    (round(value / 10, 2), round(value + 0.01, 2), round(value + 0.05, 2), 0.0, 100.0, None)
                )
            )
            continue
        changed = draw(
            st.sampled_from(
                (
                    None,
                    0,
                    -value,
                    value + 1,
                    value - 1,
                    value * 10,
                    value - (1 << 32),
                    value + (1 << 32),
                    (1 << 64) - value,
                )
            )
            | st.integers(0, 9).map(lambda at, value=value: _digits(value, at))
            | st.integers(-(1 << 33), 1 << 33)
        )
        figures[path] = changed
    return {path: value for path, value in figures.items() if value is not None}


def events_of(figures: dict[str, Any]) -> tuple[str, ...]:
    """The list that a release would print with these counters."""
    count = sum(path.startswith("pmu.counters.") and path.count(".") == 2 for path in figures)
    return {4: U55, 5: U85[:5], 7: U85}.get(count, ())


def found(run: Run) -> dict[str, Any]:
    """The run's figures under the paths of `unremarkable()`."""
    cycles, memory = run.cycles, run.memory
    values: dict[str, Any] = {
        f"cycles.{name}": getattr(cycles, name) for name in ("inferences", "delegations", "inference")
    }
    values |= {f"cycles.{name}": getattr(cycles, name) for name in ("operators_total", "cpu_wait_for_npu")}
    values |= {f"cycles.{name}": getattr(cycles, name) for name in ("cpu_ratio_percent", "npu_ratio_percent")}
    values["cycles.operators.0"] = cycles.operators[0].cycles if cycles.operators else None
    if run.pmu is not None:
        values["pmu.npu_cycles"] = run.pmu.npu_cycles
        values |= {f"pmu.counters.{counter.index}": counter.value for counter in run.pmu.counters}
    values |= {
        f"memory.{part}_bytes": getattr(memory, f"{part}_bytes") for part in ("planned", "loaded", "input", "executor")
    }
    if "method" in memory.pools:
        values |= {f"memory.pools.method.{name}": value for name, value in memory.pools["method"]._asdict().items()}
    return values


def read(figures: dict[str, Any]) -> Capture:
    return read_capture("x", render(figures, events_of(figures)))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(damaged())
def test_what_is_called_unremarkable_is_neither_changed_nor_reported(figures: dict[str, Any]) -> None:
    counters = sum(path.startswith("pmu.counters.") and path.count(".") == 2 for path in figures)
    if not unremarkable(figures) or (counters and not ordinary_events(events_of(figures), None, counters)):
        return
    capture = read(figures)
    assert not {f.rule for f in capture.findings} & RULES
    (run,) = capture.runs
    values = found(run)
    for path, value in figures.items():
        if path in values:
            assert values[path] == value, path


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(consistent())
def test_consistent_runs_are_unremarkable(figures: dict[str, Any]) -> None:
    assert unremarkable(figures)
    assert not {f.rule for f in read(figures).findings} & RULES - {"counter-names-missing"}


@pytest.mark.parametrize("path", ["model.pte_bytes", "model.loaded_bytes"])
def test_the_size_that_is_no_size(path: str) -> None:
    assert unremarkable({**GOOD, path: 4_425_968})
    assert not unremarkable({**GOOD, path: 268_435_456})


def test_missing_members_of_a_group_are_left_to_the_full_checks() -> None:
    assert unremarkable({})
    assert unremarkable({"cycles.inferences": 3})
    for path in ("cycles.inference", "memory.planned_bytes", "cycles.npu_ratio_percent", "pmu.npu_cycles"):
        assert not unremarkable({name: value for name, value in GOOD.items() if name != path})
        assert not unremarkable({**GOOD, path: None})


def test_event_lists() -> None:
    assert ordinary_events(U55, "ethos-u55", 4)
    assert ordinary_events(U55, None, 4)
    assert not ordinary_events(U55, "ethos-u85", 4)
    assert ordinary_events(U85, "ethos-u85", 7)
    assert not ordinary_events(U85, "ethos-u85", 6)
    assert not ordinary_events((), None, 4)
