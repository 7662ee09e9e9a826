"""Pools and programs of the CMSIS pack's test of all operators: what fails is told by that application's own names."""

from __future__ import annotations

import pytest

from .test_cmsis_pack import MEMORY, OPERATORS, POOLS, failed

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
    assert rule == "method-pool-too-small" and "at least 263168 bytes so far" in text


def test_a_program_of_an_operator_that_was_not_loaded_is_explained_by_its_status() -> None:
    _, _, rule, text = failed(
        OPERATORS.replace("Test_result: add PASS", "Test_result: add FAIL (Program::load err=35)")
    )
    assert rule == "test-result-fail" and "status 0x23 (InvalidProgram)" in text
    assert "16-byte alignment" in text and "compares its outputs" not in text
