"""Reports of tools that were pasted in part: what failed is told although the reason, or the end, is not in the text."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import rules

FRAMES = 'Traceback (most recent call last):\n  File "/w/executorch/exir/a.py", line 3, in <module>\n    main()\n    ^^^^^^\n'
CONFLICT = (
    "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This "
    "behaviour is the source of the following dependency conflicts.\n"
    "some-tool 1.0 requires flatbuffers==9.1, but you have flatbuffers 8.3 which is incompatible.\n"
)
TWISTER = "INFO    -  12/340 mps3_an547                 sample.hello FAILED Timeout (qemu 60.012s)\n"
DRIVER = "E: Failed to initialize Ethos-U device (ethosu_driver.c:418)\n"


@pytest.mark.parametrize("end", ["", "  File", "\n"])
def test_a_log_that_ends_inside_of_a_traceback_says_so(end: str) -> None:
    assert rules(FRAMES + end) == [("traceback-cut", "error")]


@pytest.mark.parametrize(
    "log",
    [
        FRAMES.replace("executorch/exir", "shop"),
        FRAMES + "the next step\n" * 4,
        FRAMES + "RuntimeError: no such thing\n",
        FRAMES + "SystemExit: 2\n",
        FRAMES + "StopIteration\n",
        "Traceback (most recent call last):\n",
    ],
)
def test_a_traceback_that_came_to_its_end_or_is_of_another_field_is_not_cut(log: str) -> None:
    assert "traceback-cut" not in {rule for rule, _ in rules(log)}


@pytest.mark.parametrize(
    ("raised", "rule"),
    [
        ("zipfile.BadZipFile: File is not a zip file", "compile-failed"),
        ("StopIteration", "compile-failed"),
        ("concurrent.futures.process.BrokenProcessPool: A process was terminated abruptly", "out-of-memory"),
        ("SystemExit", ""),
        ("Note: this", ""),
    ],
)
def test_an_exception_whose_name_does_not_say_what_it_is_ends_a_traceback(raised: str, rule: str) -> None:
    between = "\n\n\n\n\n" if raised.startswith("Note") else ""
    assert [found for found, _ in rules(f"{FRAMES}{between}{raised}\n")] == [rule] * bool(rule)
    assert rules(FRAMES.replace("executorch/exir", "shop") + f"{between}{raised}\n") in ([], [(rule, "error")])
    model = FRAMES.replace("    main()\n    ^^^^^^\n", "    Model\n")
    assert rules(f"{model}ValueError: no such thing\n") == [("compile-failed", "error")], "code may be a name"


@pytest.mark.parametrize("end", ["ValueError: no such thing", "zipfile.BadZipFile: File is not a zip file"])
def test_code_that_gives_a_name_its_type_is_no_exception(end: str) -> None:
    frames = FRAMES.replace("    main()\n    ^^^^^^\n", "    Options: Table = load()\n")
    found = read_capture("x", f"{frames}{end}\n".encode()).findings
    assert [finding.lines for finding in found] == [(4,)] and end in found[0].title
    unseen = FRAMES.replace("/w/executorch/exir/a.py", "<frozen executorch.a>").replace("    main()\n    ^^^^^^\n", "")
    assert rules(f"{unseen}zipfile.BadZipFile: File is not a zip file\n") == [("compile-failed", "error")]


def test_a_list_of_sources_that_was_not_made_is_told_before_what_its_script_raised() -> None:
    said = "Error while generating /w/cmake-out/executorch_srcs.cmake. Exit code: 1\nOutput:\n\nError:\n"
    assert rules(said + FRAMES) == [("source-lists", "error"), ("traceback-cut", "info")]
    assert rules(f"{said}{FRAMES}MemoryError\n") == [("out-of-memory", "error"), ("source-lists", "info")]
    assert rules("Error while generating docs for a module. Exit code: 1\n") == []


def test_a_pass_that_failed_follows_from_what_was_raised_in_it() -> None:
    passed_on = "Exception: An error occurred when running the 'FoldPass' pass after the following passes: ['A', 'B']\n"
    log = f"{FRAMES}KeyError: 'val'\n\nThe above exception was the direct cause of the following exception:\n\n{FRAMES}{passed_on}"
    assert rules(log) == [("compile-failed", "error"), ("pass-failed", "info")]
    assert rules(FRAMES + passed_on) == [("pass-failed", "error")]


@pytest.mark.parametrize("after", [True, False])
def test_what_pip_says_of_packages_that_it_installed_stops_nothing(after: bool) -> None:
    done = "Successfully installed flatbuffers-8.3\n"
    log = CONFLICT + done if after else done + CONFLICT
    assert rules(log) == [("dependency-conflict", "warning")]
    assert rules(CONFLICT) == [("dependency-conflict", "error")]
    assert rules(log + "ERROR: Failed building wheel for b\n")[0] == ("wheel-build-failed", "error")


def test_the_heading_of_a_failed_test_names_it() -> None:
    log = "=================================== FAILURES ===================================\n{}\n\n    def test_a():\n"
    for heading, name in (
        ("_____________ TestA.test_add_u55_INT[a b] ______________", "TestA.test_add_u55_INT[a b]"),
        ("____________ ERROR at setup of test_a ____________", "test_a"),
    ):
        (finding,) = read_capture("x", log.format(heading).encode()).findings
        assert (finding.rule, finding.title) == ("test-failed", f"The test {name} failed")
        said = log.format(heading) + "E       RuntimeError: Non-passthrough operation could not run on NPU\n"
        assert rules(said) == [("vela-operator", "error"), ("test-failed", "info")]
    assert rules("collected test_add ____\n") == []


def test_a_test_of_twister_follows_from_what_its_console_says_below() -> None:
    assert rules(TWISTER) == [("test-failed", "error")]
    console = f"ERROR   - {DRIVER}*** Booting Zephyr OS build v4.2.0 ***\n"
    assert rules(TWISTER + console)[0][1] == "error" and rules(TWISTER + console)[0][0] != "test-failed"
    assert ("test-failed", "info") in rules(TWISTER + console)
    assert rules(TWISTER.replace("FAILED Timeout", "PASSED")) == []
    assert rules("INFO - 12/340 step one FAILED because of it\n") == []


@pytest.mark.parametrize(
    "crash",
    [
        "[    9.120001] lr : rproc_start+0x6c/0x1c0\n",
        "[    9.120001] pc : 0x0 [    9.120004] lr : rproc_elf_load_segments+0x16c/0x23c\n",
    ],
)
def test_linux_that_crashed_over_the_firmware_is_why_it_never_started(crash: str) -> None:
    log = "[    9.100001] remoteproc remoteproc0: Booting fw image runner.elf, size 614400\n"
    capture = read_capture("x", f"{log}[    9.110001] Internal error: Oops: 96000004 [#1] SMP\n{crash}".encode())
    assert [run.status for run in capture.runs] == ["not_started"]
    assert capture.findings[0].rule == "firmware-crashed-linux"
    done = "I [executorch:arm_executor_runner.cpp:783] Program complete, exiting.\n"
    assert [run.status for run in read_capture("x", (log + done + crash).encode()).runs][0] == "passed"


_LINUX = "I 00:00:00.002636 executorch:executor_runner.cpp:{}] {}"


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (_LINUX.format(789, "Model executed successfully 1 time(s) in 0.018588 ms."), "passed"),
        (_LINUX.format(789, "Model executed successfully 1 time(s) in 0.018588"), "truncated"),
        ("I [executorch:arm_executor_runner.cpp:1355 run_model()] Model run: 0", "failed"),
        ("E [executorch:arm_executor_runner.cpp:1305 verify_result()] TEST: BundleIO index[0] Test_result: FAIL", "failed"),
        ("I [executorch:arm_executor_runner.cpp:1300 verify_result()] TEST: BundleIO index[0] Test_result: PAS", "truncated"),
    ],
)  # fmt: skip
def test_the_last_line_counts_without_its_end_where_it_can_only_be_whole(last: str, status: str) -> None:
    first = _LINUX.format(476, "Model file m.pte is loaded.") if "executor_runner.cpp:7" in last else ""
    capture = read_capture("x", f"{first}\n{last}".encode())
    assert [run.status for run in capture.runs] == [status]


def test_a_set_that_passed_is_told_by_an_unended_last_line() -> None:
    told = "I [executorch:arm_executor_runner.cpp:1300 verify_result()] TEST: BundleIO index[2] Test_result: PASS"
    bundle = read_capture("x", told.encode()).runs[0].bundleio
    assert bundle is not None and (bundle.result, bundle.testset) == ("PASS", 2)


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ("I [executorch:arm_executor_runner.cpp:1245 run_model()] Starting running 1 inferences...", "hung"),
        ("I [executorch:arm_executor_runner.cpp:694 main()] Starting the model execution...", "hung"),
        ("I [executorch:arm_executor_runner.cpp:1245 run_model()] Starting running 1 infer", "truncated"),
        ("I [executorch:arm_executor_runner.cpp:1245 run_model()] Starting running 1", "truncated"),
        ("INFO - Running inference on image 0 => kimo", "truncated"),
        ("Starting the model execution...\nINFO - Running inference on image 0 => kimo", "truncated"),
        ("Starting the model execution...\nAlif Ensemble E8 - Cortex-M55 H", "truncated"),
    ],
)
def test_a_log_whose_last_words_are_whole_is_not_cut_for_want_of_a_line_end(last: str, status: str) -> None:
    capture = read_capture(
        "x", f"I [executorch:arm_executor_runner.cpp:801 runner_init()] Input prepared.\n{last}".encode()
    )
    assert [run.status for run in capture.runs] == [status]


def test_the_word_that_names_a_stopped_emulator_is_no_type_of_a_value() -> None:
    begun = "I [executorch:arm_executor_runner.cpp:694 main()] Starting the model execution...\n"
    stopped = "qemu-system-arm: terminating on signal 15 from pid 2201 (timeout)"
    assert [run.status for run in read_capture("x", (begun + stopped).encode()).runs] == ["timeout"]
