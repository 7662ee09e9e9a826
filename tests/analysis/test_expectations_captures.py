"""What a person reads in the recorded logs, written down by hand line by line; nothing here is copied from the program.

The golden files beside it hold whole reports; these tables say why they are right.  `@N` after a value is the line on which it
stands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import to_dict


class Expected(NamedTuple):
    """The reading of one log: `root` is the rule and the line of the first error, `also` rules that must be there too."""

    status: str
    stage: str
    lines: int
    last_line: int
    root: tuple[str, int] | None
    also: frozenset[str]
    figures: dict[str, Any]
    release: str | None = "main"
    kind: str = "arm_executor_runner"


def at(value: Any, line: int) -> tuple[Any, int]:
    """A value and the line that prints it."""
    return (value, line)


NO_NPU = frozenset(("npu-not-used", "fvp-ratio-not-time"))
"""QEMU has no NPU: the delegations are 0, and the CPU share of 100 % says nothing."""


def block(first: int, runtime: int) -> dict[str, Any]:
    """The performance block, which starts on line `first`; without an NPU all its counters are really 0."""
    events = ("AXI0_RD_DATA_BEAT_RECEIVED", "AXI1_RD_DATA_BEAT_RECEIVED", "AXI0_WR_DATA_BEAT_WRITTEN", "NPU_IDLE")
    return {
        "cycles.inferences": at(1, first),
        "cycles.delegations": at(0, first + 1),
        "cycles.operators": [{"name": "ethos-u", "cycles": 0, "per_inference": 0.0}],
        "cycles.operators_total": at(0, first + 4),
        "cycles.inference": at(runtime, first + 5),
        "cycles.cpu_ratio_percent": at(100.0, first + 7),
        "cycles.npu_ratio_percent": at(0.0, first + 8),
        "cycles.cpu_wait_for_npu": at(0, first + 9),
        "pmu.npu_cycles": at(0, first + 11),
        "pmu.counters": [{"index": i, "event": f"ETHOSU_PMU_{event}", "value": 0} for i, event in enumerate(events)],
    }


def pools(first: int, used: int, parts: tuple[int, int, int, int]) -> dict[str, Any]:
    """The memory block from `method_allocator_used` on line `first`; the pool is the default of 60 MiB."""
    planned, loaded, inputs, executor = parts
    assert used == sum(parts)  # the allocator's identity, checked by hand for every log
    return {
        "memory.pools.method.used_bytes": at(used, first),
        "memory.pools.method.capacity_bytes": 62914560,
        "memory.pools.method.free_bytes": 62914560 - used,
        "memory.planned_bytes": at(planned, first + 1),
        "memory.loaded_bytes": at(loaded, first + 2),
        "memory.input_bytes": at(inputs, first + 3),
        "memory.executor_bytes": at(executor, first + 4),
        "memory.pools.temp.capacity_bytes": at(2097152, first + 5),
        "memory.pools.temp.used_bytes": None,
    }


def outputs(first_line: int, values: tuple[float, ...]) -> dict[str, Any]:
    """One float output, its values from `first_line` on."""
    return {
        "outputs": [{"index": 0, "count": len(values), "dtype": "float", "elided": False, "first": list(values[:8])}],
        "lines.outputs@0": first_line,
    }


MNIST = (-0.044823, -0.005976, 0.030878, 0.004980, -0.062752, -0.023905, -0.012949, 0.009961, -0.017929, 0.016933)
PTE = {
    "model.address": at("0x70000000", 1),
    "model.magic": at("ET12", 1),
    "model.methods": at(1, 3),
    "model.method": at("forward", 4),
}

EXPECTED = {
    "softmax": Expected("passed", "complete", 48, 48, None, NO_NPU, {
        **PTE, "model.pte_bytes": 960, "model.loaded_bytes": at(960, 37), "memory.planned_buffers": [32],
        **block(11, 1224), **outputs(30, (0.5,) * 4), **pools(38, 248, (32, 200, 16, 0)),
    }),
    "mnist_q": Expected("passed", "complete", 54, 54, None, NO_NPU, {
        **PTE, "model.pte_bytes": 15192, "memory.planned_buffers": [3920], **block(11, 153427), **outputs(30, MNIST),
        **pools(44, 7232, (3920, 3292, 20, 0)),
    }),
    "dbg_mnist": Expected("passed", "complete", 63, 63, None, NO_NPU, {
        "model.address": at("0x70000000", 5), "model.pte_bytes": 15192, "memory.planned_buffers": [3920], **block(20, 174170),
        **outputs(39, MNIST), **pools(53, 7232, (3920, 3292, 20, 0)),
    }),
    "etd_plain": Expected("passed", "complete", 62, 62, None, NO_NPU, {
        **PTE, "model.pte_bytes": 15192, **block(12, 179814), **outputs(31, MNIST), **pools(45, 7232, (3920, 3292, 20, 0)),
        "etdump.bytes": 1240,
    }),
    "bundleio_pass": Expected("passed", "complete", 62, 62, None, NO_NPU, {
        "model.magic": at("BP08", 1), "model.pte_bytes": 15192, "model.loaded_bytes": at(18656, 51), **block(12, 153428),
        **pools(52, 7212, (3920, 3292, 0, 0)), "bundleio.result": at("PASS", 47), "bundleio.testset": 0,
        "bundleio.mean_absolute_error": at(0.0001, 42), "bundleio.max_absolute_error": at(0.000996, 43),
        "bundleio.mean_relative_error": at(0.003704, 44), "bundleio.max_relative_error": at(0.037037, 45),
    }),
    "generic_softmax": Expected("passed", "complete", 48, 48, None, NO_NPU | {"program-size-unknown"}, {
        "model.address": at("0x78000000", 1), "model.pte_bytes": None, "model.loaded_bytes": None, **block(11, 1228),
        **outputs(30, (0.5,) * 4), **pools(38, 248, (32, 200, 16, 0)),
    }),
    "semi_softmax": Expected("passed", "complete", 49, 49, None, NO_NPU, {
        "model.address": at("0x70027fb0", 8), "model.pte_bytes": 960, **block(18, 1219), "outputs": [],
        "memory.pools.input_file.used_bytes": at(976, 42), "memory.pools.input_file.free_bytes": 62913584,
        **pools(43, 248, (32, 200, 16, 0)),
    }),
    "host_softmax": Expected("passed", "complete", 8, 8, None, frozenset(), {
        "model.method": at("forward", 2), "memory.planned_buffers": [32], "times.load_seconds": 0.000099348,
        "times.inference_seconds": 0.000018588, "cycles.inferences": 1, "pmu": None,
        "outputs": [{"index": 0, "count": 4, "dtype": None, "elided": False, "first": [0.5, 0.5, 0.5, 0.5]}],
    }, "main", "executor_runner"),
    "corrupt_bad_magic": Expected("failed", "load", 9, 9, ("program-load-failed", 3), frozenset(("hard-fault", "program-size-unknown")), {
        "model.address": at("0x78000000", 1), "model.magic": at("XX99", 1), "model.pte_bytes": None, "pmu": None,
        "memory.planned_buffers": [],
    }),
    "hang_u55_no_npu": Expected("hung", "execute", 11, 11, ("hung", 11), frozenset(), {
        **PTE, "model.pte_bytes": 3712, "memory.planned_buffers": [48], "memory.pools.method.capacity_bytes": at(62914560, 5),
        "memory.pools.method.used_bytes": None, "cycles.inferences": None, "pmu": None,
    }),
    "hardfault_badaddr": Expected("failed", "start", 5, 5, ("hard-fault", 1), frozenset(("exit-code",)),
                                  {"model.pte_bytes": None, "pmu": None}, None, "other"),
    "host_missing_op": Expected("failed", "plan", 157, 157, ("missing-operator", 23), frozenset(("method-load-failed",)), {
        "memory.planned_buffers": [3920], "outputs": [], "times.inference_seconds": None,
    }, "main", "executor_runner"),
    "method_small_load": Expected("failed", "plan", 17, 17, ("method-pool-too-small", 7), frozenset(("hard-fault", "method-load-failed")), {
        **PTE, "memory.pools.method.capacity_bytes": at(4096, 5), "memory.planned_buffers": [3920], "outputs": [],
    }),
    "method_small_planned": Expected("failed", "plan", 13, 13, ("method-pool-too-small", 7), frozenset(("hard-fault", "fatal-message")), {
        "memory.pools.method.capacity_bytes": at(2048, 5), "memory.planned_buffers": [3920],
    }),
    "missing_op_softmax": Expected("failed", "plan", 30, 30, ("missing-operator", 20), frozenset(("hard-fault", "method-load-failed")), {
        "model.pte_bytes": None, "memory.planned_buffers": [32],
    }),
    "semi_no_such_file": Expected("failed", "start", 8, 8, ("input-file-missing", 7), frozenset(), {"model.pte_bytes": None}),
    "temp_small_topk": Expected("failed", "report", 45, 45, ("temp-pool-too-small", 11), frozenset(("operator-failed", "hard-fault")), {
        "cycles.inferences": at(0, 23), "cycles.delegations": at(0, 24), "cycles.inference": at(58092, 28), "pmu.npu_cycles": at(0, 34),
        "pmu.npu_cycles_per_inference": None, "memory.planned_buffers": [304], "outputs": [],
    }),
    "u55_nobackend": Expected("failed", "plan", 16, 16, ("backend-not-registered", 7), frozenset(("method-load-failed", "hard-fault")), {
        **PTE, "model.pte_bytes": 3712, "memory.planned_buffers": [48], "outputs": [],
    }),
}  # fmt: skip

WORDS = {
    "corrupt_bad_magic": ("XX99", "ET12", "0x23"),
    "hang_u55_no_npu": ("interrupt",),
    "hardfault_badaddr": ("0x0f000007", "precise data bus error", "address"),
    "host_missing_op": ("cortex_m::quantize_per_tensor.out", "dim_order_ops::_clone_dim_order.out"),
    "method_small_load": ("1344", "176", "at least 5264"),
    "method_small_planned": ("3920", "2048"),
    "missing_op_softmax": ("aten::_softmax.out",),
    "semi_no_such_file": ("nope.pte",),
    "temp_small_topk": ("aten::topk.values", "1024 bytes", "by 960 bytes", "SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"),
    "u55_nobackend": ("EthosUBackend",),
}
"""What the root cause must name: the user's own numbers and names."""


def get(run: dict[str, Any], path: str) -> Any:
    value: Any = run
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_reading(samples: Path, name: str) -> None:
    expected = EXPECTED[name]
    capture = read_capture(f"{name}.log", (samples / f"{name}.log").read_bytes())
    assert len(capture.runs) == 1 and capture.compile == ()
    assert capture.lines == expected.lines
    run = capture.runs[0]
    assert (run.status, run.stage, run.last_line) == (expected.status, expected.stage, expected.last_line)
    assert run.runner.kind == expected.kind
    assert (expected.release or "") in (run.runner.executorch_version or "")
    data = to_dict(run)
    for path, value in expected.figures.items():
        if path == "lines.outputs@0":
            assert run.lines["outputs.0"] == value
        elif isinstance(value, tuple):
            assert (get(data, path), run.lines.get(path)) == value, path
        elif isinstance(value, float):
            assert get(data, path) == pytest.approx(value), path
        else:
            assert get(data, path) == value, path


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_diagnosis(samples: Path, name: str) -> None:
    expected = EXPECTED[name]
    findings = read_capture(f"{name}.log", (samples / f"{name}.log").read_bytes()).findings
    errors = [f for f in findings if f.severity == "error"]
    assert {f.rule for f in findings} >= expected.also
    if expected.root is None:
        assert errors == []
        return
    assert len(errors) == 1 and findings[0] is errors[0]
    assert (errors[0].rule, errors[0].lines[0]) == expected.root
    text = errors[0].title + errors[0].detail + errors[0].advice
    assert all(word in text for word in WORDS[name])


def test_every_recording_has_a_reading(shared_logs: Path) -> None:
    recorded = {path.stem for path in (shared_logs / "captures").glob("*.log")}
    assert recorded == set(EXPECTED)
