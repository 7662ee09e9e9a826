"""Several programs and places from the run form: chosen by keys, only what fits, followed on one screen to their ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from ethosu_tui.analysis.targets import TARGETS
from ethosu_tui.runners.runs.folder import list_runs
from ethosu_tui.tui.commands.parsers import command_parser
from ethosu_tui.tui.commands.run import _request
from ethosu_tui.tui.commands.several import asked_for
from ethosu_tui.tui.screens.pick import PickScreen
from ethosu_tui.tui.screens.run_fields import Entered, chosen, recalled, remembered_fields
from ethosu_tui.tui.screens.runs_queue import RunsQueueScreen
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.data_table import DataTable

from ..runners import standin_fvp
from .conftest import MakeApp, on_screen, text_of, until

PROGRAMS = Path(__file__).parents[1] / "programs"
U55, U85 = str(PROGRAMS / "two_parts_u55_128.pte"), str(PROGRAMS / "adds_u85_512_dedicated.pte")


@pytest.fixture
def places(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    standin_fvp.two_places(tmp_path, (samples / "softmax.log").read_bytes())
    monkeypatch.setenv("ETHOSU_TUI_FVP_PATH", str(tmp_path / "fvp"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_that_is_shown_asks_for_the_same(places: Path) -> None:
    entered = chosen(Entered(timeout="60", repeat="2"), "artefact", (U55, U85), {})
    entered = chosen(entered, "runner", ("small", "large"), {"small": "fvp", "large": "fvp"})
    options = command_parser("run").parse_args(entered.words())
    options.command_argv = []
    requests = entered.requests()
    assert len(requests) == 4 and asked_for(options, _request(options)) == requests
    sized = chosen(Entered(artefact=U55), "target", ("ethos-u55-128", "ethos-u85-256"), {})
    options = command_parser("run").parse_args(sized.words())
    options.command_argv = []
    assert [one.target for one in sized.requests()] == ["ethos-u55-128", "ethos-u85-256"]
    assert asked_for(options, _request(options)) == sized.requests()
    assert recalled(json.loads(json.dumps(remembered_fields(entered)))) == entered
    assert recalled({"places": [[1], "x"], "npus": 7}) == Entered()


async def _pick(pilot: Pilot[None], field: str, *names: str) -> None:
    """Choose exactly these of a field by keys."""
    table = pilot.app.screen.query_one(DataTable)
    table.select_row(next(i for i, cells in enumerate(table.table.rows) if cells[0].text == field))
    await pilot.press("m")
    await on_screen(pilot, "PickScreen")
    offered = pilot.app.screen.query_one(Checklist)
    if field == "artefact":
        for name in names:
            await pilot.press("o")
            await on_screen(pilot, "AskScreen")
            entry = pilot.app.screen.query_one(Input)
            entry.post_message(Paste(name))
            await until(pilot, lambda entry=entry, name=name: entry.value.endswith(name))
            await pilot.press("enter")
            await on_screen(pilot, "PickScreen")
    else:
        for name in {*names} ^ {*offered.chosen}:
            offered.select_row(offered.names.index(name))
            await pilot.press("space")
    await until(pilot, lambda: offered.chosen == tuple(n for n in offered.names if n in names))
    await pilot.press("enter")
    await on_screen(pilot, "RunFormScreen")


async def test_two_programs_on_two_places_are_two_runs_that_one_screen_follows(
    make_app: MakeApp, places: Path, tmp_path: Path
) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await _pick(pilot, "artefact", U55, U85)
        await _pick(pilot, "on", "small", "large")
        await until(pilot, lambda: "r starts 2 runs; none of them ran before" in text_of(app, "#said"))
        assert "2 left out: " in text_of(app, "#said") and "was compiled for ethos-u" in text_of(app, "#said")
        await pilot.press("r")
        await on_screen(pilot, "RunsQueueScreen")
        screen = app.screen
        assert isinstance(screen, RunsQueueScreen)
        await until(pilot, lambda: all(one.over for one in screen._found) and screen._over)
        rows = [[cell.text for cell in cells] for cells in screen.query_one("#runs", DataTable).table.rows]
        assert [(row[0], row[1]) for row in rows] == [
            ("two_parts_u55_128.pte", "small u55-128"),
            ("adds_u85_512_dedicated.pte", "large u85-512"),
        ]
        assert all("passed" in row[2] for row in rows)
        assert {run.status for run in list_runs(tmp_path / "runs")} == {"passed"}
        await pilot.press("v")
        await on_screen(pilot, "CompareScreen")


async def test_an_npu_that_fits_none_of_the_programs_is_dimmed_and_says_why(make_app: MakeApp, places: Path) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await _pick(pilot, "artefact", U85)
        table = app.screen.query_one(DataTable)
        table.select_row(1)
        await pilot.press("m")
        await on_screen(pilot, "PickScreen")
        assert isinstance(app.screen, PickScreen)
        offered = app.screen.query_one(Checklist)
        assert [cells[1].text for cells in offered.given.rows] == [TARGETS[name].fvp for name in offered.names]
        await until(pilot, lambda: bool(offered.reasons))
        assert set(offered.names) - set(offered.reasons) == {"ethos-u85-512"}
        offered.select_row(0)
        await until(pilot, lambda: "does not fit: " in text_of(app, "#said"))
        assert "ethos-u85-512" in text_of(app, "#said")


async def test_compiles_that_are_marked_on_home_are_the_programs_of_the_form(
    make_app: MakeApp, places: Path, tmp_path: Path
) -> None:
    from ethosu_tui.runners.runs.folder import RunFolder

    made = []
    for program in (U55, U85):
        folder = RunFolder.create(tmp_path / "runs", "compile", Path(program).stem, target="-")
        made.append(folder.path / Path(program).name)
        made[-1].write_bytes(Path(program).read_bytes())
        folder.finish("ok")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: len(runs.table.rows) == 2)
        runs.focus()
        await pilot.press("space", "down", "space", "r")
        await on_screen(pilot, "RunFormScreen")
        table = app.screen.query_one(DataTable)
        shown = {cells[0].text: cells[1].text for cells in table.table.rows}
        assert set(shown["artefact"].removesuffix(" (2)").split(", ")) == {path.stem for path in made}
        assert shown["target"] == "that of the program"
