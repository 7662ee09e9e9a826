"""A capture whose every line stands twice: the runs and figures of the capture with each line once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.scan import Scanner

SOME = (
    "softmax.log", "mnist_q.log", "mobilenet_v2_corstone320.log", "bundleio_pass.log", "semi_softmax.log", "host_softmax.log",
    "method_small_planned.log", "missing_op_softmax.log", "hardfault_badaddr.log", "temp_small_topk.log",
)  # fmt: skip


def doubled(data: bytes) -> bytes:
    return b"".join(line + line for line in data.splitlines(keepends=True))


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("times", [1, 3])
def test_doubled_lines_are_the_same_runs(samples: Path, name: str, times: int) -> None:
    data = (samples / name).read_bytes()
    data = (data if data.endswith(b"\n") else data + b"\n") * times
    once, twice = read_capture("x", data), read_capture("x", doubled(data))
    assert len(twice.runs) == len(once.runs)
    for a, b in zip(once.runs, twice.runs, strict=True):
        assert (a.status, a.stage, a.runner.executorch_version) == (b.status, b.stage, b.runner.executorch_version)
        for part in (
            "model",
            "memory",
            "cycles",
            "pmu",
            "outputs",
            "inputs",
            "bundleio",
            "predictions",
            "times",
            "target",
        ):
            assert getattr(a, part) == getattr(b, part), part
    roots = [[(f.rule, f.title, f.advice) for f in c.findings if f.severity == "error"] for c in (once, twice)]
    assert roots[0] == roots[1]
    assert {f.run for f in twice.findings if f.rule == "lines-doubled"} == {run.index for run in twice.runs}
    assert "lines-doubled" not in {f.rule for f in once.findings}


@pytest.mark.parametrize("name", ["softmax.log", "mobilenet_v2_corstone320.log"])
def test_the_scanner_reads_doubled_lines_alike(samples: Path, name: str) -> None:
    data = doubled((samples / name).read_bytes().rstrip(b"\n") + b"\n") * 30
    scanner = Scanner("x", full_runs=0)
    for at in range(0, len(data), 5000):
        scanner.feed(data[at : at + 5000])
    scanner.finish()
    rows, runs = scanner.rows(), read_capture("x", data).runs
    assert len(rows) == len(runs) == 30
    assert {(row.status, row.npu_cycles, row.inference_cycles) for row in rows} == {
        (run.status, run.pmu.npu_cycles if run.pmu else None, run.cycles.inference) for run in runs
    }


def test_a_start_line_that_is_repeated_is_no_run_of_its_own(samples: Path) -> None:
    data = (samples / "softmax.log").read_bytes()
    lines = data.splitlines(keepends=True)
    first = read_capture("x", data).runs[0].first_line
    capture = read_capture("x", b"".join([*lines[:first], lines[first - 1], *lines[first:]]))
    assert [run.status for run in capture.runs] == ["passed"]


def test_lines_that_repeat_in_a_run_of_single_lines_count_each() -> None:
    prefix = b"I [executorch:arm_executor_runner.cpp:1 main()] "
    log = prefix + b"PTE @ 0x70000000 [----ET12]\n" + prefix + b"Running method forward\n"
    delegate = b"I [executorch:EthosUBackend_Cortex_A.cpp:1 execute()] Ethos-U Linux delegate cycle counter: 1000\n"
    assert read_capture("x", log + delegate * 2).runs[0].pmu.npu_cycles == 2000  # type: ignore[union-attr]
    assert read_capture("x", doubled(log + delegate)).runs[0].pmu.npu_cycles == 1000  # type: ignore[union-attr]
    assert read_capture("x", doubled(log + delegate * 2)).runs[0].pmu.npu_cycles == 2000  # type: ignore[union-attr]


def test_a_line_that_stands_twice_with_two_figures_is_of_two_boards(samples: Path) -> None:
    lines = doubled((samples / "mobilenet_v2_corstone320.log").read_bytes()).splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if b"ethosu_pmu_cycle_cntr" in line)
    lines[place] = lines[place].replace(b"5920305", b"4920305")
    capture = read_capture("x", b"".join(lines))
    (run,) = capture.runs
    assert run.pmu is None
    assert "targets-mixed" in [finding.rule for finding in capture.findings]


@pytest.mark.parametrize("times", [2, 3, 5])
@pytest.mark.parametrize(
    "line",
    [
        "11-24 09:35:11.099: I/ETLOG(3388): Missing operator: [4] aten::native_dropout.out",
        "E [executorch:operator_registry.cpp:256 get_op_function_from_registry()] kernel 'aten::x.out' not found.",
    ],
)
def test_an_error_that_is_said_again_is_no_copy(line: str, times: int) -> None:
    findings = read_capture("x", f"{line}\n".encode() * times).findings
    assert findings and "lines-doubled" not in {f.rule for f in findings}


EACH = b"I [executorch:arm_perf_monitor.cpp:199 StopMeasurements()] "


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        (b"ethosu_pmu_cycle_cntr : 247553 (247553.00 per inference)", b"ethosu_pmu_cycle_cntr : 247553"),
        (b"ethosu_pmu_cycle_cntr : 247553 (247553.00 per inference)", b"ethosu_pmu_cycle_cntr : 2475"),
        (b"ethosu_pmu_cycle_cntr : 247553 (247553.00 per inference)", b"ethosu_pmu_cycle_cntr : 247558 (247553.00 per inference)"),
        (b"ethosu_pmu_cycle_cntr : 247553", b"ethosu_pmu_cycle_cntr : 24755"),
    ],
)  # fmt: skip
def test_a_copy_that_was_damaged_leaves_the_other_its_figure(place: int, whole: bytes, broken: bytes) -> None:
    log = (
        b"I [executorch:arm_executor_runner.cpp:1265 main()] PTE @ 0x70000000 [----ET12]\n"
        + EACH + b"NPU Inferences : 1\n" + EACH + b"Inference runtime: 300001 CPU cycles total (300001.00 per inference)\n"
        + EACH + whole + b"\nI [executorch:arm_executor_runner.cpp:1334 main()] Program complete, exiting.\n"
    )  # fmt: skip
    lines = doubled(log).splitlines(keepends=True)
    lines[6 + place] = lines[6 + place].replace(whole, broken)
    capture = read_capture("x", b"".join(lines))
    (run,) = capture.runs
    assert run.pmu is not None and (run.status, run.pmu.npu_cycles) == ("passed", 247_553)
    assert run.cycles.inference == 300_001
    rules = [finding.rule for finding in capture.findings]
    assert "lines-doubled" in rules and "targets-mixed" not in rules


@pytest.mark.parametrize("times", [2, 3, 5])
def test_inferences_that_follow_each_other_are_runs(times: int) -> None:
    """A program that goes on prints the same of each, without its first lines."""
    place = "I [executorch:arm_executor_runner.cpp:"
    begin = f"{place}700] Model buffer loaded, has 1 methods\n{place}710] Running method forward\n"
    one = (
        f"{place}720] Starting the model execution...\n{place}730] Model executed successfully.\n{place}735] 1 outputs: \n"
        f"Output[0][0]: (float) 0.500000\n{place}799] Program complete, exiting.\n"
    )
    capture = read_capture("x", (begin + one * (times + 1)).encode())
    assert [run.status for run in capture.runs] == ["passed"] * (times + 1)
