"""What we find and draw with less work than Textual is so on screens of tables too, and is left to Textual where it is another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor
from textual._styles_cache import StylesCache
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from ethosu_tui.tui.terminal import internals
from ethosu_tui.tui.terminal.known_styles import KnownStyles
from ethosu_tui.tui.terminal.needed_pieces import NeededPieces
from ethosu_tui.tui.widgets.row_cursor import RowCursor

from .conftest import on_screen
from .gallery import SCENES, app_on, store

KEYS = ("tab", "down", "slash", "q", "escape", "end", "pageup", "o", "escape")
"""The focus moves, lines come and go, rows move, a window opens and closes."""
NAMES = ("home", "sweep")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    store(folder)
    return folder


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Notes each piece of a frame that is not as Textual draws it."""
    wrong: list[str] = []
    ours = NeededPieces.render_partial_update

    def both(self: NeededPieces) -> ChopsUpdate | None:
        changed = set(self._dirty_regions)
        made = ours(self)
        self._dirty_regions = changed
        theirs = Compositor.render_partial_update(self)
        if theirs is not None:
            for y, left, right in theirs.spans:
                starts = [0, *theirs.chop_ends[y]]
                for begin, end in zip(starts, theirs.chop_ends[y], strict=False):
                    if begin < right and end > left:
                        piece = made.chops[y].get(begin) if made is not None else None
                        if _cells(piece) != _cells(theirs.chops[y].get(begin)):
                            wrong.append(f"line {y}, columns {begin} to {end}")
        return made

    monkeypatch.setattr(NeededPieces, "render_partial_update", both)
    yield wrong


def _cells(strip: Strip | None) -> list[tuple[str, Any]]:
    return [(char, segment.style) for segment in strip or () for char in segment.text]


@pytest.mark.skipif(not internals.ARE_KNOWN, reason="with this Textual nothing is done our own way")
@pytest.mark.parametrize("name", NAMES)
async def test_styles_and_frames_are_those_of_textual(name: str, root: Path, tmp_path: Path, frames: list[str]) -> None:
    app = app_on(root)
    async with app.run_test(size=(100, 32)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await SCENES[name](pilot, tmp_path)
        assert isinstance(app.stylesheet, KnownStyles) and isinstance(app.screen._compositor, NeededPieces)
        _same(pilot)
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
            _same(pilot)
        app.theme = "textual-light"
        await pilot.pause()
        _same(pilot)
    assert frames == []


def _same(pilot: Pilot[None]) -> None:
    """All styles of the screen, and all rows of its tables and logs, are what Textual makes of them."""
    app = pilot.app
    plain = app.stylesheet.copy()
    assert type(plain) is Stylesheet
    plain.parse()
    for node in (app, *app.screen.walk_children(with_self=True)):
        had, parts = _rules(node), _parts(node)
        plain.apply(node)
        assert (had, parts) == (_rules(node), _parts(node)), f"{node} on {app.screen}"
    for widget in app.screen.query(RowCursor):
        if widget.size:
            whole = Region(0, 0, *widget.outer_size)
            ours = [_cells(strip) for strip in widget.render_lines(whole)]
            cache, widget._styles_cache = widget._styles_cache, StylesCache()
            assert ours == [_cells(strip) for strip in widget.render_lines(whole)], f"{widget} on {app.screen}"
            widget._styles_cache = cache


def _rules(node: DOMNode) -> dict[str, object]:
    return dict(node.styles.base._rules)


def _parts(node: DOMNode) -> dict[str, dict[str, object]]:
    return {name: dict(styles.base._rules) for name, styles in node._component_styles.items()}


@pytest.mark.parametrize("name", ["home", "job"])
async def test_with_another_textual_all_is_drawn_its_way(
    name: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    for known in (True, False):
        monkeypatch.setattr(internals, "ARE_KNOWN", known)
        app = app_on(root)
        async with app.run_test(size=(100, 32)) as pilot:
            await on_screen(pilot, "HomeScreen")
            await SCENES[name](pilot, tmp_path)
            await pilot.press("tab")
            await pilot.pause()
            assert isinstance(app.stylesheet, KnownStyles) is known
            assert isinstance(app.screen._compositor, NeededPieces) is known
            shown.append([_text(strip) for strip in app.screen._compositor.render_strips()])
    assert shown[0] == shown[1]


def _text(strip: Strip) -> str:
    return "".join(segment.text for segment in strip if isinstance(segment, Segment))
