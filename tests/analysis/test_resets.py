"""What firmware says of a reset: the run before it ended there, and only where one was going on."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import Capture
from ethosu_tui.analysis.rules.samples import COMPLETE, DELEGATE, OPEN_10, Sample, render

from .port_logs import ARM, END, lines, read

OPEN = render(Sample("", "1.0", OPEN_10))
BEGUN = render(Sample("", "1.0", OPEN_10 + DELEGATE))
DONE = render(Sample("", "1.0", OPEN_10 + DELEGATE + COMPLETE))
FAULT = "Hard fault. irq=-13, pc=0x1000083c, lr=0x1000082d, xpsr=0x61100000, sp=0x3007fc28\n            cfsr=0x00008200 bfar=0x0f000007\n"
WATCHDOG = "Reset cause: WATCHDOG\n"


def told(capture: Capture) -> list[str]:
    return [f.rule for f in capture.findings if f.severity == "error"]


@pytest.mark.parametrize(
    "line",
    [WATCHDOG, "I (312) main: Reset reason: Watchdog (TASK)\n", "Rebooted by Watchdog!\n", "rst:0x8 (TG1WDT_SYS_RST),boot:0xb (FLASH)\n", "Independent watchdog reset\n",
     "reset cause: watchdog0\n", "RESET REASON: IWDG\n", "[boot] Reset cause = 0x40 (WDT)\n", "Last reset reason: Watchdog Timer\n"],
)  # fmt: skip
def test_the_run_before_it_failed_of_it_and_the_next_is_another(line: str) -> None:
    capture = read(BEGUN + line + DONE)
    assert [run.status for run in capture.runs] == ["failed", "passed"]
    assert told(capture) == ["board-reset"]
    assert capture.runs[1].first_line == (BEGUN + line).count("\n") + 1


@pytest.mark.parametrize(
    "line", [WATCHDOG, "Reset cause: power-on\n", "rst:0x1 (POWERON),boot:0x8 (FLASH)\n", "Watchdog reset\n"]
)
def test_before_a_run_and_after_its_end_it_says_nothing(line: str) -> None:
    for text in (
        line + DONE,
        DONE + line,
        DONE + line + DONE,
        "*** Booting Zephyr OS build v4.2.0 ***\n" + line + DONE,
    ):
        capture = read(text)
        assert {run.status for run in capture.runs} == {"passed"}
        assert told(capture) == []


def test_a_run_whose_beginning_was_not_captured_ends_there_too() -> None:
    report = lines(
        ARM, "NPU Inferences : 1", "Operator(s) total: 90 CPU cycles", "Inference runtime: 3600 CPU cycles total"
    )
    capture = read(report + WATCHDOG + report + END)
    assert [(run.status, run.first_line) for run in capture.runs] == [("failed", 1), ("passed", 5)]
    assert told(capture) == ["board-reset"]


def test_a_reset_by_hand_is_no_failure_but_said() -> None:
    capture = read(BEGUN + "Reset cause: pin\n" + DONE)
    assert [run.status for run in capture.runs] == ["truncated", "passed"]
    assert told(capture) == ["board-reset"]


@pytest.mark.parametrize("line", [WATCHDOG, "Reset cause: software\n"])
def test_a_fault_before_it_stays_the_cause(line: str) -> None:
    assert told(read(OPEN + FAULT + line + DONE)) == ["hard-fault"]


@pytest.mark.parametrize(
    "line", ["Watchdog reset disabled\n", "Feeding the watchdog, reset in 8 s\n", "Watchdog reset: 0\n"]
)
def test_what_is_said_of_a_watchdog_otherwise_is_no_reset(line: str) -> None:
    assert {run.status for run in read(OPEN + line + DONE.removeprefix(OPEN)).runs} == {"passed"}


def test_a_run_that_goes_on_all_the_same_was_not_reset() -> None:
    capture = read(BEGUN + WATCHDOG + DONE.removeprefix(BEGUN))
    assert [run.status for run in capture.runs] == ["passed"]
    assert told(capture) == []


@pytest.mark.parametrize(
    "line",
    ["Reset reason: is what you should look at\n", "Note: the Reset cause: line is missing here.\n", 'printf("Reset cause: %s\\n", cause);\n',
     "If you see Reset cause: watchdog, then feed it\n", "Reset cause: watchdog, I think.\n", "Reset cause: watchdog?\n",
     "    reset cause = hal_watchdog_cause();\n", "what is the reset cause: watchdog or brown-out\n", "the reset reason = watchdog\n"],
)  # fmt: skip
def test_a_text_that_speaks_of_a_reset_tells_none(line: str) -> None:
    assert [run.status for run in read(BEGUN + line).runs] == ["hung"]
    assert [run.status for run in read(BEGUN + line + DONE).runs] == ["truncated", "passed"]


@pytest.mark.parametrize(
    "cause", ["unknown, no watchdog", "POR, watchdog=0, brownout=0", "cold boot (watchdog disabled)", "0x10 (WDT: 0)"]
)
def test_a_cause_that_is_denied_is_none(cause: str) -> None:
    capture = read(BEGUN + f"[boot] Last Reset reason: {cause}\n" + DONE)
    assert [run.status for run in capture.runs] == ["truncated", "passed"]
    assert [f.title for f in capture.findings if f.severity == "error"] == ["The board was reset at stage execute"]


def test_a_reset_after_the_job_was_ended_is_not_why_the_run_ended() -> None:
    job = "ERROR: Job failed: execution took longer than 2h0m0s seconds\n"
    assert told(read(BEGUN + job + WATCHDOG)) == ["time-limit"]
