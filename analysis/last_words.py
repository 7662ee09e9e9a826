"""What the last line of a run says of its end."""

from __future__ import annotations

from .draft import RunDraft, Trouble
from .report import STAGES

_SURVIVED = (
    "!!DEPRECATED!!",
    "ETDump: ",
    "Failed to open midr file",
    "Overriding output data pointer",
    "No ETDump data",
)
"""Error messages after which every runner goes on: a log that ends with one was cut there."""


def complaint(trouble: tuple[Trouble, ...] | list[Trouble], last_line: int) -> Trouble | None:
    """The error message that the last line of a run is, if it is one."""
    last = trouble[-1] if trouble else None
    return last if last is not None and last.level == "E" and last.line == last_line else None


def ends_in_error(draft: RunDraft) -> bool:
    """True where the last line of a run, before its report, is an error: then the log says why nothing comes after it."""
    last = complaint(draft.trouble, draft.last_line)
    if (
        last is None
        or (draft.gone_on > last.line and draft.stage != "execute" and last.kind == "message")
        or STAGES.index(draft.stage) > STAGES.index("execute")
    ):
        return False
    return not last.text.startswith(_SURVIVED) and "timing-adapter" not in last.text
