"""The log with its findings beside it: signs in the gutter, there and back, a filter of words, levels and files."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from ethosu_tui.analysis.report import Finding
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.screens.log_tab import LogTab
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.chrome import FilterBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane

from .conftest import MakeApp, notices, on_screen, text_of, until

LOG = "missing_op_softmax.log"


def findings_of(samples: Path) -> tuple[Finding, ...]:
    capture = load(str(samples / LOG)).capture
    assert capture is not None
    return capture.findings


async def log_of(app: EthosuApp, pilot: Pilot[None]) -> tuple[LogTab, LogPane]:
    """The Log tab, when its lines are there."""
    await on_screen(pilot, "ReportScreen")
    report = app.screen
    assert isinstance(report, ReportScreen)
    await until(pilot, lambda: report.focused is not None and report._lines is not None)
    await pilot.press("7")
    await until(pilot, lambda: bool(report.query(LogPane)) and report.query_one(LogPane).row_count > 0)
    pane = report.query_one(LogPane)
    await until(pilot, lambda: report.focused is pane)
    return report.query_one(LogTab), pane


async def test_a_wide_terminal_shows_the_findings_beside_the_log_and_a_narrow_one_when_asked(
    make_app: MakeApp, samples: Path
) -> None:
    for size, shown in (((100, 30), True), ((80, 24), False)):
        app = make_app(samples / LOG)
        async with app.run_test(size=size) as pilot:
            tab, pane = await log_of(app, pilot)
            assert tab.beside.display is shown
            await pilot.press("f")
            await until(pilot, lambda tab=tab: tab.beside.table.has_focus)  # type: ignore[misc]
            assert tab.beside.display and tab.beside.region.height > 3
            await pilot.press("f")
            await until(pilot, lambda pane=pane: pane.has_focus)  # type: ignore[misc]
            assert tab.beside.display is shown


async def test_lines_stand_without_what_their_logger_put_before_them(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        _, pane = await log_of(app, pilot)
        pane.goto(20)
        whole = pane.lines[19].text
        assert "[executorch:method.cpp:822" in whole
        assert row_at_cursor(pane).split("E ", 1)[1].startswith("Missing operator: [0] aten::_softmax.out")
        assert whole[:60] in text_of(app, "#line"), "the pane below has the line as it was printed"
        pane.goto(26)
        assert "Hard fault. irq=" in row_at_cursor(pane), "a line without a prefix stands as it is"
        pane.goto(20)
        pane.search("method.cpp")
        assert "[executorch:method.cpp:822" in row_at_cursor(pane), "what was searched for is seen"
        pane.search("")
        await pilot.resize_terminal(220, 50)
        await until(pilot, lambda: "[executorch:method.cpp:822" in row_at_cursor(pane))
        await pilot.press("P")
        assert "[executorch:method.cpp:822" not in row_at_cursor(pane)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: pane.size.width < 80)
        await pilot.press("P")
        assert "[executorch:method.cpp:822" in row_at_cursor(pane), "who asked for it has it at any width"


def row_at_cursor(pane: LogPane) -> str:
    return pane.render_line(pane.cursor_row - pane.scroll_offset.y).text


async def test_moving_in_the_findings_moves_the_log_and_escape_goes_back(make_app: MakeApp, samples: Path) -> None:
    findings = findings_of(samples)
    app = make_app(samples / LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        _, pane = await log_of(app, pilot)
        await pilot.press("home", "down", "down")
        assert pane.current is not None and pane.current.number == 3
        await pilot.press("f")
        await until(pilot, lambda: pane.current is not None and pane.current.number == findings[0].lines[0])
        await pilot.press("down")
        await until(pilot, lambda: pane.current is not None and pane.current.number == findings[1].lines[0])
        assert findings[1].title in text_of(app, "#line")
        await pilot.press("escape")
        await until(pilot, lambda: pane.has_focus)
        assert pane.current.number == 3, "back to where the cursor was"
        await pilot.press("f", "enter")
        await until(pilot, lambda: pane.has_focus)
        assert pane.current.number == findings[1].lines[0] and isinstance(app.screen, ReportScreen)


async def test_escape_drops_the_filter_of_the_findings_before_it_goes_back(make_app: MakeApp, samples: Path) -> None:
    findings = findings_of(samples)
    app = make_app(samples / LOG)
    async with app.run_test(size=(120, 30)) as pilot:
        tab, pane = await log_of(app, pilot)
        await pilot.press("f")
        table = tab.beside.table
        await until(pilot, lambda: table.has_focus)
        await pilot.press("slash", *"abort", "enter")
        await until(pilot, lambda: table.has_focus and table.row_count == 1)
        await pilot.press("escape")
        await until(pilot, lambda: table.row_count == len(findings))
        assert table.has_focus
        await pilot.press("escape")
        await until(pilot, lambda: pane.has_focus)


async def test_the_gutter_has_the_sign_of_the_first_finding_of_each_line(make_app: MakeApp, samples: Path) -> None:
    findings = findings_of(samples)
    app = make_app(samples / LOG)
    async with app.run_test(size=(100, 40)) as pilot:
        tab, pane = await log_of(app, pilot)
        drawn = {line.number: pane.draw_row(i, 60).text for i, line in enumerate(pane.lines)}
        signs = {"error": "✗", "warning": "!", "info": "i"}
        said: dict[int, str] = {}
        for finding in findings:
            for line in finding.lines:
                said.setdefault(line, signs[finding.severity])
        assert said and "✗" in said.values()
        for number, text in drawn.items():
            assert text[: text.index(str(number)) + len(str(number)) + 1].strip() == f"{number}{said.get(number, '')}"
        await pilot.press("home", "e")
        await until(pilot, lambda: pane.current is not None and pane.current.number in said)
        followed = tab.beside.chosen
        assert followed is not None and pane.current is not None and pane.current.number in followed.lines


async def test_e_goes_through_errors_and_findings_both_ways(make_app: MakeApp, samples: Path) -> None:
    named = {line for finding in findings_of(samples) for line in finding.lines}
    app = make_app(samples / LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        _, pane = await log_of(app, pilot)
        stops = sorted(named | {line.number for line in pane.lines if line.level in ("E", "F")})
        await pilot.press("home")
        for number in [n for n in stops if n > 1]:
            await pilot.press("e")
            assert pane.current is not None and pane.current.number == number
        await pilot.press("E")
        assert pane.current is not None and pane.current.number == stops[-2]


async def test_a_filter_combines_and_says_how_much_it_hides(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        every = list(pane.lines)
        await pilot.press("ampersand")
        bar = app.screen.query_one(FilterBar)
        await until(pilot, lambda: bar.has_focus and bar.value == "&")
        await pilot.press(*"level", "colon", *"E -file", "colon", *"method", "enter")
        await until(pilot, lambda: pane.has_focus)
        right = [line.number for line in every if line.level == "E" and "method" not in (line.file or "")]
        assert [pane._at(i).number for i in range(pane.row_count)] == right
        assert f"{len(every) - len(right)} lines hidden" in str(pane.border_title)
        hidden = next(line.number for line in every if line.number not in right)
        assert pane.goto(hidden) and pane.row_count == len(every), "a jump to a hidden line drops the filter"
        await until(pilot, lambda: not bar.display)
        assert "hidden" not in str(pane.border_title)


async def test_a_filter_that_is_not_understood_says_what_is(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        await log_of(app, pilot)
        await pilot.press("ampersand", *"level", "colon", "q", "enter")
        await until(pilot, lambda: any("levels are D, I, E, F and none" in note for note in notices(app)))


async def test_escape_drops_a_search_before_it_leaves(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        report = app.screen
        await pilot.press("slash", *"ratio", "enter", "n")
        await until(pilot, lambda: pane.has_focus and pane.current is not None and "ratio" in pane.current.text)
        found = pane.current
        await pilot.press("escape")
        await until(pilot, lambda: not app.screen.query_one(FilterBar).display)
        assert app.screen is report and pane.current == found and pane.has_focus
        await pilot.press("slash", *"zzqq", "enter", "escape")
        await until(pilot, lambda: pane.has_focus and not app.screen.query_one(FilterBar).display)
        assert app.screen is report


async def test_keys_typed_ahead_of_the_filter_line_are_not_lost(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        table = app.screen.query_one("#samples", DataTable)
        await until(pilot, lambda: bool(table.table.rows))
        table.focus()
        await until(pilot, lambda: table.has_focus)
        for key in ("slash", *"mnist", "enter", "down", "space"):  # faster than any of them is handled
            app.simulate_key(key)
        await until(pilot, lambda: table.has_focus and table.row_count == 2)
        await until(pilot, lambda: len(table.marks) == 1)
        assert app.screen.query_one(FilterBar).value == "mnist"


async def test_a_live_log_filters_what_comes(make_app: MakeApp) -> None:
    from ethosu_tui.analysis.splitter import LineSplitter

    splitter = LineSplitter()
    pane = LogPane(follow=True, max_lines=100)
    app = make_app()
    async with app.run_test(size=(80, 24)):
        await app.screen.mount(pane)
        pane.apply_filter("level:E -odd")
        for i in range(1, 2001):
            level, word = ("E", "odd" if i % 2 else "even") if i % 5 else ("I", "any")
            pane.append(splitter.feed(b"%s [executorch:a.cpp:1] %s %d\n" % (level.encode(), word.encode(), i)))
        shown = [pane._at(i) for i in range(pane.row_count)]
        assert shown and all(line.level == "E" and "even" in line.message for line in shown)
        assert [line.number for line in shown] == [n for n in range(2001 - pane.total, 2001) if n % 2 == 0 and n % 5]


async def test_operators_of_a_run_have_a_tab_of_their_own_behind_the_others(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "etd_plain.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen)
        await until(pilot, lambda: report._lines is not None)
        await pilot.press("8")
        await until(pilot, lambda: report.tab == "Operators" and isinstance(report.focused, DataTable))
        table = report.focused
        assert isinstance(table, DataTable) and table.table == report._view.tables["operators"]
        assert "quantized_conv2d" in table.render_line(3).text, "names are readable at 80 columns"
        await pilot.press("enter")
        await until(pilot, lambda: report.tab == "Log")
        current = report.query_one(LogPane).current
        assert current is not None and "echo" in current.text


async def test_the_log_of_a_failed_run_opens_at_its_root_cause_and_is_come_back_to_where_it_was_left(
    make_app: MakeApp, samples: Path
) -> None:
    cause = next(f for f in findings_of(samples) if f.severity == "error").lines[0]
    for size in ((80, 24), (200, 60)):
        app = make_app(samples / LOG)
        async with app.run_test(size=size) as pilot:
            tab, pane = await log_of(app, pilot)
            await until(pilot, lambda pane=pane: number_of(pane) == cause)  # type: ignore[misc]
            top = pane.scroll_offset.y
            assert top <= pane.cursor_row < top + pane.size.height, "and it is in sight"
            assert str(cause) in text_of(app, "#line")
            assert not tab.beside.display or tab.beside.chosen is not None and cause in tab.beside.chosen.lines
            await pilot.press("down", "down", "1", "7")
            await until(pilot, lambda pane=pane: pane.has_focus)  # type: ignore[misc]
            assert number_of(pane) == cause + 2


async def test_the_log_of_a_passed_run_opens_at_its_beginning(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        assert number_of(pane) == 1


async def test_in_a_log_of_several_runs_each_is_shown_where_it_begins_or_failed(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    log = tmp_path / "several.log"
    log.write_bytes(b"".join((samples / name).read_bytes() for name in ("mnist_q.log", LOG, "mnist_q.log")))
    capture = load(str(log)).capture
    assert capture is not None and len(capture.runs) == 3
    cause = next(f for f in capture.findings if f.severity == "error").lines[0]
    app = make_app(log)
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        assert number_of(pane) == 1
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: number_of(pane) == cause)
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: number_of(pane) == capture.runs[2].first_line)


def number_of(pane: LogPane) -> int:
    assert pane.current is not None
    return pane.current.number


async def test_the_next_run_leaves_a_filter_as_it_is(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "several.log"
    log.write_bytes((samples / "mnist_q.log").read_bytes() * 2)
    app = make_app(log)
    async with app.run_test(size=(100, 30)) as pilot:
        _, pane = await log_of(app, pilot)
        assert not pane.apply_filter("NPU")
        shown = pane.row_count
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: (number_of(pane) or 0) > 54)
        assert pane.row_count == shown < pane.total
