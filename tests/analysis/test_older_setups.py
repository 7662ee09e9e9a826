"""Setups and builds of older releases, and sources of two releases together: what is said of them."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import rules


@pytest.mark.parametrize(
    "line, rule",
    [
        ("Usage: setup.sh <--i-agree-to-the-contained-eula> [path-to-a-scratch-dir]", "eula-not-accepted"),
        (
            "examples/arm/run.sh: line 27: cd: /w/examples/arm/ethos-u-scratch/ethos-u: No such file or directory",
            "setup-missing",
        ),
    ],
)
def test_what_the_scripts_of_0_4_say_where_the_setup_was_not_done(line: str, rule: str) -> None:
    assert rules(f"{line}\n") == [(rule, "error")]


def test_a_wheel_that_goes_on_without_git_has_another_reason() -> None:
    head = "      fatal: not a git repository (or any of the parent directories): .git\n      running bdist_wheel\n"
    raised = "      Traceback (most recent call last):\n        File \"/tmp/pip-build-env-a/overlay/bin/cmake\", line 5, in <module>\n      ModuleNotFoundError: No module named 'cmake'\n"
    capture = read_capture("x", f"{head}{raised}  ERROR: Failed building wheel for executorch\n".encode())
    assert [found.rule for found in capture.findings] == ["missing-module", "wheel-build-failed"]
    assert "--no-build-isolation" in capture.findings[0].advice


@pytest.mark.parametrize(
    "line, words",
    [
        (
            "RegisterCodegenUnboxedKernelsEverything.cpp:47:23: error: 'OddScope' is not a member of 'torch::executor::internal'",
            "generated kernel registration",
        ),
        (
            "/w/runtime/EthosUBackend_Cortex_A.cpp:200:38: error: 'class EthosU::Device' has no member named 'createBuffers'",
            "Linux driver stack",
        ),
        ("/w/runtime/EthosUBackend_Cortex_A.cpp:200:38: error: expected ';' before '}' token", "does not compile"),
    ],
)
def test_sources_of_two_releases_are_told_from_a_mistake(line: str, words: str) -> None:
    (found,) = read_capture("x", f"{line}\n".encode()).findings
    assert found.rule == "compile-error" and words in found.title


def test_a_test_that_misses_flatc_says_so() -> None:
    log = "E               RuntimeError: flatc not found. Either add it to PATH, or set its variable.\nFAILED misc/test_a.py::test_b - Runtim...\n"
    assert rules(log) == [("flatc-missing", "error"), ("test-failed", "info")]
