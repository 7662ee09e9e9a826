"""Small official applications that say little: the minimal runner of Arm's examples, and the sketches for Arduino."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only


def test_the_minimal_runner_is_a_run_without_a_banner_before_it() -> None:
    run = only(
        "I [executorch:main.cpp:228] Inference complete: 2 output(s)\nOutput[0][0]: -0.451000\nOutput[1][0]: 0.120000\n"
    )
    assert (run.status, run.stage, len(run.outputs)) == ("passed", "complete", 2)


@pytest.mark.parametrize(
    "end", [">>> Detected: yes\n>>> CORRECT!\n=== DONE ===\n", "[1,2,3] + 1 = [2.00, 3.00, 4.00]\n"]
)
def test_the_sketches_for_arduino_pass_by_their_answer(end: str) -> None:
    for name in ("Keyword Spotting", "Add Model"):
        assert only(f"=== ExecuTorch {name} ===\n{end}").status == "passed"


@pytest.mark.parametrize(
    ("said", "rule", "stage"),
    [
        ("FAIL: load 0x23", "program-load-failed", "load"),
        ("FAIL: load_method 0x14", "missing-operator", "plan"),
        ("FAIL: execute 0x12", "execution-failed", "execute"),
        ("Program::load failed (0x23)", "program-load-failed", "load"),
        ("load_method failed (0x14)", "missing-operator", "plan"),
        ("execute failed (0x12)", "execution-failed", "execute"),
    ],
)
def test_the_sketches_and_their_wrapper_fail_by_step_and_status(said: str, rule: str, stage: str) -> None:
    capture = read_capture("x", f"=== ExecuTorch Add Model ===\n{said}\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert capture.findings[0].rule == rule


def test_answers_and_successes_of_other_programs_are_no_runs() -> None:
    fvp = "telnetterminal0: Listening for serial connection on port 5000\n"
    for said in (">>> Detected: 3 faces\n", "SUCCESS: program complete.\n"):
        assert read_capture("x", said.encode()).runs == ()
        assert "passed" not in {run.status for run in read_capture("x", (fvp + said).encode()).runs}


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("=== ExecuTorch Keyword Spotting ===", "FAIL: load_method 0x21"),
        ("Ethos-U device initialised\nModel file size 4096", "I executorch:main.cpp:12] Method loaded."),
        (
            "YOLO26n cat detector: Ethos-U85, input 416x416 RGB888, core 400 MHz",
            "detector: method load failed (err=33)",
        ),
    ],
)
def test_an_application_with_pools_of_its_own_is_told_of_no_runners_options(first: str, last: str) -> None:
    short = "E [executorch:memory_allocator.h:100] Memory allocation failed: 752640B requested (adjusted for alignment), 4096B available"
    found = read_capture("x", f"{first}\n{short}\n{last}\n".encode()).findings[0]
    assert (found.rule, "application's source" in found.advice, "ET_ARM_BAREMETAL" in found.advice) == (
        "method-pool-too-small",
        True,
        False,
    )


def test_the_sketch_that_only_loads_passes_by_that() -> None:
    head = "=== HelloExecuTorch ===\nRuntime initialized.\n"
    run = only(f"{head}Model loaded OK!\n  Size: 736 bytes\n  Methods: 2\nExecuTorch ready\nExecuTorch ready\n")
    assert (run.status, run.model.pte_bytes, run.model.methods) == ("passed", 736, 2)
    refused = only(f"{head}ERROR: Model load failed 0x23\nExecuTorch FAILED to load\n")
    assert (refused.status, refused.stage, refused.model.pte_bytes) == ("failed", "load", None)


def test_sizes_that_any_program_prints_are_those_of_a_sketch_only_behind_its_banner() -> None:
    run = only(
        "I [executorch:main.cpp:12 main()] Running method forward\nSize: 736 bytes\nModel: 99 bytes\nMethods: 5\n"
    )
    assert (run.model.pte_bytes, run.model.methods) == (None, None)


@pytest.mark.parametrize(
    "said",
    [
        "execute failed (1)",
        "set_input failed (2)",
        "load_method failed (0x21)",
        "FAIL: execute 3",
        "ERROR: Model load failed 0x23",
    ],
)
def test_failures_in_the_words_of_any_program_are_those_of_a_sketch_only_behind_its_banner(said: str) -> None:
    assert read_capture("x", f"{said}\n".encode()).runs == ()
    whole = "I [executorch:arm_executor_runner.cpp:52 main()] Running method forward\n{}I [executorch:arm_executor_runner.cpp:99 main()] Program complete, exiting.\n"
    for inside, behind in ((f"{said}\n", ""), ("", f"{said}\n")):
        assert [run.status for run in read_capture("x", f"{whole.format(inside)}{behind}".encode()).runs] == ["passed"]
    told = read_capture("x", f"{whole.format('')}=== ExecuTorch Add Model ===\n{said}\n".encode()).runs
    assert [run.status for run in told] == ["passed", "failed"]


@pytest.mark.parametrize("said", ["FAIL: execute 0x12", "execute failed (0x12)"])
def test_a_sketch_that_goes_on_for_ever_fails_by_a_later_inference(said: str) -> None:
    answer = "[1,2,3] + 1 = [2.00, 3.00, 4.00]\n"
    run = only(f"=== ExecuTorch Add Model ===\n{answer}{said}\n{answer}")
    assert run.status == "failed"
