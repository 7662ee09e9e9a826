"""Dispatches each event to what it means for its run.

`FIGURES` maps plain events to field paths of the report. Everything else is a function `on_<event>` in a module beside
this one (`handlers.py` finds it); its parameters are named like the groups of the pattern, and a test compares both.
`STAGE` says how far a run must be when an event is printed. Where runs begin and end is decided in `runs.py`.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import LOST_NAME, TEXT_LIMIT, RunDraft
from ..error_codes import code_of
from ..line import SEVERE
from ..named_tuple import TYPE_CHECKING
from ..report import Stage
from . import results, tensors
from .handlers import handler_of
from .perf_blocks import WORK, note_work
from .stages import STAGE

if TYPE_CHECKING:
    from typing import Any

    from ..patterns.table import Event

    Hints = dict[str, tuple[object, int]]
    """What was told of the run to come: field path to value and line."""

FIGURES: dict[tuple[str, str], str] = {
    ("model_at", "address"): "model.address",
    ("pte_at", "address"): "model.address",
    ("loading_from", "address"): "model.address",
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
    ("fvp_command", "fvp"): "target.fvp",
    ("serial_port", "port"): "target.port",
    ("emulator_called", "machine"): "target.machine",
    ("board_called", "probe"): "target.probe",
    ("impulse_chip", "chip"): "target.probe",
    ("npu_macs", "macs"): "target.macs",
    ("task_macs", "macs"): "target.macs",
    ("npu_summary", "macs"): "target.macs",
    ("hpx_used", "size"): "memory.pools.tensor_arena.used_bytes",
    ("aen_arena", "capacity"): "memory.pools.tensor_arena.capacity_bytes",
    ("bench_arena_size", "size"): "memory.pools.tensor_arena.capacity_bytes",
    ("mcu_arena", "capacity"): "memory.pools.tensor_arena.capacity_bytes",
    ("mcu_arena", "used"): "memory.pools.tensor_arena.used_bytes",
    ("bench_arena", "size"): "memory.pools.tensor_arena.used_bytes",
    ("bench_total", "size"): "memory.pools.tensor_arena.used_bytes",
    ("hpx_count", "count"): "cycles.inferences",
    ("hpx_cycles", "cycles"): "cycles.inference",
    ("pack_pools", "size"): "model.pte_bytes",
    ("pack_pools", "method"): "memory.pools.method.capacity_bytes",
    ("pack_pools", "temp"): "memory.pools.temp.capacity_bytes",
    ("fvp_macs", "macs"): "target.macs",
    ("pte_place", "address"): "model.address",
    ("coreml_method", "name"): "model.method",
    ("program_file", "size"): "model.pte_bytes",
    ("pico_methods", "count"): "model.methods",
    ("axon_methods", "count"): "model.methods",
    ("sketch_size", "size"): "model.pte_bytes",
    ("sketch_methods", "count"): "model.methods",
    ("pico_method", "name"): "model.method",
    ("axon_method", "name"): "model.method",
    ("pico_pool", "used"): "memory.pools.method.used_bytes",
    ("pico_pool", "capacity"): "memory.pools.method.capacity_bytes",
    ("mlek_method_memory", "used"): "memory.pools.method.used_bytes",
    ("mlek_method_memory", "capacity"): "memory.pools.method.capacity_bytes",
    ("test_memory", "method"): "memory.pools.method.used_bytes",
    ("test_memory", "temp"): "memory.pools.temp.used_bytes",
    ("test_method_pool", "used"): "memory.pools.method.used_bytes",
    ("test_method_pool", "capacity"): "memory.pools.method.capacity_bytes",
    ("test_temp_pool", "used"): "memory.pools.temp.used_bytes",
    ("test_temp_pool", "capacity"): "memory.pools.temp.capacity_bytes",
    ("rtt_ready", "method"): "memory.pools.method.capacity_bytes",
    ("rtt_ready", "temp"): "memory.pools.temp.capacity_bytes",
    ("etdump_buffer", "size"): "memory.pools.etdump_outputs.capacity_bytes",
    ("mlek_samples", "count"): "cycles.inferences",
    ("kit_samples", "count"): "cycles.inferences",
    ("mlek_memory_mode", "mode"): "target.memory_mode",
    ("kit_memory_mode", "mode"): "target.memory_mode",
    ("tflm_arena_size", "size"): "memory.pools.tensor_arena.capacity_bytes",
    ("tflm_arena", "size"): "memory.pools.tensor_arena.used_bytes",
    ("tflm_runtime", "cycles"): "cycles.inference",
    ("a320_model", "address"): "model.address",
    ("a320_model", "size"): "model.pte_bytes",
    ("rtt_model", "address"): "model.address",
    ("rtt_model", "size"): "model.pte_bytes",
    ("rtt_method", "name"): "model.method",
    ("mcu_model_at", "address"): "model.address",
    ("esp_inferences", "count"): "cycles.inferences",
    ("esp_cycles", "cycles"): "cycles.inference",
    ("esp_ready", "size"): "memory.pools.heap.free_bytes",
    ("esp_heap", "size"): "memory.pools.heap.free_bytes",
    ("esp_heap_least", "size"): "memory.heap_least_free_bytes",
    ("esp_psram", "size"): "memory.pools.psram.free_bytes",
    ("esp_storage", "used"): "memory.pools.storage.used_bytes",
    ("esp_storage", "total"): "memory.pools.storage.capacity_bytes",
}

_PATHS: dict[str, list[tuple[str, str]]] = {}
for (_kind, _name), _path in FIGURES.items():
    _PATHS.setdefault(_kind, []).append((_name, _path))


FAILURES: frozenset[str] = frozenset(
    (
        "program_load_failed", "method_load_failed", "execution_failed", "inputs_failed", "hard_fault", "fault_banner", "sanitizer",
        "fvp_critical", "file_open_failed", "mlek_failed", "mlek_invoke_failed", "kernel_missing", "operator_missing", "backend_missing",
        "backend_init_failed", "invocation_failed", "npu_timed_out", "scratch_failed", "planned_allocation_failed",
        "fast_pool_missing", "kernel_failed", "delegate_failed", "bundle_verify_failed", "identifier_mismatch", "stream_malformed",
        "program_failed", "runner_arguments", "method_meta_failed", "driver_reserve_failed", "npu_failed", "outputs_failed", "port_failed",
        "abort_called", "heap_failed", "invoke_failed", "node_failed", "node_unprepared", "arena_failed", "resolver_missing",
        "tensors_failed", "model_schema", "simulator_crashed", "tflite_no_device", "tflite_unresolved", "tflite_plan_failed",
        "tflite_invoke_failed", "tflite_tool_failed", "npu_tool_failed", "npu_tool_unrun", "outputs_differ", "job_outputs_differ", "job_inputs_failed", "pack_failed", "sds_failed", "test_failed",
        "pico_failed", "alif_stopped", "pack_unshown", "hpx_failed", "arena_short", "arena_needs", "arena_untold", "tensor_dynamic", "tensors_reason", "rtt_stopped", "tflite_build_failed", "kernel_died", "exception_uncaught",
    )
)  # fmt: skip
"""Events that by themselves mean that the run failed."""

TROUBLE: frozenset[str] = frozenset(
    ("allocation_failed", "allocation_shifted", "counter_shifted", "crash_frame", "kernel_region", "kernel_firmware", "kernel_message", "kernel_version", "kernel_unsent", "values_failed", "temp_failed", "config_mismatch", "npu_status", "fault_status", "fault_detail",
     "bundle_mismatch", "input_mismatch", "operators_missing", "assert_failed", "launch_failed", "time_limit", "arch_mismatch",
     "config_garbled", "driver_product", "driver_reset", "driver_timed_out", "driver_error", "driver_alignment", "driver_payload",
     "fast_memory_small", "driver_busy", "driver_failed", "rtt_irq_failed", "resolver_full", "file_read_failed", "output_dtype", "mlek_overflow",
     "image_write_failed", "script_bundle_missing", "script_failed", "driver_stopped", "driver_none", "driver_state", "operator_type", "job_timeout", "emulator_stopped")
)  # fmt: skip
"""Events that findings want to see, though they alone do not decide the status."""

REFUSALS = frozenset(
    ("config_mismatch", "config_garbled", "arch_mismatch", "npu_status", "fast_memory_small",
     "driver_product", "driver_reset", "driver_timed_out", "driver_error", "driver_alignment", "driver_payload", "driver_busy",
     "driver_failed", "driver_stopped", "driver_state")
)  # fmt: skip
"""What the NPU's driver refuses; the run failed because of it, unless it went on or came to its end after all."""

_CODED = frozenset(
    ("program_load_failed", "method_load_failed", "execution_failed", "inputs_failed", "method_meta_failed")
)
"""Failures with one of ExecuTorch's status codes, mostly in hexadecimal."""

_LOAD_FAILURES = frozenset(("program_load_failed", "method_load_failed", "planned_allocation_failed"))

_QUIET = STAGE.keys() - REFUSALS - FAILURES - TROUBLE
"""Events that tell how far the run came but report nothing that went wrong."""


def collect(draft: RunDraft, kind: str, line: int, level: str, text: str, values: dict[str, Any]) -> None:
    """Let one event count for the run: its figures, stage and trouble."""
    for name, path in _PATHS.get(kind, ()):
        draft.set(path, values[name], line)
    handler = handler_of(kind)
    if handler is not None:
        handler(draft, line, **values)
    stage = STAGE.get(kind)
    if kind in _QUIET and level not in SEVERE:
        if stage != draft.stage:
            draft.reach(stage)  # type: ignore[arg-type]
        draft.refused = None
    else:
        _collect_trouble(draft, kind, line, level, text, values, stage)
    if kind in WORK:
        note_work(draft, kind, values.get("index"))
    draft.closed |= level in SEVERE and tensors.gives_up(draft, level, text)
    draft.seen[kind] = line
    draft.last_event = kind


def _collect_trouble(
    draft: RunDraft, kind: str, line: int, level: str, text: str, values: dict[str, Any], stage: Stage | None
) -> None:
    if kind == "assert_failed":
        stage = results.stage_of_abort(text, values.get("file"))
    if kind in REFUSALS:
        if kind == "npu_status" and draft.refused == "start":
            draft.refused = None  # of another NPU: this one began its work
        draft.refused = draft.refused or stage or "start"
    elif stage is not None:
        draft.reach(stage)
        if kind not in TROUBLE and level not in SEVERE:
            draft.refused = None
    if kind in FAILURES:
        if kind in _CODED and isinstance(values.get("status"), int):
            values = {**values, "status": code_of(values["status"])}
        draft.fail(kind, line, text, level, values)
        if kind in _LOAD_FAILURES:
            draft.stage_frozen = True
    elif kind in TROUBLE or (level in SEVERE and kind != "kernel_dtype"):  # 0.4 lists types as errors
        draft.note(kind, line, text, level, values)


def collect_shifted(
    draft: RunDraft, kind: str, line: int, level: str, text: str, values: dict[str, Any], impossible: bool
) -> None:
    """Let an event count whose numbers are unknown: its stage and trouble, but no figures.

    `impossible` says that a number is longer than any counter can be, instead of lost by the C library.
    """
    if "name" in values:
        values["name"] = LOST_NAME
    if impossible:
        draft.doubt("impossible", line, text.strip()[:TEXT_LIMIT])
    else:
        draft.note("counter_shifted", line, text, level, values)
    stage = STAGE.get(kind)
    if kind in REFUSALS:
        draft.refused = draft.refused or stage or "start"
    elif stage is not None:
        draft.reach(stage)
    if kind in FAILURES:
        draft.fail(kind, line, text, level, values)
        draft.stage_frozen = draft.stage_frozen or kind in _LOAD_FAILURES
    elif level == "F" and not draft.failed:
        draft.fail("message", line, text, "F")
    if kind in WORK:
        note_work(draft, kind)
    draft.seen[kind] = line
    draft.last_event = kind


_FVP = r"FVP_Corstone_SSE-3\d\d(?:_Ethos-U\d\d)?(?![\w-])"
_WITH_U55 = ("Alif Ensemble E1", "Alif Ensemble E3", "Alif Ensemble E5", "Alif Ensemble E7")
"""Chips whose only Ethos-U is a U55."""
_KERNEL_MACS = {1: (256, 512), 2: (128, 256, 512, 1024, 2048)}
"""MACs of the NPUs that the kernel's own driver knows, by the version of their architecture."""
_OPTIONS = {
    "--target": "target.name",
    "--system_config": "target.system_config",
    "--memory_mode": "target.memory_mode",
}
_NAMES = ("target.name", "target.system_config", "target.memory_mode")
"""Names in the order in which they stand in a line: where the line was cut, those after a cut name are missing too."""


def figures_of(kind: str, values: dict[str, Any]) -> dict[str, Any]:
    """The figures of a plain event by field path; for a command line, what its options say about the target."""
    figures = {path: values[name] for name, path in _PATHS.get(kind, ())}
    called = f"FVP_Corstone_SSE-{values['model']}" if kind == "fvp_called" else ""
    if kind == "kernel_npu" and values["macs"] in _KERNEL_MACS.get(values["arch"], ()):
        figures["target.name"] = f"ethos-{'u65' if values['arch'] == 1 else 'u85'}-{values['macs']}"
    if kind == "machine_model":
        figures["target.model"] = "fvp" if str(values["model"]).startswith("FVP") else "board"
    if kind == "impulse_chip" and str(values["chip"]).startswith(_WITH_U55):
        figures["target.npu"] = "ethos-u55"
    fvp = compiled(_FVP).search(called or str(values.get("before") or ""))
    if fvp is not None:
        figures["target.fvp"] = fvp.group()
    for word in str(values.get("command") or "").replace("'", " ").split():
        option, _, value = word.strip('`"),;').partition("=")
        path = _OPTIONS.get(option) or _OPTIONS.get(f"--{option}")
        if value and path:
            figures[path] = value
    return _whole(figures) if not figures.keys().isdisjoint(_NAMES) else figures


def hinted(hints: Hints, event: Event, draft: RunDraft | None) -> Hints:
    """The hints with what this event adds; a serial terminal that was left removes the port."""
    if event.kind != "serial_left":
        figures = figures_of(event.kind, event.values)
        return {**hints, **{path: (value, event.line) for path, value in figures.items()}}
    if draft is not None:
        draft.ended_at = event.line
    return {path: told for path, told in hints.items() if path != "target.port"}


LASTING = ("target.port", "target.model", "target.prompts")


def lasting(hints: Hints) -> Hints:
    """The hints that hold for all runs below, not only the next one: the port of a terminal, the machine of a kernel, prompts."""
    return {path: told for path, told in hints.items() if path in LASTING} if hints else hints


def _whole(figures: dict[str, Any]) -> dict[str, Any]:
    """The values without the name at which the line was cut."""
    from ..targets import cut_off  # only here: few logs have such a line

    for place, path in enumerate(_NAMES):
        if path in figures and cut_off(path.removeprefix("target."), str(figures[path])):
            for after in _NAMES[place:]:
                figures.pop(after, None)
    return figures
