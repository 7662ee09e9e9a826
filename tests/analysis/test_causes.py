"""The table of failed builds and installations: each sample is a line that is read, and is explained by its own row."""

from __future__ import annotations

import re
import time

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.rules.causes import Failure, explain_text
from ethosu_tui.analysis.rules.causes_aot import AOT_FAILURES
from ethosu_tui.analysis.rules.causes_build import BUILD_FAILURES

SAMPLES = [(failure, sample) for failure in BUILD_FAILURES for sample in failure.samples]


@pytest.mark.parametrize(("failure", "sample"), SAMPLES, ids=lambda value: getattr(value, "rule", None))
def test_every_sample_is_explained_by_its_row(failure: Failure, sample: str) -> None:
    found = explain_text(BUILD_FAILURES, sample)
    assert found is not None and found.failure is failure
    assert found.title == found.title.strip(" :,(") and "  " not in found.title
    assert found.advice.endswith((".", ").")) and "{" not in found.title + found.advice
    capture = read_capture("x", f"{sample}\n".encode())
    assert failure.rule in {f.rule for f in capture.findings}
    assert capture.runs == ()


def test_rules_are_kebab_case_and_rows_have_samples() -> None:
    for failure in (*BUILD_FAILURES, *AOT_FAILURES):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", failure.rule)
        assert failure.samples


@pytest.mark.parametrize(
    "seed", ["a", "-", "x.pte", "(", "a:1: ", "A b ", " requires ", "CMAKE_C_COMPILER ", "error: ", "--a=", "/"]
)
def test_no_line_makes_the_tables_slow(seed: str) -> None:
    log = "".join(f"error: {number} {seed * 1000}"[:1900] + "\n" for number in range(200))
    began = time.process_time()
    read_capture("x", log.encode())
    assert time.process_time() - began < 20, "a line that takes more than its length takes minutes"


def test_a_build_that_went_on_is_no_error() -> None:
    log = b"[1/2] Building C object a.o\nERROR: Failed building wheel for x\n[2/2] Linking CXX executable arm_executor_runner\n"
    findings = read_capture("x", log).findings
    assert [f.severity for f in findings] == ["warning"]


def test_a_traceback_of_another_field_is_nothing_of_ours() -> None:
    log = b'Traceback (most recent call last):\n  File "/a/web.py", line 1, in <module>\nValueError: oops\n'
    capture = read_capture("x", log)
    assert (capture.runs, capture.compile, capture.findings) == ((), (), ())


def test_a_build_before_a_launch_that_failed_of_it_comes_first() -> None:
    log = b"ld: region `ITCM' overflowed by 12 bytes\nninja: build stopped: subcommand failed.\n"
    log += b"[run_fvp.sh]: Unable to find executor_runner elf: a.elf\n"
    findings = read_capture("x", log).findings
    assert [(f.rule, f.severity) for f in findings][:2] == [("link-overflow", "error"), ("build-failed", "info")]
    assert findings[-1].rule == "launcher-not-found"


def test_bash_killed_by_hand_names_no_compiler() -> None:
    (finding,) = read_capture("x", b"Building wheel for tosa-tools: started\nKilled\n").findings
    assert finding.rule == "out-of-memory" and "swap" in finding.advice
