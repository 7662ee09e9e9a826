"""What applications say that they recognised: words with their scores, and classes without one."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Prediction, to_dict
from ethosu_tui.analysis.report_tables import outputs_table

from .port_logs import only

BANNER = (
    "Fast Models [11.20.4 (Jan 12 2023)]\ntelnetterminal0: Listening for serial connection on port 5000\n\n"
    "    Ethos-U rev 0a1b2c3d --- Jan 12 2023 10:00:00\n    (C) COPYRIGHT 2019-2023 Arm Limited\n    ALL RIGHTS RESERVED\n\n"
)
LIMIT = "\nInfo: Simulation is stopping. Reason: Cycle limit has been exceeded.\n\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"


def test_words_of_an_endless_application_under_a_limit_are_its_results() -> None:
    """It listens until something ends it: a limit is how, and not a time that was too short."""
    run = only(f"{BANNER}Heard go (181) @1200ms\nHeard stop (203) @6400ms\n{LIMIT}")
    assert (run.status, run.stage, run.target.platform, run.last_line) == ("passed", "complete", "fvp", 13)
    assert only(f"{BANNER}Heard go (181) @1200ms\n").status == "passed"
    assert run.predictions == (Prediction(None, "go", 181), Prediction(None, "stop", 203))
    assert [[cell.text for cell in row[:2]] for row in outputs_table(run).rows] == [
        ["heard 1", "go"],
        ["heard 2", "stop"],
    ]
    again = only(f"{BANNER}Heard go (181) @1200ms\nHeard go (175) @6400ms\n{LIMIT}")
    assert [row[0].text for row in outputs_table(again).rows] == ["heard 1", "heard 2"]
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


def test_a_demonstration_that_listens_for_ever_has_passed_once_it_has_heard_a_word() -> None:
    begun = "INFO - Initialising Ethos-U device@0x48102000\nINFO - Activation buffer (a.k.a tensor arena) size used: 4096\nINFO - Inference #: 3\n"
    assert only(begun).status == "truncated"
    assert only(f"{begun}INFO - Detected: up; Prob: 0.75\nINFO - Inference #: 4\n").status == "passed"
    assert only(f"{begun}INFO - Detected: up; Prob: 0.75\nERROR - Inference failed.\n").status == "failed"


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
    seen = "#-----\n    Top prediction for one\n    label: green pear, pear\n    ID: 12  : Confidence: 7.125 \n    #-----\n"
    found = "#-----\n  Detected A PERSON in the input image\n  Confidence = 2.5\n#-----\n"
    end = "Finished running job: one\nReceived inference job response. status=0\n"
    run = only(
        job + seen + end + job + seen.replace("ID: 12", "ID: 13").replace("green", "red") + end + job + found + end
    )
    assert run.predictions == (
        Prediction(12, "green pear, pear", 7.125),
        Prediction(13, "red pear, pear", 7.125),
        Prediction(None, "A PERSON", 2.5),
    )
    assert only(f"{asked}label: pear\nConfidence = 0.5\n").predictions == ()


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


DIGITS = (
    "     ALIF E4 MNIST NPU DEMO\n     Ethos-U55 Accelerated\n\nInitializing NPU... {up}\n\nRunning inference on test image...\n"
    "Expected digit: 3\n"
)


def digits(end: str, up: str = "OK") -> str:
    return DIGITS.format(up=up) + end


FOUND = "  Predicted Digit: {digit}\n\n   ###\n\n  Confidence: [########------------] 41%\n  Inference Time: 52 us\n  Throughput: 19230 FPS\n\n"


def test_a_digit_with_its_confidence_and_time_is_read_from_a_program_that_then_asks_what_to_do() -> None:
    run = only(
        digits(
            FOUND.format(digit=3) + ">>> CORRECT! <<<\n\nCommands (type in RTT Viewer):\n  1 - Run single inference\n"
        )
    )
    assert (run.status, run.stage, run.target.npu, run.times and run.times.inference_seconds) == (
        "passed",
        "complete",
        "ethos-u55",
        5.2e-05,
    )
    assert run.predictions == (Prediction(3, None, 41),)


@pytest.mark.parametrize(
    ("text", "rule", "stage"),
    [
        (digits(FOUND.format(digit=8) + ">>> INCORRECT <<<\n"), "outputs-not-expected", "report"),
        (digits("ERROR: Inference failed (-2)\n"), "execution-failed", "execute"),
        (digits("ERROR: Inference failed (-1)\n", "FAILED"), "npu-not-responding", "execute"),
    ],
)
def test_what_stops_the_program_for_digits(text: str, rule: str, stage: str) -> None:
    assert (only(text).status, only(text).stage) == ("failed", stage)
    assert read_capture("x", text.encode()).findings[0].rule == rule


@pytest.mark.parametrize(
    ("later", "rule"),
    [
        (FOUND.format(digit=8) + ">>> INCORRECT <<<\n", "outputs-not-expected"),
        ("ERROR: Inference failed (-2)\n", "execution-failed"),
    ],
)
def test_what_a_later_inference_of_the_program_for_digits_comes_to_counts(later: str, rule: str) -> None:
    capture = read_capture(
        "x",
        digits(FOUND.format(digit=3) + f">>> CORRECT! <<<\n\nRunning inference on test image...\n{later}").encode(),
    )
    assert [run.status for run in capture.runs] == ["failed"] and capture.findings[0].rule == rule


@pytest.mark.parametrize("end", ["  Predicted Digit: 6\n", "  Predicted Digit: 6\n  Confidence: [####------] 38%\n"])
def test_a_program_that_told_a_digit_does_not_hang_in_its_inference(end: str) -> None:
    assert (only(digits(end)).status, only(digits(end)).stage) == ("truncated", "report")
    assert only(digits("")).status == "hung"


def test_a_list_that_begins_anew_leaves_no_places_of_the_one_before() -> None:
    heard = "".join(
        f"INFO - For timestamp: 0.5 (inference #: {number}); label: {word}, score: 0.75; threshold: 0.7\n"
        for number, word in ((0, "up"), (1, "down"), (0, "left"))
    )
    run = only(f"INFO - Arm-Ethos U55 device initialised\nINFO - Target system design: SSE-300\n{heard}")
    assert [guess.label for guess in run.predictions] == ["left"]
    assert [path for path in run.lines if path.startswith("predictions.")] == ["predictions.0"]


def test_the_class_of_an_image_is_what_the_demonstration_ends_with() -> None:
    run = only(
        "telnetterminal0: Listening for serial connection on port 5000\n\nStarting Demo\nethosu_invoke COMMAND_STREAM\nThe image has been classified as 'lorikeet'\n"
    )
    assert (run.status, run.predictions) == ("passed", (Prediction(None, "lorikeet", None),))


def test_a_course_that_loads_its_model_from_an_address_and_says_how_long_it_took() -> None:
    lines = (
        "ExecuTorch Runtime Starting...\nLoading model from 0x80200000\nModel loaded successfully\nInitializing Ethos-U NPU delegate\n"
        "NPU initialized\nRunning inference...\nInference complete: 38.5ms\n"
    )
    run = only(lines)
    assert (run.status, run.stage, run.model.address, run.runner.executorch_version) == (
        "passed",
        "complete",
        "0x80200000",
        None,
    )
    assert run.times and run.times.inference_seconds == 0.0385
    cut = only("".join(lines.splitlines(keepends=True)[:3]))
    assert (cut.status, cut.stage) == ("truncated", "load")
    assert not read_capture("x", b"Loading model from 0x80200000\n").runs


FAULT = (
    "++ MbedOS Fault Handler ++\n\nFaultType: HardFault\n\nContext:\nR0   : 00000001\nLR   : 00003A15\nPC   : 00003A22\n"
    "HFSR : 40000000\nMMFSR: {memory}\nBFSR : {bus}\nUFSR : 00000000\nMMFAR: {address}\n-- MbedOS Fault Handler --\n"
)


@pytest.mark.parametrize(
    ("memory", "bus", "address", "advice"),
    [
        ("00000082", "00000000", "00000014", "Access to 00000014 is not permitted: a null pointer was followed."),
        (
            "00000082",
            "00000000",
            "2004F000",
            "Access to 2004F000 is not permitted: check pointers, and the MPU regions there.",
        ),
        ("00000002", "00000000", "00000014", "Look up the pc in the ELF"),
        ("00000000", "00000004", "00000000", "Look before the pc for the failed write, which is reported late."),
    ],
)
def test_what_the_address_of_a_memory_management_fault_tells(memory: str, bus: str, address: str, advice: str) -> None:
    text = FAULT.format(memory=memory, bus=bus, address=address)
    assert read_capture("x", text.encode()).findings[0].advice.startswith(advice)


def test_milliseconds_become_the_seconds_that_the_log_stands_for() -> None:
    for ms in ("45.2", "0.7", "16.1", "2.301"):
        lines = f"ExecuTorch Runtime Starting...\nRunning inference...\nInference complete: {ms}ms\n"
        run = only(lines)
        assert run.times and run.times.inference_seconds == float(f"{ms}e-3")
    (summary,) = read_capture("x", b"Batch Inference time   1.11 ms,  900.90 inferences/s (batch size 1)\n").compile
    assert summary.inference_seconds == 0.00111


def test_banners_that_name_alif_s_chip_tell_of_a_board() -> None:
    lines = (
        "  MNIST NPU - Alif E4\n[SYS] Board initialized\n[MODEL] Size: 13056 bytes\n[TEST] Running 2 tests...\n[RES] Pred:1 Exp:1 -> PASS\n"
        "[RES] Pred:4 Exp:4 -> PASS\n  RESULTS: 2/2 passed\n"
    )
    run = only(lines)
    assert (run.status, run.target.platform, run.model.pte_bytes, run.cycles and run.cycles.inferences) == (
        "passed",
        "board",
        13056,
        2,
    )
    run = only(
        "ExecuTorch MNIST NPU Demo\nAlif Ensemble E4 - Cortex-M55 HE\n\nLoading model ...\nRunning inference...\nInference completed!\n"
        "Predicted digit: 6\n"
    )
    assert (run.status, run.target.platform, run.predictions) == ("passed", "board", (Prediction(6, None, None),))
    assert not read_capture("x", b"Predicted digit: 6\n").runs


def test_an_arena_that_held_no_descriptions_of_tensors_comes_before_the_fault_that_followed() -> None:
    fault = FAULT.format(memory="00000000", bus="00000004", address="00000000")
    capture = read_capture(
        "x",
        f"Failed to allocate memory for tensor_info, 1480 bytes required\nAllocateTensors() failed\n\n{fault}".encode(),
    )
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan")]
    assert (capture.findings[0].rule, capture.findings[0].title) == (
        "arena-too-small",
        "The tensor arena is too small: 1.4 KiB did not fit",
    )
    assert {finding.severity for finding in capture.findings[1:]} == {"info"}
