"""Results that look wrong although nothing failed: outputs that are all equal, cycles far from the estimate, torn text."""

from __future__ import annotations

from ..cleaning import in_command
from ..collect.tensors import endless
from ..draft import Evidence
from ..outcome import Outcome
from ..report import CompileSummary, Finding, Run
from .releases import may_lose_outputs

_ENOUGH = 8
"""Fewer equal values than this are no sign of anything: a softmax over four classes may well be flat."""
_NOT_COMPUTED = ("execution_failed", "delegate_failed", "kernel_failed", "method_load_failed")
_FAR = 1.5
"""Vela's NPU cycles agree with an FVP's within a few percent when both use the same configuration."""


def outputs_equal(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """All printed values of an output are the same, and were computed: up to 0.7 the runner prints them in any case."""
    if seen.first(*_NOT_COMPUTED) is not None:
        return None
    for tensor in run.outputs:
        first = tensor.first
        if tensor.count < _ENOUGH or len(first) < _ENOUGH:
            continue
        if not endless(first[0]) and all(value == first[0] for value in first):
            return _equal(run, f"The first {len(first)} of {tensor.count} values of output {tensor.index} are all {first[0]:g}.",
                          run.lines.get(f"outputs.{tensor.index}"))  # fmt: skip
    scores = [
        guess.score for guess in run.predictions if guess.index is not None and guess.score is not None
    ]  # of a list
    if len(scores) >= 3 and all(score == scores[0] for score in scores):
        return _equal(run, f"All {len(scores)} scores are {scores[0]:g}.", run.lines.get("predictions.0"))
    return None


def outputs_not_finite(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Values that are infinite or no numbers; where one line alone holds such a value, its digits may have been lost."""
    if "output_lost" in seen.seen or seen.first(*_NOT_COMPUTED) is not None:
        return None
    bad = [
        (tensor, sum(value != value or endless(value) for value in tensor.first))
        for tensor in run.outputs
        if not tensor.elided
    ]
    bad = [(tensor, count) for tensor, count in bad if count]
    if sum(count for _, count in bad) < 2:
        return None
    tensor, count = bad[0]
    more = (
        f"; so do {len(bad) - 1} more outputs" if len(bad) > 2 else "; so does one more output" if len(bad) == 2 else ""
    )
    wanted = (
        " The bundled program expects them so." if run.bundleio is not None and run.bundleio.result == "PASS" else ""
    )
    lines = tuple(run.lines[path] for path in (f"outputs.{one.index}" for one, _ in bad[:8]) if path in run.lines)
    return Finding(
        "outputs-not-finite", "warning", run.index, "An output contains infinities or NaN",
        f"Output {tensor.index} holds inf or nan in {count} of its first {len(tensor.first)} values{more}.{wanted}",
        "Run the same input through the model on the host: if it also gives inf or nan, the model itself is the cause (a division by 0, a value beyond the "
        "type's range, an empty mean); otherwise the memory of the outputs or an input was not written, or was read as another type.", lines or (run.last_line,),
    )  # fmt: skip


def outputs_not_computed(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`outputs-not-computed`: values below a failed execution, which runners up to 0.7 print in any case."""
    bad = seen.first(*_NOT_COMPUTED)
    line = run.lines.get("outputs.0")
    if bad is None or line is None or line < bad.line or run.status != "failed":
        return None
    return Finding(
        "outputs-not-computed", "warning", run.index, "The outputs of this run are not results",
        "The runner prints its outputs even if the inference failed: they are what was in that memory before.",
        "Leave them out of any comparison.", (line, bad.line),
    )  # fmt: skip


def _equal(run: Run, detail: str, line: int | None) -> Finding:
    old = ", or a runner of 1.0 (fixed in 1.1)" if may_lose_outputs(run) else ""
    names = {
        "executor_runner": "where --inputs names no files",
        "arm_executor_runner": "where neither a bundled program nor files give them",
    }
    given = run.bundleio is not None or "input_file" in run.memory.pools
    filled = None if given else names.get(run.runner.kind)
    ones = (
        f" {run.runner.kind} fills inputs with ones {filled}, and a simple model then gives equal values."
        if filled
        else ""
    )
    return Finding(
        "outputs-all-equal", "warning", run.index, "The outputs are all equal", detail,
        f"If the model is trained, suspect the data cache (clean it before the NPU runs, invalidate it after: "
        f"ethosu_flush_dcache, ethosu_invalidate_dcache){', an input' if old else ' or an input'} that was never filled{old}; check "
        f"with a bundled program (--bundleio).{ones}", (line,) if line is not None else (run.last_line,),
    )  # fmt: skip


def estimate_findings(runs: tuple[Run, ...], summaries: tuple[CompileSummary, ...]) -> list[Finding]:
    """Runs that do not fit what Vela said in the same capture: another configuration, or cycles far from the estimate."""
    if not (summaries and runs):
        return []
    from ..compiles.whole_network import networks  # only here: few captures hold a compile

    compiled = [network.whole for network in networks(summaries)]
    if len(compiled) != 1:
        return []  # several summaries are several partitions or models: which run belongs to which is not told
    estimate = compiled[0]
    found = []
    for run in runs[:100]:
        other = _configuration(run, estimate)
        if other is not None:
            found.append(other)
            continue
        cycles = _per_inference(run)
        target = run.target.name
        if (
            cycles is None
            or (target and estimate.accelerator and target != estimate.accelerator)
            or not estimate.npu_cycles
        ):
            continue
        ratio = cycles / estimate.npu_cycles
        if 1 / _FAR <= ratio <= _FAR:
            continue
        found.append(
            Finding(
                "npu-cycles-differ", "warning", run.index, f"The NPU took {ratio:.2g} times as many cycles as Vela estimated",
                f"{cycles:.0f} NPU cycles per inference were counted, and Vela estimated {estimate.npu_cycles} for {estimate.accelerator}, "
                f"{estimate.system_config}, {estimate.memory_mode}.",
                "Build the runner with the same --system_config and --memory_mode as the compile (they set the timing adapters of the FVP), leave out "
                "--fast, and check that model and Vela are the same on both sides.",
                tuple(line for line in (run.lines.get("pmu.npu_cycles"), estimate.first_line) if line is not None),
            )
        )  # fmt: skip
    return found


def _configuration(run: Run, estimate: CompileSummary) -> Finding | None:
    target = run.target
    pairs = (
        ("target", target.name, estimate.accelerator, "target.name"),
        ("system config", target.system_config, estimate.system_config, "target.system_config"),
    )  # the memory mode has a rule of its own, which also knows the traffic
    differ = [pair for pair in pairs if pair[1] and pair[2] and pair[1].lower() != pair[2].lower()]
    if not differ:
        return None
    said = "; ".join(f"{what}: compiled for {compiled}, run on {ran}" for what, ran, compiled, _ in differ)
    lines = [run.lines[path] for *_, path in differ if path in run.lines]
    if estimate.first_line is not None:
        lines.append(estimate.first_line)
    options = " ".join(f"--{what.replace(' ', '_')}={in_command(compiled, 'NAME')}" for what, _, compiled, _ in differ)
    return Finding(
        "configuration-differs", "warning", run.index, "The model was compiled for a different configuration from the runner's",
        f"{said}.", f"Build the runner with {options}, as the compile was, or compile again; with another target it does not run at all, with another system config "
            "its cycles match no real machine.", tuple(lines) or (run.first_line,),
    )  # fmt: skip


def _per_inference(run: Run) -> float | None:
    if run.pmu is None or not run.pmu.npu_cycles or run.status in ("failed", "not_started"):
        return None
    count = run.cycles.inferences
    if run.cycles.delegations and count and run.cycles.delegations > count:
        return None
    if run.pmu.npu_cycles_per_inference:
        return run.pmu.npu_cycles_per_inference
    return float(run.pmu.npu_cycles) if count in (None, 1) else None
