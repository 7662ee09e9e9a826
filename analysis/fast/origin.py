"""Where lines come from that are read apart from their capture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Extent = tuple[int, int, int, int, "str | None", int, int]
"""First and last line, start and end byte and time stamp of a run; where the next one begins, and lines up to there."""


class Origin(NamedTuple):
    """Where lines come from that were taken out of a capture, to be read without what stood before and between them."""

    numbers: Any
    """Of each such line, by its place among them."""
    extent: Callable[[int, int], Extent | None]
    """Of the run that they begin with, for how many lines there are up to the next run and how many do not count."""
