"""A log whose lines were run together by what it was pasted into is read as if each had its end."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.lost_ends import LostEnds, has_lost_ends

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
