"""Tells of a job what there is to know when ExecuTorch's script ran as it is: what it printed, read from its log."""

from __future__ import annotations

from pathlib import Path

from ...analysis import read_capture
from ...analysis.host.script_console import delegation, error
from ...analysis.report import Finding
from .result import Told, console_end

SCRIPT = "script"
"""The route of such a job."""


def hear(told: Told, log: Path, model: str | None, failed: bool) -> None:
    """Put what the log says where the events of our own route would have been; `model` is the user's file."""
    if told.route != SCRIPT:
        return
    try:
        data = console_end(log)
    except OSError:
        return
    text = data.decode("utf-8", "replace")
    if failed:
        told.error = error(text, model)
        return
    summaries = read_capture(str(log), data).compile
    told.printed = sum(summary.accelerator is not None for summary in summaries)
    told.delegation = delegation(text)
    last = summaries[-1] if summaries else None
    if last is not None and last.delegated_subgraphs is not None:  # with --debug it logs more, as before 1.4
        told.delegation = {
            "subgraphs": last.delegated_subgraphs,
            "delegated": last.delegated_nodes,
            "non_delegated": last.non_delegated_nodes,
            "operators": {name: (None, count) for name, count in last.non_delegated_operators.items()},
        }
    told.notes.append(
        Finding(
            "script-route",
            "info",
            None,
            f"ExecuTorch's own script compiled this: {told.route_reason}",
            "The figures are those that it printed: memory in hundredths of a KiB, nothing for single operators.",
            "With a release that our own route knows there is more, and sweeps are faster.",
        )
    )
