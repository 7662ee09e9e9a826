"""Fault handlers of an application's own, in as many words as people have for it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.fast.idle import is_junk
from ethosu_tui.analysis.lines import parse_line

BEGUN = "I [executorch:arm_executor_runner.cpp:1316 main()] PTE @ 0x70000000 [----ET12]\n"
REGISTERS = " r0  = 0x00000001\n lr  = 0x10000405\n pc: 10000406\n CFSR=0x00008200, BFAR=0x60001000\n"


@pytest.mark.parametrize(
    "banner",
    [
        "Hard fault.", "HardFault", "HARD FAULT!", "HardFault_Handler", "In HardFault_Handler()", "*** HardFault ***", "!!! HARD FAULT !!!",
        "[HardFault]", "[FATAL] HardFault", "Hard Fault detected", "hard fault on thread: main", "hard fault on handler", "Entered BusFault handler",
        "UsageFault exception", "MemManage fault", "Memory management fault", "HardFault Analysis:", "Bus fault report", "++ Hard fault ++", "HardFault @ 0x10000406",
        "[CRASH] Hard Fault Detected!", "*** HARDFAULT ***",
    ],
)  # fmt: skip
def test_a_fault_in_somebodys_own_words_is_one(banner: str) -> None:
    capture = read_capture("x", f"{BEGUN}reading\n{banner}\n{REGISTERS}".encode())
    (run,), finding = capture.runs, capture.findings[0]
    assert (run.status, run.last_line, finding.rule) == ("failed", 7, "hard-fault")
    assert "PC = 0x10000406" in finding.detail and "0x60001000" in finding.advice


def test_the_report_of_rt_thread_is_read() -> None:
    text = "hard fault on thread: main\n\nbus fault:\nSCB_CFSR_BFSR:0x82 PRECISERR SCB->BFAR:60001000\n"
    finding = read_capture("x", f"{BEGUN}{text}".encode()).findings[0]
    assert finding.title == "Bus fault on the target" and "0x60001000" in finding.advice and finding.lines[:2] == (2, 5)


@pytest.mark.parametrize(
    "line",
    [
        "# HardFault", "- HardFault", "If a HardFault comes, look at the pc.", "HardFault_Handler: 0x10000401", "no hard fault", "default",
        "a bus fault was seen", "Hard fault tests passed", "hardfault.c", "Stack overflow", "stack overflow in the parser", "no stack overflow in task 3",
        "Stack overflow checks are on", "a stack overflow in task main would show here", "Hard fault pc=main", "HardFault @ main",
    ],
)  # fmt: skip
def test_what_only_names_a_fault_is_none(line: str) -> None:
    assert [run.status for run in read_capture("x", f"{BEGUN}{line}\n".encode()).runs] == ["truncated"]


def test_a_fault_counts_only_while_a_run_is_open() -> None:
    assert not read_capture("x", f"HardFault\n{REGISTERS}".encode()).runs
    done = f"{BEGUN}I [executorch:arm_executor_runner.cpp:1400 main()] Program complete, exiting.\n"
    (run,) = read_capture("x", f"{done}HardFault\n".encode()).runs
    assert run.status != "failed"


AT = "I [executorch:arm_executor_runner.cpp:1400 main()] "


@pytest.mark.parametrize(
    "names", ["HardFault_Handler\nMemManage_Handler\n", "hard fault\n", "faults:\n  bus fault:\n  usage fault:\n"]
)
@pytest.mark.parametrize("goes_on", ["Model executed successfully.", "Program complete, exiting."])
def test_a_run_that_goes_on_did_not_fault(names: str, goes_on: str) -> None:
    capture = read_capture("x", f"{BEGUN}{names}{AT}{goes_on}\n{AT}Program complete, exiting.\n".encode())
    assert [run.status for run in capture.runs] == ["passed"] and not capture.findings


@pytest.mark.parametrize("below", [REGISTERS, "E [executorch:method.cpp:1320 execute()] no more\n"])
def test_a_fault_with_registers_or_errors_below_it_stays_one(below: str) -> None:
    (run,) = read_capture("x", f"{BEGUN}HardFault\n{below}{AT}Program complete, exiting.\n".encode()).runs
    assert run.status == "failed"


def test_what_failed_before_a_name_of_a_fault_stays_failed() -> None:
    failed = f"F{AT[1:]}In function main(), assert failed (a == b): c\n"
    (run,) = read_capture("x", f"{BEGUN}{failed}HardFault\n{AT}Program complete, exiting.\n".encode()).runs
    assert run.status == "failed"


def test_it_is_not_lost_among_the_lines_of_other_programs() -> None:
    noise = "".join(f"sensor {n % 7} reads {n % 90}.5 degrees on its bus\n" for n in range(2000))
    reader = CaptureReader("x")
    reader.skim(f"{BEGUN}{noise}*** HardFault ***\n{REGISTERS}{noise}".encode())
    capture = reader.finish()
    assert capture.findings[0].lines[0] == 2002 and "PC = 0x10000406" in capture.findings[0].detail


@pytest.mark.parametrize("text", ["HardFault", " pc = 0x10000406"])
def test_its_lines_are_not_passed_over(text: str) -> None:
    line = parse_line(1, text.encode())
    assert not is_junk(line, line.message.encode())


@pytest.mark.parametrize(
    "report",
    [
        "*** HARDFAULT ***PC=10000406 LR=10000405 CFSR=00020000\n",
        "*** HardFault *** PC=0x10000406 LR=0x10000405 xPSR=0x61000000\n    CFSR=0x00020000 HFSR=0x40000000\n",
        "*** HARDFAULT ***\n- FSR / FAR:\nSCB->CFSR = 0x00020000\n- Stack frame:\nPC = 0x10000406\n",
        "*** HardFault ***\nr0   00000001\npc   10000406 programCounter\nCFSR 0x00020000\n",
    ],
)
def test_registers_count_beside_and_below_the_words(report: str) -> None:
    finding = read_capture("x", f"{BEGUN}{report}".encode()).findings[0]
    assert finding.rule == "hard-fault" and "10000406" in finding.detail and finding.detail.endswith("invalid state.")


def test_the_pc_of_a_core_dump_is_told() -> None:
    dump = "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.\n\nCore  0 register dump:\nPC      : 0x42001111  PS      : 0x00060836\n"
    assert "PC = 0x42001111" in read_capture("x", f"{BEGUN}{dump}".encode()).findings[0].detail
