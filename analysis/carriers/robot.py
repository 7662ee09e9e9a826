"""What Robot Framework tells of a test: the values of variables, of which it shows the beginning, stand among what was logged."""

from __future__ import annotations

from ..cleaning import compiled
from .changed_text import ChangedText

_SIGN = r"(?:&#?\w{2,4};|(?!&#?\w{2,4};)&|\r?\n|\r(?!\n)|[^&\r\n])"
"""One character, however many XML or a line end of Windows takes for it."""
_VALUE = (
    r"((?:<msg [^>\n]{1,160}>|- INFO - )[$@&]\{[^}\n]{1,80}\} = )"
    rf"((?:(?!</msg>|<msg |- INFO - [$@&]\{{|\r?\n\d{{4}}-?\d\d-?\d\d \d\d:){_SIGN}){{190,200}}?\.\.\.)(?=</msg>|\r?\n)"
)
"""A value that was cut off, behind its first 200 characters; carriage returns among them may be lost."""
_BEGUN = r"(?:<msg [^>\n]{1,160}>|- INFO - )[$@&]\{"
_LONGEST = 1700
"""Characters of such a value with what stands before it, at most."""


def has_cut_values(head: bytes) -> bool:
    """Whether such a value stands in this text."""
    return compiled(_VALUE).search(head.decode("utf-8", "replace")) is not None


class RobotLog(ChangedText):
    """Leaves such values out; their line ends stay."""

    def __init__(self) -> None:
        super().__init__(_before_value, _without_values)


def _before_value(text: str) -> int:
    end = max(text.rfind("\n") + 1, len(text) - _LONGEST)
    begun = compiled(_BEGUN).search(text, max(0, end - _LONGEST))
    return min(end, begun.start()) if begun is not None else end


def _without_values(text: str) -> str:
    return compiled(_VALUE).sub(lambda value: value[1] + "\n" * value[2].count("\n"), text)
