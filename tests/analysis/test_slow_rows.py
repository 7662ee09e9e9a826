"""No row of the pattern table is kept searching by a line made for it: each takes a small part of a second at most."""

from __future__ import annotations

import time

import pytest

from ethosu_tui.analysis.patterns import PATTERNS, Pattern, PatternTable
from ethosu_tui.analysis.patterns.table import MESSAGE_LIMIT

MOST_SECONDS = 0.02
"""Rows in order take a hundredth of that; one that tries every way to divide a line took three to six times as much."""

TRIES = 20
"""A busy machine takes processor time from all of several tries in a row, and not from so many."""


def _lines(pattern: Pattern) -> list[str]:
    literal = pattern.template.split("{", 1)[0]
    parts = [part.split("{", 1)[0].strip() for part in pattern.template.split("}")]
    longest = max(parts, key=len)
    tail = pattern.samples[0][-20:]
    fills = [fill * (2000 // len(fill)) for fill in ("1", "a ", "a:", "0x1 ")]
    lines = [line for fill in fills for line in (literal + fill, fill + longest, literal + fill + " " + tail)]
    sample = pattern.samples[0]
    for begin in (sample[: len(sample) // 2], sample[: 2 * len(sample) // 3], sample[:12]):
        lines += [(begin or sample) * (2000 // max(1, len(begin)) + 1), *(begin + fill * 2000 for fill in '"]-1')]
    return [line[:MESSAGE_LIMIT].strip() for line in lines]


def _processor_seconds(table: PatternTable, line: str) -> float:
    begun = time.process_time()
    table.match(line, 1)
    return time.process_time() - begun


@pytest.mark.parametrize("share", range(8))
def test_no_row_is_kept_searching(share: int) -> None:
    for pattern in PATTERNS[share::8]:
        table = PatternTable((pattern,))
        for line in _lines(pattern):
            if _processor_seconds(table, line) > MOST_SECONDS:
                again = any(_processor_seconds(table, line) <= MOST_SECONDS for _ in range(TRIES))
                assert again, (pattern.template, line[:60])
