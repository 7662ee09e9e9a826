"""What a port writes before each line of the runtime in a form of its own: found by the runner's messages that stand behind it.

ExecuTorch hands a port level, file, line, function and message, and the port prints of them what it likes.  Lines that do not
go through the runtime (the simulator's, what the runner prints itself) have none of it, so that no prefix is common to all.
"""

from __future__ import annotations

import re

from ..cleaning import clean, compiled
from ..line_forms.host_prefix import HEAD_BYTES, Frame
from ..lines import parse_line
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NEEDLES = (
    b"PTE @ ", b"PTE Model data loaded. Size: ", b"Model PTE file loaded. Size: ", b"Model buffer loaded, has ", b"Running method ",
    b"Setup Method allocator pool. Size: ", b"Setting up planned buffer", b"Input prepared.", b"NPU Inferences : ",
    b"Ethos-U PMU report:", b"ethosu_pmu_cycle_cntr : ", b"SUCCESS: Program complete, exiting.", b"Program complete, exiting.",
    b"Memory allocation failed: ", b"Model PTE at ", b"PTE at 0x", b"PTE in 0x", b"Model in 0x", b"Model data loaded. Size: ",
    b"Model loaded, has ", b"Method allocator pool size: ", b"Ethos-U backend registered successfully",
    b"Program loading failed @ ", b"Running executor with parameter:", b"Not right number of parameters!",
    b"Reading pte model from file ", b"num_memory_planned_buffers = ", b"Planned memory buffer_size ",
    b"Failed to allocate scratch buffer of ", b"CALL_DELEGATE execute failed at instruction ", b"Missing operator: [", b"Loading of method ",
)  # fmt: skip
"""How messages of the runner, of Zephyr's samples and of the runtime begin that stand nowhere else; one that another ends with stands behind it."""
_OF_MONITOR = frozenset((b"NPU Inferences : ", b"Ethos-U PMU report:", b"ethosu_pmu_cycle_cntr : "))
"""Those that some ports print past the runtime, so that they have no prefix where all else has one."""
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


_OF_PEOPLE = (
    r"\W*|\W*(?:\d{1,3}|[A-Za-z])[.)]\W*|[-*+] \[[xX]\]\s*"  # of a list, a comment, a quotation
    r"|(?:[^\n]{0,160}\s)?[^\W\d_]{1,40}\s{1,8}[^\W\d_]{1,40}\s{1,8}[^\W\d_]{1,40}\b[^\n]{0,160}"  # three words of a sentence
)
"""What stands before messages of the runner in texts about them."""


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


def prefix_of_port(head: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The prefix before the runner's messages in the beginning of a log, where it is one and the reader does not know it.

    `known` tells whether a text is a line of the log.
    """
    head = head[:HEAD_BYTES]
    if not any(needle in head for needle in _NEEDLES):
        return None
    search = PrefixSearch(known)
    search.look_at(head)
    return search.found


class PrefixSearch:
    """What stands before the runner's messages, line by line.

    Example:
        >>> search = PrefixSearch(lambda text: False)
        >>> search.look_at(b"M55> Input prepared.\nM55> Program complete, exiting.\n")
        >>> search.found is not None
        True
    """

    __slots__ = ("_bare", "_known", "_messages", "_shape", "found", "refused")

    def __init__(self, known: Callable[[str], bool]) -> None:
        self._known = known
        self._shape = ""
        self._messages: set[bytes] = set()
        self._bare: set[bytes] = set()
        """Those that nothing stands before."""
        self.found: Frame | None = None
        """The prefix, as far as it is known by now."""
        self.refused = False
        """True once two prefixes were seen, or none: more lines do not change that."""

    def look_at(self, data: bytes | bytearray) -> None:
        """Take the lines that follow, of which the last may still be without its end and does not count."""
        for raw in bytes(data).split(b"\n")[:-1]:
            if self.refused:
                return
            before = self._before(raw)
            if before is not None:
                self._add(*before)

    def _before(self, raw: bytes) -> tuple[bytes, str] | None:
        """A message and what stands before it, but for those that are read as they are."""
        if len(raw) > 4 * _LONGEST:
            return None
        needle = next((needle for needle in _NEEDLES if needle in raw), None)
        if needle is None:
            return None
        message = parse_line(1, raw).message
        if message.encode().startswith(needle):
            if needle not in _OF_MONITOR or not self._messages:
                self._bare.add(needle)
            if len(self._bare) >= _LEAST:  # the runner has no prefix here, and what has one is somebody else's
                self.refused, self.found = True, None
            return None
        if self._known(message):
            return None
        return needle, clean(raw[: raw.index(needle)].decode("utf-8", "replace")).lstrip()[:_LONGEST]

    def _add(self, needle: bytes, before: str) -> None:
        of_people = not before or not _NO_PREFIX.isdisjoint(before) or compiled(_OF_PEOPLE).fullmatch(before)
        shape = "" if of_people else _shape(before)
        if not shape or (self._shape and shape != self._shape):
            self.refused, self.found = True, None
            return
        self._shape = shape
        self._messages.add(needle)
        if self.found is None and len(self._messages) >= _LEAST:
            self.found = OwnPrefix(shape, "")


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
