"""Traffic against what the memories can move, and what is said where the log does not tell what limits a run."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.derive import derive

from .perf_log import GOOD, U55, U85, render
from .port_logs import lines
from .test_derive import BUILT, WAV2LETTER, rules, values, wav2letter

CYCLES = 4_114_227


def share(read: int, written: int) -> float:
    """The SRAM's use by these beats, at two ports of 16 bytes."""
    return values(derive(wav2letter(**{"pmu.counters.0": read, "pmu.counters.1": written})))["sram_peak_use_percent"]


def test_both_directions_count_against_the_peak_of_the_sram() -> None:
    assert share(4_000_000, 2_900_000) == pytest.approx(100 * 6_900_000 / (2 * CYCLES), rel=1e-4)
    capture = derive(wav2letter(**{"pmu.counters.0": 4_000_000, "pmu.counters.1": 2_900_000}))
    assert "bound-sram" in rules(capture)


def test_more_than_the_peak_together_shows_a_channel_for_each_direction() -> None:
    assert share(6_000_000, 3_000_000) == pytest.approx(100 * 6_000_000 / (2 * CYCLES), rel=1e-4)
    assert share(3_000_000, 6_000_000) == pytest.approx(100 * 6_000_000 / (2 * CYCLES), rel=1e-4)


def test_what_refutes_a_verdict_is_said_once() -> None:
    capture = derive(wav2letter(**{"pmu.counters.5": 1_000_000}), Assumptions(model_macs=500_000_000))
    detail = rules(capture)["bound-latency"]
    assert detail.count("24.3 %") == 2, "beside the weight decoder, and as a share of the cycles"


def why_no_share(text: bytes) -> str:
    """What is said of the CPU where its share is not known."""
    (detail,) = (text for rule, text in rules(derive(read_capture("x", text))).items() if rule.startswith("bound-"))
    return detail.partition("whether the CPU is the limit ")[2].partition(")")[0]


def test_a_board_is_no_fvp_where_the_share_of_the_cpu_is_not_known() -> None:
    runner = "I 00:00:00.000120 executorch:executor_runner.cpp:476] "
    linux = lines(
        runner, "Model file m.pte is loaded.", "Using method forward", "Ethos-U Linux delegate cycle counter: 7000",
        "Model executed successfully 1 time(s) in 0.018588 ms.",
    )  # fmt: skip
    assert why_no_share(linux.encode()) == "(its cycles beside the NPU's are not in it"
    figures: dict[str, Any] = {**WAV2LETTER, "pmu.counters.5": 1_000_000}
    assert why_no_share(render(figures, U85)) == "(an FVP does not model its time"


@pytest.mark.parametrize(
    ("mode", "beats", "said"),
    [
        ("Dedicated_Sram", 6_500, "At least 99.0 % of the external memory's peak"),
        ("Dedicated_Sram", 3_500, "how close the external memory is to its peak"),
        ("Shared_Sram", 3_500, "53.3 % of the external memory's peak"),
    ],
)
def test_what_a_u65_writes_to_its_external_memory_is_not_counted(mode: str, beats: int, said: str) -> None:
    banner = BUILT.format("ethos-u65-256", "Ethos_U65_High_End", mode)
    capture = derive(read_capture("x", render({**GOOD, "pmu.counters.1": beats}, U55, before=banner)))
    ((rule, detail),) = ((rule, text) for rule, text in rules(capture).items() if rule.startswith("bound-"))
    assert said in detail
    assert (rule == "bound-external-memory") == (beats > 6_000)


def part(macs: int, mode: str = "Dedicated_Sram_384KB") -> str:
    """What Vela says of one subgraph."""
    return (
        "Network summary for out\nAccelerator configuration               Ethos_U85_1024\n"
        f"System configuration             Ethos_U85_SYS_DRAM_Mid\nMemory mode                      {mode}\n"
        f"Accelerator clock                                1000 MHz\n\nNeural network macs         {macs} MACs/batch\n\n"
        "NPU cycles                                 400000 cycles/batch\nSRAM Access cycles                         300000 cycles/batch\n"
    )


@pytest.mark.parametrize(
    ("parts", "calls", "macs"),
    [
        ((part(600_000_000), part(900_000_000)), 2, 1_500_000_000),
        ((part(600_000_000), part(900_000_000)), 3, None),
        ((part(600_000_000),), 2, None),
        ((part(600_000_000), part(900_000_000, "Sram_Only")), 2, None),
    ],
    ids=["both", "a call more", "one of two", "of two compiles"],
)
def test_the_macs_of_all_subgraphs_are_those_of_the_model(parts: tuple[str, ...], calls: int, macs: int | None) -> None:
    figures = {**WAV2LETTER, "cycles.delegations": calls}
    text = "".join(parts).encode() + render(
        figures, U85, before=BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "x")
    )
    got = values(derive(read_capture("x", text)))
    assert got.get("attained_macs_per_cycle") == (pytest.approx(macs / CYCLES, rel=1e-4) if macs else None)
    assert "estimated_sram_roof_macs_per_cycle" not in got, "Vela's estimate is of one of them"
