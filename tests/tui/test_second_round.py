"""What a second round as a new user found: figures cut at the edge, keys that say one thing and do another, empty places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.containers import VerticalScroll

from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.runners.artefacts import identify
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui import glyphs, messages
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.inspected import tables_of
from ethosu_tui.tui.looked_into import LookedInto
from ethosu_tui.tui.screens.artefact import ArtefactScreen, TablesPane
from ethosu_tui.tui.screens.job import _code as exit_text
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.chrome import KeyBar
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.log_pane import LogPane
from ethosu_tui.tui.widgets.tab_line import TabLine
from ethosu_tui.tui.widgets.table_layout import fitted_widths, given_back

from .conftest import MakeApp, notices, on_screen, text_of, until
from .test_widgets import Host, drawn

WIDE = Table(
    "",
    (Column("Operator", least=10), Column("Cycles", "right"), Column("Vela estimate", "right"), Column("Bound by")),
    ((Cell("depthwise_conv2d"), Cell("15,040", 15040), Cell("14,956", 14956), Cell("NPU")),),
)


async def test_a_column_of_figures_that_is_partly_out_of_sight_is_left_to_the_arrow() -> None:
    table = DataTable(WIDE)
    async with Host(table).run_test(size=(32, 6)) as pilot:
        header, row = drawn(table, 2)
        assert "Vela" not in header and header.endswith(glyphs.MORE_RIGHT)
        assert row.split() == ["depthwise_conv2d", "15,040"], "no column of dots, no name cut"
        await pilot.press("right", "right")
        assert "Vela estimate" in drawn(table)[0] and "14,956" in drawn(table)[1]
        pilot.app.query_one(DataTable).scroll_to(0, animate=False)
        await pilot.resize_terminal(33, 6)
        await pilot.pause()
        assert drawn(table)[1].endswith("14,956"), "a figure that just fits is shown"
        assert drawn(table)[0].endswith(glyphs.ELLIPSIS + glyphs.MORE_RIGHT), "and that its name does not is said"


def test_what_is_left_beside_the_columns_in_sight_goes_to_texts_that_were_cut() -> None:
    natural = (16, 6, 13, 8)
    assert fitted_widths(WIDE, natural, 49) == [16, 6, 13, 8], "all fit"
    narrow = fitted_widths(WIDE, natural, 32)
    assert fitted_widths(WIDE, natural, 43)[0] == narrow[0] == 10, "the text gives way"
    assert given_back([10, 6, 13, 8], natural, 43)[0] == 10, "for columns that are in sight then"
    assert given_back(narrow, natural, 32) == [16, 6, 13, 8], "not for one that is out of sight all the same"
    assert sum(given_back(narrow, natural, 24)[:2]) + 2 == 22, (
        "and what was in sight stays there, with room for the arrow"
    )


def _values(app: EthosuApp) -> Sequence[Sequence[Cell]]:
    return app.screen.query_one(DataTable).table.rows


PROGRAMS = Path(__file__).parents[1] / "programs"


async def test_a_program_opens_as_what_inspect_shows_and_leads_to_the_run_form(
    make_app: MakeApp, tmp_path: Path
) -> None:
    program = PROGRAMS / "two_parts_u55_128.pte"
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(messages.OpenReport(str(program)))
        await on_screen(pilot, "ArtefactScreen")
        shown = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "ethos-u55-128, Ethos_U55_High_End_Embedded, Shared_Sram" in shown and "Memory needed" in shown
        await pilot.press("2")
        boards = app.screen.focused
        assert isinstance(boards, DataTable) and ("corstone-300-u55", "fits") in [
            (row[0].text, row[1].text) for row in boards.table.rows
        ]
        await pilot.press("d")
        await on_screen(pilot, "RowScreen")
        why = boards.table.rows[0][2].text
        await until(
            pilot, lambda: why.replace(" ", "") in "".join(row[1].text for row in _values(app)).replace(" ", "")
        )
        assert max(len(row[1].text) for row in _values(app)) < 70 < len(why), "in full, and below each other"
        await pilot.press("escape")
        printed = tables_of(identify(str(program)))
        assert app.screen.export_subject().report().tables == tuple(table for table in printed if table.rows)
        await pilot.press("r")
        await on_screen(pilot, "RunFormScreen")
        assert program.name in "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_a_program_is_never_offered_to_the_replay_of_the_last_time(make_app: MakeApp, samples: Path) -> None:
    """A replay takes logs: the bytes of the program would be played as one."""
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.memory.put("run", {"runner": "replay", "artefact": str(samples / "mnist_q.log")})
        app.post_message(messages.OpenReport(str(PROGRAMS / "two_parts_u55_128.pte")))
        await on_screen(pilot, "ArtefactScreen")
        await pilot.press("r")
        await on_screen(pilot, "RunFormScreen")
        await until(pilot, lambda: bool(_values(app)))
        shown = {row[0].text: row[1].text for row in _values(app)}
        assert shown["on"] == "fvp" and shown["artefact"].endswith("two_parts_u55_128.pte")
        await pilot.press("escape", "escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("r")
        await on_screen(pilot, "RunFormScreen")
        await until(pilot, lambda: [row[1].text for row in _values(app)][:1] == ["replay"])


async def test_a_large_or_damaged_program_is_no_capture(make_app: MakeApp, tmp_path: Path) -> None:
    large, cut = tmp_path / "large.pte", tmp_path / "cut.pte"
    data = (PROGRAMS / "two_parts_u55_128.pte").read_bytes()
    large.write_bytes(data + bytes(5 << 20))
    cut.write_bytes(data[:40])
    app = make_app(large)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ArtefactScreen")
        app.post_message(messages.OpenReport(str(cut)))
        await until(pilot, lambda: any("cut.pte" in said for said in notices(app)))


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
async def test_of_many_delegates_all_three_tables_are_in_sight(make_app: MakeApp, size: tuple[int, int]) -> None:
    """The first two took all room, and the keys went to a third that nobody saw."""
    rows = tuple((Cell(str(place)),) for place in range(30))
    titles = ("Delegates (bytes)", "Inputs and outputs of the NPU", "Compile specs")
    program = identify(str(PROGRAMS / "two_parts_u55_128.pte"))
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await app.push_screen(
            ArtefactScreen(LookedInto(program, tuple(Table(title, (Column("#"),), rows) for title in titles)))
        )
        await pilot.pause()
        pane = app.screen.query_one(TablesPane)
        tables = list(pane.query(DataTable))
        assert len(tables) == 3 and all(pane.region.contains_region(table.region) for table in tables)
        for table in tables:
            await pilot.press("G")
            assert app.screen.focused is table and table.row == 29 and table.size.height >= 2
            await pilot.press("o")


async def test_a_graph_and_a_profile_have_tabs_of_their_own(make_app: MakeApp) -> None:
    app = make_app(PROGRAMS / "two_parts.tosa")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ArtefactScreen")
        names = app.screen.query_one(TabLine).names
        assert names[0] == "File" and "Operators by kind" in names
        await pilot.press("shift+tab", "enter")
        await on_screen(pilot, "RowScreen")


async def test_the_key_line_of_a_log_says_what_e_does_there(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "missing_op_softmax.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        assert ("e", "Cause") in [entry[:2] for entry in app.screen.query_one(KeyBar).entries()]
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen.focused, LogPane) and app.screen.focused.current is not None)
        log = app.screen.focused
        assert isinstance(log, LogPane) and log.current is not None
        first = log.current.number
        assert ("e", "Error") in [entry[:2] for entry in app.screen.query_one(KeyBar).entries()]
        await pilot.press("e")
        await until(pilot, lambda: log.current is not None and log.current.number > first)
        await pilot.press("E")
        await until(pilot, lambda: log.current is not None and log.current.number == first)


async def test_where_no_roofline_can_be_drawn_the_tab_says_what_helps(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mobilenet_v2_corstone320.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen)
        await pilot.press("8")
        await until(pilot, lambda: "a gives what the log does not say" in text_of(app, "#why-none"))
        report._given = Assumptions(target="ethos-u85-256", model_macs=300_836_992)
        await report.show_again()
        said = text_of(app, "#why-none")
        assert "a gives" not in said and "Events to count next" in said and "EXT_RD_DATA_BEAT_RECEIVED" in said


async def test_the_pmu_tab_can_be_read_whole_by_keys(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mobilenet_v2_corstone320.log")
    async with app.run_test(size=(60, 20)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("4")
        await until(pilot, lambda: bool(app.screen.query("#judged")))
        room, derived = app.screen.query_one("#judged", VerticalScroll), app.screen.query_one("#derived", DataTable)
        await until(pilot, lambda: room.max_scroll_y > 0)
        assert derived.size.height > derived.top, "a row of the derived figures is in sight, and not only their heads"
        for _ in range(20):
            await pilot.press("J")
        await until(pilot, lambda: room.scroll_y == room.max_scroll_y > 0)
        await pilot.press("K")
        await until(pilot, lambda: room.scroll_y < room.max_scroll_y)


async def test_what_was_said_of_leaving_goes_when_the_run_has_ended(make_app: MakeApp, tmp_path: Path) -> None:
    log = tmp_path / "slow.log"
    log.write_bytes(b"I [executorch:arm_executor_runner.cpp:1] one\n" * 60)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(messages.ReplayLog(str(log)))
        await on_screen(pilot, "JobScreen")
        await pilot.press("escape")
        await until(pilot, lambda: any("Still running" in said for said in notices(app)))
        await until(pilot, lambda: not app.screen.busy)  # type: ignore[attr-defined]
        assert not any("Still running" in said for said in notices(app))


def test_a_signal_is_no_exit_code() -> None:
    assert [exit_text(code) for code in (3, -15, -200)] == ["exit code 3", "ended by SIGTERM", "ended by signal 200"]


async def test_the_run_form_names_places_as_the_command_line_does(make_app: MakeApp) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        fields = [row[0].text for row in app.screen.query_one(DataTable).table.rows]
        assert fields[0] == "on" and "runner" not in fields


@pytest.mark.parametrize("size", [(60, 20), (80, 24)], ids=["60x20", "80x24"])
async def test_the_verdict_of_a_board_has_a_row_in_sight(
    make_app: MakeApp, samples: Path, size: tuple[int, int]
) -> None:
    app = make_app(samples / "mobilenet_v2_corstone320.log")
    async with app.run_test(size=size) as pilot:
        await on_screen(pilot, "ReportScreen")
        report = app.screen
        assert isinstance(report, ReportScreen)
        report._given = Assumptions(board="corstone-320")
        await report.show_again()
        await pilot.press("2")
        await until(
            pilot, lambda: bool(report.query("#board")) and bool(report.query_one("#board", DataTable).table.rows)
        )
        board = report.query_one("#board", DataTable)
        await until(pilot, lambda: board.size.height > board.top)


async def test_a_compile_for_an_npu_that_no_board_has_says_so(make_app: MakeApp, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "compile", "net ethos-u65-512")
    summary = {"accelerator": "ethos-u65-512", "npu_cycles": 5, "sram_bytes": 5}
    folder.write_json("result.json", {"target": "ethos-u65-512", "status": "ok", "findings": [], "summary": summary})
    folder.finish("ok")
    app = make_app(folder.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("2")
        await until(pilot, lambda: bool(app.screen.query("#board")))
        assert "no known board has this NPU" in drawn(app.screen.query_one("#board", DataTable))[0]


async def test_what_is_known_of_a_target_of_ones_own_names_the_file_that_says_so(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ethosu-tui.toml").write_text('[targets.small]\nkind = "fvp"\nnpu = "ethos-u55"\n')
    monkeypatch.chdir(tmp_path)
    app = make_app(screen="targets")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "TargetsScreen")
        known = app.screen.query_one("#known", DataTable)
        await until(pilot, lambda: "of small" in str(known.border_title))
        assert {row[2].text for row in known.table.rows} == {"ethosu-tui.toml"}


async def test_home_cuts_no_word_of_a_host_that_nobody_asked(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ethosu-tui.toml").write_text('[targets.lab]\nbase = "imx93"\nhost = "imx93-lab"\n')
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        targets = app.screen.query_one("#targets", DataTable)
        await until(pilot, lambda: any(row[1].text == "lab" for row in targets.table.rows))
        (state,) = [row[2].text for row in targets.table.rows if row[1].text == "lab"]
        assert state and ";" not in state
