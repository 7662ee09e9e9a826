"""Lines of applications of vendors' kits, of Edge Impulse and of a course, which run one inference after another until
somebody stops them.
"""

from __future__ import annotations

from ..draft import RunDraft
from ..report import Stage
from .load import on_model_size
from .monitor import on_inference_time, on_mcu_time, on_mlek_time, on_npu_named
from .predictions import add_prediction
from .results import RUNNERS_OWN, fails, passed, says_passed
from .tensors import on_output
from .vision import on_vision_frame

_CLEAR_MS = 10
"""Below this, a clock of whole milliseconds gives less than one digit of an inference's time."""


def on_mlek_duration(draft: RunDraft, line: int, us: int) -> None:
    """The evaluation kit built for the host's own system."""
    on_mlek_time(draft, line, us / 1000)


on_alif_npu = on_aen_npu = on_npu_named
on_aen_model = on_hpx_model = on_mailbox_pte = on_model_size
_unrun = fails("execution_failed", "Inference failed")


def on_alif_unrun(draft: RunDraft, line: int) -> None:
    """After an earlier failure the application never came to the inference, which may load its program first."""
    if not draft.failed:
        draft.reach("execute")
    _unrun(draft, line)


def on_alif_digit(draft: RunDraft, line: int, result: str) -> None:
    draft.reach("report")
    if result in ("FAIL", "INCORRECT"):
        draft.fail("outputs_differ", line, "a digit was taken for another")


def on_alif_results(draft: RunDraft, line: int, right: int, total: int) -> None:
    """One result per inference; failed inferences were reported before."""
    if right == total > 0:
        draft.set("cycles.inferences", total, line)
        passed(draft)
    elif not draft.failed:
        draft.reach("report")
        draft.fail("outputs_differ", line, f"RESULTS: {right}/{total} passed")


on_aen_ran = on_hpx_ended = on_bench_output = says_passed


def on_aen_measured(draft: RunDraft, line: int, ms: float | None, count: int, used: int) -> None:
    """Means over all windows; each window holds many inferences."""
    if ms is not None:
        on_inference_time(draft, line, ms)
    draft.set("cycles.inferences", count, line)
    draft.set("memory.pools.tensor_arena.used_bytes", used, line)
    passed(draft)


def on_aen_failed(draft: RunDraft, line: int, why: str) -> None:
    """The step that failed is the first that did not print OK; if all did, it ran and its outputs are empty."""
    text = f"RESULT FAIL: {why}"
    if why.startswith("AllocateTensors="):
        draft.fail("tensors_failed", line, text)
        draft.reach("plan")
    elif "output not populated" in why:
        draft.reach("report")
        draft.fail("outputs_differ", line, text)
    elif why.startswith("model schema "):
        draft.fail("port_failed", line, text)
    else:
        draft.reach("execute")
        draft.fail("execution_failed", line, text)


on_renesas_frame = on_vision_frame


def on_renesas_time(draft: RunDraft, line: int, ms: int) -> None:
    """A demo repeats this for as long as it runs; 0 means that it has no model, or that its clock is too coarse."""
    if ms > 0:
        on_inference_time(draft, line, float(ms))
        passed(draft)


def on_renesas_npu_time(draft: RunDraft, line: int, us: int) -> None:
    on_npu_named(draft, line, "U55")
    if us > 0:
        on_inference_time(draft, line, us / 1000)
        passed(draft)


def on_renesas_failed(draft: RunDraft, line: int, what: str, said: str) -> None:
    inference = what.startswith("INFERENCE")
    if inference:
        draft.reach("execute")
    draft.fail("execution_failed" if inference else "port_failed", line, f"{what}: {said.strip()}")


_STAGES: dict[str, tuple[str, Stage]] = {
    "load_program": ("program_load_failed", "load"),
    "inspect_method": ("method_meta_failed", "load"),
    "memory_plan": ("method_load_failed", "plan"),
    "load_method": ("method_load_failed", "plan"),
    "input": ("inputs_failed", "inputs"),
    "execute": ("execution_failed", "execute"),
    "output": ("outputs_failed", "report"),
}


def on_axon_step(draft: RunDraft, line: int, us: int) -> None:
    """One inference of several."""
    on_mcu_time(draft, line, us)
    draft.set("cycles.inferences", draft.total("cycles.inferences", draft.get("cycles.inferences"), 1), line)


def on_axon_output(draft: RunDraft, line: int, index: int, value: float | None) -> None:
    on_output(draft, line, 0, index, "float", value)


def on_axon_unfed(draft: RunDraft, line: int, status: int) -> None:
    draft.reach("inputs")
    draft.fail("inputs_failed", line, "set_input failed", "", {"status": status})


def on_axon_unrun(draft: RunDraft, line: int, status: int) -> None:
    draft.reach("execute")
    draft.fail("execution_failed", line, "execute failed", "", {"status": status})


def on_axon_done(draft: RunDraft, line: int) -> None:
    if draft.seen.keys() & {"axon_time", "axon_step"}:
        draft.complete()


def on_nsx_started(draft: RunDraft, line: int) -> None:
    on_npu_named(draft, line, "U85")


def on_nsx_model(draft: RunDraft, line: int, size: int, macs: int) -> None:
    on_model_size(draft, line, size)
    draft.set("target.macs", macs, line)


def on_nsx_arena(draft: RunDraft, line: int, used: int, capacity: int) -> None:
    draft.set("memory.pools.tensor_arena.used_bytes", used, line)
    draft.set("memory.pools.tensor_arena.capacity_bytes", capacity, line)


def on_nsx_ran(draft: RunDraft, line: int, ms: int, cycles: int) -> None:
    """One inference of those that it repeats for ever; the cycles are the CPU's."""
    for path, more in (("cycles.inferences", 1), ("cycles.inference", cycles)):
        draft.set(path, draft.total(path, draft.get(path), more), line)
    if ms >= _CLEAR_MS:
        on_inference_time(draft, line, float(ms))
    passed(draft)


on_nsx_unrun = fails("execution_failed", "Invoke() failed", "execute")


def on_hpx_npu(draft: RunDraft, line: int, npu: str) -> None:
    on_npu_named(draft, line, npu.upper())


def on_hpx_engine(draft: RunDraft, line: int, engine: str) -> None:
    draft.seen[f"hpx_{engine}"] = line


def on_hpx_arena(draft: RunDraft, line: int, size: int) -> None:
    """For ExecuTorch this is the arena of the planned buffers, which is made to fit them."""
    if "hpx_executorch" not in draft.seen:
        draft.set("memory.pools.tensor_arena.capacity_bytes", size, line)


def on_hpx_window(draft: RunDraft, line: int) -> None:
    """ExecuTorch's program is loaded again for each inference."""
    if "hpx_executorch" not in draft.seen:
        draft.reach("execute")


on_hpx_average = on_mcu_time  # without the profiler: what it takes with it comes later


def on_hpx_stage_failed(draft: RunDraft, line: int, stage: str, status: int) -> None:
    kind, reached = _STAGES.get(stage, ("port_failed", draft.stage))
    draft.reach(reached)
    draft.fail(kind, line, f"HPX_ERROR=executorch stage={stage} error={status}", "", {"status": status})


def on_mcu_found(draft: RunDraft, line: int, label: str, percent: int) -> None:
    """NXP's examples go on with the next picture; outputs and an end follow only where ExecuTorch runs them."""
    draft.predictions.clear()  # of the picture before
    add_prediction(draft, line, None, label, percent)
    if RUNNERS_OWN.isdisjoint(draft.seen):
        passed(draft)


def on_mera_average(draft: RunDraft, line: int, ms: float | None, count: int) -> None:
    on_inference_time(draft, line, ms)
    draft.set("cycles.inferences", count, line)
    passed(draft)


def on_mera_class(draft: RunDraft, line: int, index: int, percent: float | None, label: str) -> None:
    """One of the best classes, printed after the times, with a percentage."""
    add_prediction(draft, line, index, label, percent)


def on_mera_share(draft: RunDraft, line: int, percent: float | None, label: str) -> None:
    add_prediction(draft, line, None, label, percent)


def on_mailbox_lost(draft: RunDraft, line: int, frame: int, status: int) -> None:
    draft.reach("execute")
    draft.fail("execution_failed", line, f"Frame {frame}: timeout/error (status=0x{status:x})")


_MAILBOX_STAGES: dict[int, Stage] = {
    0xA1000013: "plan",
    0xA1000014: "plan",
    0xA1000015: "plan",
    0xA1000016: "inputs",
    0xA1000017: "inputs",
    0xA1000020: "execute",
    0xA1000021: "execute",
    0xA1000022: "report",
}
"""What the firmware writes to memory about its progress; it loads the program before these."""
_MAILBOX_RAN = 0xA1000023
_MAILBOX_FAULTS = {
    1: ", a hard fault",
    2: ", a bus fault",
    3: ", a fault of the memory management",
    4: ", a usage fault",
    5: ": the heap was asked for more",
}


def on_mailbox_stage(draft: RunDraft, line: int, stage: int) -> None:
    if stage == _MAILBOX_RAN:
        passed(draft)
    elif stage in _MAILBOX_STAGES:
        draft.reach(_MAILBOX_STAGES[stage])


def on_mailbox_class(draft: RunDraft, line: int, index: int) -> None:
    if draft.completed:
        add_prediction(draft, line, index, None, None)


def on_mailbox_left(draft: RunDraft, line: int) -> None:
    """The application waits two minutes for the firmware; this line also stands for one that is not done."""
    if not draft.completed:
        draft.fail("port_failed", line, '"Done." without "Inference complete!": the firmware was not done in time')


def on_mailbox_fault(draft: RunDraft, line: int, stage: int) -> None:
    draft.fail("port_failed", line, f"FAULT: stage=0x{stage:08x}{_MAILBOX_FAULTS.get(stage & 0xFFFF, '')}")


def on_mailbox_done(draft: RunDraft, line: int) -> None:
    if "mailbox_frame" in draft.seen:
        passed(draft)


def on_mailbox_count(draft: RunDraft, line: int, count: int) -> None:
    """The number of frames, whether or not each got an answer."""
    if not draft.failed:
        draft.set("cycles.inferences", count, line)


def on_mailbox_average(draft: RunDraft, line: int, ms: float | None) -> None:
    """Measured from Linux, so the time of the mailbox is included."""
    if not draft.failed:
        on_inference_time(draft, line, ms)


def on_impulse_result(draft: RunDraft, line: int, ms: float | None) -> None:
    """One line per window of the signal, in whole milliseconds where the clock is coarse: the mean is kept."""
    if ms is None:
        return
    count = draft.get("cycles.inferences") or 0
    mean = ((draft.get("times.inference_seconds") or 0.0) * count + ms / 1e3) / (count + 1)
    draft.set("cycles.inferences", count + 1, line)
    if mean:
        draft.set("times.inference_seconds", round(mean, 12), line)
    passed(draft)


def on_impulse_returned(draft: RunDraft, line: int, code: int) -> None:
    if code:
        on_impulse_failed(draft, line, code)


def on_impulse_failed(draft: RunDraft, line: int, code: int) -> None:
    """-3 means that TensorFlow Lite Micro refused the model, most often for its arena."""
    draft.reach("execute")
    draft.fail("execution_failed", line, f"the classifier returned {code}")


def on_bench_ticks(draft: RunDraft, line: int) -> None:
    """An operator of an inference; the generic benchmark lists them after the inference."""
    draft.seen["bench_operator"] = line
    if not draft.failed:
        draft.reach("execute")


on_bench_operator_ticks = on_bench_ticks  # where no benchmark is known to be at work, anybody's words


def on_bench_target(draft: RunDraft, line: int) -> None:
    """On this target a tick is one CPU cycle; on Linux and other cores it is a tick of their clock."""
    draft.seen["bench_cycles"] = line


def on_bench_input(draft: RunDraft, line: int) -> None:
    """One call of the interpreter; a streaming model needs several, and the last one is the inference."""
    draft.seen.pop("bench_operator", None)
    draft.seen.pop("bench_summed", None)


def on_bench_total_ticks(draft: RunDraft, line: int, ticks: int) -> None:
    """The setup of the model has a sum of its own before this one, decompressing its weights one after it."""
    if {"bench_cycles", "bench_operator"} <= draft.seen.keys() and "bench_summed" not in draft.seen:
        draft.seen["bench_summed"] = line
        draft.set("cycles.operators_total", ticks, line)


def on_bench_loop(draft: RunDraft, line: int, count: int, ms: int) -> None:
    """So many inferences are over; the clock counts whole milliseconds, which say little about a few inferences."""
    if ms >= _CLEAR_MS and count > 0:
        draft.set("times.inference_seconds", round(ms / 1e3 / count, 6), line)
    passed(draft)


def on_llm_total(draft: RunDraft, line: int, seconds: float | None) -> None:
    """The whole text counts as one inference of the program, however many tokens it has."""
    if seconds is not None and "llm_tokens" in draft.seen:
        draft.set("times.inference_seconds", seconds, line)


def on_llm_sampled(draft: RunDraft, line: int) -> None:
    """The last of the figures; the text was generated before them."""
    if "llm_tokens" in draft.seen:
        passed(draft)
