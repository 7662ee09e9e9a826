"""Several files in one capture, as `tail` and `head` show them: a heading stands above the lines of each.

Where `tail -f` follows the consoles of two boards, their headings come again and again: the lines below one are of that
board, up to the next heading.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..line import Line

MARK = "==> "
_HEADING = r"==> (\S.{0,200}) <==\Z"


class FileHeadings:
    """Whose lines those are that come."""

    __slots__ = ("name",)

    def __init__(self) -> None:
        self.name = ""
        """The file that stands in the newest heading."""

    def below(self, line: Line) -> Line:
        """The line with its file as its source, where nothing else names one; ask for lines that begin with `MARK`, and while there is a `name`."""
        if line.message.startswith(MARK):
            heading = compiled(_HEADING).match(line.message)
            self.name = heading[1] if heading is not None else self.name
        return line if line.stream else line._replace(stream=self.name)
