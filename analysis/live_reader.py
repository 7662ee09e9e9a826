"""The reader of a run while it happens, where somebody watches the lines: long dumps of tensors cost it little.

It gives the lines and the report that `CaptureReader` gives.  At 3 Mbaud a board prints 11,000 elements a second; one by
one they would take a third of a core.
"""

from __future__ import annotations

from .capture import CaptureReader
from .draft import FIRST_VALUES
from .host_prefix import HEAD_BYTES
from .lines import Line, has_runtime_prefix
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .host_prefix import Frame

_LEAST_BYTES = 512
"""Less than this holds no long dump."""


class LiveReader(CaptureReader):
    """Fed with bytes as they come.

    Example:
        >>> reader = LiveReader("board")
        >>> [line.text for line in reader.feed(b"Output[0][0]: 1.5\\nOutput[0]")]
        ['Output[0][0]: 1.5']
    """

    def __init__(self, source: str, first_line: int = 1) -> None:
        """`first_line` is the number of the first line, for a piece out of a longer capture."""
        super().__init__(source, first_line)
        self._first_line = first_line
        self._begun: list[tuple[bytes, float | None]] = []
        """What came so far, as it came, while it may still tell what a port writes before each line."""
        self._head: bytes | None = b""
        """The same in one piece; None once it is known, or that it will not be."""

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take raw bytes (`at`: seconds since the start of the run) and return the lines that they complete."""
        frame = None if self._head is None else self._prefix_told(self._head, data, at)
        if frame is None:
            return self._read(data, at)
        number, begun = self._splitter.number, self._begun
        super().__init__(self.source, self._first_line)  # what was read before it was known is read again
        self._splitter.frame, self._begun = frame, []
        return [line for piece, when in begun for line in self._read(piece, when) if line.number >= number]

    def _prefix_told(self, head: bytes, data: bytes, at: float | None) -> Frame | None:
        """What the port writes before each line, where these bytes tell it, with what came before them."""
        line, head = head.rfind(b"\n") + 1, head + data
        self._begun.append((data, at))
        known, frame = False, None
        if b"\n" in data:
            from .own_prefix import names_message, prefix_of_port

            known = head.find(b"executorch:", line) >= 0 and has_runtime_prefix(head)
            if not known and self._splitter.frame is None and names_message(head[line:]):
                frame = prefix_of_port(head, self._splitter.wrapped.known)
        self._head = head
        if known or frame is not None or len(head) >= HEAD_BYTES:
            self._head = None
            self._begun = [] if frame is None else self._begun
        return frame

    def _read(self, data: bytes, at: float | None) -> list[Line]:
        if len(data) < _LEAST_BYTES or b"put[" not in data:
            return super().feed(data, at)
        begin = 0 if self.at_line_start else data.find(b"\n") + 1
        if not begin and not self.at_line_start:
            return super().feed(data, at)
        from .fast.elements import find_elements  # few runs have such dumps

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
        """Elements in order, as lines; what they are was checked, and of their values none is kept."""
        number = self._splitter.number
        self.pass_over(len(data), count, count, runs=0)
        texts = data.replace(b"\r", b"").decode("ascii").split("\n")
        new = tuple.__new__
        return [
            new(Line, (number + place, text, "", None, None, None, text, at, False, False, "", ""))
            for place, text in enumerate(texts[:count])
        ]
