"""What the bare-metal runners of the first releases do otherwise than those of today: their pools, their backend's name, their C library."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Capture, Finding

RUNNER = "arm_executor_runner.cpp"
NO_VALUE = "F executorch:result.h:165] In function CheckOk(), assert failed: hasValue_"


def read(*lines: str) -> Capture:
    return read_capture("early.log", "".join(f"{line}\r\n" for line in lines).encode())


def root(*lines: str) -> Finding:
    found = read(*lines).findings
    assert [f.severity for f in found].count("error") == 1
    return found[0]


def of_03(*more: str) -> list[str]:
    """The first lines of a run of 0.3, and how it ends without a method."""
    first = ((60, "Model in 0x70000000 $"), (66, "Model PTE file loaded. Size: 4096 bytes."), (77, "Model buffer loaded, has 1 methods"),
             (85, "Running method forward"), (109, "Setting up planned buffer 0, size 6400."))  # fmt: skip
    return [*(f"I executorch:{RUNNER}:{number}] {text}" for number, text in first), *more]


def load_failed(status: str) -> tuple[str, ...]:
    last = (
        (124, f"Loading of method forward failed with status {status}"),
        (130, "Method loaded."),
        (132, "Preparing inputs..."),
    )
    return (*(f"I executorch:{RUNNER}:{number}] {text}" for number, text in last), NO_VALUE)


def test_a_pool_that_malloc_did_not_give_is_no_pool_that_is_too_small() -> None:
    finding = root(*of_03(*load_failed("0x21")))
    assert finding.rule == "heap-too-small" and "malloc" in finding.detail
    assert "heap in the linker script" in finding.advice and "bytes" not in finding.advice


def test_planned_buffers_of_03_do_not_count_for_the_method_pool() -> None:
    short = "E executorch:memory_allocator.h:87] Memory allocation failed: 552B requested (adjusted for alignment), 96B available"
    finding = root(*of_03(short, *load_failed("0x21")))
    assert finding.rule == "method-pool-too-small"
    assert "6400" not in finding.detail + finding.advice


@pytest.mark.parametrize("behind", [
    ("Hard fault. irq=-13, pc=0x10000d2a, lr=0x10000cf1, xpsr=0x61000000, sp=0x3007fc10", "            cfsr=0x00008200 bfar=0x00000040 mmfar=0x00000000"),
    ("E [executorch:method.cpp:1348] CALL_DELEGATE execute failed at instruction 0: 0x23",),
    ("",),
])  # fmt: skip
def test_what_fails_later_does_not_make_it_the_temp_pool_that_had_no_room(behind: tuple[str, ...]) -> None:
    """A runner of 0.4 to 0.6 goes on without a planned buffer, and inputs may still fit into what is left."""
    first = ((434, "PTE in 0x70000000 $ Size: 4096 bytes"), (459, "PTE Model data loaded. Size: 4096 bytes."), (472, "Model buffer loaded, has 1 methods"),
             (480, "Running method forward"), (491, "Setup Method allocator pool. Size: 8192 bytes."), (508, "Setting up planned buffer 0, size 9600."))  # fmt: skip
    then = ((551, "Method 'forward' loaded."), (553, "Preparing inputs..."), (621, "Input prepared."), (623, "Starting the model execution..."))  # fmt: skip
    short = "E [executorch:memory_allocator.h:88] Memory allocation failed: 9600B requested (adjusted for alignment), 8192B available"
    log = [f"I [executorch:{RUNNER}:{number}] {text}" for number, text in first]
    finding = root(*log, short, *(f"I [executorch:{RUNNER}:{number}] {text}" for number, text in then), *behind)
    assert (finding.rule, finding.lines) == ("method-pool-too-small", (7,))
    assert "METHOD_ALLOCATOR_POOL_SIZE=" in finding.advice and "Zephyr" not in finding.advice


@pytest.mark.parametrize(("name", "release", "says"), [
    ("EthosUBackend", "0.3", "0.6 or later"), ("ArmBackend", "0.7", "0.5 or earlier"), ("ArmBackend", "0.3", ""), ("EthosUBackend", "0.7", ""),
])  # fmt: skip
def test_a_backend_of_another_release_has_another_name(name: str, release: str, says: str) -> None:
    if release == "0.3":
        log = of_03(f"E executorch:method.cpp:47] Backend {name} is not registered.", *load_failed("0x20"))
    else:
        head = (
            (489, "PTE in 0x70000000 < Size: 3760 bytes"),
            (514, "PTE Model data loaded. Size: 3760 bytes."),
            (527, "Model buffer loaded, has 1 methods"),
        )
        log = [*(f"I [executorch:{RUNNER}:{number} main()] {text}" for number, text in head),
               f"E [executorch:method.cpp:75 Init()] Backend {name} is not registered.",
               f"I [executorch:{RUNNER}:602 main()] Loading of method forward failed with status 0x20", NO_VALUE]  # fmt: skip
    finding = root(*log)
    assert finding.rule == "backend-not-registered"
    assert says in finding.detail and ("whole-archive" in finding.advice) is (not says)
    assert not any(name in f.advice for f in read(*log).findings if f.rule == "method-load-failed")


def test_the_dimensions_that_differ_are_told() -> None:
    finding = root(*of_03(
        f"I executorch:{RUNNER}:154] Starting the model execution...",
        "E executorch:ArmBackendEthosU.cpp:244] Tensor input 0 mismatched shape", "E executorch:ArmBackendEthosU.cpp:245] dimension 0 mismatch, 5 != 7",
        "E executorch:method.cpp:1039] CALL_DELEGATE execute failed at instruction 2: 0x23",
        f"I executorch:{RUNNER}:157] Execution of method forward failed with status 0x23",
    ))  # fmt: skip
    assert finding.rule == "delegate-shape" and "5 != 7" in finding.detail


@pytest.mark.parametrize("line", [
    "E: ethosu_driver.c:458: Failed to create driver semaphore", "E: Failed to create global driver mutex (ethosu_driver.c:390)",
    "E: Failed to allocate memory for Ethos-U device (ethosu_device_u55_u65.c:80)",
])  # fmt: skip
def test_a_driver_without_memory_tells_nothing_of_the_npu(line: str) -> None:
    finding = root(line, "Failed to initialize NPU.", "Application exit code: 1.")
    assert finding.rule == "heap-too-small" and "address" not in finding.title + finding.advice
    assert "before it looks" not in finding.advice  # its own semaphore comes after the NPU
    assert "CONFIG_HEAP_MEM_POOL_SIZE" in finding.advice


def test_one_npu_without_heap_is_no_error_where_the_other_works() -> None:
    (found,) = read(
        "E: ethosu_driver.c:459: Failed to create driver semaphore",
        "I: ethosu_driver.c:417: Initializing NPU: base_address=0x50005000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1",
        f"I [executorch:{RUNNER}:1080 run_model()] Starting running 1 inferences...",
        "I: ethosu_driver.c:612: Inference finished successfully", "Application exit code: 0.",
    ).findings  # fmt: skip
    assert (found.rule, found.severity) == ("npu-not-responding", "info")
    assert "heap" in found.advice


def test_values_without_digits_are_not_equal() -> None:
    lost = [f"Output[0][{index}]: (float) " for index in range(10)]
    found = read(
        *(f"I [executorch:{RUNNER}:zu ()] main" for _ in range(3)), *lost, "Application exit code: 0."
    ).findings
    assert "outputs-all-equal" not in {f.rule for f in found}
    assert "newlib-nano-shift" in {f.rule for f in found}


def test_inputs_without_memory_are_not_of_a_wrong_type() -> None:
    found = read(
        "I [executorch:arm_executor_runner.cpp:489 main()] PTE in 0x70000000 < Size: 3760 bytes",
        "I [executorch:arm_executor_runner.cpp:546 main()] Setup Method allocator pool. Size: 10300 bytes.",
        "I [executorch:arm_executor_runner.cpp:612 main()] Preparing inputs...",
        "E [executorch:memory_allocator.h:88 allocate()] Memory allocation failed: 256B requested (adjusted for alignment), 64B available",
        "E [executorch:arm_executor_runner.cpp:306 prepare_input_tensors()] Could not allocate memory for input buffers.",
        "I [executorch:arm_executor_runner.cpp:683 main()] Preparing inputs tensors for method forward failed with status 0x21",
    ).findings
    assert found[0].rule == "method-pool-too-small"
    note = next(f for f in found if f.rule == "inputs-failed")
    assert "pool" in note.advice and "type" not in note.advice


def test_outputs_alone_may_be_of_a_runner_without_log() -> None:
    finding = root(*(f"Output[0][{index}]: (float) 0.125000" for index in range(8)))
    assert finding.rule == "truncated-log" and "EXECUTORCH_ENABLE_LOGGING" in finding.detail


EXECUTING = [
    *of_03("I executorch:ArmBackendEthosU.cpp:52] ArmBackend::init 0x70000a80"),
    *(f"I executorch:{RUNNER}:{number}] {text}" for number, text in ((130, "Method loaded."), (132, "Preparing inputs..."), (140, "Input prepared."),
                                                                   (142, "Starting the model execution..."))),
]  # fmt: skip
"""A run of 0.3 up to where it waits for the NPU."""


@pytest.mark.parametrize(("end", "says"), [
    (("qemu-system-arm: terminating on signal 15 from pid 28407 (timeout)", "rc=124"), "no QEMU machine has an NPU"),
    (("exit code 124",), "the NPU's interrupt does not arrive"),
])  # fmt: skip
def test_what_stands_still_in_front_of_the_npu_is_not_merely_given_more_time(end: tuple[str, ...], says: str) -> None:
    finding = root(*EXECUTING, *end)
    assert finding.rule == "time-limit" and says in finding.advice


@pytest.mark.parametrize(("calls", "unused"), [(0, True), (1, False)])
def test_a_program_without_delegate_is_told_where_only_calls_are_counted(calls: int, unused: bool) -> None:
    lines = ["Starting the model execution...", f"NPU Inferences : {calls}", "Profiler report, CPU cycles per operator:", "ethos-u : cycle_cnt : 0 cycles",
             "Operator(s) total: 0 CPU cycles", "Inference runtime: 24159 CPU cycles total", "cpu_wait_for_npu_cntr : 0 CPU cycles", "Ethos-U PMU report:",
             f"ethosu_pmu_cycle_cntr : {calls * 4000}", *(f"ethosu_pmu_cntr{n} : {calls * 100}" for n in range(4)), "Model executed successfully.",
             "Program complete, exiting."]  # fmt: skip
    log = [
        f"I [executorch:{'arm_perf_monitor.cpp:100' if 1 <= n <= 12 else f'{RUNNER}:400'}] {text}"
        for n, text in enumerate(lines)
    ]
    capture = read(f"I [executorch:{RUNNER}:364] Model in 0x70000000 $", *log)
    assert capture.runs[0].status == "passed"
    assert ("npu-not-used" in {f.rule for f in capture.findings}) is unused


def test_a_run_that_went_on_without_its_input_has_no_results() -> None:
    log = ((364, "Model in 0x70000000 $"), (449, "Preparing inputs..."), (459, "Input prepared."), (463, "Starting the model execution..."),
           (515, "Model executed successfully."), (555, "Program complete, exiting."))  # fmt: skip
    wrong = f"E [executorch:{RUNNER}:200] input size (8) and tensor size (16) missmatch!"
    first, second, *more = (f"I [executorch:{RUNNER}:{number}] {text}" for number, text in log)
    capture = read(first, second, wrong, *more)
    finding = next(f for f in capture.findings if f.rule == "input-size-mismatch")
    assert (capture.runs[0].status, finding.severity) == ("passed", "warning")
    assert "not results" in finding.detail


def test_weights_in_a_segment_are_not_seen_by_a_runner_that_is_older() -> None:
    found = root(*of_03("E executorch:program.cpp:240] Constant buffer 4 out of program buffer range 0",
                        "E executorch:tensor_parser_portable.cpp:108] getTensorDataPtr() failed: 0x12",
                        "E executorch:method.cpp:342] Failed parsing tensor at index 2: 0x12", *load_failed("0x12")))  # fmt: skip
    assert found.rule == "method-load-failed"
    assert "this older runner" in found.advice
    other = root(
        *of_03("E executorch:program.cpp:240] Constant buffer 4 out of program buffer range 3", *load_failed("0x12"))
    )
    assert "this older runner" not in other.advice


@pytest.mark.parametrize(
    ("behind", "status"),
    [("E executorch:method.cpp:zu] i,", "failed"), ("I executorch:arm_executor_runner.cpp:zu] K", "passed")],
)
def test_main_that_returns_0_after_the_driver_refused_is_no_success(behind: str, status: str) -> None:
    """Up to 0.7 it always does, and newlib-nano loses the line that says what failed."""
    lost = f"I executorch:{RUNNER}:zu] pG"
    capture = read(lost, lost, "E: NPU status=0x00000804, qread=16, cmd_end_reached=0 (ethosu_driver.c:552)", behind,
                   "Output[0][0]: 0.000000", "Application exit code: 0.", "", "EXITTHESIM")  # fmt: skip
    assert capture.runs[0].status == status
    assert capture.findings[0].severity == ("error" if status == "failed" else "warning")


@pytest.mark.parametrize(("number", "rule"), [(675, "etdump-memory"), (623, "temp-pool-too-small")])
def test_what_is_asked_for_after_the_execution_is_the_etdumps(number: int, rule: str) -> None:
    """0.6 says nothing of it but what its allocator says, and then writes to address 0."""
    text = {675: "Model executed successfully.", 623: "Starting the model execution..."}[number]
    steps = ((472, "Model buffer loaded, has 1 methods"), (491, "Setup Method allocator pool. Size: 8192 bytes."), (534, "Setting up ETDump"),
             (551, "Method 'forward' loaded."), (623, "Starting the model execution..."), (number, text))  # fmt: skip
    log = [f"I [executorch:{RUNNER}:{line}] {said}" for line, said in steps]
    finding = root(*log, "E [executorch:memory_allocator.h:88] Memory allocation failed: 1217B requested (adjusted for alignment), 640B available",
                   "Hard fault. irq=-13, pc=0x10000d2a, lr=0x10000cf1, xpsr=0x61000000, sp=0x3007fc10", "            cfsr=0x00008200 bfar=0x00000000")  # fmt: skip
    assert (finding.rule, finding.lines) == (rule, (7,))


def test_a_runner_that_says_that_it_is_through_is_believed_over_what_the_driver_said_before() -> None:
    told = f"I executorch:{RUNNER}:370] Model PTE file loaded. Size: 960 bytes."
    refused = "E: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u55_u65.c:300)"
    capture = read(told, refused, "E executorch:tensor_impl.cpp:80] A note", "Program complete, exiting.",
                   "Application exit code: 0.")  # fmt: skip
    assert (capture.runs[0].status, capture.findings[0].severity) == ("passed", "warning")


def test_a_tensor_without_memory_is_of_the_method_pool() -> None:
    unread = "E executorch:method.cpp:342] Failed parsing tensor{} at index 2: {}"
    for what in ("", " list"):
        found = root(*of_03(unread.format(what, "0x21")))
        assert found.rule in ("method-pool-too-small", "heap-too-small")
        assert "Failed parsing tensor" in found.detail
    assert root(*of_03(unread.format("", "0x12"))).rule == "method-load-failed"


def test_the_line_behind_the_allocators_tells_what_asked() -> None:
    began = ["I [executorch:arm_executor_runner.cpp:463] Starting the model execution..."]
    short = "E [executorch:memory_allocator.h:88] Memory allocation failed: 512B requested (adjusted for alignment), 64B available"
    cut = root(*began, short)
    assert cut.rule == "temp-pool-too-small"
    assert "the NPU or an operator" in cut.detail
    told = root(
        *began, short, "E [executorch:arm_executor_runner.cpp:480] Execution of method forward failed with status 0x21"
    )
    assert "the NPU or an operator" not in told.detail
