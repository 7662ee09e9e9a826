"""Inferences that a runner timed one by one, in logs that lost or changed something: no spread is made of what is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ethosu_tui.analysis import Run, read_capture

RUNNER = "I 00:00:00.000231 executorch:executor_runner.cpp:512] "
BACKEND = "I 00:00:00.000232 executorch:EthosUBackend_Cortex_A.cpp:97] "
TIMES = (8.125, 2.5, 2.25, 2.75, 2.0625)
RULE = "inference-times-inconsistent"


def log(*times: float) -> list[str]:
    said = ["Model file n.pte is loaded.", "Using method forward", "Model loaded in 0.211 ms."]
    lines = [RUNNER + text for text in said]
    for index, ms in enumerate(times, 1):
        lines.append(f"{BACKEND}Ethos-U Linux delegate cycle counter: {70_000 + index}")
        lines.append(f"{RUNNER}Iteration {index} of {len(times)}: {ms:.6f} ms")
    lines.append(f"{RUNNER}Model executed successfully {len(times)} time(s) in {sum(times):.6f} ms.")
    return [*lines, f"{RUNNER}1 outputs: ", "OutputX 0: tensor(sizes=[2], [0.5, 0.25])"]


def read(lines: list[str]) -> tuple[Run, list[str]]:
    capture = read_capture("x", ("\n".join(lines) + "\n").encode())
    (run,) = capture.runs
    return run, [finding.detail for finding in capture.findings if finding.rule == RULE]


def spread(run: Run) -> dict[str, float]:
    return {name: entry.value for name, entry in run.derived.items() if "seconds_per_inference" in name}


def changed(old: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line.replace(old, new) for line in lines]


def without(text: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line for line in lines if text not in line]


def test_times_that_add_up_have_a_spread() -> None:
    run, said = read(log(*TIMES))
    assert said == []
    assert sorted(spread(run).values()) == [0.0020625, 0.0025, 0.008125, 0.008125]


def test_a_line_that_came_twice_is_one_inference() -> None:
    lines = log(*TIMES)
    at = next(i for i, line in enumerate(lines) if "Iteration 2 " in line)
    run, said = read(lines[: at + 1] + lines[at:])
    assert (said, run.derived["timed_inferences"].value) == ([], 5)


@pytest.mark.parametrize(
    "damage",
    [
        without("Iteration 1 "),
        without("Iteration 3 "),
        without("Iteration 5 "),
        changed("Iteration 2 ", "Iteration 82 "),
        changed("Iteration 3 ", "Iteration 4 "),
    ],
)
def test_no_spread_is_made_of_some_of_the_times(damage: Callable[[list[str]], list[str]]) -> None:
    run, said = read(damage(log(*TIMES)))
    assert spread(run) == {}
    assert "4 of 5" in said[0] or "3 of 5" in said[0]
    assert run.times.total_seconds == pytest.approx(sum(TIMES) / 1000)
    assert run.times.inference_seconds == pytest.approx(sum(TIMES) / 5000)


@pytest.mark.parametrize("damage", [changed(" 2.750000", " 275.0000"), changed("in 17.687500", "in 1.687500")])
def test_of_times_and_a_total_that_contradict_each_other_none_is_told(damage: Callable[[list[str]], list[str]]) -> None:
    run, said = read(damage(log(*TIMES)))
    assert len(said) == 1
    assert spread(run) == {}
    assert run.times.total_seconds is run.times.inference_seconds is None


def test_fewer_inferences_than_were_numbered_divide_nothing() -> None:
    run, said = read(changed("successfully 5 time", "successfully 1 time")(log(*TIMES)))
    assert said == ["The log says iteration 5 and 1 inference in all: a line is missing or damaged. What contradicts the rest is left out."]  # fmt: skip
    assert (run.cycles.inferences, run.times.inference_seconds, spread(run)) == (None, None, {})
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (350_015, None)


def test_a_single_time_is_the_total() -> None:
    assert read(log(3.5))[1] == []
    run, said = read(changed("1 of 1: 3.5", "1 of 1: 8.5")(log(3.5)))
    assert (len(said), run.times.inference_seconds) == (1, None)


def test_times_so_far_of_a_run_that_goes_on_are_right() -> None:
    run, said = read([line for line in log(*TIMES)[:9] if "successfully" not in line])
    assert (said, run.derived["timed_inferences"].value) == ([], 3)
