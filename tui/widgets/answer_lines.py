"""The five answers of a summary: questions in one column, answers beside them, wrapped to the width that there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ...analysis.answers.answer import Answer
from ...analysis.lines import clean
from .. import glyphs

TONES = {
    "good": "$text-success bold",
    "bad": "$text-error bold",
    "warn": "$text-warning bold",
    "dim": "$foreground-muted bold",
}
_SIGNS = {"good": glyphs.PASSED, "bad": glyphs.BROKEN, "warn": "!", "dim": "?"}

Word = tuple[str, str]


class AnswerLines(Widget):
    """A block of text as high as it needs to be."""

    DEFAULT_CSS = """
    AnswerLines { height: auto; width: 1fr; padding: 0 1; }
    """

    answers: reactive[tuple[Answer, ...]] = reactive((), layout=True)
    brief: reactive[int] = reactive(0, layout=True)
    """Lines of an answer at most, where there is little room: the rest is in the tab that it is about; 0 for all."""

    most: reactive[int] = reactive(0, layout=True)
    """Lines of all answers that there is room for: what short ones leave over goes to those that are cut, the first one first."""

    def __init__(self, answers: Sequence[Answer] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(AnswerLines.answers, tuple(answers))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        left = max((cell_len(answer.question) for answer in self.answers), default=0) + 4
        lines: list[Content] = []
        wrapped = [_wrapped(_words(answer), max(10, width - left)) for answer in self.answers]
        spare = self.most - sum(min(len(rows), self.brief) for rows in wrapped)
        for answer, rows in zip(self.answers, wrapped, strict=True):
            room = self.brief + max(0, min(spare, len(rows) - self.brief))
            spare -= room - self.brief
            if 0 < self.brief and room < len(rows):
                rows = [*rows[: room - 1], [*rows[room - 1], (glyphs.ELLIPSIS, "$foreground-muted")]]
            sign = _SIGNS.get(answer.tone, " ")
            head = Content.assemble((f"{sign} ", TONES.get(answer.tone, "")), (answer.question, "bold"))
            for i, row in enumerate(rows):
                start = head + Content(" " * (left - head.cell_length)) if i == 0 else Content(" " * left)
                lines.append(Content.assemble(start, *_pieces(row)))
        return lines


def _pieces(row: Sequence[Word]) -> list[Content]:
    """Words of one style as one piece: each piece costs bytes on the line."""
    found = groupby(row, key=lambda word: word[1])
    return [Content.styled("".join(f"{word} " for word, _ in words), style) for style, words in found]


def _words(answer: Answer) -> list[Word]:
    style = TONES.get(answer.tone, "bold")
    text = clean(answer.answer)
    colon = ":" if answer.reason and answer.known else "," if answer.reason else ""
    words = [(word, style) for word in f"{text[:1].upper()}{text[1:]}{colon}".split(" ")]
    reason = clean(answer.reason)
    if not answer.known and reason:
        words.append(("because", "$foreground-muted"))
    return words + [(word, "$foreground-muted") for word in reason.split(" ") if word]


def _wrapped(words: Sequence[Word], width: int) -> list[list[Word]]:
    rows: list[list[Word]] = [[]]
    used = 0
    for word, style in words:
        size = cell_len(word)
        if rows[-1] and used + size + 1 >= width:
            rows.append([])
            used = 0
        rows[-1].append((word, style))
        used += size + 1
    return rows
