"""Programs of courses and vendors that run a model where nobody prints what the runner prints: digits on Alif's board, and two under Linux."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.report import Prediction

from .port_logs import lines, only, read

PLACEHOLDER = "  ExecuTorch MNIST NPU Demo\n  Alif Ensemble E8 - Cortex-M55 HE\n"
DIGITS = lines("", "  ExecuTorch MNIST - Alif E8", "  Cortex-M55 + Ethos-U55 NPU", "[ET] Loading model (9000 bytes)...",
               "[ET] Initializing ExecuTorch runtime...")  # fmt: skip
READY = lines("[ET] ", "Program loaded successfully", "ExecuTorch initialized successfully", "Memory: method=512KB, planned=512KB",
              "Model loaded OK") + "[TEST] Running 2 tests...\n"  # fmt: skip
DIGIT = "--- Test 1/2 ---\n[INF] Scores: 0:-12 7:99 \n[RES] Pred:7 Exp:7 -> {}\n"
VIDEO = lines("", "Found 9 frames in frames", "Allocating CMA: PTE=9000, input=602112, output=4000", "PTE mailbox written (9000 bytes)",
              "Waiting for initial model run...")  # fmt: skip
FRAME = "  frame 0/9: argmax=285 wall=41.2ms cycles=8120344 (24.3 FPS avg)\n"
AVERAGES = lines(
    "", "", "=== Video inference complete ===", "  Frames:     9", "  Avg frame:  40.9 ms", "  Avg cycles: 8119021"
)


def test_digits() -> None:
    run = only(DIGITS + READY + 2 * DIGIT.format("PASS") + "  RESULTS: 2/2 passed\n[SYS] All PASSED\n[HB] 10\n")
    assert (run.status, run.target.npu, run.model.pte_bytes) == ("passed", "ethos-u55", 9_000)
    assert (run.cycles.inferences, run.memory.pools) == (2, {})
    assert only(DIGITS + READY + DIGIT.format("PASS")).status == "truncated"


@pytest.mark.parametrize(
    ("text", "stage", "rule"),
    [
        (DIGITS + "[ET] Failed to load program: 35\n[ET] Init failed: -2\n", "load", "program-load-failed"),
        (DIGITS + "[ET] Program loaded successfully\n[ET] Failed to load method: 20\n", "plan", "missing-operator"),
        (DIGITS + READY + "[ET] Execute failed: 1\n[ERROR] Inference failed: -3\n  RESULTS: 0/2 passed\n", "execute", "execution-failed"),
        (DIGITS + READY + DIGIT.format("FAIL") + "  RESULTS: 1/2 passed\n", "report", "outputs-not-expected"),
        (DIGITS + READY + "  RESULTS: 1/2 passed\n", "report", "outputs-not-expected"),
        ("[ET] Initializing ExecuTorch runtime...\n[ET] Failed to load program: 35\n", "load", "program-load-failed"),
        (PLACEHOLDER + "SRAM0 power request failed: ret=3, err=1\nERROR: Failed to enable SRAM0\n", "start", "run-failed"),
        (PLACEHOLDER + "ERROR: Model initialization failed\n", "start", "run-failed"),
        (PLACEHOLDER + "Running inference...\nERROR: Inference failed\n", "execute", "execution-failed"),
        (VIDEO + "FAULT: stage=0xfa170003\n", "load", "run-failed"),
        (VIDEO + FRAME + "Frame 1: timeout/error (status=0xee)\n" + AVERAGES, "report", "execution-failed"),
    ],
)  # fmt: skip
def test_how_they_fail(text: str, stage: str, rule: str) -> None:
    capture = read(text)
    (run,) = capture.runs
    assert (run.status, run.stage, capture.findings[0].rule) == ("failed", stage, rule)
    assert (run.cycles.inferences, run.times.inference_seconds) == (None, None)


BEGUN = PLACEHOLDER + "\nInitializing SRAM0 power...\nSRAM0 enabled successfully\n\nLoading model (9000 bytes)...\n" + lines(
    "[ET] ", "ExecuTorch runtime initialized", "Ethos-U85 initialized at 0x49042000", "Model registered (9000 bytes)",
) + "Input sample: 784 bytes\n\nRunning inference...\n[ET] Loading program\n"  # fmt: skip
WITHIN = lines("[ET] ", "Method 'forward': inputs=1 outputs=1 planned=1", "input[0]: type=float32 nbytes=3136 shape=[1,1,28,28]",
               "output[0]: type=float32 nbytes=40 shape=[1,10]")  # fmt: skip
PLANNED = lines("[ET] ", "planned[0]=3184 bytes", "Loading method")
GAVE_UP = "ERROR: Inference failed\n"


def test_a_program_that_is_loaded_within_each_inference() -> None:
    log = BEGUN + WITHIN + PLANNED + "[ET] Executing method\n"
    assert only(log).status == "hung"
    run = only(
        f"{log}[ET] Output tensor: type=float32 elements=10 bytes=40\n[ET] Inference complete\n\nInference completed!\n"
        "Predicted digit: 7 (confidence: 100%)\n\nOutput scores:\n  Digit 0: 10\n\nDemo complete. System halted.\n"
    )
    assert (run.status, run.target.npu, run.target.platform, run.model.pte_bytes) == (
        "passed",
        "ethos-u85",
        "board",
        9_000,
    )
    assert (run.memory.planned_buffers, run.predictions[0].index) == ((3_184,), 7)
    assert only(BEGUN).status == "truncated"


@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [
        ("[ET] ERROR: Program::load failed (35)\n", "load", "program-load-failed"),
        (WITHIN + "[ET] ERROR: planned pool overflow at buffer 0: need=602112 used=0 cap=524288\n", "plan", "method-pool-too-small"),
        (WITHIN + PLANNED + "[ET] ERROR: input buffer too small: 784 < 3136\n", "inputs", "inputs-failed"),
        (WITHIN + PLANNED + "[ET] ERROR: unsupported input scalar type 5\n", "inputs", "inputs-failed"),
        (WITHIN + PLANNED + "[ET] Executing method\n[ET] ERROR: execute failed (1)\n", "execute", "execution-failed"),
    ],
)  # fmt: skip
def test_how_it_fails_within_the_inference(said: str, stage: str, rule: str) -> None:
    capture = read(BEGUN + said + GAVE_UP)
    (run,) = capture.runs
    assert (run.status, run.stage, capture.findings[0].rule) == ("failed", stage, rule)
    assert "targets-mixed" not in [finding.rule for finding in capture.findings]


def test_it_tells_why_it_gave_up() -> None:
    finding = read(f"{BEGUN}{WITHIN}[ET] ERROR: too many planned buffers: 9\n{GAVE_UP}").findings[0]
    assert finding.rule == "execution-failed" and "too many planned buffers: 9" in finding.detail


def test_frames_through_a_mailbox() -> None:
    run = only(VIDEO + "Initial inference done (t=800ms)\n" + FRAME + AVERAGES)
    assert (run.status, run.model.pte_bytes, run.cycles.inferences) == ("passed", 9_000, 9)
    assert run.times.inference_seconds == 0.0409
    assert run.target.npu is None


GIVEN = lines("", "PTE: net.pte (9000 bytes)", "CMA buffer: virt=0xffff90000000 phys=0xb8000000 size=9000",
              "Mailbox written at 0x20205000: magic=PTED phys=0xb8000000 size=9000", "Polling M33 diag stage (slot[1] at 0x20205404)...")  # fmt: skip
LEFT = "Done. Ctrl-C to release CMA buffer.\n"


def test_a_program_given_through_a_mailbox_ran() -> None:
    stages = "  stage=0xa1000015 status=1 (t=0s)\n  stage=0xa1000023 status=1 (t=1s)\nInference complete!\n"
    text = GIVEN + stages + "  argmax=7 total_floats=10\n  first outputs (IEEE754 hex): 0x3f000000 \n" + LEFT
    runs = read(text + text).runs
    assert len(runs) == 2
    for run in runs:
        assert (run.status, run.model.pte_bytes, [found.index for found in run.predictions]) == ("passed", 9_000, [7])


@pytest.mark.parametrize(
    ("lines_of_the_firmware", "stage", "said"),
    [
        ("  stage=0xa1000013 status=1 (t=0s)\n  stage=0xfa170005 status=1 (t=3s)\nFAULT detected: stage=0xfa170005\n", "plan", "heap"),
        ("  stage=0xa1000021 status=1 (t=0s)\n  stage=0xfa170002 status=1 (t=3s)\nFAULT detected: stage=0xfa170002\n", "execute", "a bus fault"),
        ("  stage=0xa1000021 status=1 (t=0s)\n", "execute", "not done in time"),
        ("", "load", "not done in time"),
    ],
)  # fmt: skip
def test_a_program_given_through_a_mailbox_failed(lines_of_the_firmware: str, stage: str, said: str) -> None:
    capture = read(GIVEN + lines_of_the_firmware + LEFT)
    (run,) = capture.runs
    assert (run.status, run.stage) == ("failed", stage)
    assert said in capture.findings[0].detail


def test_words_of_the_mailbox_without_it_are_another_programs() -> None:
    assert not read("  stage=0xa1000023 status=1 (t=1s)\n  argmax=7 total_floats=10\n" + LEFT).runs


def test_models_one_after_another() -> None:
    text = "".join(
        f"Model being executed: m{ms}\n[2026-03-30 16:00:{ms}.271] [console] [info] MERA 2.0 Runtime\n"
        f"Inference Run #1, inference time: {ms}.42ms\nAverage inference time: {ms}.02ms over 1 runs\n"
        for ms in (16, 48)
    )
    assert [(run.status, run.times.inference_seconds, run.cycles.inferences, run.target.npu) for run in read(text).runs] == [
        ("passed", 0.01602, 1, None),
        ("passed", 0.04802, 1, None),
    ]  # fmt: skip


def test_a_picture_that_is_classified_by_the_tools_in_python() -> None:
    head = "2026-03-30 17:24:26,{:03} INFO -  "
    said = (
        head.format(1) + "Loading deployment from Mera project '/opt/a/net' ...\n"
        + head.format(2) + "Inference Run #1, inference time: 70.25ms\n"
        + head.format(3) + "Average Inference time: 70.5ms over 9 runs\n"
    )  # fmt: skip
    best = head.format(4) + "Printing top 5 Image Classification results...\nTop (0) 7 (81.25%) -> red pear, pear\n"
    run = only(said + best)
    assert (run.status, run.times.inference_seconds, run.cycles.inferences, run.target.npu) == (
        "passed",
        0.0705,
        9,
        None,
    )
    assert (run.first_line, run.last_line, run.predictions) == (1, 5, (Prediction(7, "red pear, pear", 81.25),))
    plain = "[2026-03-30 16:00:12.271] [console] [info] MERA 2.0 Runtime\nAverage Inference time: 8.5ms over 2 runs\n\n"
    run = only(plain + "Printing top Image Classification results....\n\n78.5% -> red pear, pear\n\n12.25% -> quince\n")
    assert run.predictions == (Prediction(None, "red pear, pear", 78.5), Prediction(None, "quince", 12.25))
    assert read("78.5% -> red pear\nTop (0) 7 (81.25%) -> pear\n").runs == ()


PROFILED = lines("HPX_", "HEARTBEAT phase=clean_window_begin iters=9 est_ms=1", "CLEAN_INFER_COUNT=9", "CLEAN_INFER_TOTAL_CYCLES=900",
                 "CLEAN_INFER_AVG_US=70", "PROFILED_INFER_AVG_US=90")  # fmt: skip


def hpx(engine: str, *said: str) -> str:
    return "--- HPX_START ---\n" + lines("HPX_", "VERSION=1", f"ENGINE={engine}", *said)


def test_a_profilers_firmware() -> None:
    run = only(hpx("executorch", "MODEL_SIZE=4096", "ARENA_SIZE=2048") + PROFILED + "--- HPX_END ---\n")
    assert (run.status, run.model.pte_bytes, run.memory.pools, run.target.npu) == ("passed", 4_096, {}, None)
    assert (run.cycles.inferences, run.cycles.inference, run.times.inference_seconds) == (9, 900, 7e-05)
    run = only(hpx("helia-rt", "NPU=ethos-u85 init=ok", "ARENA_SIZE=2048", "ALLOCATED_ARENA=1024") + PROFILED)
    assert (run.status, run.target.npu, run.memory.pools) == (
        "truncated",
        "ethos-u85",
        {"tensor_arena": (1_024, None, 2_048)},
    )


@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [
        (("HEARTBEAT phase=clean_window_begin iters=9", "ERROR=executorch stage=load_method error=33 planned=2048"), "plan", "method-pool-too-small"),
        (("ERROR=executorch stage=load_program error=35 planned=0",), "load", "program-load-failed"),
        (("ERROR=executorch stage=execute error=1 planned=2048",), "execute", "execution-failed"),
        (("ERROR=npu_init_failed status=-1 hint=bitstream_sdk_generation_mismatch",), "start", "npu-not-responding"),
        (("ERROR=missing_ops count=1 hint=rebuild_with_op_registration",), "start", "run-failed"),
    ],
)  # fmt: skip
def test_a_profilers_firmware_fails(said: tuple[str, ...], stage: str, rule: str) -> None:
    capture = read(hpx("executorch", *said))
    (run,) = capture.runs
    assert (run.status, run.stage, capture.findings[0].rule) == ("failed", stage, rule)


def test_their_words_alone_are_no_run() -> None:
    for text in (AVERAGES, READY.replace("ExecuTorch initialized", "initialized"), "RESULTS: 2/2 passed\n", "ERROR: Inference failed\n",
                 "Average inference time: 1.5ms over 9 runs\n", "SRAM1: power request failed (error 1)\n",
                 "Cortex-M55 + Ethos-U55 NPU\n"):  # fmt: skip
        assert not read(text).runs, text
