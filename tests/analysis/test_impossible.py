"""Numbers that cannot be: none of them becomes a figure or a size in advice, and each is quoted by a finding."""

from __future__ import annotations

import re

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.collect.load import MOST_PLANNED
from ethosu_tui.analysis.scan import Scanner

from .perf_log import GOOD, render

OPEN = b"I [executorch:arm_executor_runner.cpp:70 main()] Model buffer loaded, has 1 methods\n"
RUNNER = b"I [executorch:arm_executor_runner.cpp:714 runner_init()] "
MONITOR = b"I [executorch:arm_perf_monitor.cpp:100 EthosUBackend_stop_measurement()] "


def read(*lines: bytes) -> Capture:
    return read_capture("x", OPEN + b"".join(line + b"\n" for line in lines))


def quoted(capture: Capture) -> str:
    return " ".join(f.detail for f in capture.findings if f.rule == "impossible-figure")


@pytest.mark.parametrize("name", ["ethosu_pmu_cycle_cntr", "ethosu_pmu_cntr1"])
@pytest.mark.parametrize("value", ["-5", "-294967296", "9" * 26, "9" * 20])
def test_a_counter_of_64_bits_is_not_repaired(name: str, value: str) -> None:
    log = render(GOOD)
    changed, count = re.subn(rb"(%s\s*:\s*)\d+" % name.encode(), rb"\g<1>" + value.encode(), log)
    assert count == 1
    capture = read_capture("x", changed)
    pmu = capture.runs[0].pmu
    assert pmu is not None
    if name == "ethosu_pmu_cycle_cntr":
        assert pmu.npu_cycles is None
    else:
        assert [c.index for c in pmu.counters] == [0, 2, 3]
    assert value in quoted(capture)


def test_what_went_through_percent_d_is_repaired_all_the_same() -> None:
    run = read(MONITOR + b"NPU Inferences : 1", MONITOR + b"Inference runtime: -294967296 CPU cycles total").runs[0]
    assert run.cycles.inference == 4_000_000_000


def test_the_wait_for_the_npu_never_went_through_percent_d() -> None:
    capture = read(MONITOR + b"NPU Inferences : 1", MONITOR + b"cpu_wait_for_npu_cntr : -294967296 CPU cycles")
    assert capture.runs[0].cycles.cpu_wait_for_npu is None
    assert "cpu_wait_for_npu_cntr : -294967296" in quoted(capture)


@pytest.mark.parametrize("size", ["-752640", "9" * 19, "9" * 30])
def test_a_planned_buffer_of_no_size_is_left_out(size: str) -> None:
    capture = read(
        RUNNER + b"Setting up planned buffer 0, size 16.",
        RUNNER + b"Setting up planned buffer 1, size %s." % size.encode(),
    )
    assert capture.runs[0].memory.planned_buffers == (16,)
    assert size in quoted(capture)


def test_a_size_that_no_memory_has_is_no_figure() -> None:
    capture = read(RUNNER + b"Setup Method allocator pool. Size: 18446744073709551615 bytes.")
    assert "method" not in capture.runs[0].memory.pools or capture.runs[0].memory.pools["method"].capacity_bytes is None
    assert "18446744073709551615" in quoted(capture)


@pytest.mark.parametrize("size", [(1 << 64) - 1, (1 << 32) - 1, 3 << 40])
@pytest.mark.parametrize(
    "line",
    [
        "Memory allocation failed: {}B requested (adjusted for alignment), 64B available",
        "Could not allocate memory for memory planned buffer size {}",
        "Could not allocate memory for planned buffer with mem_id=1, size {} in FAST_MEMORY_REGION",
        "Failed to allocate scratch buffer of {} bytes from temp_allocator",
        "Failed to allocate temp memory. Bytes requested: {}",
    ],
)
def test_no_pool_is_advised_for_a_request_that_cannot_be(line: str, size: int) -> None:
    capture = read(b"E [executorch:a.cpp:1 f()] " + line.format(size).encode())
    assert capture.findings[0].rule == "allocation-impossible"
    assert str(size) in capture.findings[0].title
    for finding in capture.findings:
        assert not re.search(r"\d{10}", finding.advice), finding
        assert "too-small" not in finding.rule


def test_planned_buffers_are_bounded() -> None:
    lines = [RUNNER + b"Setting up planned buffer %d, size 16." % i for i in range(MOST_PLANNED + 50)]
    capture = read(*lines)
    assert len(capture.runs[0].memory.planned_buffers) == MOST_PLANNED
    assert [f.lines for f in capture.findings if f.rule == "planned-buffers-left-out"] == [(MOST_PLANNED + 2,)]


def test_the_scanner_reads_impossible_numbers_alike() -> None:
    good = render(GOOD)
    bad = re.sub(rb"(ethosu_pmu_cycle_cntr\s*:\s*)\d+", rb"\g<1>" + b"9" * 26, good)
    negative = re.sub(rb"(ethosu_pmu_cycle_cntr\s*:\s*)\d+", rb"\g<1>-5", good)
    log = good * 10 + bad + good * 3 + negative + good * 3
    expected = read_capture("x", log)
    scanner = Scanner("x", full_runs=0)
    scanner.feed(log)
    scanner.finish()
    rows = scanner.rows()
    assert [row.npu_cycles for row in rows] == [run.pmu and run.pmu.npu_cycles for run in expected.runs]
    assert [row.npu_cycles for row in rows].count(None) == 2
    assert all("impossible-figure" in row.rules for row in rows if row.npu_cycles is None)
