"""What a port writes before each line of the runtime in a form of its own: found by the runner's messages that stand behind it.

ExecuTorch hands a port level, file, line, function and message, and the port prints of them what it likes.  Lines that do not
go through the runtime (the simulator's, what the runner prints itself) have none of it, so that no prefix is common to all.
"""

from __future__ import annotations

import re

from .cleaning import clean, compiled
from .host_prefix import HEAD_BYTES, Frame
from .lines import parse_line
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NEEDLES = (
    b"PTE @ ", b"PTE Model data loaded. Size: ", b"Model PTE file loaded. Size: ", b"Model buffer loaded, has ", b"Running method ",
    b"Setup Method allocator pool. Size: ", b"Setting up planned buffer", b"Input prepared.", b"NPU Inferences : ",
    b"Ethos-U PMU report:", b"ethosu_pmu_cycle_cntr : ", b"Program complete, exiting.", b"Memory allocation failed: ",
)  # fmt: skip
"""How messages of the runner begin that stand nowhere else."""
_LEAST = 2
"""So many different ones must have it: one message proves nothing."""
_LONGEST = 160
"""No prefix has more characters."""
_LEVELS = {
    "d": "D", "dbg": "D", "debug": "D", "i": "I", "inf": "I", "info": "I", "w": "I", "wrn": "I", "warn": "I", "warning": "I",
    "e": "E", "err": "E", "error": "E", "f": "F", "fatal": "F", "critical": "F",
}  # fmt: skip
"""What ports call the runtime's levels, which have no warning."""
_WRITTEN = [
    form for name in _LEVELS for form in (name, name.upper(), name.capitalize()) if len(name) > 1 or form.isupper()
]
_LEVEL = rf"\b(?:{'|'.join(dict.fromkeys(_WRITTEN))})\b"
_SOURCE = r"\.(?:cpp|cc|cxx|c|hpp|h)"
_PARTS = (
    rf"(?P<place>[\w./-]{{1,80}}{_SOURCE}\b"
    r"(?P<colon>[: ](?:\d{1,9}|zu|lu)(?!\w))?(?P<behind>[ ,]{1,2}\w{1,80}(?=: |\] |\)|\(\)))?)"
    rf"|(?P<function>[A-Za-z_~][\w:~]{{0,80}}\(\))|(?P<level>{_LEVEL})|(?P<figures>\d+)|(?P<blanks>\s+)|(?P<other>\w+|\W)"
)
"""What a prefix is made of."""
_NO_PREFIX = frozenset("\"'`=")
"""What stands in the source code of a runner, and in what people write of its messages."""


class OwnPrefix(Frame):
    """The prefix of a port, which is replaced by the runtime's own: level, file and line are kept."""

    __slots__ = ()

    def taken_off(self, body: str) -> str:
        """The line with the prefix that ExecuTorch's runners have; `body` has no blanks in front."""
        found = compiled(self.head).match(body)
        if found is None:
            return body
        told, message = found.groupdict(), body[found.end() :].lstrip()
        level = _LEVELS[(told.get("level") or "i").lower()]
        if told.get("file") and told.get("line"):
            mark = f"{level} " if told.get("level") else ""
            return f"{mark}[{'executorch:' if mark else ''}{told['file']}:{told['line']}] {message}"
        return f"[ET {level}] {message}" if told.get("level") else message


def names_message(text: bytes) -> bool:
    """Whether a message of the runner that stands nowhere else is in these bytes."""
    return any(needle in text for needle in _NEEDLES)


def prefix_of_port(head: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The prefix before the runner's messages in the beginning of a log, where it is one and the reader does not know it.

    `known` tells whether a text is a line of the log.
    """
    head = head[:HEAD_BYTES]
    if not names_message(head):
        return None
    shapes: dict[str, set[bytes]] = {}
    for needle, before in _before_messages(head, known):
        shape = _shape(before) if before and _NO_PREFIX.isdisjoint(before) else ""
        if not shape:
            return None
        shapes.setdefault(shape, set()).add(needle)
    seen = next(iter(shapes.values()), ())
    return OwnPrefix(next(iter(shapes)), "") if len(shapes) == 1 and len(seen) >= _LEAST else None


def _before_messages(head: bytes, known: Callable[[str], bool]) -> Iterator[tuple[bytes, str]]:
    """What stands before each message, but for those that are read as they are."""
    for raw in head.split(b"\n")[:-1]:
        if len(raw) > 4 * _LONGEST:
            continue
        needle = next((needle for needle in _NEEDLES if needle in raw), None)
        if needle is None:
            continue
        message = parse_line(1, raw).message
        if message.encode().startswith(needle) or known(message):
            continue
        yield needle, clean(raw[: raw.index(needle)].decode("utf-8", "replace")).lstrip()[:_LONGEST]


def _shape(before: str) -> str:
    """The prefix as a pattern: whatever its level, its place, its function and its figures are; "" where it has two places."""
    shape, has = "", set[str]()
    for found in compiled(_PARTS).finditer(before):
        kind, text = found.lastgroup, found.group()
        if kind == "place":
            if "file" in has:
                return ""
            has.add("file")
            shape += rf"(?:[\w./-]{{0,80}}/)?(?P<file>[\w.-]{{1,80}}{_SOURCE})"
            shape += (found["colon"] or "")[:1] + (r"(?:(?P<line>\d{1,9})|zu|lu)" if found["colon"] else "")
            shape += r"[ ,]{1,2}\w{1,80}" if found["behind"] else ""
        elif kind == "function":
            shape += r"[\w:~]{1,120}\(\)"
        elif kind == "level" and "level" not in has:
            has.add("level")
            shape += rf"(?P<level>{_LEVEL})\s{{0,4}}"
        elif kind == "figures":
            shape += r"\d{1,20}"
        elif kind == "blanks":
            shape += r"\s{1,8}" if not shape.endswith(r"\s{0,4}") else ""
        else:
            shape += re.escape(text)
    return shape
