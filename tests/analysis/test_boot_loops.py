"""A target that boots again and again prints one start line for ever: each is a run, whichever way the capture is read."""

from __future__ import annotations

import random

import pytest

from ethosu_tui.analysis import read_capture

from .test_scan import _dense, _small_pieces, agree, scanned

_ = _small_pieces  # a fixture for these tests too
FIRST = b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"


@pytest.mark.parametrize(("times", "runs"), [(1, 1), (2, 1), (3, 3), (4, 4), (7, 7), (200, 200)])
@pytest.mark.parametrize("after", [b"", b"\n", b"Program complete, exiting.\n", b"I [executorch:a.cpp:1] x\n" * 2])
def test_each_start_is_a_run(times: int, runs: int, after: bytes) -> None:
    """Two equal first lines are one line that a tool wrote twice; of more, every one is a boot."""
    data = FIRST * times + after
    whole = read_capture("night.log", data)
    assert [(run.first_line, run.last_line) for run in whole.runs[:-1]] == [(i, i) for i in range(1, runs)]
    assert len(whole.runs) == runs
    doubled = [finding for finding in whole.findings if finding.rule == "lines-doubled"]
    assert len(doubled) == (times == 2)
    for size in (7, len(FIRST), 1 << 18)[times > 7 :]:
        for jsonl in (False, True):
            rows, _, _, _ = scanned(data, 2, size, jsonl)
            assert [(row.first_line, row.start_byte) for row in rows] == [
                (run.first_line, (run.first_line - 1) * len(FIRST)) for run in whole.runs
            ]
            agree(data * 3, size, jsonl=jsonl)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_loops_between_reports_are_read_alike(seed: int) -> None:
    rng = random.Random(seed)
    reports = [run[len(FIRST) :] for run in _dense({})]
    loop = b"".join(
        FIRST * rng.choice((1, 1, 2, 2, 3, 4, 9)) + rng.choice((b"", b"other\n", reports[rng.randrange(30)]))
        for _ in range(120)
    )
    for size in (61, 30_011, 1 << 18):
        agree(loop[: size * 500], size)
    agree(loop, 1 << 18, jsonl=True)


@pytest.mark.parametrize("between", [b"", b"other\n"])
def test_with_host_times_too(between: bytes) -> None:
    lines = [b"[12:%02d:%02d.%03d] " % (i // 3600, i // 60 % 60, i % 60) + FIRST for i in range(100)]
    assert len(read_capture("night.log", b"".join(lines)).runs) == 100
    data = b"".join(lines) + b"".join(lines[:3]) + between + b"".join(lines[3:5]) + between.join(lines[5:])
    for size in (83, 1000, 1 << 18):
        agree(data, size)


def test_a_loop_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the first few boots of each block are counted, not read."""
    from ethosu_tui.analysis import runs

    read = [0]
    freeze = runs.freeze

    def counted(*values: object, **named: object) -> object:
        read[0] += 1
        return freeze(*values, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "freeze", counted)
    rows, _, _, _ = scanned(FIRST * 20_000, 2, 1 << 18)
    assert len(rows) == 20_000 and read[0] < 2_000


@pytest.mark.parametrize(("times", "loop"), [(1, False), (2, False), (3, True), (40, True)])
def test_a_loop_is_called_one(times: int, loop: bool) -> None:
    boot = FIRST + b"I [executorch:arm_executor_runner.cpp:372] Model PTE file loaded. Size: 960 bytes.\n"
    found = read_capture("night.log", boot * times).findings
    details = {f.detail for f in found if f.rule == "truncated-log"}
    assert len(details) == 1
    assert (f"{times} runs in a row end like this" in details.pop()) is loop


def test_runs_that_end_otherwise_are_no_loop() -> None:
    loaded = b"I [executorch:arm_executor_runner.cpp:372] Model PTE file loaded. Size: 960 bytes.\n"
    passed = FIRST + b"I [executorch:arm_executor_runner.cpp:700] Program complete, exiting.\n"
    report = b"I [executorch:arm_perf_monitor.cpp:180] Ethos-U PMU report:\nI [executorch:arm_perf_monitor.cpp:181] ethosu_pmu_cycle_cntr : 10\n"
    for data in (report * 5, (FIRST + loaded + passed) * 3, FIRST + loaded + (FIRST + loaded + b"other\n" * 20) * 3):
        found = read_capture("night.log", data).findings
        assert not any("in a row" in f.detail for f in found)
