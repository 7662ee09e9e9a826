"""Logs in the shapes in which people paste them: the kit on vendors' boards, command lines, drivers that name the NPU."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only, read

KIT = (
    "INFO - Ethos-U device initialised\nINFO - Ethos-U version info:\nINFO - \tArch:       v1.1.0\nINFO - \tMACs/cc:    128\n"
    "INFO - Target system design: {design}\n"
)
PROFILE = "INFO - Profile for Inference:\nINFO - NPU ACTIVE cycles: {active}\nINFO - NPU IDLE cycles: {idle}\nINFO - NPU TOTAL cycles: 90210\n"


def test_a_kit_on_a_chip_tells_its_place_and_time() -> None:
    run = only(KIT.format(design="Ensemble") + "Preprocessing time = 7.250 ms\nInference time = 3.125 ms\n")
    assert (run.target.platform, run.times.inference_seconds) == ("board", 0.003125)
    assert only(KIT.format(design="Arm Corstone-310 - AN555")).target.platform is None


@pytest.mark.parametrize(
    ("active", "idle", "doubted"), [(90000, 209, False), (90000, 212, False), (90000, 400, True), (80000, 210, True)]
)
def test_counters_that_are_read_one_after_another_may_miss_the_total_by_some_cycles(
    active: int, idle: int, doubted: bool
) -> None:
    capture = read_capture("x", (KIT.format(design="Arm") + PROFILE.format(active=active, idle=idle)).encode())
    assert ("npu-cycles-sum" in {f.rule for f in capture.findings}) == doubted


@pytest.mark.parametrize(
    ("command", "npu"),
    [
        ("FVP_Corstone_SSE-300_Ethos-U65 -C ethosu.num_macs=256 -a a.elf", "ethos-u65"),
        ("$ /opt/fvp/FVP_Corstone_SSE-320 -a a.elf -C mps4_board.subsystem.ethosu.num_macs=256", "ethos-u85"),
        ("FVP_Corstone_SSE-300 -C ethosu.num_macs=256 -a a.elf", None),
    ],
)
def test_the_name_of_the_simulator_tells_the_npu(command: str, npu: str | None) -> None:
    run = only(f"{command}\nI [executorch:arm_executor_runner.cpp:1316 main()] PTE @ 0x70000000 [----ET12]\n")
    assert (run.target.npu, run.target.macs) == (npu, 256)


def test_a_driver_that_refuses_a_program_names_the_npu() -> None:
    run = only(
        "INFO - Ethos-U device initialised\nINFO - \tMACs/cc:    256\nINFO - Allocating tensors\n"
        "E: NPU config mismatch. npu.product=1, optimizer.product=0 (ethosu_device_u55_u65.c:300)\nERROR - Invoke failed.\n"
    )
    assert (run.status, run.target.name) == ("failed", "ethos-u65-256")


def test_a_failed_operator_is_told_with_its_reason() -> None:
    text = (
        "E [executorch:tensor_impl.cpp:135 internal_resize_contiguous()] Attempted to resize a static tensor. Expected shape (1, 8), but received (3, 8).\n"
        "E [executorch:op_mul.cpp:45 mul_out()] Check failed (resize_tensor(out, sizes) == Error::Ok): Failed to resize output tensor.\n"
        "E [executorch:method.cpp:1340 execute_instruction()] KernelCall failed at instruction 0:0 in operator aten::mul.out: 0x12\n"
    )
    (finding, *_) = read_capture("x", text.encode()).findings
    assert finding.rule == "operator-failed" and "Expected shape (1, 8), but received (3, 8)" in finding.detail


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("Using Dedicated_Sram memory mode; fast cache size: 131072", "Dedicated_Sram"),
        ("Using Sram_Only/Shared_Sram memory mode", None),
        ("NPU memory mode likely to be: Dedicated_Sram", None),
    ],
)
def test_a_kit_tells_the_memory_mode_that_it_was_built_for(said: str, mode: str | None) -> None:
    run = only(f"INFO - {said}\n{KIT.format(design='Arm')}" + PROFILE.format(active=90000, idle=210))
    assert (run.target.memory_mode, run.first_line) == (mode, 2)


LAUNCHED = "Running a.elf for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256 timeout:600\n"
BEGUN = "I [executorch:arm_executor_runner.cpp:1316 main()] PTE @ 0x70000000 [----ET12]\n"
CRASH = "run_fvp.sh: line 151:    78 Segmentation fault      (core dumped) ${nobuf} ${fvp_model} -a a.elf\n"


@pytest.mark.parametrize(
    ("log", "status", "rule"),
    [
        (LAUNCHED + CRASH, "not_started", "simulator-crashed"),
        (LAUNCHED + "qemu: uncaught target signal 11 (Segmentation fault) - core dumped\n", "not_started", "simulator-crashed"),
        (LAUNCHED + BEGUN + CRASH, "failed", "emulator-aborted"),
        (LAUNCHED + "Error: FVP_MPS4_Corstone_SSE_320: Parameter 'mps3_board.x' not found\n", "not_started", "simulator-option"),
        ("$ FVP_Corstone_SSE-320 -C mps4_board.x=1 -a a.elf\nError: Unknown parameter 'mps4_board.x'\n", "not_started", "simulator-option"),
        ("The code execution cannot proceed because python39.dll was not found.\n", "not_started", "library-missing"),
        ("'FVP_Corstone_SSE-300_Ethos-U55' is not recognized as an internal or external command,\n", "not_started", "launcher-not-found"),
    ],
)  # fmt: skip
def test_why_a_simulator_gave_up_is_said(log: str, status: str, rule: str) -> None:
    capture = read_capture("x", log.encode())
    (run,) = capture.runs
    assert (run.status, capture.findings[0].rule) == (status, rule)


@pytest.mark.parametrize("log", [CRASH, "Segmentation fault (core dumped)\n", "make: Segmentation fault\n"])
def test_a_crash_of_who_knows_what_is_no_run(log: str) -> None:
    assert read_capture("x", log.encode()).runs == ()


def test_a_stack_that_overflows_is_named() -> None:
    log = (
        "*** Booting Zephyr OS build v4.4.0 ***\nI [executorch:arm_executor_runner.cpp:490 main()] Running method forward\n"
        "[00:00:00.210,000] <err> os: ***** MPU FAULT *****\n[00:00:00.210,000] <err> os:   Stacking error\n"
        "[00:00:00.210,000] <err> os: >>> ZEPHYR FATAL ERROR 2: Stack overflow on CPU 0\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert (
        finding.rule == "hard-fault"
        and "Stack overflow" in finding.title
        and "CONFIG_MAIN_STACK_SIZE" in finding.advice
    )


SUMMARY = "FAILED backends/arm/test/ops/test_add.py::test_add_u55_INT[a] - AssertionError: Output 0 does not match reference output.\n"


def test_a_test_that_failed_although_its_run_passed_is_an_error() -> None:
    ended = "I [executorch:arm_executor_runner.cpp:1334 main()] Program complete, exiting.\n"
    capture = read_capture("x", (BEGUN + ended + SUMMARY).encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity, f.run) for f in capture.findings] == [("test-failed", "error", None)]
    failed = BEGUN + "Hard fault. irq=-13, pc=0x10003a3c, lr=0x10003a37, xpsr=0x61000000, sp=0x3007ff80\n"
    rules = [(f.rule, f.severity) for f in read_capture("x", (failed + SUMMARY).encode()).findings]
    assert rules == [("hard-fault", "error"), ("test-failed", "info")]


TEST = "backends/arm/test/misc/test_a.py::test_b[c d]"


def test_a_test_that_failed_without_a_word_is_told_too() -> None:
    for line in (
        f"FAILED {TEST}",
        f"[gw3] [ 91%] FAILED {TEST} ",
        f"2026-09-05T04:31:40.1020000Z [gw0] [100%] FAILED {TEST}",
    ):
        (finding,) = read_capture("x", f"{line}\n".encode()).findings
        assert (finding.rule, finding.title) == ("test-failed", f"The test {TEST} failed")
    (finding,) = read_capture("x", f"[gw3] [  1%] FAILED {TEST}\nFAILED {TEST} - KeyError: 1\n".encode()).findings
    assert (finding.title, finding.lines) == (f"The test {TEST} failed: KeyError: 1", (1, 2))


LOST = "##[error]Executing the custom container implementation failed. Please contact your self hosted runner administrator.\n"


def test_a_job_that_its_host_gave_up_is_told() -> None:
    (finding,) = read_capture("x", LOST.encode()).findings
    assert (finding.rule, finding.severity, finding.lines) == ("job-stopped", "error", (1,))
    rules = [(f.rule, f.severity) for f in read_capture("x", f"FAILED {TEST}\n{LOST}".encode()).findings]
    assert rules == [("test-failed", "error"), ("job-stopped", "warning")]


def test_a_kernel_of_a_python_wheel_is_told_with_its_reason() -> None:
    failed = "[method.cpp:1072] KernelCall failed at instruction 0:0 in operator aten::le.Tensor_out: 0x12\n"
    check = "[op_le.cpp:29] Check failed (tensors_have_same_shape(a, b)):\n"
    match = "[tensor_util.h:713] Tensors do not match: numel=(2048, 1), dim=(1, 2)\n"
    for before, reason in (
        (check, "Check failed (tensors_have_same_shape(a, b))"),
        (match + check, "Tensors do not match: numel=(2048, 1), dim=(1, 2)"),
        (check + "[program.cpp:1] Something else\n", None),
        ("", None),
    ):
        (finding,) = read_capture("x", (before + failed).encode()).findings
        assert finding.rule == "operator-failed" and finding.detail.endswith(
            f"It says: {reason}." if reason else "(InvalidArgument)."
        )


def test_a_program_that_was_stopped_without_a_word_is_no_log_that_ends() -> None:
    log = "I: Soft reset NPU\nI: Acquiring NPU driver handle\nD: ethosu_wait(): Inference finished successfully...\nEXITTHESIM\n"
    (finding,) = read_capture("x", (LAUNCHED + log).encode()).findings
    assert finding.rule == "truncated-log" and "does not say how" in finding.title


def test_a_profile_of_the_one_inference_that_the_kit_counted() -> None:
    counted = (
        "INFO - Total number of inferences: {n}\nINFO - Profile for pre-processing:\nINFO - CPU TOTAL: 10 cycles\n"
    )
    profile = PROFILE.format(active=90000, idle=210) + "INFO - CPU TOTAL: 95000 cycles\n"
    one = only(KIT.format(design="Alif") + counted.format(n=1) + profile)
    assert (one.cycles.inferences, one.cycles.inference) == (1, 95_000)
    assert only(KIT.format(design="Alif") + counted.format(n=4) + profile).cycles.inferences is None
    two = only(KIT.format(design="Alif") + (counted.format(n=1) + profile) * 2)
    assert two.pmu is not None and (two.cycles.inferences, two.pmu.npu_cycles) == (2, 180_420)


def test_a_kit_that_asks_for_its_next_input_has_done_what_it_was_told() -> None:
    menu = "User input required\nEnter option number from:\n\n  1. Classify next image\n\nChoice: "
    done = KIT.format(design="Arm Corstone-300") + menu + "1\n" + PROFILE.format(active=90000, idle=210)
    assert [only(done + end).status for end in ("", menu)] == ["truncated", "passed"]
    again = only(done + menu + "1\n" + PROFILE.format(active=80000, idle=10) + menu)
    assert again.pmu is not None and (again.status, again.pmu.npu_cycles) == ("passed", 180_420)
    assert only(f"{done}ERROR - Inference failed.\n{menu}").status == "failed"
    assert only(KIT.format(design="Arm Corstone-300") + menu).status != "passed"
    assert read_capture("x", menu.encode()).runs == ()


def test_a_log_of_the_kit_that_ends_behind_a_profile_says_what_holds() -> None:
    done = KIT.format(design="Arm Corstone-300") + PROFILE.format(active=70000, idle=90)
    report = read_capture("x", done.encode())
    assert report.runs[0].status == "truncated"
    (finding, *_) = report.findings
    assert finding.rule == "truncated-log" and "after the profile" in finding.title and "figures hold" in finding.detail


def test_the_first_profile_of_the_kit_holds_too() -> None:
    report = read_capture("x", b"[INFO] Profile for Inference:\n\tActive NPU cycles: 51000\n\tIdle NPU cycles:   700\n")
    assert [(run.status, run.stage) for run in report.runs] == [("truncated", "report")]
    assert "after the profile" in report.findings[0].title


HOST = "00:00:00.000412 executorch:{file}] "


def test_a_linux_runner_that_was_given_the_wrong_thing_says_which() -> None:
    missing = (
        f"E {HOST.format(file='file_data_loader.cpp:105')}Failed to open nosuch.pte: No such file or directory (2)\n"
        f"F {HOST.format(file='executor_runner.cpp:360')}In function main(), assert failed (loader.ok()): FileDataLoader::from() failed: 0x22\n"
    )
    finding = read_capture("x", missing.encode()).findings[0]
    assert finding.rule == "input-file-missing" and "nosuch.pte" in finding.title
    typed = (
        f"I {HOST.format(file='executor_runner.cpp:384')}Using method forward\n"
        f"E {HOST.format(file='method.cpp:1206')}Input 0 has unexpected scalar type: expected Float but was Int.\n"
        f"F {HOST.format(file='executor_runner.cpp:505')}In function main(), assert failed (inputs.ok()): Could not prepare inputs: 0x12\n"
    )
    finding = read_capture("x", typed.encode()).findings[0]
    assert finding.rule == "input-type" and "the wrong type" in finding.title
    (finding,) = read_capture("x", b"ERROR: unknown command line flag 'model'\n").findings
    assert finding.rule == "runner-flag" and "--model" in finding.title


def test_what_zephyr_says_of_a_fault_is_told() -> None:
    log = (
        "*** Booting Zephyr OS build v4.4.0 ***\nI [executorch:main.cpp:140 main()] Running method: forward\n"
        "E: ***** BUS FAULT *****\nE:   Precise data bus error\nE:   BFAR Address: 0x60338000\nE: Halting system\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert "Precise data bus error" in finding.detail and "0x60338000" in finding.detail


def test_a_driver_that_did_not_start_under_rt_thread_is_the_cause() -> None:
    log = "[executorch] Ethos-U platform init start irq=38 base=0x44600000\n[executorch] ethosu_init failed: -1\n[App] init failed: -2\n"
    capture = read_capture("x", log.encode())
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "npu-not-responding")


def test_an_export_of_which_only_the_end_was_kept() -> None:
    (finding,) = read_capture("x", b"Bundle PTE file saved as a/resnet8.bpte\n").findings
    assert (finding.rule, finding.severity) == ("compile-log", "info")


@pytest.mark.parametrize(
    "line",
    [
        "Error: missing parameter FVP_ROOT",
        "Error: unknown parameter --fvp",
        "Error: Parameter 'x' not found in ethos.ini",
    ],
)
def test_a_script_that_misses_a_parameter_is_no_simulator(line: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert capture.runs == () and [finding.rule for finding in capture.findings] == ["command-failed"]


CAPTURED = (
    "E       RuntimeError: Failed to load method forward, error: 0x14\n----------- Captured stderr call -----------\n"
    "[method.cpp:750] Missing operator: [0] mine::add.out\n"
)


def test_what_a_program_printed_is_the_cause_of_its_exception_wherever_pytest_puts_it() -> None:
    capture = read_capture("x", CAPTURED.encode())
    assert [(f.rule, f.severity) for f in capture.findings] == [
        ("missing-operator", "error"),
        ("program-not-loaded", "info"),
    ]
    simulated = "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 960 bytes.\n"
    simulator = "telnetterminal0: Listening for serial connection on port 5000\n" + simulated
    other = CAPTURED.splitlines(keepends=True)[0] + simulator
    found = [(f.rule, f.severity) for f in read_capture("x", other.encode()).findings]
    assert found == [("program-not-loaded", "error"), ("truncated-log", "error")]  # no part of the program


def test_kernels_are_named_where_only_one_of_their_two_lines_was_pasted() -> None:
    pasted = "[method.cpp:788] Missing operator: [3] mine::a.out\n[operator_registry.cpp:256] kernel 'mine::b.out' not found\n"
    (finding,) = read_capture("x", pasted.encode()).findings
    assert (finding.rule, finding.lines) == ("missing-operator", (1, 2))
    assert "mine::a.out, mine::b.out" in finding.detail
    both = pasted.replace("mine::b", "mine::a")
    assert [f.lines for f in read_capture("x", both.encode()).findings] == [(1,)]
    assert read_capture("x", b"kernel 'python3' not found\n").runs == ()  # a notebook's is another kernel


def test_the_call_of_an_fvp_tells_the_place_of_a_console_without_its_banner() -> None:
    call = "FVP_Corstone_SSE-300_Ethos-U65 build/bin/ethos-u-inference_runner.axf -C ethosu.num_macs=256\n"
    run = only(call + "INFO - CPU: Cortex-M55 r1p0\nINFO - Ethos-U device initialised\nINFO - Ethos-U version info:\n")
    assert (run.target.name, run.target.platform) == ("ethos-u65-256", "fvp")
    assert run.lines["target.platform"] == 1
    board = only(call + KIT.format(design="Ensemble"))
    assert board.target.platform == "board"


def test_what_the_kit_recognised_is_its_report() -> None:
    for text in ("Decoded output: and he walked", "Complete recognition: turn down the heat"):
        run = only(f"INFO - Running inference on audio clip 0 => a.wav\nINFO - {text}\n")
        assert (run.runner.kind, run.stage, run.last_line) == ("mlek", "report", 2)
        assert read_capture("x", f"2026-01-01 10:00:00,123 INFO - {text}\n".encode()).runs == ()  # any program logs so
    run = only("INFO - Using sample audio: a.wav\nINFO - Decoded output: turn it off\n")
    assert (run.runner.kind, run.stage, run.first_line) == ("mlek", "report", 1)


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ("I [executorch:arm_perf_mon", "truncated"),
        ("I [executorch:arm_perf_monitor.cpp:139 StopMeasurements()] NPU Infere", "truncated"),
        ("I: Ethos-U config. product=0, cmd_stream_version=0, ma", "truncated"),
        ("...", "truncated"),
        ("", "hung"),
        ("Waiting for the NPU", "hung"),
        ("Running inference", "hung"),  # somebody's own whole line, though lines of others go on from there
        ("I [executorch:main.cpp:9 main()] Model loaded", "hung"),
        ("I: Soft reset NPU", "hung"),
    ],
)
def test_a_log_that_ends_in_the_beginning_of_a_line_was_cut_there_though_a_line_end_follows(
    last: str, status: str
) -> None:
    begun = (
        "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 960 bytes.\n"
        "I [executorch:arm_executor_runner.cpp:1200 run_model()] Starting running 1 inferences...\n"
    )
    assert only(f"{begun}{last}\n").status == status


def test_a_line_that_was_set_as_code_is_read_without_its_marks() -> None:
    for text in ("`{}`", "`{}`.", "- `{}`", "- `{}`  ", "{}"):
        said = text.format("RuntimeError: Compilation failed: TOSA FB Reader error : Tosa version mismatch")
        assert [f.rule for f in read_capture("x", f"We get\n{said}\n".encode()).findings] == ["tosa-version-mismatch"]
    assert read_capture("x", b"`a` and `b`\n`\n``\n```\n").findings == ()


@pytest.mark.parametrize(
    ("above", "prefix"),
    [
        ("[XNNExecutor.cpp:170] Internal Error: Propagating input shapes failed with code: xnn_status_invalid_parameter", "[method.cpp:1525] "),
        ("           Failed to resize output tensor for XNNExecutor", "           "),
    ],
)  # fmt: skip
def test_what_a_backend_said_right_above_a_delegate_that_failed_is_its_reason(above: str, prefix: str) -> None:
    log = f"{above}\n{prefix}CALL_DELEGATE execute failed at instruction 0: 0x1\n"
    finding = read(log).findings[0]
    said = above.strip().partition("] ")[2] or above.strip()
    assert finding.rule == "execution-failed" and finding.detail.endswith(f" It says: {said}.")


def test_a_line_that_tells_no_error_is_no_reason_of_a_delegate_that_failed() -> None:
    log = "[OpenvinoBackend.cpp:98] OpenVINO: runtime loaded successfully\n[method.cpp:1525] CALL_DELEGATE execute failed at instruction 0: 0x1\n"
    assert "It says" not in read(log).findings[0].detail
