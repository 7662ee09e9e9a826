"""Logs of a runner that serves inference after inference: what is lost of one block costs the others nothing."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.report import Capture

from .port_logs import read

_RUNNER = "I [executorch:arm_executor_runner.cpp:{} main()] "
_MONITOR = "I [executorch:arm_perf_monitor.cpp:{} StopMeasurements()] "
HEAD = (
    f"{_RUNNER.format(1265)}PTE @ 0x70000000 [----ET12]\n"
    f"{_RUNNER.format(629)}Running method forward\n"
    f"{_RUNNER.format(690)}Method 'forward' loaded.\n"
    f"{_RUNNER.format(692)}Preparing inputs...\n"
)
START = f"{_RUNNER.format(1140)}Starting running 1 inferences...\n"
COUNT = f"{_MONITOR.format(139)}NPU Inferences : 1\n"
REPORT = (
    f"{_MONITOR.format(140)}NPU delegations: 1 (1.00 per inference)\n"
    f"{_MONITOR.format(164)}Inference runtime: {{0}}9 CPU cycles total ({{0}}9.00 per inference)\n"
    f"{_MONITOR.format(192)}cpu_wait_for_npu_cntr : {{0}} CPU cycles ({{0}}.00 per inference)\n"
    f"{_MONITOR.format(198)}Ethos-U PMU report:\n"
    f"{_MONITOR.format(199)}ethosu_pmu_cycle_cntr : {{0}} ({{0}}.00 per inference)\n"
)
DONE = f"{_RUNNER.format(1310)}SERVER_INFERENCE_DONE {{0}}\n"
TAIL = f"{_RUNNER.format(1334)}Program complete, exiting.\n"
CYCLES = [247_553, 247_601, 247_777, 247_802]


def served(head: str = HEAD + START) -> str:
    """A run of four inferences; `head` is what stands before the first report."""
    texts = [COUNT + REPORT.format(cycles) + DONE.format(at) for at, cycles in enumerate(CYCLES)]
    return head + START.join(texts) + TAIL


def blocks(capture: Capture) -> list[tuple[int | None, int | None]]:
    (run,) = capture.runs
    assert run.status == "passed"
    assert not {"targets-mixed", "reports-differ"} & {finding.rule for finding in capture.findings}
    return [(block.cycles.inference, block.pmu and block.pmu.npu_cycles) for block in run.blocks]


EVERY = [(cycles * 10 + 9, cycles) for cycles in CYCLES]


@pytest.mark.parametrize("head", [HEAD + START, START, ""], ids=["whole", "start", "report"])
@pytest.mark.parametrize("end", ["\n", "\r"], ids=["lf", "cr"])
def test_a_log_that_begins_anywhere_before_a_block_keeps_every_block(head: str, end: str) -> None:
    capture = read(served(head).replace("\n", end))
    assert blocks(capture) == EVERY
    (run,) = capture.runs
    assert run.pmu is not None and run.pmu.npu_cycles == sum(CYCLES) and run.cycles.inferences == 4


@pytest.mark.parametrize("lost", [2, 3, 4])
def test_the_first_line_of_a_block_may_be_lost(lost: int) -> None:
    parts = served().split(COUNT)
    text = COUNT.join(parts[:lost]) + COUNT.join(parts[lost:])
    assert text.count(COUNT) == 3
    capture = read(text)
    assert blocks(capture) == EVERY
    (run,) = capture.runs
    assert run.pmu is not None and run.pmu.npu_cycles == sum(CYCLES) and run.cycles.inferences is None


def test_without_the_start_of_an_inference_a_server_still_has_one_run() -> None:
    assert blocks(read(served("").replace(START, ""))) == EVERY


def test_a_report_before_an_execution_is_of_another_target_where_none_serves() -> None:
    text = HEAD + COUNT + REPORT.format(CYCLES[0]) + START + TAIL
    assert "targets-mixed" in {finding.rule for finding in read(text).findings}


SAME = [COUNT + REPORT.format(CYCLES[0]) + DONE.format(at) for at in range(6)]


def missing(texts: list[str]) -> list[str]:
    capture = read(HEAD + START + START.join(texts) + TAIL)
    assert [run.status for run in capture.runs] == ["passed"]
    return [finding.detail.split(":")[0] for finding in capture.findings if finding.rule == "inferences-missing"]


def test_an_inference_that_the_log_lost_is_missed_by_its_number() -> None:
    assert missing(SAME) == []
    assert missing(SAME[:2] + SAME[3:]) == ["The log says SERVER_INFERENCE_DONE 3 after 1"]
    assert missing(SAME[:2] + SAME[4:]) == ["The log says SERVER_INFERENCE_DONE 4 after 1"]
    half = SAME[1].splitlines(True)[:3], SAME[2].splitlines(True)[3:]
    assert missing([SAME[0], "".join(half[0] + half[1]), SAME[3]]) == ["The log says SERVER_INFERENCE_DONE 2 after 0"]
    assert missing(SAME[2:]) == [], "the log may begin anywhere"


@pytest.mark.parametrize("again", [slice(1, 4), slice(2, 3), slice(3, 4)])
def test_a_piece_that_came_twice_is_no_gap(again: slice) -> None:
    assert missing(SAME[:4] + SAME[again] + SAME[4:]) == []


def test_a_server_counts_the_inference_that_failed_too() -> None:
    """Its report says 1 for each, so that figure tells nothing of what was finished before."""
    served = (
        HEAD + f"{_RUNNER.format(1362)}Running in semihosting server mode.\n" + COUNT + REPORT.format(247_553)
        + "F [executorch:arm_executor_runner.cpp:1387 main()] In function main(), assert failed (status == Error::Ok): "
        "Execution of method forward failed with status 0x1\n"
    )  # fmt: skip
    finding = next(f for f in read(served).findings if f.rule == "execution-failed")
    assert "earlier inference finished" not in finding.detail
