"""How a rule writes an error: one place, so that all of them carry their lines once and in the order given."""

from __future__ import annotations

from .report import Finding, Run


def error(rule: str, run: Run, title: str, detail: str, advice: str, *lines: int) -> Finding:
    """A finding of severity error about this run."""
    return Finding(rule, "error", run.index, title, detail, advice, tuple(dict.fromkeys(lines)))
