"""Applications that look at camera pictures without end: one picture that was worked through is a run that passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from .port_logs import lines, only, read

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
COUNTER = "Traffic counter: YOLO26n on the Ethos-U55, input 416x416 RGB888, core 400 MHz, line at 99 vertical\n"
FRAME = "frame {}: 1 vehicle, 0 counted (0/0), 0.0 fps; frame 900 us = input 1 + detect {} (NPU 70) + track 4 + picture 2 + SDS 0; display 1, convert 3\n"
BENCHMARK = "benchmark: {} runs, total min 80 us avg 90 us, NPU min 60 us avg 70 us, 3 vehicles\n"
PERSON = "Initializing VSI camera and MPS3 LCD\nReady for VSI frames\nInference time: 81 us\nDetections: 1\n"
HANDS = lines("hand_gst:I(15):", "ethosu scratch -> HSRAM 0x28060010 size=2621", "model -> SLAB 0x60012340 size=1843",
              "arena -> SLAB 0x60212340 size=4000")  # fmt: skip
USED = lines(
    "hand_gst:I(16):",
    "arena used 3000 / 4000 bytes",
    "hands_1 Invoke time: 18 ms",
    "=== hands_1 (640x480) detections=1 ===",
)


def test_a_counter_on_a_board() -> None:
    run = only(COUNTER + "camera: 640x480 RGB565 (0)\n" + FRAME.format(0, 90) + FRAME.format(100, 80))
    assert (run.status, run.last_line, run.target.npu, run.times.inference_seconds) == ("passed", 4, "ethos-u55", 8e-05)
    assert only(COUNTER).status == "truncated"
    assert only(COUNTER + BENCHMARK.format(9)).status == "passed"


def test_a_first_picture_that_failed_is_a_warning() -> None:
    failed = "detector: run failed (err=35)\n"
    capture = read(COUNTER + failed + FRAME.format(0, 90))
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity) for f in capture.findings][:1] == [("execution-failed", "warning")]
    assert only(COUNTER + failed).status == "failed"
    assert only(COUNTER + 2 * failed + FRAME.format(0, 90)).status == "failed"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (COUNTER + "detector: method load failed (err=48)\n", "method-load-failed"),
        (COUNTER + "detector: run failed (err=35)\n" * 2, "execution-failed"),
        (COUNTER + FRAME.format(0, 90) + "detector: run failed (err=35)\n", "execution-failed"),
        (COUNTER + BENCHMARK.format(0), "execution-failed"),
        (COUNTER + "benchmark: program 9000 bytes, copy buffer 8000\n", "run-failed"),
        (PERSON + "VSI camera error\n", "run-failed"),
        (
            HANDS + "hand_gst:E(16):AllocateTensors failed (try increasing TFLM_ARENA_SIZE; have 4000 bytes)\n",
            "tensors-not-allocated",
        ),
        (HANDS + "hand_gst:E(16):hands_1: Invoke failed\n", "execution-failed"),
        (HANDS + "hand_gst:E(16):output shape mismatch: expect [1,22,2100]\n", "run-failed"),
        (HANDS[: HANDS.index("hand_gst:I(15):arena")] + "hand_gst:E(16):alloc arena failed 4000\n", "heap-too-small"),
        (
            HANDS[: HANDS.index("hand_gst:I(15):model")] + "hand_gst:E(16):alloc model failed, size=1859\n",
            "heap-too-small",
        ),
    ],
)
def test_how_they_fail(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule


def test_a_detector_on_a_virtual_camera() -> None:
    run = only(PERSON + "Video input ended\n")
    assert (run.status, run.target.platform, run.times.inference_seconds) == ("passed", "fvp", 81e-6)
    assert only(PERSON).status == "truncated"


def test_hands_on_a_chip() -> None:
    run = only(HANDS + USED)
    assert (run.status, run.model.pte_bytes, run.times.inference_seconds) == ("passed", 1_843, 0.018)
    assert run.memory.pools == {"tensor_arena": (3_000, None, 4_000)}
    short = USED.replace("18 ms", "820 us")
    assert (only(HANDS + short).status, only(HANDS + short).times.inference_seconds) == ("passed", 820e-6)
    assert read("x:E(3):hands_1: Invoke failed\nx:E(4):alloc arena failed 4000\n").runs == ()


PERSONS = "PersonDetection resourceLoad model=1843 arena=4000 scratch=131 format=3\n"
SEEN = lines(
    "PersonDetection",
    "Model arena total=4000 used=3000 free=1000",
    " input prepare: 8 us",
    " Invoke: 18120 us",
    " no target",
)


def test_persons_on_a_chip() -> None:
    run = only(PERSONS + SEEN)
    assert (run.status, run.model.pte_bytes, run.times.inference_seconds) == ("passed", 1_843, 0.01812)
    assert run.memory.pools == {"tensor_arena": (3_000, None, 4_000)}
    (failed,) = read(PERSONS + "PersonDetection Invoke failed\n").runs
    assert (failed.status, failed.stage) == ("failed", "execute")
    assert only("npu:E(15):bk_ethosu_init failed, ret=-1\n").status == "failed"
    assert not read(SEEN).runs


SET_UP = lines(
    "ap1:tflm:I(15):",
    "EthosU0 scratch allocated from HSRAM",
    "Model data loaded to PSRAM: 0x60011230, size=1843 bytes",
    "Tensor arena allocated from HSRAM: 0x28111230, size=4000 bytes",
)


def test_the_example_of_that_chip() -> None:
    known = lines("ap1:tflm:I(16):", "Invoke time: 4 ms", "person score:88%, no person score 12%")
    run = only(SET_UP + known + known.replace("88", "3"))
    assert (run.status, run.model.pte_bytes, run.model.address) == ("passed", 1_843, "0x60011230")
    assert (run.times.inference_seconds, [tuple(p) for p in run.predictions]) == (0.004, [(None, "person", 3)])
    assert run.memory.pools == {"tensor_arena": (None, None, 4_000)}
    untimed = only(SET_UP + "ap1:tflm:I(16):person score:88%, no person score 12%\n")
    assert (untimed.status, untimed.times.inference_seconds) == ("passed", None)
    assert only(SET_UP).status == "truncated"
    assert not read(known).runs
    hung = (SAMPLES / "hang_u55_no_npu.log").read_text()
    for stray in ("person score:88%, no person score 12%\n", "AllocateTensors failed\n"):
        assert only(hung + stray).status == "hung"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (SET_UP + "ap1:tflm:E(16):AllocateTensors failed\n", "tensors-not-allocated"),
        (SET_UP + "ap1:tflm:E(16):Invoke failed\n", "execution-failed"),
        (SET_UP + "ap1:tflm:E(16):runtime alloc tensor arena failed, size=4000\n", "heap-too-small"),
        ("ap1:hands:E(16):alloc ethosu scratch failed\n", "heap-too-small"),
    ],
)
def test_how_the_example_fails(text: str, rule: str) -> None:
    capture = read(text)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule


NXP = lines(
    "",
    "Model: digits_int8_npu",
    "Core/NPU Frequency: 200 MHz",
    "TensorArena Addr: 0x20000000 - 0x20010000",
    "TensorArena Size: Total 0x10000 (65536 B); Used 0x1000 (4096 B)",
    "Model Addr: 0x20400000 - 0x20401000",
    "Model Size: 0x1000 (4096 B)",
    "",
    "Static data processing:",
)
FOUND = lines("     ", "Inference time: {} us", "Detected: {} ({}%)")


def test_examples_without_executorch_on_nxp_go_on_with_the_next_picture() -> None:
    run = only(NXP + FOUND.format(700, "seven", 97) + FOUND.format(710, "no label detected", 0))
    assert (run.status, run.model.pte_bytes, run.times.inference_seconds) == ("passed", 4_096, 710e-6)
    assert [tuple(p) for p in run.predictions] == [(None, "no label detected", 0)]
    assert run.memory.pools == {"tensor_arena": (4_096, None, 65_536)}
    begun = only(NXP)
    assert (begun.status, begun.stage) == ("truncated", "load")
    assert only(NXP + "Inference time: 700 us\n").status == "truncated"
    assert not read("Detected: seven (97%)\n").runs


def test_those_with_executorch_end_by_themselves() -> None:
    loaded = (
        "Model buffer loaded, has 1 methods\nRunning method forward\nMethod loaded.\nModel executed successfully.\n"
    )
    done = "1 outputs:\n" + FOUND.format(700, "seven", 97) + "Output[0][0]: -1\n"
    assert only(loaded + done).status == "truncated"
    run = only(loaded + done + "Program complete, exiting.\n")
    assert (run.status, [tuple(p) for p in run.predictions]) == ("passed", [(None, "seven", 97)])


def test_their_words_alone_are_no_run() -> None:
    assert all(read(text).runs == () for text in (USED, "Video input ended\n", "detector: run failed (err=35)\n"))


CLASSIFIER = "*** Booting Zephyr OS build v4.3.0 ***\n" + lines(
    "I [executorch:ai_processing.cpp:9 ai_init()] ",
    "Model PTE at 0x20801230, Size: 65536 bytes",
    "Method allocator pool size: 1048576 bytes.",
    "Setting up planned buffer 0, size 49152.",
    "Method 'forward' loaded successfully",
    "Input tensor: scalar_type=Char, numel=12288, nbytes=12288",
)
LOOP = lines(
    "I [executorch:ai_processing.cpp:8 ai_task()] ",
    "",
    "--- Loop inference ---",
    "",
    "Top-5 predictions:",
    "  [1] class 817 (sports car): {}",
    "  [2] class 436 (beach wagon): 1.5",
    "Inference time: 24310 us (24 ms)",
).replace("ai_task()] \nI [executorch:ai_processing.cpp:8 ai_task()] ", "ai_task()] \n")


def test_a_classifier_under_zephyr() -> None:
    run = only(CLASSIFIER + LOOP.format("61.20%") + LOOP.format("3.25"))
    assert (run.status, run.runner.kind, run.times.inference_seconds) == ("passed", "zephyr", 0.02431)
    assert [tuple(p) for p in run.predictions] == [(817, "sports car", 3.25), (436, "beach wagon", 1.5)]
    assert only(CLASSIFIER).status == "truncated"
    assert read("Inference time: 24310 us (24 ms)\nInput size mismatch: got 1, expected 2\n").runs == ()


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Input size mismatch: got 12288, expected 49152\n", "input-size-mismatch"),
        ("Execution failed: 0x1\n", "execution-failed"),
    ],
)
def test_a_classifier_fails_in_its_loop(said: str, rule: str) -> None:
    for before in ("", LOOP.format("3.25")):
        capture = read(CLASSIFIER + before + f"E [executorch:ai_processing.cpp:7 ai_task()] {said}" * 2)
        assert [run.status for run in capture.runs] == ["failed"] and capture.findings[0].rule == rule


TASK = lines("", "INFO - Ethos-U device initialised", "47 9502 [ML_TASK] [INFO] Ethos-U55 device initialised",
             "50 9517 [ML_TASK] [INFO] \tMACs/cc:    64", "INFO - Activation buffer (a.k.a tensor arena) size used: 4096",
             "52 9732 [ML_TASK] [INFO] *** ML interface initialised")  # fmt: skip


@pytest.mark.parametrize(
    "heard",
    [
        "54 9628 [ML_TASK] [INFO] For timestamp: 0.500000 (inference #: 1); label: on, score: 0.9; threshold: 0.7\n",
        "67 10538 [acamera] [INFO] Complete recognition: Detected faces: 2\n",
    ],
)
def test_a_task_that_listens_or_looks_for_ever(heard: str) -> None:
    model = "INFO - Model address: 0x60000000INFO - Model size:      8192 bytes.INFO - Model info:\n"
    run = only(TASK + model + heard * 2)
    assert (run.status, run.last_line, run.target.name) == ("passed", 8, "ethos-u55-64")
    assert (run.model.address, run.model.pte_bytes) == ("0x60000000", 8_192)
    assert only(TASK).status == "truncated"
    assert only(TASK.replace("*** ML", "ML") + heard).status == "truncated"  # the kit itself says when it is done
    assert (
        only(TASK + heard + "INFO - Running inference on image 0 => a.bmp\nERROR - Inference failed.\n").status
        == "failed"
    )
