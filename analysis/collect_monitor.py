"""What performance monitors print: cycles, counters, times; ExecuTorch's own, the evaluation kit's and the ports'."""

from __future__ import annotations

from .draft import RunDraft


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
