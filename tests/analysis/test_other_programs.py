"""Crashes and refusals that are told beside a healthy run are of other programs, or were put right: the run is not blamed for them."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import CaptureReader, read_capture

RUN = (
    "I [executorch:arm_executor_runner.cpp:1201 main()] PTE @ 0x70000000 [----ET12]",
    "I [executorch:arm_executor_runner.cpp:1230 main()] Model buffer loaded, has 1 methods",
    "I [executorch:arm_executor_runner.cpp:1290 main()] Starting running 1 inferences...",
    "I [executorch:arm_executor_runner.cpp:1300 main()] Model executed successfully.",
    "I [executorch:arm_executor_runner.cpp:1310 main()] Program complete, exiting.",
)
BEGUN = (
    "I 00:00:00.000223 executorch:executor_runner.cpp:190] Model file sub.pte is loaded.\n"
    "I 00:00:00.000323 executorch:executor_runner.cpp:199] Using method forward\n"
)
ENDED = (
    "I 00:00:00.000523 executorch:executor_runner.cpp:311] Model executed successfully 1 time(s) in 0.200000 ms.\n"
    "I 00:00:00.000623 executorch:executor_runner.cpp:315] 1 outputs:\nOutput 0: tensor(sizes=[1], [3.])\n"
)
OOPS = "[  812.334455] Unable to handle kernel paging request at virtual address ffff80001234abcd\n"
CAUGHT = "Program received signal SIGSEGV, Segmentation fault.\n#0  main () at other.c:4\n"


def among(lines: tuple[str, ...], at: int, line: str, prefix: str = "") -> str:
    return (
        "".join(f"{prefix}{text}\n" for text in lines[:at])
        + f"{line}\n"
        + "".join(f"{prefix}{text}\n" for text in lines[at:])
    )


@pytest.mark.parametrize(
    "text",
    [
        *(among(RUN, at, "store-1 exited with code 139", "board-1  | ") for at in (1, 2, 3)),
        among(RUN, 3, "store-1 exited with code 137"),
        BEGUN + OOPS + ENDED,
        BEGUN + ENDED + OOPS,
        BEGUN + ENDED + "root@board:~# dmesg\n" + OOPS,
        BEGUN + ENDED + "(gdb) run\nStarting program: /w/other\n\n" + CAUGHT,
        among(RUN, 2, "[ RUN      ] Console.PrintsMore"),
        among(
            RUN,
            1,
            "[ RUN      ] Console.PrintsMore\n[       OK ] Console.PrintsMore (2 ms)\n[ RUN      ] Console.PrintsLast",
        ),
        among(RUN, 5, "(gdb) run\n" + CAUGHT),
    ],
)
def test_a_run_that_came_to_its_end_has_passed(text: str) -> None:
    capture = read_capture("x", text.encode())
    assert ([run.status for run in capture.runs], capture.findings) == (["passed"], ())
    (run,) = capture.runs
    assert "other.c" not in text.splitlines()[run.last_line - 1]


def test_looking_at_a_run_that_goes_on_does_not_change_what_becomes_of_it() -> None:
    text = (
        BEGUN + "store-1 exited with code 139\n" + ENDED + "board-1 exited with code 136\n" + BEGUN + ENDED
    ).encode()
    reader = CaptureReader("x")
    for at in range(0, len(text), 11):
        reader.feed(text[at : at + 11])
        reader.snapshot()
    assert reader.finish() == read_capture("x", text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (among(RUN[:3], 3, "board-1 exited with code 139", "board-1  | "), "runner-crashed"),
        (BEGUN + OOPS, "kernel-crashed"),
        ("[ RUN ] board\nE 00:00:00.000100 executorch:method.cpp:940] Missing operator: [3] aten::tan.out\n", "missing-operator"),
        ("[ RUN      ] Device.Runs\nF 00:00:00.000300 executorch:executor_runner.cpp:160] In function main(), assert failed (loader.ok()): no\n",
         "fatal-message"),
        (BEGUN + ENDED + "\n" + CAUGHT, "runner-crashed"),
        (BEGUN + ENDED + "=" * 40 + "\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x5\n", "runner-crashed"),
        (BEGUN + "#1  f (x=2) at g.cpp:8\n" * 3_000 + CAUGHT, "runner-crashed"),
    ],
)  # fmt: skip
def test_what_ends_the_run_itself_is_still_told(text: str, rule: str) -> None:
    capture = read_capture("x", text.encode())
    assert ([run.status for run in capture.runs], capture.findings[0].rule) == (["failed"], rule)


@pytest.mark.parametrize(
    ("frame", "function"),
    [
        ("#0  executorch::runtime::(anonymous namespace)::look (op=0x0) at method.cpp:7", "(anonymous namespace)::look"),
        ("#3 0x55aa in executorch::Deleter::operator() (p=0x0) at data.cpp:9", "Deleter::operator()"),
    ],
)  # fmt: skip
def test_functions_with_brackets_in_their_names_are_named(frame: str, function: str) -> None:
    text = BEGUN + "Program received signal SIGSEGV, Segmentation fault.\n" + frame + "\n"
    (finding,) = read_capture("x", text.encode()).findings
    assert finding.title.endswith(function)


@pytest.mark.parametrize(
    "end",
    ["Hash of data verified.", "Download verified successfully", "The device was rebooted into application mode.", "Finished in 2.25s",
     "0003456 I Erased 8192 bytes (2 sectors), programmed 8192 bytes (8 pages)", "** Verified OK **"],
)  # fmt: skip
def test_a_board_that_was_flashed_after_another_try_was_reached(end: str) -> None:
    capture = read_capture("x", f"Error: No debug probe detected.\n$ again\n{end}\n".encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_tests_that_passed_when_tried_again_are_a_warning() -> None:
    text = "1/2 Test #1: a_test ....***Failed  0.02 sec\n    Test #1: a_test ....   Passed  0.02 sec\n100% tests passed, 0 tests failed out of 2\n"
    assert [(f.rule, f.severity) for f in read_capture("x", text.encode()).findings] == [("test-failed", "warning")]


@pytest.mark.parametrize(("macs", "name"), [("256", "ethos-u65-256"), ("77777777777", None), ("-5", None)])
def test_what_the_kernel_says_of_the_npu_names_only_one_that_there_is(macs: str, name: str | None) -> None:
    line = f"[    2.345678] ethosu 4a900000.npu: Ethos-U NPU, arch v1.0.6, rev r0p2, cmd stream ver0, {macs} MACs, 96KB SRAM, 4 PMU cntrs\n"
    (run,) = read_capture("x", (line + BEGUN + ENDED).encode()).runs
    assert run.target.name == name


def test_what_is_quoted_does_not_fill_a_title() -> None:
    for line in (
        "[    2.345678] Unable to handle kernel " + "word " * 200,
        '[    2.345678] ethosu 4a900000.ethosu: Msg: Error. type=1, msg="' + "word " * 200,
    ):
        failed = "F 00:00:00.000957 executorch:executor_runner.cpp:300] In function main(), assert failed (ok): Execution of method forward failed with status 0x12\n"
        assert all(len(f.title) <= 220 for f in read_capture("x", f"{BEGUN}{line}\n{failed}".encode()).findings)


def test_the_first_line_of_the_linux_runner_is_of_its_own_run() -> None:
    first = "I 00:00:00.000123 executorch:executor_runner.cpp:130] Resetting threadpool with num threads = 2\n"
    text = (first + BEGUN + ENDED + "root@board:~# again\n") * 3
    size = text.count("\n") // 3
    runs = read_capture("x", text.encode()).runs
    assert [(run.first_line, run.last_line) for run in runs] == [
        (1 + at * size, (at + 1) * size - 1) for at in range(3)
    ]
