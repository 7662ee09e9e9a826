"""Where lines stand in their capture that were taken out of it to be read apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Extent = tuple[int, int, int, int, "str | None", int, int]
"""First and last line, start and end byte and time stamp of a run; where the next begins, and lines up to there."""


class Origin(NamedTuple):
    """Where lines stand that were taken out of a capture, to be read without what stood before and between them."""

    numbers: Any
    """The number of each such line, by its place among them."""
    extent: Callable[[int, int], Extent | None]
    """The extent of the run that they begin with, by the number of lines up to the next run and of those that do not
    count.
    """
