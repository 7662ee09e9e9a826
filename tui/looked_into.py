"""What the dashboard opens besides logs: programs, graphs, profiles and Vela's tables, as `ethosu-tui inspect` shows them.

A program is told by its first bytes before anybody reads it as a log; its tables are those that the command prints.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.tables import Table
from ..runners.artefacts import Artefact, identify
from ..runners.job import InputError
from ..runners.reading import inputs

if TYPE_CHECKING:
    from ..runners.reading.inputs import Loaded

PROGRAMS = ("pte", "bpte")
GROUPS = (
    ("Program", ("Program", "Memory needed")),
    ("Boards", ("Boards",)),
    ("Delegates", ("Delegates (bytes)", "Inputs and outputs of the NPU", "Compile specs")),
    ("Tensors", ("Inputs and outputs", "Test cases")),
    ("CPU operators", ("Operators",)),
    ("File", ("", "Segments")),
)
"""Tabs of a program, with the titles of their tables; the table without a title is about the file."""
OPENED = (*PROGRAMS, "tosa", "etdump", "vela-debug", "vela-per-layer")


class LookedInto(NamedTuple):
    """A file that is no log, and what is in it."""

    artefact: Artefact
    tables: tuple[Table, ...]
    """About the file, then of what is in it."""

    @property
    def path(self) -> str:
        """Where it lies."""
        return self.artefact.path

    @property
    def is_program(self) -> bool:
        """Whether something can run it."""
        return self.artefact.kind in PROGRAMS

    @property
    def tabs(self) -> tuple[tuple[str, tuple[Table, ...]], ...]:
        """Tables by tab; those without a row are left out, and so is a tab of only such ones."""
        left = [table for table in self.tables if table.rows]
        tabs: list[tuple[str, tuple[Table, ...]]] = []
        for name, titles in GROUPS if self.is_program else (("File", ("",)),):
            found = tuple(table for table in left if table.title in titles)
            left = [table for table in left if table not in found]
            tabs += [(name, found)] if found else []
        return (*tabs, *((_short(table.title), (table,)) for table in left))


def load(path: str) -> Loaded | LookedInto:
    """What a screen can show of this path: what is in a program, graph, profile or table of Vela, else the log or run.

    Raises:
        InputError: unreadable, damaged, or nothing in it is recognised.
    """
    try:
        artefact = identify(os.path.expanduser(path))
    except InputError:  # a folder, a member of an archive, a log: the reader of these says what is wrong
        return inputs.load(path)
    if artefact.kind not in OPENED:
        return inputs.load(path)
    from .inspected import tables_of

    return LookedInto(artefact, tables_of(artefact))


def _short(title: str) -> str:
    """The name of a tab: a block of a graph has all its inputs in its title."""
    return title.split(":")[0].split(" (")[0][:20].strip() or "Table"
