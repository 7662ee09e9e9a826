"""Applications of vendors' kits and of Edge Impulse: they say what an inference took and what failed, and never end."""

from __future__ import annotations

import pytest

from .port_logs import only, read

PERSONS = "Person Detection (Camera)\nEthos-U NPU successfully initialized\nStarting camera capture...\n"
FRAME = "Preprocess: 50 us | Inference: {} us | Postprocess: 8 us\nDetected 1 person(s)\n"
SCORES = "Predictions (DSP: 12 ms., Classification: 3 ms., Anomaly: 0 ms.): \n    go: 0.00391\n    stop: 0.98828\n"


def test_a_detector_on_a_board_of_renesas() -> None:
    run = only(PERSONS + FRAME.format(240) + FRAME.format(250))
    assert (run.status, run.target.platform, run.runner.kind, run.last_line) == ("passed", "board", "other", 6)
    assert run.times.inference_seconds == pytest.approx(0.00025)


def test_a_time_below_zero_is_no_figure() -> None:
    capture = read(PERSONS + FRAME.format(-240))
    assert capture.runs[0].times.inference_seconds is None
    assert "impossible-figure" in {finding.rule for finding in capture.findings}


def test_a_classifier_of_edge_impulse_counts_where_an_ethos_u_is_there() -> None:
    run = only("Ethos-U55 device initialised\n" + SCORES + "run_classifier returned: 0\n")
    assert (run.status, run.times.inference_seconds) == ("passed", 0.003)
    assert only("Ethos-U55 device initialised\nTiming: DSP 2 ms, inference 4 ms, anomaly 0 ms\n").status == "passed"
    assert read(SCORES).runs == ()


def test_a_classifier_that_goes_on_has_the_mean_of_its_times() -> None:
    """Each is in whole milliseconds: where all are nothing there is none."""
    window = "Predictions (DSP: 9.000000 ms., Classification: {} ms., Anomaly: 0ms.): \n#Classification results:\n    idle: 0.996094\n"
    run = only("Ethos-U55 device initialised\n" + "".join(map(window.format, ("0", "0", "1.000000", "3"))))
    assert (run.status, run.cycles.inferences, run.times.inference_seconds) == ("passed", 4, 0.001)
    run = only("Ethos-U55 device initialised\n" + window.format(0) * 2)
    assert (run.status, run.cycles.inferences, run.times.inference_seconds) == ("passed", 2, None)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Person Detection (Camera)\n  ERROR: RM_ETHOSU_Open failed with code: 1\n", "npu-not-responding"),
        ("[AI][ERR] RM_ETHOSU_Open failed: 1\n", "npu-not-responding"),
        ("NPU test begins.\nRM_ETHOSU_Open failed: 1\n", "npu-not-responding"),
        ("[failure: FACE_DET_APP_INFERENCE]: AI inference failed.  \n", "execution-failed"),
        ("[failure: VISION_AI_APP_OSPI_INIT: OSPI Initialization returned error. \n", "run-failed"),
        ("Ethos-U55 device initialised\nERR: Failed to run classifier (-3)\n", "execution-failed"),
        ("Ethos-U55 device initialised\nrun_classifier returned: -5\n", "execution-failed"),
    ],
)
def test_what_failed_is_told(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule


_RUNS = "Inference Run #1, inference time: 61.250041ms\nInference Run #2, inference time: 60.750011ms\n"
_MEAN = "Average Inference time: 61.00ms over 2 runs\n"


def test_renesas_s_examples_in_c_count_where_the_runtime_did_not_name_itself() -> None:
    run = only(_RUNS + _MEAN + "Printing top Image Classification results....\n\n78.52% -> tabby, tabby cat\n")
    assert (run.status, run.first_line, run.cycles.inferences) == ("passed", 1, 2)
    assert run.times.inference_seconds == pytest.approx(0.061)
    assert run.predictions[0].label == "tabby, tabby cat"
    named = only("[2026-03-30 16:00:12.271] [console] [info] MERA 2.0 Runtime\n" + _RUNS + _MEAN)
    assert (named.status, named.first_line) == ("passed", 1)
    assert [run.first_line for run in read(2 * (_RUNS + _MEAN)).runs] == [1, 4]
    assert not read(_RUNS.partition("\n")[0] + "\n").runs, "one such line may be of any program"
    assert not read(_MEAN).runs
