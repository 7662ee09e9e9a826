"""What Robot Framework tells of a test: the values of variables, of which it shows the beginning, stand among what was logged."""

from __future__ import annotations

import re

from ..cleaning import compiled
from .changed_text import ChangedText

_VALUE = (
    r"(?s)((?:<msg [^>\n]{1,160}>|- INFO - )[$@&]\{[^}\n]{1,80}\} = )"
    r"((?:(?!</msg>|<msg |- INFO - [$@&]\{|\n\d{4}-?\d\d-?\d\d \d\d:).){190,1200}?\.\.\.)(?=</msg>|\r?\n)"
)
"""A value that was cut off, behind its first 200 characters; some of them are longer in XML."""
_BEGUN = r"(?:<msg [^>\n]{1,160}>|- INFO - )[$@&]\{"
_LONGEST = 1500
"""Characters of such a value with what stands before it, at most."""


def has_cut_values(head: bytes) -> bool:
    """Whether such a value stands in this text."""
    return re.search(_VALUE.encode(), head) is not None


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
