"""A run that a debugger or a checker of memory watched: its crash is the cause, with the function it happened in."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

START = (
    "I 00:00:00.001200 executorch:executor_runner.cpp:262] Model file add.pte is loaded.\n"
    "I 00:00:00.001214 executorch:executor_runner.cpp:272] Using method forward\n"
)
BOARD = "I [executorch:arm_executor_runner.cpp:415 main()] Model in 0x70000000 $\n"
GDB = """Program received signal SIGSEGV, Segmentation fault.
0x0000555555a5f1d0 in executorch::runtime::Method::init (this=0x7fffffffd6a0) at runtime/executor/method.cpp:861
861\t      auto& delegate = delegates_[i];
(gdb) bt
#0  0x0000555555a5f1d0 in __memcpy_evex (dst=0x0) at ../memmove.S:264
#1  0x0000555555a5b7c2 in executorch::runtime::Method::init (this=0x7fffffffd6a0) at runtime/executor/method.cpp:861
"""
LLDB = """* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x8)
    frame #0: 0x0000000100a4f1d0 executor_runner`executorch::runtime::Method::init(this=0x016f, plan=0x0) at method.cpp:861:15 [opt]
"""
CHECKER = """==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000fb4 at pc 0x55d0c1 bp 0x7ffe sp 0x7ffd
READ of size 4 at 0x602000000fb4 thread T0
    #0 0x7f2a51 in __interceptor_memcpy (/lib/x86_64-linux-gnu/libasan.so.6+0x3a2ff)
    #1 0x55d0c1a2 in executorch::runtime::Method::init(int) const /w/runtime/executor/method.cpp:861:5
"""
GRIND = """==902== Process terminating with default action of signal 11 (SIGSEGV)
==902==    at 0x15A1D0: executorch::runtime::Method::init(executorch_flatbuffer::ExecutionPlan*) (method.cpp:861)
"""


@pytest.mark.parametrize(
    ("text", "caught", "line", "frame", "look"),
    [
        (GDB, "SIGSEGV", 3, 8, "frame 1"),
        (LLDB, "EXC_BAD_ACCESS", 3, 4, "frame 0"),
        (CHECKER, "AddressSanitizer found a heap-buffer-overflow", 3, 6, "frame 1"),
        (GRIND, "SIGSEGV", 3, 4, "that place"),
    ],
)
def test_a_crash_that_was_caught_is_told_with_its_place(
    text: str, caught: str, line: int, frame: int, look: str
) -> None:
    capture = read_capture("x", (START + text).encode())
    (run,) = capture.runs
    assert (run.status, run.stage) == ("failed", "load")
    (finding,) = capture.findings
    assert finding.rule == "runner-crashed"
    assert finding.title == f"The program crashed at stage load: {caught} in Method::init"
    assert "Method::init (method.cpp:861" in finding.detail and look in finding.advice
    assert finding.lines == (line, frame)


@pytest.mark.parametrize(
    ("text", "name", "advice"),
    [
        ("Program terminated with signal SIGABRT, Aborted.\n", "SIGABRT", "it aborted itself"),
        ('Thread 3 "executor_runner" received signal SIGILL, Illegal instruction.\n', "SIGILL", "another CPU"),
        ("Command terminated by signal 11\n", "SIGSEGV", "gdb --args"),
        ("* thread #1, name = 'executor_runner', stop reason = signal SIGBUS\n", "signal SIGBUS", "another model"),
    ],
)
def test_each_signal_has_its_own_advice(text: str, name: str, advice: str) -> None:
    (finding,) = read_capture("x", (START + text).encode()).findings
    assert finding.title.endswith(name.removeprefix("signal ")) and advice in finding.advice


@pytest.mark.parametrize(
    "text",
    [
        "Program received signal SIGINT, Interrupt.\n",
        "Program received signal SIGTRAP, Trace/breakpoint trap.\n",
        "* thread #1, name = 'executor_runner', stop reason = breakpoint 1.1\n",
        "Command terminated by signal 2\n",
    ],
)
def test_a_breakpoint_or_the_user_is_no_crash(text: str) -> None:
    capture = read_capture("x", (START + text).encode())
    assert [run.status for run in capture.runs] == ["truncated"]
    assert "runner-crashed" not in {finding.rule for finding in capture.findings}


def test_a_fault_handler_in_a_debugger_is_a_fault_of_the_target() -> None:
    text = (
        BOARD + "Program received signal SIGTRAP, Trace/breakpoint trap.\nHardFault_Handler () at startup.c:88\n"
        "(gdb) bt\n#0  HardFault_Handler () at startup.c:88\n#1  <signal handler called>\n"
        "#2  executorch::runtime::Method::execute (this=0x31000000) at method.cpp:1200\n"
    )
    capture = read_capture("x", text.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    finding = capture.findings[0]
    assert (finding.rule, finding.lines) == ("hard-fault", (3, 7))
    assert "It happened in Method::execute (method.cpp:1200)." in finding.detail


@pytest.mark.parametrize(
    "text",
    ["undefined reference to `HardFault_Handler'\n", "void HardFault_Handler (void) {\n", "#2  HardFault_Handler\n"],
)
def test_the_name_of_a_handler_alone_is_no_fault(text: str) -> None:
    assert "hard-fault" not in {finding.rule for finding in read_capture("x", (BOARD + text).encode()).findings}


@pytest.mark.parametrize(
    ("text", "status", "rules"),
    [
        (BOARD + "make: *** [Makefile:12: run] Error 139\n", "failed", ["emulator-aborted"]),
        (BOARD + "make[1]: *** [Makefile:12: run] Segmentation fault (core dumped)\n", "failed", ["emulator-aborted"]),
        (START + "make: *** [Makefile:9: run-host] Error 137\n", "failed", ["runner-killed"]),
        (
            START + "Segmentation fault (core dumped)\nmake: *** [Makefile:9: run-host] Error 139\n",
            "failed",
            ["runner-crashed"],
        ),
        (
            START + "Segmentation fault (core dumped)\nmake: *** [Makefile:9: all] Error 2\n",
            "failed",
            ["runner-crashed", "build-failed"],
        ),
    ],
)
def test_make_says_how_the_run_ended_that_it_started(text: str, status: str, rules: list[str]) -> None:
    capture = read_capture("x", text.encode())
    assert [run.status for run in capture.runs] == [status]
    assert [finding.rule for finding in capture.findings if finding.severity == "error"] == rules


STARTED = "Starting program: /w/cmake-out/executor_runner --model_path={}.pte\n[Thread debugging using libthread_db enabled]\n"
CAUGHT = "Program received signal SIGSEGV, Segmentation fault.\n"


def test_each_start_in_a_debugger_is_a_run() -> None:
    done = "I 00:00:00.002214 executorch:executor_runner.cpp:372] Model executed successfully 1 time(s) in 0.1 ms.\n"
    text = STARTED.format("a") + CAUGHT + STARTED.format("b") + START + done + STARTED.format("c") + START + CAUGHT
    capture = read_capture("x", text.encode())
    assert [(run.status, run.first_line) for run in capture.runs] == [("not_started", 1), ("passed", 4), ("failed", 9)]
    assert [(f.rule, f.run) for f in capture.findings] == [("runner-crashed", 1), ("runner-crashed", 3)]
    assert capture.findings[0].title == "The runner crashed before it printed anything"
    other = read_capture("x", b"Starting program: /usr/bin/python3 -m x\n" + CAUGHT.encode())
    assert other.runs == ()
