"""What Robot Framework tells of a test: the values of variables, of which it shows the beginning, stand among what was logged.

In output.xml the message of a failure, which may hold all that the test looked into, stands below the keyword that failed, and
again as the status of that keyword, of the test and of all around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

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
_STATUS = '<status status="FAIL"'
_LONGEST_MESSAGE = 1 << 20
"""Characters of one, behind which it is taken as it stands."""
_OUTPUT = rb"<robot [^>\n]{0,80}generator="
_LONGEST = 1700
"""Characters of such a value with what stands before it, at most."""


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[RobotLog] | None:
    """The decoder, where such a value stands in this text, or it is output.xml."""
    found = re.search(_OUTPUT, head) or compiled(_VALUE).search(head.decode("utf-8", "replace"))
    return RobotLog if found is not None else None


_LOGGED = (
    r'<msg [^>\n]{0,160}level="(?P<level>\w+)"[^>\n]{0,80}>(?P<text>[^<\n]*\n[^<]*)(?=</msg>)'
    rf"|{_STATUS}[^>\n]{{0,200}}>(?P<status>[^<\n]*\n[^<]*)(?=</status>)"
)
"""What was logged, and a failure's message where it is a status, in several lines; one of a single line may be the only word of why it failed."""
_PARTS = ((_STATUS, "</status>"), ("<msg ", "</msg>"))
"""How what may be left out as a whole begins, and ends."""


def is_told_again(message: str, said: set[int]) -> bool:
    """Whether the message of a failure quotes what is among these hashes of what was logged.

    Example:
        >>> is_told_again("'one\\ntwo' does not contain 'three'", {hash("one\\ntwo")})
        True
    """
    return message[:1] == "'" and hash(message[1 : max(1, message.rfind("' "))]) in said


class RobotLog(ChangedText):
    """Leaves such values and repeated messages out; their line ends stay."""

    def __init__(self) -> None:
        super().__init__(_before_part, self._once)
        self._said: set[int] = set()
        """Hashes of what was logged in several lines."""
        self._logged = False
        """True once a message of several lines was logged: where keywords were taken out of the file, only statuses have any."""

    def _once(self, text: str) -> str:
        return compiled(_LOGGED).sub(self._message, compiled(_VALUE).sub(_ends_only, text))

    def _message(self, told: re.Match[str]) -> str:
        text = told["text"] or told["status"]
        if told["text"]:
            again = told["level"] == "FAIL" and is_told_again(text, self._said)
            self._logged = True
        else:
            again = self._logged or hash(text) in self._said
        if again:
            return told[0][: -len(text)] + "\n" * text.count("\n")
        self._said.add(hash(text))
        return told[0]


def _before_part(text: str) -> int:
    end = max(text.rfind("\n") + 1, len(text) - _LONGEST)
    for mark, close in _PARTS:
        begun = text.rfind(mark, max(0, end - _LONGEST_MESSAGE), end)
        if begun >= 0 and text.find(close, begun, end) < 0:
            end = begun
    value = compiled(_BEGUN).search(text, max(0, end - _LONGEST), end)
    return min(end, value.start()) if value is not None else end


def _ends_only(told: re.Match[str]) -> str:
    return told[1] + "\n" * told[2].count("\n")
