"""What ran a program, by the words of its command and of how it ended."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

ARM = "I [executorch:arm_executor_runner.cpp:703 runner_init()] "


@pytest.mark.parametrize(
    "command",
    ["tail -f fvp.log", "sleep 100", "python3 watch.py app.elf", "timeout 9 grep -f executor_runner.txt", "objdump -d runner.elf",
     "timeout -s KILL 9 cat fvp.log", "bash watch.sh fvp.log"],
)  # fmt: skip
@pytest.mark.parametrize(
    "how", ["Killed", "Segmentation fault      (core dumped)", "Aborted                 (core dumped)"]
)
def test_another_program_that_was_killed_fails_no_run(command: str, how: str) -> None:
    killed = f"run.sh: line 9:  4321 {how}                  {command}\n"
    started = f"{ARM}Running method forward\n{killed}"
    (run,) = read_capture("x", f"{started}{ARM}Program complete, exiting.\n".encode()).runs
    assert run.status == "passed"
    assert read_capture("x", started.encode()).runs[0].status == "truncated"


@pytest.mark.parametrize(
    "command",
    [
        'timeout 600 "$@"', "${nobuf} ${fvp} -a x.elf", "./run", "sudo -E FVP_Corstone_SSE-320 -a x", "", "( cd out; exec $sim -a x )",
        "timeout -s KILL 60 /opt/FVP_Corstone_SSE-300_Ethos-U55 -a x.elf", "timeout --signal=KILL 2.5m FVP_Corstone_SSE-320 -a x",
        "taskset -c 0,1 FVP_Corstone_SSE-320 -a x", "python3 tools/run_fvp.py --elf x", "bash scripts/run_fvp.sh",
    ],
)  # fmt: skip
def test_what_ran_the_program_is_told_by_the_first_word_of_its_command(command: str) -> None:
    killed = f"run.sh: line 9:  4321 Killed                  {command}\n"
    capture = read_capture("x", f"{ARM}Running method forward\n{killed}".encode())
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "runner-killed")


@pytest.mark.parametrize(
    "command",
    ["FVP_Corstone_SSE-300_Ethos-U55 -a x.elf", '"${fvp}" -a x.elf', "./executor_runner -m a.pte", "python3 run_fvp.py",
     "bash run_fvp.sh --elf=a.elf", "numactl -N 0 FVP_Corstone_SSE-320 -a x.elf", "sudo -u lab env -u DISPLAY FVP_Corstone_SSE-320 -a x.elf",
     "! { FVP_Corstone_SSE-320 -a x.elf; }", "'FVP_Corstone_SSE-320' -a x.elf"],
)  # fmt: skip
def test_what_ran_the_program_is_known_where_it_crashed(command: str) -> None:
    crashed = f"run.sh: line 9:  4321 Segmentation fault      (core dumped) {command}\n"
    (run,) = read_capture("x", f"{ARM}Running method forward\n{crashed}".encode()).runs
    assert run.status == "failed"


@pytest.mark.parametrize(
    "how",
    ["zsh: killed     ", "zsh: segmentation fault (core dumped)  ", "run.sh: line 9:  4321 Trace/breakpoint trap   "],
)
@pytest.mark.parametrize(
    ("command", "status"), [("FVP_Corstone_SSE-320 -a x.elf", "failed"), ("python3 plot.py", "passed")]
)
def test_the_end_of_a_command_is_known_in_other_words(how: str, command: str, status: str) -> None:
    log = f"{ARM}Running method forward\n{how}{command}\n"
    log += f"{ARM}Program complete, exiting.\n" if status == "passed" else ""
    assert [run.status for run in read_capture("x", log.encode()).runs] == [status]


def test_a_program_that_was_killed_beside_a_run_that_passed_is_no_failed_build() -> None:
    ran = f"{ARM}Running method forward\n{ARM}Model run: 1\n{ARM}Program complete, exiting.\n"
    log = f"{ran}run.sh: line 9:  4321 Killed    tail -f uart.log\n"
    assert not read_capture("x", log.encode()).findings
