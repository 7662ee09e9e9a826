"""Two consoles written to one file with no name before their lines: no figure of one is credited to the other."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, Run, read_capture
from ethosu_tui.analysis.answers.of_run import answers_of_run

from .test_scan import _small_pieces, agree_in

_ = _small_pieces
WHOLE = ("softmax.log", "mnist_q.log", "mobilenet_v2_corstone320.log", "bundleio_pass.log")


def lines_of(path: Path) -> list[str]:
    return [line for line in path.read_text("latin-1").replace("\r", "").split("\n") if line.strip()]


def merged(one: list[str], other: list[str], late: int = 0) -> bytes:
    """Line by line, the second `late` lines later."""
    out = one[:late]
    rest = one[late:]
    for i in range(max(len(rest), len(other))):
        out += rest[i : i + 1] + other[i : i + 1]
    return "\n".join([*out, ""]).encode("latin-1")


def of_whom(run: Run, data: bytes, one: list[str]) -> set[bool]:
    """Whose lines the figures of a run were read from, where only one of the two has such a line."""
    lines = data.decode("latin-1").split("\n")
    return {lines[at - 1] in one for path, at in run.lines.items() if path.startswith(("cycles.", "pmu.", "memory."))}


def flagged(capture: Capture) -> set[int | None]:
    return {finding.run for finding in capture.findings if finding.rule == "targets-mixed"}


@pytest.mark.parametrize("late", [0, 1, 3, 8])
@pytest.mark.parametrize("other", ["softmax.log", "mnist_q.log", "bundleio_pass.log"])
def test_two_releases_are_told_by_their_prefixes(samples: Path, other: str, late: int) -> None:
    one, two = lines_of(samples / "mobilenet_v2_corstone320.log"), lines_of(samples / other)
    data = merged(one, two, late)
    capture = read_capture("both", data)
    assert flagged(capture)
    for run in capture.runs:
        if run.index in flagged(capture):
            assert run.pmu is None and run.cycles.inference is None and not run.memory.pools and not run.outputs
            assert run.model.pte_bytes is None and not run.blocks and not run.derived
        elif run.last_line - run.first_line > 12:
            assert len(of_whom(run, data, one)) <= 1


@pytest.mark.parametrize("late", [0, 2])
def test_two_boards_with_one_firmware_are_told_by_their_cycles(samples: Path, late: int) -> None:
    """Their lines look like one line that a tool wrote twice, until the first figure differs."""
    one = lines_of(samples / "mobilenet_v2_corstone320.log")
    two = [line.replace("5920305", "5930306").replace("1498202", "1500000") for line in one]
    assert two != one
    capture = read_capture("both", merged(one, two, late))
    assert flagged(capture)
    for run in capture.runs:
        assert run.index in flagged(capture) or run.pmu is None
    assert "lines-doubled" not in {f.rule for f in capture.findings if f.run in flagged(capture)}


def by_pieces(one: list[str], other: list[str], rng: random.Random) -> bytes:
    """A few lines of one, then a few of the other."""
    out, rest = [], [list(one), list(other)]
    while any(rest):
        some = rng.choice([lines for lines in rest if lines])
        size = rng.choice((1, 1, 2, 5))
        out += some[:size]
        del some[:size]
    return "\n".join([*out, ""]).encode("latin-1")


@pytest.mark.parametrize("seed", [6, 10, 14, 36, 40, 70, 78, 83, 90])
def test_what_the_second_prints_behind_the_end_of_the_first_is_no_third_run(samples: Path, seed: int) -> None:
    logs = [lines_of(samples / name) for name in ("softmax.log", "mnist_q.log", "bundleio_pass.log")]
    rng = random.Random(seed)
    capture = read_capture("both", by_pieces(rng.choice(logs), rng.choice(logs), rng))
    assert flagged(capture) and sum(run.status == "passed" for run in capture.runs) in (1, 2)


def test_a_run_behind_two_that_were_mixed_has_its_figures(samples: Path) -> None:
    one, two = lines_of(samples / WHOLE[2]), lines_of(samples / WHOLE[0])
    for late in range(8):
        capture = read_capture("both", merged(one, two, late) + "\n".join([*one, ""]).encode("latin-1"))
        assert flagged(capture) and capture.runs[-1].index not in flagged(capture)
        assert capture.runs[-1].pmu is not None and capture.runs[-1].pmu.npu_cycles == 5_920_305


def test_the_finding_says_what_to_do(samples: Path) -> None:
    one, two = lines_of(samples / WHOLE[2]), lines_of(samples / WHOLE[0])
    finding = next(f for f in read_capture("both", merged(one, two)).findings if f.rule == "targets-mixed")
    assert finding.severity == "warning" and finding.lines and "its own file" in finding.advice


def test_the_answers_say_that_lines_stand_mixed_and_not_that_the_log_has_no_figures(samples: Path) -> None:
    capture = read_capture("both", merged(lines_of(samples / WHOLE[2]), lines_of(samples / WHOLE[0])))
    run = next(run for run in capture.runs if run.index in flagged(capture) and run.status == "passed")
    answers = answers_of_run(run, capture.findings)
    assert [answer.key for answer in answers if not answer.known] == ["speed", "fit", "limit"]
    assert all("two targets are mixed" in answer.reason for answer in answers[:4])
    assert answers[0].answer == "yes, but" and "its own file" in answers[4].answer


@pytest.mark.parametrize("seed", range(4))
def test_lost_and_repeated_pieces_are_no_second_target(samples: Path, seed: int) -> None:
    rng = random.Random(seed)
    for path in sorted(samples.glob("*.log")):
        data = path.read_bytes()
        lines = data.splitlines(keepends=True)
        at, size = rng.randrange(len(lines)), rng.randrange(1, 12)
        damaged = (
            data,
            b"".join(line + line for line in lines),
            b"".join(lines[:at] + lines[at + size :]) + b"\n" + data,
            b"".join(lines[:at] + lines[max(0, at - size) :]),
            b"".join(lines[:at]) + b"\n" + data + b"".join(lines[at:]) + b"\n" + data,
        )
        for number, one in enumerate(damaged):
            assert not flagged(read_capture("x", one)), (path.name, number)


def test_a_failed_assertion_is_the_end_of_a_run(samples: Path) -> None:
    one, two = lines_of(samples / "method_small_planned.log"), lines_of(samples / "softmax.log")
    end = next(i for i, line in enumerate(one) if "assert failed" in line) + 1
    report = next(i for i, line in enumerate(two) if "NPU Inferences" in line)
    data = "\n".join([*one[:end], *two[report:], ""]).encode()
    capture = read_capture("both", data)
    assert flagged(capture) == {1}
    assert capture.runs[0].cycles.inferences is None


@pytest.mark.parametrize("late", [0, 5])
def test_mixed_captures_are_read_alike(samples: Path, late: int) -> None:
    rng = random.Random(late)
    logs = [lines_of(samples / name) for name in WHOLE]
    pieces = [merged(rng.choice(logs), rng.choice(logs), late) for _ in range(12)]
    plain = ["\n".join([*log, ""]).encode("latin-1") for log in logs]
    data = b"".join(piece + rng.choice(plain) * rng.randrange(4) for piece in pieces * 3)
    agree_in(data, (1 << 18, False), (5000, True))


@pytest.mark.parametrize("told", ["method_allocator_used:", "temp_allocator:", "1 inferences finished"])
def test_what_a_run_prints_at_its_end_is_not_of_one_that_still_prepares(samples: Path, told: str) -> None:
    log = lines_of(samples / "softmax.log")
    last = next(line for line in log if told in line)
    ready = next(i for i, line in enumerate(log) if "Preparing inputs" in line)
    capture = read_capture("both", "\n".join([*log[:ready], last, *log[ready:], ""]).encode())
    assert flagged(capture) == ({1} if told != "temp_allocator:" else set()), (
        "a pool's size alone is no figure of a run"
    )


def test_a_report_and_the_preparation_behind_it_are_of_one_mixed_run(samples: Path) -> None:
    """The start of the second console, figures of the first, and the second goes on: one run of two targets, not two runs."""
    log = lines_of(samples / "softmax.log")
    load, report, end = (
        next(i for i, line in enumerate(log) if told in line)
        for told in ("Running method", "method_allocator_used", "Program complete")
    )
    capture = read_capture("both", "\n".join([*log[:load], *log[report:end], *log[load:], ""]).encode())
    assert flagged(capture) == {run.index for run in capture.runs} == {1}


def test_an_execution_that_begins_behind_a_report_without_its_head_is_not_what_that_measured(samples: Path) -> None:
    one, two = lines_of(samples / "mnist_q.log"), lines_of(samples / "softmax.log")
    ready, start = ([told in line for line in two].index(True) for told in ("Preparing inputs", "Starting running"))
    runtime, ended = ([told in line for line in one].index(True) for told in ("ethos-u : cycle_cnt", "Events:["))
    log = [*two[: ready + 2], *one[runtime : ended + 1], *two[start:], ""]
    capture = read_capture("both", "\n".join(log).encode())
    assert flagged(capture) == {1} and capture.runs[0].cycles.inference is None
    assert not flagged(read_capture("one", "\n".join([*two, ""]).encode()))


def test_a_piece_without_its_beginning_is_no_second_target_where_the_next_run_lost_its_own(samples: Path) -> None:
    lines = lines_of(samples / "softmax.log")
    begun, loaded = ([told in line for line in lines].index(True) for told in ("Running method", "' loaded."))
    piece = lines[loaded : loaded + 1]
    assert not flagged(read_capture("x", "\n".join([*piece, *lines[begun:], ""]).encode("latin-1")))
    assert flagged(read_capture("x", "\n".join([*lines[:begun], *piece, *lines[begun:], ""]).encode("latin-1")))


PREFIX = "I [executorch:arm_executor_runner.cpp:1 main()] "
REPORT = "I [executorch:arm_perf_monitor.cpp:2 StopMeasurements()] "


def piece(cycles: int, size: int, heads: int = 0) -> list[str]:
    """What a program printed, without its first lines."""
    said = [
        "Preparing inputs...", "Input prepared.", "Starting running 1 inferences...", "NPU Inferences : 1", "NPU delegations: 0 (0.00 per inference)",
        "Operator(s) total: 0 CPU cycles (0.00 per inference)", f"Inference runtime: {cycles} CPU cycles total ({cycles}.00 per inference)",
        "ethosu_pmu_cycle_cntr : 0 (0.00 per inference)", "1 inferences finished", "Model run: 1", f"model_pte_program_size:     {size} bytes.",
        f"model_pte_loaded_size:      {size} bytes.", "Program complete, exiting.",
    ]  # fmt: skip
    return [(REPORT if 3 <= at <= 7 else PREFIX) + line for at, line in enumerate(said)][heads:]


@pytest.mark.parametrize("heads", [0, 1, 3, 4, 5])
@pytest.mark.parametrize("cut", [2, 3, 4])
def test_reports_of_two_programs_without_their_heads_are_not_added_up(heads: int, cut: int) -> None:
    head = [PREFIX + "Running method forward", PREFIX + "Method 'forward' loaded."]
    log = [*head, *piece(1350, 720)[:-cut], *piece(87_412, 9_040, heads)]
    capture = read_capture("both", ("\n".join(log) + "\n").encode())
    assert {finding.rule for finding in capture.findings} & {"targets-mixed", "reports-differ"}
    assert all(run.cycles.inference is None for run in capture.runs)


def test_a_report_that_came_twice_is_no_other_programs() -> None:
    head = [PREFIX + "Running method forward", PREFIX + "Method 'forward' loaded."]
    log = [*head, *piece(1350, 720)[:-3], *piece(1350, 720)]
    (run,) = read_capture("once", ("\n".join(log) + "\n").encode()).runs
    assert (run.status, run.cycles.inference, run.cycles.inferences) == ("passed", 1350, 1)


def test_a_program_that_prepares_its_inputs_for_each_inference_is_one() -> None:
    """One of the runner's forks goes on so: on a board its figures are nearly the same each time."""
    head = [PREFIX + "Running method forward", PREFIX + "Method 'forward' loaded."]
    log = [*head, *piece(87_412, 720)[:-4], *piece(88_020, 720)[:-4], *piece(86_903, 720)]
    (run,) = read_capture("loop", ("\n".join(log) + "\n").encode()).runs
    assert (run.status, run.cycles.inferences, run.cycles.inference) == ("passed", 3, 87_412 + 88_020 + 86_903)
