"""Logs of labgrid, which writes what it reads from a console as records of its log: one for each line, with its end as signs.

Where it reports a step in the middle of a line, the line goes on in the next record.
"""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import compiled
from ..line_forms.quoted import without_quotes
from .joined_rows import LONGEST, JoinedRows

_END = "\u240d\u2424"
"""How labgrid shows the end of a line."""
_MOST_BETWEEN = 40
"""Rows of others behind the beginning of a line, which then has ended there."""
_RECORD = r"\b([A-Za-z]\w{0,60}Driver\(.{0,400}?\)) (?:<|&lt;) ?"
"""What stands before what was read: level, logger, and the driver, whose text may be all that Python says of it."""
_SIGNS = {ord(sign): None for sign in "\u240d\u2424\u2408\u2407"} | {ord("\u240b"): " ", ord("\u240c"): " "}


def decoder_for(head: bytes, known: Callable[[str], bool]) -> Callable[[], LabgridLog] | None:
    """What makes a decoder, where such a record stands in this text; it names the consoles if there are several."""
    lines = head.decode("utf-8", "replace").split("\n")
    if not any(compiled(_RECORD).search(line.partition(_END)[0]) for line in lines if _END in line and ") " in line):
        return None
    records = map(compiled(_RECORD).search, lines)
    consoles = {compiled(_STATE).sub("", record[1]) for record in records if record is not None}
    return lambda: LabgridLog(len(consoles) > 1)


_STATE = r", state=(?:<|&lt;)\S{0,40} \d(?:>|&gt;)"
"""What of the text of a driver changes."""
_NAME = r"\w+\((?:.{0,40}?\bname=')?([\w.-]{1,40})"


class LabgridLog(JoinedRows):
    """Gives the lines of the console as it printed them, and all others as they are; of several, with the name of each.

    Example:
        >>> LabgridLog().decode("CONSOLE S.main: UartDriver(main) < one\u240d\u2424\\n".encode(), True)
        'one\\n'
    """

    def __init__(self, several: bool = False) -> None:
        super().__init__("\n")
        self._names: dict[str, str] | None = {} if several else None
        """What stands before the lines of each console, by its driver."""
        self._source = ""
        """The driver whose line is open."""
        self._rows_since: list[str] = []
        """The rows behind the one in which it begins."""

    def _above(self, row: str) -> str:
        record = compiled(_RECORD).search(row) if ") <" in row or ") &lt;" in row else None
        if record is None:
            row = without_quotes(row)
            if not self._source:
                return f"{row}\n"
            self._rows_since.append(row)
            return self._ended() if len(self._rows_since) > _MOST_BETWEEN else ""
        read, end, _tail = row.rstrip("\r")[record.end() :].partition(_END)
        text, told = read.translate(_SIGNS), ""
        if self._source == record[1]:
            self._go_on(text)
            self._rows_since.append("")
        else:
            told, self._source = self._begin(text), record[1]
        return told + self._ended() if end or self._length > LONGEST else told

    def _ended(self) -> str:
        line, self._parts = self._named("".join(self._parts)), []
        rows, self._rows_since = [line, *self._rows_since] if self._source else [], []
        self._source = ""
        return "".join(f"{row}\n" for row in rows)

    def _named(self, line: str) -> str:
        """The line of a console with its name, where there are several."""
        if self._names is None or not self._source:
            return line
        driver = compiled(_STATE).sub("", self._source)
        if driver not in self._names:
            name = compiled(_NAME).match(driver)
            told = name[1].lower() if name is not None else "console"
            self._names[driver] = told if told not in self._names.values() else f"{told}-{len(self._names) + 1}"
        return f"{self._names[driver]}  | {line}"
