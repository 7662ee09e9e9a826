"""Applications that look at camera pictures without end: one picture that was worked through is a run that passed."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

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


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (COUNTER + "detector: method load failed (err=48)\n", "method-load-failed"),
        (COUNTER + "detector: run failed (err=35)\n" * 2, "execution-failed"),
        (COUNTER + FRAME.format(0, 90) + "detector: run failed (err=35)\n", "execution-failed"),
        (COUNTER + BENCHMARK.format(0), "execution-failed"),
        (PERSON + "VSI camera error\n", "run-failed"),
        (
            HANDS + "hand_gst:E(16):AllocateTensors failed (try increasing TFLM_ARENA_SIZE; have 4000 bytes)\n",
            "run-failed",
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


def test_their_words_alone_are_no_run() -> None:
    assert all(read(text).runs == () for text in (USED, "Video input ended\n", "detector: run failed (err=35)\n"))
