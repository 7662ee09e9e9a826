"""What the tools of a bench put around a log: CI services, syslog, pages, copied screens, and sections that show it twice."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.report import Run

LINES = (
    "I [executorch:lab.cpp:11 main()] Model buffer loaded, has 1 methods",
    "I [executorch:lab.cpp:12 main()] Running method forward",
    "1 outputs: ",
    "Output[0][0]: (float) 0.250000",
    "Output[0][1]: (float) -0.750000",
    "I [executorch:lab.cpp:13 main()] Program complete, exiting.",
)
FAILED = (
    LINES[0],
    LINES[1],
    "E [executorch:lab.cpp:25 get()] kernel 'lab::gelu.out' not found.",
    "E [executorch:lab.cpp:26 init()] Missing operator: [3] lab::gelu.out",
    "I [executorch:lab.cpp:27 main()] Loading of method forward failed with status 0x14",
)
NAMES = "ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_AXI1_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_AXI0_WR_DATA_BEAT_WRITTEN, ETHOSU_PMU_NPU_IDLE"


def _run(text: str) -> Run:
    (run,) = read_capture("x", text.encode()).runs
    return run


@pytest.mark.parametrize(
    "carrier",
    [
        "[09:41:0{second}]W:\t [Step 2/3] {line}",
        "[09:41:0{second}] :\t [Step 2/3] {line}",
        "build\t07-Mar-2031 09:41:0{second}\t{line}",
        "error\t07-Mar-2031 09:41:0{second}\t{line}",
        "Mar  7 09:41:0{second} bench docker[402]: #033[0m{line}#015",
        "Mar  7 09:41:0{second} bench tio[402]: #033[1m[09:41:0{second}.250] #033[0m{line}#015",
        '<span class="timestamp"><b>09:41:0{second}</b> </span>{line}',
        '<span class="timestamp"><b>09:41:0{second}</b> </span><span style="display: none">[2031-03-07T08:41:00.1Z]</span> {line}',
    ],
)
def test_lines_without_a_prefix_are_read_behind_what_a_tool_puts_there(carrier: str) -> None:
    run = _run("".join(carrier.format(second=at, line=line) + "\n" for at, line in enumerate(LINES)))
    assert run.status == "passed"
    assert run.outputs[0].first == (0.25, -0.75)


def test_a_number_behind_a_hash_is_the_lines_own_where_no_syslog_wrote_it() -> None:
    assert parse_line(1, b"[09:41:02] sample #012 of lab").message == "sample #012 of lab"


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ("---- Opened the serial port COM7 ----", "---- Closed the serial port COM7 ----"),
        ("---- Opened the serial port /dev/ttyACM3 ----", "---- Closed the serial port /dev/ttyACM3 ----"),
        ("ser2net port 4004 device /dev/ttyUSB2 [115200 N81] (Debian GNU/Linux)", "Connection closed."),
    ],
)
def test_a_serial_port_that_was_opened_is_a_boards(opened: str, closed: str) -> None:
    assert _run("\n".join((opened, *LINES, closed, ""))).target.platform == "board"


def _rows(line: str, columns: int) -> list[str]:
    return [line[at : at + columns].rstrip() for at in range(0, len(line), columns)]


def test_a_copied_screen_has_lost_the_blank_of_its_last_column() -> None:
    head = "E [executorch:lab_pools.h:77 allocate()] Memory allocation failed: 700144B requested (adjusted for alignment), "
    head = head.replace("lab_pools", "lab_pools".ljust(9 + 120 - len(head), "s"))
    events = f"I [executorch:arm_perf_monitor.cpp:9 StopMeasurements()] Ethos-U PMU Events:[{NAMES}]"
    text = [*LINES[:2], events, head + "600000B available", FAILED[4]]
    findings = read_capture("x", "\n".join(row for line in text for row in _rows(line, 120)).encode()).findings
    (error,) = (finding for finding in findings if finding.severity == "error")
    assert "600000 bytes were left" in error.detail


def test_a_word_with_a_hyphen_goes_on_below() -> None:
    report = ["NPU Inferences : 1", "ethosu_pmu_cycle_cntr : 4321"]
    report += [f"ethosu_pmu_cntr{at} : {at + 20}" for at in range(4)] + [f"Ethos-U PMU Events:[{NAMES}]"]
    prefix = "[09:41:02.500] I [executorch:arm_perf_monitor.cpp:9 StopMeasurements()] "
    text = [f"[09:41:02.500] {line}" for line in LINES[:2]] + [prefix + line for line in report]
    text += [f"[09:41:02.500] {LINES[5]}"]
    run = _run("\n".join(row for line in text for row in _rows(line, len(prefix) + 6)))
    assert run.pmu is not None
    assert [counter.event for counter in run.pmu.counters] == NAMES.split(", ")


def _test(name: str, phase: str, *sections: str) -> list[str]:
    said = [f"____ {name} ____", "", "lab/runner_utils.py:8: RuntimeError"]
    for section in sections:
        first = "ERROR:lab.utils:Lab failed:" if section == "stdout" else "ERROR    lab.utils:utils.py:8 Lab failed:"
        said += [f"{f' Captured {section} {phase} ':-^80}", first, *FAILED]
    return said


@pytest.mark.parametrize(
    ("sections", "runs"),
    [(("stdout", "log"), 1), (("log",), 1), (("stdout",), 1), (("stderr", "log"), 1)],
)
def test_what_a_test_shows_as_output_and_as_log_was_run_once(sections: tuple[str, ...], runs: int) -> None:
    once = _test("test_one", "call", *sections)
    capture = read_capture("x", "\n".join(once + _test("test_two", "call", *sections)).encode())
    assert [run.status for run in capture.runs] == ["failed"] * (2 * runs)


def test_another_run_in_the_log_of_a_test_is_one() -> None:
    said = _test("test_one", "call", "stdout", "log")
    other = [line.replace("gelu", "tanh") for line in FAILED[2:]]
    capture = read_capture("x", "\n".join([*said, FAILED[0].replace("has 1", "has 2"), *other]).encode())
    assert len(capture.runs) == 2
