"""What Home's threads bring to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ...runners.runs.going import Seen
    from ..dashboard import Lacks, Places
    from ..stored import Stored


@dataclass(eq=False, repr=False)
class RunsListed(Message):
    """The stored runs were read."""

    runs: Stored
    samples: Stored | None


@dataclass(eq=False, repr=False)
class LookedAt(Message):
    """What goes on was looked at."""

    seen: Seen


@dataclass(eq=False, repr=False)
class PlacesSeen(Message):
    """The targets were looked at."""

    places: Places


@dataclass(eq=False, repr=False)
class ToolsChecked(Message):
    """What is installed."""

    lacks: Lacks
