"""Errors of the host that a terminal broke into two rows tell their cause as whole ones do."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture


@pytest.mark.parametrize("at", [72, 76, 83, 88, 100])
def test_a_line_that_a_terminal_broke_tells_its_cause(at: int) -> None:
    said = "fatal: unable to access 'https://git.lab.example/npu/kernels.git/': server certificate verification failed. CAfile: none"
    broken = f"Cloning into 'kernels'...\n{said[:at]}\n{said[at:]}\n"
    (finding,) = read_capture("x", broken.encode()).findings
    assert (finding.rule, finding.lines) == ("download-failed", (2,))
    assert finding.title == "A download failed: the server's certificate could not be verified"
    assert "verification" in finding.detail


@pytest.mark.parametrize(
    "below", ["Trying the next server", "\nserver certificate verification failed", "the next one is asked"]
)
def test_what_stands_under_a_line_is_not_its_rest(below: str) -> None:
    said = "fatal: unable to access 'https://git.lab.example/npu/kernels.git/': The requested URL returned error: 503"
    (finding,) = read_capture("x", f"{said}\n{below}\n".encode()).findings
    assert finding.title == "git could not fetch from git.lab.example: The requested URL returned error: 503"


def folded(text: str, columns: int = 80) -> bytes:
    """As a terminal of so many columns shows it, and as it is copied from there."""
    rows = [line[at : at + columns] for line in text.split("\n") for at in range(0, max(len(line), 1), columns)]
    return "\n".join(rows).encode()


def told(data: bytes) -> tuple[object, ...]:
    capture = read_capture("x", data)
    runs = [(run.status, run.stage, run.runner.executorch_version, run.memory, run.outputs) for run in capture.runs]
    return runs, [(finding.rule, finding.title) for finding in capture.findings]


BOOT = "*** Booting Zephyr OS build v9.9.1 ***"
REFUSED = "Memory allocation failed: 1203400B requested (adjusted for alignment), 41024B available"
KERNEL = "E [executorch:operator_registry.cpp:256 get_op_function_from_registry()] kernel 'lab::gelu.out' not found."
FAILED = "E [executorch:main.cpp:220 main()] The registration of the backend of this lab's own board failed as it began"
RAISED = "torch._export.verifier.SpecViolationError: Operator 'lab::window_of_four' is not in Core ATen opset (a registered graph)"
TRACEBACK = f"""Traceback (most recent call last):
  File "/lab/executorch/exir/program/_program.py", line 1234, in to_edge
    raise error
{RAISED}"""


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    "text",
    [f"{BOOT}\n{REFUSED}\n", f"2031-02-03T04:05:06.1234567Z {KERNEL}\n", f"{BOOT}\n{FAILED}\n", f"{TRACEBACK}\n"],
    ids=["without a prefix", "inside the prefix", "an error's words", "an exception"],
)
def test_rows_tell_what_the_line_told(text: str, columns: int) -> None:
    assert max(map(len, text.split("\n"))) > 80
    assert told(folded(text, columns)) == told(text.encode())


def test_a_row_that_means_something_by_itself_is_no_rest() -> None:
    full = "note: this board's log has lines of words that go to the right edge of a screen."
    assert len(full) == 80
    lines = [BOOT, full, "Model bytes: 4096", full, "a word of its own", full, REFUSED]
    alone = [line for line in lines if line != full]
    assert told("\n".join(lines).encode())[0] == told("\n".join(alone).encode())[0]


MONITOR = "I [executorch:arm_perf_monitor.cpp:184] "


def test_what_the_first_row_said_counts_once() -> None:
    """A number, an element and a job that a screen broke are read as the rows say together."""
    lines = [
        BOOT,
        "sender 0: Sending inference. job=0x21ea8f0, name=a_keyword_of_this_laboratory_that_is_as_long_as_it_is_int8",
        "sender 1: Received job response. job=0x21ea8f0, status=0",
    ]
    assert told(folded("\n".join([*lines, ""]))) == told("\n".join([*lines, ""]).encode())
    counters = [
        f"{MONITOR}ethosu_pmu_cntr{index} : {value}" for index, value in enumerate((1447178, 420661, 0, 7, 130))
    ]
    begun = ["I [executorch:runner.cpp:9] Input prepared.", "I [executorch:runner.cpp:9] Running."]
    counters = [*begun, f"{MONITOR}Ethos-U PMU report:", f"{MONITOR}ethosu_pmu_cycle_cntr : 4738932", *counters]
    outputs = [f"Output[0][{index}]: (float) {value:f}" for index, value in enumerate((0.064744, -0.000996, 10.5))]
    for lines, stamp in (
        (counters, "2031-02-03 04:05:06 "),
        (outputs, "2031-02-03 04:05:06,123 - lab.bench - DEBUG - CONSOLE: "),
    ):
        for shift in range(8):
            begin = stamp + "." * (shift if lines is counters else shift % 2) + " "
            text = "".join(f"{begin}{line}\n" for line in lines)
            (whole,), (rows,) = read_capture("x", text.encode()).runs, read_capture("x", folded(text)).runs
            assert (whole.pmu is not None) is (lines is counters), begin
            assert (rows.pmu, rows.outputs) == (whole.pmu, whole.outputs), begin


def test_an_error_that_was_broken_is_said_once() -> None:
    error = "ninja: error: '/lab/build/libethosu_core_driver_of_this_board.a', needed by 'runner', missing and no known rule to make it"
    (finding,) = read_capture("x", folded(f"[3/9] Linking\n{error}\n")).findings
    assert finding == read_capture("x", f"[3/9] Linking\n{error}\n".encode()).findings[0]
