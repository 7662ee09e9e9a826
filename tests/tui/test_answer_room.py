"""Answers share the lines that there are: what short ones leave over goes to those that would be cut."""

from __future__ import annotations

from ethosu_tui.analysis.answers.answer import Answer
from ethosu_tui.tui import glyphs
from ethosu_tui.tui.widgets.answer_lines import AnswerLines


def _shown(most: int) -> list[str]:
    long = " ".join(["word"] * 30)
    lines = AnswerLines([Answer("passed", "yes", ""), Answer("speed", long, ""), Answer("fit", long, "")])
    lines.set_reactive(AnswerLines.brief, 2)
    lines.set_reactive(AnswerLines.most, most)
    return [line.plain.rstrip() for line in lines._lines(60)]


def test_lines_that_are_left_over_go_to_the_answers_that_are_cut() -> None:
    assert len(_shown(0)) == 5 and sum(line.endswith(glyphs.ELLIPSIS) for line in _shown(0)) == 2
    assert len(_shown(7)) == 7 and sum(line.endswith(glyphs.ELLIPSIS) for line in _shown(7)) == 1, "the first one first"
    whole = _shown(99)
    assert len(whole) == 9 and not any(line.endswith(glyphs.ELLIPSIS) for line in whole), "no more than they need"
