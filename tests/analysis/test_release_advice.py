"""What to do is said in options that the runner's release has, and with the numbers of the log."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.capture import read_capture
from ethosu_tui.analysis.report import Capture, Finding
from ethosu_tui.analysis.rules.releases import surely_before, surely_from

SOURCE = "arm_executor_runner.cpp"
BEGINNINGS = {
    "0.5": ((364, "Model in 0x70000000 $"), (366, "Model PTE file loaded. Size: 98304 bytes."), (376, "Model buffer loaded, has 1 methods")),
    "0.7": ((489, "PTE in 0x70000000 8 Size: 98304 bytes"), (514, "PTE Model data loaded. Size: 98304 bytes."), (527, "Model buffer loaded, has 1 methods")),
    "1.1": ((1241, "PTE @ 0x70000000 [----ET12]"), (597, "PTE Model data loaded. Size: 98304 bytes."), (610, "Model buffer loaded, has 1 methods")),
    "1.2": ((1274, "PTE @ 0x70000000 [----ET12]"), (602, "PTE Model data loaded. Size: 98304 bytes."), (618, "Model buffer loaded, has 1 methods")),
    "1.4": ((1360, "PTE @ 0x70000000 [----ET12]"), (625, "PTE Model data loaded. Size: 98304 bytes."), (641, "Model buffer loaded, has 1 methods")),
}  # fmt: skip
"""The first lines of a run, whose source lines tell the release."""
EXECUTION = {"0.5": (463, "Starting the model execution..."), "1.1": (1121, "Starting running 1 inferences..."),
             "1.2": (1154, "Starting running 1 inferences..."), "1.4": (1221, "Starting running 1 inferences...")}  # fmt: skip
FILES = {"1.1": (1157, 1217, 518), "1.4": (1257, 1330, 541)}
LIMIT = "Info: Simulation is stopping. Reason: CPU time has been exceeded."


def printed(release: str, number: int, text: str, level: str = "I", function: str = "main", file: str = SOURCE) -> str:
    where = f"{file}:{number}" if release < "0.7" else f"{file}:{number} {function}()"
    return f"{level} [executorch:{where}] {text}"


def begun(release: str, *more: str) -> list[str]:
    return [*(printed(release, number, text) for number, text in BEGINNINGS[release]), *more]


def executing(release: str, *more: str) -> list[str]:
    return begun(release, printed(release, *EXECUTION[release]), *more)


def read(lines: list[str]) -> Capture:
    return read_capture("advice.log", "\n".join((*lines, "")).encode())


def root(lines: list[str]) -> Finding:
    capture = read(lines)
    assert [f.severity for f in capture.findings].count("error") == 1
    return capture.findings[0]


@pytest.mark.parametrize(
    ("release", "earlier", "later"),
    [
        ("1.0.0/1.0.1", (0, 7), (1, 1)),
        ("1.4.0..main", (1, 4), None),
        ("0.7-dev", (0, 6), (0, 8)),
        ("main", (1, 4), None),
    ],
)
def test_a_release_is_early_or_late_only_where_all_that_it_may_be_are(
    release: str, earlier: tuple[int, int], later: tuple[int, int] | None
) -> None:
    run = read(begun("1.1")).runs[0]
    run = run._replace(runner=run.runner._replace(executorch_version=release))
    assert surely_from(run, earlier) and not surely_before(run, earlier)
    assert later is None or (surely_before(run, later) and not surely_from(run, later))
    unknown = run._replace(runner=run.runner._replace(executorch_version=None))
    assert not surely_from(unknown, (0, 1)) and not surely_before(unknown, (9, 9))


@pytest.mark.parametrize(("release", "has", "has_not"), [
    ("0.5", "--timelimit SECONDS in run_fvp of examples/arm/run.sh", "--timeout"),
    ("1.2", "run_fvp.sh --timeout=SECONDS", "or --fast for"),
    ("1.4", "or --fast for a run without cycles", "extra_args"),
])  # fmt: skip
def test_more_time_is_given_as_the_release_gives_it(release: str, has: str, has_not: str) -> None:
    finding = root(executing(release, "", LIMIT))
    assert finding.rule == "time-limit"
    assert has in finding.advice and has_not not in finding.advice


@pytest.mark.parametrize(("release", "has", "has_not"), [
    ("0.5", "run.sh --portable_kernels=...", "EXECUTORCH_SELECT_OPS_MODEL"), ("1.1", "EXECUTORCH_SELECT_OPS_MODEL", "--portable_kernels"),
])  # fmt: skip
def test_operators_are_added_as_the_release_takes_them(release: str, has: str, has_not: str) -> None:
    missing = printed(release, 700, "Missing operator: [2] aten::_softmax.out", "E", "resolve_operator", "method.cpp")
    finding = root(begun(release, missing))
    assert finding.rule == "missing-operator"
    assert '-DEXECUTORCH_SELECT_OPS_LIST="aten::_softmax.out"' in finding.advice
    assert has in finding.advice and has_not not in finding.advice


def reading(release: str, *inputs: str, size: int = 121634816, left: int = 62914560) -> list[str]:
    started, model, full = FILES[release]
    ends = "failed." if release >= "1.3" else "ERROR Out of memory"
    return [
        printed(release, started, "Running executor with parameter:"),
        *inputs,
        printed(release, model, "Reading pte model from file m.pte"),
        f"E [executorch:memory_allocator.h:107 allocate()] Memory allocation failed: {size}B requested (adjusted for alignment), {left}B available",
        printed(release, full, f"Failed to allocate input file size:{size}", "F", "read_binary_file"),
        printed(release, model + 4, f"Reading pte model from file m.pte {ends}", "E"),
    ]


@pytest.mark.parametrize(("release", "has", "has_not"), [
    ("1.1", "input_file_allocation_pool_size in arm_executor_runner.cpp to 121634816 bytes", "-DET_ARM_BAREMETAL_SEMIHOSTING"),
    ("1.4", "-DET_ARM_BAREMETAL_SEMIHOSTING_FILE_ALLOCATOR_POOL_SIZE=121634816", "input_file_allocation_pool_size"),
])  # fmt: skip
def test_a_program_that_is_too_large_to_be_read_is_no_missing_file(release: str, has: str, has_not: str) -> None:
    finding = root(reading(release))
    assert finding.rule == "input-pool-too-small"
    assert "m.pte has 121634816 bytes, and 62914560 bytes were left" in finding.detail
    assert has in finding.advice and has_not not in finding.advice
    assert not {"method-pool-too-small", "input-file-unreadable"} & {f.rule for f in read(reading(release)).findings}


def test_what_other_files_took_of_the_pool_is_not_counted_as_room() -> None:
    first = printed("1.1", 1199, "Reading input tensor 1 from file i.bin")
    finding = root(reading("1.1", first, left=62312448))
    assert finding.rule == "input-pool-too-small"
    assert "by 59322368 bytes or more" in finding.advice


def arena(release: str) -> list[str]:
    return executing(
        release,
        "E [executorch:memory_allocator.h:107 allocate()] Memory allocation failed: 3211264B requested (adjusted for alignment), 2097152B available",
        "E [executorch:EthosUBackend.cpp:200 execute()] Failed to allocate scratch buffer of 3211250 bytes from temp_allocator",
    )


def test_the_arena_is_all_that_the_temp_pool_holds_where_the_release_empties_it_before() -> None:
    option = "-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=3211264"
    newer, older = root(arena("1.2")), root(arena("1.1"))
    assert newer.rule == older.rule == "temp-pool-too-small"
    assert option in newer.advice and "--specify_ethosu_scratch" in newer.advice
    assert "CMakeLists.txt" in older.advice and "to 3211264" in older.advice  # which CMake of 1.1 does not take with -D
    assert "--specify_ethosu_scratch" not in older.advice


def test_the_size_of_the_arena_is_no_answer_to_an_operator_that_wants_more() -> None:
    finding = root(executing(
        "1.4",
        "I [executorch:arm_executor_runner.cpp:1035 log_mem_status()] temp_allocator:            2097152",
        "E [executorch:arm_memory_allocator.cpp:67 allocate()] Memory allocation failed: 4096B requested (adjusted for alignment), 64B available",
        "E [executorch:kernel_runtime_context.h:94 allocate_temp()] Failed to allocate temp memory. Bytes requested: 4096",
    ))  # fmt: skip
    assert finding.rule == "temp-pool-too-small" and "_POOL_SIZE=2101184" in finding.advice
    assert "--specify_ethosu_scratch" not in finding.advice


def test_all_that_an_etdump_asked_for_is_added_up_and_told_once() -> None:
    capture = read(executing(
        "1.4",
        "E [executorch:arm_executor_runner.cpp:800 runner_init()] ETDump: Could not allocate memory for output buffer size 2097152",
        "I [executorch:arm_executor_runner.cpp:1243 run_model()] 1 inferences finished",
        "E [executorch:arm_executor_runner.cpp:1100 write_etdump()] Could not allocate memory etdump base64 encoding size 1048601",
        "I [executorch:arm_executor_runner.cpp:1379 main()] Program complete, exiting.",
    ))  # fmt: skip
    assert capture.runs[0].status == "passed"
    finding = next(f for f in capture.findings if f.rule == "etdump-memory")
    assert "by 3145753" in finding.advice and "-DET_DEBUG_BUFFER_SIZE=BYTES" in finding.advice
    assert "error-messages" not in {f.rule for f in capture.findings}


def test_a_program_that_is_not_in_the_elf_has_to_be_put_where_the_runner_looks_for_it() -> None:
    finding = root([
        printed("1.1", 1241, "PTE @ 0x38000000 [----....]"),
        printed("1.1", 597, "PTE Model data loaded. Size: 268435456 bytes."),
        "E [executorch:program.cpp:132 load()] Program identifier '' != expected 'ET12'",
        printed("1.1", 602, "In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x38000000: 0x23", "F", "runner_init"),
    ])  # fmt: skip
    assert finding.rule == "program-load-failed"
    assert "--data FILE.pte@0x38000000" in finding.advice


def test_linux_is_told_what_linux_has() -> None:
    stamp = "00:00:00.010771 executorch"
    opened = [
        f"I {stamp}:executor_runner.cpp:365] Model file a.pte is loaded.",
        f"I {stamp}:executor_runner.cpp:374] Using method forward",
    ]
    finding = root([*opened, f"E {stamp}:method.cpp:75] Backend EthosUBackend is not registered."])
    assert finding.rule == "backend-not-registered"
    assert "-DEXECUTORCH_BUILD_ARM_ETHOSU_LINUX=ON" in finding.advice and "whole-archive" not in finding.advice
    finding = root(
        [
            *opened,
            f"E {stamp}:EthosUBackend_Cortex_A.cpp:290] Ethos-U Linux driver invocation failed: Failed to open device",
        ]
    )
    assert finding.rule == "npu-driver-missing"
    assert "/dev/ethosu0" in finding.advice and "ethosu_init" not in finding.advice


def test_an_inference_that_failed_half_way_is_in_no_figure_of_one_inference() -> None:
    capture = read(executing(
        "1.2",
        "E: NPU status=0x00000804, qread=1312, cmd_end_reached=0 (ethosu_device_u55_u65.c:202)",
        "I [executorch:arm_perf_monitor.cpp:139 StopMeasurements()] NPU Inferences : 3",
        "I [executorch:arm_perf_monitor.cpp:140 StopMeasurements()] NPU delegations: 4 (1.33 per inference)",
        "I [executorch:arm_perf_monitor.cpp:199 StopMeasurements()] ethosu_pmu_cycle_cntr :  192800 (64266.67 per inference)",
        "I [executorch:arm_perf_monitor.cpp:206 StopMeasurements()] ethosu_pmu_cntr0 : 25201 (8400.33 per inference)",
        "F [executorch:arm_executor_runner.cpp:1172 run_model()] In function run_model(), assert failed (status == Error::Ok): Execution of method "
        "forward failed with status 0x23",
    ))  # fmt: skip
    run = capture.runs[0]
    assert (run.status, run.cycles.inferences, run.cycles.delegations) == ("failed", 3, 4)
    assert not [name for name in run.derived if name.endswith("per_inference")]
    assert "bound-fragmented" not in {f.rule for f in capture.findings}


@pytest.mark.parametrize(("release", "has"), [("1.2", "Enlarge __STACK_SIZE"), ("1.4", "-DSTACK_SIZE=0x10000")])
def test_the_stack_of_the_runner_is_enlarged_where_its_release_says_its_size(release: str, has: str) -> None:
    finding = root(executing(
        release,
        "Hard fault. irq=-13, pc=0x1000c2a0, lr=0x1000b1c7, xpsr=0x81000003, sp=0x20000010",
        "            cfsr=0x00100000 bfar=0x00000000 mmfar=0x00000000",
    ))  # fmt: skip
    assert finding.title == "Stack overflow on the target"
    assert has in finding.advice and "Zephyr" not in finding.advice


def test_a_runner_that_reads_its_program_cannot_take_its_operators_from_it() -> None:
    lines = [printed("1.1", FILES["1.1"][0], "Running executor with parameter:"), *begun("1.1")]
    finding = root([*lines, "E [executorch:method.cpp:784 resolve_operator()] Missing operator: [1] aten::cumsum.out"])
    assert finding.rule == "missing-operator"
    assert "--select_ops_list" in finding.advice and "EXECUTORCH_SELECT_OPS_MODEL" not in finding.advice


def test_a_start_with_words_that_are_no_options_is_a_run_of_its_own() -> None:
    stamp = "00:00:00.000411 executorch"
    capture = read([
        f"E {stamp}:executor_runner.cpp:329] Extra commandline args: a.pte",
        "root@board:~# ./executor_runner --model_path b.pte",
        f"E {stamp}:file_data_loader.cpp:102] Failed to open b.pte: No such file or directory (2)",
        f"F {stamp}:executor_runner.cpp:470] In function main(), assert failed (file_loader.ok()): FileDataLoader::from() failed: 0x22",
    ])  # fmt: skip
    assert [(r.status, r.first_line, r.last_line) for r in capture.runs] == [("failed", 1, 1), ("failed", 3, 4)]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["runner-parameters", "input-file-missing"]
    assert not read(["Extra commandline args: a.pte"]).runs


def test_a_comparison_that_took_place_is_told_as_one_whatever_was_said_before() -> None:
    finding = root(executing(
        "1.1",
        "E [executorch:tensor_util.cpp:70 check_input()] Data type int64 of an input is not the usual one",
        "E [executorch:bundled_program.cpp:514 verify_method_outputs()] Method's output data mismatched the expected one.",
        "E [executorch:arm_executor_runner.cpp:1290 verify_result()] Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000",
        "E [executorch:arm_executor_runner.cpp:1300 run_model()] Bundle verification failed with status 0x20",
    ))  # fmt: skip
    assert (finding.rule, finding.title) == ("bundleio-fail", "BundleIO: the outputs do not match the reference")


def test_outputs_in_another_memory_format_are_not_compared() -> None:
    finding = root(executing(
        "1.1",
        "F [executorch:bundled_program.cpp:179 tensors_are_close()] In function tensors_are_close(), assert failed (strides == other): "
        "The two inputs of `tensors_are_close` function shall have same strides",
    ))  # fmt: skip
    assert finding.rule == "bundleio-fail"
    assert "channels_last" in finding.advice


def test_a_program_in_the_wrong_place_is_told_where_it_may_lie() -> None:
    finding = root([
        printed("1.2", 1274, "PTE @ 0x38000004 [----ET12]"),
        "E [executorch:program.cpp:160 load()] Program data 0x0x38000004 must be aligned to 16",
        printed("1.2", 610, "In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x38000004: 0x12", "F", "runner_init"),
    ])  # fmt: skip
    assert finding.rule == "program-load-failed"
    assert "aligned to 16 bytes" in finding.title and "0x38000004 is not" in finding.advice


@pytest.mark.parametrize(("release", "told"), [("1.2", False), ("0.5", False)])
def test_only_the_release_that_lost_outputs_is_blamed_for_them(release: str, told: bool) -> None:
    finding = root(executing(
        release,
        printed(release, 1117, "Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000", "E", "verify_result"),
        printed(release, 1122, "TEST: BundleIO index[0] Test_result: FAIL", "E", "verify_result"),
    ))  # fmt: skip
    assert finding.rule == "bundleio-fail"
    assert ("1.0 lost outputs" in finding.advice) == told


def test_a_launch_that_failed_is_kept_beside_the_next_one() -> None:
    capture = read([
        "[backends/arm/scripts/run_fvp.sh]: Unable to find executor_runner elf: /w/out/ethos-u55-128/arm_executor_runner",
        "telnetterminal0: Listening for serial connection on port 5000",
        *executing("1.2"), printed("1.2", 1297, "Program complete, exiting."),
    ])  # fmt: skip
    assert [(r.status, r.first_line) for r in capture.runs] == [("not_started", 1), ("passed", 2)]
    assert capture.findings[0].rule == "launcher-not-found"


def test_a_driver_for_another_npu_is_told_once() -> None:
    capture = read([
        "E: Failed to initialize device. Driver has not been compiled for this product (ethosu_device_u85.c:96)",
        "E: Failed to initialize Ethos-U device (ethosu_driver.c:452)",
        "Failed to initialize NPU.",
        *executing("1.1"), "", LIMIT,
    ])  # fmt: skip
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-driver-product"]
    assert "npu-not-responding" not in {f.rule for f in capture.findings}


@pytest.mark.parametrize(
    ("release", "has"), [("1.1", "-C cpu0.semihosting-cwd=FOLDER"), ("1.4", "(--semihosting-cwd)")]
)
def test_the_folder_of_semihosting_is_named_as_the_release_names_it(release: str, has: str) -> None:
    started, model, full = FILES[release]
    finding = root([
        printed(release, started, "Running executor with parameter:"),
        printed(release, model, "Reading pte model from file m.pte"),
        printed(release, full - 16, "Could not open file m.pte (errno: 2) for reading, exiting!", "F", "read_binary_file"),
    ])  # fmt: skip
    assert finding.rule == "input-file-missing"
    assert has in finding.advice


def test_the_script_of_a_ci_job_only_repeats_that_its_run_failed() -> None:
    wrapped = [
        "Traceback (most recent call last):",
        '  File "/ci/.github/scripts/run_with_env_secrets.py", line 102, in <module>',
        "    main()",
        "RuntimeError: Command docker exec -t 8b2a1ce59e5b63 /exec failed with exit code 1",
    ]
    capture = read([*executing("1.2", "", LIMIT), *wrapped])
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["time-limit"]
    assert capture.findings[-1].rule == "job-step-failed" and capture.findings[-1].severity == "info"


def test_linux_keeps_the_data_cache_itself_and_has_its_own_option_for_the_tolerance() -> None:
    stamp = "00:00:00.010771 executorch:executor_runner.cpp"
    lines = [f"I {stamp}:352] Model file a.bpte is loaded.", f"I {stamp}:361] Using method forward",
             f"I {stamp}:515] Model executed successfully 1 time(s) in 2.512000 ms.", f"I {stamp}:590]  max_absolute_error:  0.030000",
             f"E {stamp}:610] Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000",
             f"E {stamp}:615] TEST: BundleIO index[0] Test_result: FAIL"]  # fmt: skip
    finding = root(lines)
    assert finding.rule == "bundleio-fail" and "--bundleio_atol=0.032" in finding.advice
    assert "data cache" not in root([line.replace("0.030000", "3.000000") for line in lines]).advice


def test_a_test_that_calls_the_simulator_itself_gives_it_the_limit() -> None:
    finding = root([printed("1.1", FILES["1.1"][0], "Running executor with parameter:"), *executing("1.1"), LIMIT])
    assert finding.rule == "time-limit"
    assert "backends/arm/test/runner_utils.py" in finding.advice and "run_fvp.sh" not in finding.advice


def test_a_program_that_another_step_lacks_is_no_launch_before_the_next() -> None:
    passed = [*executing("1.2"), printed("1.2", 1297, "Program complete, exiting.")]
    begun_with = "telnetterminal0: Listening for serial connection on port 5000"
    assert [r.status for r in read(["docker: command not found", begun_with, *passed]).runs] == ["passed"]


@pytest.mark.parametrize(("release", "line", "has", "has_not"), [
    ("0.5", "E: Fast memory area too small. fast_memory_size=0, base_addr_size=4096 (ethosu_driver.c:571)", "ethosu_init is given to 4096 or more", "-DET_"),
    ("1.2", "E: Fast memory area too small. fast_memory_size=0, base_addr_size=4096 (ethosu_driver.c:571)", "_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=4096", "ethosu_init"),
    ("0.5", printed("0.5", 114, "Program identifier 'BP08' != expected 'ET12'", "E", file="program.cpp"), "Give it the .pte", "--bundleio"),
    ("0.7", printed("0.7", 113, "Program identifier 'BP08' != expected 'ET12'", "E", "load", "program.cpp"), "with --bundleio, or give it the .pte", "any build"),
])  # fmt: skip
def test_options_that_a_release_has_not_are_not_named(release: str, line: str, has: str, has_not: str) -> None:
    log = executing(release, line) if "Fast" in line else [*begun(release)[:2], line]
    advice = root(log).advice
    assert has in advice and has_not not in advice


@pytest.mark.parametrize(("lines", "listed"), [((166, 175, 226), False), ((218, 227, 278), True)])
def test_a_runner_for_linux_before_10_takes_no_list_of_operators_from_a_program(
    lines: tuple[int, ...], listed: bool
) -> None:
    texts = ("Model file m.pte is loaded.", "Using method forward", "Setting up planned buffer 0, size 96.")
    log = [
        f"I 00:00:00.000412 executorch:executor_runner.cpp:{number}] {text}"
        for number, text in zip(lines, texts, strict=True)
    ]
    finding = root([*log, "E 00:00:00.000534 executorch:method.cpp:9] Missing operator: [0] aten::sin.out"])
    assert finding.rule == "missing-operator" and ("EXECUTORCH_SELECT_OPS_MODEL" in finding.advice) == listed


def test_the_arena_of_a_sample_for_zephyr_is_all_that_its_temp_pool_holds() -> None:
    finding = root([
        "*** Booting Zephyr OS build v4.3.0 ***", printed("1.2", 215, "PTE at 0x20001a40 Size: 9600 bytes"), printed("1.2", 397, "Input prepared."),
        printed("1.2", 399, "Starting the model execution..."),
        printed("1.2", 105, "Memory allocation failed: 20016B requested (adjusted for alignment), 8192B available", "E", "allocate", "memory_allocator.h"),
        printed("1.2", 167, "Failed to allocate scratch buffer of 20016 bytes from temp_allocator", "E", "execute", "EthosUBackend.cpp"),
    ])  # fmt: skip
    assert finding.rule == "temp-pool-too-small"
    assert (
        "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE=20016" in finding.advice and "in use already" not in finding.advice
    )
