"""A summary of Vela that a log holds the upper part of: what is not there is not 0, and nothing is concluded from it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_compile import answers_of_compile
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.report import CompileSummary

from .perf_log import render
from .test_answers import SUMMARY
from .test_derive import VELA, WAV2LETTER


def test_a_summary_that_was_cut_names_no_limit() -> None:
    """The rows of the memories' cycles stand below the NPU's: what is not there is not 0."""
    cut = SUMMARY._replace(
        sram_access_cycles=None, dram_access_cycles=None, on_chip_flash_access_cycles=None,
        off_chip_flash_access_cycles=None, total_cycles=None, inference_seconds=None,
    )  # fmt: skip
    assert cut.npu_cycles
    _, speed, _, limit, advice = answers_of_compile(cut._replace(non_delegated_nodes=0))
    assert not (speed.known or limit.known or advice.known) and "is cut" in speed.reason and "is cut" in limit.reason


def test_a_summary_that_was_cut_says_nothing_of_the_memories() -> None:
    """The NPU's cycles are above those of the memories: what the log does not hold any more is not 0 times as many."""
    whole = VELA + "".join(
        f"{memory} Access cycles          {cycles} cycles/batch\n"
        for memory, cycles in (("SRAM", 1168037), ("DRAM", 0), ("On-chip Flash", 0), ("Off-chip Flash", 0))
    )
    few = {name: value for name, value in WAV2LETTER.items() if "counters" not in name}
    for summary, told in ((VELA, False), (whole, True)):
        capture = derive(read_capture("x", summary.encode() + render(few, ())))
        details = [f.detail for f in capture.findings if f.rule.startswith("bound-")]
        assert len(details) == 1 and ("by Vela's estimate" in details[0]) == told, details


def test_operators_that_vela_left_to_the_cpu_are_not_none_where_their_line_is_lost() -> None:
    alone = CompileSummary(accelerator="ethos-u55-128", npu_operators=64)
    assert "all 64" not in answers_of_compile(alone)[0].reason
    assert "all 64" in answers_of_compile(alone._replace(cpu_operators=0))[0].reason


@pytest.mark.parametrize(
    ("end", "cycles"), [("cycles/batch", 4832315), ("cycles/batch ", 4832315), ("cycles/ba", None), ("", None)]
)
def test_a_figure_with_its_unit_behind_it_is_whole_at_the_end_of_a_file(end: str, cycles: int | None) -> None:
    """Whoever copies lines often leaves the last one without its end."""
    begun = "Accelerator configuration Ethos_U85_128\nMemory mode Sram_Only\nNeural network macs 300836992 MACs/batch\n"
    (summary,) = read_capture("x", f"{begun}NPU cycles 4832315 {end}".encode()).compile
    assert (summary.macs, summary.npu_cycles) == (300836992, cycles)
