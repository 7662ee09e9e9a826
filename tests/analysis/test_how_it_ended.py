"""Ends that no line of a runner tells: what shows that a run did all it was there for, and what the host alone proves."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import Capture, Outcome, read_capture
from ethosu_tui.analysis.capture import CaptureReader

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


@pytest.mark.parametrize("ran", [RAN, f"{LINUX}Model executed successfully.\n"])
@pytest.mark.parametrize(("printed", "ended"), [(1, False), (2, True)])
def test_a_runner_on_linux_prints_every_output_that_it_announced(printed: int, ended: bool, ran: str) -> None:
    values = "".join(f"Output {i}: tensor(sizes=[1, 2], [0.5, 0.25])\n" for i in range(printed))
    log = f"{LOADED}{ran}{LINUX}2 outputs: \n{values}"
    assert status(log.replace(ran, "")) != "passed", "nothing was executed"
    assert (status(log) == "passed") == ended


@pytest.mark.parametrize(("begun", "ended"), [("", True), ("I 00:00:0", False), ("E 00:0", False), ("Outp", False)])
def test_a_runner_on_linux_that_was_about_to_say_more_has_not_ended(begun: str, ended: bool) -> None:
    assert status(f"{LOADED}{RAN}{begun}") == ("passed" if ended else "truncated")
    assert status(f"{LOADED}{begun}") != "passed", "nothing was executed"


def test_a_verdict_that_was_asked_for_must_come() -> None:
    asked = f"{LOADED}{LINUX}PTE Model with bundle io detected.\n{RAN}{LINUX}1 outputs: \nOutput 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
    stats = f"{LINUX}=== Error stats for testset 0 ===\n{LINUX} mean_absolute_error: 0.000100\n"
    assert status(asked) == status(f"{asked}{stats}") == "truncated", "whatever the name of a bundled program ends in"
    assert status(asked.replace("a.pte", "a.bpte").replace("PTE Model with bundle io detected.", "x")) == "truncated"
    assert status(f"{asked}{stats}{LINUX}TEST: BundleIO index[0] Test_result: PASS\n") == "passed"
    assert status(f"{asked}{stats}{LINUX}TEST: BundleIO index[0] Test_result: FAIL\n") == "failed"


BOARD = "I [executorch:arm_executor_runner.cpp:500 main()] "
BEGUN, DONE = f"{BOARD}PTE @ 0x70000000 [----ET12]\n", f"{BOARD}Program complete, exiting.\n"
CRASH = "sim-1 exited with code 139\n"


@pytest.mark.parametrize(
    ("log", "ended", "rules"),
    [
        (BEGUN + CRASH, "failed", ["runner-crashed"]),
        (BEGUN + CRASH + DONE, "passed", []),  # it went on, so another container crashed
        (BEGUN + DONE + CRASH, "passed", []),
    ],
)
def test_a_crash_that_a_run_outlives_was_another_programs(log: str, ended: str, rules: list[str]) -> None:
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == [ended]
    assert [f.rule for f in capture.findings if f.severity == "error"] == rules


@pytest.mark.parametrize("kind", ["command", "ssh", "serial", "host"])
@pytest.mark.parametrize(
    ("reason", "code", "status", "rule"),
    [
        ("ended", 3, "failed", "command-failed"),
        ("ended", 0, None, "no-verdict"),
        ("marker", None, None, "no-verdict"),
        ("timeout", None, "timeout", "time-limit"),
        ("silence", None, "hung", "hung"),
        ("lost", None, "truncated", "cut-short"),
        ("stopped", None, None, None),
        ("not_started", None, "not_started", "never-started"),
    ],
)
def test_a_program_of_any_kind_is_judged_by_its_end(
    kind: str, reason: str, code: int | None, status: str | None, rule: str | None
) -> None:
    """Without a runner's line, what the host saw is all there is: an end that went well proves no pass."""
    capture = ended(Outcome(reason, code, kind=kind))
    assert [run.status for run in capture.runs] == ([status] if status else [])
    assert [finding.rule for finding in capture.findings] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("reason", "code", "rule"),
    [
        ("ended", 0, "never-started"),
        ("ended", 3, "never-started"),
        ("timeout", None, "runner-silent"),
        ("silence", None, "runner-silent"),
        ("not_started", None, "never-started"),
        ("stopped", None, None),
        ("lost", None, None),
    ],
)
def test_a_simulator_on_which_no_runner_spoke_started_none(reason: str, code: int | None, rule: str | None) -> None:
    """It runs nothing but a runner, so that its silence means something, unless it was taken away before its end."""
    capture = ended(Outcome(reason, code, kind="fvp"))
    assert [run.status for run in capture.runs] == (["not_started"] if rule else [])
    assert [finding.rule for finding in capture.findings] == ([rule] if rule else [])


def ended(outcome: Outcome) -> Capture:
    reader = CaptureReader("x")
    reader.feed(b"hello\n")
    return reader.finish(outcome)
