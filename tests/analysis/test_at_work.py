"""Words that vendors' applications share with other programs count only where that application is at work."""

from __future__ import annotations

import pytest

from .port_logs import ARM, LOADED, lines, only, read
from .port_logs import RUNNER as LOG

PASSED = "".join(f"{line}\n" for line in LOG[:-1])
HANGING = LOADED + lines(ARM, "Starting running 1 inferences...")
KIT = lines(
    "INFO - ", "Ethos-U device initialised", "Running inference on image 0 => a.bmp", "0) 283 (0.7) -> tiger cat"
)
HIMAX = "Ethos-U55 device initialised\ninitial done\n"

WORDS = (
    "Profiling completed!",
    "Profiling task failed!",
    "PASS with accuracy percentage =97.00, total_cnt=10",
    "FAIL with accuracy percentage =42.00, total_cnt=10",
    "Timed out waiting for start string",
    "Inference Results:\nClass 7 (Score: 64)",
    "face detection invoke pass",
    "yolov8 object detect invoke fail",
    "method.value()->execute fail",
    "Preprocess: 5120 us | Inference: 24870 us | Postprocess: 830 us",
    "[failure: FACE_DET_APP_INFERENCE]: AI inference failed.",
    "Predictions (DSP: 12 ms., Classification: 3 ms., Anomaly: 0 ms.): ",
    "run_classifier returned: -3",
    "INFO - Model size: 4096 bytes.",
    "INFO - Target system: M55M1",
    "INFO - program terminating...",
    "WARN - Out of heap",
    "ERROR - Login failed.",
    "INFO - Main loop terminated with failure.",
    "ERROR - cannot reach the broker",
    "product:{ major=6, minor=0, patch=0 }",
    "Too many buffers (max is 32)",
    "tensor allocation failed!",
    "Node CONV_2D (number 0f) failed to prepare with status 1",
    "Input size mismatch: got 12288, expected 49152",
    "Tensor size mismatch: tensor=1, expected=2",
    "[Suite] loop 3/10 status=-5 execute_ms=5002 top1=-1",
    "[Suite] loop top1 changed: expected=2 got=3",
)


@pytest.mark.parametrize("said", WORDS)
def test_words_of_an_application_change_nothing_of_a_run_of_the_runner(said: str) -> None:
    for log in (PASSED.replace("Program complete, exiting.", "done"), HANGING):
        alone = only(log)
        told = only(f"{log}{said}\n")
        assert (told.status, told.stage, told.runner, told.target, told.model, told.times) == (
            alone.status, alone.stage, alone.runner, alone.target, alone.model, alone.times,
        )  # fmt: skip
    inside = PASSED.splitlines(keepends=True)
    told = only("".join((*inside[:3], f"{said}\n", *inside[3:])))
    assert (told.status, told.model, told.target) == ("passed", only(PASSED).model, only(PASSED).target)
    assert [run.status for run in read(f"{PASSED}{said}\n").runs][0] == "passed"


@pytest.mark.parametrize(
    "said",
    [
        "Method execution failed: 1",
        "[failure: FACE_DET_APP_INFERENCE]: AI inference failed.",
        "dual-tflm: frame=1 inference failed U55=5 U85=0",
        "run_classifier returned: -3",
    ],
)
def test_what_failed_elsewhere_is_not_of_a_run_that_is_complete(said: str) -> None:
    first, *others = read(f"{PASSED}{said}\n").runs
    assert first == only(PASSED)
    assert all(run.status == "failed" for run in others)


def test_an_error_message_of_the_kit_stands_among_its_lines() -> None:
    error = "ERROR - cannot reach the broker\n"
    stuck = lines("INFO - ", "Ethos-U device initialised", "Allocating tensors")
    assert only(stuck + error).status == "failed"
    assert only(stuck + "2026-01-01 10:00:00,123 " + error).status == "truncated"
    assert only(stuck + "another step\n" * 30 + error).status == "truncated"
    stamped = "".join(f"2026-01-01 10:00:00,123 {line}" for line in (stuck + error).splitlines(keepends=True))
    assert only(stamped).status == "failed"
    ended = KIT + "INFO - program terminating...\n"
    assert read(ended + error).findings == read(ended).findings


@pytest.mark.parametrize("what", ["Invoke", "Inference"])
def test_what_only_the_kit_says_of_a_failure_is_a_run(what: str) -> None:
    capture = read(f"ERROR - {what} failed.\n")
    assert [(run.status, run.stage, run.runner.kind) for run in capture.runs] == [("failed", "execute", "mlek")]
    assert capture.findings[0].title == "The inference failed"
    assert only(KIT + "ERROR - Post-processing failed.\n").status == "failed"


def test_a_second_boot_of_himax_s_application_is_a_second_run() -> None:
    assert [run.status for run in read(HIMAX + HIMAX + "invoke pass\n").runs] == ["truncated", "passed"]
    assert only(HIMAX + "the invoke password is x\nbob: does it say invoke fail\n").status == "truncated"


def test_a_classifier_on_another_chip_is_not_of_a_run_that_is_complete() -> None:
    alone = only(HIMAX + "invoke pass\n")
    for said in ("Timing: DSP 12 ms, inference 300 ms, anomaly 0 ms\n", "run_classifier returned: -3\n"):
        assert only(HIMAX + "invoke pass\n" + said) == alone


@pytest.mark.parametrize("begun", ["MTB Tflite-Micro inference\n", "Ethos-U NPU successfully initialized\n"])
def test_a_runner_behind_the_start_of_another_program_is_a_run_of_its_own(begun: str) -> None:
    first, second = read(begun + PASSED).runs
    assert (first.status, second.status, second.target) == ("truncated", "passed", only(PASSED).target)


@pytest.mark.parametrize(
    "said",
    [
        "[AI][ERR] RM_ETHOSU_Open failed: 1",
        "[AI] RM_ETHOSU_Open FAILED",
        "[Demo] Failed to initialize Ethos-U device",
        "npu_start: ERROR: Failed to initialize Ethos-U driver: -1",
        "[TinyCNN] loop 3/10 status=-5 execute_ms=5002 top1=-1",
        "[TinyCNN] loop summary count=10 pass=10 fail=0 min_ms=40 max_ms=42 avg_ms=41 top1=2",
    ],
)
def test_a_quoted_line_is_no_run(said: str) -> None:
    assert len(read(f"{said}\n").runs) == 1
    for quoting in ("12:01 <bob> {}", "I get: {}, what does it mean?", '    printf("{}\\n");', "// {}", "##[error]{}"):
        assert read(quoting.format(said) + "\n").runs == ()


@pytest.mark.parametrize(
    "said",
    [
        "2026-01-01 10:00:00,123 ERROR - Login failed.",
        "INFO - Main loop terminated with failure.",
        "Starting model execution...",
        "WARN - Out of heap",
        "[A] loop top1 changed: expected=2 got=3",
    ],
)
def test_words_of_anybody_are_no_run_by_themselves(said: str) -> None:
    assert read(f"{said}\n").runs == ()


def test_a_launch_does_not_start_by_words_of_others() -> None:
    launch = "FVP_Corstone_SSE-320: No valid licence could be found, access denied.\n"
    for said in (
        "<err> app: Inference failed.",
        "Samples: 2",
        "Inference time: 24310 us (24 ms)",
        "Profiling task failed!",
    ):
        assert [run.status for run in read(f"{launch}{said}\n").runs] == ["not_started"]


def test_another_program_behind_a_complete_run_is_a_run_of_its_own() -> None:
    for begun in ("Sending inference job\n", ""):
        failed = f"{begun}Node CONV_2D (number 3) failed to prepare with status 1\nAllocateTensors() failed\n"
        assert [run.status for run in read(PASSED + failed).runs] == ["passed", "failed"]
