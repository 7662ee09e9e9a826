"""Runs that a crash ended, as kernels, C++'s runtime, IDEs, containers, CI services, Windows and Renode tell it; ports that went away."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

HOST = (
    "I 00:00:00.001200 executorch:executor_runner.cpp:262] Model file add.pte is loaded.\n"
    "I 00:00:00.001214 executorch:executor_runner.cpp:272] Using method forward\n"
)
BOARD = "I [executorch:arm_executor_runner.cpp:415 main()] Model in 0x70000000 $\n"
DIED = "subprocess.CalledProcessError: Command '['{}', '-p']' died with <Signals.{}>.\n"


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("[   63.112233] Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008\nSegmentation fault\n", "kernel-crashed", "NULL"),
        ("[   63.112233] Kernel panic - not syncing: Asynchronous SError Interrupt\n", "kernel-crashed", "Asynchronous SError"),
        ("libc++abi: terminating due to uncaught exception of type std::bad_alloc: std::bad_alloc\n", "program-aborted", "ran out of memory"),
        ("terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\nAborted (core dumped)\n", "program-aborted", "uncaught exception"),
        ("Process finished with exit code -1073741819 (0xC0000005)\n", "runner-crashed", "access violation"),
        ("Process finished with exit code 139 (interrupted by signal 11:SIGSEGV)\n", "runner-crashed", "SIGSEGV"),
        ("Error: Process completed with exit code 134.\n", "runner-crashed", "SIGABRT"),
        ("fvp-1 exited with code 139\n", "runner-crashed", "SIGSEGV"),
        ("fvp-1 exited with code 137\n", "runner-killed", "killed"),
        (DIED.format("./executor_runner", "SIGBUS: 7"), "runner-crashed", "stage load"),
        ("Unhandled exception at 0x00007FF6 in r.exe: 0xC0000005: Access violation reading location 0x8.\n", "runner-crashed", "access violation"),
    ],
)  # fmt: skip
def test_the_end_of_a_program_of_the_host(text: str, rule: str, words: str) -> None:
    capture = read_capture("x", (HOST + text).encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]
    assert capture.findings[0].rule == rule and words in capture.findings[0].title


@pytest.mark.parametrize(
    "text",
    [
        "Process finished with exit code 0\n",
        "Error: Process completed with exit code 1.\n",
        "fvp-1 exited with code 0\n",
        DIED.format("vela", "SIGSEGV: 11"),
    ],
)
def test_the_end_of_something_else_is_no_crash_of_the_run(text: str) -> None:
    assert [run.status for run in read_capture("x", (HOST + text).encode()).runs] == ["truncated"]


def test_without_a_run_nothing_crashed_but_a_command() -> None:
    for text in (
        "Process finished with exit code 139\n",
        "fvp-1 exited with code 139\n",
        "[    1.000000] Kernel panic - not syncing: VFS\n",
    ):
        assert read_capture("x", text.encode()).runs == ()
    (finding,) = read_capture("x", b"Error: Process completed with exit code 139.\n").findings
    assert finding.rule == "command-failed"


def test_a_simulated_cpu_that_gave_up_faulted() -> None:
    text = (
        BOARD
        + "12:34:56.7890 [ERROR] cpu: CPU abort [PC=0x1000054A]: Trying to execute code outside RAM or ROM at 0x00000000.\n"
    )
    capture = read_capture("x", text.encode())
    assert [run.status for run in capture.runs] == ["failed"] and capture.findings[0].rule == "hard-fault"


@pytest.mark.parametrize(
    "text",
    [
        "FATAL: read zero bytes from port\n",
        "serial.serialutil.SerialException: device reports readiness to read but returned no data (device disconnected or multiple access on port?)\n",
        "serial.serialutil.SerialException: read failed: [Errno 6] Device not configured\n",
    ],
)
def test_a_port_that_went_away_ends_the_log_and_tells_nothing_of_the_run(text: str) -> None:
    capture = read_capture("x", (BOARD + text).encode())
    assert [run.status for run in capture.runs] == ["truncated"]
    (finding,) = capture.findings
    assert (finding.rule, finding.title) == ("truncated-log", "The serial port went away at stage load")


def test_a_crash_after_good_inferences_is_not_blamed_on_the_file() -> None:
    """The program was read and ran: another model tells nothing."""
    died = "run.sh: line 2: 4711 Segmentation fault      ./executor_runner --model_path add.pte\n"
    ran = "".join(
        f"I 00:00:00.00{n}201 executorch:executor_runner.cpp:779] Iteration {n} of 900: 0.812409 ms\n" for n in (1, 2)
    )
    before, after = (read_capture("x", (HOST + more + died).encode()).findings[0] for more in ("", ran))
    assert before.rule == after.rule == "runner-crashed"
    assert "another model" in before.advice and "another model" not in after.advice
    assert "gdb --args" in after.advice
