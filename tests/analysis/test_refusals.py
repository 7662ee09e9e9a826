"""What the NPU's driver and TensorFlow refused decides a run, unless the log shows that it went on."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Run
from ethosu_tui.analysis.rules.samples import COMPLETE, DELEGATE, OPEN_10, Sample, render

MISMATCH = "| E: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u55_u65.c:300)\n"
BUS_ERROR = (
    "| E: NPU error(s) occured during inference. (ethosu_driver.c:542)\n"
    "| E: NPU status=0x00000804, qread=0, cmd_end_reached=0 (ethosu_device_u55_u65.c:182)\n"
)
LIMIT = "|\n| Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"


def read(log: str, rule: str = "", last: int = 0) -> Run:
    text = render(Sample("", "1.0", log))
    capture = read_capture("x", text.encode())
    (run,) = capture.runs
    if rule:
        assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]
        assert "hung" not in {f.rule for f in capture.findings}
    assert run.last_line == (last or len(text.splitlines()))
    return run


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        (MISMATCH, "npu-config-mismatch"),
        ("| NPU config mismatch: npu.macs_per_cc=7 optimizer.macs_per_cc=8\n", "npu-config-mismatch"),
        ("| E: NPU config mismatch. npu.macs_per_cc=E: NPU config mismatch..\n", "npu-config-mismatch"),
        (BUS_ERROR, "npu-bus-error"),
        (BUS_ERROR + LIMIT, "npu-bus-error"),
        ("| E: NPU inference timed out. (ethosu_driver.c:246)\n", "npu-timeout"),
        ("| E: Failed to invoke inference. (ethosu_driver.c:736)\n", "execution-failed"),
        ("| Node ethos-u (number 0) failed to invoke with status 1\n", "execution-failed"),
    ],
)
@pytest.mark.parametrize("opening", ["", OPEN_10 + DELEGATE])
def test_a_refusal_is_a_failure_and_no_silence(opening: str, lines: str, rule: str) -> None:
    run = read(opening + lines, rule)
    assert (run.status, run.stage) == ("failed", "execute")


def test_a_run_that_completed_all_the_same_has_passed() -> None:
    run = read(MISMATCH + OPEN_10 + DELEGATE + COMPLETE)
    assert run.status == "passed"


def test_a_runner_that_went_on_after_a_refusal_is_judged_by_its_end() -> None:
    assert read(MISMATCH + OPEN_10 + DELEGATE).status == "hung"
    assert read(MISMATCH + OPEN_10 + DELEGATE + LIMIT).status == "timeout"


@pytest.mark.parametrize("line", ["| E: something new (ethosu_driver.c:999)", "E method.cpp:1 main | something new"])
def test_a_log_that_ends_in_an_error_message_says_why(line: str) -> None:
    run = read(OPEN_10 + DELEGATE + line + "\n", "run-failed")
    assert (run.status, run.stage) == ("failed", "execute")


def test_an_error_message_long_before_the_end_does_not_explain_it() -> None:
    log = OPEN_10 + "E method.cpp:1 main | something new\n" + DELEGATE
    assert read(log, "").status == "hung"


@pytest.mark.parametrize(
    ("said", "status", "stage"), [("success", "passed", "complete"), ("failed", "failed", "execute")]
)
def test_the_verdict_of_the_board_s_application(said: str, status: str, stage: str) -> None:
    run = read(f"| Initialize Arm Ethos-U\n{MISMATCH if said == 'failed' else ''}| Inference status: {said}\n")
    assert (run.status, run.stage, run.first_line) == (status, stage, 1)


def test_two_boots_of_the_board_s_application_are_two_runs() -> None:
    log = "Initialize Arm Ethos-U\nInference status: success\nInitialize Arm Ethos-U\nInference status: failed\n"
    assert [r.status for r in read_capture("x", log.encode()).runs] == ["passed", "failed"]


CM33 = """\
I [arm_executor_runner.cpp:1809] Starting running 1 inferences...
I: handle_command_stream: cmd_stream=0xc0000a60, cms_length 81920
CM33: inference_begin base_addrs=3 fast_mem=0x00000000 fast_mem_size=0
CM33:   base[0]=0xc0638b40 size=4096
CM33: irq_enter: STATUS=0x0000{early} CMD=0x00000001 QREAD=512 CURRENT_QREAD=744
I: Test Case 10: bus_status_error {bus}, status {status}
I: Test Case 10: faulting_channel 0x8
I: Test Case 11: cmd_parse_error 0x0
I: Test Case 14: cmd_end_reached 0x0
I: Test Case 14: get read offset of command stream 512
CM33: inference_end irq_count=1 manual_irq_count=0 timeout_count=0
CM33: inference_end: STATUS=0x0000{status[2]}{status[3]}{status[4]}{status[5]} CMD=0x00000002 QREAD=512 CURRENT_QREAD=744
"""
BUS_FAULT = CM33.format(early="8006", bus="0x1", status="0x8004")
NOWHERE = "CM33:   base[2]=0x00000000 size=0\n"
CM33_END = "Model run: 1\nProgram complete, exiting.\n"


@pytest.mark.parametrize(("nowhere", "advice"), [("", "TCM"), (NOWHERE, "ethosu_init the address")])
def test_registers_that_a_port_prints_after_each_inference_tell_of_an_error(nowhere: str, advice: str) -> None:
    capture = read_capture("x", BUS_FAULT.replace("CM33: irq_enter", nowhere + "CM33: irq_enter").encode())
    (run,) = capture.runs
    assert (run.status, run.stage, run.target.platform) == ("failed", "execute", "board")
    assert run.runner.executorch_version is None  # its prefix is the port's own and tells no release
    first = capture.findings[0]
    assert (first.rule, first.severity) == ("npu-bus-error", "error")
    assert "0x00008004: bus error (bit 2), on interface 0, channel 8, at qread 512." in first.detail
    assert advice in first.advice


def test_an_error_in_the_registers_is_told_though_the_runner_went_on() -> None:
    capture = read_capture("x", (BUS_FAULT + CM33_END).encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity) for f in capture.findings][:1] == [("npu-bus-error", "warning")]


def test_registers_without_an_error_mean_nothing() -> None:
    healthy = CM33.format(early="0022", bus="0x0", status="0x0020").replace(
        "CM33: irq_enter", NOWHERE + "CM33: irq_enter"
    )
    capture = read_capture("x", (healthy + "1 inferences finished\n" + CM33_END).encode())
    (run,) = capture.runs
    assert (run.status, run.cycles.inferences) == ("passed", 1)
    assert not [f for f in capture.findings if f.severity != "info"]


def test_a_log_that_ends_in_the_interrupt_has_the_status_all_the_same() -> None:
    cut = BUS_FAULT[: BUS_FAULT.index("I: Test Case 10")]
    capture = read_capture("x", cut.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert "0x00008006: bus error (bit 2)" in capture.findings[0].detail


TWO_NPUS = """\
E: Failed to initialize device. Driver has not been compiled for this product (ethosu_device_u85.c:96)
E: Failed to initialize Ethos-U device (ethosu_driver.c:453)
I: Soft reset NPU
I: New NPU driver registered (handle: 0x21e8ea0, NPU: 0x49042000)
*** Booting Zephyr OS build 5dee35a0f25a ***
sender 0: Sending inference. job=0x21ea8f0, name=keywords
runner 0: Received inference job. job=0x21ea8f0
D: ethosu_wait(): Inference finished successfully...
runner 0: Sending inference response. job=0x21ea8f0
sender 0: Received job response. job=0x21ea8f0, status=0
"""


def test_an_npu_that_is_left_out_is_no_fault_where_another_one_works() -> None:
    capture = read_capture("x", TWO_NPUS.encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity) for f in capture.findings] == [("npu-driver-product", "info")]
    reset = TWO_NPUS.replace(
        "Failed to initialize device. Driver has not been compiled for this product", "Soft reset timed out"
    )
    assert {f.severity for f in read_capture("x", reset.encode()).findings} == {"info"}


def test_the_only_npu_that_is_of_another_kind_is_one() -> None:
    two = TWO_NPUS.splitlines(keepends=True)
    findings = read_capture("x", "".join(two[:2] + two[4:7]).encode()).findings
    assert (findings[0].rule, findings[0].severity) == ("npu-driver-product", "error")


_LEFT_OUT = "".join(TWO_NPUS.splitlines(keepends=True)[:5])
_LOADED = (
    "I [executorch:arm_executor_runner.cpp:450 main()] PTE Model data loaded. Size: 3425968 bytes.\n"
    "I [executorch:arm_executor_runner.cpp:477 main()] Running method forward\n"
    "I [executorch:arm_executor_runner.cpp:600 main()] Starting running 1 inferences...\n"
)
_SCRATCH = (
    "E [executorch:EthosUBackend.cpp:200 execute()] Failed to allocate scratch buffer of 204784 bytes from temp_allocator\n"
    "E [executorch:method.cpp:1307 execute_instruction()] CALL_DELEGATE execute failed at instruction 2: 0x21\n"
)
_UNALIGNED = "E: Command stream addr 0x1 not aligned to 16 bytes\n"


@pytest.mark.parametrize(
    ("after", "root"),
    [
        ("", "hung"),
        (_SCRATCH, "temp-pool-too-small"),
        (BUS_ERROR.replace("| ", ""), "npu-bus-error"),
        ("E: NPU status=0x00000022, qread=4, cmd_end_reached=1 (ethosu_device_u85.c:182)\n", "npu-stopped"),
        (_UNALIGNED, "vela-stream-misaligned"),
    ],
)
def test_what_fails_where_another_npu_came_up_is_not_blamed_on_the_one_that_was_left_out(after: str, root: str) -> None:
    findings = read_capture("x", (_LEFT_OUT + _LOADED + after).encode()).findings
    assert (findings[0].rule, findings[0].severity) == (root, "error")
    assert {f.severity for f in findings if f.rule in ("npu-driver-product", "npu-not-responding")} == {"info"}
    assert not any("It follows from: The NPU driver" in f.detail for f in findings)


def test_an_npu_that_is_tried_again_is_no_other_one() -> None:
    again = "I: Initializing NPU: base_address=0x49042000, fast_memory=0, fast_memory_size=0, secure=1, privileged=1\n"
    refused = "".join(TWO_NPUS.splitlines(keepends=True)[:2])
    findings = read_capture("x", (refused + (again + refused) * 2 + _LOADED).encode()).findings
    assert (findings[0].rule, findings[0].severity) == ("npu-driver-product", "error")


def test_two_npus_that_do_not_come_up() -> None:
    two = TWO_NPUS.splitlines(keepends=True)
    reset = "E: Soft reset timed out (ethosu_device_u85.c:134)\n"
    findings = read_capture("x", ("".join(two[:3]) + reset + two[1] + two[4] + _LOADED).encode()).findings
    assert (findings[0].rule, findings[0].severity) == ("npu-driver-product", "error")


def test_an_npu_that_stopped_had_begun_whatever_the_other_one_did() -> None:
    two = TWO_NPUS.splitlines(keepends=True)
    (run,) = read_capture("x", ("".join(two[:7]) + BUS_ERROR.replace("| ", "")).encode()).runs
    assert (run.status, run.stage) == ("failed", "execute")


def test_a_log_that_ends_where_another_npu_comes_up_is_explained_by_what_it_says() -> None:
    log = (
        "I: Initializing NPU: base_address=0x48102000, fast_memory=0, fast_memory_size=0, secure=1, privileged=1\n"
        "E: Failed to initialize device. Driver has not been compiled for this product\nE: Failed to initialize Ethos-U device\n"
        "I: Initializing NPU: base_address=0x49042000, fast_memory=0, fast_memory_size=0, secure=1, privileged=1\n"
        "I: Soft reset NPU\n"
    )
    first, *others = read_capture("x", log.encode()).findings
    assert (first.rule, first.severity) == ("npu-driver-product", "error")
    assert "run-failed" not in {found.rule for found in others}


def test_the_inference_runner_under_linux_says_how_an_inference_goes_before_it_says_how_it_ended() -> None:
    log = "Send capabilities request\nCreate inference\nWait for inferences\nInference status: running\nWait for inference\n"
    (run,) = read_capture("x", f"{log}Inference status: ok\nPMUs : [ 1 0 0 0 ]\nCycle counter: 3412077\n".encode()).runs
    assert run.status == "passed" and run.pmu is not None and run.pmu.npu_cycles == 3412077
    capture = read_capture("x", f"{log}Inference timed out, cancelling it\nInference status: aborted\n".encode())
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "npu-timeout")


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("[  102.512034] ethosu 4a900000.npu: NPU sched timed out: NPU running, cmdstream offset 0x1c: 0x40000010", "npu-timeout"),
        ("  [inference] NPU delegate failed (Failed to create ethos_u driver.", "npu-device-not-opened"),
        ("E 00:00:00.012611 executorch:EthosUBackend_IMX.cpp:325] Ethos-U i.MX driver failed: Failed to open device", "npu-device-not-opened"),
        ("Unknown option: --timeout=5", "script-option"), ("Unknown option: --target", "script-option"),
        ("0000412:CRITICAL:__main__:No connected debug probes", "board-not-reached"),
        ("python3: No module named ensurepip", "venv-missing"),
    ],
)  # fmt: skip
def test_one_line_tells_the_cause(line: str, rule: str) -> None:
    assert read_capture("x", f"{line}\n".encode()).findings[0].rule == rule


def test_a_ratio_that_is_unknown_is_so_without_a_percent_sign_too() -> None:
    log = (
        "Operator(s) total: 0 CPU cycles\nInference runtime: 0 CPU cycles total\nInference CPU ratio: ?.??\n"
        "Inference NPU ratio: ?.??\nethosu_pmu_cycle_cntr : 4711\n"
    )
    capture = read_capture("x", f"I [executorch:arm_executor_runner.cpp:1 main()] PTE @ 0x1 [----ET12]\n{log}".encode())
    assert capture.runs[0].cycles.inference is None
    assert {found.rule for found in capture.findings} >= {"cpu-cycles-not-counted"}
    assert "cycle-counter-wrapped" not in {found.rule for found in capture.findings}


def test_a_prefix_of_old_before_a_line_that_came_later_names_no_release() -> None:
    log = "I executorch:main.cpp:427] method_allocator_input: 602112 bytes\nI executorch:main.cpp:428] method_allocator_executor: 1 bytes\n"
    (run,) = read_capture("x", log.encode()).runs
    assert run.runner.executorch_version is None


@pytest.mark.parametrize("words", ["expect", "no", "unexpected:", "two words", "BundleIO index[0] in"])
def test_who_speaks_of_a_failed_test_behind_the_mark_fails_no_run(words: str) -> None:
    done = "I [executorch:arm_executor_runner.cpp:1550 main()] Program complete, exiting.\n"
    assert read_capture("x", f"{done}[TEST] {words} Test_result: FAIL\n".encode()).runs[0].status == "passed"
    assert read_capture("x", f"{done}[TEST] mv2 Test_result: FAIL\n".encode()).runs[0].status == "failed"


@pytest.mark.parametrize(
    ("above", "said"),
    [
        ("FullyConnected per-channel quantization not yet supported.", True),
        ("kernels/pad.cc:42 size != other (3 != 4)", True),
        ("Hybrid models are not supported on TFLite Micro.", True),
        ("Camera is ready", False),
    ],
)
def test_an_operator_of_tensorflow_that_cannot_be_prepared_is_named_with_what_its_kernel_said(
    above: str, said: bool
) -> None:
    log = f"INFO - Ethos-U device initialised\n{above}\nNode PAD (number 7f) failed to prepare with status 1\nAllocateTensors() failed\n"
    capture = read_capture("x", log.encode())
    first = capture.findings[0]
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan")]
    assert (first.rule, first.title) == ("operator-failed", "The operator PAD could not be prepared")
    assert (above.rstrip(".") in first.detail) is said
    apart = read_capture("x", log.replace("Node", "Loading\nNode").encode()).findings[0]
    assert above not in apart.detail


def test_the_interpreter_of_tensorflow_numbers_an_operator_with_or_without_its_stray_letter() -> None:
    for number in ("0", "0f"):
        for what, stage in (("invoke", "execute"), ("prepare", "plan")):
            log = f"Booting\nNode ethos-u (number {number}) failed to {what} with status 1\n"
            (run,) = read_capture("x", log.encode()).runs
            assert (run.status, run.stage) == ("failed", stage)


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("Failed to allocate memory for memory planning, 480 bytes required", "arena-too-small", "480"),
        ("Failed to allocate memory for node_and_registrations.", "arena-too-small", "node_and_registrations"),
        ("Failed to allocate variable tensor of size 64", "arena-too-small", "64"),
        ("Couldn't register builtin op #4, resolver size is too small (2).", "resolver-full", "#4"),
        ("Op#1 (PAD) of subgraph 0 has dynamic tensor #7", "dynamic-tensor", "PAD"),
        ("Too many buffers (max is 9)", "tensors-not-allocated", "max is 9"),
    ],
)
def test_why_the_interpreter_could_not_set_its_model_up(line: str, rule: str, words: str) -> None:
    capture = read_capture(
        "x", f"INFO - Ethos-U device initialised\n{line}\nERROR - tensor allocation failed!\n".encode()
    )
    first = capture.findings[0]
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan")]
    assert first.rule == rule and words in f"{first.title} {first.detail}"
    assert read_capture("x", f"{line}\n".encode()).runs == ()


def test_a_driver_of_zephyr_that_could_not_start_its_npu_decides_the_run_behind_its_banner() -> None:
    banner = "*** Booting Zephyr OS build v4.3.0 ***\nsender 0: Sending inference. job=0x100, name=kws\n"
    for said, title in (
        ("Failed to initialize NPU with ethosu_init()", "does not answer"),
        ("Failed to enable NPU clock", "switched on"),
        ("Failed to enable NPU hardware: -5", "switched on"),
    ):
        capture = read_capture("x", f"[00:00:00.004,000] <err> ethos_u_chip: {said}\n{banner}".encode())
        assert [run.status for run in capture.runs] == ["failed"]
        assert capture.findings[0].rule == "npu-not-responding" and title in capture.findings[0].title
    up = f"[00:00:00.004,000] <inf> ethos_u_chip: Ethos-U NPU initialized successfully\n{banner}"
    assert [run.first_line for run in read_capture("x", up.encode()).runs] == [1]


def test_an_application_that_could_not_start_its_npu_says_so_behind_a_name_of_its_own() -> None:
    for said in (
        "npu_start: ERROR: Failed to initialize Ethos-U driver: -1",
        "[Demo] Failed to initialize Ethos-U device",
    ):
        capture = read_capture("x", f"Booting\n{said}\n".encode())
        assert [run.status for run in capture.runs] == ["failed"] and capture.findings[0].rule == "npu-not-responding"
