"""What the last line of a run says about how it ended."""

from __future__ import annotations

import re

from .draft import HEXADECIMAL, RunDraft, Trouble
from .named_tuple import TYPE_CHECKING
from .report import STAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .line import Line
    from .patterns.table import Event

_SURVIVED = (
    "!!DEPRECATED!!",
    "ETDump: ",
    "Failed to open midr file",
    "Overriding output data pointer",
    "No ETDump data",
)
"""Error messages after which every runner goes on: a log that ends with one was cut there."""
_SURVIVED_ENDS = (" not found in named data maps", "Cannot override the existing data pointer.")
"""Ends of other such messages: keys are looked up in several places, and an output keeps its planned place."""
_A_BEGINNING = 6
"""So many characters of one of these messages identify it, where the log was cut inside it."""

_ERRORS = ("allocation_failed", "input_mismatch", "kernel_checked")
"""Events that are errors by their words, where a port or a manual leaves the level out."""


def complaint(trouble: tuple[Trouble, ...] | list[Trouble], last_line: int) -> Trouble | None:
    """The error message that is the last line of a run; None where it is none."""
    last = trouble[-1] if trouble else None
    if last is None or last.line != last_line:
        return None
    return last if last.level == "E" or (not last.level and last.kind in _ERRORS) else None


def read_whole(draft: RunDraft | None, line: Line, match: Callable[[str, int], Event | None]) -> bool:
    """True where this line was read whole even if the log has no line end after it.

    It is an error of a known form, or ends with words of its own pattern, not with a text that may go on.
    """
    last = draft.trouble[-1] if draft is not None and draft.trouble else None
    if last is not None and last.line == line.number and last.kind != "message":
        return True
    message = line.message.rstrip()
    event = match(message, line.number)
    if event is None or not is_unit(message.rpartition(" ")[2], event.values):
        return False
    from .patterns import TABLE  # only at the end of a log without a line end

    return all(start == end or end < len(message) for _, _, start, end in TABLE.spans(message))


def is_unit(word: str, values: dict[str, Any]) -> bool:
    """Whether the line ends with a word of the pattern, such as a unit, so that every figure before it is whole.

    Not where an optional part is absent: more of the line may have been cut off.
    """
    letters = word.replace("/", "").rstrip(".")  # "cycles/batch", "ms.", "inferences..."
    own = letters.isalpha() and not HEXADECIMAL.issuperset(letters) and None not in values.values()
    return own and not any(isinstance(value, str) and value.endswith(word) for value in values.values())


def ends_in_error(draft: RunDraft) -> bool:
    """True where the last line of a run, before its report, is an error: it explains why nothing follows."""
    last = complaint(draft.trouble, draft.last_line)
    if (
        last is None
        or (draft.gone_on > last.line and draft.stage != "execute" and last.kind == "message")
        or STAGES.index(draft.stage) > STAGES.index("execute")
    ):
        return False
    survived = last.text.startswith(_SURVIVED) or last.text.endswith(_SURVIVED_ENDS) or "timing-adapter" in last.text
    cut = len(last.text) >= _A_BEGINNING and any(words.startswith(last.text) for words in _SURVIVED)
    return not (survived or cut)


_ELIDED = frozenset(("...", "[...]", "(...)", "\u2026", "[\u2026]"))
_TORN_PREFIX = r"[DIEF] \[?executorch:[^\]]*\Z"
_TORN = r"(?:O(?:u.*)?|[DIEF](?: (?:[\d:.]{0,15}|(?:\d\d:\d\d:\d\d\.\d{6} )?\[?(?:e[a-z]{0,9}|executorch:.*)))?)\Z"
_SHORTEST = 10
"""Fewer characters may begin another line by chance."""
_GOES_ON = ",:=([@-"
"""Characters with which no line ends. After a word, somebody's own line may end too ("Running inference")."""


def broken_off(text: str) -> bool:
    """True where the last words of a log are the beginning of a runner's line, or a mark that the rest was left out.

    A text that was cut and then stored often ends with a line end, which does not prove a whole line.
    """
    if text in _ELIDED or re.match(_TORN_PREFIX, text):
        return True
    from .patterns import PATTERNS  # only at the end of a log that may stand still

    words = _without_numbers(text)
    samples = (sample for pattern in PATTERNS for sample in pattern.samples) if len(words) >= _SHORTEST else ()
    rests = (whole[len(words) :] for whole in map(_without_numbers, samples) if whole.startswith(words))
    return any(rest and (rest[0].isalnum() or words[-1] in _GOES_ON) for rest in rests)


def torn(text: str, first: str) -> bool:
    """True where the last words of a log are the beginning of a runner's line with one of these levels, or of an
    output.

    `first` holds the levels; an O in it stands for outputs.
    """
    return text[:1] in first and re.match(_TORN, text) is not None


def _without_numbers(text: str) -> str:
    return re.sub(r"0x[0-9a-fA-F]+|\d+", "0", text)


WAITS = frozenset(("inputs_ready", "kernel_message", "kernel_firmware", "kernel_unsent"))
"""The last events of a run on Linux that waits for its inference, and what the kernel may print after them."""

_OF_DRIVER = frozenset(("config_mismatch", "arch_mismatch", "npu_status", "driver_error", "driver_timed_out"))


def refused_and_more(draft: RunDraft) -> bool:
    """Whether the driver refused and another error followed: up to 0.7 `main` returns 0 even then."""
    told = [t.line for t in draft.trouble if t.kind in _OF_DRIVER]
    return (
        bool(told) and "executed" not in draft.seen and any(t.level == "E" and t.line > told[-1] for t in draft.trouble)
    )
