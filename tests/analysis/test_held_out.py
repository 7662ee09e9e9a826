"""Logs of boards, drivers and scripts in formats that came late: an application on RTT, drivers called out of turn, tracebacks."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

RTT = (
    "kws_runner booted\nEthos-U85 NPU initialized (polling mode)\nModel bytes: 91072\nImage bytes: 3072\nExecuTorch runtime initialized\n"
    "Program loaded successfully\nMethod 'forward': 1 inputs, 1 outputs, 1 planned buffers\n  Planned buffer[0]: 12288 bytes\n"
    "Loading method 'forward'...\n[I] data:0x80021230\nMethod loaded, 1 inputs, 1 outputs\nInput tensor set (1x3x32x32 float32)\nRunning inference...\n"
)


def test_an_application_on_rtt_that_marks_the_lines_of_the_runtime_with_their_level() -> None:
    run = only(f"{RTT}[sem_take #1] count=1\nInference complete!\nOutput tensor: 10 elements\nTop-1 class: 3\n")
    assert (run.status, run.stage, run.target.npu) == ("passed", "complete", "ethos-u85")
    assert (run.model.pte_bytes, run.model.method, run.memory.planned_buffers) == (91072, "forward", (12288,))
    failed = (
        f"{RTT}[E] Memory allocation failed: 65552B requested (adjusted for alignment), 32768B available\n"
        "[E] Failed to allocate scratch buffer of 65552 bytes from temp_allocator\n"
        "[E] CALL_DELEGATE execute failed at instruction 0: 0x21\n"
    )
    capture = read_capture("x", failed.encode())
    assert [(r.status, r.stage) for r in capture.runs] == [("failed", "execute")]
    assert capture.findings[0].rule == "temp-pool-too-small" and "65552" in capture.findings[0].detail
    cut = failed.partition("[E] Failed")[0]
    assert read_capture("x", cut.encode()).findings[0].rule == "temp-pool-too-small", "the method was loaded by then"
    loading = cut.replace(
        "Method loaded, 1 inputs, 1 outputs\nInput tensor set (1x3x32x32 float32)\nRunning inference...\n", ""
    )
    assert read_capture("x", loading.encode()).findings[0].rule == "method-pool-too-small"
    assert only(RTT).status == "hung"
    assert read_capture("x", b"Ethos-U85 NPU initialized\nERROR: ethosu_init failed\n").runs[0].status == "failed"


@pytest.mark.parametrize(
    "log",
    [
        "[I] [TRT] Building engine\n[E] [TRT] 3: Cannot find binding\n[F] stop\n",
        "[E] Error Code 2: Internal Error\nRunning inference...\nInference complete!\n",
    ],
)
@pytest.mark.parametrize("before", ["", "RX> ", "2026-07-01 10:00:00.000 "])
def test_other_programs_that_mark_their_lines_alike_are_no_runs(before: str, log: str) -> None:
    capture = read_capture("x", "".join(f"{before}{line}\n" for line in log.splitlines()).encode())
    assert (capture.runs, capture.findings) == ((), ())


RAN = "I [executorch:arm_executor_runner.cpp:780 run_model()] Starting running 2 inferences...\n"
END = "I [executorch:arm_executor_runner.cpp:1379 main()] Program complete, exiting.\n"


@pytest.mark.parametrize("said", ["Invalid ethosu_pmu_event_type: 700 (ethosu_pmu.c:1)", "Unknown PMU event id: 0x33"])
def test_a_counter_of_an_event_that_the_npu_does_not_have_is_doubted(said: str) -> None:
    capture = read_capture("x", f"{RAN}E: {said}\n{END}".encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity) for f in capture.findings] == [("pmu-event-unknown", "warning")]


def test_what_the_driver_or_a_backend_says_before_it_gives_up_is_quoted() -> None:
    log = f"{RAN}E: NPU error(s) occured during inference. (ethosu_driver.c:265)\nE [executorch:EthosUBackend.cpp:300 execute()] Ethos-U invocation failed error (-1)\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "execution-failed" and "NPU error(s) occured" in finding.detail
    log = (
        "I [executorch:arm_executor_runner.cpp:490 runner_init()] Running method forward\nE [executorch:method.cpp:300 init()] Missing values\n"
        "I [executorch:arm_executor_runner.cpp:640 runner_init()] Loading of method forward failed with status 0x23\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "method-load-failed" and "Missing values" in finding.detail


def test_a_buffer_that_the_linux_backend_misses_is_no_lack_of_memory() -> None:
    log = (
        "E 00:00:00.000412 executorch:EthosUBackend_Cortex_A.cpp:250] Missing input buffer for index 0\n"
        "E 00:00:00.000420 executorch:method.cpp:1433] CALL_DELEGATE execute failed at instruction 0: 0x2\n"
    )
    assert read_capture("x", log.encode()).findings[0].rule == "delegate-layout"


def test_an_operator_of_the_interpreter_is_told_with_the_type_that_it_does_not_take() -> None:
    log = "Type UINT8 is currently not supported by Pad. Only int8 is supported\nNode PAD (number 3) failed to invoke with status 1\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "operator-failed" and "Type UINT8" in finding.detail


TRACEBACK = 'Traceback (most recent call last):\n  File "/w/executorch/a.py", line 3, in <module>\n    main()\n'


@pytest.mark.parametrize(
    ("raised", "rule"),
    [
        ("subprocess.TimeoutExpired: Command '['FVP_Corstone_SSE-320', '-a', 'a.elf']' timed out after 60 seconds", "simulation-timeout"),
        ("Exception: Compilation failed: Failed to find block configuration", "vela-refused"),
        ("mypackage.errors.LoweringException: no", "compile-failed"),
        ("TypeError: QuantPass.__init__() takes 1 positional argument but 2 were given", "compile-failed"),
        ("TypeError: Net.forward() takes 2 positional arguments but 3 were given", "input-count"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'FVP_Corstone_SSE-320'", "launcher-not-found"),
    ],
)  # fmt: skip
def test_what_was_raised_is_found_whatever_its_class_is_called(raised: str, rule: str) -> None:
    findings = read_capture("x", f"{TRACEBACK}{raised}\n".encode()).findings
    assert [(f.rule, f.severity) for f in findings] == [(rule, "error")]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("vela: error: the following arguments are required: NETWORK", "vela-option"),
        ("Error: Illegal Size: Cmd1 weights of size: 3 Bytes is not a multiple of 16", "vela-internal"),
        ("/w/ethosu/regor/common/a.cpp:7: void regor::Writer::Do(const Tensor *): Assertion `tensor->IsConstant()' failed.", "vela-internal"),
        ("A module that was compiled using NumPy 1.x cannot be run in", "binary-mismatch"),
    ],
)  # fmt: skip
def test_last_words_without_a_traceback_are_explained(line: str, rule: str) -> None:
    findings = read_capture("x", f"{line}\n".encode()).findings
    assert [(f.rule, f.severity) for f in findings] == [(rule, "error")]


def test_a_demo_on_the_npu_that_names_itself() -> None:
    steps = "Loading model ...\nRunning inference...\nInference completed!\nPredicted digit: 4\n"
    log = f"ExecuTorch MNIST NPU Demo\nAlif Ensemble E8 - Cortex-M55 HP\n\n{steps}"
    assert (only(log).status, only(log).stage) == ("passed", "complete")
    assert only(log.partition("Inference completed")[0]).status == "hung"
    assert read_capture("x", steps.encode()).runs == ()


KIT = (
    "INFO - Initialising Ethos-U device@0x48102000\nINFO - Ethos-U version info:\nINFO - \tArch:       v1.1.0\nINFO - \tDriver:     v0.17.0\n"
    "INFO - \tMACs/cc:    128\nINFO - \tCmd stream: v0\nINFO - Initialising ExecuTorch runtime\nINFO - Model PTE file loaded. Size: 91072 bytes.\n"
)
FOUND = 'INFO - Model buffer loaded, has 1 methods\nINFO - Method found "forward"\n'
POOL = "INFO - Setting up method allocator pool. Base: 0x70000000, size: {} bytes.\nINFO - Setting up planned buffer 0, size 65536.\n"


def test_the_kit_with_executorch_tells_its_memory() -> None:
    run = only(
        f"{KIT}{FOUND}{POOL.format(262144)}INFO - Total planned memory allocated: 65536 bytes\n"
        "INFO - Setting up temporary allocator pool. Base: 0x31000000, size: 131072 bytes.\nINFO - Method memory allocated: 2048 bytes\n"
        "INFO - Method forward loaded.\nINFO - Inputs allocated: 3072 bytes.\nINFO - NPU memory mode: Shared_Sram\n"
        "INFO - \tMethod memory: Used: 70656; Peak: 70656; Available: 262144\nINFO - \tTemp memory: Used: 0; Peak: 0; Available: 131072\n"
        "INFO - Total number of inferences: 1\nINFO - 0) 3 (0.500000) -> cat\nINFO - Profile for Inference:\nINFO - NPU TOTAL: 90100 cycles\n"
        "INFO - Main loop terminated successfully.\nINFO - \tMethod memory: Used: 70656; Peak: 70656; Available: 262144\n"
        "INFO - \tTemp memory: Used: 0; Peak: 98304; Available: 131072\nINFO - program terminating...\n"
    )
    assert (run.status, run.stage, run.runner.kind) == ("passed", "complete", "mlek")
    assert (run.model.pte_bytes, run.model.method, run.target.memory_mode) == (91072, "forward", "Shared_Sram")
    pools = {name: (pool.used_bytes, pool.capacity_bytes) for name, pool in run.memory.pools.items()}
    assert pools == {"method": (70656, 262144), "temp": (98304, 131072)}
    assert (run.memory.planned_bytes, run.memory.planned_buffers, run.memory.input_bytes) == (65536, (65536,), 3072)


def test_the_kit_with_executorch_tells_what_failed() -> None:
    log = f"{KIT}{FOUND}{POOL.format(32768)}ERROR - Failed to allocate 65536 bytes. Allocator has 32768 bytes left\nERROR - Failed to initialise model\n"
    capture = read_capture("x", f"{log}INFO - program terminating...\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [
        ("failed", "plan")
    ]  # the last words of a failed kit are no progress
    assert capture.findings[0].rule == "method-pool-too-small" and "ACTIVATION_BUF_SZ" in capture.findings[0].advice
    log = f"{KIT}ERROR - Program loading failed @ 0x0x70000000: 0x23\nERROR - Failed to initialise model\n"
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "load")]
    assert capture.findings[0].rule == "program-load-failed"


def test_what_the_runtime_says_in_the_kit_is_read_behind_its_prefix() -> None:
    """The kit's platform layer spells the name as people do, and has a blank behind it."""
    said = "E [ExecuTorch: {}] {}\n"
    short = "Memory allocation failed: 65551B requested (adjusted for alignment), 32768B available"
    log = f"{KIT}{FOUND}{POOL.format(32768)}{said.format('memory_allocator.h:105 allocate()', short)}"
    log += (
        "ERROR - Failed to allocate 65536 bytes. Allocator has 32768 bytes left\nERROR - Failed to initialise model\n"
    )
    found = read_capture("x", log.encode()).findings[0]
    assert (found.rule, "requests failed" in found.detail) == (
        "method-pool-too-small",
        False,
    )  # one request, said twice
    assert "ACTIVATION_BUF_SZ=" in found.advice and "131" not in found.advice
    assert "read Method memory and trim" in found.advice  # its own words
    lacks = said.format("method.cpp:821 resolve_operator()", "Missing operator: [2] aten::flip.out")
    log = f'{KIT}{FOUND}{lacks}INFO - Loading of method "forward" failed with status 0x14\n'
    found = read_capture("x", log.encode()).findings[0]
    assert (found.rule, "aten::flip.out" in found.title) == ("missing-operator", True)


def test_an_application_that_marks_its_own_lines_and_those_of_the_runtime() -> None:
    begin = (
        "[ET] ExecuTorch runtime initialized\n[ET] Ethos-U85 initialized at 0x49042000\n[ET] Model registered (4096 bytes)\n"
        "[ET] Method 'forward': inputs=1 outputs=1 planned=1\n[ET] planned[0]=8192 bytes\n[ET] Loading method\n"
    )
    log = f"{begin}[ET:E] Backend EthosUBackend is not registered.\n[ET] ERROR: load_method failed (32)\n"
    capture = read_capture("x", log.encode())
    assert [(run.status, run.target.npu, run.model.pte_bytes) for run in capture.runs] == [
        ("failed", "ethos-u85", 4096)
    ]
    assert capture.findings[0].rule == "backend-not-registered"
    log = (
        f"{begin}[ET:E] Memory allocation failed: 20480B requested (adjusted for alignment), 16384B available\n"
        "[ET:E] Failed to allocate scratch buffer of 20480 bytes from temp_allocator\n[ET] ERROR: execute failed (33)\n"
    )
    capture = read_capture("x", log.encode())
    assert [run.stage for run in capture.runs] == ["execute"] and capture.findings[0].rule == "temp-pool-too-small"


@pytest.mark.parametrize(
    "said", ["client_loop: send disconnect: Broken pipe", "Connection to 10.0.0.7 closed by remote host."]
)
def test_a_run_whose_connection_was_lost_did_not_hang(said: str) -> None:
    capture = read_capture("x", f"{RAN}{said}\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("truncated", "execute")]
    assert (capture.findings[0].rule, capture.findings[0].lines) == ("truncated-log", (2,))
    assert "connection was lost" in capture.findings[0].title
    assert only(f"{RAN}{said}\n{RAN.replace('780', '781')}").status != "passed"
    assert only(f"{RAN}{END}{said}\n").status == "passed"
    assert only(RAN).status == "hung"
    assert read_capture("x", f"{said}\n".encode()).runs == ()


def test_the_demo_of_tvm_ends_with_what_it_saw() -> None:
    log = (
        "Starting Demo\nI: Initializing NPU: base_address=0x48102000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
        "I: Soft reset NPU\nRunning inference\nI: Ethos-U config. product=0, cmd_stream_version=0, macs_per_cc=8, shram_size=48, custom_dma=0\n"
    )
    said = "The image has been classified as 'tabby'\n"
    run = only(f"{log}{said}EXITTHESIM\n")
    assert (run.status, run.target.name) == ("passed", "ethos-u55-256")
    assert only(f"{log}EXITTHESIM\n").status != "passed"
    assert read_capture("x", said.encode()).runs == ()


BUSY = f"2026-03-02T10:11:03.1234567Z {RAN}2026-03-02T16:10:58.2234567Z "


@pytest.mark.parametrize(
    ("said", "status", "title"),
    [
        ("##[error]The operation was canceled.", "truncated", "The CI job was stopped"),
        (
            "##[error]The job running on runner linux.4xlarge has exceeded the maximum execution time of 90 minutes.\n"
            "##[error]The operation was canceled.",
            "timeout",
            "The CI job's time limit ended the run",
        ),
        ("Error: The action 'Run the FVP' has timed out after 30 minutes.", "timeout", "The CI job's time limit"),
        ("ERROR: Job failed: execution took longer than 2h0m0s seconds", "timeout", "The CI job's time limit"),
        ("X The job has exceeded the maximum execution time of 45m0s", "timeout", "The CI job's time limit"),
        ("Finished: ABORTED", "truncated", "The CI job was stopped"),
        (
            "##[error]Executing the custom container implementation failed. Please contact your administrator.",
            "truncated",
            "The CI job was stopped by its host",
        ),
    ],
)
def test_a_run_that_its_ci_job_stopped_did_not_hang(said: str, status: str, title: str) -> None:
    capture = read_capture("x", f"{BUSY}{said}\nPost job cleanup.\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [(status, "execute")]
    assert capture.findings[0].title.startswith(title) and capture.findings[0].lines == (2,)
    assert only(f"{RAN}{END}{said}\n").status == "passed"
    assert read_capture("x", f"{said}\n".encode()).runs == ()
    later = read_capture("x", f"{BUSY}\nPost job cleanup.\n{said}\n".encode()).runs
    assert later[0].status == status
    much = "".join(f"line {number} of another step\n" for number in range(60))
    assert read_capture("x", f"{BUSY}\n{much}{said}\n".encode()).runs[0].status == "hung", (
        "that step was ended, not this run"
    )


@pytest.mark.parametrize(
    "log",
    [
        "Bad CPU type in executable\n", "rosetta error: failed to open elf at /lib64/ld-linux-x86-64.so.2\n", "tee: a.log: Permission denied\n",
        "make executor_runner\nIllegal instruction\n", "c++ -o executor_runner -L. a.o\nIllegal instruction\n",
        "Out of memory: Killed process 612 (firefox) total-vm:812344kB\n", "we ran ./executor_runner yesterday\nSegmentation fault\n",
    ],
)  # fmt: skip
def test_words_of_a_launch_without_one_are_nothing_of_ours(log: str) -> None:
    assert read_capture("x", log.encode()).runs == ()


def test_a_program_that_the_kernel_killed_beside_the_run_is_not_the_run() -> None:
    log = "I 00:00:00.001203 executorch:executor_runner.cpp:302] Model file a.pte is loaded.\n"
    log += "Out of memory: Killed process 612 (firefox) total-vm:812344kB\nlate.sh: line 3:  99 Killed                  pip install tosa-tools\n"
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["truncated"]
    assert "runner-killed" not in {f.rule for f in capture.findings}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("[backends/arm/scripts/run_fvp.sh] Bundled I/O check FAILED for add.bpte", "bundleio-fail"),
        ("****** Error: M55_HE is unknown to this software version", "probe-device-unknown"),
        ('The selected device "R7KA8P1" is unknown to this software version.', "probe-device-unknown"),
        ("Failed to initialise Ethos-U device", "npu-not-responding"),
        ("ERROR   - mps3/corstone300/fvp        sample.hello FAILED: Timeout (rc=0)", "test-failed"),
    ],
)
def test_one_line_alone_tells_what_failed(line: str, rule: str) -> None:
    findings = read_capture("x", f"{line}\n".encode()).findings
    assert [(f.rule, f.severity) for f in findings][:1] == [(rule, "error")]


def test_a_check_that_passed_says_nothing_alone() -> None:
    capture = read_capture("x", b"[backends/arm/scripts/run_fvp.sh] Bundled I/O check PASSED for add.bpte\n")
    assert (capture.runs, capture.findings) == ((), ())


LOADS = "Running method forward\nSetting up planned buffer 0, size 4096.\n"


@pytest.mark.parametrize(
    ("text", "stage", "rule"),
    [
        ("Memory allocation failed: 4096B requested (adjusted for alignment), 1024B available", "plan", "method-pool-too-small"),
        ("Preparing inputs...\ninput size (150528) and tensor size (602112) mismatch!", "inputs", "input-size-mismatch"),
        ("Starting running 1 inferences...\nMemory allocation failed: 4096B requested (adjusted for alignment), 1024B available", "execute", "temp-pool-too-small"),
    ],
)  # fmt: skip
def test_an_error_at_the_end_of_a_log_without_prefixes_is_why_it_ends(text: str, stage: str, rule: str) -> None:
    capture = read_capture("x", f"{LOADS}{text}\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert [f.rule for f in capture.findings] == [rule]


@pytest.mark.parametrize(
    ("said", "npu", "words"),
    [
        ("macs_per_cc=7, optimizer.macs_per_cc=8 (ethosu_device_u85.c:388)", "ethos-u85", "--target=ethos-u85-128"),
        ("macs_per_cc=7, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:300)", "ethos-u55", "--target=ethos-u55-128"),
        ("macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u55_u65.c:300)", None, "--target=ethos-uNN-256"),
        ("macs_per_cc=7, optimizer.macs_per_cc=8", None, "--target=ethos-uNN-128"),  # the U85 has as many
        (
            "macs_per_cc=7 optimizer.macs_per_cc=8\nNPU config mismatch: npu.shram_size=24 optimizer.shram_size=48",
            "ethos-u55",
            "",
        ),
        ("macs_per_cc=9, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:300)", "ethos-u65", "--target=ethos-u65-512"),
        ("macs_per_cc=6, optimizer.macs_per_cc=8", "ethos-u55", "--target=ethos-u55-64"),
        ("num_axi_ext=1, optimizer.num_axi_ext=2", "ethos-u85", ""),
        ("product=0, optimizer.product=2 (ethosu_device_u85.c:388)", "ethos-u55", "ethos-u55"),
    ],
)
def test_the_driver_tells_the_npu_by_what_it_compares(said: str, npu: str | None, words: str) -> None:
    capture = read_capture("x", f"{RAN}E: NPU config mismatch. npu.{said}\n".encode())
    assert [run.target.npu for run in capture.runs] == [npu]
    assert words in capture.findings[0].advice


@pytest.mark.parametrize(
    ("message", "doubted"),
    [
        ("F\u7c65:K\u533a \u5229a", True),
        ("", True),
        ("\x0cQ", True),
        ("data:0x60588d80", False),
        ("No text that a row has", False),
    ],
)
def test_a_message_that_the_c_library_took_from_a_wrong_place_is_quoted(message: str, doubted: bool) -> None:
    log = f"{RAN}I 00:00:00.000000 executorch:EthosUBackend.cpp:zu] {message}\n{END}"
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [f.lines for f in capture.findings if f.rule == "newlib-nano-shift"] == [(2,)] * doubted


@pytest.mark.parametrize(
    "said", ["There are zd instructions don't have corresponding operator registered", "Model run: zd", "Model run: " + "9" * 40]
)  # fmt: skip
def test_a_fatal_message_whose_numbers_are_lost_is_fatal_all_the_same(said: str) -> None:
    capture = read_capture("x", f"{RAN}F [executorch:a.cpp:1 f()] {said}\n{END}".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["fatal-message"]


def test_an_esp32_begins_with_what_its_runtime_says_first() -> None:
    prefix = "I [executorch:esp_executor_runner.cpp:237 et_pal_init()] "
    log = f"{prefix}ESP32 ExecuTorch runner initialized. Free heap: 6097812 bytes.\n{prefix}PSRAM available. Free PSRAM: 5764716 bytes.\n"
    assert (only(log).first_line, only(log).target.platform) == (1, "board")
    assert only(f"Starting executorch runner !\n{log}").memory.pools["heap"].free_bytes == 6_097_812
    assert only(log * 2).first_line == 1  # the runtime says it whenever kernels are registered
    began = f"{log}{prefix}PTE Model data loaded. Size: 960 bytes.\n"
    assert [run.first_line for run in read_capture("x", (began * 2).encode()).runs] == [1, 4]
