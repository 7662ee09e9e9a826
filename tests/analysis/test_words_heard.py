"""What applications say that they recognised: words with their scores, and classes without one."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Prediction, to_dict
from ethosu_tui.analysis.run_tables import outputs_table

from .port_logs import only

BANNER = (
    "Fast Models [11.20.4 (Jan 12 2023)]\ntelnetterminal0: Listening for serial connection on port 5000\n\n"
    "    Ethos-U rev 0a1b2c3d --- Jan 12 2023 10:00:00\n    (C) COPYRIGHT 2019-2023 Arm Limited\n    ALL RIGHTS RESERVED\n\n"
)
LIMIT = "\nInfo: Simulation is stopping. Reason: Cycle limit has been exceeded.\n\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"


def test_words_of_an_endless_application_under_a_limit_are_its_results() -> None:
    run = only(f"{BANNER}Heard go (181) @1200ms\nHeard stop (203) @6400ms\n{LIMIT}")
    assert (run.status, run.stage, run.target.platform) == ("timeout", "report", "fvp")
    assert run.predictions == (Prediction(None, "go", 181), Prediction(None, "stop", 203))
    assert [[cell.text for cell in row[:2]] for row in outputs_table(run).rows] == [
        ["heard 1", "go"],
        ["heard 2", "stop"],
    ]
    assert read_capture("x", f"{BANNER}Heard that it runs\n{LIMIT}".encode()).findings[0].rule == "other-program"


MV2 = (
    "Ethos-U85 NPU initialized (polling mode)\nModel bytes: 91072\nExecuTorch runtime initialized\nProgram loaded successfully\n"
    "Method 'forward': 1 inputs, 1 outputs, 1 planned buffers\nMethod loaded, 1 inputs, 1 outputs\nRunning inference...\n"
    "Inference complete!\n"
)


def test_the_best_class_behind_the_end_is_of_the_run_and_has_no_score() -> None:
    run = only(f"{MV2}Output tensor: 120 elements\nTop-1 class: 17\nDetected: owl! (ImageNet class 17)\n")
    assert (run.status, run.last_line, run.predictions) == ("passed", 11, (Prediction(17, "owl", None),))
    assert [(t.count, t.first, t.elided) for t in run.outputs] == [(120, (), True)]
    assert to_dict(read_capture("x", f"{MV2}Top-1 class: 17\n".encode()))["runs"][0]["predictions"] == [
        {"index": 17, "label": None, "score": None}
    ]
    assert [row[3].text for row in outputs_table(run).rows] == ["\u2026", "-"]
    assert read_capture("x", b"Output tensor: 120 elements\nTop-1 class: 17\n").runs == ()


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("For timestamp: 0.000000 (inference #: 0); label: up, score: 0.912500; threshold: 0.700000", [("up", 0.9125)]),
        (
            "For timestamp: 0.000000 (inference #: 0); threshold: 0.9\nINFO -   label @ 0: up, score: 0.9125",
            [("up", 0.9125)],
        ),
        ("For timestamp: 0.000000 (inference #: 0); label: and then he went, score by score", []),
        ("Detected: on; Prob: 0.5\nINFO - Detected: off; Prob: 0.75", [("off", 0.75)]),
    ],
)
def test_words_of_the_evaluation_kit_and_their_scores(lines: str, wanted: list[tuple[str, float]]) -> None:
    profile = "INFO - Profile for Inference:\nINFO - NPU TOTAL: 5120 cycles\n"
    run = only(f"INFO - Running inference on audio clip 0 => a.wav\nINFO - {lines}\n{profile}")
    assert run.predictions == tuple(Prediction(None, *word) for word in wanted)


def test_a_clip_that_is_heard_after_another_has_its_own_words() -> None:
    clip = "INFO - For timestamp: 0.0 (inference #: 0); label: {}, score: 0.5; threshold: 0.4\n"
    later = "INFO - For timestamp: 0.5 (inference #: 1); label: left, score: 0.75; threshold: 0.4\n"
    run = only("INFO - Running inference on audio clip 0 => a.wav\n" + clip.format("up") + clip.format("down") + later)
    assert [guess.label for guess in run.predictions] == ["down", "left"]


def test_an_end_of_the_simulator_that_is_cut_still_says_that_it_was_one() -> None:
    log = "I [executorch:arm_executor_runner.cpp:783] Program complete, exiting.\nInfo: /OSCI/SystemC: Simulation stopped by u"
    assert only(log).target.platform == "fvp"


def test_what_the_runner_under_linux_and_the_jobs_of_the_core_software_recognised() -> None:
    asked = "Send capabilities request\nproduct:{ major=6, minor=0, patch=0 }\nWait for inferences\nInference status: success\n"
    run = only(f"{asked}\nDetected: green pear, confidence:64\nDetected: red pear, confidence:31\n")
    assert run.status == "passed"
    assert run.predictions == (Prediction(None, "green pear", 64), Prediction(None, "red pear", 31))
    assert only(asked).predictions == ()
    job = "Sending inference job\nReceived inference job. job=30001e90, name=one\nRunning inference job: one\n"
    run = only(
        f"{job}ID: 12  : Confidence: 7.125 \nFinished running job: one\nReceived inference job response. status=0\n"
    )
    assert (run.status, run.predictions) == ("passed", (Prediction(12, None, 7.125),))


def test_a_keyword_that_is_named_without_its_score_and_the_arena_of_a_demonstration() -> None:
    head = "*** Booting Zephyr OS build v4.1.0 ***\nI [executorch:main.cpp:1 main()] Ethos-U backend registered successfully\n"
    named = 'I [executorch:main.cpp:9 main()] Predicted keyword: "go" (class 4)\n'
    assert only(head + named).predictions == (Prediction(4, "go", None),)
    run = only(
        "Starting Small Transformer Demo on Ethos-U85 NPU\nTensor arena size: 81920 bytes\nsender 0: Sending inference. job=0x1, name=a\n"
    )
    assert (run.target.npu, run.memory.pools["tensor_arena"].capacity_bytes) == ("ethos-u85", 81920)


def test_words_with_one_score_are_no_list_whose_scores_are_all_equal() -> None:
    heard = "".join(f"Heard {word} (200) @{at}ms\n" for word, at in (("up", 1000), ("down", 3000), ("up", 5000)))
    assert "outputs-all-equal" not in {f.rule for f in read_capture("x", f"{BANNER}{heard}{LIMIT}".encode()).findings}
