"""Findings about builds, installations and failing compiles in a capture, the cause first and what followed from it
below.
"""

from __future__ import annotations

import re
from bisect import bisect

from ..consequence import because
from ..host.host_line import HostLine
from ..host.host_log import RETRY, HostLog
from ..host.zsh import as_others
from ..named_tuple import NamedTuple
from ..report import CompileSummary, Finding, Run, Severity
from .causes import ANY_PART, Explained, Failure, explain_text, quoted
from .causes_aot import AOT_FAILURES
from .causes_build import BUILD_FAILURES
from .causes_machine import CRASHED_ALONE, OUT_OF_TIME, TIMED_OUT
from .causes_places import at_line, is_option_of_vela, of_place
from .causes_vela import VELA_VALUE
from .mended import aside, mended
from .nothing_delegated import FOR_CPU, nothing_delegated
from .pool_options import CMAKE_FILE
from .python_runtime import METHOD_UNKNOWN, with_runtime
from .unexplained import unexplained

_EXPLAINED_LIMIT = 120
"""Different error lines that are explained; each is held against two tables."""
_OF_SHELL = frozenset((
    "wrong-shell", "script-missing", "script-not-executable", "pip-missing", "build-tool-missing", "interpreter-missing",
    "program-wrong-machine", "too-many-processes", "source-not-git", "git-access", "git-refused", "git-ref-unknown",
    "pte-for-build-missing", "command-missing", "environment-missing", "shell-of-windows",
))  # fmt: skip
"""Rules of what a shell could not start, or git did not do."""
_AT_EXIT = "python-at-exit"
"""The rule of what a simulator's own Python says when the simulation is over."""
_ONLY_STOPPED = 3
"""The rank of those that say no more than that something failed."""
_GAVE_UP = (
    "Could not find a version", "No matching distribution", "Could not fetch URL", "HTTPSConnectionPool", "HTTPConnectionPool",
    "Max retries", "OSError: HTTP", "onnection", "timed out", "Proxy", "SSL",
)  # fmt: skip
"""What pip says where trying again did not help; another error is of something else, which it came to."""
_INSTALLED = "ERROR: pip's dependency resolver does not"
"""How pip begins what it says of packages that it has installed all the same, before or behind the word that it has."""
_OF_CMAKE = "CMake Error at "
"""How CMake begins an error of which this line has only the place, and those below it the words."""
_BEHIND_CMAKE = re.compile(r"(?:-- )?Configuring incomplete|Call Stack \(most ")
_DEFAULT_METHOD_POOL_BYTES = 62914560
_METHOD_POOL_OF_0_5_BYTES = 20971520
"""That of the first release that takes the option."""
_OTHER_PROGRAM = re.compile(
    r"(?:ld|ld\.bfd|ld\.lld): (?!\S{0,200}executor_runner)(?=\S{0,200}\.(?:elf|axf|out) )\S{1,200} section "
)
"""The linker names a program that is not ExecuTorch's runner, whose pools are others."""
_SCRATCH_SECTION = "section `.sram.bss"
_ZEPHYR_MODEL = "network_model_sec"
_CODE_REGIONS = ("ITCM", "FLASH", "ROM", "CODE", "MRAM", "TEXT")
_UNKNOWN = Failure("compile-failed", "", "", "", ())

_TRACEBACK_CUT = Failure(
    "traceback-cut",
    "",
    "A Python program of the compile failed, and the log ends inside its traceback",
    "Capture all of it (2>&1): the last line of a traceback says what was raised.",
    (),
    1,
)


_CHAINED = ("The above exception was the direct cause of", "During handling of the above exception, another")
"""What Python writes between an exception and the one that came of it."""


class _Told(NamedTuple):
    """An error line with what explains it, and whether the logger that printed it called it a warning."""

    line: HostLine
    explained: Explained
    warns: bool


def host_findings(
    log: HostLog, runs: tuple[Run, ...], summaries: tuple[CompileSummary, ...], ended_well: bool = False
) -> list[Finding]:
    """All findings without a run; errors are warnings where the same capture shows that it went on well.

    `ended_well`: the exit status was seen and is good, which knows better than an error line that nothing explains.
    """
    lines = [line for line in log.lines if line.kind != "job_lost"]
    findings = _of_tools(log, lines, runs, summaries, ended_well)
    if len(lines) == len(log.lines):
        return findings
    from .endings import JOB_LOST, JOB_LOST_ADVICE

    findings = [finding for finding in findings if finding.rule not in ("build-log", "compile-log")]
    told = bool(runs or summaries) or any(finding.severity == "error" for finding in findings)
    stopped = next(line for line in log.lines if line.kind == "job_lost")
    detail = f"{JOB_LOST}. The log says: {quoted(stopped.text)}"
    title = "The CI job was stopped by its host"
    severity: Severity = "warning" if told else "error"
    return [*findings, Finding("job-stopped", severity, None, title, detail, JOB_LOST_ADVICE, (stopped.line,))]


def _of_tools(
    log: HostLog, lines: list[HostLine], runs: tuple[Run, ...], summaries: tuple[CompileSummary, ...], ended_well: bool
) -> list[Finding]:
    """What compiles, builds and installations say, of which `lines` are errors."""
    notes: list[Finding] = []
    if log.notes:
        from .compile_notes import compile_notes

        notes = compile_notes(log.notes)
    known = _beside_runs(_explained(lines, installed=bool(log.last_done)), log, runs)
    if any(told.explained.failure.rule == "out-of-memory" for told in known):
        from .killed import killed_by

        known = [t._replace(explained=killed_by(t.line, log, lines) or t.explained) for t in known]
    if not known:
        return _without_cause(log, lines, notes, others=bool(runs or summaries), ended_well=ended_well)
    last_error = max((t.line.line for t in known if not (t.warns and t.line.text.startswith(_INSTALLED))), default=0)
    recovered = mended(last_error, ((t.line, t.explained.failure.rule) for t in known), log, runs, summaries)
    found: list[Finding] = []
    if not (runs or summaries or recovered or ended_well) and all(
        told.explained.failure.rank >= _ONLY_STOPPED for told in known
    ):
        failed = unexplained(log, lines, {told.line.line for told in known})
        found += [failed] if failed is not None else []
    findings = [*_told(known, lines, found, log.turns, recovered=recovered), *notes]
    if summaries:
        from .unfinished import unfinished

        at = {line for finding in findings if finding.severity == "error" for line in finding.lines}
        of_compiles = (unfinished(told.line, log, summaries) for told in known if told.line.line in at)
        findings += next(filter(None, of_compiles), [])
    return findings


def _beside_runs(known: list[_Told], log: HostLog, runs: tuple[Run, ...]) -> list[_Told]:
    """What is known of errors, where runs tell that some of it did no harm."""
    if runs:
        known = [t for t in known if t.explained.failure.rule != "interrupted" and t.explained.failure != CRASHED_ALONE]
    return [told._replace(warns=told.warns or _harmless(told, log, runs)) for told in known]


def _harmless(told: _Told, log: HostLog, runs: tuple[Run, ...]) -> bool:
    """Whether a run, or a program that was saved, shows that this stopped nothing."""
    failure = told.explained.failure
    if any(run.status != "not_started" for run in runs):
        if failure.rule in _OF_SHELL:
            return True  # it started without what a shell could not start
    elif log.saved and (_of_another(told, log.saved) or (failure == CRASHED_ALONE and not runs)):
        return True
    if not runs or told.line.line <= runs[-1].last_line:
        return False
    return failure.rule == _AT_EXIT or (runs[-1].status == "passed" and aside(told.line))  # of another command then


def _without_cause(
    log: HostLog, lines: list[HostLine], notes: list[Finding], *, others: bool, ended_well: bool
) -> list[Finding]:
    """What there is to say where no error is explained; `others` are runs and summaries that have their own findings."""
    if not (others or notes) and log.saved:
        called = _command(log, alone=True)
        if called:
            return called
    if not (others or notes or log.notes) and log.saved:
        from .compile_notes import saved_alone

        return [saved_alone(log)]
    failed = None if others or log.saved or ended_well else unexplained(log, lines, set())
    if failed is not None:
        return [failed, *notes]
    if others or notes or not log.steps:
        return notes or _command(log, alone=not others)
    from .compile_notes import without_error

    return [without_error(log)]


def _told(
    known: list[_Told], lines: list[HostLine], findings: list[Finding], turns: list[int], *, recovered: bool
) -> list[Finding]:
    """The findings, and one a rule behind them: causes first, then what failed of them, in the order of the log.

    What failed of the command that was given next (`turns`) did not come of what failed before it.
    """
    seen: dict[str, int] = {}
    for told in sorted(
        known, key=lambda told: (_is_note(told), told.warns, told.explained.failure.rank, told.line.line)
    ):
        rule = told.explained.failure.rule
        if rule in seen:
            findings[seen[rule]] = _joined(findings[seen[rule]], told.line, told.explained)
            continue
        seen[rule] = len(findings)
        turn = bisect(turns, told.line.line)
        root = next((f for f in findings if not turns or any(bisect(turns, at) == turn for at in f.lines)), None)
        root = root if root is not None and (recovered or root.severity == "error") else None
        findings.append(_finding(told, root, recovered, lines))
    return findings


def _after_retries(line: HostLine, lines: list[HostLine]) -> str:
    """Of a connection that was tried again and again: what was said first behind that."""
    if not line.text.startswith(RETRY):
        return ""
    return next((item.text for item in lines if item.line > line.line and not item.text.startswith(RETRY)), "")


def _command(log: HostLog, *, alone: bool) -> list[Finding]:
    """A compile of which the log holds no more than its command line."""
    from .compile_notes import command_alone

    return command_alone(log) if alone and log.notes else []


def _explained(lines: list[HostLine], *, installed: bool) -> list[_Told]:
    known: list[_Told] = []
    texts: set[str] = set()
    for line in lines:
        if len(texts) >= _EXPLAINED_LIMIT:
            break
        if line.text in texts:
            continue
        texts.add(line.text)
        line = _whole(line)
        found = _explain(line)
        if found is None:
            continue
        if (
            known
            and found.failure is not _UNKNOWN
            and known[-1].explained.failure is _UNKNOWN
            and _goes_on(known[-1].line)
        ):
            known[-1] = known[-1]._replace(explained=known[-1].explained._replace(failure=_UNKNOWN._replace(rank=1)))
        after = _after_retries(line, lines)
        if not after or any(words in after for words in _GAVE_UP):  # else trying again helped
            warns = line.kind == "test_again" or (line.text.lstrip("[").startswith("WARNING") and not after)
            known.append(_Told(line, found, warns or (installed and line.text.startswith(_INSTALLED))))
    return known


def _goes_on(line: HostLine) -> bool:
    """Whether the next traceback is of what came of this exception."""
    last = line.text.rstrip().rpartition("\n")[2].strip()
    return last.startswith(_CHAINED)


def _explain(line: HostLine) -> Explained | None:
    if line.kind == "model_not_delegated":
        told = nothing_delegated(line.text)
        return Explained(told, told.title, told.advice)
    if line.kind == "job_timeout":
        return explain_text((OUT_OF_TIME, TIMED_OUT), line.text)
    if line.kind == "traceback_cut":
        return Explained(_TRACEBACK_CUT, _TRACEBACK_CUT.title, _TRACEBACK_CUT.advice)
    if line.kind == "python_error" and line.text.startswith("KeyboardInterrupt"):
        return None  # whoever watches a console ends that so
    if line.kind in ("python_error", "field_error", "aot_error") or line.text.startswith(
        "ERROR:root:Error while saving"
    ):
        found = explain_text(_believed(line), line.text) or explain_text(BUILD_FAILURES, line.text)
        if found is None and line.kind == "field_error":
            option = is_option_of_vela(line.place) and explain_text((VELA_VALUE,), line.text)
            method = line.place.part == "runtime" and explain_text((METHOD_UNKNOWN,), line.text)
            return option or method or Explained(_UNKNOWN, *of_place(line.place, line.text))
        return found and at_line(found, line.place, line.text)
    found = explain_text(BUILD_FAILURES, as_others(line.text.replace("\n", " ")))
    argument = ": error: argument" in line.text
    if argument or (
        found is None
        and line.text.startswith(("Error: ", "error: ", "vela: error: ", "ERROR: unknown command line flag"))
    ):
        found = explain_text(_believed(line), line.text) or found
    return found


def _believed(line: HostLine) -> list[Failure]:
    """The rows for what Python raises, without those for words of other programs where this is not known to be of the field."""
    of_field = line.kind in ("field_error", "aot_error")
    here = (ANY_PART, line.place.part) if of_field else ()
    return [row for row in AOT_FAILURES if not row.raised_in or any(part in here for part in row.raised_in)]


def _whole(line: HostLine) -> HostLine:
    """A line that a terminal broke, with the row below it, where only both together tell a cause."""
    if not line.below or line.below[0].isupper() or line.text.endswith((".", "!")):
        return line
    for between in ("", " "):
        text = f"{line.text}{between}{line.below}"
        found = explain_text(BUILD_FAILURES, as_others(text))
        if found is not None and explain_text((found.failure,), as_others(line.text)) is None:
            return line._replace(text=text)
    return line


def _of_another(told: _Told, saved: int) -> bool:
    """Whether a shell did not know a command of its user's behind a compile that has saved its program."""
    return told.line.line > saved and told.explained.failure.rule == "command-missing"


def _is_note(told: _Told) -> bool:
    """Whether it is what the compile says of its result, beside which something else has failed."""
    return told.line.kind == "model_not_delegated"


def _finding(told: _Told, root: Finding | None, recovered: bool, lines: list[HostLine]) -> Finding:
    line, explained, warns = told
    severity: Severity = "warning" if recovered or warns else "error"
    if explained.failure is FOR_CPU:
        severity = "info"
    elif root is not None and _is_note(told):
        severity, root = "warning", None  # what failed there did not come of it, nor it of that
    said = line.text.splitlines()[0]
    if said.startswith(_OF_CMAKE):
        said = " ".join(_BEHIND_CMAKE.split(line.text, 1)[0].split())
    detail = f"The log says: {quoted(line.written or said)}"
    if warns and line.text.startswith(_INSTALLED):
        detail += " pip still installed what it was asked to."
    elif warns and line.text.lstrip("[").startswith("WARNING"):
        detail += " It is only a warning here."
    elif line.kind == "test_again":
        detail += " It passed when run again."
    elif warns:
        detail += " It stopped nothing that this log shows."
    elif recovered and not (_is_note(told) or severity == "info"):
        detail += " The lines after it show that it carried on."
    if root is not None:
        severity = "info"
        detail = because(detail, root.title)
    advice = explained.advice
    if explained.failure.rule == "link-overflow":
        advice, sizes = _overflow(advice, lines)
        detail += sizes
    finding = Finding(explained.failure.rule, severity, None, explained.title, detail, advice, (line.line,))
    return with_runtime(finding, line)


def _joined(finding: Finding, line: HostLine, explained: Explained) -> Finding:
    """A further line of one rule: the title with numbers, or with a reason, is the better one."""
    sized = "bytes" in explained.title and "bytes" not in finding.title
    better = explained.title if sized or explained.title.startswith(f"{finding.title}: ") else finding.title
    lines = tuple(sorted({*finding.lines, line.line}))[:20]
    return finding._replace(title=better, lines=lines)


def _overflow(advice: str, lines: list[HostLine]) -> tuple[str, str]:
    """Every region with its bytes, and the pool that would fit where it is data that overflows."""
    regions: dict[str, int] = {}
    for line in lines:
        found = re.search(r"region [`'\"\u2018]?([\w.]{1,60})['\u2019]? overflowed by ([\d,]{1,20}) bytes", line.text)
        if found is not None and len(regions) < 8:
            regions[found[1]] = int(found[2].replace(",", "") or 0)
    if not regions:
        return advice, ""
    said = "; ".join(f"{name} by {size} bytes" for name, size in regions.items())
    name, size = max(regions.items(), key=lambda item: item[1])
    zephyr = any("zephyr" in line.text or "FATAL ERROR" in line.text for line in lines)
    if zephyr and any(_ZEPHYR_MODEL in line.text for line in lines):
        advice = (
            f"Move the model out of {name}: route its section {_ZEPHYR_MODEL} to DDR or other external memory with the board's overlay and a linker snippet, "
            "and set CONFIG_ET_ARM_MODEL_PTE_DMA_ACCESSIBLE=y if the NPU can read it there, so that it is not copied to RAM."
        )
    elif any(word in name.upper() for word in _CODE_REGIONS):
        advice = (
            f"Free {size} bytes of code or constants in {name}: link only the operators that the model needs (EXECUTORCH_SELECT_OPS_MODEL), build with "
            "EXECUTORCH_OPTIMIZE_SIZE, and place the model outside the ELF (--pte=0xADDRESS)."
        )
    elif zephyr:
        advice = (
            f"Take at least {size} bytes off the pools in prj.conf: CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE and "
            f"CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE (a log's method_allocator_used says what the model needs), give {name} more room in the board's "
            "overlay, or, if that is about the size of the .pte, stop the model from being copied there (CONFIG_ET_ARM_MODEL_PTE_DMA_ACCESSIBLE=y)."
        )
    elif any(_OTHER_PROGRAM.search(line.text) for line in lines):
        advice = (
            f"Take at least {size} bytes off the pools of that program (arrays in its source, or options of its own build), link only the operators "
            "that the model needs, build with EXECUTORCH_OPTIMIZE_SIZE, and keep the model in flash."
        )
    elif any(f"{_SCRATCH_SECTION}' will not fit in region `{name}'" in line.text for line in lines):
        advice = (
            f"Take {size} bytes off the NPU's scratch memory, -DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE (before 1.2 in {CMAKE_FILE}, which "
            "overrides it; Vela's Total SRAM used says what the program needs), or build program and runner with --memory_mode=Dedicated_Sram (not on a "
            "U55), which puts it in DDR."
        )
    elif size < _DEFAULT_METHOD_POOL_BYTES:
        fits = (_DEFAULT_METHOD_POOL_BYTES - size) // 1024 * 1024
        earlier = (_METHOD_POOL_OF_0_5_BYTES - size) // 1024 * 1024
        earlier_said = f", in 0.5 {earlier} (20 MiB)" if earlier > 0 else ""
        advice = (
            f"Take at least {size} bytes off the pools: with the default method pool (60 MiB since 0.6) that is "
            f"-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE={fits} or less{earlier_said}; run.sh and build_executor_runner.sh (0.6: "
            "build_executorch_runner.sh) take it in --extra_build_flags since 0.6 (a log's method_allocator_used says what the model needs)."
        )
    return advice, f" Overflows: {said}."
