"""Runs between other programs' lines that no layout fits: read apart from their capture, and to the same."""

from __future__ import annotations

import random

import pytest

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.fast import layouts
from ethosu_tui.analysis.fast.alone import MOST_LINES, Alone, read_alone
from ethosu_tui.analysis.fast.cleaned import Cleaned, Shapes

from .test_scan import agree, made
from .test_scan_noisy import RUN

STAMP = b"[2026-01-01 00:00:00.020] "
FIRST = b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $"
METHODS = b"I [executorch:arm_executor_runner.cpp:376] Model buffer loaded, has 1 methods"
RUNNING = b"I [executorch:arm_executor_runner.cpp:384] Running method forward"


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Alone]:
    """What was read apart while the test ran."""
    found: list[Alone] = []

    def noting(cleaned: Cleaned, index: int) -> Alone | None:
        alone = read_alone(cleaned, index)
        found.extend([alone] if alone is not None else [])
        return alone

    monkeypatch.setattr(layouts, "read_alone", noting)
    return found


def _cut(size_bytes: int, seed: int, line: bytes = b"") -> tuple[bytes, int]:
    """A noisy capture of which every third run is cut, and has this line in it; how many those are."""
    rng = random.Random(seed)
    runs = RUN.split(made("noisy", "classic", size_bytes, seed))[1:]
    for place in range(0, len(runs), 3):
        lines = runs[place].splitlines(keepends=True)[: rng.randrange(3, 40)]
        if line:
            at = rng.randrange(1, len(lines))
            lines.insert(at, lines[at][: len(STAMP)] + line + b"\r\n")
        runs[place] = b"".join(lines)
    return b"".join(runs), len(runs) // 3


def test_runs_that_were_cut_anywhere_are_read_apart(read: list[Alone]) -> None:
    data, cut = _cut(900_000, 8)
    agree(data, 1 << 18)
    assert sum(alone.run.status == "truncated" for alone in read) > cut // 3
    read.clear()
    agree(data, 10_007, jsonl=True)
    assert sum(alone.run.status == "truncated" for alone in read) > cut // 3


@pytest.mark.parametrize(
    "line",
    [
        b"[100%] Linking CXX executable arm_executor_runner",
        b"Running e2e for ethos-u55-128",
        b'echo "A==" | base64 -d >etdump.bin',
        b"E [executorch:method.cpp:12] something failed",
        b"tio: connected",
    ],
)
def test_lines_of_others_within_them_are_read_alike(line: bytes) -> None:
    agree(_cut(400_000, 6, line)[0], 1 << 18, both=True)


def test_a_reading_that_comes_to_something_else_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is compared with what the capture's reader makes of the same lines."""
    times = 0

    def wrong(cleaned: Cleaned, index: int) -> Alone | None:
        nonlocal times
        alone = read_alone(cleaned, index)
        times += alone is not None and alone.run.status == "truncated"
        return alone and alone._replace(run=alone.run._replace(stage="complete"))

    monkeypatch.setattr(layouts, "read_alone", wrong)
    agree(_cut(400_000, 8)[0], 1 << 18)
    assert times == 1


def _alone(*lines: bytes) -> Alone | None:
    """The run that these lines are, between noise, with a first line behind them."""
    data = b"".join(STAMP + line + b"\r\n" for line in (*lines, FIRST))
    shapes = Shapes(STAMP, b"\r")
    return read_alone(Cleaned(shapes, data, 0, len(data) - len(STAMP + FIRST) - 2, 1, 0), 7)


def test_what_is_read_of_one_run() -> None:
    found = _alone(FIRST, b"wifi: rssi=-60 dBm", METHODS, b"sched: idle 3 ticks", RUNNING, b"sched: idle 4 ticks")
    assert found is not None
    run = found.run
    assert (run.index, run.first_line, run.last_line, run.status, run.stage) == (7, 1, 5, "truncated", "load")
    assert run.lines["model.methods"] == 3
    assert (found.recognised, found.lines, found.trailing) == (3, 3, 0)
    assert [finding.rule for finding in found.findings] == ["truncated-log"]


@pytest.mark.parametrize(
    "lines",
    [
        (FIRST, METHODS, METHODS),
        (FIRST, METHODS, b'echo "UEsDBBQ" | base64 -d >etdump.bin \x00', RUNNING),
        (FIRST, METHODS, b"[100%] Built target arm_executor_runner", RUNNING),
        (FIRST, METHODS, b"Info: /OSCI/SystemC: Simulation stopped by user. I [executorch:a.cpp:1] b", RUNNING),
        (METHODS, *[b"Output[0][%d]: 0.5" % element for element in range(MOST_LINES)]),
    ],
    ids=("a line that may be a copy", "an odd line", "a line of a build", "two lines in one", "a long dump"),
)
def test_what_its_capture_may_read_otherwise_is_left_to_it(lines: tuple[bytes, ...]) -> None:
    assert _alone(*lines) is None


def test_a_boot_that_no_run_goes_on_with_is_none() -> None:
    """Rows are taken after each block: where such a boot ends, there may be no row of anything."""
    boot = b"*** Booting Zephyr OS build v4.4.0 ***"
    launch = b"telnetterminal0: Listening for serial connection on port 5000"
    run = [FIRST, METHODS, RUNNING, b"I [executorch:arm_executor_runner.cpp:177] Program complete, exiting."]
    idle = [b"wifi: rssi=-60 dBm"] * 30
    lines = [boot, *run, launch, *run] * 80 + [boot, *idle, launch, *run, boot, *run, launch, *run] * 19
    data = b"".join(
        b"[2026-01-01 00:%02d:%02d.%03d] %s\r\n" % (i // 60, i % 60, i % 997, line) for i, line in enumerate(lines)
    )
    assert agree(data, 10_007, 997) > 50
