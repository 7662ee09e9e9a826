"""Applications for Zephyr that hold their outputs against known ones: what they load, where they fail, and their verdict."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.outputs.read import read_outputs
from ethosu_tui.analysis.report_tables import outputs_table

from .port_logs import only
from .test_report_figures import lines_of

LOADER = (
    "<inf> main: ExecuTorch Hello World Sample",
    "<inf> program_loader: ProgramLoader initialized successfully",
    "<inf> program_loader: Loading embedded program, size: 2048 bytes",
    "<inf> program_loader: Program loaded successfully",
    "<inf> program_loader: Method requires 1 memory-planned buffers",
    "<inf> program_loader: Allocating planned buffer 0, size 96 bytes",
    "<inf> program_loader: Method 'forward' loaded successfully",
    "<inf> main: Program loaded successfully",
    "<inf> program_loader: Running inference with inputs of size 1",
    "<inf> program_loader: Method executed successfully",
    "<inf> program_loader: Inference completed, output size: 1 elements",
    "<inf> main: Inference result: 2.00 + 3.00 = 5.00",
)
PASSED = "<inf> main: \u2713 Test PASSED: Addition worked correctly!"
BOOTED = "*** Booting Zephyr OS build v4.2.0 ***"


def console(*messages: str) -> str:
    """With the banner and a stamp before each line, as Zephyr prints them."""
    return "".join(f"{line}\n" for line in (BOOTED, *(f"[00:00:00.{n:03},000] {m}" for n, m in enumerate(messages))))


def test_a_loader_of_sums_is_read_to_its_end() -> None:
    run = only(console(*LOADER, PASSED))
    assert (run.status, run.stage, run.runner.kind) == ("passed", "complete", "zephyr")
    assert (run.model.pte_bytes, run.memory.planned_buffers) == (2048, (96,))
    assert only(console(*LOADER[:9])).status == "hung"


@pytest.mark.parametrize(
    ("steps", "said", "stage", "rule", "words"),
    [
        (3, "program_loader: Failed to load program: 35", "load", "program-load-failed", "0x23"),
        (4, "program_loader: Failed to get method metadata: 18", "load", "method-missing", "0x12"),
        (6, "program_loader: Failed to load method 'forward': 32", "plan", "method-load-failed", "0x20"),
        (5, "program_loader: Failed to allocate memory-planned buffer 0 of size 65536", "plan", "method-pool-too-small", "65536"),
        (9, "program_loader: Input size mismatch for tensor 0: expected 4 bytes, got 8 bytes", "execute", "input-size-mismatch", "8 bytes"),
        (9, "program_loader: Method execution failed: 1", "execute", "execution-failed", "0x01"),
        (12, "main: \u2717 Test FAILED: Expected 5.0, got 4.00", "complete", "outputs-not-expected", "got 4.00"),
    ],
)  # fmt: skip
def test_each_step_of_the_loader_that_fails_is_the_root_cause(
    steps: int, said: str, stage: str, rule: str, words: str
) -> None:
    log = console(*LOADER[:steps], f"<err> {said}", "<err> main: Failed to load program: 18")
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    first = capture.findings[0]
    assert first.rule == rule and words in f"{first.title} {first.detail}"


SPOTTED = (
    f"{BOOTED}\nI [executorch:main.cpp:9 main()] Model data loaded. Size: 35280 bytes.\nI [executorch:main.cpp:10 main()]\n"
    "--- Starting inference ---\nI [executorch:main.cpp:11 main()] Inference completed in 12 ms\n"
    "I [executorch:main.cpp:12 main()]     [0] silence: -0.0600 (q: 0x78)\nI [executorch:main.cpp:12 main()]     [1] yes: 0.1200 (q: 0x8f)\n"
)
DEMO = "I [executorch:main.cpp:13 main()] Keyword Spotting Demo Complete\nI [executorch:main.cpp:14 main()] Inference time: 12 ms\n"
VERDICT = "I [executorch:main.cpp:15 main()] Result: "


def test_keyword_spotting_passes_only_by_its_own_verdict() -> None:
    assert only(f"{SPOTTED}{DEMO}{VERDICT}PASS\n").status == "passed"
    differs = "I [executorch:main.cpp:12 main()] WARNING: Output differs from expected values\n"
    for log in (
        f"{SPOTTED}{DEMO}{VERDICT}FAIL\n",
        f"{SPOTTED}{differs}{DEMO}",
        f"{SPOTTED}{differs}{DEMO}{VERDICT}FAIL\n",
    ):
        capture = read_capture("x", log.encode())
        assert [run.status for run in capture.runs] == ["failed"]
        assert capture.findings[0].rule == "outputs-not-expected"


def test_values_in_the_order_of_their_classes_are_no_ranking() -> None:
    rows = outputs_table(only(f"{SPOTTED}{DEMO}")).rows
    assert [row[0].text for row in rows] == ["class 0", "class 1"]
    ranked = SPOTTED.replace("-0.0600", "0.5000")
    assert [row[0].text for row in outputs_table(only(f"{ranked}{DEMO}")).rows] == ["top 1", "top 2"]


def test_values_with_their_classes_are_the_tensor_that_the_line_above_names() -> None:
    header = "I [executorch:main.cpp:12 main()]   output[0]: scalar_type=Float numel=2\n"
    first = "I [executorch:main.cpp:12 main()]     [0]"
    log = SPOTTED.replace(first, f"{header}{first}") + DEMO
    run = only(log)
    assert [(t.count, t.dtype, t.elided, t.first) for t in run.outputs] == [(2, "float", False, (-0.06, 0.12))]
    assert [(p.index, p.label) for p in run.predictions] == [(0, "silence"), (1, "yes")]
    (output,) = read_outputs(lines_of(log.encode()), run)
    assert (output.count, list(output.values)) == (2, [-0.06, 0.12])
    assert only(f"{SPOTTED}{DEMO}").outputs == ()


@pytest.mark.parametrize(
    "log",
    [
        "Result: FAIL\n",
        "libbpf: Failed to load program: 22\nFailed to load program: 22\n",
        "<err> worker: Method execution failed: 1\n<inf> worker: Running inference with inputs of size 4\n",
        "\u2717 Test FAILED: Expected 5.0, got 4.0\n",
    ],
)
def test_other_programs_that_speak_alike_are_no_runs(log: str) -> None:
    capture = read_capture("x", log.encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_an_input_whose_beginning_the_log_lost_shows_no_value() -> None:
    log = (
        "Input[0][98]: 1.000000\nInput[0][99]: 1.000000\nI [executorch:a.cpp:324] Starting the model execution...\n"
        "I [executorch:a.cpp:383] Model executed successfully.\n"
    )
    assert outputs_table(only(log)).rows[0][3].text == "\u2026"


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("Arena size is too small for all buffers. Needed 212064 but only 191120 was avai", 20944),  # cut by a terminal
        ("Failed to allocate tail memory. Requested: 40, available 0, missing: 40 Unable to allocate a tensor.", 40),
    ],
)
def test_an_arena_that_is_too_small_is_told_from_a_line_that_is_cut_or_goes_on(said: str, missing: int) -> None:
    finding = read_capture("x", f"{said}\nAllocateTensors() failed\n".encode()).findings[0]
    assert finding.rule == "arena-too-small" and f"{missing} bytes are missing" in finding.detail
