"""The compile and run forms: what they offer, what they know of earlier jobs, and the choices that come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from ethosu_tui.analysis.compiles.vela_ini import parse_vela_ini
from ethosu_tui.analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS
from ethosu_tui.runners.compile.plan import CompileOptions, equivalent_command
from ethosu_tui.runners.compile.points import CompilePoint, plan
from ethosu_tui.runners.kinds.estimate import usual_of
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.commands.parsers import command_parser
from ethosu_tui.tui.compile_choices import Earlier, Space
from ethosu_tui.tui.screens.run_fields import Entered, recalled, remembered_fields
from ethosu_tui.tui.widgets.checklist import Checklist
from ethosu_tui.tui.widgets.data_table import DataTable

from ..runners import standin_fvp
from ..runners.keepers import wait_over
from .conftest import MakeApp, on_screen, text_of, until

INI = """\
[System_Config.Mine]
core_clock=400e6
axi0_port=Sram
axi1_port=OffChipFlash
Sram_clock_scale=1.0
OffChipFlash_clock_scale=0.125
[Memory_Mode.Shared]
const_mem_area=Axi1
arena_mem_area=Axi0
cache_mem_area=Axi0
"""


def checklist(app: EthosuApp, name: str) -> Checklist:
    return app.screen.query_one(f"#{name}", Checklist)


async def answer(pilot: Pilot[None], text: str) -> None:
    """Put the text into the dialog and take it."""
    await on_screen(pilot, "AskScreen")
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


def command(app: EthosuApp) -> str:
    return str(getattr(app.screen, "command", ""))


def compiled(root: Path, options: CompileOptions, point: CompilePoint, seconds: float, status: str = "ok") -> None:
    """A compile of before, as its folder says it."""
    line = equivalent_command(options, [point])
    folder = RunFolder.create(
        root, "compile", f"m {point.label}", command=line, model=options.model, target=point.target
    )
    folder.finish(status, seconds=seconds)


def test_every_system_config_says_its_clock_and_bandwidth() -> None:
    space = Space()
    assert space.configs == tuple(SYSTEM_CONFIGS) and space.modes == MEMORY_MODES
    assert len({space.label(name) for name in space.configs}) == len(SYSTEM_CONFIGS)
    assert space.clock("Ethos_U85_SYS_DRAM_Mid") == "1 GHz" and space.clock("Ethos_U55_Deep_Embedded") == "200 MHz"
    assert space.bandwidth("Ethos_U55_Deep_Embedded") == "1.6 + 0.1 GB/s OffChipFlash"
    assert "SRAM 32 GB/s, Dram 12 GB/s" in space.facts("Ethos_U85_SYS_DRAM_Mid")
    own = Space(parse_vela_ini(INI))
    assert (own.configs, own.modes, own.clock("Mine")) == (("Mine",), ("Shared",), "400 MHz")
    assert own.facts("ethos-u55-128") == "128 MACs a cycle; by default Mine, Shared"
    assert own.config_reason("Mine", ["ethos-u85-256"]) is None and own.mode_reason("Shared", ["none"], []) is not None


def test_what_took_how_long_is_known_from_the_same_jobs_only(tmp_path: Path) -> None:
    options = CompileOptions("bundled:mnist")
    points = plan(["ethos-u55-128", "ethos-u55-256"])[0]
    assert Earlier(listed(tmp_path)).say(options, points) == ""
    for seconds, status in ((10.0, "ok"), (30.0, "ok"), (20.0, "ok"), (1.0, "failed")):
        compiled(tmp_path, replace(options, output="x.pte"), points[0], seconds, status)
    earlier = Earlier(listed(tmp_path))
    assert earlier.say(options, points[:1]) == "it took 20 s before"
    assert earlier.say(options, points) == "1 of them ran before, in 20 s"
    assert earlier.say(replace(options, quantize=False), points) == ""
    compiled(tmp_path, options, points[1], 5.0)
    assert Earlier(listed(tmp_path)).say(options, points) == "all ran before, in 25 s"


async def test_the_form_knows_earlier_jobs_and_its_last_choices(make_app: MakeApp, tmp_path: Path) -> None:
    compiled(tmp_path / "runs", CompileOptions("bundled:mnist"), plan(["ethos-u55-128"])[0][0], 12.0)
    app = make_app(screen="compile")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompileScreen")
        await until(pilot, lambda: "it took 12 s before" in text_of(app, "#plan"))
        checklist(app, "configs").focus()
        await pilot.pause()
        lines = [checklist(app, "configs").render_line(y).text for y in range(checklist(app, "configs").size.height)]
        assert "200 MHz" in lines[0] and "SRAM 1.6 GB/s, OffChipFlash 0.1 GB/s" in text_of(app, "#plan")
        checklist(app, "targets").choose_names(("ethos-u65-256", "ethos-u65-512"))
        app.screen._update()  # type: ignore[attr-defined]
        checklist(app, "modes").choose_names(("Dedicated_Sram",))
        checklist(app, "switches").choose_names(("Delegate to NPU",))
        app.screen._model = str(tmp_path / "gone.py")  # type: ignore[attr-defined]
        app.screen._update()  # type: ignore[attr-defined]
        await pilot.press("c")  # nothing is there to compile, which is said; the choices are kept all the same
        await until(pilot, lambda: bool(app._notifications))
    app = make_app(screen="compile")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "CompileScreen")
        await until(pilot, lambda: "u65-512" in command(app))
        assert checklist(app, "targets").chosen == ("ethos-u65-256", "ethos-u65-512")
        assert command(app).startswith("ethosu-tui compile bundled:mnist ")  # the file is gone
        assert "--memory-mode Dedicated_Sram" in command(app) and "--no-quantize" in command(app)


async def test_calibration_data_and_a_vela_ini_are_fields(make_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "board.ini").write_text(INI)
    (tmp_path / "wrong.ini").write_text("core_clock=1\n")
    (tmp_path / "empty").mkdir()
    app = make_app(screen="compile")
    async with app.run_test(size=(120, 40)) as pilot:
        await on_screen(pilot, "CompileScreen")
        await pilot.press("f")
        await answer(pilot, str(tmp_path / "wrong.ini"))
        await until(pilot, lambda: "before any [section]" in text_of(app, "#said"))
        await answer(pilot, str(tmp_path / "board.ini"))
        await on_screen(pilot, "CompileScreen")
        assert checklist(app, "configs").names == ("Mine",) and checklist(app, "modes").names == ("Shared",)
        assert f"--vela-config {tmp_path / 'board.ini'}" in command(app) and "1 job" in text_of(app, "#plan")
        checklist(app, "configs").focus()
        await until(pilot, lambda: "Mine: 400 MHz, Sram + OffChipFlash" in text_of(app, "#plan"))
        await pilot.press("d")
        await answer(pilot, str(tmp_path / "empty"))
        await until(pilot, lambda: bool(text_of(app, "#said")))
        assert type(app.screen).__name__ == "AskScreen"
        await pilot.press("escape", "f")
        await answer(pilot, "")
        await on_screen(pilot, "CompileScreen")
        assert checklist(app, "configs").names == tuple(SYSTEM_CONFIGS) and "--vela-config" not in command(app)


# -- run ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def earlier(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runner that has run once on a simulator."""
    log = (samples / "softmax.log").read_bytes()
    exe = standin_fvp.write(tmp_path / "fvp", "FVP_Corstone_SSE-300_Ethos-U55", log)
    monkeypatch.setenv("PATH", str(exe.parent), prepend=":")
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    folder = launch(RunRequest("fvp", str(elf), "ethos-u55-128"), tmp_path / "runs").folder
    assert folder is not None
    wait_over(tmp_path / "runs")
    return elf


def test_the_same_files_at_the_same_place_say_how_long_it_takes(earlier: Path, tmp_path: Path) -> None:
    rows = listed(tmp_path / "runs")
    request = RunRequest("fvp", str(earlier), "ethos-u55-128")
    known = usual_of(request, rows)
    assert known is not None and known.runs == 1 and known.seconds == rows[0].seconds
    assert usual_of(replace(request, target="ethos-u55-256"), rows) is None
    earlier.write_bytes(earlier.read_bytes() + b"x")
    assert usual_of(request, rows) is None


async def test_repeats_the_time_and_the_meaning_of_a_field_stand_on_the_form(
    make_app: MakeApp, earlier: Path, tmp_path: Path
) -> None:
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        for field, text in (("artefact", str(earlier)), ("repeat", "3"), ("warm-up", "1")):
            fields = app.screen.query_one(DataTable)
            fields.select_row([row[0].text for row in fields.table.rows].index(field))
            await pilot.press("enter")
            await answer(pilot, text)
            await on_screen(pilot, "RunFormScreen")
        assert command(app).endswith("--repeat 3 --warm-up 1")
        await until(pilot, lambda: "the same files took" in text_of(app, "#said"))
        said = text_of(app, "#said")
        assert "r starts 4 runs" in said and "so 4 runs about" in said
        assert "warm-up: how many runs before them that do not count" in said
        await pilot.press("r")
        await on_screen(pilot, "JobScreen")
    app = make_app(screen="run")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "RunFormScreen")
        await until(pilot, lambda: command(app).endswith("--repeat 3 --warm-up 1"))


def test_a_form_is_remembered_as_far_as_it_makes_sense() -> None:
    entered = Entered("serial", place="/dev/x", repeat="5")
    assert recalled(remembered_fields(entered)) == entered
    for odd in (None, 3, {"runner": "nothing"}, {"runner": "x", "kind": "y"}, {"what": "ever", "repeat": 3}):
        assert recalled(odd) == Entered()


def test_wrong_numbers_of_runs_are_said_and_right_ones_reach_the_command_line() -> None:
    entered = Entered("command", command="true")
    assert "At least one" in (replace(entered, repeat="0").problem() or "")
    assert "is not a number of runs" in (replace(entered, warm_up="-1").problem() or "")
    assert "is not a number of runs" in (replace(entered, repeat="99999").problem() or "")
    words = replace(entered, repeat="12", warm_up="2").words()
    options = command_parser("run").parse_args(words[: words.index("--")])
    assert (options.repeat, options.warm_up) == (12, 2)
