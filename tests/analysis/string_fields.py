"""Where the report shows what each kind of line says, for the walk over all format strings.

`collect.FIGURES` tells it for plain figures; here stands what the handlers do.  What no field shows is in `UNSHOWN`, by
reason; the lines that are not read at all are in `IGNORED`, by reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Values = Mapping[str, Any]
Report = Mapping[str, Any]

START = "I [executorch:arm_executor_runner.cpp:1 main()] PTE @ 0x70000000 [----ET12]"
LINUX_START = "I 00:00:01.000100 executorch:executor_runner.cpp:1] Model file a.pte is loaded."

STATISTICS = ("mean_absolute", "max_absolute", "mean_relative", "max_relative")

CONTEXT: dict[str, tuple[str, ...]] = {
    "zephyr_element": ("  output[0]: tensor scalar_type=Float numel=9",),
    "dump_skipped": ("  output[0]: tensor scalar_type=Half numel=9", "    [0] = 1"),
    "etdump_close": ('base64 -i -d <<<"\\', "1AQAAA=="),
    **{
        f"{name}_error": ("TEST: BundleIO index[0] Test_result: PASS",) for name in STATISTICS
    },  # shown beside a verdict
}
"""Lines before, where a line means nothing alone."""

AFTER = {f"{name}_error": ("TEST: BundleIO index[0] Test_result: PASS",) for name in STATISTICS}
"""Lines behind, without which nothing is shown: statistics stand before their verdict."""


def _pool(name: str) -> dict[tuple[str, str], str]:
    return {
        (event, part): f"memory.pools.{name}.{part}_bytes"
        for event in _POOLS[name]
        for part in ("used", "capacity", "free")
    }


_POOLS = {
    "method": ("method_use",),
    "temp": ("temp_use", "peak_temp"),
    "input_file": ("input_file_use",),
    "planned_fast": ("planned_fast",),
    "etdump_outputs": ("etdump_pool",),
}

FIELDS: dict[tuple[str, str], str] = {
    **{pair: path for name in _POOLS for pair, path in _pool(name).items()},
    ("pte_size", "size"): "model.pte_bytes",
    ("pte_at", "size"): "model.pte_bytes",
    ("model_size", "size"): "model.pte_bytes",
    ("program_size", "size"): "model.pte_bytes",
    ("loaded_size", "size"): "model.loaded_bytes",
    ("program_load_failed", "address"): "model.address",
    ("inferences", "count"): "cycles.inferences",
    ("operator_cycles", "cycles"): "cycles.operators.0.cycles",
    ("operator_cycles", "per_inference"): "cycles.operators.0.per_inference",
    ("call_cycles", "cycles"): "pmu.npu_cycles",
    ("executed_times", "count"): "cycles.inferences",
    ("bundle_result", "testset"): "bundleio.testset",
    ("bundle_result", "result"): "bundleio.result",
    **{(f"{name}_error", "value"): f"bundleio.{name}_error" for name in STATISTICS},
}
"""Event and group to the path of the field that shows the value as it is."""

Check = Callable[[Report, Values], bool]


def _near(value: Any, wanted: float) -> bool:
    return isinstance(value, (int, float)) and abs(value - wanted) <= 1e-9 * max(1.0, abs(wanted))


def _counter(run: Report, values: Values) -> bool:
    found = [c for c in (run["pmu"] or {"counters": ()})["counters"] if c["index"] == values["index"]]
    kept = values["index"] < 64
    return [c["value"] for c in found] == ([values["value"]] if kept else [])


def _element(side: str) -> Check:
    def check(run: Report, values: Values) -> bool:
        tensor = next((t for t in run[side] if t["index"] == values["tensor"]), None)
        if values["tensor"] >= 4096 or values["tensor"] < 0 or values["index"] < 0:
            return tensor is None
        assert tensor is not None
        shown = tensor["first"] == [values["value"]] if values["index"] == 0 else tensor["elided"]
        same = values.get("dtype", "bool") in (tensor["dtype"], None)
        return bool(shown and same and tensor["count"] == values["index"] + 1)

    return check


def _bool_element(side: str) -> Check:
    return lambda run, values: _element(side)(run, {**values, "value": float(values["value"] == "true")})


def _last_prediction(run: Report, values: Values) -> bool:
    last = run["predictions"][-1]
    same = last["index"] == values["index"] and _near(last["score"], values["score"])
    return bool(same and last["label"] == values.get("label"))


def _etdump_bytes(run: Report, values: Values) -> bool:
    """The data of a dump is there by its size; a debug buffer alone is no dump."""
    held = None if "debug_buffer" in values["file"] else len(values["data"]) * 3 // 4
    return bool((run["etdump"] or {}).get("bytes") == held)


CHECKS: dict[str, Check] = {
    "counter": _counter,
    "output": _element("outputs"),
    "input": _element("inputs"),
    "output_bool": _bool_element("outputs"),
    "input_bool": _bool_element("inputs"),
    "planned_buffer": lambda run, values: run["memory"]["planned_buffers"] == [values["size"]],
    "class_score": _last_prediction,
    "prediction": _last_prediction,
    "counter_names": lambda run, values: (run["target"]["npu"] == "ethos-u85") == ("SRAM" in values["names"]),
    "inference_time": lambda run, values: _near(run["times"]["inference_seconds"], values["ms"] / 1000),
    "model_loaded_time": lambda run, values: _near(run["times"]["load_seconds"], values["ms"] / 1000),
    "executed_times": lambda run, values: _near(run["times"]["total_seconds"], values["ms"] / 1000),
    "mask_shape": lambda run, values: run["outputs"][0]["count"] == values["height"] * values["width"],
    "output_tensor": lambda run, values: run["outputs"][0]["count"] == values["count"],
    "zephyr_output": lambda run, values: any(t["index"] == values["tensor"] for t in run["outputs"]),
    "zephyr_element": lambda run, values: bool(run["outputs"]) and run["outputs"][0]["index"] == 0,
    "model_run": lambda run, values: (run["status"] == "failed") == (values["ok"] == 0),
    "etdump_data": _etdump_bytes,
    "etdump_close": lambda run, values: (run["etdump"] or {}).get("bytes") == 4,
}
"""Events whose values the report shows in another form; a check stands for all groups of its event."""

BESIDE: dict[str, tuple[str, ...]] = {
    "call_cycles": ("cycles.delegations", "target.platform"),
    "counter": ("pmu.counters.",),
    "counter_names": ("target.npu",),
}
"""What else in the report a line may change, by the beginning of its path: all other fields stay as they were."""

WHERE: dict[str, tuple[str, ...]] = {
    "output": ("outputs.",),
    "input": ("inputs.",),
    "output_bool": ("outputs.",),
    "input_bool": ("inputs.",),
    "planned_buffer": ("memory.planned_buffers.",),
    "class_score": ("predictions.",),
    "prediction": ("predictions.",),
    "inferences_finished": ("cycles.inferences",),
    "inference_time": ("times.inference_seconds",),
    "model_loaded_time": ("times.load_seconds",),
    "executed_times": ("times.total_seconds", "times.inference_seconds"),
    "mask_shape": ("outputs.0.",),
    "output_tensor": ("outputs.0.",),
    "input_tensor": ("inputs.0.", "memory.input_bytes"),
    "zephyr_output": ("outputs.",),
    "zephyr_element": ("outputs.0.",),
    "etdump_data": ("etdump",),
    "etdump_close": ("etdump",),
    "operator_cycles": ("cycles.operators.0.name",),
    "delegate_init": ("model.delegates",),
    "delegate_data": ("model.delegates",),
}
"""Where the report shows, in its own way, what a line says."""

BEGINS = ("pte_at",)
"""A second line of these begins another run."""

WHAT_FAILED = (
    "allocation_failed", "backend_init_failed", "backend_missing", "bundle_mismatch", "bundle_verify_failed",
    "delegate_failed", "driver_reserve_failed", "execution_failed", "fast_pool_missing", "file_open_failed",
    "file_read_failed", "host_error", "identifier_mismatch", "inputs_failed", "input_mismatch", "invocation_failed",
    "kernel_failed", "kernel_missing", "method_load_failed", "method_meta_failed", "npu_failed", "npu_timed_out",
    "operator_missing", "operators_missing", "output_dtype", "outputs_failed", "planned_allocation_failed",
    "port_failed", "program_failed", "program_load_failed", "scratch_failed", "stream_malformed", "values_failed",
    "cpu_ratio_unknown", "npu_ratio_unknown", "bundle_stats_failed",
)  # fmt: skip
"""Lines of what failed: a finding has each of them, and its numbers."""

UNQUOTED = {
    ("operator_missing", "index"): "the operator has a name",
    ("bundle_stats_failed", "testset"): "nothing follows from it",
    ("bundle_verify_failed", "status"): "the line before it has the verdict",
    ("output_dtype", "dtype"): "the values are missing, which is all",
}
"""Numbers of such lines that no finding repeats, and why."""

UNSHOWN: dict[str, tuple[str, ...]] = {
    "what failed: the findings quote it": WHAT_FAILED,
    "a step of the run: it shows how far the run came, and its numbers are counts that the next lines repeat": (
        "allocator_start", "bundle_absent", "bundle_detected", "bundle_input", "bundle_match", "bundle_stats", "data_file",
        "delegate_data", "delegate_execute", "delegate_init", "execute_start", "executed", "inference_number",
        "inferences_finished", "input_converted", "input_copied", "input_count", "input_file", "input_image", "input_loaded",
        "input_room", "input_skipped", "input_tensor", "inputs", "input_files", "inputs_ready", "inputs_start", "iteration", "mask_data",
        "mask_figure", "method_load_start", "method_loaded", "model_file", "neutron_started", "outputs", "planned_count",
        "planned_total", "pmu_start", "predictions_start", "profile_start", "program_loaded", "ratio_note", "reading_model",
        "results_start", "runtime_ready", "semihosting", "server_done", "server_mode", "tensor_permuted", "threads",
        "zephyr_outputs",
    ),
    "the end of a run: it makes the status": ("demo_complete", "neutron_complete", "program_complete"),
    "debug builds print the delegate's regions: addresses of one call, sizes that Vela's summary has": ("delegate_region",),
    "tensors that have no numbers to show": ("dump_skipped", "input_other", "output_other"),
    "parts of an ETDump's shell script: the report shows the decoded dump": (
        "etdump_command", "etdump_end", "etdump_fence", "etdump_file", "etdump_heredoc", "etdump_script", "etdump_setup",
        "etdump_size", "etdump_writing",
    ),
    "files that the runner wrote or read: their names are not figures": ("output_file", "output_saved"),
    "what the sample says again after its end": ("demo_input", "demo_model_size", "demo_output"),
    "why a debug build could not read the counter": ("cycle_counter_unread",),
}  # fmt: skip
"""Events whose values no field shows, by reason."""

UNSHOWN_VALUES: dict[str, tuple[tuple[str, str], ...]] = {
    "a checksum: it decides only where used, free and capacity contradict each other": tuple(
        (event, "percent") for events in _POOLS.values() for event in events
    ),
    "a value per inference, used to check and repair the total beside it": (
        ("counter", "per_inference"), ("cpu_wait", "per_inference"), ("delegations", "per_inference"),
        ("inference_cycles", "per_inference"), ("operators_total", "per_inference"),
    ),
    "the pool's use in percent, which checks the line": tuple(
        (event, "percent") for events in _POOLS.values() for event in events
    ),
    "only says that the size beside it is none": (("loaded_size", "unknown"), ("program_size", "unknown")),
    "where the debug buffer lies": (("etdump_buffer", "address"),),
    "says that the runner has an operating system, which names its kind": (("call_cycles", "os"),),
    "the status is evidence": (("program_load_failed", "status"),),
}  # fmt: skip

IGNORED: dict[str, tuple[str, ...]] = {
    "an echo of the command line: any text may stand there": ("   %s", "   %s %s", "%s"),
    "the end-of-transmission byte, which the line reader takes": ("\\x04", "\\04"),
    "decoration": (
        "\\n========================================\\n", "========================================\\n\\n",
        "\\n========================================", "========================================\\n",
        "ExecuTorch MobileNetV2 Classification Demo\\n", "\\n",
    ),
    "a result file of the Neutron runner, not its log": ("%s %d ", "%s %zu ", "%f "),
    "a hint of the core runtime that changes nothing": (
        "InternalConsistency verification requested but not available",
        "InternalConsistency verification requested but not available; falling back to Minimal verification. Build with "
        "ET_ENABLE_PROGRAM_VERIFICATION=1 for full verification.",
        "Successfully registered all kernels from shared library: %s",
        "Failed to get metadata for key %s",
    ),
    "the VGF delegate of Linux hosts with a GPU, not an Ethos-U": (
        "VGF delegate inputs dumped successfully; exiting before delegate dispatch.",
        "Arm/VGF delegate inputs dumped successfully; stopping before delegate dispatch.",
    ),
}  # fmt: skip
"""Formats whose lines are deliberately not read, by reason."""
