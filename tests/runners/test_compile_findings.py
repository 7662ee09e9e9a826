"""Findings about a compile that went well, from its figures: limits that do not hold, and what was not delegated."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis.report import CompileSummary, Finding
from ethosu_tui.runners.compile.findings import Outcome, arena_limit_exceeded, findings_of, sram_beyond_boards
from ethosu_tui.runners.compile.plan import CompileOptions
from ethosu_tui.runners.compile.points import CompilePoint

KIB = 1024
LEFT = {
    "operator": "aten.sort.default", "count": 2, "reason": "Not included", "source": "/m/net.py:14", "module": "b.0",
    "macs": None,
}  # fmt: skip


def rules(
    summary: CompileSummary | None,
    *,
    target: str = "ethos-u55-128",
    delegation: dict[str, Any] | None = None,
    arena: int | None = None,
    **options: Any,
) -> dict[str, Finding]:
    point = CompilePoint(target, "Ethos_U55_High_End_Embedded", "Shared_Sram", arena)
    rejected = {"aten.odd.default": "odd reason"}
    outcome = Outcome(CompileOptions("m.py", **options), point, summary, delegation, rejected, 1, ())
    return {finding.rule: finding for finding in findings_of(outcome)}


def left(*rows: dict[str, Any], off: int = 0) -> dict[str, Any]:
    return {"left": list(rows), "left_off": off, "boundary": {"quantize": 2, "dequantize": 1, "permutes": 0}}


def test_the_arena_limit_that_vela_ignored_is_told_with_its_figures() -> None:
    """MobileNetV2 with a limit of 100 kB, as measured: 354 KiB were used, and Vela said nothing."""
    finding = arena_limit_exceeded(CompileSummary(sram_used_bytes=362_496), 100_000)
    assert finding is not None
    assert (finding.rule, finding.severity) == ("arena-limit-exceeded", "warning")
    assert "97.7 KiB" in finding.title and "354.0 KiB" in finding.title
    assert "362,496 bytes against 100,000 (262 % more)" in finding.detail
    assert rules(CompileSummary(sram_used_bytes=362_496), arena=100_000)["arena-limit-exceeded"] == finding


@pytest.mark.parametrize(("used", "limit"), [(100, 100), (99, 100), (None, 100), (200, None)])
def test_a_limit_that_holds_or_is_not_known_is_not_mentioned(used: int | None, limit: int | None) -> None:
    assert arena_limit_exceeded(CompileSummary(sram_used_bytes=used), limit) is None


def test_sram_beyond_any_board_is_told_with_the_largest() -> None:
    """A convolution over 1200x1200, as measured: 22,425 KiB, exit status 0."""
    finding = sram_beyond_boards(CompileSummary(sram_used_bytes=22_425 * KIB), "ethos-u55-128")
    assert finding is not None and finding.severity == "warning"
    assert "21.9 MiB" in finding.title and "Alif" in finding.detail and "13.5 MiB" in finding.detail
    for size, target in ((13 << 20, "ethos-u55-128"), (1 << 40, "cortex-m55"), (None, "ethos-u55-128")):
        assert sram_beyond_boards(CompileSummary(sram_used_bytes=size), target) is None


def test_nothing_delegated_is_an_error_unless_it_was_asked_for() -> None:
    nothing = CompileSummary(delegated_subgraphs=0, delegated_nodes=0, non_delegated_nodes=2)
    assert rules(nothing)["not-delegated"].severity == "error"
    as_float = rules(nothing, quantize=False)
    assert as_float["float-model"].severity == "error" and as_float["not-delegated"].severity == "info"
    assert "operators-on-cpu" not in rules(nothing, quantize=False, delegation=left(LEFT))
    assert rules(nothing, delegate=False) == rules(nothing, target="cortex-m55") == {}


def test_what_was_left_is_told_with_line_module_reason_and_border() -> None:
    told = rules(CompileSummary(delegated_subgraphs=1), delegation=left(LEFT, LEFT | {"operator": "aten.relu.default"}))
    finding = told["operators-on-cpu"]
    assert finding.title == "4 operators stayed on the CPU: aten.sort.default, aten.relu.default"
    assert "aten.sort.default x2 at /m/net.py:14 in b.0 (Not included)" in finding.detail
    assert "2 quantize, 1 dequantize" in finding.detail and "permutes" not in finding.detail
    assert "on the host" in finding.advice and "Ethos-U85" in finding.advice


def test_many_are_counted_and_multiply_accumulates_named() -> None:
    rows = [LEFT | {"operator": f"aten.convolution.{n}", "macs": 1000, "count": 1} for n in range(9)]
    finding = rules(CompileSummary(delegated_subgraphs=1), delegation=left(*rows, off=5))["operators-on-cpu"]
    assert finding.title.startswith("14 operators") and "and 8 more, in the job's delegation" in finding.detail
    assert "9,000 multiply-accumulates stay on the CPU" in finding.detail


def test_without_a_description_the_counts_speak() -> None:
    summary = CompileSummary(
        delegated_subgraphs=1,
        non_delegated_operators={
            "aten_odd_default": 2,
            "quantized_decomposed_quantize_per_tensor_default": 1,
            "getitem": 3,
        },
    )
    finding = rules(summary)["operators-on-cpu"]
    assert finding.title == "2 operators stayed on the CPU: aten_odd_default"
    assert finding.detail == "aten_odd_default x2 (odd reason)."
    assert "operators-on-cpu" not in rules(CompileSummary(delegated_subgraphs=1))
