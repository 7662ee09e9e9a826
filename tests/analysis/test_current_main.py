"""What ExecuTorch's main prints after the last version whose source lines are known, and how shells end such runs."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

MOVED = (
    "I [executorch:arm_executor_runner.cpp:9194 main()] PTE @ 0x70000000 [----ET12]\n"
    "I [executorch:arm_executor_runner.cpp:9677 runner_init()] PTE Model data loaded. Size: 3416 bytes.\n"
    "I [executorch:arm_executor_runner.cpp:9692 runner_init()] Model buffer loaded, has 1 methods\n"
    "I [executorch:arm_executor_runner.cpp:9700 runner_init()] Running method forward\n"
)
RUN = "I [executorch:arm_executor_runner.cpp:9811 run_model()] Starting running 1 inferences...\n"


def test_what_only_main_prints_is_main_also_where_its_lines_have_moved() -> None:
    planned = (
        "I [executorch:arm_executor_runner.cpp:9721 runner_init()] Setting up planned buffer with mem_id=1, size 320.\n"
    )
    run = only(f"{MOVED}{planned}{RUN}")
    assert run.runner.executorch_version == "main" and "mem_id" in (run.runner.version_evidence or "")
    old = "I [executorch:arm_executor_runner.cpp:9721 runner_init()] Setting up planned buffer 0, size 320.\n"
    assert only(f"{MOVED}{old}{RUN}").runner.executorch_version is None


def test_the_files_of_the_backend_by_driver_are_of_main() -> None:
    said = "E [executorch:EthosUBackend_CoreDriver.cpp:85 platform_execute()] Ethos-U scratch buffer is missing\n"
    assert only(f"{MOVED}{RUN}{said}").runner.executorch_version == "main"


@pytest.mark.parametrize(
    "why", ["Element size mismatch: tensor 4, Vela 1", "Byte size mismatch: tensor 4000, Vela 1000"]
)
def test_an_output_that_is_not_the_descriptors_is_told_with_the_sizes(why: str) -> None:
    log = (
        f"{MOVED}{RUN}E [executorch:EthosUBackend.cpp:57 validate_et_and_vela_tensors()] {why}\n"
        "E [executorch:EthosUBackend.cpp:260 execute()] Ethos-U output 0 does not match its Vela descriptor\n"
        "E [executorch:method.cpp:1560 execute_instruction()] CALL_DELEGATE execute failed at instruction 1: 0x23\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "delegate-layout" and why in finding.detail and len(finding.lines) == 2


CALLED = "root@imx93evk:~# ./executor_runner --model_path a.pte\n"
REFUSED = (
    "I 00:00:00.000512 executorch:executor_runner.cpp:289] Model file a.pte is loaded.\n"
    "E 00:00:00.001110 executorch:method.cpp:114] Backend EthosUBackend is not registered.\n"
    "F 00:00:00.001220 executorch:executor_runner.cpp:345] In function main(), assert failed (method.ok()): "
    "Loading of method forward failed with status 0x20\n"
)
ABORTED = "Aborted (core dumped)\n"


def test_what_the_shell_says_of_a_run_that_gave_up_is_no_second_one() -> None:
    capture = read_capture("x", f"{CALLED}{REFUSED}{ABORTED}".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["backend-not-registered"]


def test_a_call_that_crashes_behind_a_run_that_gave_up_is_one() -> None:
    capture = read_capture("x", f"{CALLED}{REFUSED}{ABORTED}{CALLED}{ABORTED}".encode())
    assert [run.status for run in capture.runs] == ["failed", "not_started"]


def test_a_network_that_vela_finds_not_quantized_is_told_so() -> None:
    finding = read_capture("x", b"$ vela a.tflite\nvela: error: Model is not fully quantized\n").findings[0]
    assert finding.rule == "model-not-quantized" and "--quantize" in finding.advice


def test_an_error_before_a_prompt_ended_the_run_whatever_is_called_then() -> None:
    refused = "".join(REFUSED.splitlines(keepends=True)[:2]).replace(
        "Backend EthosUBackend is not registered.", "It is not so"
    )
    for between in ("root@imx93evk:~# ls\na.pte  executor_runner\n", "root@imx93evk:~# \n"):
        again = read_capture("x", (CALLED + refused + between + CALLED + REFUSED).encode()).runs
        assert [run.status for run in again] == ["failed", "failed"]
        assert [run.status for run in read_capture("x", (CALLED + refused + between).encode()).runs] == ["failed"]


def test_an_arena_whose_size_is_lost_has_that_of_the_request_for_it() -> None:
    """newlib-nano prints the allocator's %lu, and not the backend's %zu."""
    short = "E [executorch:arm_memory_allocator.cpp:67 allocate()] Memory allocation failed: 9008B requested (adjusted for alignment), 4096B available\n"
    named = "E [executorch:EthosUBackend.cpp:173 execute()] Failed to allocate scratch buffer of zu bytes from temp_allocator\n"
    (finding,) = (
        f for f in read_capture("x", f"{MOVED}{RUN}{short}{named}".encode()).findings if f.severity == "error"
    )
    assert "NPU's scratch arena needs 9008 bytes" in finding.detail
    assert "SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=9008" in finding.advice
