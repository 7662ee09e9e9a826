"""What the user said beside a log counts again when the log is opened again, says who said it, and can be taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ethosu_tui.analysis.meaning.assumptions import NOTHING, Assumptions
from ethosu_tui.runners import remembered
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.runners.remembered import Remembered, state_file
from ethosu_tui.tui.screens.assumed import in_short, kept, name_for, recalled
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.views import view_of
from ethosu_tui.tui.widgets.answer_lines import AnswerLines
from ethosu_tui.tui.widgets.chrome import TitleBar

from .conftest import MakeApp, notices, on_screen, until
from .test_report_tabs import MV2, report_of


def how_fast(report: ReportScreen) -> str:
    return " ".join(str(report.query_one(AnswerLines).render()).split())


def title(report: ReportScreen) -> str:
    return report.query_one(TitleBar).status


async def test_a_clock_counts_again_in_the_next_session_and_only_for_its_log(make_app: MakeApp, samples: Path) -> None:
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        assert "assumed" not in title(report)
        await pilot.press("c")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"500MHz", "enter")
        await until(pilot, lambda: "11.8 ms" in how_fast(report))
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        assert "11.8 ms" in how_fast(report) and "the clock that was given" in how_fast(report)
        assert title(report).startswith("clock 500MHz assumed by you") and title(report).endswith("passed")
        assert report.command.endswith("--npu-clock 500MHz"), "the command says the same"
    async with make_app(samples / "u55_nobackend.log").run_test(size=(120, 40)) as pilot:
        assert "assumed" not in title(await report_of(pilot))


async def test_all_that_was_said_is_taken_back_at_once(make_app: MakeApp, samples: Path, tmp_path: Path) -> None:
    path = state_file(tmp_path / "runs")
    assert path is not None
    values = {name_for(str(samples / MV2)): {"npu_clock_hz": "500000000.0", "board": "alif-e8-u85"}}
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": 1, "values": values}))
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        assert title(report).startswith("clock, board assumed by you")
        await pilot.press("a")
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"all of it", "enter")
        await until(pilot, lambda: "no clock is known" in how_fast(report))
        assert "assumed" not in title(report) and "--board" not in report.command
    assert json.loads(path.read_text())["values"] == {}


async def test_what_is_not_known_any_more_is_told_and_the_rest_counts(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    path = state_file(tmp_path / "runs")
    assert path is not None
    values = {name_for(str(samples / MV2)): {"npu_clock_hz": "4e8", "board": "my-old-board", "beat_bytes": 7, "x": "y"}}
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": 1, "values": values}))
    async with make_app(samples / MV2).run_test(size=(120, 40)) as pilot:
        report = await report_of(pilot)
        assert title(report).startswith("clock 400MHz assumed by you")
        assert any("my-old-board" in one for one in notices(pilot.app))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        Assumptions(npu_clock_hz=123456789.0),
        Assumptions(npu_clock_hz=1e3, cpu_clock_hz=1e10, board="alif-e8-u85", target="ethos-u85-256"),
        Assumptions(
            model_macs=300836993, beat_bytes=16, system_config="Ethos_U85_SYS_DRAM_Mid", memory_mode="Sram_Only"
        ),
    ],
)
def test_what_is_kept_is_what_was_said_to_the_hertz(given: Assumptions) -> None:
    assert recalled(json.loads(json.dumps(kept(given)))) == (given, ())
    assert len(in_short(given)) <= 45


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, {"npu_clock_hz": 5}, {"board": ["x"]}])
def test_a_file_is_not_believed(value: object) -> None:
    assert recalled(value) == (NOTHING, ())


def test_what_belongs_to_logs_goes_first_and_a_long_text_never_spoils_the_file(tmp_path: Path) -> None:
    kept_there = Remembered(tmp_path / "state.json")
    kept_there.put("theme", "nord")
    kept_there.put("filter HomeScreen#runs", "x" * 1_000_000)
    for number in range(700):
        kept_there.put(name_for(f"/logs/{number}/" + "d" * 300), {"board": "alif-e8-u85"})
    assert kept_there.save() is None
    again = Remembered(tmp_path / "state.json")
    assert again.problem is None and again.get("theme") == "nord"
    assert again.get("filter HomeScreen#runs") is None, "what is too long to be read again is forgotten, alone"
    assert again.get(name_for("/logs/699/" + "d" * 300)) and not again.get(name_for("/logs/499/" + "d" * 300))
    assert (tmp_path / "state.json").stat().st_size <= remembered._LIMIT_BYTES


def test_a_report_holds_a_board_against_the_npu_that_was_said(samples: Path) -> None:
    given = Assumptions(board="alif-e8-u85", target="ethos-u85-1024")
    view = view_of(load(str(samples / MV2)), 0, given=given)
    assert view.fit is not None and view.fit.fit == "does not fit" and "alif-e8-u85, no" in str(view.answers)
    alone = view_of(load(str(samples / MV2)), 0, given=Assumptions(target="ethos-u85-1024"))
    assert "board" not in alone.tables or "alif-e8-u85" not in str(alone.tables["board"].rows)
