"""Lines of performance monitors: cycles, counters and times, of ExecuTorch, the evaluation kit and the ports."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..draft import RunDraft
from ..meaning.timed import ITERATIONS, MOST_TIMED
from ..named_tuple import TYPE_CHECKING
from ..units import format_many
from .perf_blocks import first_block, next_block, profiled_again, several_models

if TYPE_CHECKING:
    from typing import Any

_NPUS = ("U55", "U65", "U85")
PRODUCTS = {0: "ethos-u55", 1: "ethos-u65", 2: "ethos-u85"}
"""NPUs by the product number in their registers."""


def on_inferences(draft: RunDraft, line: int, count: int) -> None:
    next_block(draft, line)
    draft.set("cycles.inferences", count, line)


def on_pmu_start(draft: RunDraft, line: int) -> None:
    if "inferences" not in draft.seen and draft.get("pmu.npu_cycles") is not None:
        next_block(draft, line, always=not draft.files)  # TensorFlow Lite Micro prints no more than this, each time
    else:
        first_block(draft, line)


def on_esp_report(draft: RunDraft, line: int) -> None:
    next_block(draft, line)


def on_delegations(draft: RunDraft, line: int, count: int, per_inference: float | None) -> None:
    draft.block.per_inference["cycles.delegations"] = per_inference


def _per_inference(path: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
        draft.block.per_inference[path] = per_inference

    return take


on_cpu_wait = _per_inference("cycles.cpu_wait_for_npu")
on_inference_cycles = _per_inference("cycles.inference")
on_operators_total = _per_inference("cycles.operators_total")


def _ratio_unknown(core: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int) -> None:
        draft.doubt("ratio_unknown", line, f"Inference {core} ratio: ?.?? %")

    return take


on_cpu_ratio_unknown, on_npu_ratio_unknown = _ratio_unknown("CPU"), _ratio_unknown("NPU")


def on_counter(draft: RunDraft, line: int, index: int, value: int, per_inference: float | None) -> None:
    if 0 <= index < 64:
        again = draft.of_row or _written_twice(draft, index, value)
        if index in draft.block.counters and "inferences" not in draft.seen and not again:
            next_block(draft, line, always=True)  # applications that print counters without a heading
        first_block(draft, line)
        draft.block.counters[index] = value
        draft.block.per_inference[f"pmu.counters.{index}"] = per_inference
        draft.mark(f"pmu.counters.{index}", line)


def _written_twice(draft: RunDraft, index: int, value: int) -> bool:
    """Whether this is a copy of the newest counter; where one alone is printed, each inference may print the same."""
    counters = draft.block.counters
    copied = counters.get(index) == value and next(reversed(counters)) == index
    return copied and (len(counters) > 1 or bool(draft.files))


def _event_name(text: str) -> str | None:
    """The name of a counter without what a page or a screen added; None where it is no name."""
    name = "".join(text.split()).rstrip("`\"'|\\]")
    return name if name.replace("_", "").isalnum() else None


def on_counter_names(draft: RunDraft, line: int, names: str) -> None:
    names = names.partition("]")[0]  # behind the list, somebody may have written what it means
    draft.counter_names = tuple(_event_name(name) for name in names.split(",") if name.strip())[:64]
    text = names.upper()
    if "_EXT" in text or "SRAM_RD" in text:
        draft.set("target.npu", "ethos-u85", line)


class KitProfile:
    """What an evaluation kit application said before the profile of its inferences."""

    inferences = 0
    """The last count of inferences."""
    model: str | None = None
    """The name of the model that it last ran, if it printed one."""


def on_mlek_profile(draft: RunDraft, line: int, what: str) -> None:
    counted = draft.seen.get("mlek_inferences", 0)
    if draft.get("pmu.npu_cycles") is not None or not draft.block.line:
        next_block(draft, line, what, always=True)
    draft.block.label = what.strip()
    if (
        draft.state(KitProfile).inferences == 1
        and counted > draft.seen.get("kit_counted", 0)
        and "processing" not in what
    ):
        draft.set("cycles.inferences", 1, counted)  # the only one that this profile can be of
        draft.seen["kit_counted"] = line


def on_mlek_inferences(draft: RunDraft, line: int, count: int) -> None:
    """The number of results; after a whole profile it is about the next one."""
    draft.state(KitProfile).inferences = count
    if draft.get("pmu.npu_cycles") is None:
        draft.set("cycles.inferences", count, line)
    elif count == 1 and draft.get("cycles.inferences") is None:  # vendors' applications print it below the profile
        draft.set("cycles.inferences", count, line)
        draft.seen["kit_counted"] = line


def _kit_counter(draft: RunDraft, line: int, event: str, value: int) -> None:
    """Record a counter of the evaluation kit's profile, which has a name and no index."""
    if "processing" in (draft.block.label or ""):
        return  # the CPU's work before and after the inference has a profile of its own
    event = event.rpartition(" ")[2].removeprefix("ETHOSU_PMU_").upper()
    if profiled_again(draft, event, value) and not draft.of_row:
        next_block(draft, line)  # another profile, or the same once more
    first_block(draft, line)  # whose heading was lost
    if event == "TOTAL":
        draft.set("pmu.npu_cycles", value, line)
    elif len(draft.block.named_counters) < 64:
        draft.block.named_counters[event] = value
        draft.mark(f"pmu.counters.{list(draft.block.named_counters).index(event)}", line)
        if event.startswith(("SRAM_", "EXT_")):
            draft.set("target.npu", "ethos-u85", line)


on_mlek_cycles = on_mlek_beats = _kit_counter


def on_mlek_active(draft: RunDraft, line: int, value: int) -> None:
    _kit_counter(draft, line, "ACTIVE", value)


def on_mlek_idle(draft: RunDraft, line: int, value: int) -> None:
    _kit_counter(draft, line, "IDLE", value)


def on_mlek_cpu(draft: RunDraft, line: int, cycles: int) -> None:
    if "processing" not in (draft.block.label or ""):
        draft.set("cycles.inference", cycles, line)


def on_mlek_time(draft: RunDraft, line: int, ms: float) -> None:
    if draft.block.label is not None and "processing" not in draft.block.label:
        set_milliseconds(draft, "times.inference_seconds", line, ms)


def on_mlek_statistics(draft: RunDraft, line: int, event: str, total: int, average: int, least: int, most: int) -> None:
    _kit_counter(draft, line, event, total)
    if event.upper() == "TOTAL" and draft.get("pmu.npu_cycles") == total:
        draft.set("pmu.npu_cycles_per_inference", float(average), line)
        draft.set("pmu.npu_cycles_min", least, line)
        draft.set("pmu.npu_cycles_max", most, line)


on_kit_active, on_kit_idle, on_kit_cpu = on_mlek_active, on_mlek_idle, on_mlek_cpu


def on_kit_total_time(draft: RunDraft, line: int, ms: int) -> None:
    """Of all samples together."""
    samples = draft.get("cycles.inferences")
    if isinstance(samples, int) and samples > 0 and "processing" not in (draft.block.label or "processing"):
        set_milliseconds(draft, "times.inference_seconds", line, ms / samples)


def on_mlek_arena_used(draft: RunDraft, line: int, size: int) -> None:
    before = draft.get("memory.pools.tensor_arena.used_bytes")
    if before not in (None, size):
        several_models(draft, line, f"tensor arenas of {before} and {size} bytes")
    draft.set("memory.pools.tensor_arena.used_bytes", size, line)


def on_mlek_handover(draft: RunDraft, line: int) -> None:
    """The keyword model is done, and the speech model takes over."""
    several_models(draft, line, "a keyword was spotted, and another model takes over")


def on_mlek_arena(draft: RunDraft, line: int) -> None:
    """Only the initialisation of a model prints this."""
    if "mlek_arena" in draft.seen:
        several_models(draft, line, "tensors were allocated twice")


def on_mlek_model_start(draft: RunDraft, line: int, model: str, what: str) -> None:
    kit = draft.state(KitProfile)
    if kit.model not in (None, model):
        several_models(draft, line, f"inferences of {kit.model} and {model}")
    kit.model = model


def on_mlek_overflow(draft: RunDraft, line: int, what: str) -> None:
    draft.doubt("mlek_overflow", line, what)


def on_npu_config(draft: RunDraft, line: int, product: int, macs_log2: int) -> None:
    npu = PRODUCTS.get(product)
    if npu is not None and 4 < macs_log2 < 12:
        draft.set("target.npu", npu, line)
        set_macs(draft, line, macs_log2)


def on_npu_config_old(draft: RunDraft, line: int, macs_log2: int) -> None:
    set_macs(draft, line, macs_log2)


def set_macs(draft: RunDraft, line: int, log2: int) -> None:
    """Record the MACs per cycle; the driver prints the logarithm that the NPU reports."""
    if 4 < log2 < 12:
        draft.set("target.macs", 1 << int(log2), line)


def on_npu_named(draft: RunDraft, line: int, npu: str) -> None:
    if npu in _NPUS:
        draft.set("target.npu", f"ethos-{npu.lower()}", line)


on_mlek_device = on_npu_named


def on_driver_event(draft: RunDraft, line: int, event: int | str) -> None:
    draft.doubt("driver_event", line, f"no PMU event {event}")


def on_fvp_config(draft: RunDraft, line: int, fvp: str, npu: str, config: str) -> None:
    size = config.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if npu in _NPUS and size.isdigit() and len(size) < 5:
        draft.set("target.npu", f"ethos-{npu.lower()}", line)
        draft.set("target.macs", int(size), line)
        draft.set("target.fvp", fvp, line)


def on_call_cycles(draft: RunDraft, line: int, cycles: int, os: str | None) -> None:
    """One line per call of the delegate; totals are over all calls, as in the performance block.

    Without an operating system in it, the line says nothing about a board or a release.
    """
    if os is not None:
        draft.seen["delegate_of_os"] = line
    if not 0 <= cycles < 1 << 63:
        draft.doubt("impossible", line, f"Ethos-U {'' if os is None else f'{os} delegate '}cycle counter: {cycles}")
        return
    first_block(draft, line)
    for path, more in (("pmu.npu_cycles", cycles), ("cycles.delegations", 1)):
        draft.set(path, draft.total(path, draft.get(path), more), line)


def _delegate(draft: RunDraft, index: int) -> dict[str, Any]:
    return draft.delegates.setdefault(index, {"counters": {}}) if 0 <= index < 1024 else {"counters": {}}


def on_delegate_invocations(draft: RunDraft, line: int, index: int, backend: int, npu: int) -> None:
    _delegate(draft, index).update(backend=backend, npu=npu)
    if index in draft.delegates:
        draft.mark(f"pmu.delegates.{index}", line)


def on_delegate_cycles(draft: RunDraft, line: int, index: int, cycles: int) -> None:
    _delegate(draft, index).update(cycles=cycles)


def on_delegate_counter(draft: RunDraft, line: int, index: int, counter: int, value: int) -> None:
    if 0 <= counter < 64:
        _delegate(draft, index)["counters"][counter] = value


def on_esp_cycles(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    draft.block.per_inference["cycles.inference"] = per_inference
    if not cycles and per_inference is None:
        draft.set("cycles.inference", None, line)


def on_esp_wall_time(draft: RunDraft, line: int, us: int, us_per_inference: float | None) -> None:
    if us or us_per_inference is not None:
        draft.set("times.total_seconds", us / 1e6, line)
    if us_per_inference is not None:
        draft.set("times.inference_seconds", us_per_inference / 1e6, line)


def set_milliseconds(draft: RunDraft, name: str, line: int, ms: float | None, count: int = 1) -> None:
    """Record in seconds one of `count` equal parts of `ms`; None (printed as NaN or infinity) records nothing."""
    if ms is not None:
        seconds = round(ms / 1000 / count, 12)  # 45.2 has no exact double, and its thousandth would show it
        draft.set(name, seconds, line)


def on_esp_average(draft: RunDraft, line: int, ms: float | None) -> None:
    if draft.get("times.inference_seconds") is None:  # the microseconds before it are finer
        set_milliseconds(draft, "times.inference_seconds", line, ms)


def _milliseconds(path: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, ms: float | None) -> None:
        set_milliseconds(draft, path, line, ms)

    return take


on_inference_time = on_kit_time = _milliseconds("times.inference_seconds")
on_model_loaded_time = on_coreml_loaded = _milliseconds("times.load_seconds")


def on_kit_platform(draft: RunDraft, line: int, platform: str) -> None:
    """Arm's own designs are simulated as well as built; the vendors' are chips."""
    if platform.startswith(("Alif", "Ensemble")):
        draft.seen["kit_board"] = line


def on_kit_system(draft: RunDraft, line: int, system: str) -> None:
    """Printed on a Nuvoton chip, which has an Ethos-U55."""
    if system == "M55M1":
        draft.seen["kit_board"] = line
        on_npu_named(draft, line, "U55")


_OF_FIRST = {128: "ethos-u55", 512: "ethos-u65"}
"""NPUs of architecture 1 by a number of MACs that only one has; fewer than 128 are always a U55."""


def on_config_mismatch(draft: RunDraft, line: int, what: str, npu: int, model: int, source: str | None) -> None:
    """The driver compares the NPU with the program; only the U85's driver compares ports, and only the others SHRAM."""
    of_u85 = what.startswith("num_axi_") or (source or "").startswith("ethosu_device_u85.c")
    if of_u85 and draft.get("target.npu") is None:
        draft.set("target.npu", "ethos-u85", line)
    if what == "product" and npu in PRODUCTS:
        draft.set("target.npu", PRODUCTS[npu], line)
    elif what == "macs_per_cc":
        set_macs(draft, line, npu)
    of_first = what == "shram_size" or (source or "").startswith("ethosu_device_u55_u65.c")
    known = _OF_FIRST.get(draft.get("target.macs")) if of_first and draft.get("target.npu") is None else None
    if known is not None:
        draft.set("target.npu", known, line)


def on_mcu_time(draft: RunDraft, line: int, us: int) -> None:
    draft.set("times.inference_seconds", us / 1e6, line)


on_pico_time = on_axon_time = on_mcu_time


def on_executed_times(draft: RunDraft, line: int, count: int, ms: float | None) -> None:
    draft.set("cycles.inferences", count, line)
    set_milliseconds(draft, "times.total_seconds", line, ms)
    if count:
        set_milliseconds(draft, "times.inference_seconds", line, ms, count)
        cycles = draft.get("pmu.npu_cycles")
        if cycles is None or "call_cycles" not in draft.seen:
            return
        calls = draft.get("cycles.delegations") or 0
        if calls % count == 0:  # each inference calls the NPU as often as the others
            draft.set("pmu.npu_cycles_per_inference", cycles / count, line)
            return
        draft.doubt("calls_lost", line, f"{format_many(calls, 'cycle counter')} and {format_many(count, 'inference')}")
        for path in ("pmu.npu_cycles", "cycles.delegations"):
            draft.set(path, None, line)


def on_iteration(draft: RunDraft, line: int, index: int, count: int, ms: float | None) -> None:
    """One of the inferences that the runner times; one that comes again is a copy."""
    if ms is None or not 0 <= ms < math.inf or not draft.seen.get("iteration_index", 0) < index <= count:
        return
    draft.seen["iteration_index"] = index
    first = draft.seen.setdefault("iteration_first", line)
    if len(draft.iterations) == 1:
        draft.mark(ITERATIONS, first)
    if len(draft.iterations) < MOST_TIMED:
        draft.iterations.append(round(ms / 1000, 12))


def on_host_operator(draft: RunDraft, line: int, instruction: int, name: str, ns: int) -> None:
    if len(draft.host_operators) < 20_000:
        draft.host_operators.append((name, instruction, ns / 1e9))
        draft.mark(f"times.operators.{len(draft.host_operators) - 1}", line)


def on_inferences_finished(draft: RunDraft, line: int, count: int) -> None:
    """The runner's own count of inferences, used where no performance monitor printed one."""
    if "inferences" not in draft.seen and "cycles.inferences" not in draft.figures:
        draft.set("cycles.inferences", count, line)
