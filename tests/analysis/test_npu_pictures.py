"""Programs of Arm's packs in which the NPU enlarges pictures, and boards that print the NPU's version on one line."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

BANNER = "Ethos-U version info:\n\tArch:       v2.0.0\n\tMACs/cc:    256\n\tCmd stream: v1\n"
ONE_LINE = "Ethos-U: v1.1.0, 128 MACs/cycle, command stream v0\n"
TILES = BANNER + "Helium tiling: full/half, 2x2 AA; Ethos half-scale upscale\n"
SHOWN = "display on (0); type help for controls\n"
DRAWN = "frame {}: half AA 1 iter 12 | geometry 16.2 ms, upscale 4.1 ms | render 24.1 ms | rounds/vector 6.21, capped 3/24\n"
GAME = BANNER + "[npu] program 4000 bytes; method pool 3000 B, temp pool 2000 B\n"
MEASURED = "[npu] {:13} execute avg 70 us, min 60 us; IO copies 10 us; NPU busy 50 us; frame[0] -9, frame[last] 1\n"


def test_tiles() -> None:
    run = only(TILES + SHOWN + DRAWN.format(0) + DRAWN.format(12))
    assert (run.status, run.target.name, run.times.inference_seconds) == ("passed", "ethos-u85-256", None)
    assert only(TILES + DRAWN.format(0)).status == "truncated"
    assert only(TILES + DRAWN.format(0) + "Test_result: PASS\n").status == "passed"


def test_a_game() -> None:
    run = only(GAME + MEASURED.format("qpresent") + MEASURED.format("qshade"))
    assert (run.status, run.model.pte_bytes, run.times.inference_seconds) == ("passed", 4_000, None)
    assert run.memory.pools == {"method": (None, None, 3_000), "temp": (None, None, 2_000)}


@pytest.mark.parametrize(
    ("text", "stage", "rule"),
    [
        (TILES + "upscale preparation failed\n", "plan", "method-load-failed"),
        (TILES + "upscale input failed\n", "inputs", "inputs-failed"),
        (TILES + SHOWN + DRAWN.format(0).replace("half", "full") + "display vblank timeout\n", "complete", "run-failed"),
        (TILES + "upscale failed: 35\n", "execute", "execution-failed"),
        (GAME + "[npu] qpresent failed (err=20)\n", "plan", "missing-operator"),
        (BANNER + "YOLO26n cat detector: Ethos-U85, input 9x9\nSRAM1: clock request failed (error 1)\n", "load", "run-failed"),
    ],
)  # fmt: skip
def test_how_they_fail(text: str, stage: str, rule: str) -> None:
    capture = read(text)
    (run,) = capture.runs
    assert (run.status, run.stage, capture.findings[0].rule) == ("failed", stage, rule)


def test_a_version_on_one_line() -> None:
    boot = ONE_LINE + "Traffic counter: YOLO26n on the Ethos-U55, input 9x9\n"
    runs = read(2 * boot).runs
    assert [(run.target.name, run.first_line, run.last_line) for run in runs] == [
        ("ethos-u55-128", 1, 2),
        ("ethos-u55-128", 3, 4),
    ]


def test_their_words_alone_are_no_run() -> None:
    assert not read(DRAWN.format(0) + MEASURED.format("q") + lines("", "upscale input failed", "present failed")).runs
