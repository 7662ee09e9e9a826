"""A log that goes from a run's preparation straight to its end: the run passed by its own words, and the gap is said."""

from __future__ import annotations

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.scan import Scanner

GAP = "".join(f"I [executorch:arm_executor_runner.cpp:{at} main()] {text}\n" for at, text in (
    (703, "Running method forward"), (714, "Setup Method allocator pool. Size: 62914560 bytes."), (1550, "Program complete, exiting."),
))  # fmt: skip


def test_a_run_whose_execution_is_not_in_the_log_passed_and_is_doubted() -> None:
    capture = read_capture("x", GAP.encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(found.rule, found.severity, found.lines) for found in capture.findings] == [
        ("execution-not-logged", "warning", (2, 3))
    ]
    lines = GAP.splitlines(keepends=True)
    for told in ("Starting running 1 inferences...", "NPU Inferences : 1", "1 inferences finished", "Model run: 1"):
        ran = "".join((*lines[:2], f"I [executorch:arm_executor_runner.cpp:1 main()] {told}\n", lines[2]))
        assert "execution-not-logged" not in {found.rule for found in read_capture("x", ran.encode()).findings}, told
    assert not read_capture("x", lines[2].encode()).findings, "a run whose start is lost too shows no gap"


def test_many_runs_without_their_execution_are_each_doubted_however_they_are_read() -> None:
    text = GAP.encode() * 3_000
    scanner = Scanner("night.log", full_runs=3_000)
    scanner.feed(text)
    scanner.finish()
    assert [(f.rule, f.run, f.lines) for f in scanner.capture().findings] == [
        ("execution-not-logged", run, (3 * run - 1, 3 * run)) for run in range(1, 3_001)
    ]
