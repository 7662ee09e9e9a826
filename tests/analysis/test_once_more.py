"""Lines and pieces of a log that came twice, or were lost: no figure is lost, counted twice or mixed for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, Run, read_capture

from .test_doubled import doubled

_RUNNER = "I [executorch:arm_executor_runner.cpp:{} main()] {}\n"
_MONITOR = "I [executorch:arm_perf_monitor.cpp:{} StopMeasurements()] {}\n"
HEAD = [
    _RUNNER.format(1523, "PTE @ 0x70027fb0 [----ET12]"),
    _RUNNER.format(703, "Running method forward"),
    _RUNNER.format(877, "Method 'forward' loaded."),
    _RUNNER.format(1365, "Running in semihosting server mode."),
]
CYCLES = [247_560, 272_315, 297_070, 321_825]
MEMORY = [_RUNNER.format(1000, "method_allocator_planned:  32 bytes")]
END = [_RUNNER.format(1550, "Program complete, exiting.")]


def block(cycles: int) -> list[str]:
    each = "{0} CPU cycles ({0}.00 per inference)".format
    return [
        _MONITOR.format(150, "NPU Inferences : 1"),
        _MONITOR.format(160, f"ethos-u : cycle_cnt : {cycles // 10} cycles ({cycles // 10}.00 per inference)"),
        _MONITOR.format(168, f"Operator(s) total: {each(cycles // 10)}"),
        _MONITOR.format(175, f"Inference runtime: {cycles * 4} CPU cycles total ({cycles * 4}.00 per inference)"),
        _MONITOR.format(203, f"cpu_wait_for_npu_cntr : {each(cycles // 500)}"),
        _MONITOR.format(210, f"ethosu_pmu_cycle_cntr : {cycles} ({cycles}.00 per inference)"),
        *(_MONITOR.format(217, f"ethosu_pmu_cntr{i} : {cycles // 9 + i} ({cycles // 9 + i}.00 per inference)") for i in range(4)),
    ]  # fmt: skip


def served(cycles: list[int]) -> list[str]:
    lines = list(HEAD)
    for at, each in enumerate(cycles):
        lines.append(_RUNNER.format(1328, "Starting running 1 inferences..."))
        lines += [*block(each), _RUNNER.format(1352, "1 inferences finished"), _RUNNER.format(1355, "Model run: 1")]
        lines.append(_RUNNER.format(1391, f"SERVER_INFERENCE_DONE {at}"))
    return [*lines, *MEMORY, *END]


LOG = served(CYCLES)
PERIOD = len(block(1)) + 4
FIRST = len(HEAD)


def read(lines: list[str]) -> Capture:
    return read_capture("x", "".join(lines).encode())


def rules(capture: Capture) -> set[str]:
    return {finding.rule for finding in capture.findings}


def figures(run: Run) -> tuple[object, ...]:
    counters = tuple(counter.value for counter in run.pmu.counters) if run.pmu else ()
    return (run.cycles, run.pmu and run.pmu.npu_cycles, counters, run.memory.planned_bytes, run.status)


def plain(samples: Path) -> list[str]:
    lines = (samples / "mobilenet_v2_corstone320.log").read_text("latin-1").splitlines(keepends=True)
    start = next(at for at, line in enumerate(lines) if "Model in 0x70000000" in line)
    return lines[start:]


def place(lines: list[str], text: str) -> int:
    return next(at for at, line in enumerate(lines) if text in line)


def test_a_first_line_that_comes_again_anywhere_costs_nothing(samples: Path) -> None:
    lines = plain(samples)
    first = place(lines, "NPU Inferences")
    want = figures(read(lines).runs[0])
    for at in range(first + 1, place(lines, "Program complete")):
        (run,) = read([*lines[:at], lines[first], *lines[at:]]).runs
        assert figures(run) == want and not run.blocks, at


@pytest.mark.parametrize("length", [3, 6, 9, 14, 20])
def test_a_piece_with_the_start_of_the_execution_may_come_again(samples: Path, length: int) -> None:
    lines = plain(samples)
    start = place(lines, "Starting the model execution")
    want = figures(read(lines).runs[0])
    for at in {start + length, place(lines, "method_allocator_executor")}:
        (run,) = read([*lines[:at], *lines[start : start + length], *lines[at:]]).runs
        assert figures(run) == want and not run.blocks, at


def test_a_log_that_ends_where_a_report_begins_again_keeps_the_one_before(samples: Path) -> None:
    lines = plain(samples)
    first, end = place(lines, "NPU Inferences"), place(lines, "PMU Events") + 1
    want = read(lines).runs[0]
    for head in (0, first + 1, place(lines, "Inference runtime")):
        run, *_ = read([*lines[head:end], lines[first]]).runs  # without its head, another may have begun
        assert run.pmu is not None and want.pmu is not None and run.pmu.counters == want.pmu.counters
        assert (run.cycles.inference, run.pmu.npu_cycles) == (want.cycles.inference, want.pmu.npu_cycles)
    text = [lines[place(lines, "Inference runtime")], lines[place(lines, "ethosu_pmu_cycle_cntr")], lines[first]]
    run, *_ = read(text).runs
    assert run.pmu is not None and (run.cycles.inference, run.pmu.npu_cycles) == (6_925_114, 5_920_305)


def test_another_report_behind_that_of_a_run_that_was_through_is_of_another() -> None:
    lines = [
        *HEAD[:3], _RUNNER.format(1328, "Starting running 1 inferences..."), *block(CYCLES[0]),
        _RUNNER.format(1352, "1 inferences finished"), _RUNNER.format(1355, "Model run: 1"),
        _RUNNER.format(992, "method_allocator_used:     248 / 62914560  free: 62914312 ( used: 0 % ) "), *block(CYCLES[1]),
    ]  # fmt: skip
    capture = read(lines)
    assert "reports-differ" in rules(capture)
    (run,) = capture.runs
    assert run.pmu is None and run.cycles.inference is None
    assert [block.cycles.inference for block in run.blocks] == [CYCLES[0] * 4, CYCLES[1] * 4]


@pytest.mark.parametrize("length", range(1, 2 * PERIOD + 3, 4))
def test_a_piece_of_a_servers_log_may_come_twice(length: int) -> None:
    want = figures(read(LOG).runs[0])
    for at in range(FIRST, FIRST + 2 * PERIOD):
        capture = read([*LOG[: at + length], *LOG[at:]])
        (run,) = capture.runs
        assert (figures(run), len(run.blocks)) == (want, 4), at
        assert not {"targets-mixed", "reports-differ"} & rules(capture)


def test_a_piece_that_comes_twice_is_told_while_the_log_is_read() -> None:
    lines = [*LOG[: FIRST + 24], *LOG[FIRST + 5 :]]
    for end in range(FIRST, len(lines)):
        assert len(read(lines[:end]).runs) == 1


def test_inferences_that_take_the_very_same_cycles_all_count() -> None:
    (run,) = read(served([CYCLES[0]] * 4)).runs
    assert len(run.blocks) == 4 and run.pmu is not None and run.pmu.npu_cycles == 4 * CYCLES[0]
    assert run.cycles.inferences == 4


def test_numbers_that_begin_again_with_other_figures_are_of_another_run() -> None:
    again = served([each * 2 for each in CYCLES])[FIRST:]
    capture = read([*LOG[: FIRST + 4 * PERIOD], *again])
    assert "reports-differ" in rules(capture)
    (run,) = capture.runs
    assert run.pmu is None and run.cycles.inference is None


@pytest.mark.parametrize("length", range(2, PERIOD - 1))
def test_a_gap_in_a_servers_log_costs_no_more_than_its_inferences(length: int) -> None:
    for at in range(FIRST, FIRST + PERIOD):
        capture = read([*LOG[:at], *LOG[at + length :]])
        (run,) = capture.runs
        assert not {"targets-mixed", "reports-differ"} & rules(capture), at
        assert run.memory.planned_bytes == 32 and run.blocks, at
        for found in run.blocks[-2:]:
            assert found.pmu is not None and found.pmu.npu_cycles in CYCLES[2:]
        of = {CYCLES.index(b.cycles.inference // 4) for b in run.blocks if b.cycles.inference}
        assert of >= {2, 3}


def test_whole_blocks_add_up_where_the_rest_of_one_was_lost() -> None:
    capture = read([*LOG[: FIRST + 5], *LOG[FIRST + PERIOD + 1 :]])
    (run,) = capture.runs
    assert run.pmu is not None and run.pmu.npu_cycles == sum(CYCLES[1:]) and run.cycles.inferences == 3


@pytest.mark.parametrize("length", [PERIOD - 1, PERIOD, PERIOD + 1, PERIOD + 2, 2 * PERIOD])
def test_a_gap_of_a_whole_inference_mixes_no_two(length: int) -> None:
    for at in range(FIRST + PERIOD, FIRST + 2 * PERIOD):
        capture = read([*LOG[:at], *LOG[at + length :]])
        (run,) = capture.runs
        for found in run.blocks:
            npu, runtime = found.pmu and found.pmu.npu_cycles, found.cycles.inference
            assert npu is None or runtime is None or runtime == npu * 4, at
        if not run.blocks and run.pmu is not None and run.cycles.inference is not None:
            assert run.cycles.inference == (run.pmu.npu_cycles or 0) * 4, at


def test_two_servers_line_by_line_are_still_two() -> None:
    other = served([each + 11 for each in CYCLES])
    capture = read([line for pair in zip(LOG, other, strict=True) for line in pair])
    assert "targets-mixed" in rules(capture)


@pytest.mark.parametrize("copy", [0, 1])
@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("ratio: 99.99 %", "ratio: 9"), ("ratio: 99.99 %", "ratio: 99"), ("ratio: 99.99 %", "ratio: 99."),
        ("ratio: 99.99 %", "ratio: "), ("ratio: 99.99 %", "ratio: 99.9"),
        ("cycle_cntr : 5920305", "cycle_cntr : 592305"), ("cntr0 : 359921", "cntr0 : 35921"),
    ],
)  # fmt: skip
def test_a_copy_that_was_cut_or_lost_a_digit_is_damaged(samples: Path, text: str, cut: str, copy: int) -> None:
    lines = plain(samples)
    want = figures(read(lines).runs[0])
    both = doubled("".join(lines).encode("latin-1")).decode("latin-1").splitlines(keepends=True)
    at = place(both, text) + copy
    assert text in both[at]
    both[at] = both[at][: both[at].index(text)] + cut + "\n"
    capture = read(both)
    assert "targets-mixed" not in rules(capture) and "lines-doubled" in rules(capture)
    assert figures(capture.runs[0]) == want


@pytest.mark.parametrize("copy", [0, 1])
@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("lost", [0, 1, 4, 6, 10])
def test_the_whole_copy_of_an_output_counts(samples: Path, copy: int, index: int, lost: int) -> None:
    lines = plain(samples)
    want = read(lines).runs[0].outputs
    both = doubled("".join(lines).encode("latin-1")).decode("latin-1").splitlines(keepends=True)
    at = place(both, f"Output[0][{index}]") + copy
    text = both[at].rstrip()
    both[at] = text[: len(text) - lost] + "\n"
    assert read(both).runs[0].outputs == want


def test_a_doubled_log_is_known_wherever_it_begins() -> None:
    lines = [*HEAD[:3], *block(CYCLES[0]), *MEMORY, *END]
    both = doubled("".join(lines).encode()).decode().splitlines(keepends=True)
    for head in range(7, 2 * (3 + 7)):
        capture = read(both[head:])
        (run,) = capture.runs
        assert run.pmu is not None and not run.blocks and "lines-doubled" in rules(capture)
        assert run.pmu.npu_cycles in (CYCLES[0], None) and (run.pmu.npu_cycles or head > 17), head
        assert run.pmu.counters[-1].value == CYCLES[0] // 9 + 3


def test_a_counter_that_was_written_twice_begins_no_block() -> None:
    lines = block(CYCLES[0])[5:]
    for at in range(1, len(lines)):
        (run,) = read([*lines[: at + 1], *lines[at:]]).runs
        assert run.pmu is not None and run.pmu.npu_cycles == CYCLES[0] and len(run.pmu.counters) == 4, at


def test_many_buffers_cost_the_reports_below_no_time() -> None:
    def seconds(times: int) -> float:
        buffers = "".join(f"Setting up planned buffer {at}, size 32.\n" for at in range(times))
        start = time.process_time()
        read_capture("x", (f"PTE @ 0x70000000 [----ET12]\n{buffers}" + "NPU Inferences : 1\n" * times).encode())
        return time.process_time() - start

    def quickest(times: int) -> float:
        """Of three: the rest of a long test process, and a machine that stalls, count for nothing."""
        return min(seconds(times) for _ in range(3))

    assert quickest(8_000) < 8 * max(quickest(2_000), 0.02)


def test_a_report_of_which_only_an_operator_is_left_begins_another() -> None:
    """Found by fuzzing: such a block has no figure of its own whose line it could begin at."""
    left = "{0}ethos-u : cycle_cnt : 1498202 cycles\n{0}NPU Inferences : 1\n"
    for prefix in ("", "I [executorch:arm_perf_monitor.cpp:145] "):
        run = read_capture("x", left.format(prefix).encode()).runs[0]
        assert [(operator.name, operator.cycles) for operator in run.cycles.operators] == [("ethos-u", 1_498_202)]


START, FINISHED = (
    _RUNNER.format(1328, "Starting running 1 inferences..."),
    _RUNNER.format(1352, "1 inferences finished"),
)


@pytest.mark.parametrize("cycles", [(900, 900, 1000), (900, 1000, 900), (900, 900, 900, 1000, 1000)])
def test_inferences_that_begin_and_end_count_each_though_a_simulator_gives_some_the_same_cycles(
    cycles: tuple[int, ...],
) -> None:
    loops = [line for each in cycles for line in (START, *block(each), FINISHED)]
    (run,) = read([*HEAD[:3], *loops, *END]).runs
    assert run.cycles.inferences == len(cycles) and run.pmu is not None and run.pmu.npu_cycles == sum(cycles)


@pytest.mark.parametrize("copied", [slice(0, None), slice(1, None), slice(0, -1), slice(0, 5)])
@pytest.mark.parametrize("stamp", ["", "[10:00:00.123] "])
def test_an_inference_that_stands_in_a_log_twice_counts_once_and_that_is_said(copied: slice, stamp: str) -> None:
    whole = [START, *block(900), FINISHED]
    capture = read([stamp + line for line in (*HEAD[:3], *whole, *whole[copied], *END)])
    (run,) = capture.runs
    assert run.pmu is not None and (run.status, run.cycles.inferences, run.pmu.npu_cycles) == ("passed", 1, 900)
    again = [found.severity for found in capture.findings if found.rule == "report-repeated"]
    assert again == (["info"] if copied.start == 0 else [])


def test_a_line_that_one_of_two_inferences_lost_leaves_both() -> None:
    first = block(900)
    counter = next(index for index, line in enumerate(first) if "cntr1" in line)
    del first[counter]
    (run,) = read([*HEAD[:3], START, *first, FINISHED, START, *block(1000), FINISHED, *END]).runs
    assert run.cycles.inferences == 2 and run.pmu is not None and run.pmu.npu_cycles == 1900


def test_what_stands_before_a_report_costs_it_no_figure() -> None:
    first, second, *rest = block(900)
    stub = _MONITOR.format(151, "NPU delegations: 1 (1.00 per inference)")
    for lines in ([START, stub, first, second, *rest], [START, first, second, START, *block(900)[:1], *block(900)[1:]]):
        (run,) = read([*HEAD[:3], *lines, FINISHED, *END]).runs
        assert run.pmu is not None and (run.cycles.inferences, run.cycles.inference, run.pmu.npu_cycles) == (
            1,
            3600,
            900,
        )
    (run,) = read([*HEAD[:3], START, first, second.replace(" 90 ", " 91 "), START, *block(900), FINISHED, *END]).runs
    assert run.pmu is not None and (run.cycles.inferences, run.pmu.npu_cycles) == (1, 900)


@pytest.mark.parametrize("heading", ["", "INFO - Profile for Inference:\n"])
@pytest.mark.parametrize("between", ["", "\n", "\nThe same on another board:\n\n"])
def test_two_profiles_of_the_kit_without_a_heading_between_stand_for_themselves(heading: str, between: str) -> None:
    def table(active: int, idle: int) -> str:
        rows = (
            ("AXI0_RD_DATA_BEAT_RECEIVED beats", 628),
            ("ACTIVE cycles", active),
            ("IDLE cycles", idle),
            ("TOTAL cycles", active + idle),
        )
        return "".join(f"INFO - NPU {name}: {value}\n" for name, value in rows)

    first, second = table(4711, 12), table(815, 9)
    capture = read_capture("x", f"{heading}{first}{between}{second}".encode())
    (run,) = capture.runs
    assert [block.pmu.npu_cycles for block in run.blocks if block.pmu is not None] == [4723, 824]
    assert run.pmu is None and "reports-differ" in {finding.rule for finding in capture.findings}
    (again,) = read_capture("x", f"{heading}{first}{between}{first}".encode()).runs
    assert again.pmu is not None and again.pmu.npu_cycles == 4723 and again.blocks == ()


def test_two_old_profiles_of_the_kit_without_a_heading_between_stand_for_themselves() -> None:
    tables = [f"Active NPU cycles: {active}\nIdle NPU cycles:   525\n" for active in (7622641, 815)]
    (run,) = read_capture("x", f"INFO - Profile for Inference:\n{tables[0]}\n{tables[1]}".encode()).runs
    assert [len(block.pmu.counters) for block in run.blocks if block.pmu is not None] == [2, 2]


@pytest.mark.parametrize(("npu", "rule"), [(7300, "reports-added"), (27000, "reports-unlike")])
def test_reports_of_runs_without_beginnings_are_not_added_up_in_silence(npu: int, rule: str, samples: Path) -> None:
    log = (samples / "mnist_q.log").read_text().splitlines()[9:44]

    def of(cycles: int) -> list[str]:
        return [line.replace("cycle_cntr : 0 (0.00", f"cycle_cntr : {cycles} ({cycles}.00") for line in log]

    capture = read_capture("x", "\n".join([*of(7000), *of(npu), ""]).encode())
    (run,) = capture.runs
    assert [block.pmu.npu_cycles for block in run.blocks if block.pmu is not None] == [7000, npu]
    assert rule in {finding.rule for finding in capture.findings}
    assert (run.pmu is None) == (rule == "reports-unlike")
