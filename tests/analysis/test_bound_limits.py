"""What limits a run, at each limit of the verdict, and how sure the verdict is of itself."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.bound import EVENT_PLAN, Bound, bound_of
from ethosu_tui.analysis.meaning.facts import Facts, Named, gather
from ethosu_tui.analysis.meaning.facts import Path as Traffic
from ethosu_tui.analysis.report import CompileSummary, Derived

from .test_derive import wav2letter

CPU, CALLS = "cpu_share_percent", "delegations_per_inference"
EXTERNAL, SRAM = "external_peak_use_percent", "sram_peak_use_percent"
DECODER, ARRAY = "weight_decode_busy_percent", "mac_busy_percent"
FILLED, USED = "array_efficiency_percent", "mac_utilisation_percent"
IDLE: dict[str, float] = {CPU: 20, CALLS: 1, EXTERNAL: 50, SRAM: 50, DECODER: 50, ARRAY: 60, FILLED: 90, USED: 50}
"""Nothing is near a limit."""


def facts_of(summary: CompileSummary | None = None) -> Facts:
    (run,) = wav2letter().runs
    facts = gather(run, (), Assumptions(), frozenset())
    assert facts is not None
    return facts._replace(summary=summary)


def bound(figures: dict[str, float], facts: Facts | None = None) -> Bound:
    return bound_of(facts or facts_of(), {name: Derived(value, "", ()) for name, value in figures.items()})


@pytest.mark.parametrize(
    ("beyond", "within", "kind"),
    [
        ({CPU: 50.1}, {CPU: 50}, "cpu"),
        ({CALLS: 1.5}, {CALLS: 1}, "fragmented"),
        ({CALLS: 2, CPU: 10.1}, {CALLS: 2, CPU: 10}, "fragmented"),
        ({EXTERNAL: 80}, {EXTERNAL: 79.9}, "external-memory"),
        ({SRAM: 80}, {SRAM: 79.9}, "sram"),
        ({DECODER: 90}, {DECODER: 89.9}, "weight-decode"),
        ({DECODER: 99, ARRAY: 70}, {DECODER: 99, ARRAY: 70.1}, "weight-decode"),
        ({ARRAY: 70, FILLED: 40}, {ARRAY: 69.9, FILLED: 40}, "shape-inefficient"),
        ({ARRAY: 75, FILLED: 49.9}, {ARRAY: 75, FILLED: 50}, "shape-inefficient"),
        ({ARRAY: 80}, {ARRAY: 79.9}, "compute"),
        ({USED: 60}, {USED: 59.9}, "compute"),
    ],
)
def test_each_limit_parts_two_verdicts(beyond: dict[str, float], within: dict[str, float], kind: str) -> None:
    assert bound(IDLE | beyond).kind == kind
    assert bound(IDLE | within).kind == "latency"


def test_the_first_limit_in_the_order_of_the_questions_is_the_verdict_and_the_others_are_told() -> None:
    found = bound(IDLE | {CPU: 60, CALLS: 3, EXTERNAL: 95, ARRAY: 90})
    assert (found.kind, found.confidence, len(found.also)) == ("cpu", "high", 3)
    assert [text for text in found.also if "external memory" in text] == [found.also[1]]


def without(*names: str, **figures: float) -> dict[str, float]:
    return {name: value for name, value in (IDLE | figures).items() if name not in names}


ESTIMATED = CompileSummary(
    npu_cycles=100, sram_access_cycles=101, dram_access_cycles=0,
    on_chip_flash_access_cycles=0, off_chip_flash_access_cycles=101,
)  # fmt: skip


@pytest.mark.parametrize(
    ("figures", "summary", "kind", "confidence"),
    [
        (without(**{ARRAY: 90}), None, "compute", "high"),
        # an FVP models no time of the CPU: that alone casts no doubt on the rest
        (without(CPU, **{ARRAY: 90}), None, "compute", "high"),
        (without(DECODER, **{ARRAY: 90}), None, "compute", "medium"),
        (without(DECODER), None, "cannot-tell", "none"),
        (without(CPU), None, "latency", "medium"),
        (without(CPU, **{CALLS: 2}), None, "fragmented", "medium"),
        # Vela's estimate is no measurement
        (without(EXTERNAL), ESTIMATED, "external-memory", "medium"),
        (without(EXTERNAL), ESTIMATED._replace(off_chip_flash_access_cycles=100), "latency", "medium"),
        (without(EXTERNAL), ESTIMATED._replace(on_chip_flash_access_cycles=None), "cannot-tell", "none"),
        (without(SRAM), ESTIMATED, "sram", "medium"),
        (without(EXTERNAL, SRAM), ESTIMATED._replace(dram_access_cycles=None), "sram", "low"),
    ],
)
def test_a_verdict_says_how_sure_it_is(
    figures: dict[str, float], summary: CompileSummary | None, kind: str, confidence: str
) -> None:
    found = bound(figures, facts_of(summary))
    assert (found.kind, found.confidence) == (kind, confidence)
    if kind == "latency":
        assert found.next_events == EVENT_PLAN["ethos-u85"][1:], "the units were counted, what stalls them was not"
    else:
        assert found.next_events == (() if confidence == "high" else EVENT_PLAN["ethos-u85"])


def test_questions_before_the_verdict_are_open_and_those_behind_it_are_not() -> None:
    found = bound(without(CPU, DECODER, **{SRAM: 90}))
    assert (found.kind, found.open) == ("sram", ("cpu",))
    found = bound(without(CPU, DECODER, **{ARRAY: 90}))
    assert (found.kind, found.open) == ("compute", ("cpu", "weight-decode"))


def test_events_to_count_are_those_of_the_npu_that_the_counters_show() -> None:
    (run,) = wav2letter().runs
    unnamed = run._replace(target=run.target._replace(name=None, npu=None, macs=None))
    facts = gather(unnamed, (), Assumptions(), frozenset())
    assert facts is not None and facts.npu is None
    assert bound(without(DECODER), facts).next_events == EVENT_PLAN["ethos-u85"]
    assert bound(without(DECODER), facts._replace(paths=())).next_events == ()


@pytest.mark.parametrize(
    ("npu", "beats", "kind"),
    [
        ("ethos-u85", {"ext_read": 0, "ext_write": 0}, "latency"),
        ("ethos-u85", {"ext_read": 1, "ext_write": 0}, "cannot-tell"),
        ("ethos-u55", {"axi1_read": 0}, "latency"),
        ("ethos-u55", {"axi1_read": 1}, "cannot-tell"),
        ("ethos-u65", {"axi1_read": 0}, "cannot-tell"),  # its second port writes, too, and that was not counted
        ("ethos-u85", {}, "cannot-tell"),
    ],
)
def test_a_port_without_traffic_is_no_limit_whatever_its_memory(npu: str, beats: dict[str, int], kind: str) -> None:
    paths = tuple(Traffic(name, count, f"pmu.counters.{i}") for i, (name, count) in enumerate(beats.items()))
    facts = facts_of()._replace(npu=Named(npu, "target.npu"), paths=paths)
    assert bound(without(EXTERNAL), facts).kind == kind


@pytest.mark.parametrize(
    ("npu", "beats", "kind"),
    [
        ("ethos-u55", 0.8, "sram"),
        ("ethos-u55", 0.79, "latency"),
        ("ethos-u85", 0.79, "latency"),
        ("ethos-u85", 0.8, "cannot-tell"),  # it may have more ports than one
    ],
)
def test_a_port_tells_of_a_memory_whose_peak_is_unknown(npu: str, beats: float, kind: str) -> None:
    side = "axi0_read" if npu == "ethos-u55" else "sram_read"
    facts = facts_of()._replace(
        npu=Named(npu, "target.npu"), cycles=100, paths=(Traffic(side, round(100 * beats), ""),)
    )
    assert bound(without(SRAM), facts).kind == kind
