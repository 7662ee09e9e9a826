"""An error line that no row explains: where it is all that a log says, it is quoted."""

from __future__ import annotations

import re

from ..host.host_line import HostLine
from ..host.host_log import HostLog
from ..report import Finding
from .causes import quoted

_SAID = re.compile(
    r"(?:fatal|error|Error|ERROR|FATAL ERROR): (?=\S)|[\w./+-]{0,80}[\w+]: (?:fatal )?error: (?=\S)|\S{1,200}:\d{1,7}:(?:\d{1,6}:)? (?:fatal )?[Ee]rror: "
)
"""How commands begin what stopped them."""
_NO_ERROR = re.compile(
    r"\s*(?:(?:0|usage)\b|no (?:errors?|problems?)\b|(?:no|none|null|nil|ok|true|false)[^\w\n]{0,40}\Z|[-+]?\d{0,9}\.\d|[-+]?\d{1,9} ?%|[^\w\n]{0,40}\Z|\"[^\"\n]{0,80}\",?\s*\Z)|"
    r"[^\n]{0,400}\b(?:retrying|trying again|attempting binary compare|clearing lockup after double fault)\b|[^\n]{0,400}(?:\?\s*\Z|\b(?:I|I'm|we|my|you|anyone|thanks|please)\b[^\n]{0,400}\?)",
    re.I,
)
"""What is a figure of errors, a line of a configuration, what goes on, or somebody's question, behind such a beginning."""


def unexplained(log: HostLog, lines: list[HostLine], known: set[int]) -> Finding | None:
    """The first line by which a command says that it failed, if nothing after it succeeded; `known` are explained
    lines.

    Parallel builds go on for some steps after an error; where one says that it stopped (in `known`), steps do not
    count.
    """
    for line in lines:
        if (
            line.kind != "host_error"
            or line.line in known
            or line.line <= (log.last_done if known else max(log.last_done, log.last_step_at))
        ):
            continue
        first = line.text.splitlines()[0]
        begin = _SAID.match(first)
        if begin is None or _NO_ERROR.match(first, begin.end()) is not None:
            continue
        return Finding(
            "command-failed", "error", None, "A command failed",
            f"The log says: {quoted(first)}",
            "Read that line and the ones above it, and run the command on its own once: no known cause matches.", (line.line,),
        )  # fmt: skip
    return None
