"""Logs in a string of JSON, YAML or source code, as results of a job and notebooks without line ends are stored.

The lines of such a string are taken apart as if they were printed.
"""

from __future__ import annotations

import re

from ..cleaning import compiled
from ..lines import parse_line
from ..named_tuple import TYPE_CHECKING
from .changed_text import ChangedText, without_odd_backslash

if TYPE_CHECKING:
    from collections.abc import Callable

_LEAST = 3
_MOST = 512
"""Lines that must mean something where they are taken apart, and those that are looked at."""
_JSON = rb'\s*(?:[{[]\s*)*"(?:[^"\\]|\\.){0,99}(?:"\s*[:,\]}]|executorch:)'
_BEGINS = rb'(?:"|\\n)[DIEF?] \[?executorch:'
"""How a document begins, and a line of the runtime in a string of it: there, one line is enough."""
_CODE = r"\w\w|\w\("
"""Words between two strings: what code prints when it runs, or looks for, was not printed here."""
_COMPARED = rb"(?m)^expect\d{0,3}: (?:does|set expect_out\().*$"
"""What Expect shows of its work if told to: all that it has read so far, again and again."""
_LONGEST_LINE = 4 << 20
_TOKEN = r'\\[nr]|\\[^nr]|"'


def in_strings(head: bytes, known: Callable[[str], bool]) -> bool:
    """Whether far more of the lines that this text begins with mean something where their ends are written as `\\n`, or in quotes.

    `known` tells whether a text is a line of the log.
    """
    of_runtime = re.match(_JSON, head) and re.search(_BEGINS, head)
    least = 1 if of_runtime or is_expected(head) else _LEAST
    if head.count(rb"\n") < least and head.count(b'"') < 2 * least:
        return False
    text = compiled(_OF_EXPECT).sub(_told_once, re.sub(_COMPARED, b"", head).decode("utf-8", "replace"))
    freed, lines = _freed(text)[:_MOST], text.split("\n")[:_MOST]
    return _known(freed, known) >= max(least, 2 * _known(lines, known) + 1)


def _freed(text: str) -> list[str]:
    """The lines of the strings of this text, and those around them, without strings that stand behind words of code."""
    freed: list[str] = []
    at, inside, told = 0, False, True
    for found in compiled(_TOKEN).finditer(text):
        token, piece = found.group(), text[at : found.start()]
        if token not in ('"', "\\n", "\\r"):
            continue
        at = found.end()
        if told:
            freed += piece.split("\n")
        told = True
        if token == '"':
            inside = not inside
            told = not inside or compiled(_CODE).search(piece) is None
    return freed + text[at:].split("\n")


def _known(lines: list[str], known: Callable[[str], bool]) -> int:
    parsed = (parse_line(1, line.lstrip(' "').encode("utf-8", "replace")) for line in lines)
    return sum(known(line.message) for line in parsed)


class OneLineText(ChangedText):
    """Each string, and each line of text in one, becomes a line that a carriage return ends.

    So all of them keep the number of the line of the file that they stand in.

    Example:
        >>> OneLineText().decode(rb'["one\\ntwo"]')
        '[\\r"one\\r"two\\r"]'
    """

    def __init__(self) -> None:
        super().__init__(_before_copy, lambda text: _taken_apart(compiled(_COPY).sub(_told_twice, text)))


_WRITTEN = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COPY = rf'(?s)("(std(?:out|err))": {_WRITTEN}, ?\s*"\2_lines": \[)((?:\s*{_WRITTEN},?)*\s*)(?=\])'
"""What Ansible tells of a command: its output as a string, and once more as a list of lines."""
_KEYS = ('"stdout": "', '"stderr": "')
_OF_KEY = rf'"(std(?:out|err))": {_WRITTEN}'


def _before_copy(text: str) -> int:
    """How many characters need nothing of what comes next: of such an output, all is needed."""
    begun = next((n for n in range(len(_KEYS[0]) - 1, 0, -1) if text.endswith(tuple(key[:n] for key in _KEYS))), 0)
    whole = without_odd_backslash(text[: len(text) - begun])
    at = max(map(text.rfind, _KEYS))
    if at < 0 or len(text) - at > _LONGEST_LINE:
        return whole
    string = compiled(_OF_KEY).match(text, at)
    if string is None:
        return at
    begins, follows = f',"{string[1]}_lines":[', "".join(text[string.end() : string.end() + 200].split())
    if follows.startswith(begins):
        return at if compiled(_COPY).match(text, at) is None else whole
    return at if begins.startswith(follows) else whole


def _told_twice(found: re.Match[str]) -> str:
    return found[1] + "\n" * found[3].count("\n")


_OF_ASSERTION = (
    r"(?m)^E? +\+ +where .*$|(?<=^FAILED )(\S.{0,400}?) - .*$|<failure message=\"[^\"\n]*\"?"
    r"|^E +(?:AssertionError: )?assert .*[^\s.]\.{3}[^\s.\\'\"].*$"
)
"""What pytest tells again below a failed assertion, and an assertion whose text it shortened: the middle of the log is missing."""
_BEFORE = rb"(?m)^(?:E +)?before \(last \d{1,7} chars\): b?['\"]"
_OF_EXPECT = r"(?m)^((?:E +)?)(?:buffer \(last \d{1,7} chars\): b?['\"].*$|before \(last \d{1,7} chars\): b?['\"])"
"""What pexpect tells twice, as it is still in the buffer; and what stands before it where that counts."""


class AssertedText(ChangedText):
    """The same for the output of pytest, which writes the text that an assertion looked into, and then where it came from."""

    def __init__(self) -> None:
        super().__init__(_whole_lines, _asserted)


def is_asserted(head: bytes) -> bool:
    """Whether the lines of an assertion of pytest stand in this text."""
    return re.search(rb"(?m)^E +(?:AssertionError: )?assert ", head) is not None or is_expected(head)


def is_expected(head: bytes) -> bool:
    """Whether an exception of pexpect tells in this text what had come before the words that did not come."""
    return re.search(_BEFORE, head) is not None


def _whole_lines(text: str) -> int:
    end = text.rfind("\n") + 1
    return end if len(text) - end < _LONGEST_LINE else without_odd_backslash(text)


def _asserted(text: str) -> str:
    return _taken_apart(compiled(_OF_EXPECT).sub(_told_once, compiled(_OF_ASSERTION).sub(r"\1", text)))


def _told_once(found: re.Match[str]) -> str:
    return '\r"' if "before (" in found[0] else ""


def _taken_apart(text: str) -> str:
    return compiled(_TOKEN).sub(_divided, text)


def _divided(found: re.Match[str]) -> str:
    token = found.group()
    return '\r"' if token in ('"', "\\n", "\\r") else token


class OnlyEnds(ChangedText):
    """The line ends of a text without what stands between them."""

    def __init__(self) -> None:
        super().__init__(len, lambda text: "\n" * text.count("\n"))


_SOFT_ENDS = r"[\x0b\x85\u2028\u2029]|(?i:<br ?/?>|&#(?:10|x0?a);)"
_BEGUN = r"(?i)(?:<(?:b(?:r(?: ?/?)?)?)?|&(?:#(?:10?|x0?a?)?)?)\Z"
"""What may go on as one of these."""


def has_soft_ends(head: bytes) -> bool:
    """Whether most lines of this text end as a word processor, a web page or an attribute of XML ends them."""
    return len(compiled(_SOFT_ENDS).findall(head.decode("utf-8", "replace"))) > max(_LEAST, 2 * head.count(b"\n"))


class SoftEnds(ChangedText):
    """Ends each such line as a carriage return does.

    Example:
        >>> SoftEnds().decode(b"one<br />two\\x0bthree")
        'one\\rtwo\\rthree'
    """

    def __init__(self) -> None:
        super().__init__(_before_mark, _with_line_ends)


def _before_mark(text: str) -> int:
    begun = compiled(_BEGUN).search(text)
    return len(text) if begun is None else begun.start()


def _with_line_ends(text: str) -> str:
    return compiled(_SOFT_ENDS).sub("\r", text)
