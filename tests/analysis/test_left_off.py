"""A second target that begins while the first one still prints its report, into the same file: what comes next is of both."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture

from .test_scan import _small_pieces, agree_in
from .test_two_targets import flagged, lines_of

_ = _small_pieces
RUNNER = "I [executorch:arm_executor_runner.cpp:{} runner_init()] {}"


def joined(*parts: list[str]) -> bytes:
    return "\n".join([line for part in parts for line in part] + [""]).encode("latin-1")


def at(lines: list[str], told: str) -> int:
    return next(i for i, line in enumerate(lines) if told in line)


@pytest.mark.parametrize(
    "told", ["NPU delegations", "ethosu_pmu_cntr1", "Output[0][1]", "method_allocator_used", "temp_allocator"]
)
@pytest.mark.parametrize("begun", [1, 3, 5])
def test_a_report_that_goes_on_in_the_next_run_is_of_another_target(samples: Path, told: str, begun: int) -> None:
    one, two = lines_of(samples / "softmax.log"), lines_of(samples / "mnist_q.log")
    here = at(one, told)
    capture = read_capture("both", joined(one[:here], two[:begun], one[here : here + 2], two[begun:], one[here + 2 :]))
    assert 2 in flagged(capture) and sum(run.status == "passed" for run in capture.runs) <= 2
    first = capture.runs[0]
    assert (first.status, first.model.pte_bytes) == ("truncated", 960) and 1 not in flagged(capture)
    assert all(run.pmu is None and run.model.pte_bytes is None for run in capture.runs if run.index in flagged(capture))


@pytest.mark.parametrize("begun", [1, 4, 7])
def test_the_exit_code_of_a_run_that_was_complete_is_not_that_of_the_next(samples: Path, begun: int) -> None:
    one, two = lines_of(samples / "softmax.log"), lines_of(samples / "hang_u55_no_npu.log")
    end = at(one, "Application exit code")
    capture = read_capture("both", joined(one[:end], two[:begun], one[end:], two[begun:]))
    assert [run.status for run in capture.runs] == ["passed", "hung"] and flagged(capture) == {2}


def test_a_launch_between_lines_of_a_report_is_one_launch(samples: Path) -> None:
    one = lines_of(samples / "softmax.log")
    two = [f"telnetterminal{port}: Listening for serial connection on port {5000 + port}" for port in range(4)]
    here = at(one, "method_allocator_used")
    pairs = [[launch, line] for launch, line in zip(two, one[here:], strict=False)]
    capture = read_capture("both", joined(one[:here], *pairs, one[:here], one[here + 4 :], one[here:]))
    assert [run.first_line for run in capture.runs] == [1, here + 1] and flagged(capture) == {2}


def test_runs_behind_one_that_was_cut_in_its_report_are_as_they_were(samples: Path) -> None:
    logs = [lines_of(path) for path in sorted(samples.glob("*.log"))]
    one = lines_of(samples / "softmax.log")
    for here in range(at(one, "NPU Inferences"), len(one)):
        for other in logs:
            assert not flagged(read_capture("two", joined(one[:here], other)))


def test_outputs_without_their_head_have_an_exit_code_of_their_own(samples: Path) -> None:
    """Of a release that prints no line between them, behind a run of a board, which prints no exit code."""
    one = lines_of(samples / "softmax.log")
    board = one[: at(one, "Program complete") + 1]
    tail = ["Output[0][0]: 0.250000", "Output[0][1]: 0.750000", "Application exit code: 0.", "", "EXITTHESIM"]
    for said in (tail, ["I executorch:runner.cpp:131] 1 outputs:", *tail]):
        assert not flagged(read_capture("two", joined(board, said)))


def test_a_runner_that_tells_of_no_execution_is_no_second_target() -> None:
    said = [
        "Setting up planned buffer 0, size 700.",
        "Method loaded.",
        "Inputs prepared.",
        "Model executed successfully.",
    ]
    host = [f"I 00:00:00.0{i} executorch:executor_runner.cpp:{90 + i}] {text}" for i, text in enumerate(said, 11)]
    assert not flagged(read_capture("host", joined(host, ["..."], host, ["..."], host)))
    short = [RUNNER.format(70, "Model buffer loaded, has 1 methods"), RUNNER.format(99, "Program complete, exiting.")]
    assert not flagged(read_capture("short", joined(short * 5)))


@pytest.mark.parametrize("seed", range(3))
def test_what_was_left_off_is_known_to_a_scanner_too(samples: Path, seed: int) -> None:
    """Runs that are taken by their layouts are left off as those are that are read line by line."""
    rng = random.Random(seed)
    logs = [lines_of(samples / name) for name in ("softmax.log", "mnist_q.log", "generic_softmax.log")]
    pieces = []
    for _number in range(60):
        one, two = rng.choice(logs), rng.choice(logs)
        here = at(one, rng.choice(("ethosu_pmu_cntr2", "method_allocator_used", "Program complete", "exit code")))
        begun = rng.choice((1, 2, 4))
        pieces += [one[:here]] * rng.choice((1, 1, 6, 30)) + [two[:begun], one[here:], two[begun:]]
        pieces += [rng.choice(logs)] * rng.randrange(4)
        pieces += [[*one[:3], one[at(one, "Program complete")]]] * rng.choice((0, 1, 40))
    agree_in(joined(*pieces), (1 << 16, False), (5000, True))


def test_an_exit_code_in_the_middle_of_a_report_is_of_the_run_before(samples: Path) -> None:
    one, two = lines_of(samples / "softmax.log"), lines_of(samples / "mnist_q.log")
    end, here = at(one, "Application exit code"), at(two, "cpu_wait_for_npu")
    capture = read_capture("both", joined(one[:end], two[:here], one[end:], two[here:]))
    assert [run.status for run in capture.runs] == ["passed", "passed"] and flagged(capture) == {2}


def test_a_runner_that_starts_in_another_way_is_another_run() -> None:
    one = [
        RUNNER.format(60, "PTE @ 0x70000000 [----ET12]"),
        RUNNER.format(61, "PTE Model data loaded. Size: 700 bytes."),
    ]
    two = [
        RUNNER.format(20, "PTE at 0x71000000 Size: 800 bytes"),
        RUNNER.format(21, "PTE Model data loaded. Size: 800 bytes."),
    ]
    rest = [RUNNER.format(70, "Model buffer loaded, has 1 methods"), RUNNER.format(71, "Running method forward")]
    capture = read_capture("two", joined(one, rest, two, rest))
    assert [(run.first_line, run.model.pte_bytes) for run in capture.runs] == [(1, 700), (5, 800)]


@pytest.mark.parametrize(
    "told",
    [
        ["Setup Method allocator pool. Size: 4000 bytes.", "FAIL", "Setup Method allocator pool. Size: 9000 bytes."],
        ["Method 'forward' loaded.", "Running method forward"],
    ],
)
def test_what_is_set_up_behind_its_end_is_of_another_target(told: list[str]) -> None:
    failed = {
        "FAIL": RUNNER.format(80, "Loading of method forward failed with status 0x20"),
    }
    lines = [failed.get(text) or RUNNER.format(70 + i, text) for i, text in enumerate(told)]
    capture = read_capture("both", joined([RUNNER.format(60, "Model buffer loaded, has 1 methods")], lines))
    assert flagged(capture) == {1}


def test_a_kit_s_profile_that_goes_on_behind_another_report_is_not_added_to_it() -> None:
    kit = [
        "INFO - Profile for Inference:",
        "INFO - NPU ACTIVE: 5000 cycles",
        "INFO - NPU IDLE: 60 cycles",
        "INFO - NPU TOTAL: 5060 cycles",
    ]
    other = ["Ethos-U PMU report:", "ethosu_pmu_cycle_cntr : 7000", "ethosu_pmu_cntr0 : 800"]
    mixed = read_capture("both", joined(kit[:2], other[:2], kit[2:], other[2:]))
    assert flagged(mixed) and all(run.pmu is None for run in mixed.runs)
    assert not flagged(read_capture("one", joined(kit, other)))
