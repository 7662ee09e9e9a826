"""What ports print instead of the runner's words, mostly where something fails: the rules for it are those of the runner."""

from __future__ import annotations

import pytest

from .port_logs import lines, only, read
from .test_two_npus import DUAL
from .test_two_npus import LIVE as DUAL_LIVE
from .test_two_npus import LOADED as DUAL_LOADED
from .test_two_npus import START as DUAL_START
from .test_two_npus import TESTED as DUAL_TESTED

RTT = "[executorch] "
RTT_START = lines(RTT, "runtime_init model=kws pte=0x60001230 bytes=4096", "method=forward")
A320 = "I [executorch:main.cpp:1 main()] "
A320_START = lines(A320, "ExecuTorch + Ethos-U85 on Corstone-1000-A320", "Ethos-U backend registered",
                   "Model at 0x80001000, size: 4096 bytes", "Model loaded, 1 methods", "Running method: forward",
                   "Planned buffer 0: 512 bytes", "Loading method...")  # fmt: skip
A320_RUN = lines(A320, "Method loaded. Allocator used: 700 / 2000 bytes", "Preparing inputs...", "Executing model...")

NPU = "Ethos-U version info:\n    Arch:       v2.0.0\n    MACs/cc:    256\n"
DRAWS = NPU + "NPU render: Ethos-U85 draws\n  program: 4096 bytes, 2 objects x 512 vertices\n"
FRAMES = "frames 0..9 avg: vertex-NPU 148 us (copy 43) | frame 18.9 ms = 53.0 fps | max err 1.6/255\n"
NUVOTON = "I executorch:main.cpp:1] "
CARD = (
    NPU
    + "Model file size 4096 \n"
    + lines(NUVOTON, "Model PTE file loaded. Size: 4096 bytes.", "Starting the model execution...")
)


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        (RTT_START + lines(RTT, "E memory_allocator.h:98 Memory allocation failed: 752640B requested (adjusted for alignment), 524288B available",
                           "failed to allocate planned buffer 0 bytes=752640"), "method-pool-too-small", "524288"),
        (RTT_START + lines(RTT, "failed to allocate planned buffer 0 bytes=752640"), "method-pool-too-small", "752640"),
        (RTT_START + lines(RTT, "E program.cpp:102 Program identifier 'x' != expected 'ET12'",
                           "Program::load failed: Error::InvalidProgram (0x00000023)"), "program-load-failed", "ET12"),
        (RTT_START + lines(RTT, "Program::load failed: Error::InvalidProgram (0x00000023)"), "program-load-failed", "0x23"),
        (RTT_START + lines(RTT, "E method.cpp:113 Backend EthosUBackend is not registered.",
                           "load_method failed: Error::NotFound (0x00000020)"), "backend-not-registered", "EthosUBackend"),
        (RTT_START + lines(RTT, "Method::execute failed: Error::Internal (0x00000001)"), "execution-failed", "0x01"),
        (lines(RTT, "Ethos-U platform init failed: -5"), "npu-not-responding", "-5"),
        (lines(RTT, "Ethos-U platform init start irq=7 base=0x40001000", "Ethos-U IRQ init failed: 0x00560001",
               "Ethos-U platform init failed: -5"), "npu-interrupt", "0x00560001"),
        (RTT_START + lines(RTT, "planned buffer count 9 exceeds RT_AI_EXECUTORCH_MAX_PLANNED_BUFFERS=8"), "run-failed", "count 9"),
        (A320_START + "E [executorch:main.cpp:2 main()] Method load failed: 0x30\n", "method-load-failed", "0x30"),
        (A320_START + A320_RUN + "E [executorch:main.cpp:2 main()] Execution failed: 0x23\n", "execution-failed", "0x23"),
        (lines(A320, "ExecuTorch + Ethos-U85 on Corstone-1000-A320", "Program load failed: 0x23"), "program-load-failed", "0x23"),
        (NPU + "Unable open model 0:\\model.pte\n" + lines(NUVOTON, "Model loading failed @ 0x82300000PRIx32"), "input-file-missing", "SD card"),
        (DRAWS + "program load failed (err=35)\n", "program-load-failed", "0x23"),
        (DRAWS + "shade method failed (err=33)\n", "execution-failed", "0x21"),
        (NPU + "ExecuTorch pico-faces (m3, a16w8): 4096 byte program\n"
         "step input z: unexpected shape [1,4,8,8], model_params.h says [1,4,16,16]\n", "inputs-failed", "[1,4,8,8]"),
        (DUAL_START + lines(DUAL, "NPU initialization failed"), "npu-not-responding", ""),
        (DUAL_LOADED + lines(DUAL, "U85-VWW Program::load failed 0x00000023"), "program-load-failed", "0x23"),
        (DUAL_LOADED + lines(DUAL, "U55-FACE planned buffer 0 failed (8192)"), "method-pool-too-small", "8192"),
        (DUAL_LOADED + lines(DUAL, "U55-FACE load_method failed 0x00000021"), "method-pool-too-small", "kMethodMetadataPoolSize"),
        (DUAL_LOADED + lines(DUAL, "U55-FACE load_method failed 0x00000030"), "method-load-failed", "0x30"),
        (DUAL_LOADED + lines(DUAL, "preflight failed U55=0 U85=7"), "execution-failed", "Ethos-U85"),
        (DUAL_TESTED + DUAL_LIVE + lines(DUAL, "frame=31 inference failed U55=7 U85=0"), "execution-failed", "Ethos-U55"),
    ],
)  # fmt: skip
def test_how_it_fails(text: str, rule: str, words: str) -> None:
    capture = read(text)
    first = capture.findings[0]
    assert [run.status for run in capture.runs] == ["failed"]
    assert first.rule == rule
    assert words in f"{first.title} {first.detail} {first.advice}"


def test_the_port_of_rt_thread_prints_the_time_before_and_after_a_call() -> None:
    run_at, over = "execute start n_in=1 n_out=1", "post-call tick=1543 status={}"
    log = RTT_START + lines(RTT, run_at, "pre-call tick=1500", over.format(0), "execute done status=0")
    assert only(log + "[Model] inference PASS\n").times.inference_seconds == 0.043
    failed = only(RTT_START + lines(RTT, run_at, "pre-call tick=1500", over.format(1), "execute done status=1"))
    assert (failed.status, failed.stage, failed.times.inference_seconds) == ("failed", "execute", None)


def test_the_runner_for_the_cortex_a320() -> None:
    end = lines(
        A320, "Model executed successfully.", "Outputs (1):", "  [0]: Float, numel=2", "    [0] = 2.5", "    [1] = -3.0"
    )
    run = only(A320_START + A320_RUN + end + lines(A320, "SUCCESS: program complete."))
    assert (run.status, run.target.npu, run.model.pte_bytes) == ("passed", "ethos-u85", 4_096)
    assert run.model.address == "0x80001000"
    cycles = only(A320_START + A320_RUN + lines(A320, "Ethos-U cycle counter: 4711") + end)
    assert (cycles.pmu.npu_cycles, cycles.target.platform, cycles.runner.kind) == (4711, None, "other")
    assert run.runner.kind == "other" and cycles.runner.executorch_version is None
    assert run.memory.planned_buffers == (512,)
    assert run.memory.pools == {"method": (700, None, 2_000)}
    assert [(o.count, o.dtype, o.first) for o in run.outputs] == [(2, "float", (2.5, -3.0))]
    assert only(A320_START + A320_RUN + end).status == "truncated"


def test_the_last_word_of_a_port_that_reads_its_model_from_a_card() -> None:
    executed = lines(NUVOTON, "Model executed successfully.")
    assert only(CARD + executed).status == "passed"
    assert only(CARD).status == "hung"
    assert only(CARD.replace("Model file size 4096 \n", "") + executed).status == "truncated"  # of another runner


def test_what_draws_for_ever_passed_once_it_draws() -> None:
    shown = "  display: 480x800 RGB888 on (status 0)\n"
    run = only(DRAWS + shown + FRAMES + FRAMES.replace("0..9", "10..19"))
    assert (run.status, run.last_line, run.model.pte_bytes) == ("passed", 8, 4_096)
    assert only(DRAWS + FRAMES).status == "truncated"  # without a display a verdict follows
    assert only(DRAWS + FRAMES + "Test_result: PASS\n").status == "passed"


def test_their_words_alone_are_no_run() -> None:
    words = ("Outputs (1):", "Model at 0x1000, size: 5 bytes", "Executing model...", "Program load failed: 0x2",
             "Model file size 4096", "program: 4096 bytes, of what", "best method failed (err=33)", FRAMES.strip())  # fmt: skip
    assert all(read(f"{text}\n").runs == () for text in words)


@pytest.mark.parametrize(
    ("banner", "title", "detail", "advice"),
    [
        ("BF PC=0ffe2000 LR=0ffe2100 BFAR=20021000 BFSR=00000082", "Bus fault", "precise data bus error", "around 0x20021000, which could not be accessed"),
        ("CM33: USAGE FAULT PC=0x0ffe2000 LR=0x0ffe2100 UFSR=0x0008", "Usage fault", "no coprocessor", "CPACR"),
        ("BUS FAULT: CFSR=0x00000400 BFAR=0x00000000 PC=0x0ffe2000", "Bus fault", "imprecise data bus error", "reported late"),
        ("BUS FAULT at 0x0ffe2000", "Bus fault", "", "addr2line"),
    ],
)  # fmt: skip
def test_registers_in_the_banner_of_a_fault_are_explained(banner: str, title: str, detail: str, advice: str) -> None:
    text = f"I [arm_executor_runner.cpp:700] Model buffer loaded, has 1 methods\n{banner}\n"
    finding = read(text).findings[0]
    assert (finding.title, finding.detail) == (
        f"{title} on the target",
        f"The CPU faulted: {banner}{': ' if detail else ''}{detail}.",
    )
    assert advice in finding.advice


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("CM33: 1 output(s):\n  Output[0]: dtype=6, numel=1, nbytes=4\n    [0]=1073741824 (float raw)\n"
         "I [arm_executor_runner.cpp:1459] Program complete, exiting.\n", "passed"),
        ("F [arm_executor_runner.cpp:1316] In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed "
         "with status 0x23\nCM33: *** ET_PAL_ABORT CALLED ***\n", "failed"),
    ],
)  # fmt: skip
def test_a_trace_buffer_that_begins_with_the_inference_is_a_boards_too(end: str, status: str) -> None:
    run = only(f"I [arm_executor_runner.cpp:1298] Starting running 1 inferences...\n{end}")
    assert (run.status, run.target.platform) == (status, "board")
