"""ExecuTorch's samples for Zephyr: told from the bare-metal runner by their source lines, and what their inputs take."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.answers.of_run import answers_of_run

from .port_logs import BOOT_CLASSIFIER, lines, only, read

_SHORT = "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 8192B requested (adjusted for alignment), 512B available\n"
_ABORT = (
    "F [executorch:arm_executor_runner.cpp:{} {}()] In function {}(), assert failed (buffer != nullptr): "
    "Could not allocate memory for memory planned buffer size 8192\n"
)


@pytest.mark.parametrize(
    ("line", "function", "kind", "option"),
    [
        (287, "main", "zephyr", "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE"),  # 1.2 and later
        (294, "main", "zephyr", "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE"),  # 1.1
        (665, "runner_init", "arm_executor_runner", "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"),  # 1.2
        (568, "main", "arm_executor_runner", "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"),  # 0.7
    ],
)
def test_the_sample_is_told_by_where_its_lines_stand(line: int, function: str, kind: str, option: str) -> None:
    capture = read(_SHORT + _ABORT.format(line, function, function))
    assert [(run.status, run.runner.kind) for run in capture.runs] == [("failed", kind)]
    advice = capture.findings[0].advice
    assert option in advice.partition("(")[0]


def test_a_line_of_no_version_makes_no_sample() -> None:
    assert only(_SHORT + _ABORT.format(300, "main", "main")).runner.kind == "arm_executor_runner"


def test_a_fork_that_reads_the_pmu_is_no_sample() -> None:
    done = "I [executorch:arm_executor_runner.cpp:436 run_model()] Model executed successfully.\n"
    assert only(done).runner.kind == "zephyr"
    read_pmu = "I [executorch:arm_perf_monitor.cpp:900 StopMeasurements()] Operator(s) total: 2000 CPU cycles\n"
    assert only(done + read_pmu).runner.kind == "arm_executor_runner"


def test_an_input_takes_its_bytes_from_the_method_pool() -> None:
    run = only(BOOT_CLASSIFIER)
    assert run.memory.input_bytes is None
    told = "Input tensor: scalar_type=Float, numel=1000, nbytes=4000"
    run = only(
        BOOT_CLASSIFIER + lines("I [executorch:main.cpp] ", told, "Inference completed in 3 ms", "Demo Complete")
    )
    assert (run.status, run.memory.input_bytes, run.lines["memory.input_bytes"]) == ("passed", 4000, 6)
    (fit,) = (answer for answer in answers_of_run(run, (), None) if answer.key == "fit")
    assert "60.00 % of the method pool for its planned buffers and inputs" in fit.answer
    assert "at least 5.9 KiB" in fit.reason
    twice = only(BOOT_CLASSIFIER + lines("I [executorch:main.cpp] ", told, told.replace("4000", "2000")))
    assert twice.memory.input_bytes == 6000


def test_every_request_that_failed_is_named() -> None:
    more = _SHORT.replace("8192B", "320B")
    failed = lines("I [executorch:arm_executor_runner.cpp:459] ", "Loading of method forward failed with status 0x21")
    assert "8512 bytes in total (8192 + 320)" in read(_SHORT + more + failed).findings[0].detail
    many = "".join(_SHORT.replace("8192B", f"{320 + n}B") for n in range(6))
    assert "bytes in total." in read(many + failed).findings[0].detail


def test_where_a_capture_should_end_is_told_by_the_application() -> None:
    """Only the port of the bare-metal runner prints that runner's last line."""
    boot, loads = BOOT_CLASSIFIER.split("\n", 1)
    demo = f"{boot}\nI [executorch:main.cpp] Ethos-U backend registered successfully\n{loads}"
    kit = "*** Booting Zephyr OS build v4.1.0 ***\n<inf> app: Target system: M55M1\n<inf> app: Added ethos-u support to op resolver\n"
    port = f"{boot}\nI [executorch:arm_executor_runner.cpp:287 main()] Running method forward\n"
    for text, named in ((demo, False), (kit, False), (port, True)):
        found = read(text).findings[0]
        assert (found.rule, "Program complete" in found.advice) == ("truncated-log", named)
