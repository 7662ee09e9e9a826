"""Which command opens a file at a line, and what editors are told not to do with a log."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ethosu_tui.runners.editor import editor_argv, pager_argv
from ethosu_tui.runners.job import MissingTool


def anywhere(name: str) -> str | None:
    return f"/usr/bin/{name}" if "/" not in name else name


def argv(editor: str, line: int | None = 7, path: str = "/logs/a b.log") -> list[str]:
    return editor_argv(path, line, {"EDITOR": editor}, anywhere)


@pytest.mark.parametrize(
    ("editor", "wanted"),
    [
        ("nano", ["nano", "+7", "/logs/a b.log"]),
        ("vim", ["vim", "--cmd", "set nomodeline", "+7", "/logs/a b.log"]),
        ("nvim -R", ["nvim", "-R", "--cmd", "set nomodeline", "+7", "/logs/a b.log"]),
        ("code --wait", ["code", "--wait", "-g", "/logs/a b.log:7"]),
        ("subl -w", ["subl", "-w", "/logs/a b.log:7"]),
        ("'/opt/my editor/joe' -x", ["/opt/my editor/joe", "-x", "+7", "/logs/a b.log"]),
        ("ed", ["ed", "/logs/a b.log"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_way(editor: str, wanted: list[str]) -> None:
    assert argv(editor) == wanted


def test_emacs_obeys_nothing_that_a_log_says() -> None:
    words = argv("emacs -nw")
    assert words[:3] == ["emacs", "-nw", "--eval"] and "enable-local-variables nil" in words[3]
    assert words[4:] == ["+7", "/logs/a b.log"]


def test_a_name_can_be_no_option() -> None:
    assert argv("nano", None, "-rf")[-1] == os.path.abspath("-rf")


def test_the_first_that_is_named_counts_and_none_is_passed_over() -> None:
    assert editor_argv("/x", 1, {"VISUAL": "nano", "EDITOR": "vi"}, anywhere)[0] == "nano"
    with pytest.raises(MissingTool, match="names gone, which is not there"):
        editor_argv("/x", 1, {"EDITOR": "gone -x"}, lambda name: None)
    with pytest.raises(MissingTool, match="cannot be read"):
        editor_argv("/x", 1, {"EDITOR": "vi 'unclosed"}, anywhere)
    with pytest.raises(MissingTool, match="there is no editor here"):
        editor_argv("/x", 1, {}, lambda name: None)


def test_without_a_word_the_usual_ones_are_taken(tmp_path: Path) -> None:
    assert pager_argv({"PAGER": "less -R"}, anywhere) == ["less", "-R", "-+F"]
    assert pager_argv({}, lambda name: name if name == "more" else None) == ["more"]
    assert editor_argv("/x", 3, {}, lambda name: "/usr/bin/nano" if name == "nano" else None) == ["nano", "+3", "/x"]
