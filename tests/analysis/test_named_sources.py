"""Several boards in one file, with a name before each line that differs from the others by a number alone."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import RUNNER

NAMES = (
    "[ttyUSB{}] ", "(uart{}) ", "<ttyACM{}> ", "/dev/ttyUSB{}: ", "board{}: ", "board{} | ", "uart{} ",
    "[10:11:12.123] [ttyUSB{}] ", "2026-05-04T10:11:12Z uart{} ",
)  # fmt: skip


def mixed(name: str, *logs: list[str]) -> bytes:
    """The lines of these logs in turns, two of each."""
    turns = range(0, max(map(len, logs)), 2)
    return "".join(
        f"{name.format(board)}{line}\n" for at in turns for board, log in enumerate(logs) for line in log[at : at + 2]
    ).encode()


@pytest.mark.parametrize("name", NAMES)
def test_each_board_has_its_run(name: str) -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode()).runs[0]
    read = read_capture("x.log", mixed(name, RUNNER, RUNNER))
    assert [(run.status, run.model, run.memory, run.cycles) for run in read.runs] == [
        (plain.status, plain.model, plain.memory, plain.cycles)
    ] * 2
    assert not [finding for finding in read.findings if finding.rule == "targets-mixed"]


def test_a_number_that_goes_up_is_no_name() -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode())
    read = read_capture("x.log", "".join(f"[n{at}] {line}\n" for at, line in enumerate(RUNNER)).encode())
    assert [(run.status, run.model, run.cycles) for run in read.runs] == [
        (run.status, run.model, run.cycles) for run in plain.runs
    ]
