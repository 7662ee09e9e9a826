"""The example of the Raspberry Pi Pico: digits, ports that know other things, and how it loads its program."""

from __future__ import annotations

import pytest

from .port_logs import only, read


def test_the_digits_of_the_pico_example() -> None:
    digit = "Running neural network inference...\n\u23f1\ufe0f  Inference time: {} us\n\u2705 Neural network results:\n  Digit 7: 1640.000 \u2190 PREDICTED\n\n"
    right = "\U0001f3af PREDICTED: 7 (Expected: 7) \u2705 CORRECT!\n"
    end = "\U0001f389 All tests complete! ExecuTorch inference of neural network works on Pico2!\n"
    log = f"   Method allocator: 45632 / 204800 bytes used\n{digit.format(312)}{right}{digit.format(245)}{right}"
    run = only(log + end)
    assert (run.status, run.stage, run.runner.kind, run.target.platform) == ("passed", "complete", "other", "board")
    assert run.memory.pools == {"method": (45_632, None, 204_800)}
    assert run.times.inference_seconds == 0.000245
    assert [r.status for r in read(f"{log}{end}{log}{end}").runs] == ["passed", "passed"]
    assert only(log).status == "truncated"
    assert only(log[: log.index("\u23f1")]).status == "hung"
    wrong = read(log + right.replace("\u2705 CORRECT", "\u274c WRONG") + end)
    assert (wrong.runs[0].status, wrong.findings[0].rule) == ("failed", "outputs-not-expected")
    failed = read(log + "\u274c Failed to execute: error 1\nFailed to run inference\n")
    assert (failed.runs[0].status, failed.findings[0].rule) == ("failed", "execution-failed")
    unset = read(log + "\u274c Failed to set input: error 18\nFailed to run inference\n")
    assert (unset.runs[0].status, unset.findings[0].rule) == ("failed", "inputs-failed")
    earlier = "\ufffd PREDICTED: 7 (Expected: 7) \u2705 CORRECT!\n\U0001f389 All tests complete! PyTorch neural network works on Pico2!\n"
    assert only(earlier).status == only(earlier.replace("\U0001f389", "\ufffd")).status == "passed"
    assert read(digit.format(1) + right).runs == read("\u274c Failed to execute: error 1\n").runs == ()


@pytest.mark.parametrize("lost", ["", "\x81\x8d\x8f\x90\x9d"])
def test_what_a_terminal_showed_in_windows_code_page_is_read(lost: str) -> None:
    right = "\U0001f3af PREDICTED: 7 (Expected: 7) \u2705 CORRECT!\n"
    log = f"Running neural network inference...\n\u23f1\ufe0f  Inference time: 312 us\n\u2705 Neural network results:\n{right}"
    log = f"   Method allocator: 45632 / 204800 bytes used\n{log}"
    end = "\U0001f389 All tests complete! ExecuTorch inference of neural network works on Pico2!\n"

    def shown(text: str) -> str:
        western = "".join(
            bytes((byte,)).decode("cp1252" if chr(byte) not in "\x81\x8d\x8f\x90\x9d" else "latin-1")
            for byte in text.encode()
        )
        return western.translate(dict.fromkeys(map(ord, lost)))

    assert [run.status for run in read(shown(log + end)).runs] == ["passed"]
    assert only(shown(log + end)).times.inference_seconds == (None if lost else 0.000312)
    failed = read(shown(log + "\u274c Failed to execute: error 1\nFailed to run inference\n"))
    assert (failed.runs[0].status, failed.findings[0].rule) == ("failed", "execution-failed")


def test_a_port_of_the_pico_example_that_knows_things_instead_of_digits() -> None:
    start = "Loading model data (4096 bytes)...\n\u2705 Program loaded successfully\n   Method count: 1\n   Method 0 name: forward\n"
    planned = "\U0001f9e0 Memory Planner requires 2 arenas:\n   Arena 0: 28672 bytes\n   Arena 1: 1024 bytes\n\ufffd Loading method 'forward'...\n"
    running = "=== Image 1 ===\nRunning neural network inference...\n"
    answer = "\u2705 Neural network results:\n  Raw Logit:          2.500\n"
    run = only(start + planned + running + answer)
    assert (run.status, run.stage, run.model.pte_bytes, run.memory.planned_buffers) == (
        "truncated",
        "report",
        4096,
        (28_672, 1_024),
    )
    assert only(start + planned + running).status == "hung"
    wrong = "\U0001f3af PREDICTED: Cat (Expected: Dog) \u274c WRONG!\n"
    assert read(start + running + answer + wrong).findings[0].rule == "outputs-not-expected"
    assert read(planned).runs[0].memory.planned_buffers == ()
    assert read("Arena 0: 28672 bytes\n\u2705 Neural network results:\n").runs == ()


def test_how_the_pico_example_loads_its_program() -> None:
    start = "Loading model data (90112 bytes)...\n"
    loaded = (
        "\u2705 Program loaded successfully\n\U0001f4ca Program info:\n   Method count: 2\n   Method 0 name: forward\n"
    )
    method = "\U0001f504 Loading method 'forward'...\n"
    run = only(start + loaded + method)
    assert (run.status, run.stage, run.runner.kind, run.target.platform) == ("truncated", "plan", "other", "board")
    assert (run.model.pte_bytes, run.model.methods, run.model.method) == (90_112, 2, "forward")
    for mark in ("\u274c ", "\ufffd ", ""):
        missing = read(
            f"{start}{loaded}{method}{mark}Failed to load method: error 20\n   \u2192 Operator missing\nFailed to load and prepare model\n"
        )
        assert (missing.runs[0].status, missing.runs[0].stage, missing.findings[0].rule) == (
            "failed",
            "plan",
            "missing-operator",
        )
        broken = read(
            f"{start}{mark}Failed to load model: error 35\n   \u2192 Invalid program format\nFailed to load and prepare model\n"
        )
        assert (broken.runs[0].status, broken.runs[0].stage, broken.findings[0].rule) == (
            "failed",
            "load",
            "program-load-failed",
        )
    assert [r.status for r in read((start + loaded) * 2).runs] == ["truncated", "truncated"]
    later = read(f"{method}\u274c Failed to load method: error 20\n")
    assert [(r.status, r.runner.kind) for r in later.runs] == [("failed", "other")]
    assert read("Method count: 2\nFailed to load model: error 3\n").runs == ()


@pytest.mark.parametrize(
    ("picture", "sign"),
    [
        ("\ufffd ", "\ufffd "),
        ("\ufffd" * 4 + " ", "\ufffd" * 3 + " "),
        ("? ", "? "),
        ("?? ", "? "),
        ("???? ", "??? "),
        ("", ""),
    ],
)
def test_the_verdict_of_the_pico_example_without_its_pictures(picture: str, sign: str) -> None:
    start = "Loading model data (90112 bytes)...\nRunning neural network inference...\n"
    said = f"{picture}PREDICTED: 4 (Expected: 0) {sign}{{}}!\n"
    end = f"{picture}All tests complete! ExecuTorch inference of neural network works on Pico2!\n"
    wrong = read(start + said.format("WRONG") + end)
    assert (wrong.runs[0].status, wrong.findings[0].rule) == ("failed", "outputs-not-expected")
    assert only(start + said.format("CORRECT") + end).status == "passed"
    assert only(start + said.format("CORRECT")).stage == "report"
