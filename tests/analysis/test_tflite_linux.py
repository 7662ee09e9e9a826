"""TensorFlow Lite's tools under Linux with the delegate of the NPU: what they measured, and why it was not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

LOADED = (
    "INFO: Loaded model kws_vela.tflite\nINFO: Ethosu delegate: device_name set to /dev/ethosu0.\n"
    "INFO: Ethosu delegate: timeout set to 60000000000.\nINFO: Ethosu delegate: pmu_event0 set to 0.\n"
)
TAKEN = (
    f"{LOADED}EXTERNAL delegate created.\nINFO: EthosuDelegate: 1 nodes delegated out of 1 nodes with 1 partitions.\n"
)
IMAGE = (
    f"{TAKEN}[   12.345678] virtio_rpmsg_bus virtio3: rpmsg host is online\nINFO: Applied EXTERNAL delegate.\n"
    "INFO: invoked\nINFO: average time: 4.125 ms\nINFO: 0.75: 282 tabby\nINFO: 0.0117647: 286 Egyptian cat\n"
)
BENCHMARK = (
    f"{TAKEN}INFO: Initialized session in 30.5ms.\nEthos-u cycle counter: 1000\nEthos-u cycle counter: 1200\n"
    "INFO: count=1 curr=900\n\nEthos-u cycle counter: 1100\n"
    "INFO: count=2 first=412 curr=410 min=410 max=412 avg=411 std=1 p5=410 median=412 p95=412\n"
    "INFO: Inference timings in us: Init: 30500, First inference: 900, Warmup (avg): 900, Inference (avg): 411.5\n"
    "INFO: Memory footprint delta from the start of the tool (MB): init=4.2 overall=4.4\n"
)


def test_an_image_that_was_classified() -> None:
    run = only(IMAGE)
    assert (run.status, run.stage, run.target.platform) == ("passed", "complete", "board")
    assert run.times.inference_seconds == pytest.approx(4.125e-3)
    assert [(p.index, p.label, p.score) for p in run.predictions] == [
        (282, "tabby", 0.75), (286, "Egyptian cat", 0.0117647),
    ]  # fmt: skip
    assert read_capture("x", (IMAGE * 2).encode()).runs[1].status == "passed"


def test_full_stops_may_be_left_off_where_lines_are_copied() -> None:
    run = only(TAKEN.replace("INFO: ", "").replace(".\n", "\n"))
    assert (run.stage, run.cycles.delegations) == (only(TAKEN).stage, only(TAKEN).cycles.delegations)
    assert run.stage == "plan"


def test_a_benchmark_counts_cycles_over_all_inferences() -> None:
    run = only(BENCHMARK)
    assert (run.status, run.cycles.inferences, run.cycles.delegations) == ("passed", 3, 3)
    assert run.pmu is not None and (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) == (3300, 1100.0)
    assert run.times.load_seconds == pytest.approx(0.0305)
    assert run.times.inference_seconds == pytest.approx(411.5e-6)


def test_a_benchmark_counts_events_over_all_inferences() -> None:
    log = BENCHMARK
    for cycles, events in ((1000, "20 0 7"), (1200, "30 0 8"), (1100, "40 1 9")):
        log = log.replace(
            f"Ethos-u cycle counter: {cycles}\n", f"Ethos_u PMUs : [ {events} ]\nEthos-u cycle counter: {cycles}\n"
        )
    run = only(log)
    assert run.pmu is not None and run.pmu.npu_cycles == 3300
    assert [counter.value for counter in run.pmu.counters] == [90, 1, 24]
    assert read_capture("x", b"Ethos_u PMUs : [ 20 0 7 ]\n").runs == ()


def test_a_run_that_stands_still_or_is_cut() -> None:
    assert [only(log).status for log in (TAKEN, f"{TAKEN}INFO: count=1 curr=900\n")] == ["truncated", "hung"]


def test_a_model_that_vela_did_not_compile_leaves_the_npu_idle() -> None:
    capture = read_capture("x", IMAGE.replace("1 nodes delegated out of 1", "0 nodes delegated out of 31").encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [finding.rule for finding in capture.findings] == ["npu-not-used"]


UNRESOLVED = "ERROR: Encountered unresolved custom op: ethos-u.\nSee instructions: https://www.tensorflow.org/lite/guide/ops_custom\n"


@pytest.mark.parametrize(
    ("log", "stage", "rule"),
    [
        (
            f"{LOADED}ERROR: Failed to create ethos_u driver.\n\nERROR: Failed to apply EXTERNAL delegate.\n{UNRESOLVED}"
            "ERROR: Node number 0 (ethos-u) failed to prepare.\nERROR: Failed to allocate tensors!\n",
            "plan",
            "npu-device-not-opened",
        ),
        (
            f"{TAKEN.replace('1 nodes delegated out of 1', '4 nodes delegated out of 7')}ERROR: Unsupported vela compiled model.\n\n"
            "INFO: Explicitly applied EXTERNAL delegate, and the model graph will be partially executed by the delegate w/ 1 delegate kernels.\n"
            "ERROR: Delegate kernel was not initialized\nERROR: Node number 7 (EthosuDelegate) failed to prepare.\n"
            "ERROR: Failed to allocate tensors!\nERROR: Benchmarking failed.\n",
            "plan",
            "delegate-model-mixed",
        ),
        (f"{TAKEN}ERROR: Failed to build model, no operator\n\n", "plan", "execution-failed"),
        (f"INFO: Loaded model kws_vela.tflite\n{UNRESOLVED}", "plan", "missing-operator"),
        (
            "Traceback (most recent call last):\n  File \"run.py\", line 3, in <module>\n    interpreter.allocate_tensors()\n"
            "RuntimeError: Encountered unresolved custom op: ethos-u.\n",
            "plan",
            "missing-operator",
        ),
        (
            f"{TAKEN}ERROR: Ethos_u inference failed\n\nERROR: Node number 1 (EthosuDelegate) failed to invoke.\n"
            "ERROR: Failed to invoke tflite!\n",
            "execute",
            "execution-failed",
        ),
    ],
)  # fmt: skip
def test_why_the_npu_was_not_used_is_said(log: str, stage: str, rule: str) -> None:
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert (capture.findings[0].rule, capture.findings[0].severity) == (rule, "error")


def test_mesa_s_delegate_is_of_this_npu_where_it_loads_its_driver() -> None:
    said = "Loading external delegate from libteflon.so with args: {{}}\nTeflon delegate: loaded {} driver\n0.75: tabby\ntime: 11.892ms\n"
    run = only(said.format("ethosu"))
    assert (run.status, run.target.platform, run.times.inference_seconds) == ("passed", "board", 0.011892)
    assert read_capture("x", said.format("etnaviv").encode()).runs == ()


def test_other_delegates_are_no_runs() -> None:
    log = (
        "INFO: Loaded model a.tflite\nINFO: Vx delegate: device num set to 0.\nEXTERNAL delegate created.\nINFO: Applied EXTERNAL delegate.\n"
        "INFO: invoked\nINFO: average time: 4.125 ms\nINFO: 0.75: 282 tabby\n"
        "INFO: Inference timings in us: Init: 3, First inference: 9, Warmup (avg): 9, Inference (avg): 4\n"
    )
    capture = read_capture("x", log.encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_a_delegate_that_python_cannot_load() -> None:
    log = 'Traceback (most recent call last):\n  File "run.py", line 2, in <module>\nValueError: Failed to load delegate from /usr/lib/libethosu_delegate.so\n'
    assert read_capture("x", log.encode()).findings[0].rule == "delegate-not-loaded"


@pytest.mark.parametrize(
    "line",
    [
        "count=3 curr=12", "INFO: count=1200 first=860 curr=412 min=405 max=860 avg=411.25 std=9", "average time: 4.1 ms", "invoked",
        "Inference timings in us: Init: 31207, First inference: 860, Warmup (avg): 411.25, Inference (avg): 1.2e+06", "INFO: 0.5: 3 text",
        "Initialized session in 31.2ms.", "Benchmarking failed.", "ERROR: Failed to allocate tensors!", "Failed to initialize the interpreter",
        "INFO: Applied EXTERNAL delegate.", "Wait for inferences",
    ],
)  # fmt: skip
def test_a_benchmark_beside_another_runner_says_nothing_of_its_run(line: str, samples: Path) -> None:
    lines = (samples / "softmax.log").read_text().split("\n")
    (whole,) = read_capture("x", "\n".join(lines).encode()).runs
    for at in (len(lines) // 2, len(lines) * 3 // 4, len(lines) - 1):
        (run,) = read_capture("x", "\n".join([*lines[:at], line, *lines[at:]]).encode()).runs
        assert (run.status, run.stage, run.cycles, run.times) == (whole.status, whole.stage, whole.cycles, whole.times)


def test_a_menu_of_another_program_passes_no_run(samples: Path) -> None:
    text = (samples / "softmax.log").read_text()
    cut = text[: text.index("Program complete")].rpartition("\n")[0] + "\n"
    assert [only(cut + end).status for end in ("", "User input required\n")] == ["truncated", "truncated"]


def test_scores_of_a_second_tool_without_the_delegate_are_not_the_run_s() -> None:
    on_cpu = "INFO: Loaded model kws.tflite\nINFO: invoked\nINFO: average time: 140.5 ms\nINFO: 0.71: 282 tabby\n"
    alone, run = only(IMAGE), only(IMAGE + "root@board:~# ./label_image -i cat.bmp\n" + on_cpu)
    assert run == alone
    first, second = read_capture("x", (IMAGE + on_cpu + IMAGE).encode()).runs
    assert first.predictions == second.predictions == alone.predictions


LINES = IMAGE.splitlines(keepends=True)
MEASURED = LINES.index("INFO: average time: 4.125 ms\n")


@pytest.mark.parametrize(
    "lines",
    [
        *([*LINES[:at], LINES[at], *LINES[at:]] for at in range(MEASURED - 1, len(LINES))),
        [*LINES[: MEASURED - 1], LINES[MEASURED], LINES[MEASURED - 1], *LINES[MEASURED + 1 :]],
        *([*LINES, *LINES[at:]] for at in range(MEASURED - 2, len(LINES))),
        [*LINES[: MEASURED + 2], *LINES[MEASURED:]],
    ],
)
def test_lines_that_came_twice_or_in_another_order_cost_no_scores(lines: list[str]) -> None:
    run = only("".join(lines))
    assert (run.predictions, run.times) == (only(IMAGE).predictions, only(IMAGE).times)


def test_scores_below_another_measurement_are_not_the_run_s() -> None:
    on_cpu = "INFO: average time: 140.5 ms\nINFO: 0.71: 283 tiger cat\n"
    assert only(IMAGE + on_cpu) == only(IMAGE)
    assert only(IMAGE + "INFO: invoked\nINFO: 0.71: 283 tiger cat\n") == only(IMAGE), "the time was lost"
