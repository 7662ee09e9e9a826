"""Stretches of JSON text with numbers of lines in them are what writing each number gives, wherever they begin."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.fast import line_texts
from ethosu_tui.analysis.fast.json_code import Stretch, joined_lines
from ethosu_tui.analysis.fast.json_text import JsonText
from ethosu_tui.analysis.fast.line_texts import MOST_SPAN, LineTexts

LINES = st.one_of(st.integers(0, 3_000), st.integers(0, 10**12))
OFFSETS = st.lists(st.integers(1, MOST_SPAN - 1), min_size=3, max_size=40).map(lambda some: [0, *some])


def written(pieces: list[str], offsets: list[int], line: int) -> str:
    shown = [text + json.dumps(line + offset) for text, offset in zip(pieces, offsets, strict=False)]
    return "".join((*shown, pieces[-1]))


@given(offsets=OFFSETS, lines=st.lists(LINES, min_size=1, max_size=20))
def test_a_stretch_holds_the_numbers_of_its_lines(offsets: list[int], lines: list[int]) -> None:
    pieces = [f'"{place}": ' for place in range(len(offsets))] + ["}"]
    texts = LineTexts(pieces, offsets)
    for line in (*lines, *lines):
        assert texts.at(line) == written(pieces, offsets, line)
        assert texts.of(range(line, line + texts.span)) == written(pieces, offsets, line)


def test_texts_are_made_again_where_too_many_would_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_texts, "MOST_CHARACTERS", 500)
    pieces, offsets = ["a ", ", b ", ", c ", ", d ", "."], [0, 3, 1, 2]
    one, other = LineTexts(pieces, offsets), LineTexts(pieces[::-1], offsets)
    for line in (*range(1_000, 1_200), *range(1_100, 1_300)):
        assert one.at(line) == written(pieces, offsets, line)
        assert other.at(line) == written(pieces[::-1], offsets, line)
        assert sum(map(len, (*one.values(), *other.values()))) <= 500


@given(st.lists(st.tuples(st.integers(0, 600), st.sampled_from(["", " + v7", "v1", "index + 0"])), max_size=30))
def test_only_numbers_of_lines_that_are_counted_alike_become_one_stretch(found: list[tuple[int, str]]) -> None:
    expressions = tuple(f"line + {line}{what}" if what in ("", " + v7") else what for line, what in found)
    text = JsonText(tuple(f"<{place}>" for place in range(len(expressions) + 1)), expressions, frozenset())
    pieces, parts = joined_lines(text)
    again = [pieces[0]]
    for part, piece in zip(parts, pieces[1:], strict=True):
        if isinstance(part, Stretch):
            assert max(part.offsets) < MOST_SPAN
            for around, offset in zip(part.pieces, part.offsets, strict=False):
                again += [around, f"line + {part.first + offset}{part.after}"]
            again += [part.pieces[-1], piece]
        else:
            again += [part, piece]
    whole = [text.pieces[0]]
    for one, piece in zip(expressions, text.pieces[1:], strict=True):
        whole += [one, piece]
    assert "".join(again) == "".join(whole)
