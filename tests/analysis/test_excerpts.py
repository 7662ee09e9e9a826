"""Figures of several runs shown one below the other: none is lost, none is added to another's, no cut name is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.block_tables import inferences_table

from .port_logs import read
from .test_scan import EVERY, agree, scanned

MONITOR = "I [executorch:arm_perf_monitor.cpp:{} StopMeasurements()] "
BLOCK = (
    f"{MONITOR.format(139)}NPU Inferences : 1\n{MONITOR.format(164)}Inference runtime: {{0}}1 CPU cycles total ({{0}}1.00 per inference)\n"
    f"{MONITOR.format(198)}Ethos-U PMU report:\n{MONITOR.format(199)}ethosu_pmu_cycle_cntr : {{0}} ({{0}}.00 per inference)\n"
    f"{MONITOR.format(206)}ethosu_pmu_cntr0 : {{0}}2 ({{0}}2.00 per inference)\n"
)
OLD = (
    "I [executorch:arm_perf_monitor.cpp:180] Ethos-U PMU report:\nI [executorch:arm_perf_monitor.cpp:181] ethosu_pmu_cycle_cntr : {0}\n"
    "I [executorch:arm_perf_monitor.cpp:184] ethosu_pmu_cntr0 : {0}2\n"
)
LINE = "I [executorch:arm_perf_monitor.cpp:181] ethosu_pmu_cycle_cntr : {0}\n"
BARE = "NPU Inferences : 1\nethosu_pmu_cycle_cntr : {0}\n"
_WHOLE = tuple(
    f"{MONITOR.format(at)}{text}\n"
    for at, text in (
        (140, "NPU delegations: 1 (1.00 per inference)"),
        (145, "Profiler report, CPU cycles per operator:"),
        (149, "ethos-u : cycle_cnt : {0}3 cycles ({0}3.00 per inference)"),
        (157, "Operator(s) total: {0}3 CPU cycles ({0}3.00 per inference)"),
        (164, "Inference runtime: {0}7 CPU cycles total ({0}7.00 per inference)"),
        (170, "NOTE: CPU cycle values and ratio calculations require FPGA and identical CPU/NPU frequency"),
        (179, "Inference CPU ratio: 99.99 %"),
        (183, "Inference NPU ratio: 0.01 %"),
        (192, "cpu_wait_for_npu_cntr : 729 CPU cycles (729.00 per inference)"),
        (198, "Ethos-U PMU report:"),
        (199, "ethosu_pmu_cycle_cntr : {0} ({0}.00 per inference)"),
        (206, "ethosu_pmu_cntr0 : {0} ({0}.00 per inference)"),
        (206, "ethosu_pmu_cntr1 : 12 (12.00 per inference)"),
        (214, "Ethos-U PMU Events:[ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_NPU_IDLE]"),
    )
)
"""A report without its first line, from which any later one may be the first that was copied."""
MEMORY = (
    "I [executorch:arm_executor_runner.cpp:470] model_pte_loaded_size:     4425968 bytes.\n"
    "I [executorch:arm_executor_runner.cpp:484] method_allocator_used:     {0} / 62914560  free: {1} ( used: 2 % )\n"
)


@pytest.mark.parametrize("part", [BLOCK, OLD, LINE, BARE], ids=["block", "old", "line", "bare"])
@pytest.mark.parametrize("between", ["", "\nAfter:\n", "```\n```\n"], ids=["nothing", "heading", "fences"])
def test_reports_one_below_the_other_are_runs_of_their_own(part: str, between: str) -> None:
    capture = read(f"Before:\n{part.format(247_553)}{between}{part.format(371_329)}")
    assert [run.pmu and run.pmu.npu_cycles for run in capture.runs] == [247_553, 371_329]
    assert not [run.blocks for run in capture.runs if run.blocks]


@pytest.mark.parametrize("first", range(12))
@pytest.mark.parametrize("named", [True, False], ids=["prefix", "plain"])
def test_parts_that_begin_at_any_line_of_a_report_keep_their_figures_apart(first: int, named: bool) -> None:
    part = "".join(line if named else line.split("] ", 1)[1] for line in _WHOLE[first:])
    capture = read(part.format(247_553) + "second:\n" + part.format(371_329))
    assert len(capture.runs) == 2 and not [run.blocks for run in capture.runs if run.blocks]
    for run, cycles in zip(capture.runs, (247_553, 371_329), strict=True):
        assert run.pmu is not None
        assert run.pmu.npu_cycles == (cycles if first < 11 else None)
        assert [c.value for c in run.pmu.counters] == [cycles, 12]
        assert run.cycles.inference == (cycles * 10 + 7 if first < 5 else None)
        assert run.cycles.cpu_wait_for_npu == (729 if first < 9 else None)


def test_the_end_of_one_report_takes_nothing_of_the_next() -> None:
    first, second = read("".join(_WHOLE[9:]).format(247_553) + "".join(_WHOLE[3:]).format(371_329)).runs
    assert first.pmu is not None and second.pmu is not None
    assert (first.pmu.npu_cycles, first.cycles.inference) == (247_553, None)
    assert (second.pmu.npu_cycles, second.cycles.inference) == (371_329, 3_713_297)


@pytest.mark.parametrize("lost", range(1, 12))
@pytest.mark.parametrize("reports", [2, 3])
def test_a_report_that_lost_its_first_lines_takes_nothing_of_the_next(lost: int, reports: int) -> None:
    """The first begins later than the others do: each is a run with what it has."""
    head, whole = f"{MONITOR.format(139)}NPU Inferences : 1\n", "".join(_WHOLE)
    cycles = [247_553 + 123_776 * at for at in range(reports)]
    capture = read("".join(_WHOLE[lost:]).format(cycles[0]) + "".join(head + whole.format(npu) for npu in cycles[1:]))
    assert [run.pmu and (run.pmu.npu_cycles, run.pmu.counters[0].value) for run in capture.runs] == [
        (npu if npu != cycles[0] or lost < 11 else None, npu) for npu in cycles
    ]
    runtimes = [run.cycles.inference for run in capture.runs]
    assert runtimes == [cycles[0] * 10 + 7 if lost < 5 else None, *(npu * 10 + 7 for npu in cycles[1:])]


def test_memory_below_the_end_of_a_report_is_of_the_same_run() -> None:
    (run,) = read(OLD.format(247_553) + MEMORY.format(1_355_722, 61_558_838)).runs
    assert run.pmu is not None and run.pmu.npu_cycles == 247_553
    assert run.memory.pools["method"].used_bytes == 1_355_722


def test_cycles_and_memory_that_a_search_has_found_stay_together() -> None:
    """`grep` over the logs of three runs."""
    found = [LINE.format(npu) + MEMORY.format(npu, 62_914_560 - npu).splitlines(True)[1] for npu in (11, 22, 33)]
    runs = read("".join(found)).runs
    assert [(run.pmu and run.pmu.npu_cycles, run.memory.pools["method"].used_bytes) for run in runs] == [
        (11, 11), (22, 22), (33, 33)
    ]  # fmt: skip


@pytest.mark.parametrize("first", range(13))
def test_the_ends_of_two_mixed_reports_are_not_put_together(first: int) -> None:
    boards = [[line.format(cycles) for line in _WHOLE[first:]] for cycles in (247_553, 371_329)]
    capture = read("".join(line for pair in zip(*boards, strict=True) for line in pair))
    for run in capture.runs:
        figures = [run.pmu and run.pmu.npu_cycles, run.cycles.inference and run.cycles.inference // 10]
        figures += [counter.value for counter in run.pmu.counters[:1]] if run.pmu is not None else []
        assert len({figure for figure in figures if figure is not None}) <= 1


def test_counters_of_a_runner_that_prints_totals_only_are_added_up_as_before() -> None:
    text = "Ethos-U PMU report:\nethosu_pmu_cycle_cntr : {0}\nethosu_pmu_cntr0 : {0}2\n"
    (run,) = read(text.format(247_553) + text.format(371_329)).runs
    assert run.pmu is not None and run.pmu.npu_cycles == 247_553 + 371_329


def test_memory_reports_one_below_the_other_are_runs_of_their_own() -> None:
    parts = [MEMORY.format(used, 62_914_560 - used) for used in (1_355_722, 753_622)]
    pools = [run.memory.pools["method"].used_bytes for run in read("".join(parts)).runs]
    assert pools == [1_355_722, 753_622]


@pytest.mark.parametrize(
    "part", [BLOCK, OLD, MEMORY, "".join(_WHOLE), "".join(_WHOLE[8:])], ids=["block", "old", "memory", "whole", "wait"]
)
def test_many_reports_are_read_alike_by_layouts(part: str) -> None:
    data = "".join(
        f"# {at}\n" + part.format(100_000 + 37 * at, 62_914_560 - 100_000 - 37 * at) for at in range(300)
    ).encode()
    assert len(scanned(data, EVERY, 1 << 18)[0]) == 300
    agree(data, 1 << 12, 977, both=True)


def _with_two_reports(samples: Path, shift: int) -> str:
    """A whole run whose performance report comes twice, the second time with other cycles."""
    lines = (samples / "mobilenet_v2_corstone320.log").read_text().splitlines(keepends=True)
    begin = next(at for at, line in enumerate(lines) if "NPU Inferences" in line)
    end = next(at for at, line in enumerate(lines) if "PMU Events" in line) + 1
    again = [line.replace("5920305", str(5_920_305 + shift)) for line in lines[begin:end]]
    return "".join(lines[:end] + again + lines[end:])


def test_a_report_that_came_twice_is_one(samples: Path) -> None:
    (run,) = read(_with_two_reports(samples, 0)).runs
    assert run.pmu is not None and run.pmu.npu_cycles == 5_920_305
    assert run.blocks == ()


def test_another_report_without_an_execution_is_not_lost_and_not_added(samples: Path) -> None:
    capture = read(_with_two_reports(samples, 12_345))
    (run,) = capture.runs
    assert run.pmu is None and run.cycles.inference is None
    assert [block.pmu and block.pmu.npu_cycles for block in run.blocks] == [5_920_305, 5_932_650]
    assert "reports-differ" in [finding.rule for finding in capture.findings]
    assert "not added up" in inferences_table(run).note


@pytest.mark.parametrize(
    ("line", "name", "config", "mode"),
    [
        ("CALL python3 -m e.aot_arm_compiler --target=ethos-u8", None, None, None),
        ("CALL python3 -m e.aot_arm_compiler --target=ethos-u55-12", None, None, None),
        ("CALL python3 -m e.aot_arm_compiler --target=ethos-u85-1", None, None, None),
        ("CALL python3 -m e.aot_arm_compiler --target=ethos-u85-1024", "ethos-u85-1024", None, None),
        ("CALL python3 -m e.aot_arm_compiler --target=ethos-u55-64 --system_config=My_Board", "ethos-u55-64", "My_Board", None),
        (
            "Build Arm Baremetal executor_runner for ethos-u85-128 with /m.pte using Etho",
            "ethos-u85-128", None, None,
        ),
        (
            "Build Arm Baremetal executor_runner for ethos-u85-128 with /m.pte using Ethos_U85_SYS_DRAM_Mid Sram_Only  to 'o'",
            "ethos-u85-128", "Ethos_U85_SYS_DRAM_Mid", "Sram_Only",
        ),
    ],
)  # fmt: skip
def test_a_name_that_was_cut_is_no_target(line: str, name: str | None, config: str | None, mode: str | None) -> None:
    (run,) = read(f"{line}\n{OLD.format(4_738_932)}").runs
    assert (run.target.name, run.target.system_config, run.target.memory_mode) == (name, config, mode)
    if name is None:
        assert run.target.npu is None and run.target.macs is None


@pytest.mark.parametrize(
    ("call", "npu"),
    [
        ("FVP_Corstone_SSE-320 -a x.axf", "ethos-u85"),
        ("$ FVP_Corstone_SSE-300_Ethos-U65 -a zephyr.elf --simlimit 30", "ethos-u65"),
        ("VHT_Corstone_SSE-300_Ethos-U55 a.axf -f cfg", "ethos-u55"),
        ("[0/1] FVP_Corstone_SSE-300_Ethos-U65:", "ethos-u65"),
        ("FVP_Corstone_SSE-300_Ethos-U55 \\\n    -C ethosu.num_macs=128 \\\n    -a x.elf", "ethos-u55"),
    ],
)
def test_the_call_of_a_simulator_tells_the_npu(samples: Path, call: str, npu: str) -> None:
    (run,) = read(f"{call}\n{(samples / 'mnist_q.log').read_text()}").runs
    assert run.target.npu == npu
    assert run.target.macs == (128 if "num_macs" in call else None)


def test_what_is_asked_for_after_an_abort_is_not_asked_for_together() -> None:
    boot = (
        "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 6144000B requested (adjusted for alignment), "
        "2000B available\nF [executorch:arm_executor_runner.cpp:287 main()] In function main(), assert failed (buffer != nullptr): "
        "Could not allocate memory for memory planned buffer size 6144000\n"
    )
    once, twice = (
        next(f for f in read(boot * times).findings if f.rule == "method-pool-too-small") for times in (1, 2)
    )
    assert once.advice == twice.advice and once.detail == twice.detail


ALLOCATION = "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: {}B requested (adjusted for alignment), 2000B available\n"
ABORT = (
    "F [executorch:arm_executor_runner.cpp:287 main()] In function main(), assert failed (buffer != nullptr): Could not allocate memory for "
    "memory planned buffer size 614400\n"
)
SCRATCH = "E [executorch:EthosUBackend.cpp:173 execute()] Failed to allocate scratch buffer of 819752 bytes from temp_allocator\n"


@pytest.mark.parametrize(
    "between", ["\nThat was mended by a larger pool. Now:\n\n", "```\n\nThen it says:\n```\n"], ids=["prose", "fences"]
)
def test_what_stands_below_an_abort_and_a_text_is_another_run(between: str) -> None:
    capture = read(ALLOCATION.format(614_400) + ABORT + between + ALLOCATION.format(819_752) + SCRATCH)
    assert [(f.rule, f.run) for f in capture.findings if f.severity == "error"] == [
        ("method-pool-too-small", 1),
        ("temp-pool-too-small", 2),
    ]


def test_a_log_below_a_quoted_end_is_another_run() -> None:
    quoted = "It did not come to this:\n```\ncmd_end_reached 0x1\n1 inferences finished\n```\nThe trace:\n```\n"
    trace = "I [arm_executor_runner.cpp:1800] Starting running 1 inferences...\nI: Test Case 10: bus_status_error 0x1, status 0x8004\n"
    capture = read(f"NPU config match\n{quoted}{trace}")
    assert [r.status for r in capture.runs] == ["truncated", "failed"]
    assert "targets-mixed" not in {f.rule for f in capture.findings}


def test_what_follows_an_abort_at_once_is_of_it() -> None:
    assert len(read(ALLOCATION.format(614_400) + ABORT + ALLOCATION.format(819_752) + SCRATCH).runs) == 1


LOADED = "I [executorch:arm_executor_runner.cpp:600 main()] Model buffer loaded, has 1 methods\nE [executorch:memory_allocator.h:88] "
KIT = "INFO - NPU ACTIVE cycles: 81000\nINFO - NPU IDLE cycles: 641\nINFO - NPU TOTAL cycles: "


@pytest.mark.parametrize(
    ("text", "status", "rule"),
    [
        ("[TinyNet] inference start\n[executorch] execute done status=0\n[TinyNet] inference PASS", "passed", ""),
        ("NPU config mismatch. npu.macs_per_cc=9, optimizer.macs_per_cc=8", "failed", "npu-config-mismatch"),
        ("E: NPU config mismatch. npu.product=1, optimizer.product=2", "failed", "npu-product-mismatch"),
        ("NPU config mismatch: npu.shram_size=96 optimizer.shram_size=48", "failed", "npu-config-mismatch"),
        ("E: NPU arch mismatch. npu.arch=1.1.0, optimizer.arch=1.0.7", "failed", "npu-arch-mismatch"),
        ("NPU status=0x00000804, qread=20, cmd_end_reached=0", "failed", "npu-bus-error"),
        ("E: NPU status=0x00000804, qread=20, cmd_end_reached=0 (npu_driver.c:99)", "failed", "npu-bus-error"),
        (f"{LOADED}Memory allocation failed: 640B requested (adjusted for alignment), 12B available", "failed", "method-pool-too-small"),
        (f"{LOADED}Memory allocation failed: 640B requested (adjusted for alignment), 12B available\nI [ex", "truncated", "method-pool-too-small"),
    ],
)  # fmt: skip
def test_a_paste_without_a_line_end_tells_what_its_last_line_says(text: str, status: str, rule: str) -> None:
    capture = read_capture("x", text.encode())
    assert ([r.status for r in capture.runs], [f.rule for f in capture.findings][:1]) == (
        [status],
        [rule] if rule else [],
    )


@pytest.mark.parametrize(
    ("end", "cycles"), [("81641", 81641), ("81643", 81643), ("8164", None), ("81641\n", 81641), ("8164\n", 8164)]
)
def test_the_total_of_the_kit_is_whole_where_its_parts_add_up_to_it(end: str, cycles: int | None) -> None:
    (run,) = read_capture("x", f"{KIT}{end}".encode()).runs
    assert (run.pmu.npu_cycles if run.pmu else None) == cycles


@pytest.mark.parametrize(("before", "title"), [("", "A pool is too small"), (LOADED, "The method pool is too small")])
def test_a_refusal_that_stands_alone_names_both_pools(before: str, title: str) -> None:
    """Which pool it was is told by what stood before it."""
    text = f"{before}Memory allocation failed: 640B requested (adjusted for alignment), 12B available\n"
    first = read_capture("x", text.encode()).findings[0]
    assert (first.rule, first.title.partition(":")[0]) == ("method-pool-too-small", title)
    assert ("TEMP_ALLOCATOR" in first.advice, "temp pool" in first.detail) == (not before, not before)
