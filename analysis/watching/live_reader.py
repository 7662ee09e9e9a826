"""Reads a run while somebody watches its lines; long dumps of tensors cost little.

It gives the same lines and report as `CaptureReader`. A board at 3 Mbaud prints 11,000 elements per second, which would
take a third of a core one by one.
"""

from __future__ import annotations

from ..capture import CaptureReader
from ..carriers.beginning import has_runtime_prefix
from ..draft_parts import FIRST_VALUES
from ..line_forms.encodings import LineFeeds, may_have_only_returns
from ..line_forms.host_prefix import HEAD_BYTES
from ..lines import Line
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from ..carriers.own_prefix import PrefixSearch
    from ..line_forms.host_prefix import Frame

_LEAST_BYTES = 512
"""Shorter pieces hold no long dump."""


class LiveReader(CaptureReader):
    """Fed with bytes as they come.

    Example:
        >>> reader = LiveReader("board")
        >>> [line.text for line in reader.feed(b"Output[0][0]: 1.5\\nOutput[0]")]
        ['Output[0][0]: 1.5']
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._begun: list[tuple[bytes, float | None]] = []
        """The bytes so far, while they may still show what a port writes before each line."""
        self._head: bytearray | None = bytearray()
        """The same in one piece, as far as it counts; None once it is decided."""
        self._searched = 0
        """How many of these bytes were searched."""
        self._search: PrefixSearch | None = None
        self._told = 0
        """Lines with text that were given so far."""
        self._named = False
        """True once the runtime's own prefix was seen, so that there is no other."""
        self._prefix: Frame | None = None
        """The prefix that is taken off lines now."""

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take raw bytes and return the lines that they complete; `at` is the time in seconds since the run started."""
        if self._head is None:
            return self._read(data, at)
        self._begun.append((data, at))
        if self._splitter.returns or b"\n" not in self._head:
            returned = LineFeeds(bytes(self._head) + data[:HEAD_BYTES])
            if bool(returned) != bool(self._splitter.returns):
                return self._read_anew(returned, data)
        prefix = self._prefix_told(self._head, data)
        if prefix is self._prefix or (self._prefix is None and self._splitter.frame is not None):
            lines = self._read(data, at)
        else:  # what was read before it was known, or before something contradicted it, is read again
            number, self._prefix = self._splitter.number, prefix
            self._begin(1)
            self._splitter.frame, self._splitter.returns = prefix, LineFeeds(bytes(self._head))
            lines = [line for piece, when in self._begun for line in self._read(piece, when) if line.number >= number]
        self._told += sum(map(_has_text, lines))
        told = self._named or (self._search is not None and self._search.refused)
        if len(self._head) >= HEAD_BYTES or (told and not may_have_only_returns(self._head)):
            self._head, self._begun, self._search = None, [], None
        return lines

    def _read_anew(self, returned: LineFeeds, data: bytes) -> list[Line]:
        """The lines behind those that were given, read again with other ends of lines than the beginning seemed to have."""
        if self._head is not None:
            self._prefix_told(self._head, data)
        frame, told = self._splitter.frame, self._told
        self._begin(1)
        self._splitter.frame, self._splitter.returns = frame, returned
        lines = [line for piece, when in self._begun for line in self._read(piece, when)]
        self._told = sum(map(_has_text, lines))
        while told and lines:
            told -= _has_text(lines.pop(0))
        return lines

    def _prefix_told(self, head: bytearray, data: bytes) -> Frame | None:
        """What the port writes before each line, once the beginning of the log shows it; "" until then."""
        head += data[: HEAD_BYTES - len(head)]
        if b"executorch:" in head:
            self._named = has_runtime_prefix(bytes(head))
        end = head.rfind(b"\n", self._searched) + 1
        if end:
            if self._search is None:
                from ..carriers.own_prefix import PrefixSearch  # only here: most logs are not watched

                self._search = PrefixSearch(self._splitter.wrapped.known)
            self._search.look_at(head[self._searched : end])
        self._searched = max(end, self._searched)
        return None if self._named or self._search is None else self._search.found

    def _read(self, data: bytes, at: float | None) -> list[Line]:
        if len(data) < _LEAST_BYTES or b"put[" not in data:
            return super().feed(data, at)
        begin = 0 if self.at_line_start else data.find(b"\n") + 1
        if not begin and not self.at_line_start:
            return super().feed(data, at)
        from ..fast.elements import find_elements  # few runs have such dumps

        lines: list[Line] = []
        done = 0
        found = find_elements(data, begin)
        while found is not None:
            begin = found.begin
            if done < begin:
                lines += super().feed(data[done:begin], at)
            known = self.elements(found.kind, found.tensor)
            shown = min(FIRST_VALUES, found.count)
            if known is not None and known.count == found.first and known.dtype == found.dtype:
                shown = 0
            for _ in range(shown):
                begin = data.find(b"\n", begin) + 1
            if shown:
                lines += super().feed(data[found.begin : begin], at)
            done, count = begin, found.count - 1 - shown
            known = self.elements(found.kind, found.tensor)
            if count > 0 and known is not None and known.takes(found.first + shown, found.dtype):
                done = data.rfind(b"\n", 0, found.end - 1) + 1  # the last one is read: it tells where the run is
                known.count += count
                lines += self._passed(data[begin:done], count, at)
            found = find_elements(data, found.end - 1)
        return lines + super().feed(data[done:], at)

    def _passed(self, data: bytes, count: int, at: float | None) -> list[Line]:
        """Elements in order, as lines; they were checked, and none of their values is kept."""
        number = self._splitter.number
        self.pass_over(len(data), count, count, runs=0)
        texts = data.replace(b"\r", b"").decode("ascii").split("\n")
        new = tuple.__new__
        return [
            new(Line, (number + place, text, "", None, None, None, text, at, False, False, "", ""))
            for place, text in enumerate(texts[:count])
        ]


def _has_text(line: Line) -> bool:
    return line.text != ""
