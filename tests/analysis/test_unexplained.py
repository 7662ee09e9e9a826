"""Errors that no row explains are quoted, and what git, machines and builds lack is told with the values of the log."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.outcome import Outcome


@pytest.mark.parametrize(
    "line",
    [
        "Error: a-gcc is not supported for this bare-metal runner.", "fatal: the remote end hung up unexpectedly",
        "error: something that nobody knows", "ERROR: xyz is broken", "pytest: error: unrecognized arguments: --numprocesses=auto",
        "fatal: no submodule mapping found in .gitmodules for path 'a'", "error: no such option: --x", "clang: error: no input files",
    ],
)  # fmt: skip
def test_an_error_that_nothing_explains_is_quoted(line: str) -> None:
    capture = read_capture("x", f"$ ./a.sh\n{line}\n".encode())
    assert capture.runs == ()
    assert [(f.rule, f.severity, f.lines) for f in capture.findings] == [("command-failed", "error", (2,))]
    assert line.rstrip(".") in capture.findings[0].detail


@pytest.mark.parametrize(
    "log",
    [
        "error: xyz\nSuccessfully installed a-1\n",
        "error: xyz\n[12/340] Building C object a.o\n",
        "error: xyz\n[100%] Built target arm_executor_runner\n",
        "Error: 0\n",
        "Error: does anyone know this?\n",
        "ERROR: usage: pytest [options]\n",
        "The error: xyz is known to everybody\n",
        "error: xyz\nPTE file saved as a.pte\n",
        "Error: None\n",
        "error: no errors in 12 files\n",
        "error: false,\n",
        "Error: 1.53e-05\n",
        "error: 12 %\n",
        "error: {\n",
        'error: "x"\n',
        "error: no answer, retrying (1/3)\n",
        "Error: checksum mismatch - attempting binary compare\n** Verified OK **\n",
    ],
)
def test_what_went_on_or_is_no_error_is_not_quoted(log: str) -> None:
    assert "command-failed" not in {f.rule for f in read_capture("x", log.encode()).findings}


def test_a_build_that_only_stopped_quotes_the_line_that_may_say_why() -> None:
    log = b"error: xyz of a.o\n[2/9] Building C object b.o\nninja: build stopped: subcommand failed.\n"
    findings = read_capture("x", log).findings
    assert [(f.rule, f.severity) for f in findings] == [("command-failed", "error"), ("build-failed", "info")]
    known = read_capture("x", b"error: xyz\na.c:1:2: error: no such thing\nmake: *** [a.o] Error 1\n").findings
    assert [f.rule for f in known] == ["compile-error", "build-failed"]


@pytest.mark.parametrize(("code", "told"), [(0, {"no-verdict": "info"}), (2, {"command-failed": "error"})])
def test_an_exit_status_knows_better_than_a_line_that_nothing_explains(code: int, told: dict[str, str]) -> None:
    reader = CaptureReader("x")
    reader.feed(b"error: xyz\n")
    assert {f.rule: f.severity for f in reader.finish(Outcome("ended", code, kind="command")).findings} == told


def test_a_build_that_stopped_does_not_follow_from_what_the_exit_status_denies() -> None:
    reader = CaptureReader("x")
    reader.feed(b"error: xyz of a.o\nninja: build stopped: subcommand failed.\n")
    findings = reader.finish(Outcome("ended", 0, kind="command")).findings
    assert [(f.rule, f.severity, "It follows from" in f.detail) for f in findings] == [
        ("build-failed", "error", False),
        ("no-verdict", "info", False),
    ]


def test_submodules_that_came_in_the_end_are_no_error() -> None:
    log = b"fatal: unable to access 'https://github.com/a.git/': The requested URL returned error: 502\n"
    fetched = b"Submodule path 'third-party/a': checked out '896db54787e8'\n"
    assert [f.severity for f in read_capture("x", log + fetched).findings] == ["warning"]
    assert [f.severity for f in read_capture("x", log).findings] == ["error"]


def test_the_user_of_an_address_is_not_in_the_title() -> None:
    log = b"fatal: unable to access 'https://me:secret@example.org/a.git/': The requested URL returned error: 403\n"
    (finding,) = read_capture("x", log).findings
    assert "example.org: The requested URL returned error: 403" in finding.title and "secret" not in finding.title


@pytest.mark.parametrize("how", ["Segmentation fault", "Aborted", "Illegal instruction", "Bus error"])
def test_a_compile_that_crashed_is_told_and_other_programs_are_not(how: str) -> None:
    said = f"run.sh: line 372: 41233 {how}      (core dumped) "
    (finding,) = read_capture("x", f"{said}python3 -m backends.arm.scripts.aot_arm_compiler -m a\n".encode()).findings
    assert finding.rule == "program-crashed" and "aot_arm_compiler" in finding.title
    assert read_capture("x", f"{said}./server --python x\n".encode()).findings == ()


def test_an_exception_of_what_was_launched_is_the_launchs() -> None:
    log = b"terminate called after throwing an instance of 'std::out_of_range'\n  what():  _Map_base::at\n"
    assert [f.title[-31:] for f in read_capture("x", log + b"Aborted (core dumped)\n").findings] == [
        "std::out_of_range _Map_base::at"
    ]


def test_the_sdk_that_zephyr_wants_and_has_are_named() -> None:
    log = 'Could not find a configuration file for package "Zephyr-sdk" that is\ncompatible with requested version "1.0".\n\n'
    log += (
        "The following configuration files were considered:\n    /opt/cmake/Zephyr-sdkConfig.cmake, version: 0.17.0\n"
    )
    beside = "CMake Error at /w/cmake/FindZephyr-sdk.cmake:160 (find_package):\n"
    assert [f.rule for f in read_capture("x", (beside + log).encode()).findings] == ["zephyr-sdk-version"]
    (finding,) = read_capture("x", log.encode()).findings
    assert "1.0" in finding.title and "0.17.0" in finding.title and "west sdk install --version 1.0.0" in finding.advice


@pytest.mark.parametrize(
    ("log", "rule"),
    [
        ('a.py:10:5: error: Name "x" is not defined  [name-defined]', "type-error"),
        ("a.cpp:10:5: error: 'x' was not declared in this scope", "compile-error"),
        ("Permission denied (publickey).", "ssh-refused"),
        ("git@ssh.example.org: Permission denied (password,publickey).", "git-access"),
        (
            '#9 0.123 exec /bin/sh: exec format error\n#9 ERROR: process "/bin/sh -c x" did not complete: exit code: 255',
            "image-wrong-machine",
        ),
        ("CondaHTTPError: HTTP 503 SERVICE UNAVAILABLE FOR CHANNEL conda-forge <https://a.org/b>", "download-failed"),
        ("  \u00d7 Failed to download `torch==2.9.0`", "download-failed"),
        ("fatal: models/a.pt: smudge filter lfs failed", "download-failed"),
        (
            "batch response: This repository is over its data quota. Buy more.\nerror: failed to fetch some objects from 'https://a.org/b.git/info/lfs'",
            "download-failed",
        ),
        (
            "Traceback (most recent call last):\nUnicodeEncodeError: 'ascii' codec can't encode character '\\u2713' in position 0: x",
            "text-encoding",
        ),
    ],
)
def test_what_tools_say_of_themselves_is_explained(log: str, rule: str) -> None:
    assert read_capture("x", f"{log}\n".encode()).findings[0].rule == rule


@pytest.mark.parametrize(
    "went_on",
    [
        "curl: (28) Operation timed out\nWarning: Problem (retrying all errors). Will retry in 5 seconds. 2 retries left.\n[12/340] Building C object a.o\n",
        "2026-03-01 10:00:01 ERROR 503: Service Unavailable.\n2026-03-01 10:00:06 (1.00 MB/s) - \u2018a.html\u2019 saved [123]\n",
    ],
)
def test_a_download_that_came_in_the_end_has_not_failed(went_on: str) -> None:
    assert not [f for f in read_capture("x", went_on.encode()).findings if f.severity == "error"]


@pytest.mark.parametrize("how", ["Segmentation fault", "Aborted", "Floating point exception"])
def test_a_crash_without_a_command_is_told_where_nothing_else_is(how: str) -> None:
    crash = f"{how} (core dumped)\n"
    (finding,) = read_capture("x", f"starting step 3\n{crash}".encode()).findings
    assert (finding.rule, finding.severity, finding.lines) == (
        "program-crashed",
        "error",
        (2,),
    ) and how in finding.title
    saved = read_capture("x", f"PTE file saved as tiny.pte\n{crash}".encode()).findings
    assert [(f.rule, f.severity) for f in saved] == [("program-crashed", "warning")]
    passed = "Configured arena size = 4096\nOutput CRC32: 0x1\n"
    assert [f.rule for f in read_capture("x", f"{passed}$ ls\n{crash}".encode()).findings] == []
    named = f"fatal: could not create work tree dir 'a': No space left on device\n{crash}"
    assert [f.rule for f in read_capture("x", named.encode()).findings] == ["disk-full", "program-crashed"]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("AssertionError: Expected an nn.Module instance.", "model-type"),
        ("ValueError: Expected `mod` to be an instance of `torch.nn.Module`, got <class 'dict'>.", "model-type"),
        ("  0: Failed to stat `/w/et/buck-out/v2`\n  1: ENOENT: No such file or directory", "source-lists"),
    ],
)
def test_what_was_no_module_and_what_buck_does_not_find_is_named(said: str, rule: str) -> None:
    assert [(f.rule, f.severity) for f in read_capture("x", f"{said}\n".encode()).findings] == [(rule, "error")]
