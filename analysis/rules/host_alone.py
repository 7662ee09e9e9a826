"""Runs without a line of a known runner, on places where any program may run: what their end alone says.

A command, a board or another machine may print what this program does not know. Then the host's view counts: exit
status, requested end marker, limits. That a program ended well does not prove that it passed, and is not called so.
"""

from __future__ import annotations

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error

_LIMIT = "Give it more time (--timeout, --silence), or give the text that it prints at its end (--until)."
_BOARD = " Check that the captured UART is the one the board prints on, and that the board was started (--reset)."


def host_alone(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the host says about a run whose console tells nothing."""
    if outcome is None or not outcome.of_any_program:
        return None
    last = seen.first("console")
    said = f"The last line is: {last.text}." if last is not None else "It printed nothing."
    text = outcome.text.rstrip(".")
    where = last.line if last is not None else run.last_line
    if run.status in ("timeout", "hung"):
        rule = "time-limit" if run.status == "timeout" else "hung"
        limit = "time limit" if run.status == "timeout" else "limit of silence"
        title = f"The {limit} ended the run before any line of a known runner"
        advice = _LIMIT + (_BOARD if outcome.kind == "serial" else "")
        return error(rule, run, title, f"{_sentence(text)} {said}", advice, where)
    if run.status == "truncated":
        return error(
            "cut-short", run, "The run was cut short before any line of a known runner",
            f"{_sentence(text)} {said}",
            "Fix what stopped it (cable, network, disk, a limit), then run it again. What was captured is kept.", where,
        )  # fmt: skip
    return error(
        "command-failed", run, f"The command failed: {text or f'exit status {outcome.code}'}",
        f"Nothing of a known runner was printed, so its exit status decides. {said}",
        "Read the last lines of the log, and start the command once by hand.", where,
    )  # fmt: skip


def without_verdict(outcome: Outcome) -> Finding:
    """A program that ended as it should, and whose output is unknown here."""
    how = "The run ended at its end marker" if outcome.reason == "marker" else "The command ended with exit status 0"
    return Finding(
        "no-verdict", "info", None, f"{how}; its output says neither pass nor fail",
        "No line of a runner, a simulator or a compiler is in it. It counts as finished, not as passed.",
        "Have the command end with an exit status other than 0 when its own test fails.", (),
    )  # fmt: skip


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else "The host ended it."
