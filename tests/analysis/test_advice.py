"""Advice that a reader can follow blindly: no text of a log that a shell would run, no pool that becomes smaller."""

from __future__ import annotations

import re

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.cleaning import in_command
from ethosu_tui.analysis.report import Finding

OPEN = "I [executorch:arm_executor_runner.cpp:70 main()] Running method forward\n"
_SHORT = "E [executorch:memory_allocator.h:1 allocate()] Memory allocation failed: {}B requested (adjusted for alignment), {}B available\n"
_TEMP = (
    "E [executorch:kernel_runtime_context.h:94 allocate_temp()] Failed to allocate temp memory. Bytes requested: {}\n"
)


def root(log: str) -> Finding:
    return read_capture("x", log.encode()).findings[0]


@pytest.mark.parametrize("name", ["aten::`id`.out", "aten::$(id).out", 'a";id;"', "a;id", "a|id", "a&id", "-a\\nid"])
def test_a_name_that_a_shell_would_run_is_in_no_command(name: str) -> None:
    one = root(f"{OPEN}E [executorch:method.cpp:1] Missing operator: [0] {name}\n")
    assert one.rule == "missing-operator"
    assert "SELECT_OPS_LIST" not in one.advice
    missing = "E [executorch:method.cpp:1] Missing operator: [0] "
    two = root(f"{OPEN}{missing}{name}\n{missing}aten::relu.out\n")
    assert '-DEXECUTORCH_SELECT_OPS_LIST="aten::relu.out"' in two.advice


def test_names_of_operators_and_targets_are_plain() -> None:
    for plain in (
        "aten::_softmax.out",
        "ethos-u55-128",
        "Ethos_U55_High_End_Embedded",
        "cortex_m::quantize_per_tensor.out",
    ):
        assert in_command(plain) == plain
    for odd in ("", None, "-rf", "a b", "a'b", "a\nb", "\u0430ten", "a=b", "$HOME", "a/b"):
        assert in_command(odd, "NAME") == "NAME"


def pool_size(advice: str) -> int:
    found = re.search(r"TEMP_ALLOCATOR_POOL_SIZE=(\d+)", advice)
    assert found is not None, advice
    return int(found[1])


def test_the_temp_pool_that_is_advised_holds_what_was_in_use_too() -> None:
    log = f"{OPEN}temp_allocator: 2097152\n{_SHORT.format(1024, 64)}{_TEMP.format(1000)}"
    assert pool_size(root(log).advice) == 2097152 - 64 + 1024
    asked = root(f"{OPEN}temp_allocator: 2097152\n{_TEMP.format(1000)}")
    assert pool_size(asked.advice) > 2097152


def test_without_the_size_of_the_temp_pool_the_advice_says_what_comes_on_top() -> None:
    advice = root(f"{OPEN}{_SHORT.format(1024, 64)}{_TEMP.format(1000)}").advice
    assert "what is already in use + 1024 bytes (64 were left)" in advice and "by 960 bytes" in advice
    assert "POOL_SIZE=" not in advice and advice.startswith("Enlarge the pool by 960 bytes")


@pytest.mark.parametrize(
    "asked",
    [
        "4096B",
        "4096B requested (adjusted for ali",
    ],
)
def test_a_request_that_was_cut_gives_no_size_of_the_pool(asked: str) -> None:
    cut = f"E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: {asked}\n"
    found = root(f"{OPEN}{cut}{_TEMP.format(4000)}")
    assert found.rule == "temp-pool-too-small" and "Enlarge the pool by 4096 bytes" in found.advice
    assert "POOL_SIZE=" not in found.advice


def test_a_request_whose_number_was_lost_is_told_by_what_did_not_fit() -> None:
    cut = "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 0B\n"
    abort = (
        "F [executorch:arm_executor_runner.cpp:660 runner_init()] In function runner_init(), assert failed (buffer != nullptr): "
        "Could not allocate memory for memory planned buffer size 752640\n"
    )
    found = root(f"{OPEN}{cut}{abort}")
    assert found.rule == "method-pool-too-small" and "735.0 KiB" in found.title
