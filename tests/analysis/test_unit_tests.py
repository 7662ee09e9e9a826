"""Logs of GoogleTest and CTest: errors that a test provokes are wanted, those of one that failed have a name."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import CaptureReader, read_capture

BAD = (
    "E 00:00:00.000123 executorch:method.cpp:1123] 3 is out of bounds for 2 inputs\n"
    "E 00:00:00.000173 executorch:program.cpp:96] Program identifier 'XXXX' != expected 'ET12'\n"
    "F 00:00:00.000180 executorch:method.cpp:88] In function f(), assert failed (ok): no\n"
)
FOUND = "/w/method_test.cpp:88: Failure\nExpected equality of these values:\n  error\n    Which is: 4-byte object <23-00 00-00>\n  Error::Ok\n"
RUN = (
    "I [executorch:arm_executor_runner.cpp:1274 main()] PTE @ 0x70000000 [----ET12]\n"
    "E [executorch:method.cpp:700 resolve_operator()] kernel 'aten::foo.out' not found.\n"
    "F [executorch:result.h:165 CheckOk()] In function CheckOk(), assert failed: hasValue_\n"
)
DONE = "I [executorch:arm_executor_runner.cpp:1292 main()] Program complete, exiting.\n"


def suite(name: str, body: str, end: str = "[       OK ]") -> str:
    return f"[----------] 1 test from Suite\n[ RUN      ] Suite.{name}\n{body}{end} Suite.{name} (1 ms)\n[----------] 1 test from Suite (1 ms total)\n"


@pytest.mark.parametrize("prefix", ["", "12: "])
def test_errors_of_a_test_that_came_out_well_are_no_run(prefix: str) -> None:
    text = (
        "[==========] Running 2 tests from 1 test suite.\n"
        + suite("Bad", BAD)
        + suite("Worse", BAD)
        + "[  PASSED  ] 2 tests.\n"
    )
    text = "".join(prefix + line for line in text.splitlines(keepends=True))
    capture = read_capture("x", text.encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_a_test_that_failed_is_named() -> None:
    capture = read_capture("x", (suite("Good", BAD) + suite("Bad", BAD + FOUND, "[  FAILED  ]")).encode())
    assert capture.runs == ()
    assert [(f.rule, f.severity, f.title) for f in capture.findings] == [
        ("test-failed", "error", "The unit test Suite.Bad failed")
    ]


def test_a_program_of_tests_that_failed_is_named() -> None:
    text = "1/2 Test #1: good_test ...........   Passed    0.02 sec\n2/2 Test #2: bad_test .............***Exception: SegFault  0.31 sec\n"
    (finding,) = read_capture("x", text.encode()).findings
    assert (finding.rule, finding.title) == ("test-failed", "The unit test bad_test failed: Exception: SegFault")


@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_a_runner_that_a_test_starts_is_a_run(chunk: int) -> None:
    text = (
        suite("Bad", BAD) + suite("Runs", RUN, "[  FAILED  ]") + suite("Passes", RUN.split("\n")[0] + "\n" + DONE)
    ).encode()
    reader = CaptureReader("x")
    for at in range(0, len(text), chunk):
        reader.feed(text[at : at + chunk])
    capture = reader.finish()
    assert [(run.status, run.first_line) for run in capture.runs] == [("failed", 10), ("passed", 17)]
    assert capture.findings[0].rule == "missing-operator"


@pytest.mark.parametrize("end", ["", "Segmentation fault (core dumped)\n"])
def test_a_test_that_ended_its_program_is_named(end: str) -> None:
    log = suite("Good", BAD) + "[ RUN      ] Suite.Dies\n" + (end or BAD)
    capture = read_capture("x", log.encode())
    assert capture.runs == ()
    assert [(f.rule, f.severity, f.title) for f in capture.findings] == [
        ("test-failed", "error", "The unit test Suite.Dies crashed its program")
    ]


def test_errors_outside_of_a_test_count() -> None:
    for text in (BAD, suite("Good", "") + BAD, BAD + suite("Good", BAD)):
        capture = read_capture("x", text.encode())
        assert [run.status for run in capture.runs] == ["failed"]
        assert capture.runs[0].last_line - capture.runs[0].first_line == 2
    died = "[ RUN      ] Suite.Dies\n" + BAD + "Segmentation fault (core dumped)\n" + "\n" * 20_000 + BAD
    assert [run.status for run in read_capture("x", died.encode()).runs] == ["failed"]


def test_a_test_whose_runner_gave_up_before_its_first_line_is_named_as_well() -> None:
    gave_up = "F [executorch:arm_executor_runner.cpp:88 main()] In function main(), assert failed (ok): no\n"
    for log, title in (
        (suite("Bad", FOUND + gave_up, "[  FAILED  ]"), "The unit test Suite.Bad failed"),
        (f"[ RUN      ] Suite.Bad\n{gave_up}", "The unit test Suite.Bad crashed its program"),
    ):
        capture = read_capture("x", log.encode())
        assert [run.status for run in capture.runs] == ["failed"]
        assert [(f.rule, f.severity) for f in capture.findings] == [("fatal-message", "error"), ("test-failed", "info")]
        assert capture.findings[1].title == title


@pytest.mark.parametrize("between", [0, 400])
def test_the_last_attempt_at_a_test_decides(between: int) -> None:
    bad, good = suite("Flaky", FOUND, "[  FAILED  ]"), suite("Flaky", "") + suite("Other", "") * between
    given = bad.replace("Flaky (", "Flaky, where GetParam() = 3 (")
    for log, severity in (
        (bad + good, "warning"),
        (given + good, "warning"),
        (good + bad, "error"),
        (bad + good + bad.replace("1 ms", "2 ms"), "error"),
    ):
        (finding,) = read_capture("x", log.encode()).findings
        assert (finding.rule, finding.severity) == ("test-failed", severity)
    assert read_capture("x", (bad + suite("FlakyToo", "")).encode()).findings[0].severity == "error"


def test_an_npu_that_fails_in_a_test_on_the_target_failed_even_where_the_test_does_not_see_it() -> None:
    log = (
        "[ RUN      ] Net.Invoke\nE: ethosu_driver.c:591: NPU error(s) occured during inference.\n"
        "E: ethosu_device_u55_u65.c:202: NPU status=0x00020806, qread=44, cmd_end_reached=0\n"
        "Node ethos-u (number 0) failed to invoke with status 1\n[       OK ] Net.Invoke\n~~~ALL TESTS PASSED~~~\n"
    )
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-bus-error"]
