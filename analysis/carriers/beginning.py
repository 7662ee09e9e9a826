"""What the beginning of a stored log tells of all its lines: what they went through before they came here, and whose they are.

A log that is still being printed has no such beginning: its lines are not waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ..cleaning import without_entities
from ..line_forms.encodings import LineFeeds
from ..line_forms.host_prefix import HEAD_BYTES, may_be_framed
from ..lines import LOG_PREFIX
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..patterns import TABLE
from ..splitter import LineSplitter

if TYPE_CHECKING:
    from ..line_forms.encodings import Decoder

_SOFT_MARKS = (b"\x0b", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xc2\x85", b"<br", b"<BR", b"&#10;", b"&#x")
_ENTRIES = (b"O+", b"E+", b" stdout P ", b" stderr P ", b'{"log":"', b"quoted-printable", b"Quoted-Printable")
_PREFIX = b" [executorch:"
_ESCAPES = (b"\\_", b"\\[")
_HEADER_BYTES = 64
"""So much of the beginning tells whether it may be the header of a recorded terminal."""
_OWN_BYTES = 4096
_LEAST = 3
_LONG = 120
_WORDS = (b"executorch:", b" - ")
_OF_CTEST = b": Test command: "
_SUMMARY = b"Network summary for "
"""More of such words than `_LEAST` in a line of so many bytes, or the first words of Vela's summary, may be lines without ends."""


class Carrier(NamedTuple):
    """Something that a log went through, and whose traces are undone before lines are cut from it."""

    module: str
    """Beside this one; its `decoder_for()` looks closer. It is imported where it may be needed, as few logs need any."""
    may_be: Callable[[bytes], object]
    """Whether the beginning of a log holds a word that is there in every such log."""
    alone: bool = False
    """Whether nothing else changed the text."""

    def decoder_for(self, head: bytes, known: Callable[[str], bool]) -> Callable[[], Decoder] | None:
        """What makes the decoders for a log that begins so; None where it did not go through this."""
        found: Callable[[], Decoder] | None = import_module(f".{self.module}", __package__).decoder_for(head, known)
        return found


CARRIERS = (
    Carrier("recorded_terminal", lambda head: b'"version"' in head[:_HEADER_BYTES], alone=True),
    Carrier("robot_page", lambda head: b"<html" in head[:_OWN_BYTES], alone=True),
    Carrier("packet_stamps", lambda head: b"]\xe6\x94\xb6" in head or b"]\xca\xd5" in head, alone=True),
    Carrier("hex_rows", lambda head: b"  length=" in head or b"term " in head),
    Carrier("socat", lambda head: b"  length=" in head),
    Carrier("robot", lambda head: b"} = " in head or b"<robot " in head),
    Carrier("labgrid", lambda head: b"Driver(" in head),
    Carrier("screen_stamps", lambda head: b" -- time-stamp -- " in head),
    Carrier("split_entries", lambda head: any(mark in head for mark in _ENTRIES)),
    Carrier("folded_rows", lambda head: head[: max(head.find(_PREFIX) - 1, 0)].rsplit(b"\n", 1)[-1]),
    Carrier("minicom_screen", lambda head: b" to minicom " in head),
)
"""In the order in which they are looked for: the first that is found is undone."""


def new_splitter() -> LineSplitter:
    """What cuts a capture into lines, and knows those that mean something."""
    return LineSplitter(lambda text: TABLE.match(text, 0) is not None)


def has_runtime_prefix(head: bytes) -> bool:
    """Whether the first line of a log that names the runtime has its prefix, whatever stands before that."""
    head = head[:HEAD_BYTES]  # however much of the log is at hand
    at = head.find(b"executorch:")
    line = head[max(at - 32, 0) : at + 300].decode("utf-8", "replace") if at >= 0 else ""
    return any(found["tag"] == "executorch" for found in LOG_PREFIX.finditer(line))


def look_ahead(splitter: LineSplitter, head: bytes) -> frozenset[str]:
    """Find out from the beginning of a stored log what stands around all its lines; before the first bytes.

    The result are the sources of lines that are boards, each with runs of its own.
    """
    head = head[:HEAD_BYTES]  # however much of the log is at hand
    splitter.returns = LineFeeds(head)
    head = _as_it_was(splitter, LineFeeds(head).of(head, True))
    boards: frozenset[str] = frozenset()
    if b"INFO" in head or b"DEBUG" in head:
        from .loggers import loggers_before  # only here: as few logs went through a logger

        splitter.labels, boards = loggers_before(head)
    if not boards and may_be_framed(head):
        from .framing import (
            boards_before,
            first_frame,
            in_one_line,
            sources_before,
        )  # only here: most logs begin with own words

        splitter.labels, boards = sources_before(head, splitter.wrapped.known)
        if not splitter.labels:
            splitter.frame = first_frame(head, splitter.wrapped.known)
            if splitter.frame is not None and not boards:
                boards = boards_before(head, (), splitter.frame)
        splitter.wide = in_one_line(head, splitter.frame) or splitter.wide
    if _OF_CTEST in head and (not splitter.labels or not boards):
        from .framing import tests_of_ctest

        tests = tests_of_ctest(head)
        if tests[0]:
            splitter.frame, (splitter.labels, boards) = None, tests
    _look_for_strings(splitter, head)
    if splitter.frame is None and not has_runtime_prefix(head):
        from .own_prefix import prefix_of_port  # only here: most logs have the runtime's own prefix

        splitter.frame = prefix_of_port(head, splitter.wrapped.known)
    if splitter.frame is None and not splitter.labels and may_be_framed(head):
        from .framing import frame_of_most  # only here: as above

        splitter.frame = frame_of_most(head, splitter.wrapped.known)
    return boards


def _as_it_was(splitter: LineSplitter, head: bytes) -> bytes:
    """The beginning as it was before a page, a word processor, an editor of Markdown or a recorder changed its characters."""
    if head[:1] == b"{" and splitter.wide is None and _is_own_report(head):
        from .one_line import OnlyEnds  # only here: it is no log

        splitter.wide = OnlyEnds()
        return b""
    for carrier in CARRIERS:
        if splitter.wide is not None or not carrier.may_be(head):
            continue
        decoder = carrier.decoder_for(head, splitter.wrapped.known)
        if decoder is not None:
            splitter.wide, own = decoder(), decoder()  # decoders keep what they have seen
            head = own.decode(head, True).encode("utf-8", "replace")
            if carrier.alone:
                return head
    if any(mark in head for mark in _SOFT_MARKS):
        from .one_line import SoftEnds, has_soft_ends  # only here: word processors, web pages and XML have them

        if has_soft_ends(head):
            splitter.wide = SoftEnds()
            head = SoftEnds().decode(head).replace("\r", "\n").encode("utf-8", "replace")
    head = without_entities(head) if b"&" in head else head
    if any(mark in head for mark in _ESCAPES):
        from .markdown import MarkdownText, escaped, unescaped  # only here: a path of Windows has such, too

        if escaped(head, splitter.wrapped.known):
            splitter.wide, head = MarkdownText(), unescaped(head).encode("utf-8", "replace")
    if splitter.wide is None and any(map(_may_be_several, head.split(b"\n"))):
        from .lost_ends import LostEnds, has_lost_ends  # only here: most logs have lines

        if has_lost_ends(head):
            splitter.wide = LostEnds()
            head = LostEnds().decode(head, True).replace("\r", "\n").encode("utf-8", "replace")
    return head


def _is_own_report(head: bytes) -> bool:
    """Whether this is a document that `analyze` wrote of other logs, which it quotes: a report, or a run in each line."""
    a_run = b'"first_line": ' in head[:_OWN_BYTES] and b'"executorch_version": ' in head[:_OWN_BYTES]
    return (a_run and head.startswith(b'{"source": ')) or b'"schema": "ethosu-tui/' in head[:_HEADER_BYTES]


def _may_be_several(line: bytes) -> bool:
    return len(line) > _LONG and (_SUMMARY in line or max(map(line.count, _WORDS)) > _LEAST)


def _look_for_strings(splitter: LineSplitter, head: bytes) -> None:
    """A log that somebody keeps in a string of JSON, YAML or source code has its line ends written out."""
    frame, listed = splitter.frame, head.lstrip()[:1] in (b"{", b"[")
    if (frame is None or frame.head == '"') and not splitter.labels and (listed or rb"\n" in head):
        from ..line_forms.host_prefix import NOTEBOOK
        from .one_line import (
            AssertedText,
            OneLineText,
            in_strings,
            is_asserted,
        )  # only here: a message may hold such an end, too

        if in_strings(head, splitter.wrapped.known):
            splitter.wide, splitter.frame = AssertedText() if is_asserted(head) else OneLineText(), NOTEBOOK
