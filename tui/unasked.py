"""What the options of a command are where none is given: read from its `configure`, without a parser.

`analyze run.log` is the command that is typed most; argparse, with the gettext and locale that it loads to ask, would take
a tenth of its time.
"""

from __future__ import annotations

import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Unasked:
    """Stands where `configure` expects a parser, and keeps what each option is when nobody gives it."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def add_argument(
        self, name: str, *, action: str = "store", default: Any = None, dest: str | None = None, **_: Any
    ) -> None:
        """One option, or the paths."""
        self.values[dest or name.lstrip("-").replace("-", "_")] = False if action == "store_true" else default

    def add_argument_group(self, _: str) -> Unasked:
        """A group is for the help alone."""
        return self

    def add_mutually_exclusive_group(self) -> Unasked:
        """Nothing is given, so nothing excludes anything."""
        return self


def unasked(configure: Callable[[Any], object], paths: list[str]) -> Any:
    """What the parser that `configure` fills would make of a command line with these paths and nothing else."""
    known = Unasked()
    configure(known)
    return types.SimpleNamespace(**{**known.values, "paths": paths})
