"""Infineon's profiler for PSOC Edge: averages of cycles over inferences that are counted elsewhere, and its own verdict."""

from __future__ import annotations

import pytest

from .port_logs import only, read

STARS = "******************"
START = f"{STARS} PSOC Edge MCU: Machine Learning Profiler on CM55+U55 {STARS} \n\n"
MODEL = (
    "\n***************************************************\nMTB Tflite-Micro inference\nModel name       \t:\tTEST_MODEL\n"
    "Model size       \t:\t64.50   kB\nBuffer size      \t:\t12.25   kB\n\n"
)
CPU = "PROFILE_INFO, MTB ML model profile, avg_cpu_cyc=40000.00  , peak_cpu_cyc=40100, peak_cpu_frame=0, cpu_freq_Mhz=400\n"
NPU = "PROFILE_INFO, MTB ML model profile, avg_npu_cyc=120000.50 , peak_npu_cyc=120900, peak_npu_frame=3, npu_freq_Mhz=200\n"
GOOD = "PASS with accuracy percentage =99.00, total_cnt=10\n"
BAD = "FAIL with accuracy percentage =42.00, total_cnt=10\n"
DONE = "\nProfiling completed!\n"


def test_the_averages_are_of_an_inference_and_what_is_rounded_is_no_figure() -> None:
    run = only(START + MODEL + CPU + NPU + GOOD + DONE)
    assert (run.status, run.stage, run.runner.kind, run.target.npu, run.target.platform) == (
        "passed",
        "complete",
        "other",
        "ethos-u55",
        "board",
    )
    assert (run.model.pte_bytes, run.memory.pools) == (None, {})
    assert run.pmu is not None
    assert (run.cycles.inferences, run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (10, None, 120000.5)
    assert run.times.inference_seconds == pytest.approx(40000 / 400e6 + 120000.5 / 200e6)
    assert run.last_line == (START + MODEL + CPU + NPU + GOOD + DONE).count("\n")


def test_a_host_that_sends_the_data_says_before_how_many_there_are() -> None:
    frames = "Received: num frames:4 frame size:16 recurrent_ts_size:5\n"
    run = only(START + MODEL + frames + CPU + NPU + DONE)
    assert run.pmu is not None
    assert (run.status, run.cycles.inferences, run.pmu.npu_cycles_per_inference) == ("passed", 20, 120000.5)


def test_a_line_that_comes_twice_adds_no_time() -> None:
    assert only(START + MODEL + CPU + NPU + NPU + GOOD).times == only(START + MODEL + CPU + NPU + GOOD).times


def test_the_middleware_alone_gives_the_average_and_no_total() -> None:
    run = only(CPU + NPU)
    assert run.pmu is not None
    assert (run.status, run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == ("truncated", None, 120000.5)
    assert run.cycles.inferences is None


def test_the_npu_of_the_other_core_is_no_ethos_u_and_zero_is_no_count() -> None:
    run = only(START.replace("CM55+U55", "CM33+NNLITE") + MODEL + CPU + NPU + GOOD)
    assert (run.target.npu, run.pmu, run.status) == (None, None, "passed")
    assert run.times.inference_seconds == pytest.approx(40000 / 400e6 + 120000.5 / 200e6)
    assert only(START + MODEL + CPU + NPU.replace("120000.50", "0.00") + GOOD).pmu is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (START + MODEL + CPU + NPU + BAD + DONE, "test-result-fail"),
        (START + "MTB ML initialization failure: 84017153\n", "middleware-not-ready"),
        (START + MODEL + "Inference error: Tflite-Micro status: 1 \n\nProfiling task failed!\n", "execution-failed"),
        (START + MODEL + "Timed out waiting for start string\n\nProfiling task failed!\n", "inputs-failed"),
        (START + MODEL + "Input buffer size error, file input size=9, model input size=16, aborting...\n", "inputs-failed"),
    ],
)  # fmt: skip
def test_what_it_says_failed_is_told(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule


@pytest.mark.parametrize("line", [GOOD, BAD, DONE, "Model size : 1.0 kB\n", "Profiling task failed!\n"])
def test_its_common_words_are_of_no_run_by_themselves(line: str) -> None:
    assert read(line).runs == ()
