"""The reader of a run while it happens, where somebody watches the lines: long dumps of tensors cost it little.

It gives the lines and the report that `CaptureReader` gives.  At 3 Mbaud a board prints 11,000 elements a second; one by
one they would take a third of a core.
"""

from __future__ import annotations

from .capture import CaptureReader
from .draft import FIRST_VALUES
from .lines import Line

_LEAST_BYTES = 512
"""Less than this holds no long dump."""


class LiveReader(CaptureReader):
    """Fed with bytes as they come.

    Example:
        >>> reader = LiveReader("board")
        >>> [line.text for line in reader.feed(b"Output[0][0]: 1.5\\nOutput[0]")]
        ['Output[0][0]: 1.5']
    """

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take raw bytes (`at`: seconds since the start of the run) and return the lines that they complete."""
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
