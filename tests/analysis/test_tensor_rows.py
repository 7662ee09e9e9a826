"""Outputs of the Linux runner that are too long for one line: their sizes first, then ten values a line."""

from __future__ import annotations

import random

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.outputs.read import read_outputs

from .test_report_figures import lines_of
from .test_scan import agree

START = "I 00:00:00.000{n} executorch:executor_runner.cpp:714] "
VALUES = [round(n * 0.25 - 3, 2) for n in range(25)]


def log(values: list[float], sizes: str = "1, 25", left_out: bool = False) -> str:
    rows = [", ".join(f"{value:g}" for value in values[at : at + 10]) for at in range(0, len(values), 10)]
    if left_out:
        rows.insert(1, "...,")
    body = "".join(f"  {row}{'' if row[-1:] == ',' else ', '}\n" for row in rows)
    at = START.format(n=100)
    return (
        f"{at}Model file a.pte is loaded.\n{at}Using method forward\n{at}Model executed successfully 1 time(s) in 2.5 ms.\n"
        f"{at}1 outputs:\nOutputX 0: tensor(sizes=[{sizes}], [\n{body}])\n"
    )


@pytest.mark.parametrize(
    ("sizes", "left_out", "count"), [("1, 25", False, 25), ("1, 5, 5", False, 25), ("1, 1000", True, 1000)]
)
def test_its_size_and_first_values_are_reported(sizes: str, left_out: bool, count: int) -> None:
    data = log(VALUES, sizes, left_out).encode()
    (run,) = read_capture("x", data).runs
    (tensor,) = run.outputs
    assert (run.status, tensor.count, tensor.elided, tensor.first) == ("passed", count, left_out, tuple(VALUES[:8]))
    (output,) = read_outputs(lines_of(data), run)
    assert (output.count, list(output.values)) == (count, VALUES[:10] if left_out else VALUES)


def test_a_tensor_that_is_cut_off_is_not_whole() -> None:
    (run,) = read_capture("x", log(VALUES).rpartition("  ")[0].encode()).runs
    assert run.outputs[0].elided and run.outputs[0].count == 25


def test_many_of_them_are_read_alike_by_layouts() -> None:
    made = random.Random(8)
    agree(
        "".join(log([made.randrange(-99, 99) / 8 for _ in VALUES]) for _ in range(24)).encode(),
        1 << 18,
        1000,
        both=True,
    )
