"""The ETDump and debug buffer of one run of a log, as bytes: for saving what the runner would have written to files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .draft import RunDraft
from .etdump.report import Blocks, decode_blocks
from .lines import Line
from .runs import RunBuilder

_OLD = frozenset(("etdump_fence", "etdump_heredoc"))
"""What only runners before 1.0 print around an ETDump."""
_BUFFER = "debug_buffer"


class Found(NamedTuple):
    """The blocks of a run, and what to say where they hold no debug buffer."""

    blocks: Blocks
    run: int
    """Its number in the report, from 1."""
    buffer_run: int | None
    """The first run with a debug buffer, as far as the log was read."""
    old: bool
    """True where its runner is of a release that prints no debug buffer."""
    buffer_lost: bool
    """True where a debug buffer was announced, so that one was printed."""


class DumpFinder:
    """Feed it the lines of a log; it keeps the blocks of one run: the one asked for, or the first that has what is wanted."""

    def __init__(self, run: int | None = None, *, buffer: bool = False) -> None:
        """`run`: its number in the report, from 1; `buffer`: a debug buffer is wanted."""
        self._wanted = run
        self._buffer = buffer
        self._builder = RunBuilder()
        self._draft: RunDraft | None = None
        self._found: RunDraft | None = None
        self._found_run = 0
        self._buffer_run: int | None = None
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
        if draft is None or draft is self._found or not draft.etdump.blocks:
            return
        first = self._buffer_run is None and any(_BUFFER in (b.file or "") and b.size for b in draft.etdump.blocks)
        if first:
            self._buffer_run = self.runs
        wanted = self._wanted == self.runs if self._wanted is not None else first and self._buffer
        if wanted or (self._found is None and self._wanted is None):
            self._found, self._found_run = draft, self.runs

    @property
    def done(self) -> bool:
        """True once nothing that follows can change the result."""
        return self._found is not None and (not self._buffer or self._buffer_run is not None)

    def found(self) -> Found | None:
        """The blocks of the run, decoded; None where it has none."""
        self._settle()
        draft = self._found
        blocks = decode_blocks(draft.etdump.blocks) if draft is not None else None
        if draft is None or blocks is None:
            return None
        announced = draft.etdump.announced is not None and _BUFFER in draft.etdump.announced[1]
        lost = announced or any(_BUFFER in (block.file or "") for block in draft.etdump.blocks)
        return Found(blocks, self._found_run, self._buffer_run, not _OLD.isdisjoint(draft.seen), lost)

    def blocks(self) -> Blocks | None:
        """The blocks alone."""
        found = self.found()
        return found.blocks if found is not None else None
