"""Logs as they are posted: of Android, of a script that prints bytes, of boards whose printf is small, with make and Python below the run."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

STUDIO = "05-03 09:10:11.120: E/ExecuTorch(4100): "
JAVA = "05-03 09:10:11.140: W/System.err(4100): "


def test_an_error_in_the_log_of_a_phone_is_a_run_that_failed() -> None:
    capture = read_capture("x", f"{STUDIO}Nothing is where it should be\n".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [finding.rule for finding in capture.findings] == ["run-failed"]


def test_an_exception_of_java_tells_how_the_method_ended() -> None:
    log = (
        f"{STUDIO}input 2 is none\n05-03 09:10:11.131: I/App(4100): it failed\n"
        f"{JAVA}java.lang.RuntimeException: java.lang.Exception: Execution of method forward failed with status 0x12\n"
        f"{JAVA}\tat com.example.app.Run.now(Run.java:31)\n"
        f"{JAVA}Caused by: java.lang.Exception: Execution of method forward failed with status 0x12\n"
    )
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "execute")]
    assert [(f.rule, f.severity) for f in capture.findings] == [
        ("inputs-failed", "error"),
        ("execution-failed", "info"),
    ]
    assert "Input 2" in capture.findings[0].title
    alone = read_capture("x", b"java.lang.Exception: Execution of method forward failed with status 0x14\n")
    assert alone.findings[0].rule == "execution-failed" and "0x14" in alone.findings[0].detail


@pytest.mark.parametrize("quote", ["'", '"'])
def test_lines_that_a_script_printed_as_the_bytes_that_it_read(quote: str) -> None:
    lines = (
        "I [executorch:arm_executor_runner.cpp:602 runner_init()] PTE Model data loaded. Size: 4416 bytes.",
        "I [executorch:arm_executor_runner.cpp:637 runner_init()] Setup Method allocator pool. Size: 2048 bytes.",
        "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 4096B requested (adjusted for alignment), 2048B available",
        "I [executorch:arm_executor_runner.cpp:670 runner_init()] Loading of method \\'forward\\' failed with status 0x21",
    )
    capture = read_capture("x", "".join(f"b{quote}{line}\\r\\n{quote}\n" for line in lines).encode())
    (run,) = capture.runs
    assert (run.status, run.model.pte_bytes, run.memory.pools["method"].capacity_bytes) == ("failed", 4416, 2048)
    assert capture.findings[0].rule == "method-pool-too-small"


@pytest.mark.parametrize("name", ["b'", "b''", "b'I am'", 'b"'])
def test_other_bytes_are_no_run(name: str) -> None:
    assert read_capture("x", f"{name}\n".encode()).runs == ()


def test_a_name_that_a_small_printf_lost_is_no_operator() -> None:
    log = "Didn't find op for builtin opcode 'SLICE' version '2'\n\nFailed to get registration from op code  d\n\nAllocateTensors() failed\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert (finding.rule, finding.title) == ("missing-operator", "The application has no kernel for SLICE")
    alone = read_capture("x", b"Failed to get registration from op code  d\nAllocateTensors() failed\n").findings[0]
    assert (alone.rule, alone.severity) == ("missing-operator", "error") and "name is not printed" in alone.title


def test_each_call_after_a_setup_that_failed_says_so() -> None:
    log = "Score: 3\nInvoke() called after initialization failed\n\nInvoke failed.\n" * 3
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["tensors-not-allocated"]


PANIC = (
    "[    3.120000] [CPU0] arm_{0}fault: PANIC!!! {1}:\n[    3.120000] [CPU0] arm_{0}fault: \tIRQ: 5 regs: 0x2001f0c0\n"
    "[    3.120000] [CPU0] arm_{0}fault: \tCFSR: {2} HFSR: 00000000 DFSR: 00000000 BFAR: 60000010 AFSR: 00000000\n"
    "[    3.120000] [CPU0] up_dump_register: IP: 00000000 SP: 2001f0a8 LR: 10002213  PC: 10004a10\n"
)


@pytest.mark.parametrize(
    ("name", "banner", "cfsr", "title", "words"),
    [
        ("bus", "Bus Fault", "00008200", "Bus fault", "60000010"),
        ("usage", "Usage Fault", "00080000", "Usage fault", "no coprocessor"),
        ("hard", "Hard Fault!", "00100000", "Hard fault", "stack is too small"),
    ],
)
def test_a_panic_of_nuttx(name: str, banner: str, cfsr: str, title: str, words: str) -> None:
    capture = read_capture("x", PANIC.format(name, banner, cfsr).encode())
    finding = capture.findings[0]
    assert [run.status for run in capture.runs] == ["failed"]
    assert finding.rule == "hard-fault" and finding.title.startswith(title)
    assert words in f"{finding.detail} {finding.advice}" and ".pte" not in finding.advice


def test_what_make_and_python_say_below_a_run_follows_from_it() -> None:
    arena = "Failed to allocate tail memory. Requested: 640, available 112, missing: 528\nFailed starting model allocation.\n"
    capture = read_capture("x", f"{arena}make: *** [Makefile:7: test_net] Segmentation fault\n".encode())
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["arena-too-small"]
    other = read_capture("x", f"{arena}make: *** [Makefile:7: net.o] Error 1\n".encode())
    assert [f.rule for f in other.findings if f.severity == "error"] == ["arena-too-small", "build-failed"]
    lost = '[method.cpp:61] Backend OtherBackend is not registered.\nTraceback (most recent call last):\n  File "/w/a.py", line 3, in run\n'
    said = read_capture("x", lost.encode()).findings
    assert [f.rule for f in said if f.severity == "error"] == ["backend-not-registered"]
    assert only(lost).status == "failed"


def test_the_first_releases_write_errors_to_a_phone_as_information() -> None:
    mark = "02-11 08:00:01.101: I/ETLOG(77): "
    log = (
        f"{mark}Model file /data/a.pte is loaded.\n{mark}Setting up planned buffer 0, size 4096.\n"
        f"{mark}Constant buffer 4 out of program buffer range 2\n{mark}getTensorDataPtr() failed: 0x12\n"
        f"{mark}Failed parsing tensor at index 2: 0x12\n{mark}In function CheckOk(), assert failed: hasValue_\n"
    )
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["method-load-failed"]
    assert "Constant buffer 4" in capture.findings[0].detail


@pytest.mark.parametrize(
    ("said", "status"), [("Overriding outp", "truncated"), ("Over", "failed"), ("Overrun", "failed")]
)
def test_a_message_that_stops_no_run_is_known_by_its_beginning(said: str, status: str) -> None:
    log = f"I 00:00:00.000100 executorch:some_runner.cpp:20] Method loaded.\nE 00:00:00.000200 executorch:method.cpp:939] {said}\n"
    assert only(log).status == status
