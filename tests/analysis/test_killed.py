"""A compile that was killed: for want of memory, unless the log tells of a limit, a cancelled job or a person."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

COMMAND = "python3 -m examples.arm.aot_arm_compiler --model_name=mv2 --delegate --quantize"
KERNEL = "[ 1234.5] Out of memory: Killed process 4711 (python3) total-vm:812344kB, anon-rss:402112kB\n"


@pytest.mark.parametrize(
    ("log", "rule", "words"),
    [
        (f"$ {COMMAND}\nKilled\n", "out-of-memory", "Memory ran out"),
        (f"$ timeout 600 {COMMAND}\nKilled\n", "out-of-memory", "Memory ran out"),
        (f"$ timeout -k 10 600 {COMMAND}\nKilled\n", "time-limit", "(timeout -k 10 600), or for want of memory"),
        (f"+ timeout -s KILL 10m {COMMAND}\nKilled\n", "time-limit", "(timeout -s KILL 10m)"),
        ("$ timeout -k 9 60 vela a.tflite\nKilled\n", "time-limit", "(timeout -k 9 60)"),
        ("run.sh: line 9:  7260 Killed                  timeout -k 5 600 python3 -m vela a.tosa\n", "step-timeout", "time limit"),
        (f"$ timeout -k 10 600 {COMMAND}\nKilled\n{KERNEL}", "out-of-memory", "Memory ran out"),
        (f"$ timeout -k 10 600 {COMMAND}\n$ {COMMAND}\nKilled\n", "out-of-memory", "Memory ran out"),
        (f"$ {COMMAND}\ntimeout: sending signal KILL to command 'python3'\nKilled\n", "time-limit", "sending signal KILL"),
        (f"{COMMAND}\nKilled\n##[error]Process completed with exit code 124.\n", "time-limit", "124"),
        (f"{COMMAND}\nKilled\nERROR: Job failed: execution took longer than 1h0m0s seconds\n", "time-limit", "1h0m0s"),
        (f"{COMMAND}\nKilled\n##[error]The operation was canceled.\n", "job-stopped", "cancelled"),
        (f"{COMMAND}\nKilled\nWARNING: script canceled externally (UI, API)\n", "job-stopped", "cancelled"),
        (f"{COMMAND}\nKilled\n##[error]Process completed with exit code 137.\n", "out-of-memory", "Memory ran out"),
        (f"$ {COMMAND} &\n$ kill -9 4711\n[1]+  Killed                  {COMMAND}\n", "killed-by-hand", "kill -9"),
        ("$ kill -9 4711\n$ ./setup.sh\nsetup.sh: line 12:  4712 Killed                  pip install tosa-tools\n", "out-of-memory", "Memory ran out"),
        ("$ kill -9 4711\nsetup.sh: line 12:  4711 Killed                  pip install tosa-tools\n", "killed-by-hand", "kill -9"),
        (f"$ {COMMAND}\nKilled\n$ kill -9 4711\n", "out-of-memory", "Memory ran out"),
        ("kill -9 $(pgrep FVP) || true\n# kill -9 4711\nCollecting torch\nKilled\n", "out-of-memory", "Memory ran out"),
        (f"$ timeout -k 10 600 {COMMAND}\nPTE file saved as a.pte\n$ pip install tosa-tools\nKilled\n", "out-of-memory", "Memory ran out"),
        (f"$ {COMMAND} &\n[1]+  Killed                  {COMMAND}\n", "out-of-memory", "Memory ran out"),
    ],
)  # fmt: skip
def test_who_killed_it_is_said_where_the_log_tells(log: str, rule: str, words: str) -> None:
    first = read_capture("x", log.encode()).findings[0]
    assert (first.rule, first.severity) == (rule, "error") and words in first.title


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (f"{COMMAND}\n##[error]Process completed with exit code 137.\n", "killed (status 137), most often for want of memory"),
        (f"timeout -k 5 60 {COMMAND}\n##[error]Process completed with exit code 137.\n", "by its limit of time (timeout) or"),
        (f"{COMMAND}\n##[error]The operation was canceled.\n", "its CI job was cancelled"),
        (f"{COMMAND}\ntimeout: sending signal TERM to command 'python3'\n", "its limit of time (timeout) ended it"),
        (f"{COMMAND}\nPTE file saved as a.pte\n##[error]The operation was canceled.\n", "its program was saved"),
    ],
)  # fmt: skip
def test_a_compile_alone_ended_as_its_shell_or_job_says(log: str, words: str) -> None:
    (found,) = read_capture("x", log.encode()).findings
    assert found.rule == "compile-log" and words in found.title


@pytest.mark.parametrize("line", ["$ kill -9 4711", KERNEL, "##[error]Process completed with exit code 137."])
def test_such_a_line_alone_tells_of_no_compile(line: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert (capture.runs, capture.findings) == ((), ())
