"""Outputs in a run's tables: infinite values as what they are, and a word of what the runner did not print."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Run
from ethosu_tui.analysis.report_tables import outputs_table


def read(values: list[tuple[int, int, str]], end: str = "Program complete, exiting.") -> Run:
    at = "I [executorch:arm_executor_runner.cpp:{} {}()] {}\n"
    log = at.format(1211, "main", "PTE @ 0x70000000 [----ET12]") + at.format(1059, "print_outputs", "3 outputs: ")
    log += "".join(f"Output[{tensor}][{index}]: {value}\n" for tensor, index, value in values)
    (run,) = read_capture("x", (log + at.format(1238, "main", end)).encode()).runs
    return run


@pytest.mark.parametrize("dtype", ["float", "char"])
def test_infinite_values_are_shown_as_they_were_printed(dtype: str) -> None:
    run = read([(0, at, f"({dtype}) {value}") for at, value in enumerate(("inf", "-inf", "nan", "1"))])
    assert outputs_table(run).rows[0][3].text == "inf, -inf, nan, 1"


def test_equal_infinite_values_are_no_constant_output() -> None:
    log = "I [executorch:arm_executor_runner.cpp:1059 print_outputs()] 1 outputs: \n"
    log += "".join(f"Output[0][{index}]: (float) inf\n" for index in range(20))
    log += "I [executorch:arm_executor_runner.cpp:1238 main()] Program complete, exiting.\n"
    assert [f.rule for f in read_capture("x", log.encode()).findings] == ["outputs-not-finite"]


def test_an_output_that_was_not_printed_is_named() -> None:
    printed = [(0, 0, "(float) 1.5"), (2, 0, "(char) 3")]
    table = outputs_table(read(printed))
    assert [row[0].text for row in table.rows] == ["output 0", "output 2"] and "Output 1 has no values" in table.note
    assert outputs_table(read([*printed, (1, 0, "(int) 3")])).note == ""
    assert outputs_table(read(printed, "Nothing more")).note == "", "its lines may be lost"
    far = [(0, 0, "(float) 1.5"), (4000, 0, "(float) 1.5")]
    assert outputs_table(read(far)).note == "", "a number with damage in it"
