"""Makes a finished `Run` of a draft: its status, and the facts that only the whole run tells."""

from __future__ import annotations

from .at_work import of_linux_runner, without_end
from .boundaries import asks_again
from .collect.block import cycles_of
from .collect.collect import FAILURES
from .collect.perf_blocks import block_reports, summed
from .collect.tensors import ENDS_IN_VALUES
from .draft import HOST_ALONE, RunDraft, TensorDraft, Trouble
from .last_words import WAITS, broken_off, complaint, ends_in_error, torn
from .named_tuple import TYPE_CHECKING, NamedTuple
from .ran_on import target_of
from .release.kind import kind_of
from .report import (
    STAGES,
    BundleIO,
    Counter,
    Cycles,
    DelegatePmu,
    Derived,
    Etdump,
    Memory,
    Model,
    OperatorCycles,
    OperatorTime,
    Pmu,
    Pool,
    Prediction,
    Run,
    Runner,
    Stage,
    Status,
    Tensor,
    Times,
)
from .timed import timed
from .trust.repair import settle
from .trust.settled import Settled
from .two_targets import without_figures

if TYPE_CHECKING:
    from typing import Any

_VERDICTS: dict[str, Status] = {
    "not_started": "not_started",
    "timeout": "timeout",
    "silence": "hung",
    "lost": "truncated",
}


class Outcome(NamedTuple):
    """How the host saw a live run end: `reason` is the word of `runners.job.Exit`, `code` the exit status, `kind` the
    kind of place.
    """

    reason: str
    code: int | None = None
    text: str = ""
    kind: str = ""

    @property
    def of_any_program(self) -> bool:
        """True where any program may have run there, so that a log without a runner's line proves nothing."""
        return self.kind in ("command", "ssh", "serial", "host")

    @property
    def launched(self) -> bool:
        """True where a target was started, or failed to start, so that its silence means something; not for a replay."""
        if self.of_any_program:
            return self.verdict is not None
        return self.code is not None or self.reason in ("not_started", "timeout", "silence")

    @property
    def well(self) -> bool:
        """True where a program of any kind ended as it should: with status 0, or at its end marker."""
        return self.of_any_program and (self.reason == "marker" or (self.reason == "ended" and not self.code))

    @property
    def verdict(self) -> Status | None:
        """The status of a run without a runner's line, judged by how the program ended.

        None where it ended well, which does not prove that it passed, and where somebody stopped it.
        """
        if not self.of_any_program or self.well or self.reason == "stopped":
            return None
        return _VERDICTS.get(self.reason, "failed")


_CUT_SHORT = ("connection_lost", "port_lost", "job_cancelled", "job_lost", "board_reset", "rom_reset")
_POOLS = ("method", "temp", "planned_fast", "input_file", "etdump_outputs", "tensor_arena", "heap", "psram", "storage")
_HEARD = frozenset(("mlek_label", "mlek_heard", "mlek_recognised"))
_FRAMES = frozenset(("pack_class", "pack_frame", "mlek_class", "mlek_box", "mlek_heard"))


def freeze(draft: RunDraft, index: int, *, cut: bool, last: bool, outcome: Outcome | None = None) -> Run:
    """Make the `Run` number `index` of a draft.

    `last` says that the capture ends with this run, `cut` that it ends inside a line. The draft keeps the doubts found
    on the way. A run that is still going on may be frozen again later; see `CaptureReader.snapshot()`.
    """
    _complete(draft)
    if not draft.seen.keys().isdisjoint(_CRASHES):
        _outlived(draft)
    whole = draft
    if draft.mixed:
        draft = without_figures(draft)
    coming = draft.etdump_open is not None and not last  # a live run's block is decoded once it is there
    etdump = _etdump(draft) if (draft.etdump_blocks or draft.etdump_announced) and not coming else None
    settled = settle(summed(draft))
    draft.doubts = whole.doubts = tuple(settled.doubts)
    status = _status(draft, cut=cut, last=last, outcome=outcome)
    get = settled.figures.get
    pmu = Pmu(
        get("pmu.npu_cycles"),
        get("pmu.npu_cycles_per_inference"),
        _counters(settled),
        get("pmu.npu_cycles_min"),
        get("pmu.npu_cycles_max"),
        _delegates(draft),
    ).if_any()
    operators = tuple(OperatorCycles(name, total, per) for name, (total, per) in settled.operators.items())
    cycles = cycles_of(settled.figures, operators)
    return Run(
        index=index,
        first_line=draft.first_line,
        last_line=draft.last_line,
        status=status,
        stage="complete" if status == "passed" else _stage(draft),
        runner=_runner(settled),
        target=target_of(settled),
        model=Model(
            pte_bytes=get("model.pte_bytes"),
            loaded_bytes=get("model.loaded_bytes"),
            address=get("model.address"),
            magic=get("model.magic"),
            methods=get("model.methods"),
            method=get("model.method"),
            delegates=get("model.delegates"),
        ),
        memory=_memory(settled),
        cycles=cycles,
        pmu=pmu,
        times=Times(
            get("times.load_seconds"),
            get("times.inference_seconds"),
            tuple(OperatorTime(*operator) for operator in draft.host_operators),
            get("times.total_seconds"),
        ),
        derived=_derived(settled, cycles),
        outputs=_tensors(draft.outputs),
        inputs=_tensors(draft.inputs),
        predictions=tuple(Prediction(*prediction) for prediction in draft.predictions),
        bundleio=BundleIO(**draft.bundle) if {"result", "testset"} <= draft.bundle.keys() else None,
        etdump=etdump,
        lines=settled.lines,
        blocks=block_reports(draft),
    )


def _delegates(draft: RunDraft) -> tuple[DelegatePmu, ...]:
    names = draft.counter_names
    return tuple(
        DelegatePmu(
            index,
            known.get("backend"),
            known.get("npu"),
            known.get("cycles"),
            tuple(Counter(i, names[i] if i < len(names) else None, v) for i, v in sorted(known["counters"].items())),
        )
        for index, known in sorted(draft.delegates.items())
    )


def _etdump(draft: RunDraft) -> Etdump | None:
    from .etdump.report import run_etdump  # only here: few logs hold a dump

    size = sum(block.size + block.complete for block in draft.etdump_blocks)
    if draft.etdump_decoded[0] != size:
        draft.etdump_decoded = size, run_etdump(draft.etdump_blocks, draft.etdump_announced)
    found = draft.etdump_decoded[1]
    if found is None:
        return None
    draft.odd = [odd for odd in draft.odd if not odd.kind.startswith("etdump_")]
    for kind, line, text in found.notes:
        draft.wonder(kind, line, text)
    if found.report is not None:
        draft.mark("etdump", found.line)
    report: Etdump | None = found.report
    return report


def _complete(draft: RunDraft) -> None:
    """Mark a run as complete that did all it is there for, though its runner prints no completion line."""
    linux = of_linux_runner(draft)
    if draft.completed or draft.failed or (linux and _is_cut_off(draft)):
        return
    draft.completed = (linux and _linux_ended(draft)) or _gave_outputs(draft) or _goes_on_for_ever(draft)


def _has_all_outputs(draft: RunDraft) -> bool:
    """Whether every output that was announced was printed."""
    return draft.announced_outputs is not None and len(draft.outputs) >= draft.announced_outputs


def _is_cut_off(draft: RunDraft) -> bool:
    """Whether Linux's runner was about to print more: the last text is a torn line, or a verdict is missing."""
    ends_in_values = _has_all_outputs(draft) or draft.last_event == "bare_value"
    awaits_verdict = "bundle_named" in draft.seen or bool(draft.bundle)
    torn_line = torn(draft.last_text, "EF" if ends_in_values else "DIEFO")
    return torn_line or (awaits_verdict and "result" not in draft.bundle)


def _linux_ended(draft: RunDraft) -> bool:
    """Whether Linux's runner has come to its end: that of its input, or all outputs, whose number is not told before 0.1."""
    if "server_mode" in draft.seen and draft.last_event == "server_done":
        return True
    return "executed" in draft.seen and (_has_all_outputs(draft) or draft.last_event == "bare_value")


def _gave_outputs(draft: RunDraft) -> bool:
    """Whether the program has executed its model and printed what comes last.

    Runners may leave the values of outputs out, or print them elsewhere.
    """
    seen = draft.seen.keys()
    unprinted = draft.announced_outputs is None or "etdump_file" in seen or draft.last_event.startswith("output")
    if "executed_times" in seen and (unprinted or _has_all_outputs(draft)):
        return True
    if draft.last_event == "bare_value" and not ENDS_IN_VALUES.isdisjoint(draft.files):
        return True  # where no verdict was asked for
    if {"executed", "exit_this_sim", "time_limit"} <= seen and draft.outputs:
        return True  # simulations before 0.3
    if draft.stage == "report" and "eot" in seen and "main.cpp" in draft.files:
        return True  # an example stops the simulator
    return draft.seen.get("llm_begun", 0) < draft.seen.get("llm_generated", 0)  # a text; its figures may be elsewhere


def _goes_on_for_ever(draft: RunDraft) -> bool:
    """Whether an application that never ends has done once what it does again and again."""
    seen = draft.seen.keys()
    if ("task_ready" in seen and not _HEARD.isdisjoint(seen)) or {"zephyr_boot", "mlek_label"} <= seen:
        return True
    if without_end(draft) and complaint(draft.trouble, draft.last_line) is None:
        return True
    return not _FRAMES.isdisjoint(seen) and ("sds_started" not in seen or "sds_stopped" in seen)


_CRASHES = ("simulator_crashed", "kernel_died")
_FAILED = FAILURES | {"assert_failed"}
_PAST_EXECUTION = frozenset(("program_complete", "executed", "executed_times"))
"""What a program says that did not crash before it."""


def _outlived(draft: RunDraft) -> None:
    """Take back a crash that another program had, because this run continued after it and came to its end.

    Such a program ran in another container or job, or was killed by the kernel.
    """
    told = [t.line for t in draft.trouble if t.kind in _CRASHES]
    past = max((draft.seen.get(kind, 0) for kind in _PAST_EXECUTION), default=0)
    own = any(t.level == "F" or (t.kind in _FAILED and t.kind not in _CRASHES) for t in draft.trouble)
    if not told or past <= told[-1] or own:
        return
    draft.failed = False
    _complete(draft)
    if draft.completed:
        draft.trouble = [t for t in draft.trouble if t.kind not in (*_CRASHES, "crash_frame")]
    else:
        draft.failed = True


def _out_of_time(trouble: list[Trouble]) -> bool:
    """True where the command `timeout` stopped the emulator or the program."""
    told = (t.values for t in trouble if t.kind == "emulator_stopped")
    return any("command" in values or values.get("by") == "timeout" for values in told)


def _status(draft: RunDraft, *, cut: bool, last: bool, outcome: Outcome | None) -> Status:
    if draft.failed or (
        not draft.completed and outcome is not None and (outcome.code or 0) < 0 and _by_itself(outcome)
    ):
        return "failed"
    if draft.completed or (asks_again(draft) and draft.stage == "report" and draft.refused is None):
        return "passed"
    reason = outcome.reason if outcome is not None else ""
    if not draft.started:
        told = outcome.verdict if outcome is not None and HOST_ALONE in draft.seen else None
        return told if told is not None else "not_started"
    if draft.refused is not None or "bundle_mismatch" in draft.seen:
        return "failed"  # the verdict itself was cut off
    if draft.seen.keys() & {"time_limit", "job_timeout"} or _out_of_time(draft.trouble) or reason == "timeout":
        return "timeout"
    if reason == "silence" or (draft.interrupted and draft.last_event in WAITS):
        return "hung"
    if draft.interrupted > draft.last_line:
        return "truncated"
    ended = "exit_this_sim" in draft.seen or draft.last_event in _CUT_SHORT or reason in ("stopped", "lost")
    over = draft.ended_at > draft.last_line  # a prompt came, or the like
    if (over or (last and not cut)) and not ended:
        if ends_in_error(draft):
            return "failed"
        return "hung" if draft.stage == "execute" and not broken_off(draft.last_text) else "truncated"
    return "truncated"


def _stage(draft: RunDraft) -> Stage:
    """How far the run came; the stage at which the driver refused the program, where that is further."""
    refused = draft.refused
    if refused is None or draft.stage_frozen or STAGES.index(refused) < STAGES.index(draft.stage):
        return draft.stage
    return refused


def _by_itself(outcome: Outcome) -> bool:
    """True where nobody stopped the target, so that a signal means that it aborted."""
    return outcome.reason == "ended"


def _runner(settled: Settled) -> Runner:
    from .release.identify import release_of  # only captures with a run need it

    kind = kind_of(settled.draft)
    release = release_of(settled.draft, kind)
    if release.line is not None:
        settled.lines["runner.executorch_version"] = release.line
    return Runner(kind, release.version, release.evidence)


def _memory(settled: Settled) -> Memory:
    get = settled.figures.get
    pools: dict[str, Pool] = {}
    for name in _POOLS:
        use = [get(f"memory.pools.{name}.{part}") for part in ("used_bytes", "free_bytes", "capacity_bytes")]
        if any(value is not None for value in use):
            pools[name] = Pool(*use)
    return Memory(
        pools=pools,
        planned_bytes=get("memory.planned_bytes"),
        loaded_bytes=get("memory.loaded_bytes"),
        input_bytes=get("memory.input_bytes"),
        executor_bytes=get("memory.executor_bytes"),
        planned_buffers=tuple(settled.planned_buffers.values()),
        heap_least_free_bytes=get("memory.heap_least_free_bytes"),
    )


def _counters(settled: Settled) -> tuple[Counter, ...]:
    if settled.mlek:
        events = enumerate(settled.draft.mlek_counters)
        return tuple(Counter(i, _pmu_name(name), settled.mlek[name]) for i, name in events if name in settled.mlek)
    names = settled.names
    return tuple(
        Counter(index, names[index] if index < len(names) else None, value)
        for index, value in sorted(settled.counters.items())
    )


def _pmu_name(event: str) -> str:
    return f"ETHOSU_PMU_NPU_{event}" if event in ("ACTIVE", "IDLE") else f"ETHOSU_PMU_{event}"


def _tensors(drafts: dict[int, TensorDraft]) -> tuple[Tensor, ...]:
    return tuple(Tensor(i, d.count, d.dtype, not d.is_whole, tuple(d.first)) for i, d in sorted(drafts.items()))


def _derived(settled: Settled, cycles: Cycles) -> dict[str, Derived]:
    derived = timed(settled.iterations)
    used: Any = settled.get("memory.pools.method.used_bytes")
    capacity: Any = settled.get("memory.pools.method.capacity_bytes")
    if used is not None and capacity:
        fields = ("memory.pools.method.used_bytes", "memory.pools.method.capacity_bytes")
        derived["method_pool_use_percent"] = Derived(round(100 * used / capacity, 2), "percent", fields)
    npu_operator = next((o.cycles for o in cycles.operators if o.name == "ethos-u"), None)
    if npu_operator is not None and cycles.inference is not None and 0 < npu_operator <= cycles.inference:
        fields = ("cycles.inference", "cycles.operators.ethos-u")
        derived["cpu_cycles_outside_delegate"] = Derived(cycles.inference - npu_operator, "cycles", fields)
    return derived
