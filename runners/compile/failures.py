"""What a failed compile means, as a finding: the error of ExecuTorch's script, or how the job's process ended.

What the messages mean is a table that log analysis uses as well (`analysis/rules/causes_aot.py`); what only a job can tell is here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...analysis.report import Finding
from ...analysis.rules.causes import explain_text
from ...analysis.rules.causes import short as _short
from ...analysis.rules.causes_aot import AOT_FAILURES
from .model_assignments import assignment_line

_NAMED = {
    "model-class": "ModelUnderTest",
    "model-type": "ModelUnderTest",
    "inputs-not-a-tuple": "ModelInputs",
    "input-count": "ModelInputs",
    "shape": "ModelInputs",
    "dtype": "ModelInputs",
}
"""What a failure is about, where no frame of the user's file is on the way to it."""


def _error(rule: str, title: str, detail: str, advice: str) -> Finding:
    return Finding(rule, "error", None, title, detail, advice)


def explain(error: Mapping[str, Any], stage: str, model: str | None) -> Finding:
    """The finding for an error of the script: `error` is its class name, `message` its text, `line` the user's line."""
    text = f"{error.get('error')}: {error.get('message')}"
    first = text.strip().splitlines()[0] if text.strip() else "unknown error"
    found = explain_text(AOT_FAILURES, text)
    line = error.get("line")
    if not line and model and found is not None and found.failure.rule in _NAMED:
        line = assignment_line(model, _NAMED[found.failure.rule])
    where = f" at {model}, line {line}" if model and line else ""
    if found is not None:
        detail = f"In stage {stage}{where}: {_short(first)}"
        return _error(found.failure.rule, found.title, detail, found.advice)
    advice = f"Look at line {line} of {model}." if where else "See the end of the log; --debug makes it say more."
    return _error("compile-failed", _short(f"The compile failed: {first}"), f"In stage {stage}{where}.", advice)


def ended(code: int | None, stage: str) -> Finding:
    """The finding for a job whose process ended without saying why."""
    if code is not None and code < 0:
        memory = " Signal 9 often means that the machine ran out of memory." if code == -9 else ""
        return _error(
            "compiler-killed",
            f"The compiler was killed by signal {-code}",
            f"In stage {stage}.{memory}",
            "Compile again with fewer jobs at a time (--jobs 1); the log holds what it printed.",
        )
    return _error(
        "compiler-ended",
        f"The compiler ended with status {code} and no program",
        f"In stage {stage}.",
        "See the end of the log; --debug makes it say more.",
    )


def lost(reason: str, stage: str) -> Finding:
    """The finding for a job whose worker process went away."""
    return _error(
        "compiler-lost",
        f"The compiler's worker process was lost ({reason})",
        f"In stage {stage}.",
        "Compile again, with fewer jobs at a time (--jobs 1) if the machine was short of memory.",
    )


def hung(silent_seconds: float, stage: str) -> Finding:
    """The finding for a job that we ended since it said nothing any more."""
    return _error(
        "compiler-hung",
        f"The compile hung: nothing was heard of it for {silent_seconds / 60:.0f} minutes, so it was ended",
        f"In stage {stage}. The log holds what it printed before; the other jobs went on.",
        "See in the log what it waits for (a download, a lock, input); --debug makes ExecuTorch say more.",
    )


def unavailable(reason: str, interpreter: str) -> Finding:
    """The finding when ExecuTorch is installed and cannot be imported."""
    return _error(
        "compiler-unavailable",
        _short(f"{interpreter} cannot import ExecuTorch: {reason}"),
        "The package is there and its import fails, so the installation is not complete or does not fit together.",
        'Install it afresh: pip install --force-reinstall "executorch[ethos-u]==1.5.1" "torch==2.13.0".',
    )


def scratch_gone(scratch: str, stage: str) -> Finding:
    """The finding for a job whose temporary directory was taken away while it ran."""
    return _error(
        "scratch-gone",
        _short(f"The temporary directory of the compile was removed while it ran: {scratch}"),
        f"In stage {stage}. Nothing of ours removes it before the job has ended.",
        "Compile again; if something cleans that place regularly, set TMPDIR to another one.",
    )


def foreign_lines(count: int) -> Finding:
    """The finding when a model wrote into the pipe by which its compile is reported."""
    return Finding(
        "foreign-lines",
        "warning",
        None,
        f"{count} line{'s' if count > 1 else ''} in the compiler's report that the compiler did not write",
        "The model's code writes to file descriptors that it did not open; these lines were ignored.",
        "Let the model's file write to standard output only.",
    )


def stopped(stage: str) -> Finding:
    """The finding for a job that was stopped by its user."""
    return Finding(
        "stopped", "info", None, "The compile was stopped", f"In stage {stage}.", "Compile again to finish it."
    )


def no_space(message: str, hint: str) -> Finding:
    """The finding when our own write into the run folder failed."""
    title, advice = (text[:1].upper() + text[1:] for text in (message, hint))
    return _error("disk-full", _short(title), "The job was ended for it.", advice)


def not_delivered(destination: str, reason: str, kept: str) -> Finding:
    """The finding when the compile went well and its result could not be copied to where it was wanted."""
    return _error(
        "not-delivered",
        _short(f"The result could not be written to {destination} ({reason})"),
        f"The compile itself went well: the program is kept at {kept}.",
        "Copy it from there, or choose another place with -o.",
    )


def fleet_lost(reason: str) -> Finding:
    """The finding for a job that a scheduler's workers did not do."""
    return _error(
        "fleet-lost",
        _short(f"The Dask cluster did not do this job: {reason}"),
        "Jobs that were done before are kept, and are not done again.",
        "Look at the logs of the scheduler and its workers, or leave out --scheduler to compile on this machine.",
    )


def other_files(worker: str, paths: Sequence[str]) -> Finding:
    """The finding for a job that was made of other files than those of this machine."""
    count = len(paths)
    more = f" and {count - 3} more" if count > 3 else ""
    return _error(
        "fleet-files",
        _short(f"Dask worker {worker} read other files than there are here: {', '.join(paths[:3])}{more}"),
        "Only the model's own file is sent; all else that it reads must be the same at the same path. "
        "The program was thrown away.",
        "Let the workers see this machine's files at the same paths, or leave out --scheduler.",
    )
