"""One line of a log as the splitter in `lines` hands it on, and the levels that it may have."""

from __future__ import annotations

from .named_tuple import NamedTuple

LEVELS = frozenset("DIEF?")
"""ExecuTorch's levels, as it prints them: debug, info, error, fatal, and one that it does not know."""
SEVERE = frozenset("EF")
"""The levels of messages about failures: findings may quote any such line, and none begins a run."""


class Line(NamedTuple):
    """One line, safe to print: `text` as shown, `message` without host time stamp and log prefix."""

    number: int
    text: str
    level: str
    file: str | None
    source_line: int | None
    function: str | None
    message: str
    at: float | None
    partial: bool
    """True when this is not the whole line: the input ended in it, or another printer broke into it."""
    eot: bool
    """True when the line carried the end-of-transmission byte 0x04 that ends a simulation."""
    data: str = ""
    """The base64 text of a line longer than `lines.LINE_LIMIT_BYTES`, of which `text` and `message` show only the beginning,
    or of one from which something was taken out that cannot be shown: a mark stands for each byte of that."""
    stream: str = ""
    """The source that a host tool named before the line: a container, a process, a board."""
