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


def test_an_input_is_told_like_an_output() -> None:
    told = only(
        "I [executorch:main.cpp:269 main()] Model PTE at 0x80077000, Size: 3380576 bytes\n"
        "I [executorch:main.cpp:138 prepare_input_tensors()] Input tensor: scalar_type=Float, numel=768, nbytes=3072\n"
        "I [executorch:main.cpp:138 prepare_input_tensors()] Input tensor: scalar_type=Char, numel=10, nbytes=10\n"
    )
    assert [(i.index, i.count, i.dtype, i.elided, i.first) for i in told.inputs] == [
        (0, 768, "float", True, ()),
        (1, 10, "char", True, ()),
    ]
    assert (told.lines["inputs.0"], told.lines["inputs.1"], told.memory.input_bytes) == (2, 3, 3082)


_ROOM = (
    "I [executorch:arm_executor_runner.cpp:215 main()] PTE at 0x700172a0 Size: 3168 bytes\n"
    "I [executorch:arm_executor_runner.cpp:265 main()] Setup Method allocator pool. Size: 131072 bytes.\n"
    "I [executorch:arm_executor_runner.cpp:328 main()] Preparing input: In use: {}B, Free: 130443B\n"
)


@pytest.mark.parametrize(
    ("more", "used", "free", "line"),
    [
        ("E: NPU config mismatch. npu.macs_per_cc=7, optimizer.macs_per_cc=8 (ethosu_driver.c:321)\n", 629, 130443, 3),
        ("method_allocator_used:     649 / 131072  free: 130423 ( used: 0 % ) \n", 649, 130423, 4),
        ("method_allocator_planned:  32 bytes\nmethod_allocator_loaded:   597 bytes\n", None, None, None),
    ],
)
def test_the_pools_use_before_the_inputs_stands_until_the_end_is_told(
    more: str, used: int | None, free: int | None, line: int | None
) -> None:
    told = only(_ROOM.format(629) + more)
    pool = told.memory.pools["method"]
    assert (pool.used_bytes, pool.free_bytes, pool.capacity_bytes) == (used, free, 131072)
    assert told.lines.get("memory.pools.method.used_bytes") == line


def test_a_damaged_line_of_the_pools_use_is_not_believed() -> None:
    pool = only(_ROOM.format(62)).memory.pools["method"]
    assert (pool.used_bytes, pool.free_bytes, pool.capacity_bytes) == (None, None, 131072)
