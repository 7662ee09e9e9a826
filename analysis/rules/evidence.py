"""How a rule finds its evidence and writes an error, so that all rules quote and cite lines alike."""

from __future__ import annotations

from ..draft import Evidence, Trouble
from ..report import Finding, Run


def error(rule: str, run: Run, title: str, detail: str, advice: str, *lines: int) -> Finding:
    """A finding of severity error about this run; each line is named once, the first one is where it shows."""
    return Finding(rule, "error", run.index, title, detail, advice, tuple(dict.fromkeys(lines)))


def saying(seen: Evidence, *words: str) -> Trouble | None:
    """The earliest trouble whose text holds one of these words, whatever its event and level."""
    return next((t for t in seen.trouble if any(word in t.text for word in words)), None)


def unread_tensor(seen: Evidence) -> Trouble | None:
    """The earliest tensor of the program for which the method's memory did not suffice, by the status behind it."""
    return next(
        (t for t in seen.trouble if t.text.startswith("Failed parsing ") and t.text.rstrip().endswith(": 0x21")), None
    )


def all_saying(seen: Evidence, *words: str) -> list[Trouble]:
    """All troubles whose text holds one of these words, in the order of the log."""
    return [t for t in seen.trouble if any(word in t.text for word in words)]


def nameless(seen: Evidence, *functions: str) -> Trouble | None:
    """The earliest error of one of these functions whose message the C library lost."""
    return next((t for t in seen.all("message_lost") if t.level in ("E", "F") and t.text in functions), None)


def execution_started(seen: Evidence) -> int:
    """The line at which execution began, 0 where none says so; in words of an application only behind a method that was loaded."""
    loaded, running = (seen.seen.get(kind, 0) for kind in ("method_loaded", "step_running"))
    return seen.seen.get("execute_start", 0) or (running if 0 < loaded < running else 0)
