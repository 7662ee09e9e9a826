"""Findings: what rules say about a run, its evidence and the compile summaries, the root cause first.

A rule looks at one run and gives at most one finding. Rules are asked in causal order (never started, bad program,
memory, missing parts, execution, faults and limits, results, doubtful figures), so the first error is the root cause.
Errors that follow from it are kept with severity "info". A run that passed never has a finding of severity "error".
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator

from .cleaning import compiled
from .consequence import because
from .draft import HOST_ALONE, Evidence
from .host.host_line import HostLine
from .outcome import Outcome
from .report import Capture, CompileSummary, Finding, Run
from .rules.etdump import etdump_findings
from .rules.figures import FIGURE_RULES
from .rules.outputs import estimate_findings, outputs_equal, outputs_not_computed, outputs_not_finite
from .units import format_many

Rule = Callable[[Run, Evidence, Outcome | None], "Finding | None"]

QUIET_RULES: tuple[Rule, ...] = (
    outputs_not_finite,
    outputs_equal,
    outputs_not_computed,
    *FIGURE_RULES,
    etdump_findings,
)
"""The rules for a run that passed without any trouble: wrong outputs weigh more than a figure that is not what it says."""


def rules_for(run: Run, evidence: Evidence) -> tuple[Rule, ...]:
    """The rules to ask about this run, in causal order; those about failures are imported only for a run with trouble."""
    if run.status == "passed" and not evidence.trouble:
        return QUIET_RULES
    if HOST_ALONE in evidence.seen and run.status != "not_started":
        from .rules.host_alone import host_alone

        return (host_alone,)
    from .rules.failure import FAILURE_RULES

    return (*FAILURE_RULES, *QUIET_RULES)


_TWICE = r"(?<=[\w)\]'\"`])([.:!?])\.(?=\s|\Z)"
"""The ends of a sentence that quotes one with an end of its own."""


def ended_once(finding: Finding) -> Finding:
    """The same finding, with one full stop where a quoted sentence brought its own."""
    if not any(twice in finding.detail for twice in ("..", ":.", "!.", "?.")):
        return finding
    return finding._replace(detail=compiled(_TWICE).sub(lambda end: end[1].replace(":", "."), finding.detail))


_BEFORE_EXECUTION = frozenset(("input-size-mismatch", "input-type", "inputs-failed"))
_EXECUTION = frozenset(("execution-failed", "operator-failed"))
"""Where one of these stands above one of those, it was not caused by it: a list of failures, or one input after another."""


def run_findings(run: Run, evidence: Evidence, outcome: Outcome | None = None) -> list[Finding]:
    """The findings of one run, the root cause first; `outcome` is how the host saw a live run end."""
    findings: list[Finding] = []
    follows: list[Finding] = []
    root: Finding | None = None
    for rule in rules_for(run, evidence):
        finding = rule(run, evidence, outcome)
        if finding is None:
            continue
        if finding.rule == "run-failed" and root is not None:
            continue
        if finding.severity == "error":
            if run.status == "passed":
                finding = finding._replace(severity="warning")
            elif root is None:
                root = finding
            elif finding.rule == root.rule:
                continue  # another rule's words for the same
            elif root.rule in _BEFORE_EXECUTION and finding.rule in _EXECUTION and finding.lines < root.lines:
                findings.remove(root)
                follows.append(root._replace(severity="info"))
                root = finding
            else:
                first = root.lines and finding.lines and max(finding.lines) < min(root.lines)
                # what came first has another cause
                detail = finding.detail if first else because(finding.detail, root.title)
                follows.append(finding._replace(severity="info", detail=detail))
                continue
        findings.append(finding)
    told = {line for f in (*findings, *follows) if f.rule != "error-messages" for line in f.lines}
    others = [f for f in findings if f is not root and not (f.rule == "error-messages" and told.issuperset(f.lines))]
    if root is None:
        return [ended_once(finding) for finding in others]
    follows.sort(key=lambda f: f.lines[:1])
    return [ended_once(finding) for finding in (root, *follows, *others)]


_OF_TFLITE = (
    "In a .tflite such operators run on the CPU, by the kernels of TensorFlow Lite Micro, and each may cut the NPU's part in two; "
    "inside a delegate of ExecuTorch they would not run."
)


def _nothing_delegated(summary: CompileSummary, lines: tuple[int, ...], for_cpu: bool) -> Finding:
    from .rules.nothing_delegated import (  # only here: most logs are of runs
        FOR_CPU,
        KERNEL_OF_CORTEX_M,
        nothing_delegated,
    )

    if for_cpu or any(map(compiled(KERNEL_OF_CORTEX_M).match, summary.non_delegated_operators)):
        detail = "The delegation table counts 0 subgraphs, as always where a Cortex-M is the target."
        return Finding(FOR_CPU.rule, "info", None, FOR_CPU.title, detail, FOR_CPU.advice, lines)
    told = nothing_delegated(" ".join(summary.non_delegated_operators))
    detail = "The delegation table counts 0 subgraphs, so every operator runs on the CPU."
    return Finding(told.rule, "error", None, told.title, detail, told.advice, lines)


_NAMED = 4
"""Operators that a sentence names."""


def _left_behind(summary: CompileSummary) -> str:
    """The operators that the CPU computes, in parentheses, without those that only convert between floats and integers."""
    names = [name for name in summary.non_delegated_operators if "quantize" not in name and "getitem" not in name]
    more = f" and {len(names) - _NAMED} others" if len(names) > _NAMED + 1 else ""
    return f" ({', '.join(names[:_NAMED] if more else names)}{more})" if names else ""


def compile_findings(summary: CompileSummary, *, for_cpu: bool = False) -> Iterator[Finding]:
    """The findings about one compile; `for_cpu` says that it was told to make a program for a Cortex-M."""
    lines = (summary.first_line,) if summary.first_line is not None else ()
    if summary.delegated_subgraphs == 0:
        yield _nothing_delegated(summary, lines, for_cpu)
    elif summary.delegated_subgraphs is not None and summary.delegated_subgraphs > 1:
        yield Finding(
            "fragmented",
            "warning",
            None,
            f"The model is cut into {summary.delegated_subgraphs} NPU subgraphs",
            "Between them the CPU computes, and tensors are quantised, dequantised and copied at each border.",
            f"See which operators were not delegated{_left_behind(summary)}; replacing them joins the subgraphs.",
            lines,
        )
    from .targets import SYSTEM_CONFIGS, configs_of  # only here: most logs are of runs

    config = SYSTEM_CONFIGS.get(summary.system_config or "")
    if config is not None and summary.accelerator and not summary.accelerator.startswith(f"{config.npu}-"):
        family = summary.accelerator.rpartition("-")[0]
        yield Finding(
            "system-config-of-another-npu",
            "warning",
            None,
            f"The system configuration {config.name} is not of {summary.accelerator}",
            f"It describes a system with an {config.npu}. Vela takes it all the same, and places and estimates with that one's clock and memories.",
            f"Compile with one for {family}: {configs_of(family)}.",
            lines,
        )
    if summary.cpu_operators:
        delegated = summary.delegated_subgraphs is not None or summary.first_line is None
        yield Finding(
            "vela-cpu-operators",
            "warning",
            None,
            f"Vela left {format_many(summary.cpu_operators, 'operator')} to the CPU",
            "Inside a delegate this does not run on an Ethos-U." if delegated else _OF_TFLITE,
            "Compile for a configuration that supports them, or keep them out of the delegate."
            if delegated
            else "Replace them by operators that Vela supports (vela --supported-ops-report), or have their kernels in the op "
            "resolver and accept the CPU's time.",
            lines,
        )


_QUOTES = frozenset(("test-failed", "simulation-failed"))
"""Findings of host programs that print the console of their run below themselves."""
_FOLLOWS = frozenset(
    (
        "flash-failed",
        "compile-failed",
        "program-not-loaded",
        "test-failed",
        "simulation-failed",
        "model-run-failed",
        "models-failed",
        "job-step-failed",
    )
)
"""What a Python program or the script of a CI job says about a run of its own that failed."""


_BELOW_RUN = {"build-failed": 8, "traceback-cut": 4, "fvp-run-failed": 16}
"""What make, ninja and Python say about a run that failed, at most so many lines below it."""
_ABOVE_RUN = {"fvp-run-failed": 4}
"""What ninja says above the console of a run whose output it held back, at most so many lines above it."""
_RUN_BY_MAKE = r"\*\*\* \[(?:[^\]\s]{1,200}: ?)?(?:run_?)?(?:tests?|run|check)(?![A-Za-z])[^\]\s./]{0,200}\]"
"""Targets of make that run something; a name with an extension or in a folder is a file to make."""


def _of_run(said: Finding, root: Finding, capture: Capture) -> bool:
    """Whether a finding of the host reports that a run of the capture failed.

    A Python program says so below the run, or above it, as pytest does when it prints captured output.
    """
    if not root.lines:
        return False
    run = next((r for r in capture.runs if r.index == root.run), None)
    if said.rule in _BELOW_RUN:
        last = run.last_line if run is not None else root.lines[-1]
        if run is not None and 0 < run.first_line - said.lines[0] <= _ABOVE_RUN.get(said.rule, 0):
            return True
        told = said.rule != "build-failed" or compiled(_RUN_BY_MAKE).search(said.detail) is not None
        return told and 0 < said.lines[0] - last <= _BELOW_RUN[said.rule]
    if said.rule not in _FOLLOWS:
        return False
    captured = said.rule == "program-not-loaded" and run is not None and run.target.platform not in ("fvp", "board")
    if said.rule in _QUOTES and run is not None and said.lines[0] < run.first_line:
        captured = not any(said.lines[0] < r.last_line < run.first_line for r in capture.runs)
    return captured or said.lines[0] > root.lines[0]


_JUDGE_BY_LINE = (
    "Judge the run by its own completion line. Where the status matters, as in a CI job, let the FVP end with the run instead of by a limit "
    "(-C mps3_board.uart0.shutdown_on_eot=1, for Corstone-320 mps4_board; in Zephyr by ARMFVP_EXTRA_FLAGS)."
)


def _after_passed(host: list[Finding], capture: Capture) -> list[Finding]:
    """The host's findings, without errors that only repeat the exit status of a run that was complete."""
    said = host[0]
    if said.severity != "error" or said.rule not in _BELOW_RUN or said.rule == "traceback-cut":
        return host
    if said.rule == "build-failed" and compiled(_RUN_BY_MAKE).search(said.detail) is None:
        return host
    above = [run for run in capture.runs if run.first_line < said.lines[0]]
    if not above or above[-1].status != "passed" or said.lines[0] - above[-1].last_line > _BELOW_RUN[said.rule]:
        return host
    told = " The run above it was complete: what started it only says that the simulator or its program ended with another status than 0."
    return [said._replace(severity="warning", detail=f"{said.detail}{told}", advice=_JUDGE_BY_LINE), *host[1:]]


_OF_DELEGATION = ("not-delegated", "compiled-for-cpu")
"""What a compile says about a program that the NPU has no part in."""
_FOR_CORTEX_M = r"(?<!\S)(?:--target|-t)(?:=| +)['\"]?cortex-m"


def _for_cortex_m(summary: CompileSummary, notes: list[HostLine]) -> bool:
    """Whether the last compile command above this summary names a Cortex-M as its target."""
    if summary.delegated_subgraphs != 0 or summary.first_line is None:
        return False
    above = [note.text for note in notes if note.kind == "compile_command" and note.line < summary.first_line]
    return bool(above) and compiled(_FOR_CORTEX_M).search(above[-1]) is not None


def _compiled_for_cpu(summaries: Iterable[CompileSummary], host: list[Finding]) -> set[int]:
    """First lines of the compile summaries that say themselves that they are for a Cortex-M.

    Where other compiles were not for one, each statement belongs to the summary above it. Otherwise all are, because a
    statement in the same words is kept only once.
    """
    firsts = sorted(s.first_line for s in summaries if s.delegated_subgraphs == 0 and s.first_line is not None)
    told = [line for f in host if f.rule == "compiled-for-cpu" for line in f.lines if firsts and line >= firsts[0]]
    if not any(f.rule == "not-delegated" for f in host):
        return set(firsts) if told else set()
    return {firsts[bisect(firsts, line) - 1] for line in told}


def capture_findings(
    capture: Capture, of_runs: list[Finding], host: list[Finding], notes: list[HostLine]
) -> list[Finding]:
    """All findings of a capture: host and runs in the order of the log.

    `of_runs` are the findings of its runs, `host` those of builds and installations, and `notes` what compiles printed
    that is no error, with their commands.
    """
    others = list(of_runs)
    if sum(run.status == "truncated" for run in capture.runs) > 1:
        from .rules.endings import in_a_loop  # only here: most logs are of runs that end

        others = in_a_loop(others, capture.runs)
    host = [ended_once(finding) for finding in host]
    for_cpu = _compiled_for_cpu(capture.compile, host)
    for summary in capture.compile:
        others += compile_findings(summary, for_cpu=summary.first_line in for_cpu or _for_cortex_m(summary, notes))
    said = {f.rule for f in others if f.rule in _OF_DELEGATION}
    if said:  # the table has said it with its figures
        first = (capture.compile[0].first_line or 0,)
        host = [f for f in host if f.rule not in _OF_DELEGATION or (f.rule not in said and f.lines[:1] < first)]
    if capture.compile and capture.runs:
        others += estimate_findings(capture.runs, capture.compile)
    if not host:
        return others
    host = _after_passed(host, capture)
    root = next((f for f in others if f.severity == "error" and f.run is not None), None)
    if root is not None and _of_run(host[0], root, capture):
        follows = [f._replace(severity="info", detail=because(f.detail, root.title)) for f in host]
        return [*others, *follows]
    if not others or host[0].lines[0] <= min((f.lines[0] for f in others if f.lines), default=1 << 62):
        return [*host, *others]
    return [*others, *host]
