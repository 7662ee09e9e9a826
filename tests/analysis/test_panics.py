"""Firmware that stops itself, and what its kernel, its C library or its vendor's package says of that."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

AT = "I [executorch:arm_executor_runner.cpp:{} {}()] {}\n"
BEGUN = AT.format(1360, "main", "PTE @ 0x70000000 [----ET12]") + AT.format(
    1221, "run_model", "Starting running 1 inferences..."
)


@pytest.mark.parametrize(
    ("said", "title", "advice"),
    [
        ("\n*** PANIC ***\n\nOut of memory\n", "A full heap", "Enlarge the heap"),
        ("\n*** PANIC ***\n\nHard assert\n", "A panic", "addr2line"),
        (
            "\nabort() was called at PC 0x42001a3c on core 1\n\nBacktrace: 0x40375b9a:0x3fc98f30\n\nRebooting...\n",
            "An abort",
            "addr2line",
        ),
        (
            "\n***ERROR*** A stack overflow in task infer has been detected.\n",
            "Stack overflow",
            "CONFIG_ESP_MAIN_TASK_STACK_SIZE",
        ),
        (
            "Guru Meditation Error: Core  1 panic'ed (Unhandled debug exception). \n"
            "Debug exception reason: Stack canary watchpoint triggered (infer) \n",
            "Stack overflow",
            "CONFIG_ESP_MAIN_TASK_STACK_SIZE",
        ),
        ("Stack overflow in task: infer\n", "Stack overflow", "where it is created"),
        ("FATAL: Stack overflow in task 3 'infer'\n", "Stack overflow", "where it is created"),
        (
            "\n\n++ MbedOS Error Info ++\nError Status: 0x8001011F Code: 287 Module: 1\nError Message: Operator new out of memory\n",
            "A full heap",
            "Enlarge the heap",
        ),
        ("<err> os: >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0\n", "A kernel panic", "addr2line"),
    ],
)
def test_firmware_that_stops_itself_has_failed(said: str, title: str, advice: str) -> None:
    capture = read_capture("x", f"{BEGUN}{said}".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "execute")]
    finding = capture.findings[0]
    assert (finding.rule, finding.title) == ("hard-fault", f"{title} on the target")
    assert advice in finding.advice


def test_the_report_of_cm_backtrace_names_the_fault_and_its_address() -> None:
    said = (
        "Firmware name: demo, hardware version: 1, software version: 2\nFault on thread infer\n=== Registers information ===\n"
        "  R12: 00000003  LR : 08001111  PC : 08002222  PSR: 61000000\n"
        "Bus fault is caused by precise data access violation\nThe bus fault occurred address is a0000040\n"
    )
    finding = read_capture("x", f"{BEGUN}{said}".encode()).findings[0]
    assert finding.title == "Bus fault on the target"
    assert finding.advice.startswith("Check pointers and memory regions around a0000040")
    assert "PC : 08002222" in finding.detail


def test_the_analysis_of_a_vendors_package_is_read() -> None:
    said = (
        "\nHardFault Analysis:\n    PC  : 0x00000000, LR  : 0x10021111, XPSR : 0x60000000\n"
        "    CFSR: 0x00020000, BFAR: 0xE000ED38, MMFAR: 0xE000ED34\nInstruction code = 0\nusage fault: INVSTATE \n"
    )
    capture = read_capture("x", f"{BEGUN}{said}".encode())
    finding = capture.findings[0]
    assert (capture.runs[0].status, finding.rule) == ("failed", "hard-fault")
    assert "invalid state" in finding.detail and ".got" in finding.advice


def test_a_stack_limit_that_was_hit_is_a_stack_overflow() -> None:
    fault = "Hard fault. irq=-13, pc=0x11010000, lr=0x11010101, xpsr=0x61000000, sp=0x2001fff8\n            cfsr=0x00100000 bfar=0x0 mmfar=0x0\n"
    finding = read_capture("x", f"{BEGUN}{fault}".encode()).findings[0]
    assert finding.title == "Stack overflow on the target"


def test_a_run_that_goes_on_behind_such_words_did_not_stop() -> None:
    done = AT.format(1379, "main", "Program complete, exiting.")
    (run,) = read_capture("x", f"{BEGUN}Stack overflow in task: infer\n{done}".encode()).runs
    assert run.status == "passed"


def test_a_supply_that_broke_down_is_told() -> None:
    reset = "\nE BOD: Brownout detector was triggered\n\nESP-ROM:esp32s3-20210327\nrst:0x3 (RTC_SW_SYS_RST),boot:0x8 (SPI_FAST_FLASH_BOOT)\n"
    capture = read_capture("x", f"{BEGUN}{reset}".encode())
    assert capture.findings[0].title == "The board's supply voltage collapsed at stage execute"


@pytest.mark.parametrize(
    ("said", "status", "rule"),
    [
        ("##[error]Process completed with exit code 137.\n", "failed", "runner-killed"),
        ("##[error]Process completed with exit code 124.\n", "timeout", "time-limit"),
        (
            "slurmstepd: error: *** JOB 77 ON n3 CANCELLED AT 2026-04-02T11:12:13 DUE TO TIME LIMIT ***\n",
            "timeout",
            "time-limit",
        ),
        ("slurmstepd: error: *** JOB 77 ON n3 CANCELLED AT 2026-04-02T11:12:13 ***\n", "truncated", "truncated-log"),
        (
            "slurmstepd: error: Detected 2 oom_kill events in StepId=77.0. Some of the step tasks have been OOM Killed.\n",
            "failed",
            "runner-killed",
        ),
        ("[11:12:13.450] Disconnected\n[11:12:13.550] Waiting for tty device..\n", "truncated", "truncated-log"),
    ],
)
def test_what_ended_a_run_from_outside_is_told(said: str, status: str, rule: str) -> None:
    capture = read_capture("x", f"{BEGUN}{said}".encode())
    assert [run.status for run in capture.runs] == [status]
    assert capture.findings[0].rule == rule


def test_a_hung_run_whose_simulator_somebody_stopped_says_so() -> None:
    stop = "^C\nStopping simulation...\n\nInfo: /OSCI/SystemC: Simulation stopped by user.\nninja: build stopped: interrupted by user.\n"
    capture = read_capture("x", f"{BEGUN}{stop}".encode())
    assert [finding.rule for finding in capture.findings if finding.severity == "error"] == ["hung"]
    assert "until someone stopped the simulator" in capture.findings[0].detail
