"""The tabs of a report by keys alone: answers, boards and clocks, roofline, spread, values, fixes, at the sizes people have."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from ethosu_tui.tui.screens.outputs_pane import OutputsPane
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.screens.table_pane import RowScreen
from ethosu_tui.tui.widgets.answer_lines import AnswerLines
from ethosu_tui.tui.widgets.bars import Bars
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.sparkline import Sparkline, columns

from ..analysis.perf_log import U85, render
from ..analysis.test_blocks_repaired import _block, _runtime
from ..analysis.test_derive import BUILT, VELA, WAV2LETTER
from ..analysis.test_vela import CONSOLE_SUMMARY, NEW_COLUMNS
from ..analysis.test_vela import table as vela_table
from .conftest import MakeApp, notices, on_screen, text_of, until

MV2 = "mobilenet_v2_corstone320.log"


async def report_of(pilot: Pilot[None]) -> ReportScreen:
    await on_screen(pilot, "ReportScreen")
    report = pilot.app.screen
    assert isinstance(report, ReportScreen)
    await until(pilot, lambda: report._lines is not None)
    return report


def said(report: ReportScreen) -> str:
    """The answers as they stand on the screen, in one line."""
    content = report.query_one(AnswerLines).render()
    return " ".join(str(content).split())


def wav2letter(tmp_path: Path) -> Path:
    banner = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB")
    vela = VELA.replace("U85_128", "U85_1024").replace("Sram_Only", "Dedicated_Sram_384KB")
    log = tmp_path / "wav2letter.log"
    log.write_bytes(vela.replace("300836992", "3491110876").encode() + render(WAV2LETTER, U85, before=banner))
    return log


def server(tmp_path: Path, inferences: int = 40) -> Path:
    lines = ["Model buffer loaded, has 1 methods"]
    for number in range(inferences):
        lines += [
            "Starting running 1 inferences...",
            *_block(_runtime(1_000_000 + number), npu=280_000 + 1000 * number),
        ]
        lines += [f"Model run: {number + 1}"]
    lines += ["1 outputs:", *(f"Output[0][{place}]: (float) {place / 7:.6f}" for place in range(50))]
    log = tmp_path / "server.log"
    log.write_text("".join(f"I [executorch:arm_executor_runner.cpp:900 main()] {line}\n" for line in lines))
    return log


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_five_answers_stand_first_at_every_size(make_app: MakeApp, samples: Path, size: tuple[int, int]) -> None:
    async with make_app(samples / MV2).run_test(size=size) as pilot:
        report = await report_of(pilot)
        text = said(report)
        for question in ("Did it pass?", "How fast?", "Does it fit?", "What limits it?", "What to do?"):
            assert question in text
        answers = report.query_one(AnswerLines)
        assert answers.region.bottom <= report.query_one("#facts").region.y, "nothing lies over the answers"
        assert report.query_one("#facts", DataTable).size.height >= 4


async def test_a_board_by_key_answers_whether_it_fits_and_the_command_says_the_same(
    make_app: MakeApp, samples: Path
) -> None:
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        await pilot.press("b")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"e8-u85", "enter")
        await until(pilot, lambda: "On alif-e8-u85, yes, 23 % to spare" in said(report))
        assert "14.8 ms on the NPU alone" in said(report), "the board's clock"
        assert report.command.endswith("--board alif-e8-u85")
        await pilot.press("2")
        await until(pilot, lambda: report.tab == "Memory")
        board = report.query_one("#board", DataTable)
        bars = {bar.label: bar.text for bar in report.query_one("MemoryPane Bars", Bars).bars}
        assert bars["alif-e8-u85 RAM"] == "2.3 MiB of 9.8 MiB 76 % left" and "alif-e8-u85 program" in bars
        assert board.table.title == "On alif-e8-u85: fits" and "planned, 735.0 KiB" in text_of(pilot.app, "#board-note")
        await pilot.press("b")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"none", "enter")
        await until(pilot, lambda: "--board" not in report.command)
        assert board.table.title == "Known boards"


async def test_a_clock_is_asked_for_and_never_assumed(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        assert "no clock is known" in said(report)
        await pilot.press("c")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"fast", "enter")
        await until(pilot, lambda: "is not a clock" in text_of(pilot.app, "#said"))
        assert pilot.app.screen.query_one("#said").region.height, (
            "what a report hides of its own hides nothing elsewhere"
        )
        await pilot.press(*["backspace"] * 4, *"500MHz", "enter")
        await until(pilot, lambda: "11.8 ms" in said(report))
        assert report.command.endswith("--npu-clock 500MHz")
        await pilot.press("4")
        await until(pilot, lambda: report.tab == "PMU")
        assert "Bandwidth" in [column.name for column in report.query_one("#pmu-table", DataTable).table.columns]
        await pilot.press("c")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*["backspace"] * 6, "enter")
        await until(pilot, lambda: "--npu-clock" not in report.command)


async def test_whatever_the_log_does_not_say_makes_a_roofline(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await pilot.press("8")
        await until(pilot, lambda: report.tab == "Roofline")
        assert "the MACs of the model are not known" in text_of(pilot.app, "#why-none")
        await pilot.press("a")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"--macs", "enter")
        await until(pilot, lambda: "MACs of the model" in str(pilot.app.screen.query("Vertical").first().border_title))
        await pilot.press(*"300.8M", "enter")
        await until(pilot, lambda: "size of the NPU is not known" in text_of(pilot.app, "#why-none"))
        assert report.command.endswith("--macs 300800000")


async def test_the_roofline_is_drawn_with_signs_that_every_terminal_has(make_app: MakeApp, tmp_path: Path) -> None:
    async with make_app(wav2letter(tmp_path)).run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await pilot.press("8")
        await until(pilot, lambda: report.tab == "Roofline")
        from ethosu_tui.tui.widgets.text_plot import TextPlot

        plot = report.query_one(TextPlot)
        await until(pilot, lambda: plot.size.height > 5)
        drawn = "\n".join(strip.text for strip in plot.render_lines(plot.size.region))
        assert drawn.count("X") == 1 and drawn.count("-") > 5 and drawn.count("/") > 5
        assert "848.5 of 1,024 MACs a cycle" in text_of(pilot.app, "RooflinePlot #legend")


async def test_the_pmu_tab_has_shares_and_the_verdict_with_its_evidence(make_app: MakeApp, tmp_path: Path) -> None:
    async with make_app(wav2letter(tmp_path)).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        await pilot.press("4")
        await until(pilot, lambda: report.tab == "PMU")
        bars = {bar.label: bar.text for bar in report.query_one("#judged #uses", Bars).bars}
        assert bars["MACs used"].split() == "82.87 % of all that the array could do".split()
        verdict = text_of(pilot.app, "#judged #meaning")
        assert "high confidence" in verdict and "94.8 % of the cycles (limit 80 %)" in verdict
        await pilot.press("o")
        await until(pilot, lambda: report.focused is not None and report.focused.id == "derived")


async def test_inferences_of_a_server_have_a_line_and_a_spread(make_app: MakeApp, tmp_path: Path) -> None:
    async with make_app(server(tmp_path)).run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await pilot.press("3")
        await until(pilot, lambda: report.tab == "Cycles")
        spread = report.query_one("#spread", DataTable)
        assert [cell.value for cell in spread.table.rows[0][2:5]] == [280_000, 299_500, 319_000]
        assert "280,000 to 319,000" in str(report.query_one("CyclesPane Sparkline", Sparkline).render())
        assert "not time" in text_of(pilot.app, "CyclesPane #why")


def test_a_line_of_columns_keeps_ends_and_shape() -> None:
    assert columns([1, 2, 3], 10)[0] != columns([1, 2, 3], 10)[2] and len(columns(range(1000), 40)) == 40
    assert len(set(columns([5, 5, 5], 10))) == 1


async def test_outputs_are_read_from_the_log_with_histogram_and_largest(make_app: MakeApp, tmp_path: Path) -> None:
    async with make_app(server(tmp_path)).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        await pilot.press("5")
        await until(pilot, lambda: report.tab == "Outputs")
        pane = report.query_one(OutputsPane)
        await until(pilot, lambda: bool(pane._outputs))
        assert sum(int(bar.parts[0].value) for bar in report.query_one("#histogram", Bars).bars) == 50
        assert report.query_one("#top", DataTable).table.rows[0][1].text == "[49]"
        assert len(report.query_one("#elements", DataTable).table.rows) == 50


async def test_a_cut_dump_is_said_to_be_cut(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await pilot.press("5")
        await until(pilot, lambda: report.tab == "Outputs" and "7 of 1,000" in text_of(pilot.app, "OutputsPane #note"))
        table = report.focused
        assert isinstance(table, DataTable) and table.line_at_cursor() == 39


async def test_the_fix_of_a_failure_is_copied_by_a_key(
    make_app: MakeApp, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    app = make_app(samples / "method_small_planned.log")
    monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
    async with app.run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        assert report.tab == "Findings"
        await pilot.press("Y")
        await until(pilot, lambda: bool(copied))
        assert copied == ["-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE=8192"]
        assert any("Copied" in notice for notice in notices(app))
        rows = report.query_one("FindingsPane DataTable", DataTable).table.rows
        assert rows[0][0].text.startswith("✗") and "└" in rows[1][0].text, "what follows stands under the cause"


async def test_a_row_is_shown_in_full(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(60, 20)) as pilot:
        report = await report_of(pilot)
        await pilot.press("4")
        await until(pilot, lambda: report.tab == "PMU" and isinstance(report.focused, DataTable))
        await pilot.press("down", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, RowScreen))
        told = {row[0].text: row[1].text for row in pilot.app.screen.query_one(DataTable).table.rows}
        assert told["Counts"] == "external memory, port 0: beats read" and told["Per inference"] == "5.5 MiB"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is report)


async def test_keys_that_make_no_sense_on_a_tab_are_not_offered(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        await pilot.press("7")
        await until(pilot, lambda: report.tab == "Log")
        actions = {active.binding.action for active in report.active_bindings.values() if active.enabled}
        assert not {"assume('board')", "assume('npu_clock_hz')", "assume_any"} & actions


async def test_a_terminal_that_grows_shows_more_and_keeps_the_keys(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        assert not report.query("#beside") and not report.query("#more")
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: bool(report.query("#more-left")))
        left = report.query_one("#more-left", DataTable)
        await until(pilot, lambda: left.size.height > 3 and bool(left.table.rows))
        assert "This log does not show what limits the run" in text_of(pilot.app, "#full")
        assert "ratio of an FVP is not time" not in text_of(pilot.app, "#full"), "the note below the cycles says it"
        assert report.focused is report.query_one("#facts", DataTable)
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: report.query_one("#facts", DataTable).size.width < 60)
        assert report.query_one("#facts", DataTable).size.height >= 4 and not report.query_one("#more").region.height


async def test_velas_table_in_a_log_is_a_tab_of_operators_with_shares(make_app: MakeApp, tmp_path: Path) -> None:
    log = tmp_path / "vela.log"
    log.write_text(vela_table(NEW_COLUMNS, "Conv2D Conv2D NPU", ("first", "second")) + CONSOLE_SUMMARY)
    async with make_app(log).run_test(size=(100, 30)) as pilot:
        report = await report_of(pilot)
        assert report.view.tabs[-1] == "Operators" and "Did it compile?" in said(report)
        await pilot.press(str(len(report.view.tabs)))
        await until(pilot, lambda: report.tab == "Operators" and isinstance(report.focused, DataTable))
        table = report.focused
        assert isinstance(table, DataTable)
        assert "████████ 75.00 %" in table.render_line(1).text and "██▋····· 25.00 %" in table.render_line(2).text
        assert [row[table.table.columns.index(next(c for c in table.table.columns if c.name == "Share"))].text
                for row in table.table.rows] == ["75.00 %", "25.00 %"], "bars are drawn, and are no part of the table"  # fmt: skip
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RowScreen))


async def test_a_finding_stands_with_the_line_that_shows_it(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / "missing_op_softmax.log").run_test(size=(80, 24)) as pilot:
        report = await report_of(pilot)
        await until(pilot, lambda: "20 | E Missing operator: [0] aten::_softmax.out" in text_of(pilot.app, "#detail"))
        await pilot.press("down")
        await until(pilot, lambda: "22 | I Loading of method forward failed" in text_of(pilot.app, "#detail"))
        assert report.tab == "Findings"
