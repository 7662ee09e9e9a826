"""Single lines of a log by their numbers, for a report that quotes what it rests on."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...analysis.carriers.encodings import LineFeeds
from ...analysis.lines import Line
from ...analysis.splitter import LineSplitter
from ..job import JobError
from .blocks import blocks
from .paths import is_stream

MOST_BYTES = 32 << 20
"""A log is read again for a quotation as far as this: further on, nobody would wait for one line."""


def quoted_lines(path: str, numbers: Iterable[int]) -> dict[int, Line]:
    """Those of these lines that can be read again, in one pass that ends at the last; none of a pipe, which was read once.

    `path` is a log, `archive!member`, or a run folder.
    """
    wanted = set(numbers)
    found: dict[int, Line] = {}
    if not wanted or is_stream(path):
        return found
    log = os.path.join(path, "console.log") if os.path.isdir(path) else path
    splitter = LineSplitter()
    try:
        for block in blocks(log):
            if not splitter.bytes:
                splitter.returns = LineFeeds(block)
            found |= {line.number: line for line in splitter.feed(block) if line.number in wanted}
            if len(found) == len(wanted) or splitter.bytes > MOST_BYTES:
                return found
        found |= {line.number: line for line in splitter.finish() if line.number in wanted}
    except JobError:  # it was read before, and its report stands without the line as well
        pass
    return found
