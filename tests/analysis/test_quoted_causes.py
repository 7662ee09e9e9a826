"""Words of shells, git and Python's own start: in the middle of a line somebody quotes them, and after a run that passed they are none of its failures."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import rules

PASSED = "I [executorch:arm_executor_runner.cpp:1 main()] Model run: 1\nI [executorch:arm_executor_runner.cpp:2 main()] Program complete, exiting.\n"
BUILD = "[ 10%] Building CXX object a.cpp.o\n"
SAID = (
    ("curl: (6) Could not resolve host: developer.arm.com", "download-failed"),
    ("/usr/bin/ld:o.ld:1: syntax error", "linker-script"),
    ("/usr/bin/env: \u2018python\u2019: No such file or directory", "build-tool-missing"),
    ("/usr/bin/python3: No module named executorch", "missing-module"),
    ("/w/examples/arm/run.sh: 18: Bad substitution", "wrong-shell"),
    ('run.sh: 21: Syntax error: "(" unexpected', "wrong-shell"),
    ("run.sh: 9: [[: not found", "wrong-shell"),
    ("run.sh: line 9: /w/setup_path.sh: No such file or directory", "setup-missing"),
    ("python3: can't open file '/w/a.py': [Errno 2] No such file or directory", "script-missing"),
    ("sh: 0: cannot open setup.sh: No such file", "script-missing"),
    ("sh: 0: Can't open setup.sh", "script-missing"),
    ("[ERROR 2026-01-01 10:00:00,579 utils.py:152] Error while saving to a.pte: [Errno 2] No such file", "program-not-written"),
    ("bash: fork: Resource temporarily unavailable", "too-many-processes"),
    ("make: vfork: Resource temporarily unavailable", "too-many-processes"),
    ("bash: line 1: ./vela: cannot execute: required file not found", "interpreter-missing"),
    ("bash: /w/env/bin/pip: /old/env/bin/python3: bad interpreter: No such file or directory", "interpreter-missing"),
    ("bash: line 1: ./flatc: cannot execute binary file: Exec format error", "program-wrong-machine"),
    ("sh: 1: sudo: not found", "build-tool-missing"),
    ("cc1: fatal error: nothere.c: No such file or directory", "source-missing"),
    ("ninja: error: unknown target 'executor_runnr', did you mean 'executor_runner'?", "target-not-in-build"),
    ("ninja: error: loading 'build.ninja': No such file or directory", "build-not-configured"),
    ("aot_arm_compiler.py: error: unrecognized arguments: --memory-mode Shared_Sram", "aot-arguments"),
)  # fmt: skip
QUOTES = ('+ echo "{}"', "# {}", "docs/x.md:12:{}", '  "    {}\\n",', 'print("{}")', "tests/test_x.py::test_a[{}] PASSED", "If you see `{}`, do this:", "- **{}**",
          "Looked for '{}' in the log: none")  # fmt: skip


def _told(log: str) -> list[tuple[str, str]]:
    return [(found.rule, found.severity) for found in read_capture("x", log.encode()).findings if found.run is None]


@pytest.mark.parametrize(("line", "rule"), SAID)
def test_words_count_where_a_line_begins_with_them(line: str, rule: str) -> None:
    assert _told(f"{BUILD}{line}\n")[0] == (rule, "error")
    for quote in QUOTES:
        assert _told(f"{BUILD}{quote.format(line)}\n") == [("build-log", "info")], quote
        assert _told(f"{PASSED}{quote.format(line)}\n") == [], quote


@pytest.mark.parametrize(
    "line",
    [
        "bash: fork: retry: Resource temporarily unavailable",
        "bash: line 1: ./vela: cannot execute: required file not found",
        "bash: line 1: ./flatc: cannot execute binary file: Exec format error",
        "fatal: not a git repository (or any of the parent directories): .git",
        "fatal: destination path 'executorch' already exists and is not an empty directory.",
        "error: pathspec 'v9.9.9' did not match any file(s) known to git",
        "/usr/bin/python3: No module named executorch",
        "realpath: /w/executorch/out: No such file or directory",
    ],
)
def test_what_could_not_be_started_after_a_run_that_passed_is_a_warning(line: str) -> None:
    assert [severity for _, severity in _told(f"{PASSED}{line}\n")] == ["warning"]
    assert [severity for _, severity in _told(f"{line}\n")] == ["error"]


def test_a_fork_that_was_tried_again_is_forgotten_where_the_build_goes_on() -> None:
    assert _told(f"bash: fork: retry: Resource temporarily unavailable\n{BUILD}") == [("build-log", "info")]
    assert _told(f"bash: fork: Resource temporarily unavailable\n{BUILD}")[0] == ("too-many-processes", "error")


def test_a_compile_that_could_not_start_stays_the_cause_while_the_build_goes_on() -> None:
    log = f"/usr/bin/python3: No module named executorch\n{BUILD}realpath: out/add.pte: No such file or directory\n"
    assert _told(log) == [("missing-module", "error"), ("pte-for-build-missing", "info")]
    assert _told(f"/usr/bin/python3: No module named ccache\n{BUILD}") == [("build-log", "info")]


def test_a_limit_of_time_is_told_only_where_it_sends_that_signal() -> None:
    line = "run.sh: line 9:  7260 Killed                  timeout {}600 python3 -m vela a.tosa\n"
    for option in ("-s KILL ", "-s 9 ", "--signal=KILL ", "-k 5 ", "--kill-after=5 "):
        assert _told(line.format(option)) == [("step-timeout", "error")]
    assert _told(line.format("")) == [("out-of-memory", "error")]


def test_a_program_that_was_not_saved_is_no_success_with_any_logger() -> None:
    for level in ("[ERROR 2026-01-01 10:00:00,579 utils.py:152] ", "ERROR:root:", ""):
        log = f"{level}Error while saving to out/a.pte: [Errno 2] No such file or directory: 'out/a.pte'\nPTE file saved as out/a.pte\n"
        assert _told(log) == [("program-not-written", "error")], level
        assert _told(f"{log}PTE file saved as out/b.pte\n") == [("program-not-written", "warning")], "another was"


def test_words_of_other_programs_have_no_cause_of_ours() -> None:
    assert _told("PermissionError: [Errno 13] Permission denied: '/dev/ttyUSB0'\n") == []
    trace = "Traceback (most recent call last):\n  File \"/srv/{}/views.py\", line 3, in <module>\nAttributeError: 'Form' object has no attribute 'meta'\n"
    assert _told(trace.format("shop")) == []
    assert _told(trace.format("torchao")) == [("not-exported", "error")]
    assert _told("sh: 1: cannot open data.csv: No such file\n") == []
    assert _told("ssh: Could not resolve hostname board.local: Name or service not known\n") == [
        ("ssh-refused", "error")
    ]


def test_a_simulator_that_lacks_its_loader_never_started() -> None:
    (run,) = read_capture("x", b"bash: ./FVP_Corstone_SSE-320: cannot execute: required file not found\n").runs
    assert run.status == "not_started"


def test_a_configuration_that_gave_up_did_not_go_on() -> None:
    line = "python3: No module named ccache\n"
    assert _told(f"{line}-- Configuring incomplete, errors occurred!\n") == [("missing-module", "error")]
    assert _told(f"{line}-- Configuring done\n") == [("build-log", "info")]


def test_a_source_that_is_not_there_has_any_path() -> None:
    for place in ("cc1", "/w/a.c:10:10", "C:/w/a.c:10:10"):
        assert _told(f"{place}: fatal error: b.c: No such file or directory\n") == [("source-missing", "error")]


def test_a_binary_without_its_loader_is_not_said_to_be_a_script() -> None:
    log = b"run.sh: line 9: /w/bin/arm-none-eabi-gcc: cannot execute: required file not found\n"
    (found,) = read_capture("x", log).findings
    assert "first line" not in found.title and "another machine" in found.advice


@pytest.mark.parametrize(
    "said",
    [
        "If the linker says undefined reference to `net_init' then link the library.",
        "We saw that the last step reported: undefined reference to `net_init'",
        "undefined reference to `net_init' means that a library is not linked.",
        "Sometimes my bench prints Error: No debug probe detected. and then works",
        "When that happens I get ld: region `ITCM' overflowed by 12 bytes here",
        "So then it is FVP_Corstone_SSE-300: command not found again",
        "On the old runner we had No space left on device each week",
    ],
)
def test_a_sentence_that_quotes_an_error_is_none(said: str) -> None:
    capture = read_capture("x", f"{said}\n".encode())
    assert (capture.runs, capture.findings) == ((), ())


@pytest.mark.parametrize(
    "said",
    [
        "/w/net.cpp:9: undefined reference to `net::load(char const*)'",
        "net.o: in function `main': undefined reference to `net_init'collect2: error: ld returned 1 exit status",
        "net.cpp:(.text+0x10): undefined reference to `net_init'; did you mean that",
        "undefined reference to net_init",
    ],
)
def test_a_linkers_own_line_is_one(said: str) -> None:
    assert _told(f"{said}\n") == [("undefined-reference", "error")]


def test_the_words_of_a_compiler_are_no_sentence_of_somebody() -> None:
    told = read_capture("x", b"In file included from /w/net.h:3: fatal error: pool.h: No such file or directory\n")
    assert [found.rule for found in told.findings] == ["header-missing"]


def test_make_says_no_more_behind_its_last_word() -> None:
    line = b"net.mk:31: *** missing separator.  Stop."
    assert [found.rule for found in read_capture("x", line + b"\n").findings] == ["makefile-unread"]
    assert read_capture("x", line + b" is what you get of a colon.\n").findings == ()


SCRIPT = """Traceback (most recent call last):
  File "/w/executorch/examples/arm/a_example/generate.py", line 7, in <module>
    main()
RuntimeError: FVP {said} (rc=1).

[FVP stdout tail]
"""


@pytest.mark.parametrize("said", ["runner exited unexpectedly", "execution failed"])
def test_what_a_script_quotes_of_its_simulation_is_the_cause(said: str) -> None:
    head = SCRIPT.format(said=said)
    assert rules(head) == [("simulation-failed", "error")]
    run = (
        "I [executorch:arm_executor_runner.cpp:690 runner_init()] Model buffer loaded, has 1 methods\n"
        "E [executorch:EthosUBackend.cpp:310 execute()] Failed to allocate scratch buffer of 5120 bytes from temp_allocator\n"
    )
    found = rules(head + run)
    assert found[0] == ("temp-pool-too-small", "error")
    assert ("simulation-failed", "info") in found
