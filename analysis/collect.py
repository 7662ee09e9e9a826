"""What each event means for the run it belongs to.

`FIGURES` maps plain events to field paths of the report; everything that needs a thought is a function `on_<event>`
whose parameters are the values of the pattern (a test compares both).  `STAGE` says how far an event shows the runner to
be.  Nothing here decides where runs begin and end; that is `runs.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from . import collect_etdump
from .draft import RunDraft, TensorDraft
from .report import Stage

UNKNOWN_SIZE_BYTES = 0x10000000
"""What the runner prints as program size when the program is not baked into its ELF (`--pte=ADDRESS` builds)."""

FIGURES: dict[tuple[str, str], str] = {
    ("model_at", "address"): "model.address",
    ("pte_at", "address"): "model.address",
    ("pte_magic", "address"): "model.address",
    ("pte_magic", "magic"): "model.magic",
    ("methods", "count"): "model.methods",
    ("method", "name"): "model.method",
    ("method_pool", "size"): "memory.pools.method.capacity_bytes",
    ("planned_fast_pool", "size"): "memory.pools.planned_fast.capacity_bytes",
    ("planned_fast_used", "size"): "memory.pools.planned_fast.used_bytes",
    ("method_planned", "size"): "memory.planned_bytes",
    ("method_loaded_bytes", "size"): "memory.loaded_bytes",
    ("method_input", "size"): "memory.input_bytes",
    ("method_executor", "size"): "memory.executor_bytes",
    ("temp_capacity", "size"): "memory.pools.temp.capacity_bytes",
    ("delegations", "count"): "cycles.delegations",
    ("cpu_ratio", "percent"): "cycles.cpu_ratio_percent",
    ("npu_ratio", "percent"): "cycles.npu_ratio_percent",
    ("cpu_wait", "cycles"): "cycles.cpu_wait_for_npu",
    ("operators_total", "cycles"): "cycles.operators_total",
    ("inference_cycles", "cycles"): "cycles.inference",
    ("npu_cycles", "cycles"): "pmu.npu_cycles",
    ("npu_cycles", "per_inference"): "pmu.npu_cycles_per_inference",
    ("mlek_macs", "macs"): "target.macs",
    ("runner_build", "target"): "target.name",
    ("runner_build", "system_config"): "target.system_config",
    ("runner_build", "memory_mode"): "target.memory_mode",
    ("fvp_command", "target"): "target.name",
    ("fvp_command", "macs"): "target.macs",
}

_PATHS: dict[str, list[tuple[str, str]]] = {}
for (_kind, _name), _path in FIGURES.items():
    _PATHS.setdefault(_kind, []).append((_name, _path))

STAGE: dict[str, Stage] = {
    **dict.fromkeys(("model_at", "pte_at", "pte_magic", "pte_size", "model_file", "methods", "method"), "load"),
    **dict.fromkeys(("program_load_failed", "identifier_mismatch"), "load"),
    **dict.fromkeys(("method_pool", "planned_buffer", "planned_fast_pool", "planned_total", "delegate_init"), "plan"),
    **dict.fromkeys(("method_load_start", "method_load_failed", "method_loaded", "model_loaded_time"), "plan"),
    **dict.fromkeys(("planned_allocation_failed", "values_failed", "operator_missing", "kernel_missing"), "plan"),
    **dict.fromkeys(("inputs_start", "inputs_ready", "bundle_input", "inputs_failed"), "inputs"),
    **dict.fromkeys(("input_room", "input_image", "input_tensor"), "inputs"),
    **dict.fromkeys(("execute_start", "delegate_execute", "tensor_permuted", "execution_failed"), "execute"),
    **dict.fromkeys(("kernel_failed", "delegate_failed", "scratch_failed", "invocation_failed"), "execute"),
    **dict.fromkeys(("iteration", "linux_npu_cycles", "npu_timed_out", "npu_status", "config_mismatch"), "execute"),
    **dict.fromkeys(("arch_mismatch", "config_garbled", "driver_timed_out", "driver_error", "driver_payload"), "execute"),
    **dict.fromkeys(("inferences", "delegations", "profile_start", "operator_cycles", "operators_total"), "report"),
    **dict.fromkeys(("inference_cycles", "cpu_ratio", "npu_ratio", "cpu_wait", "pmu_start", "npu_cycles"), "report"),
    **dict.fromkeys(("counter", "counter_names", "inferences_finished", "executed", "executed_times"), "report"),
    **dict.fromkeys(("outputs", "output", "method_use", "temp_use", "model_run", "bundle_result"), "report"),
    **dict.fromkeys(
        ("inference_time", "prediction", "mlek_cycles", "mlek_beats", "raw_output", "tensor_text"), "report"
    ),
    **dict.fromkeys(("program_complete", "demo_complete"), "complete"),
}

FAILURES: frozenset[str] = frozenset(
    (
        "program_load_failed", "method_load_failed", "execution_failed", "inputs_failed", "hard_fault", "fault_banner",
        "fvp_critical", "file_open_failed", "mlek_failed", "kernel_missing", "operator_missing", "backend_missing",
        "backend_init_failed", "invocation_failed", "npu_timed_out", "scratch_failed", "planned_allocation_failed",
        "fast_pool_missing", "kernel_failed", "delegate_failed", "bundle_verify_failed", "identifier_mismatch", "stream_malformed",
    )
)  # fmt: skip
"""Events that say by themselves that the run failed."""

TROUBLE: frozenset[str] = frozenset(
    ("allocation_failed", "allocation_shifted", "counter_shifted", "values_failed", "temp_failed", "config_mismatch", "npu_status", "fault_status",
     "bundle_mismatch", "input_mismatch", "operators_missing", "assert_failed", "launch_failed", "time_limit", "arch_mismatch",
     "config_garbled", "driver_product", "driver_reset", "driver_timed_out", "driver_error", "driver_alignment", "driver_payload",
     "fast_memory_small", "driver_busy", "driver_failed")
)  # fmt: skip
"""Events that findings want to see, though they do not decide the status alone."""

SEVERE = frozenset("EF")
"""Levels whose every line findings may want to see, whatever its event."""

_LOAD_FAILURES = frozenset(("program_load_failed", "method_load_failed", "planned_allocation_failed"))


def _size(draft: RunDraft, path: str, size: int, line: int) -> None:
    if size == UNKNOWN_SIZE_BYTES:
        draft.wonder("program_size", line, f"{size} bytes")
        return
    draft.set(path, size, line)


def on_pte_size(draft: RunDraft, line: int, size: int) -> None:
    _size(draft, "model.pte_bytes", size, line)


def on_pte_at(draft: RunDraft, line: int, address: str, size: int) -> None:
    _size(draft, "model.pte_bytes", size, line)


def on_program_size(draft: RunDraft, line: int, size: int, unknown: str | None) -> None:
    _size(draft, "model.pte_bytes", size, line)


def on_loaded_size(draft: RunDraft, line: int, size: int, unknown: str | None) -> None:
    _size(draft, "model.loaded_bytes", size, line)


def on_program_load_failed(draft: RunDraft, line: int, address: str, status: int) -> None:
    if draft.get("model.address") is None:
        draft.set("model.address", address.replace("0x0x", "0x"), line)


def on_planned_buffer(draft: RunDraft, line: int, index: int, size: int) -> None:
    draft.planned_buffers[index] = size
    draft.mark(f"memory.planned_buffers.{len(draft.planned_buffers) - 1}", line)


def _pool(draft: RunDraft, line: int, name: str, used: int, capacity: int, free: int) -> None:
    draft.set(f"memory.pools.{name}.used_bytes", used, line)
    draft.set(f"memory.pools.{name}.capacity_bytes", capacity, line)
    draft.set(f"memory.pools.{name}.free_bytes", free, line)


def on_method_use(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "method", used, capacity, free)


def on_temp_use(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "temp", used, capacity, free)


def on_peak_temp(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "temp", used, capacity, free)


def on_input_file_use(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "input_file", used, capacity, free)


def on_planned_fast(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "planned_fast", used, capacity, free)


def on_etdump_pool(draft: RunDraft, line: int, used: int, capacity: int, free: int) -> None:
    _pool(draft, line, "etdump_outputs", used, capacity, free)


def on_inferences(draft: RunDraft, line: int, count: int) -> None:
    draft.operators.clear()
    draft.counters.clear()
    draft.per_inference.clear()
    draft.set("cycles.inferences", count, line)


def on_delegations(draft: RunDraft, line: int, count: int, per_inference: float | None) -> None:
    draft.per_inference["cycles.delegations"] = per_inference


def on_cpu_wait(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    draft.per_inference["cycles.cpu_wait_for_npu"] = per_inference


def on_operator_cycles(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    draft.operators["ethos-u"] = (cycles, per_inference)
    draft.lines["cycles.operators.0"] = line


def on_inference_cycles(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    draft.per_inference["cycles.inference"] = per_inference


def on_operators_total(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    draft.per_inference["cycles.operators_total"] = per_inference


def on_cpu_ratio_unknown(draft: RunDraft, line: int) -> None:
    draft.wonder("ratio_unknown", line, "Inference CPU ratio: ?.?? %")


def on_npu_ratio_unknown(draft: RunDraft, line: int) -> None:
    draft.wonder("ratio_unknown", line, "Inference NPU ratio: ?.?? %")


def on_counter(draft: RunDraft, line: int, index: int, value: int, per_inference: float | None) -> None:
    if index < 64:
        draft.counters[index] = value
        draft.per_inference[f"pmu.counters.{index}"] = per_inference
        draft.mark(f"pmu.counters.{index}", line)


def on_counter_names(draft: RunDraft, line: int, names: str) -> None:
    draft.counter_names = tuple(name.strip() for name in names.split(",") if name.strip())[:64]
    text = names.upper()
    if "_EXT" in text or "SRAM_RD" in text:
        draft.set("target.npu", "ethos-u85", line)


def on_outputs(draft: RunDraft, line: int, count: int) -> None:
    draft.outputs.clear()
    draft.announced_outputs = count
    draft.lines["outputs"] = line


def _element(
    draft: RunDraft, tensors: dict[int, TensorDraft], path: str, line: int, tensor: int, index: int, dtype: str | None,
    value: float | None,
) -> None:  # fmt: skip
    if tensor >= 4096 or tensor < 0 or index < 0:
        return
    known = tensors.get(tensor)
    if known is None:
        known = tensors[tensor] = TensorDraft()
        draft.mark(f"{path}.{tensor}", line)
    if value is not None and dtype in ("int", "char") and value == int(value):
        value = int(value)
    known.add(index, value, dtype)


def on_output(draft: RunDraft, line: int, tensor: int, index: int, dtype: str | None, value: float | None) -> None:
    _element(draft, draft.outputs, "outputs", line, tensor, index, dtype, value)


def on_input(draft: RunDraft, line: int, tensor: int, index: int, dtype: str | None, value: float | None) -> None:
    _element(draft, draft.inputs, "inputs", line, tensor, index, dtype, value)


def on_output_bool(draft: RunDraft, line: int, tensor: int, index: int, value: str) -> None:
    _element(draft, draft.outputs, "outputs", line, tensor, index, "bool", float(value == "true"))


def on_input_bool(draft: RunDraft, line: int, tensor: int, index: int, value: str) -> None:
    _element(draft, draft.inputs, "inputs", line, tensor, index, "bool", float(value == "true"))


def on_elided(draft: RunDraft, line: int) -> None:
    if draft.outputs:
        draft.outputs[max(draft.outputs)].elided = True


def on_tensor_text(draft: RunDraft, line: int, tensor: int, sizes: str, values: str) -> None:
    known = draft.outputs[tensor] = TensorDraft()
    draft.mark(f"outputs.{tensor}", line)
    for index, text in enumerate(part.strip() for part in values.split(",")):
        if text == "...":
            known.elided = True
            break
        try:
            known.add(index, float(text), None)
        except ValueError:
            break


def on_raw_output(draft: RunDraft, line: int, tensor: int, dtype: int, count: int, size: int) -> None:
    known = draft.outputs[tensor] = TensorDraft()
    known.count = count
    known.dtype = {0: "byte", 1: "char", 3: "int", 6: "float", 11: "bool"}.get(dtype)
    draft.mark(f"outputs.{tensor}", line)


def on_raw_element(draft: RunDraft, line: int, index: int, value: int, kind: str) -> None:
    if draft.outputs and 0 <= value < 1 << 32:
        known = draft.outputs[max(draft.outputs)]
        if index == len(known.first) < 8:
            known.first.append(struct.unpack("<f", struct.pack("<I", value))[0] if kind == "float" else value)


def on_zephyr_output(draft: RunDraft, line: int, tensor: int, dtype: str, count: int) -> None:
    known = draft.outputs[tensor] = TensorDraft()
    known.dtype = dtype.lower()
    draft.mark(f"outputs.{tensor}", line)


def on_zephyr_element(draft: RunDraft, line: int, index: int, value: float | None) -> None:
    if draft.outputs:
        draft.outputs[max(draft.outputs)].add(index, value, None)


def on_prediction(draft: RunDraft, line: int, rank: int, index: int, score: float) -> None:
    if len(draft.predictions) < 100:
        draft.predictions.append((index, None, score))
        draft.mark(f"predictions.{len(draft.predictions) - 1}", line)


def on_label_score(draft: RunDraft, line: int, index: int, label: str, score: float) -> None:
    if len(draft.predictions) < 100:
        draft.predictions.append((index, label, score))
        draft.mark(f"predictions.{len(draft.predictions) - 1}", line)


def on_inference_time(draft: RunDraft, line: int, ms: float) -> None:
    draft.set("times.inference_seconds", ms / 1000, line)


def on_model_loaded_time(draft: RunDraft, line: int, ms: float) -> None:
    draft.set("times.load_seconds", ms / 1000, line)


def on_executed_times(draft: RunDraft, line: int, count: int, ms: float) -> None:
    draft.set("cycles.inferences", count, line)
    if count:
        draft.set("times.inference_seconds", ms / 1000 / count, line)


def on_host_operator(draft: RunDraft, line: int, instruction: int, name: str, ns: int) -> None:
    if len(draft.host_operators) < 100_000:
        draft.host_operators.append((name, instruction, ns / 1e9))
        draft.mark(f"times.operators.{len(draft.host_operators) - 1}", line)


def on_model_run(draft: RunDraft, line: int, ok: int) -> None:
    if ok == 0:
        draft.fail("model_run", line, "Model run: 0")


def on_exit_code(draft: RunDraft, line: int, code: int) -> None:
    if code:
        draft.fail("exit_code", line, f"Application exit code: {code}", "", {"code": code})
    elif not draft.failed:
        draft.completed = True
        draft.reach("complete")
    draft.closed = True


def on_bundle_result(draft: RunDraft, line: int, testset: int, result: str) -> None:
    if draft.bundle.get("result") != "FAIL":  # one failing testset decides, whatever comes after it
        draft.bundle.update(testset=testset, result=result)
        draft.lines["bundleio.result"] = line
    if result != "PASS":
        draft.fail("bundle_fail", line, f"TEST: BundleIO index[{testset}] Test_result: {result}")


def on_bundle_mismatch(draft: RunDraft, line: int, rtol: float, atol: float) -> None:
    draft.bundle.update(rtol=rtol, atol=atol)


def _statistic(name: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, value: float | None) -> None:
        draft.bundle[name] = value
        draft.mark(f"bundleio.{name}", line)

    return take


on_mean_absolute_error = _statistic("mean_absolute_error")
on_max_absolute_error = _statistic("max_absolute_error")
on_mean_relative_error = _statistic("mean_relative_error")
on_max_relative_error = _statistic("max_relative_error")


def _mlek(draft: RunDraft, line: int, event: str, value: int) -> None:
    if event == "TOTAL":
        draft.set("pmu.npu_cycles", value, line)
    elif len(draft.mlek_counters) < 64:
        draft.mlek_counters[event] = value
        draft.mark(f"pmu.counters.{list(draft.mlek_counters).index(event)}", line)


def on_mlek_cycles(draft: RunDraft, line: int, event: str, value: int) -> None:
    _mlek(draft, line, event, value)


def on_mlek_beats(draft: RunDraft, line: int, event: str, value: int) -> None:
    _mlek(draft, line, event, value)


def on_program_complete(draft: RunDraft, line: int) -> None:
    draft.completed = True


def on_demo_complete(draft: RunDraft, line: int) -> None:
    draft.completed = True


HANDLERS: dict[str, Callable[..., None]] = {
    name[3:]: function for name, function in (globals() | vars(collect_etdump)).items() if name.startswith("on_")
}


def collect(draft: RunDraft, kind: str, line: int, level: str, text: str, values: dict[str, Any]) -> None:
    """Let one event count for the run: figures, stage, trouble."""
    for name, path in _PATHS.get(kind, ()):
        draft.set(path, values[name], line)
    handler = HANDLERS.get(kind)
    if handler is not None:
        handler(draft, line, **values)
    stage = STAGE.get(kind)
    if stage is not None:
        draft.reach(stage)
    if kind in FAILURES:
        draft.fail(kind, line, text, level, values)
        if kind in _LOAD_FAILURES:
            draft.stage_frozen = True
    elif kind in TROUBLE or level in SEVERE:
        draft.note(kind, line, text, level, values)
    draft.seen[kind] = line
    draft.last_event = kind
