"""What a runner says with a C library that loses numbers, or of a program of another kind, is told for what it is."""

from __future__ import annotations

import pytest

from .test_release_advice import begun, executing, printed, read, root


def test_a_place_whose_border_the_c_library_lost_is_told_as_one() -> None:
    finding = root([
        printed("1.4", 1360, "PTE @ 0x38000004 [----ET12]"),
        "E [executorch:program.cpp:148 load()] Program data 0x0x38000004 must be aligned to zu",
        printed("1.4", 633, "In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x38000004: 0x12", "F", "runner_init"),
    ])  # fmt: skip
    assert (finding.rule, finding.title) == ("program-load-failed", "The program is not aligned in memory")
    assert "multiple of 16 (0x38000004 is not)" in finding.advice


@pytest.mark.parametrize(
    ("found", "title"),
    [
        ("BP08", "The program is a bundled one (.bpte)"),
        ("ET11", "The program has the format ET11, and this runner reads ET12"),
    ],
)
def test_a_program_of_another_kind_is_named_by_its_kind(found: str, title: str) -> None:
    finding = root([
        printed("1.4", 1360, f"PTE @ 0x70000000 [----{found}]"),
        f"E [executorch:program.cpp:168 load()] Program identifier '{found}' != expected 'ET12'",
        printed("1.4", 633, "In function runner_init(), assert failed (program_result.ok()): Program loading failed @ 0x70000000: 0x23", "F", "runner_init"),
    ])  # fmt: skip
    assert finding.rule == "program-load-failed"
    assert finding.title.startswith(title)


def test_a_kernel_whose_name_is_lost_below_its_own_line_counts_once() -> None:
    capture = read(begun(
        "1.4",
        "E [executorch:operator_registry.cpp:277 get_op_function_from_registry()] kernel 'aten::topk.values' not found.",
        "E [executorch:method.cpp:819 resolve_operator()] Missing operator: [zd] (null)",
        "E [executorch:operator_registry.cpp:277 get_op_function_from_registry()] kernel 'aten::cat.out' not found.",
        "E [executorch:method.cpp:819 resolve_operator()] Missing operator: [zd] ",
        "E [executorch:method.cpp:1125 init()] There are zu instructions don't have corresponding operator registered. See logs for details",
        printed("1.4", 779, "Loading of method forward failed with status 0x14", function="runner_init"),
    ))  # fmt: skip
    finding = capture.findings[0]
    assert (finding.rule, finding.title) == ("missing-operator", "The runner has no kernel for 2 operators")
    assert "lost" not in finding.detail
    assert "error-messages" not in {f.rule for f in capture.findings}


def test_a_scratch_buffer_whose_size_is_lost_is_still_the_npus() -> None:
    finding = root(executing(
        "1.4",
        "E [executorch:memory_allocator.h:88 allocate()] Memory allocation failed: zuB requested (adjusted for alignment), zuB available",
        "E [executorch:EthosUBackend.cpp:137 execute()] Failed to allocate scratch buffer of zu bytes from temp_allocator",
        "E [executorch:method.cpp:1525 execute_instruction()] CALL_DELEGATE execute failed at instruction zu: 0x1",
    ))  # fmt: skip
    assert (finding.rule, finding.title) == (
        "temp-pool-too-small",
        "The temp pool is too small for the NPU's scratch buffer",
    )


@pytest.mark.parametrize(
    ("finished", "told"),
    [(0, ""), (1, "One earlier inference finished."), (2, "2 earlier inferences finished.")],
)
def test_an_inference_that_failed_after_others_says_how_many_went_well(finished: int, told: str) -> None:
    capture = read(executing(
        "1.4",
        "E: ethosu_driver.c:591: NPU error(s) occured during inference.",
        "E: ethosu_device_u55_u65.c:202: NPU status=0x00000006, qread=536, cmd_end_reached=0",
        "E [executorch:EthosUBackend_Cortex_M.cpp:116 platform_execute()] Ethos-U invocation failed error (-1)",
        printed("1.4", 150, f"NPU Inferences : {finished}", function="StopMeasurements", file="arm_perf_monitor.cpp"),
        printed("1.4", 1239, "In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x23",
                "F", "run_model"),
    ))  # fmt: skip
    failed = next(f for f in capture.findings if f.rule == "execution-failed")
    assert told in failed.detail
    assert ("finished" in failed.detail) == bool(told)


def _mismatched(value: str, error: str, tolerance: str, mean: str = "0.000000") -> str:
    finding = root(executing(
        "1.4", f"Output[0][0]: {value}",
        printed("1.4", 1176, f" mean_absolute_error: {mean}", function="verify_result"),
        printed("1.4", 1177, f" max_absolute_error:  {error}", function="verify_result"),
        "E [executorch:bundled_program.cpp:523 verify_method_outputs()] Method's output data mismatched the expected one.",
        printed("1.4", 1196, f"Model output don't match expected BundleIO bpte ref data. rtol={tolerance} atol={tolerance}", "E", "verify_result"),
        printed("1.4", 1201, "TEST: BundleIO index[0] Test_result: FAIL", "E", "verify_result"),
    ))  # fmt: skip
    assert finding.rule == "bundleio-fail"
    return finding.advice


def test_an_error_of_zero_is_not_called_far_from_the_tolerance() -> None:
    assert "not rounding" in _mismatched("(float) 0.5", "0.500000", "0.010000")
    assert "which is rounding" in _mismatched("(float) 0.5", "0.000000", "0.000000")
    assert "NaN" in _mismatched("(float) nan", "0.000000", "0.000000", "nan")
    assert "miss what differs" in _mismatched("(float) 0.5", "0.000000", "0.010000")


def test_error_figures_of_integers_are_not_trusted() -> None:
    for error in ("0.000000", "12582912.000000"):
        assert "as if the outputs (char) were float32" in _mismatched("(char) 5", error, "0.010000")


def test_a_wrong_value_of_the_servers_option_is_a_wrong_parameter() -> None:
    finding = root([
        "I [executorch:arm_executor_runner.cpp:1406 main()] Running executor with parameter:",
        "F [executorch:arm_executor_runner.cpp:1503 main()] Invalid --server_mode value: yes",
    ])  # fmt: skip
    assert finding.rule == "runner-parameters" and "true or false" in finding.advice


def test_a_lost_message_is_no_error_message() -> None:
    capture = read([
        "I [executorch:arm_executor_runner.cpp:zu ()] main",
        "I [executorch:arm_executor_runner.cpp:zu ()] run_model",
        "E: ethosu_device_u55_u65.c:202: NPU status=0x00000006, qread=536, cmd_end_reached=0",
        "E [executorch:EthosUBackend.cpp:zu ()] execute",
    ])  # fmt: skip
    assert capture.findings[0].rule == "npu-bus-error"
    assert "error-messages" not in {f.rule for f in capture.findings}


def test_a_message_is_lost_whatever_bytes_stand_where_its_function_was() -> None:
    capture = read([
        "I [executorch:arm_executor_runner.cpp:zu \x03\ufffdpG()] main",
        "I [executorch:arm_executor_runner.cpp:zu F!D?\ufffd()] runner_init",
        "E [executorch:method.cpp:zu \ufffd\ufffdh()] resolve_operator",
        "F [executorch:result.h:zu ()] CheckOk",
        "Application exit code: 1.",
    ])  # fmt: skip
    assert capture.findings[0].rule == "missing-operator"
    lost = next(f for f in capture.findings if f.rule == "newlib-nano-shift")
    assert lost.detail.startswith("In 4 lines zu")
    assert "error-messages" not in {f.rule for f in capture.findings}


@pytest.mark.parametrize(("named", "later"), [("arm_executor_runner.cpp", True), ("zephyr_app.cpp", False)])
def test_only_the_bare_metal_runner_can_do_without_the_formats_of_c99(named: str, later: bool) -> None:
    lost = [
        f"I [executorch:{named}:zu ()] {name}"
        for name in ("main", "main", "runner_init", "runner_init", "main", "main")
    ]
    capture = read(["*** Booting Zephyr OS build v4.3.0 ***", *lost] if not later else lost)
    finding = next(f for f in capture.findings if f.rule == "newlib-nano-shift")
    assert "nano.specs" in finding.advice and ("1.2 or later" in finding.advice) is later
    assert finding.detail.startswith("In 6 lines ") and "How far" in finding.detail


def test_how_far_a_run_came_that_passed_is_no_question() -> None:
    capture = read(["I [executorch:arm_executor_runner.cpp:zu ()] main", "Application exit code: 0."])
    assert [run.status for run in capture.runs] == ["passed"]
    finding = next(f for f in capture.findings if f.rule == "newlib-nano-shift")
    assert finding.detail.startswith("In 1 line ") and "How far" not in finding.detail


def test_the_bare_metal_runner_has_its_test_set_in_its_source() -> None:
    finding = root(begun(
        "1.4",
        printed("1.4", 795, "Input testset[0] from bundled bpte", function="runner_init"),
        "E [executorch:bundled_program.cpp:274 load_bundled_input()] testset_idx 3 is out of range [0, 2]",
        printed("1.4", 800, "In function runner_init(), assert failed (status == Error::Ok): LoadBundledInput failed with status 0x12", "F", "runner_init"),
    ))  # fmt: skip
    assert finding.rule == "test-set-missing"
    assert "arm_executor_runner.cpp" in finding.advice and "--testset_idx" not in finding.advice


@pytest.mark.parametrize(("free", "rule"), [(130_443, "temp-pool-too-small"), (32, "method-pool-too-small")])
def test_a_request_that_the_method_pool_had_room_for_was_made_of_the_temp_pool(free: int, rule: str) -> None:
    """Zephyr's runner goes on after a load that failed, and prints what is left of the method pool."""
    finding = root([
        "*** Booting Zephyr OS build v4.3.0 ***", printed("1.4", 215, "PTE at 0x700172a0 Size: 3168 bytes"),
        printed("1.4", 265, "Setup Method allocator pool. Size: 131072 bytes."), printed("1.4", 282, "Setting up planned buffer 0, size 32."),
        printed("1.4", 312, "Loading method."),
        "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 96B requested (adjusted for alignment), 32B available",
        printed("1.4", 317, "Loading of method forward failed with status 0x21"),
        printed("1.4", 328, f"Preparing input: In use: {131_072 - free}B, Free: {free}B"),
        "F [executorch:result.h:170 CheckOk()] In function CheckOk(), assert failed: hasValue_",
    ])  # fmt: skip
    assert finding.rule == rule
