"""What a target prints after its last line: whose run is it, and does it change what became of it?"""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

START = (
    "I [executorch:arm_executor_runner.cpp:489 main()] PTE in 0x70000000 $ Size: 1528 bytes\n"
    "I [executorch:arm_executor_runner.cpp:747 main()] Model executed successfully.\n"
    "I [executorch:arm_executor_runner.cpp:751 main()] 1 outputs: \n"
    "Output[0][0]: (int) 2\n"
)
END = (
    "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.\n"
    "I [executorch:arm_executor_runner.cpp:878 main()] \x04\n"
)
FAULT = (
    "Hard fault. irq=-13, pc=0x10048100, lr=0x00000000, xpsr=0x61100000, sp=0x3007ff40\n"
    "            cfsr=0x00008200 bfar=0x3008000c mmfar=0x00000000\n"
    "Application exit code: 1.\n\x04\nEXITTHESIM\n"
)


@pytest.mark.parametrize("end", [END, END.replace("\x04", ""), END.partition("\n")[0] + "\n", END + "\n"])
def test_a_fault_behind_the_end_is_of_the_run_that_ended(end: str) -> None:
    capture = read_capture("x", (START + end + FAULT).encode())
    assert [(run.status, run.stage, run.last_line) for run in capture.runs] == [
        ("failed", "complete", (START + end + FAULT).count("\n"))
    ]
    errors = [finding for finding in capture.findings if finding.severity == "error"]
    assert [finding.rule for finding in errors] == ["hard-fault"]
    assert errors[0].title == "Hard fault on the target after the run was complete"
    assert "figures and outputs of the run count" in errors[0].detail and "before 1.0" in errors[0].advice
    assert capture.runs[0].outputs[0].first == (2,)


@pytest.mark.parametrize(
    "end",
    [END + "Application exit code: 0.\n", END + "Application exit code: 0.\n\x04\nEXITTHESIM\n", END + "\n" * 20],
)
def test_a_fault_behind_the_exit_is_of_another_boot(end: str) -> None:
    capture = read_capture("x", (START + end + FAULT).encode())
    assert [run.status for run in capture.runs] == ["passed", "failed"]
    assert capture.runs[1].stage == "start"


def test_a_fault_behind_a_semihosting_run_is_of_another_boot() -> None:
    asked = "I [executorch:arm_executor_runner.cpp:418 main()] Running executor with parameter:\n"
    capture = read_capture("x", (asked + START + END.partition("\n")[0] + "\n" + FAULT).encode())
    assert [run.status for run in capture.runs] == ["passed", "failed"]


def test_kernels_are_registered_before_a_program_begins() -> None:
    twice = (
        "E [executorch:operator_registry.cpp:89 register_kernels_internal()] Re-registering aten::add.out, from a.so\n"
        "F [executorch:operator_registry.cpp:111 register_kernels()] In function register_kernels(), assert failed (false): "
        "Kernel registration failed with error 22, see error log for details.\n"
    )
    hangs = START.replace("Model executed successfully.", "Starting the model execution...").rpartition("I [")[0]
    capture = read_capture("x", (hangs + twice).encode())
    assert [(run.status, run.first_line) for run in capture.runs] == [("truncated", 1), ("failed", 3)]
    errors = [(finding.rule, finding.run) for finding in capture.findings if finding.severity == "error"]
    assert errors == [("truncated-log", 1), ("kernel-registered-twice", 2)]


@pytest.mark.parametrize(
    "line", ["bash: env/bin/activate: No such file or directory", "Error: /mnt/data is not a directory"]
)
def test_what_a_command_does_not_find_behind_a_run_that_passed_is_a_warning(line: str) -> None:
    capture = read_capture("x", f"{START}{END}Application exit code: 0.\n{line}\n".encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [found.severity for found in capture.findings if found.run is None] == ["warning"]
    alone = read_capture("x", f"{line}\n".encode())
    assert [found.severity for found in alone.findings] == ["error"]


def test_the_python_of_a_simulator_crashes_when_the_simulation_is_over() -> None:
    died = "Fatal Python error: PyThreadState_Get: the function must be called with the GIL held, but the GIL is released ...\n"
    over = "Info: /OSCI/SystemC: Simulation stopped by user.\n"
    capture = read_capture("x", (START + END + over + died).encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(finding.rule, finding.severity) for finding in capture.findings] == [("python-at-exit", "warning")]
    assert " is released ... It stopped nothing" in capture.findings[0].detail
    alone = read_capture("x", died.encode())
    assert [(finding.rule, finding.severity) for finding in alone.findings] == [("python-at-exit", "error")]
