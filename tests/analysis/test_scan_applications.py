"""Nights of vendors' applications, as they are and with other programs' lines between: the scanner comes to what the reader comes to."""

from __future__ import annotations

import random
import re

import pytest

from ethosu_tui.analysis import scan

from .test_at_work import WORDS
from .test_himax import FRAME, PICTURE, READY, START
from .test_kit_errors import LAST, OPEN, WORK
from .test_psoc_edge import CPU, DONE, GOOD, MODEL, NPU
from .test_psoc_edge import START as PSOC
from .test_scan import agree
from .test_small_boards import EXECUTE, INIT, results
from .test_two_npus import TFLM, TFLM_LIVE, TFLM_READY
from .test_vision import CLASSIFIER, LOOP

RUNS = {
    "pictures": READY + PICTURE.format("cat", 64) * 3,
    "frames": START + FRAME.format(9000) * 3,
    "profiles": PSOC + MODEL + CPU + NPU + GOOD + DONE,
    "kit": OPEN + WORK + LAST,
    "kit that fails": OPEN + "ERROR - Failed to initialise platform MPS3\n" + LAST,
    "calls": INIT + EXECUTE + results(),
    "two": TFLM + TFLM_READY + TFLM_LIVE,
    "loop": CLASSIFIER + LOOP.format("61.20%") * 2,
}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


def _night(run: str, seed: int, others: float) -> bytes:
    """Eighty of them, each with cycles and times of its own; `others` is the share of lines with another program's before it."""
    rng = random.Random(seed)
    lines: list[str] = []
    for line in (run * 80).splitlines(keepends=True):
        if rng.random() < others:
            lines.append(f"{rng.choice(WORDS)}\n")
        lines.append(
            re.sub(
                r"(?<=[=\[])\d{4,}",
                lambda found: str(rng.randrange(10 ** (len(found[0]) - 1), 10 ** len(found[0]))),
                line,
            )
        )
    return "".join(lines).encode()


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("others", [0, 0.02])
def test_a_night_of_applications_is_read_alike(name: str, others: float) -> None:
    agree(_night(RUNS[name], 7, others), 1 << 18, 10_007, both=True)
