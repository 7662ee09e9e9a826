"""What is easily ugly: bars, columns and figures at the edge, keys that texts name, contrast, and what monochrome shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.color import Color

from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.tui import glyphs
from ethosu_tui.tui.app import EthosuApp, build_app
from ethosu_tui.tui.state import Start
from ethosu_tui.tui.terminal.abilities import Abilities
from ethosu_tui.tui.terminal.fitting import Looks
from ethosu_tui.tui.terminal.transcription import transcription
from ethosu_tui.tui.widgets.bars import Bar, Bars, Part, eighths, in_cells
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.chrome import FilterLine
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.said import Said
from ethosu_tui.tui.widgets.tab_line import TabLine
from ethosu_tui.tui.widgets.table_layout import in_sight

from .conftest import MakeApp, on_screen, text_of, until
from .gallery import app_on, store


def test_a_bar_is_as_long_as_its_share_to_an_eighth_of_a_cell() -> None:
    assert [eighths(share, 4) for share in (0, 0.5, 1, 2, -1)] == ["", "██", "████", "████", ""]
    assert eighths(0.0001, 20) == "▏", "what is more than nothing is seen, and is no whole cell"
    assert eighths(2.5 / 8, 8) == "██▌" and eighths(0.5, 0) == ""
    lengths = [8 * text.count("█") + sum(glyphs.EIGHTHS.index(c) for c in text if c != "█") for text in
               (eighths(i / 1000, 10) for i in range(1001))]  # fmt: skip
    assert lengths == sorted(lengths) and all(abs(length - i * 80 / 1000) <= 1 for i, length in enumerate(lengths))


@pytest.mark.parametrize("glyph_set", ["ascii", "cp437"])
def test_a_terminal_without_eighths_shows_shorter_ends_as_lighter_ones(glyph_set: str) -> None:
    table = transcription(glyph_set)  # type: ignore[arg-type]
    assert table is not None
    ends = [end.translate(table) for end in glyphs.EIGHTHS[1:]]
    rank = {"-": 0, "=": 1, "#": 2, "│": 0, "▌": 1, "█": 2}
    assert [rank[end] for end in ends] == sorted(rank[end] for end in ends) and len(set(ends)) == 3


def test_in_ascii_what_is_cut_and_what_runs_are_no_tilde() -> None:
    table = transcription("ascii")
    assert table is not None
    shown = [sign.translate(table) for sign in (glyphs.ELLIPSIS, glyphs.ACTIVE, glyphs.PASSED, glyphs.BROKEN)]
    assert len(set(shown)) == 4 and "~" not in shown and all(len(sign) == 1 and sign.isascii() for sign in shown)


class Host(App[None]):
    """One widget."""

    def __init__(self, widget: Bars | DataTable | TabLine) -> None:
        super().__init__()
        self.widget = widget

    def compose(self) -> ComposeResult:
        yield self.widget


async def test_the_figures_beside_bars_stand_in_columns_and_legends_keep_words_together() -> None:
    parts = tuple(Part(f"part number {i} 735.0 KiB", 1) for i in range(4))
    bars = Bars(
        [
            Bar("method", (Part("used", 1),), 60, **in_cells("1.3 MiB", "of 60.0 MiB", "2.15 %")),
            Bar("in method", parts, 4, legend=True, **in_cells("1.3 MiB", "in parts", "")),
            Bar("temp", (Part("used", 0),), 60, **in_cells("0 B", "of 1.0 MiB", "100.00 %")),
        ]
    )
    async with Host(bars).run_test(size=(80, 10)):
        method, inside, *legend, temp = str(bars.render()).split("\n")
        assert len({len(line) for line in (method, inside, temp)}) == 1
        ends = [line.index("MiB") + 3 for line in (method, inside)] + [temp.index("0 B") + 3]
        assert len(set(ends)) == 1 and method.index("of ") == temp.index("of ") - 1
        assert len(legend) == 2 and all(line.count("part number") == line.count("735.0 KiB") for line in legend)


FIGURES = Table(
    "",
    (Column("Name"), Column("Cycles", "right"), Column("Text"), Column("More", "right")),
    ((Cell("conv"), Cell("1,234,567", 1_234_567), Cell("some words"), Cell("89", 89)),),
)


async def test_a_figure_at_the_edge_is_whole_or_left_to_the_arrow() -> None:
    table = DataTable(FIGURES)
    async with Host(table).run_test(size=(8, 4)) as pilot:
        for width in range(8, 40):
            await pilot.resize_terminal(width, 4)
            await pilot.pause()
            words = table.render_line(1).text.split()
            assert set(words) <= {"conv", "1,234,567", "some", "words", "89"} | {w for w in words if w.endswith("…")}
            assert ("1,234,567" in words) == (width >= 15) and ("89" in words) == (width >= 29)
            assert table.render_line(0).text.endswith("›") == (width < 29)


def test_what_is_in_sight_of_a_cell() -> None:
    figure, text = Column("", "right"), Column("")
    assert in_sight("123", figure, 5, -4, 90) == "  123"
    assert in_sight("123", figure, 5, -4, 4) == "     " and in_sight("", figure, 5, -4, 4) == "     "
    assert in_sight("12345", figure, 5, 2, 90) == "    …" and in_sight("12", figure, 5, 2, 90) == "   12"
    assert in_sight("words", text, 8, 0, 4) == "wor…    " and in_sight("words", text, 8, 7, 90) == "        "
    assert in_sight("a", text, 8, 9, 12) == "a       ", "a column that is held, or not in sight at all"


async def test_the_sign_of_sorting_takes_no_room_and_stands_at_its_column() -> None:
    table = DataTable(FIGURES)
    async with Host(table).run_test(size=(60, 4)) as pilot:
        before = table.virtual_size.width
        await pilot.press("right", "s")
        assert "Cycles▲ Text" in table.render_line(0).text and table.virtual_size.width == before
        await pilot.press("right", "s", "s")
        assert "Text ▼" in table.render_line(0).text


async def test_tabs_lose_their_blanks_before_they_lose_their_names() -> None:
    names = ("Summary", "Memory", "Cycles", "PMU", "Outputs", "Findings (2)", "Log", "Roofline")
    tabs = TabLine(names)
    async with Host(tabs).run_test(size=(80, 2)) as pilot:  # type: ignore[arg-type]
        line = str(tabs.render())
        assert all(f"{i} {name}" in line for i, name in enumerate(names, 1)) and len(line) <= 80
        await pilot.resize_terminal(120, 2)
        await until(pilot, lambda: "1 Summary  2 Memory" in str(tabs.render()))  # type: ignore[arg-type]


# -- keys that texts name ----------------------------------------------------------------------------------------------


async def test_texts_name_the_keys_of_the_keymap_in_force(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keymaps = tmp_path / "settings" / "ethosu-tui" / "keymaps"
    keymaps.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    keys = {
        "home.compile": "f2",
        "home.open": "f3",
        "compile.compile": "f8",
        "compile.model": "f4",
        "page.copy-command": "f6",
    }
    (keymaps / "default.toml").write_text("[keys]\n" + "".join(f'"{name}" = "{key}"\n' for name, key in keys.items()))
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: runs.empty.startswith("no runs yet"))
        ways = dict(line.split(None, 1) for line in runs.empty.split("\n")[2:])
        assert ways["f2"].startswith("compile") and ways["f3"].startswith("open") and "c" not in ways
        assert "f6 copies" in str(app.screen.query_one("CommandLine").render())
        await pilot.press("f2")
        await on_screen(pilot, "CompileScreen")
        await until(pilot, lambda: "1 job, f8 starts" in text_of(app, "#plan"))
        assert text_of(app, "#model").startswith("f4 Model bundled:mnist")


async def test_help_is_short_and_has_its_keys_from_the_bindings(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("question_mark")
        await on_screen(pilot, "HelpScreen")
        about, table = app.screen.query_one("#about", Said), app.screen.query_one(DataTable)
        assert "{" not in str(about.content) and table.size.height > about.size.height
        rows = {row[1].text: row[0].text for row in table.table.rows}
        assert rows["Open that tab"] == "1-9" and not any("super" in keys for keys in rows.values())


# -- the filter line ---------------------------------------------------------------------------------------------------


async def test_a_filter_says_how_much_it_leaves(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(table.table.rows))
        table.focus()
        await pilot.press("slash", *"mnist")
        every = len(table.table.rows)
        await until(pilot, lambda: text_of(app, "FilterLine #found") == f"2 of {every} rows")
        line = app.screen.query_one(FilterLine)
        assert line.size.height == 1 and text_of(app, "FilterLine #sign") == "/"
        await pilot.press("escape")
        await until(pilot, lambda: line.size.height == 0)


# -- colours and none --------------------------------------------------------------------------------------------------

TEXTS = ("foreground", "foreground-muted", "foreground-disabled", "text-primary", "text-accent", "text-success",
         "text-warning", "text-error", "accent")  # fmt: skip
GROUNDS = ("background", "surface", "panel", "surface-lighten-1")


def _light(colour: Color) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [part / 255 for part in colour.rgb]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: Color, other: Color) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
def test_every_text_stands_out_from_what_it_stands_on(tmp_path: Path, theme: str) -> None:
    app = build_app(Start(), root=tmp_path)
    app.theme = theme
    colours = app.get_css_variables()
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS]
    found = {pair: _contrast(Color.parse(colours[pair[0]]), Color.parse(colours[pair[1]])) for pair in pairs}
    assert not {pair: round(value, 2) for pair, value in found.items() if value < 4.5}


def monochrome(root: Path) -> EthosuApp:
    return build_app(Start(looks=Looks(Abilities("none"))), root=root)


def _reversed(app: EthosuApp, y: int) -> str:
    """What of a line of the screen is in reverse."""
    strips = app.screen._compositor.render_strips()
    return "".join(segment.text for segment in strips[y] if segment.style is not None and segment.style.reverse)


async def test_monochrome_shows_where_the_keys_go(tmp_path: Path, samples: Path) -> None:
    store(tmp_path / "runs")
    app = monochrome(tmp_path / "runs")
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: runs.row_count == 30)
        await until(pilot, lambda: "Runs" in _reversed(app, runs.region.y))
        await pilot.press("tab")
        await until(pilot, lambda: "Runs" not in _reversed(app, runs.region.y))
        app.action_page("compile")
        await on_screen(pilot, "CompileScreen")
        modes = app.screen.query_one("#modes", Checklist)
        await until(pilot, lambda: bool(modes.disabled_rows))
        refused, usable = min(modes.disabled_rows), min(set(range(6)) - modes.disabled_rows)
        assert (
            glyphs.WAITING in modes.render_line(usable).text and glyphs.WAITING not in modes.render_line(refused).text
        )


async def test_monochrome_shows_the_line_of_a_log_that_the_cursor_is_on(tmp_path: Path, samples: Path) -> None:
    start = Start((str(samples / "missing_op_softmax.log"),), looks=Looks(Abilities("none")))
    app = build_app(start, root=tmp_path / "runs")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen.focused, LogPane))
        pane = app.screen.focused
        assert isinstance(pane, LogPane)
        await until(pilot, lambda: pane.current is not None and pane.current.number == 20)
        rows = range(pane.region.y + 1, pane.region.bottom)
        await until(pilot, lambda: [("Missing operator" in _reversed(app, y)) for y in rows].count(True) == 1)


# -- the compile form --------------------------------------------------------------------------------------------------


async def test_the_compile_form_cuts_no_name_of_a_target_and_no_note(tmp_path: Path) -> None:
    store(tmp_path / "runs")
    app = app_on(tmp_path / "runs")
    async with app.run_test(size=(60, 20)) as pilot:
        app.action_page("compile")
        await on_screen(pilot, "CompileScreen")
        targets, configs = (app.screen.query_one(f"#{name}", Checklist) for name in ("targets", "configs"))
        for width, height in ((60, 20), (80, 24), (120, 40), (200, 60), (80, 24)):
            await pilot.resize_terminal(width, height)
            await until(pilot, lambda: configs.size.height > 1 and "job" in text_of(app, "#plan"))
            await until(pilot, lambda wide=width >= 120: ("GB/s" in configs.render_line(0).text) == wide)  # type: ignore[misc]
            for checklist in (targets, configs):
                shown = [checklist.render_line(y).text for y in range(checklist.size.height - 1)]
                assert not [line for line in shown if glyphs.ELLIPSIS in line], (width, checklist.id, shown)


async def test_bars_take_a_line_each_at_once_in_any_width_and_cut_no_figure() -> None:
    memory = ("2.3 MiB", "of 256.0 MiB", "99 % left")
    bars = Bars([Bar(f"corstone-320 {what}", (Part("", 1),), 4, "", cells=memory) for what in ("RAM", "program")])
    host = Host(bars)  # type: ignore[arg-type]
    async with host.run_test(size=(150, 12)) as pilot:
        for width in (150, 58, 110):  # what was laid out for one width is shown in another
            await pilot.resize_terminal(width, 12)
            await until(pilot, lambda width=width: bars.region.width == width)  # type: ignore[misc]
            lines = [bars.render_line(y).text for y in range(2)]
            assert bars.region.height == 2 and all(line.rstrip().endswith("99 % left") for line in lines)
            assert "RAM" in lines[0] and "program" in lines[1]
