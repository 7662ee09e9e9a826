"""Pools and programs of the CMSIS pack's test of all operators: what fails is told by that application's own names."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.answers.of_run import answers_of_run

from .test_cmsis_pack import MEMORY, OPERATORS, POOLS, SUMMARY, failed, only, read

_ASKED = (
    "[ET E] memory_allocator.h:105 Memory allocation failed: {}B requested (adjusted for alignment), {}B available\n"
)


@pytest.mark.parametrize("pools", [True, False])
@pytest.mark.parametrize(
    ("step", "rule", "size", "by"),
    [
        ("execute", "temp-pool-too-small", "-DTEMP_POOL_KB=127 or more", "by 64512 bytes or more (-DTEMP_POOL_KB of"),
        ("load_method", "method-pool-too-small", "-DMETHOD_POOL_KB=", "-DMETHOD_POOL_KB of the test"),
        ("nb_inputs method", "test-result-fail", "", ""),
    ],
)
def test_a_pool_of_the_test_of_all_operators_is_told_by_its_own_name(
    step: str, rule: str, size: str, by: str, pools: bool
) -> None:
    log = OPERATORS.replace("Test_result: add PASS", f"{_ASKED.format(65536, 1024)}Test_result: add FAIL ({step})")
    log += f"{POOLS if pools else ''}{MEMORY}Test_result: SUMMARY 1/2 FAIL\n"
    _, _, found, text = failed(log)
    assert found == rule and (size if pools else by) in text
    assert "ET_ARM_BAREMETAL" not in text and "CONFIG_EXECUTORCH" not in text


def test_each_operator_has_the_pool_for_itself() -> None:
    one = f"Test_exec: add (portable) pte=1536 bytes\n{_ASKED.format(262144, 262144 - 1024)}Test_result: add FAIL (load_method)\n"
    _, _, rule, text = failed("".join(one.replace("add", name) for name in ("add", "mul", "cat")) + POOLS)
    assert rule == "method-pool-too-small" and "at least 263168 bytes" in text


def test_a_program_of_an_operator_that_was_not_loaded_is_explained_by_its_status() -> None:
    _, _, rule, text = failed(
        OPERATORS.replace("Test_result: add PASS", "Test_result: add FAIL (Program::load err=35)")
    )
    assert rule == "test-result-fail" and "status 0x23 (InvalidProgram)" in text
    assert "16-byte alignment" in text and "compares its outputs" not in text


@pytest.mark.parametrize(
    ("step", "advice"),
    [
        ("execute", "no output was compared"),
        ("load_method", "Link the kernels and the backend"),
        ("atol method", "from one release"),
        ("missing embedded input 1", "from one release"),
        ("input 1 copy", "compares its outputs with"),
        ("", "compares its outputs with"),
    ],
)
def test_what_to_do_follows_the_step_at_which_an_operator_failed(step: str, advice: str) -> None:
    said = f"add FAIL ({step})" if step else "add FAIL"
    status, _, rule, text = failed(OPERATORS.replace("add PASS", said) + "Test_result: SUMMARY 1/2 FAIL\n")
    assert (status, rule) == ("failed", "test-result-fail") and said in text and advice in text


READY = "Ethos-U ready: arch v2.0.0, MACs/cc 256\n"


def test_the_npu_of_the_test_is_named_by_one_line() -> None:
    log = READY + OPERATORS + POOLS + MEMORY + SUMMARY
    run = only(log)
    assert (run.status, run.target.npu, run.target.macs, run.first_line) == ("passed", "ethos-u85", 256, 1)
    assert [r.status for r in read(log * 2).runs] == ["passed"] * 2
    assert [r.status for r in read(READY + OPERATORS + log).runs] == ["truncated", "passed"]


def test_a_driver_that_does_not_start_is_the_cause_of_operators_that_are_not_loaded() -> None:
    log = "Failed to initialize Arm Ethos-U driver (rval=-1)\n" + OPERATORS.replace(
        "add PASS", "add FAIL (load_method)"
    )
    found = read(log + "Test_result: SUMMARY 1/2 FAIL\n").findings
    assert [(f.rule, f.severity) for f in found][:2] == [("npu-not-responding", "error"), ("test-result-fail", "info")]


def test_outputs_outside_their_tolerance_are_told_though_the_test_passes() -> None:
    capture = read(OPERATORS + SUMMARY)
    (found,) = capture.findings
    assert "mul: delta max|err|=0.0078 > tol" in found.detail and "reported" not in found.detail
    (passed, *_) = answers_of_run(capture.runs[0], capture.findings)
    assert (passed.answer, passed.tone) == ("yes, but", "warn") and "outside their tolerance" in passed.reason
    within = OPERATORS.replace(" (delta max|err|=0.0078 > tol, reported)", "")
    assert read(within + SUMMARY).findings == ()
