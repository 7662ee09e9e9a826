"""Logs copied off a screen: what the first row of a broken line seemed to say is overruled by the whole line, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import Run, read_capture

WHOLE = (
    "bundleio_pass.log",
    "mnist_q.log",
    "softmax.log",
    "semi_softmax.log",
    "mobilenet_v2_corstone320.log",
    "dbg_mnist.log",
)


def rows(text: str, columns: int) -> bytes:
    """The text as a screen of so many columns shows it."""
    broken = [line[at : at + columns] for line in text.split("\n") for at in range(0, max(1, len(line)), columns)]
    return "\n".join(broken).encode("latin-1")


def figures(run: Run) -> tuple[object, ...]:
    return (
        run.status,
        run.stage,
        run.cycles,
        run.pmu,
        run.memory.pools,
        run.memory.planned_bytes,
        run.model,
        run.outputs,
    )


@pytest.mark.parametrize("columns", [80, 100, 132])
@pytest.mark.parametrize("name", WHOLE)
def test_a_figure_told_by_two_rows_is_told_once(samples: Path, name: str, columns: int) -> None:
    text = (samples / name).read_text("latin-1").replace("\r", "")
    whole, broken = read_capture("whole", text.encode("latin-1")), read_capture("rows", rows(text, columns))
    assert [figures(run) for run in broken.runs] == [figures(run) for run in whole.runs]
    assert "targets-mixed" not in {finding.rule for finding in broken.findings}


def test_a_blank_at_the_edge_and_a_break_after_the_prefix_lose_nothing() -> None:
    before = "I [executorch:arm_executor_runner.cpp:693 runner_init()] "
    blank, empty = (
        f"{before}Running method forward",
        f"E [executorch:{'a' * 38}.cpp:8 get()] kernel 'aten::cos.out' not found.",
    )
    padding = [f"I [executorch:a.cpp:7 main()] {word * 150}" for word in "uvwxyz"]
    for columns, line, message in (
        (len(before) + len("Running method "), blank, "forward"),
        (empty.index("kernel") - 1, empty, "aten::cos.out"),
    ):
        capture = read_capture("x", rows("\n".join([*padding, line, before + "Preparing inputs...", ""]), columns))
        run = capture.runs[0]
        told = [run.model.method, *(finding.detail + finding.title for finding in capture.findings)]
        assert any(message in str(text) for text in told), (columns, told)


def test_a_number_broken_at_the_edge_of_any_screen_is_not_told_in_part() -> None:
    line = "I [executorch:arm_executor_runner.cpp:740 runner_init()] Setting up planned buffer 0, size 918273."
    for columns in (line.index("273"), line.index("73."), len(line) - 1):
        run = read_capture("x", rows(line + "\n", columns)).runs[0]
        assert run.memory.planned_buffers == (918273,)


def test_a_number_cut_off_at_the_edge_is_not_told_in_part() -> None:
    before = "I [executorch:arm_executor_runner.cpp:740 runner_init()] "
    run = read_capture("x", f"{before}Setting up planned buffer 0, size 918\n".encode()).runs[0]
    assert (run.stage, run.memory.planned_buffers) == ("plan", ())
    port = b"Running method forward\nSetting up planned buffer 0, size 918273\nMethod 'forward' loaded.\n"
    assert read_capture("x", port).runs[0].memory.planned_buffers == (918273,)


def test_a_request_that_was_cut_off_behind_its_size_is_the_cause() -> None:
    before = "I [executorch:arm_executor_runner.cpp:693 runner_init()] Setup Method allocator pool. Size: 4096 bytes.\n"
    failed = "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 1785600B requested (adjusted for alignment), 1024B available"
    after = "F [executorch:arm_executor_runner.cpp:730 runner_init()] In function runner_init(), assert failed (ptr\n"
    for pool in ("", before):
        for end in range(failed.index("B requested") + 1, len(failed)):
            finding = read_capture("x", f"{pool}{failed[:end]}\n{after}".encode()).findings[0]
            assert (finding.rule, finding.severity) == ("method-pool-too-small", "error")
            assert "1785600 bytes were requested" in finding.detail and "1024" not in finding.detail
    text = f"{before}{failed}\n{after}"
    assert "1024 left" in read_capture("x", rows(text, 80)).findings[0].detail


def test_a_number_in_a_row_of_its_own_is_no_rest() -> None:
    line = "I [executorch:arm_executor_runner.cpp:599 main()] Model in 200014C7"
    run = read_capture("x", f"{line}\n0.125\n17\n".encode()).runs[0]
    assert run.model.address == "200014C7"


def test_a_refusal_begins_no_run_and_is_quoted_whole() -> None:
    text = (
        "I [executorch:arm_executor_runner.cpp:1406 main()] Running executor with parameter:\n"
        "I [executorch:arm_executor_runner.cpp:1480 main()] Reading pte model from file lost_model.pte\n"
        "F [executorch:arm_executor_runner.cpp:554 read_binary_file()] Could not open file lost_model.pte (errno: 2) for reading, exiting!\n"
        "E [executorch:arm_executor_runner.cpp:1484 main()] Reading pte model from file lost_model.pte failed.\n"
    )
    capture = read_capture("x", rows(text, 80))
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "start")]
    assert [finding.rule for finding in capture.findings if finding.severity == "error"] == ["input-file-missing"]
    aborted = [finding.detail for finding in capture.findings if finding.rule == "fatal-message"]
    assert len(aborted) == 1 and "lost_model.pte (errno: 2)" in aborted[0]


def test_a_label_known_only_after_the_launch_takes_the_launch_over(samples: Path) -> None:
    run = (samples / "mnist_q.log").read_text("latin-1").replace("\r", "").strip("\n").split("\n")
    launch = ["telnetterminal0: Listening for serial connection on port 5000", "", *run]
    capture = read_capture("x", "".join(f"[rig-7] {line}\n" for line in launch).encode("latin-1"))
    assert [run.status for run in capture.runs] == ["passed"]
    assert not [finding for finding in capture.findings if finding.severity == "error"]


def test_lines_that_a_tool_wrote_twice_between_other_lines_are_of_one_target(samples: Path) -> None:
    lines = (samples / "mnist_q.log").read_text("latin-1").replace("\r", "").strip("\n").split("\n")
    at = next(number for number, line in enumerate(lines) if "Input prepared" in line)
    noise = ["net: rx 344 bytes dropped 0"]
    twice = [row for number, line in enumerate(lines[at:]) for row in [line, *(noise if number % 3 else []), line]]
    capture = read_capture("x", "\n".join([*lines[:at], *twice, ""]).encode("latin-1"))
    assert "targets-mixed" not in {finding.rule for finding in capture.findings}
    whole = read_capture("x", "\n".join([*lines, ""]).encode("latin-1")).runs[0]
    assert capture.runs[0].pmu == whole.pmu and capture.runs[0].cycles.inference == whole.cycles.inference


@pytest.mark.parametrize("cut", [1, 3, 4])
def test_a_verdict_cut_in_its_word_is_no_other_verdict(samples: Path, cut: int) -> None:
    text = (samples / "bundleio_pass.log").read_text("latin-1")
    run = read_capture("x", text.replace("Test_result: PASS", "Test_result: PASS"[: 13 + cut]).encode("latin-1")).runs[
        0
    ]
    assert run.status == "passed" and (run.bundleio.result if run.bundleio else None) in ("PASS", None)
    run = read_capture("x", text.replace("Test_result: PASS", "Test_result: FAIL"[: 13 + cut]).encode("latin-1")).runs[
        0
    ]
    assert run.status == "failed" and run.bundleio is not None and run.bundleio.result == "FAIL"
