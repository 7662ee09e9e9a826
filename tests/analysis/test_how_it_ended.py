"""Ends of runs whose runner prints no completion line: what shows that they did all they were there for."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

LINUX = "I 00:00:01.000100 executorch:executor_runner.cpp:1] "
LOADED = f"{LINUX}Model file a.pte is loaded.\n{LINUX}Using method forward\n"
RAN = f"{LINUX}Model executed successfully 1 time(s) in 2.500000 ms.\n"
OLD = "I executorch:runner.cpp:64] "
OLD_RAN = (
    f"{OLD}Model PTE file loaded. Size: 960 bytes.\n{OLD}Running method forward\n{OLD}Model executed successfully.\n"
)
LIMIT = "EXITTHESIM\nInfo: Simulation is stopping. Reason: CPU time has been exceeded.\n"


def status(log: str) -> str:
    (run,) = read_capture("x", log.encode()).runs
    return run.status


def test_a_server_on_linux_has_ended_where_it_says_so() -> None:
    served = f"{LOADED}{LINUX}Running in server mode; waiting for stdin triggers.\n{RAN}"
    assert status(f"{served}{LINUX}SERVER MODE DONE\n") == "passed"
    assert status(f"{LOADED}{LINUX}SERVER MODE DONE\n") != "passed", "nothing was executed"


def test_a_simulation_before_0_3_ends_by_its_limit_after_its_outputs() -> None:
    assert status(f"{OLD_RAN}{OLD}1 outputs: \nOutput[0][0]: 0.500000\n{LIMIT}") == "passed"
    assert status(f"{OLD_RAN}{LIMIT}") == "timeout"


@pytest.mark.parametrize(("printed", "ended"), [(1, False), (2, True)])
def test_a_runner_on_linux_prints_every_output_that_it_announced(printed: int, ended: bool) -> None:
    values = "".join(f"Output {i}: tensor(sizes=[1, 2], [0.5, 0.25])\n" for i in range(printed))
    log = f"{LOADED}{RAN}{LINUX}2 outputs: \n{values}"
    assert (status(log) == "passed") == ended


def test_a_verdict_that_was_asked_for_must_come() -> None:
    asked = f"{LOADED}{LINUX}PTE Model with bundle io detected.\n{RAN}{LINUX}1 outputs: \nOutput 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
    stats = f"{LINUX}=== Error stats for testset 0 ===\n{LINUX} mean_absolute_error: 0.000100\n"
    assert status(f"{asked}{stats}") != "passed"
    assert status(f"{asked}{stats}{LINUX}TEST: BundleIO index[0] Test_result: PASS\n") == "passed"
    assert status(f"{asked}{stats}{LINUX}TEST: BundleIO index[0] Test_result: FAIL\n") == "failed"
