"""A log whose lines were run together by what it was pasted into is read as if each had its end."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.lost_ends import LostEnds, has_lost_ends

RUNNER = "[executorch:arm_executor_runner.cpp:{} main()] "
LOG = "\n".join(
    [
        "telnetterminal0: Listening for serial connection on port 5000",
        f"I {RUNNER.format(101)}Model PTE file loaded. Size: 4096 bytes.",
        f"I {RUNNER.format(102)}Model buffer loaded, has 1 methods",
        f"I {RUNNER.format(103)}Running method forward",
        f"I {RUNNER.format(104)}Setting up planned buffer 0, size 512.",
        f"I {RUNNER.format(105)}Method loaded.",
        f"I {RUNNER.format(106)}Model executed successfully.",
        f"I {RUNNER.format(107)}1 outputs:",
        "Output[0][0]: 0.250000",
        "Output[0][1]: -1.500000",
        f"I {RUNNER.format(108)}Program complete, exiting.",
        "Info: Simulation is stopping. Reason: Simulation stopped by user.",
        "",
    ]
)


def told(data: bytes) -> tuple[object, ...]:
    (run,) = read_capture("x", data).runs
    return run.status, run.stage, run.target, run.model, run.memory, run.outputs


@pytest.mark.parametrize("between", [" ", "  ", "\t"])
@pytest.mark.parametrize("stamp", ["", "2031-02-03T04:05:06.1234567Z ", "[04:05:06.123] "])
def test_lines_that_were_run_together_are_told_apart(between: str, stamp: str) -> None:
    lines = [stamp + line for line in LOG.split("\n") if line]
    assert told(between.join(lines).encode()) == told("\n".join(lines).encode())


def test_nothing_may_stand_between_them() -> None:
    assert told(LOG.replace("\n", "").encode()) == told(LOG.encode())


def test_the_number_before_a_line_is_that_of_the_line_before() -> None:
    counters = [
        f"I {RUNNER.format(200 + i)}ethosu_pmu_cntr{i} : {value}"
        for i, value in enumerate((1447178, 420661, 0, 7, 130))
    ]
    lines = [
        f"I {RUNNER.format(199)}Ethos-U PMU report:",
        f"I {RUNNER.format(199)}ethosu_pmu_cycle_cntr : 4738932",
        *counters,
    ]
    (run,) = read_capture("x", " ".join([*lines, "and so on"]).encode()).runs
    assert run.pmu is not None
    assert [(counter.index, counter.value) for counter in run.pmu.counters] == [
        (0, 1447178),
        (1, 420661),
        (2, 0),
        (3, 7),
    ]


@pytest.mark.parametrize("size", [1, 2, 5, 13, 300])
def test_it_does_so_in_any_pieces(size: int) -> None:
    data = LOG.replace("\n", " ").encode() * 3
    decoder = LostEnds()
    pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
    assert "".join([*pieces, decoder.decode(b"", final=True)]) == LostEnds().decode(data, final=True)


def test_two_printers_on_one_line_are_not_such_a_log() -> None:
    broken = LOG.replace("bytes.\n", "bytes. ").replace("512.\n", "512. ")
    assert has_lost_ends(LOG.replace("\n", " ").encode())
    assert not has_lost_ends(broken.encode())


KIT = [f"INFO - {text}" for text in ("Profile for Inference:", "NPU ACTIVE: 50381 cycles", "NPU IDLE: 6079 cycles")]
KIT += [f"INFO - {text}" for text in ("NPU TOTAL: 56460 cycles", "Main loop terminated.", "program terminating...")]
SUMMARY = """Network summary for net
Accelerator configuration               Ethos_U65_256
System configuration                 internal-default
Memory mode                              Shared_Sram
Accelerator clock                                 500 MHz
Design peak SRAM bandwidth                       4.00 GB/s
Design peak Off-chip Flash bandwidth             0.50 GB/s
Total SRAM used                                 12.25 KiB
Total Off-chip Flash used                       60.50 KiB
CPU operators = 1 (10.0%)
NPU operators = 9 (90.0%)
Average SRAM bandwidth                           0.04 GB/s
Total   SRAM bandwidth            per input      0.01 MB/inference (batch size 1)
Neural network macs                             86400 MACs/batch
Network Tops/s                                   0.00 Tops/s
NPU cycles                                      21000 cycles/batch
Off-chip Flash Access cycles                    90000 cycles/batch
Total cycles                                   100000 cycles/batch
Batch Inference time                 0.20 ms, 5000.00 inferences/s (batch size 1)
"""


def test_lines_of_the_kit_are_told_apart_too() -> None:
    (run,) = read_capture("x", f"So it went: {' '.join(KIT)}\n".encode()).runs
    assert run.status == "passed"
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


def test_what_a_shell_says_between_them_begins_no_run() -> None:
    said = " ".join([KIT[0], "sh: xterm: command not found", *KIT[1:]])
    (run,) = read_capture("x", f"INFO - Ethos-U device initialised {said}\n".encode()).runs
    assert run.status == "passed"
    assert run.pmu is not None and run.pmu.npu_cycles == 56460


@pytest.mark.parametrize("behind", ["", " ## Configuration of the network", " ``` Next"])
def test_so_are_those_of_a_compilers_summary(behind: str) -> None:
    squeezed = " ".join(SUMMARY.split())
    (whole,) = read_capture("x", SUMMARY.encode()).compile
    (summary,) = read_capture("x", f"The output: {squeezed}{behind}\n".encode()).compile
    assert summary._replace(first_line=1) == whole._replace(first_line=1)
    assert summary.inference_seconds == 0.0002


@pytest.mark.parametrize("size", [1, 3, 7, 40, 131])
def test_a_summary_is_told_apart_in_any_pieces(size: int) -> None:
    data = (" ".join(SUMMARY.split()) + " and ").encode() * 2
    decoder = LostEnds()
    pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
    assert "".join([*pieces, decoder.decode(b"", final=True)]) == LostEnds().decode(data, final=True)
