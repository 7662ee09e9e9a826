"""The five answers to a run of a log."""

from __future__ import annotations

from collections.abc import Sequence

from ..fit.of_run import LEVERS, RunFit, RunNeeds, boards_with_npu, needs_of_run
from ..meaning.timed import LEAST, MEDIAN, MOST
from ..named_tuple import TYPE_CHECKING
from ..report import CompileSummary, Finding, Run, counts_calls
from ..units import format_bytes, format_cycles, format_hz, format_percent, format_seconds
from .answer import Answer, first_sentence, unknown, with_room

if TYPE_CHECKING:
    from ..meaning.boards import Board

_MEMORY_RULES = frozenset(
    ("method-pool-too-small", "fast-pool-missing", "fast-pool-too-small", "temp-pool-too-small", "etdump-memory", "input-pool-too-small")
)  # fmt: skip
_OF_FIGURES = frozenset(
    (
        "fvp-ratio-not-time", "wrapped-total", "cycle-counter-wrapped", "cpu-cycles-not-counted",
        "operator-cycles-not-counted", "program-size-unknown", "lines-doubled", "undecodable-lines", "error-messages",
        "outputs-without-names", "planned-buffers-left-out", "counter-names-missing", "several-models", "ticks-not-time",
    )
)  # fmt: skip
"""Warnings about how a figure is to be read, which leave nothing to do about the model."""


def answers_of_run(
    run: Run,
    findings: Sequence[Finding],
    summary: CompileSummary | None = None,
    board: Board | None = None,
    status: str | None = None,
) -> tuple[Answer, ...]:
    """The answers to a derived run; `findings` are those of its capture, `status` what it is called where that is not its own.

    `summary` is the compile that it can be of, `board` one that the user asks for.
    """
    own = [finding for finding in findings if finding.run in (None, run.index)]
    root = next((finding for finding in own if finding.severity == "error"), None)
    mixed = next((finding for finding in own if finding.rule == "targets-mixed"), None)
    if mixed is not None and (status or run.status) == "passed":
        return _of_mixed(mixed, own)
    return (
        _passed(run, own, root, status or run.status),
        _speed(run, own, root),
        _fit(run, root, summary, board),
        _limit(run, own, root),
        _advice(own, root),
    )


def _of_mixed(mixed: Finding, own: Sequence[Finding]) -> tuple[Answer, ...]:
    """Where the lines of two targets stand mixed, the log has figures, and whose they are is not told."""
    lines, why = mixed.lines[:1], "lines of two targets are mixed, and the log does not show whose figures these are"
    came = "something ran to its end, but lines of two targets are mixed"
    passed = Answer("passed", "yes, but", came, tone="warn", lines=lines)
    unclear = (unknown("speed", why), unknown("fit", why), unknown("limit", why))
    return (passed, *(answer._replace(lines=lines) for answer in unclear), _advice(own, None))


# -- did it pass ---------------------------------------------------------------------------------------------------


def _passed(run: Run, own: Sequence[Finding], root: Finding | None, status: str) -> Answer:
    lines = root.lines[:1] if root is not None else (run.last_line,)
    if status != "passed":
        why = root.title if root is not None else f"it reached the stage {run.stage}"
        if root is not None and run.stage not in ("start", "complete") and "stage" not in why:
            why += f" (at the stage {run.stage}{f', line {lines[0]}' if lines else ''})"
        if status in ("truncated", "running", "stopped", "lost"):
            what = {"truncated": "", "lost": "the run was lost; "}.get(status, f"the run is {status}; ")
            return unknown("passed", what + _lower(why))._replace(tone="warn", lines=lines)
        word = {"not_started": "no, it did not start"}.get(status, f"no, {status}")
        bad = status in ("failed", "timeout", "hung")
        return Answer("passed", word, _lower(why), tone="bad" if bad else "warn", lines=lines)
    count = run.cycles.inferences if not counts_calls(run) else None
    done = f"{count:,} inferences were carried out" if count is not None and count > 1 else "it ran to its end"
    if any(finding.rule == "test-out-of-tolerance" for finding in own):
        return Answer(
            "passed",
            "yes, but",
            f"{done}, and outputs outside their tolerance are counted as passed",
            tone="warn",
            lines=lines,
        )
    said = {finding.rule: finding for finding in own}
    equal = said.get("outputs-all-equal")
    odd = said.get("outputs-not-finite")
    if run.bundleio is not None:
        line = run.lines.get("bundleio.result")
        right = "its outputs are those that the bundled program expects"
        return Answer("passed", "yes", f"{done}, and {right}", tone="good", lines=(line,) if line is not None else ())
    if odd is not None:
        return Answer("passed", "yes, but", "outputs hold inf or nan", tone="warn", lines=odd.lines[:1])
    if equal is not None:
        return Answer("passed", "yes, but", "all its outputs are equal", tone="warn", lines=equal.lines[:1])
    return Answer("passed", "yes", f"{done}; no reference says whether the outputs are right", tone="good", lines=lines)


def _lower(text: str) -> str:
    """A title inside of a sentence: names and abbreviations keep their capital."""
    word = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if word[1:].islower() or len(word) == 1 else text


def _had_its_inferences(run: Run) -> bool:
    """Whether it came as far as its report before it failed, as where the outputs are not the expected ones; or it passed,
    and the error is of something beside it."""
    return run.status == "passed" or (run.status == "failed" and run.stage in ("report", "complete"))


# -- how fast ------------------------------------------------------------------------------------------------------


def _spread(run: Run) -> str:
    """Between what the inferences lay, where each was timed: a first one that is slow makes a mean of few say little."""
    if MEDIAN not in run.derived:
        return ""
    least, middle, most = (format_seconds(run.derived[name].value) for name in (LEAST, MEDIAN, MOST))
    return f", {least} to {most} with a median of {middle}"


def _speed(run: Run, own: Sequence[Finding], root: Finding | None) -> Answer:
    times, derived = run.times, run.derived
    simulated = run.target.platform not in ("board", "host")
    line = run.lines.get("pmu.npu_cycles")
    lines = (line,) if line is not None else ()
    cycles = derived.get("npu_cycles_per_inference")
    each = f"{format_cycles(round(cycles.value))} NPU cycles an inference" if cycles is not None else None
    total, mean = (run.pmu.npu_cycles, run.pmu.npu_cycles_per_inference) if run.pmu is not None else (None, None)
    if each is None and total:
        each = f"{format_cycles(total)} NPU cycles in all"
    elif each is None and total is None and mean is not None:  # an application that prints nothing but the mean
        each = f"{format_cycles(round(mean))} NPU cycles an inference"
    if times.inference_seconds is not None:
        path = run.lines.get("times.inference_seconds")
        where = f"the runner measured it{_spread(run)}" + (f"; {each}" if each is not None else "")
        return Answer(
            "speed", f"{format_seconds(times.inference_seconds)} an inference", where, lines=(path,) if path else ()
        )
    if each is None:
        if root is not None and not _had_its_inferences(run):
            return unknown("speed", f"the run did not come to its end ({run.stage})")
        if any(finding.rule == "ticks-not-time" for finding in own):
            return unknown("speed", "the log counts ticks of a clock that it does not name")
        return _cpu_speed(run, simulated)
    rest = "; CPU cycles of a simulator are not time" if simulated and run.cycles.inference is not None else ""
    seconds, clock = derived.get("npu_seconds_per_inference"), derived.get("npu_clock")
    if seconds is not None and clock is not None:
        part = "on the NPU alone" if simulated or run.target.platform == "board" else "on the NPU"
        reason = f"{each} at {format_hz(clock.value)} ({source_in_words(clock.sources[0])}){rest}"
        return Answer("speed", f"{format_seconds(seconds.value)} {part}", reason, lines=lines)
    return Answer("speed", each, f"no clock is known (--npu-clock){rest}", lines=lines)


def _cpu_speed(run: Run, simulated: bool) -> Answer:
    """Without cycles of the NPU those of the CPU are left: of a whole inference, or of its operators alone."""
    told = (
        ("cycles.inference", run.cycles.inference, ""),
        ("cycles.operators_total", run.cycles.operators_total, " in all operators"),
    )
    name, count, of = next((one for one in told if one[1] is not None), told[0])
    if count is None:
        return unknown("speed", "the log holds no cycles and no time of an inference")
    if run.target.platform is None:
        return unknown(
            "speed", "the log has CPU cycles only, which are not time; it names neither a board nor a simulator"
        )
    if simulated:
        return unknown("speed", "the log has CPU cycles of a simulated core only, and these are not time")
    line = run.lines.get(name)
    said = f"{format_cycles(count)} CPU cycles{of}"
    return Answer("speed", said, "no NPU cycles are in the log", lines=(line,) if line else ())


_SOURCES = {
    "assumptions.npu_clock_hz": "the clock that was given",
    "assumptions.cpu_clock_hz": "the clock that was given",
    "assumptions.system_config": "of the system config that was given",
    "assumptions.target": "the target that was given",
    "assumptions.model_macs": "the MACs that were given",
    "compile.core_clock_hz": "of the Vela summary in this capture",
    "target.system_config": "of the system config that the log names",
}


def source_in_words(source: str) -> str:
    """Where a figure that the log does not have was taken from."""
    known = _SOURCES.get(source)
    if known is not None:
        return known
    kind, _, name = source.partition(".")
    doubt = ", which nobody has checked" if source.endswith("(unverified)") else ""
    if kind == "boards":
        return f"of the board {name.split('.')[0]}{doubt}"
    return f"of the target {name.partition('.clock')[0]}{doubt}" if kind == "targets" else source


# -- does it fit ---------------------------------------------------------------------------------------------------


def _fit(run: Run, root: Finding | None, summary: CompileSummary | None, board: Board | None) -> Answer:
    if root is not None and root.rule in _MEMORY_RULES:
        return Answer("fit", "no", _lower(root.title), tone="bad", lines=root.lines[:1])
    needs = needs_of_run(run, summary)
    arena = any(item.name == "tensor arena" for item in needs.items)
    name, called = ("tensor_arena", "tensor arena") if arena else ("method", "method pool")
    line = run.lines.get(f"memory.pools.{name}.used_bytes") or run.lines.get("memory.planned_buffers.0")
    lines = (line,) if line is not None else ()
    if board is not None:
        from ..fit.on_boards import fit_on

        return _on_board(fit_on(run, board, needs), needs, lines)
    if not needs.items:
        why = (
            "the run stopped before it printed its memory"
            if root is not None and run.status not in ("truncated", "passed")
            else "the log does not say how much of its pools was used"
        )
        return unknown("fit", why)
    boards = boards_with_npu(run)
    found = _fitted(run, boards, needs) if boards else []
    fits = [one.board.name for one in found if one.fit == "fits"]
    need = f"{_range(needs)} of RAM" + (
        f" and {format_bytes(needs.program_bytes)} for the program" if needs.program_bytes is not None else ""
    )
    why = "the log names no NPU, so no board can be chosen" if run.target.npu is None else with_room(fits, len(boards))
    reasons = {one.reason for one in found}
    if len(reasons) == 1 and all(one.fit == "cannot tell" for one in found):
        why += f", as {reasons.pop()}"
    pool = run.memory.pools.get(name)
    used = pool.used_bytes if pool is not None else None
    if used is None:
        buffers, inputs = sum(run.memory.planned_buffers), run.memory.input_bytes or 0
        called, used = (
            f"{called} for its planned buffers{' and inputs' * (inputs > 0)}",
            buffers and buffers + inputs or None,
        )
    if run.status != "passed" or pool is None or used is None or not pool.capacity_bytes or used > pool.capacity_bytes:
        return Answer("fit", f"it needs {need}", why, lines=lines)
    share = format_percent(100 * used / pool.capacity_bytes)
    return Answer("fit", f"in its pools, yes ({share} of the {called})", f"it needs {need}; {why}", lines=lines)


def _fitted(run: Run, boards: Sequence[Board], needs: RunNeeds) -> list[RunFit]:
    from ..fit.on_boards import fit_on

    return [fit_on(run, board, needs) for board in boards]


def _range(needs: RunNeeds) -> str:
    least, most = needs.least_bytes, needs.most_bytes
    if most is None:
        return f"at least {format_bytes(least)}"
    return format_bytes(most) if least == most else f"{format_bytes(least)} to {format_bytes(most)}"


def _on_board(found: RunFit, needs: RunNeeds, lines: tuple[int, ...]) -> Answer:
    name = found.board.name
    biggest = needs.biggest
    most = f"; most of the RAM is {needs.most_words}" if biggest is not None else ""
    margin = found.margin_percent
    if found.fit == "fits":
        left = f", {margin:.0f} % to spare" if margin is not None else ""
        return Answer("fit", f"on {name}, yes{left}", f"{found.reason}{most}", tone="good", lines=lines)
    if found.fit == "does not fit":
        decisive = found.regions[0].region
        lever = ""
        if decisive == "RAM" and biggest is not None:
            lever = f"; try {LEVERS.get(biggest.name, LEVERS['method pool'])}"
        elif decisive == "program":
            lever = f"; {LEVERS['program']}"
        return Answer("fit", f"on {name}, no", f"{found.reason}{most}{lever}", tone="bad", lines=lines)
    return Answer("fit", f"on {name}, it cannot be told", found.reason, known=False, tone="dim", lines=lines)


# -- what limits it, and what to do --------------------------------------------------------------------------------


def _limit(run: Run, own: Sequence[Finding], root: Finding | None) -> Answer:
    bound = next((finding for finding in own if finding.rule.startswith("bound-")), None)
    if bound is not None:
        from ..meaning.bound import is_undecided, told_by  # loaded already where there is one

        if not is_undecided(bound):
            return Answer("limit", _lower(bound.title), first_sentence(bound.detail), lines=bound.lines[:1])
        known = told_by(bound)
        tells = f" (they show: {known})" if known else ""
        return unknown("limit", f"its counters do not show it{tells}")._replace(lines=bound.lines[:1])
    if root is not None and not _had_its_inferences(run):
        return unknown("limit", "the run did not come to its end")
    if run.pmu is None:
        return unknown("limit", "the log has no PMU counters of the NPU")
    if run.pmu.npu_cycles is None:
        return unknown("limit", "the log does not say how many cycles the NPU took")
    if not run.pmu.npu_cycles:
        return unknown("limit", "the NPU counted no cycles")
    return unknown("limit", "its figures contradict each other, so none is used")


def _advice(own: Sequence[Finding], root: Finding | None) -> Answer:
    if root is not None:
        return _todo(root, "")
    worth = next((f for f in own if f.severity == "warning" and f.rule not in _OF_FIGURES and f.advice), None)
    if worth is not None:
        return _todo(worth, _lower(worth.title))._replace(tone="warn")
    bound = next((finding for finding in own if finding.rule.startswith("bound-")), None)
    if bound is not None:
        from ..meaning.bound import is_undecided, missing_for

        if is_undecided(bound):
            missing = first_sentence(missing_for(bound))
            return Answer("advice", "say what the log does not", missing, lines=bound.lines[:1])
        return Answer("advice", _lower(first_sentence(bound.advice)), "", lines=bound.lines[:1])
    return Answer("advice", "nothing", "nothing in the log speaks against it")


def _todo(finding: Finding, why: str) -> Answer:
    """What to do about a finding; where its first sentence does not say what to type, that goes before it."""
    from .fix import fix_of  # most runs pass

    said = first_sentence(finding.advice)
    fix = fix_of(finding)
    if fix is not None and fix not in said:
        return Answer("advice", fix, _lower(said), lines=finding.lines[:1])
    return Answer("advice", _lower(said), why, lines=finding.lines[:1])
