"""Recurring failures where another release, port or shell shows them than the usual one."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.draft import Evidence
from ethosu_tui.analysis.host.prompts import is_typed
from ethosu_tui.analysis.report import Capture
from ethosu_tui.analysis.rules.pool_options import pool_names
from ethosu_tui.analysis.rules.samples import OPEN_10, Sample, render

from .port_logs import rules


def _read(log: str, era: str = "1.0") -> Capture:
    return read_capture("x", render(Sample("", era, log)).encode())


def test_a_program_that_ends_too_early_is_said_to_be_cut_off() -> None:
    found = _read(
        "E program.cpp:114 | File size is too small. Expected file size from extended header is 90112, actual file size from data loader is 4096\n"
        "E executor_runner.cpp:360 | Failed to parse model file k.pte\n",
        "linux",
    ).findings
    assert [item.rule for item in found] == ["program-load-failed"]
    assert "90112" in found[0].detail and "cut off" in found[0].advice


def test_the_size_that_a_runner_without_bundles_tells_of_one_is_not_its_program_s() -> None:
    (run,) = _read(
        "I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----BP08]\n"
        "I arm_executor_runner.cpp:578 runner_init | PTE Model data loaded. Size: 51200 bytes.\n"
        "E program.cpp:168 load | Program identifier 'BP08' != expected 'ET12'\n"
    ).runs
    assert (run.model.pte_bytes, run.model.loaded_bytes, run.lines["model.loaded_bytes"]) == (None, 51200, 2)


@pytest.mark.parametrize("address", ["2000a344", "0x2000a344"])
def test_a_stream_off_its_border_is_told_however_the_address_is_printed(address: str) -> None:
    found = _read(
        f"{OPEN_10}I EthosUBackend.cpp:117 init | data:{address}\nE VelaBinStream.cpp:34 vela_bin_validate | "
        f"Vela bin ptr not aligned to 16 bytes: {address}\nE EthosUBackend.cpp:124 init | Malformed vela_bin_stream found\n"
        "E method.cpp:110 Init | Init failed for backend EthosUBackend: 0x23\n"
    ).findings
    assert found[0].rule == "vela-stream-misaligned"
    assert "4 bytes past" in found[0].detail
    assert [item.lines for item in found if item.rule == "method-load-failed"] == [(10,)]


def test_a_planned_buffer_that_did_not_fit_names_its_pool_without_numbers() -> None:
    log = "".join(f"{line}\n" for line in OPEN_10.splitlines() if "Setting up" not in line).replace("62914560", "12288")
    found = _read(
        f"{log}I arm_executor_runner.cpp:631 runner_init | Setting up planned buffer zu, size zu.\n"
        "E memory_allocator.h:88 allocate | Memory allocation failed: zuB requested (adjusted for alignment), zuB available\n"
        "F arm_executor_runner.cpp:640 runner_init | In function runner_init(), assert failed (buffer != nullptr): "
        "Could not allocate memory for memory planned buffer size zu\n"
    ).findings
    assert (found[0].rule, found[0].severity) == ("method-pool-too-small", "error")
    assert "12288" in found[0].detail


def test_a_pool_is_named_as_its_release_has_it() -> None:
    log = (
        "I executorch:arm_executor_runner.cpp:66] Model PTE file loaded. Size: 1024 bytes.\n"
        "I executorch:arm_executor_runner.cpp:77] Model buffer loaded, has 1 methods\n"
        "I executorch:arm_executor_runner.cpp:85] Running method forward\n"
        "E executorch:memory_allocator.h:88] Memory allocation failed: 96B requested (adjusted for alignment), 8B available\n"
        "I executorch:arm_executor_runner.cpp:130] Loading of method forward failed with status 0x21\n"
    )
    capture = read_capture("x", log.encode())
    assert str(capture.runs[0].runner.executorch_version).startswith(("0.3", "0.4"))
    assert ": METHOD_ALLOCATOR_POOL_SIZE in the runner's source;" in capture.findings[0].advice


def test_what_fails_of_the_next_command_is_not_of_the_one_before() -> None:
    first = "error: externally-managed-environment\n"
    second = "ERROR: No matching distribution found for ethos-u-vela==9.9\n"
    assert rules(first + second) == [("externally-managed", "error"), ("package-not-found", "info")]
    for prompt in ("lea@box:~/et$ ", "(env) lea@box:~/et$ ", "$ ", "PS C:\\et> "):
        typed = f"{prompt}pip install ethos-u-vela==9.9\n"
        assert rules(first + typed + second) == [("externally-managed", "error"), ("package-not-found", "error")]


def test_a_setup_that_is_begun_again_fails_of_its_own() -> None:
    begins = "[Arm Setup/main] Checking platform and OS\n"
    refused = f"{begins}[Arm Setup/fvp] Exiting due to missing EULA acceptance\n"
    torn = "[Arm Setup/fvp] ERROR: download of https://host.example/f.tgz failed after 5 attempts\n"
    assert rules(refused + torn)[1] == ("download-failed", "info")
    assert rules(refused + begins + torn)[1] == ("download-failed", "error")


def test_each_launch_of_the_script_is_a_run_with_its_own_cause() -> None:
    launch = (
        "Running /w/{0}/arm_executor_runner for {0} run with FVP:{1} num_macs:{2} timeout:600\n"
        "{1}: error while loading shared libraries: {3}: cannot open shared object file: No such file or directory\n"
        "[run_fvp.sh] Simulation complete, 0\nNo problems found!\n"
    )
    capture = read_capture(
        "x",
        (
            launch.format("ethos-u55-64", "FVP_Corstone_SSE-300_Ethos-U55", 64, "libz.so.1")
            + launch.format("ethos-u85-512", "FVP_Corstone_SSE-320", 512, "libffi.so.7")
        ).encode(),
    )
    assert [(run.target.name, run.status) for run in capture.runs] == [
        ("ethos-u55-64", "not_started"),
        ("ethos-u85-512", "not_started"),
    ]
    causes = [found for found in capture.findings if found.rule == "library-missing"]
    assert [(found.run, name in found.detail) for found, name in zip(causes, ("libz", "libffi"), strict=True)] == [
        (1, True),
        (2, True),
    ]


@pytest.mark.parametrize("status", ["exit=124", "rc=124", "exit status 124"])
def test_the_status_of_timeout_says_who_ended_the_run(status: str) -> None:
    begun = f"{OPEN_10}I arm_executor_runner.cpp:1100 run_model | Starting running 1 inferences...\n|\n"
    capture = _read(f"{begun}| real\t5m0.1s\n| {status}\n")
    assert (capture.runs[0].status, capture.findings[0].rule) == ("timeout", "time-limit")
    assert _read(f"{begun}| real\t5m0.1s\n| {status.replace('124', '1')}\n").runs[0].status == "hung"


def test_a_linker_that_names_another_program_gets_no_pool_of_the_runner() -> None:
    log = "ld: {0} section `.bss' will not fit in region `RAM'\nld: region `RAM' overflowed by 65536 bytes\n"
    (other,) = read_capture("x", log.format("board_app.elf").encode()).findings
    (runner,) = read_capture("x", log.format("arm_executor_runner").encode()).findings
    assert "ALLOCATOR_POOL_SIZE=" not in other.advice and "65536" in other.advice
    assert "ALLOCATOR_POOL_SIZE=" in runner.advice


def test_scratch_memory_that_does_not_fit_is_not_taken_off_the_method_pool() -> None:
    log = "ld: arm_executor_runner section `.sram.bss' will not fit in region `SRAM'\nld: region `SRAM' overflowed by 4096 bytes\n"
    (found,) = read_capture("x", log.encode()).findings
    assert (
        "Take 4096 bytes off the NPU's scratch memory, -DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
        in found.advice
    )


def test_the_backend_for_linux_runs_on_a_board_or_on_an_fvp() -> None:
    (run,) = _read(
        "I executor_runner.cpp:476 | Model file m.pte is loaded.\nI executor_runner.cpp:486 | Using method forward\n"
        "E EthosUBackend_Cortex_A.cpp:318 | Ethos-U Linux driver invocation failed: IOCTL failed\n",
        "linux",
    ).runs
    assert run.target.platform is None


def test_cycles_of_an_operator_are_none_where_the_counter_was_off_in_a_run_that_failed() -> None:
    (run,) = _read(
        f"{OPEN_10}I arm_perf_monitor.cpp:150 StopMeasurements | NPU Inferences : 0\n"
        "I arm_perf_monitor.cpp:160 StopMeasurements | ethos-u : cycle_cnt : 0 cycles (nan per inference)\n"
        "I arm_perf_monitor.cpp:170 StopMeasurements | Inference runtime: 0 CPU cycles total (nan per inference)\n"
        "I arm_perf_monitor.cpp:180 StopMeasurements | Inference CPU ratio: ?.?? %\n"
        "I arm_perf_monitor.cpp:181 StopMeasurements | Inference NPU ratio: ?.?? %\n"
        "F arm_executor_runner.cpp:1013 run_model | In function run_model(), assert failed (status == Error::Ok): "
        "Execution of method forward failed with status 0x23\n"
    ).runs
    assert [operator.cycles for operator in run.cycles.operators] == [None]


def test_a_stream_that_is_bad_when_it_is_run_was_loaded() -> None:
    found = _read(
        f"{OPEN_10}I EthosUBackend.cpp:117 init | data:0x70000090\nI arm_executor_runner.cpp:744 runner_init | Method 'forward' loaded.\n"
        "I arm_executor_runner.cpp:1050 run_model | Starting running 1 inferences...\n"
        "E VelaBinStream.cpp:95 vela_bin_read | Invalid block name or malformed binary\n"
        "E EthosUBackend.cpp:186 execute | vela_read: error, invalid binary layout\n"
        "E method.cpp:1427 execute_instruction | CALL_DELEGATE execute failed at instruction 1: 0x23\n"
    ).findings
    assert [item.rule for item in found][:2] == ["vela-stream-malformed", "execution-failed"]


def test_a_script_without_the_elf_does_not_ask_for_a_simulator() -> None:
    (found,) = read_capture("x", b"[run_fvp.sh]: Unable to find executor_runner elf: /w/o.elf\n").findings
    assert "--elf=FILE" in found.advice and "PATH" not in found.advice


@pytest.mark.parametrize(
    "schema",
    [
        "aten::trunc(Tensor self) -> Tensor",
        "aten::max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)",
        "aten::a(Tensor(a!) x) -> Tensor(a!)",
        "aten::a.out(Tensor x, *, Tensor(a!) one, Tensor(b!) two) -> (Tensor(a!), Tensor(b!))",
        "aten::cut(Tensor(a -> *) x) -> Tensor(a)[]",
    ],
)
def test_an_operator_is_known_as_the_edge_dialect_prints_it(schema: str) -> None:
    said = f"RuntimeError: Unknown operator <EdgeOpOverload: aten.trunc.default>: schema = {schema} for TOSA : TOSA-1.0+INT\n"
    log = f'Traceback (most recent call last):\n  File "/w/executorch/backends/arm/process_node.py", line 9, in process\n    raise RuntimeError(\n{said}'
    (found,) = read_capture("x", log.encode()).findings
    assert (found.rule, found.title) == (
        "operator-untranslated",
        "The Arm backend cannot translate this operator into TOSA: aten.trunc.default",
    )


@pytest.mark.parametrize("mark", ["'", '"'])
def test_a_title_does_not_end_in_the_mark_that_python_puts_behind_a_string(mark: str) -> None:
    log = f"ethosu.vela.errors.VelaError: {mark}Error: Address offset out of range: 9, region: 1{mark}\n"
    (found,) = read_capture("x", log.encode()).findings
    assert found.title == "Vela failed: Address offset out of range: 9, region: 1"


def test_the_title_of_an_error_in_double_quotes_keeps_the_single_ones_in_it() -> None:
    log = "ethosu.vela.errors.ConfigOptionError: \"Error: Invalid configuration of const_mem_area='Far'\"\n"
    (found,) = read_capture("x", log.encode()).findings
    assert found.title == "Vela refused the configuration: Invalid configuration of const_mem_area='Far'"


def test_a_build_whose_configuration_names_no_npu_is_told_without_a_name() -> None:
    log = "CMake Error at CMakeLists.txt:9 (message):\n  SYSTEM_CONFIG does not contain 'U55' or 'U85'.  Configuration aborting.\n"
    (found,) = read_capture("x", log.encode()).findings
    assert (found.rule, "SYSTEM_CONFIG" in found.title) == ("build-options", False)


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("0.3.0", "METHOD_ALLOCATOR_POOL_SIZE in the runner's source"),
        ("0.3.0/0.4.0", "METHOD_ALLOCATOR_POOL_SIZE in the runner's source"),
        ("0.1.0..0.3.0", "method_allocator_pool or METHOD_ALLOCATOR_POOL_SIZE in the runner's source"),
        ("0.4.0/0.5.0", "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"),
        ("0.5.0..1.0.1", "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"),
        ("1.0.0/1.1.0", "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE on bare metal, CONFIG_EXECUTORCH_"),
    ],
)
def test_a_pool_has_a_name_of_its_release_where_all_that_it_may_be_agree(version: str, name: str) -> None:
    run = _read(f"{OPEN_10}I arm_executor_runner.cpp:9 main | Program complete, exiting.\n").runs[0]
    run = run._replace(runner=run.runner._replace(executorch_version=version))
    told = pool_names(run, Evidence((), (), {}, ""), "method")
    assert told.startswith(name) and ("Zephyr" in told) == ("CONFIG_" in name)


def test_what_fails_of_an_error_that_came_again_is_of_it() -> None:
    error = "k.cpp:{}:1: error: q was not declared\n"
    log = f"$ make\n{error.format(3)}$ cmake --build out\n{error.format(7)}ninja: build stopped: subcommand failed.\n"
    assert rules(log) == [("compile-error", "error"), ("build-failed", "info")]


def test_a_file_made_of_another_is_no_command() -> None:
    assert is_typed("C:\\w> cmake --build out") and not is_typed("C:\\w\\a.vcxproj -> C:\\w\\a.exe")
