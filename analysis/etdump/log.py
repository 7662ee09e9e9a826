"""The ETDump and debug buffer of one run of a log, as bytes: for saving what the runner would have written to files."""

from __future__ import annotations

from collections.abc import Iterable

from ..draft import RunDraft
from ..lines import Line
from ..runs import RunBuilder
from .report import Blocks, decode_blocks


class DumpFinder:
    """Feed it the lines of a log; it keeps the blocks of one run: the one asked for, or the first that has any."""

    def __init__(self, run: int | None = None) -> None:
        """`run`: its number in the report, from 1."""
        self._wanted = run
        self._builder = RunBuilder()
        self._draft: RunDraft | None = None
        self._found: RunDraft | None = None
        self.runs = 0
        """Runs seen so far."""

    def feed(self, lines: Iterable[Line]) -> None:
        """Take the next lines."""
        for line in lines:
            self._builder.feed(line)
            draft = self._builder.draft
            if draft is not self._draft and draft is not None:
                self._settle()
                self._draft = draft
                self.runs += 1

    def _settle(self) -> None:
        draft = self._draft
        if self._found is None and draft is not None and draft.etdump_blocks:
            if self._wanted is None or self._wanted == self.runs:
                self._found = draft

    @property
    def done(self) -> bool:
        """True once nothing that follows can change the result."""
        return self._found is not None

    def blocks(self) -> Blocks | None:
        """The blocks of the run, decoded; None where it has none."""
        self._settle()
        return decode_blocks(self._found.etdump_blocks) if self._found is not None else None
