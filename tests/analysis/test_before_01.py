"""The Linux runner of the months before ExecuTorch 0.1: other words for its buffers, and outputs as bare numbers."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Capture

from .test_scan import _small_pieces, agree

_ = _small_pieces
TEXTS = (
    "Model file mv2.pte is loaded.",
    "Running method forward",
    "Setting up non-const buffer 1, size 18652672.",
    "Method loaded.",
    "Inputs prepared.",
    "Model executed successfully.",
)


def log(*values: str, texts: tuple[str, ...] = TEXTS) -> bytes:
    lines = (*texts, *values)
    return "".join(
        f"I 00:00:00.{i:06} executorch:executor_runner.cpp:{70 + i}] {text}\n" for i, text in enumerate(lines)
    ).encode()


def read(*values: str, texts: tuple[str, ...] = TEXTS) -> Capture:
    return read_capture("pre.log", log(*values, texts=texts))


def test_a_whole_run_has_passed_with_its_values() -> None:
    capture = read("0.500000", "-0.250000", "nan", *["3.125000"] * 997)
    (run,) = capture.runs
    assert (run.status, run.stage, run.runner.kind) == ("passed", "complete", "executor_runner")
    assert run.model.method == "forward"
    assert run.memory.planned_buffers == (18_652_672,)
    (output,) = run.outputs
    assert (output.count, output.dtype, output.first[:2]) == (1000, "float", (0.5, -0.25))
    assert [finding.rule for finding in capture.findings] == ["outputs-without-names"]


def test_a_run_that_was_cut_has_not() -> None:
    assert read().runs[0].status != "passed"
    assert read(texts=TEXTS[:4]).runs[0].status == "truncated"


def test_later_runners_announce_their_outputs_and_numbers_mean_nothing_there() -> None:
    (run,) = read("1 outputs:", "0.500000").runs
    assert not run.outputs
    assert run.status != "passed"


@pytest.mark.parametrize("text", ["1e999", "0x10", "0.5 ms", "5" * 100, "\u0665", ""])
def test_what_is_no_number_ends_them(text: str) -> None:
    run = read("0.5", text, "0.25").runs[0]
    assert run.outputs[0].count <= 3


def test_many_of_them_are_read_alike() -> None:
    agree(b"".join(log("0.500000", f"{n / 7:f}") for n in range(60)), 4000, jsonl=True)
