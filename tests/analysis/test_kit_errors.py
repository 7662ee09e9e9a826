"""The evaluation kit's own error lines: what it says last is true of every end, so its errors decide."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read

OPEN = lines(
    "INFO - ", "Ethos-U device initialised", "\tMACs/cc:    128", "Target system design: Arm Corstone-300 - AN552"
)
LAST = "INFO - program terminating...\n"
WORK = lines("INFO - ", "Running inference on image 0 => a.bmp", "0) 283 (0.7) -> tiger cat")


@pytest.mark.parametrize("last", ["", LAST, "INFO - Main loop terminated.\n"])
@pytest.mark.parametrize(
    "said",
    [
        "Failed to initialise platform MPS3",
        "IFM reserved buffer size insufficient",
        "KWS model has not been initialised",
    ],
)
def test_an_error_line_ends_a_run_that_did_not_begin_its_work(said: str, last: str) -> None:
    capture = read(f"{OPEN}ERROR - {said}\n{last}")
    assert [(run.status, run.last_line) for run in capture.runs] == [("failed", 4 + bool(last))]
    finding = capture.findings[0]
    assert (finding.rule, finding.detail, finding.lines) == ("run-failed", f"The log says: ERROR - {said}.", (4,))


def test_the_last_words_pass_what_has_worked() -> None:
    assert only(OPEN + WORK + LAST).status == "passed"
    assert only(OPEN + WORK + "INFO - Main loop terminated.\n").status == "passed"
    assert only(OPEN + LAST).status == "truncated"  # without any work, and without a reason
    display = read(OPEN + "ERROR - Invalid image size for given location!\n" + WORK + LAST)
    assert [run.status for run in display.runs] == ["passed"]
    assert "error-messages" not in {finding.rule for finding in display.findings}


def test_the_mark_of_other_programs_is_not_the_kits() -> None:
    port = "Model buffer loaded, has 1 methods\nRunning method forward\n"
    assert only(port + "ERROR - cannot reach the broker\n").status == "truncated"
    assert read("2026-01-01 10:00:00,123 ERROR - cannot reach the broker\n").runs == ()


def test_a_heap_that_is_full_is_told() -> None:
    assert read(OPEN + "WARN - Out of heap\n").findings[0].rule == "board-memory-full"
