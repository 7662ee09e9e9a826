"""The export dialog, copying, the editor and the pager: what lands in files is what stands on the screen."""

from __future__ import annotations

import base64
import csv
import gzip
import json
import os
import shutil
import stat
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from ethosu_tui.runners.clipboard import LIMIT_BYTES, takes_osc52
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.screens.export import ExportScreen
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, notices, on_screen, until
from .terminal import Terminal, dashboard, environment

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own to export to, and a terminal that takes copies."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TMUX", "STY", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    return folder


async def opened(pilot: Pilot[None], *keys: str) -> ExportScreen:
    """The dialog on a report, after these keys."""
    await on_screen(pilot, "ReportScreen")
    await until(pilot, lambda: isinstance(pilot.app.screen.focused, DataTable))
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    await pilot.press("w")
    await on_screen(pilot, "ExportScreen")
    screen = pilot.app.screen
    assert isinstance(screen, ExportScreen)
    await until(pilot, lambda: bool(screen.query_one(Input).value))
    return screen


async def choose(pilot: Pilot[None], what: str, form: str) -> ExportScreen:
    """Move the cursor to this offer."""
    screen = pilot.app.screen
    assert isinstance(screen, ExportScreen)
    for _ in range(30):
        if (screen.offer.what, screen.offer.form) == (what, form):
            await pilot.pause()
            return screen
        await pilot.press("down")
    raise AssertionError(f"{what} {form} is not offered")


async def saved(pilot: Pilot[None], folder: Path, ending: str) -> Path:
    """The file that was written, once it is said to be."""
    await pilot.press("enter")
    await until(pilot, lambda: any(note.startswith("Saved") for note in notices(as_app(pilot))))
    (path,) = folder.glob(f"*{ending}")
    return path


def as_app(pilot: Pilot[None]) -> EthosuApp:
    assert isinstance(pilot.app, EthosuApp)
    return pilot.app


async def test_a_table_is_written_as_it_is_filtered_and_sorted(make_app: MakeApp, samples: Path, here: Path) -> None:
    app = make_app(samples / "mobilenet_v2_corstone320.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "2", "slash", *"pool", "enter", "right", "s", "s")
        screen = await choose(pilot, "this table", "CSV")
        assert screen.query_one(Input).value == "mobilenet_v2_corstone320-memory.csv"
        path = await saved(pilot, here, ".csv")
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    assert rows[0][:3] == ["Memory", "Used (bytes)", "Capacity (bytes)"]
    assert [row[:2] for row in rows[1:]] == [["method", "1355722"], ["temp", "0"]]


async def test_a_report_is_one_page_and_a_name_that_is_taken_is_asked_about(
    make_app: MakeApp, samples: Path, here: Path
) -> None:
    app = make_app(samples / "method_small_planned.log")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await choose(pilot, "whole report", "HTML")
        proposed = screen.query_one(Input).value
        assert proposed == "method_small_planned.html"
        await pilot.press("escape")
        (here / proposed).write_text("mine")
        screen = await opened(pilot)
        await choose(pilot, "whole report", "HTML")
        field = screen.query_one(Input)
        assert field.value == "method_small_planned-2.html", "a free name is proposed"
        await pilot.press("tab", *["backspace"] * 7, *".html")
        assert field.value == proposed
        await pilot.press("enter")
        await until(pilot, lambda: "is there already" in str(screen.query_one("#problem").render()))
        assert (here / proposed).read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: any(note.startswith("Saved") for note in notices(app)))
    page = (here / proposed).read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Error: " in page and "method pool" in page
    assert sorted(file.name for file in here.iterdir()) == [proposed], "nothing half-written is left"


async def test_a_folder_and_the_home_can_be_named(
    make_app: MakeApp, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "reports").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        field = screen.query_one(Input)
        await pilot.press("tab")
        field.value = "~/reports/"
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: any(note.startswith("Saved") for note in notices(app)))
        assert (tmp_path / "home/reports/mnist_q-summary.md").read_text("utf-8").startswith("# Summary")
        screen = await opened(pilot)
        field = screen.query_one(Input)
        assert field.value == str(tmp_path / "home/reports/mnist_q-summary-2.md"), "the folder is remembered"
        await pilot.press("tab")
        field.value = "no/such/folder/x.md"
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: "is no folder" in str(screen.query_one("#problem").render()))


async def test_the_picture_shows_the_screen_and_fetches_nothing(make_app: MakeApp, samples: Path, here: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await choose(pilot, "this screen", "SVG")
        path = await saved(pilot, here, ".svg")
    text = path.read_text("utf-8")
    ET.fromstring(text)
    shown = text.replace("&#160;", " ")
    assert "mnist_q" in shown and "whole report" not in shown, "the dialog is not in it"
    assert "url(" not in text.replace("url(#", "") and "@font-face" not in text


COMPILED = [
    {
        "index": 0,
        "tosa": "CONV2D",
        "op_cycles": 700,
        "npu_cycles": 700,
        "macs": 9,
        "tosa_index": 4,
        "share_percent": 70.0,
    },
    {"index": 1, "tosa": "ADD", "op_cycles": 300, "npu_cycles": 200, "macs": 0, "tosa_index": 8, "share_percent": 30.0},
]


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    folder = RunFolder.create(tmp_path / "runs", "compile", "mnist ethos-u55-128", target="ethos-u55-128")
    folder.write_json("result.json", {"target": "ethos-u55-128", "status": "ok", "operators": COMPILED})
    folder.finish("ok")
    return folder.path


async def test_operators_go_to_perfetto_and_to_model_explorer(make_app: MakeApp, compiled: Path, here: Path) -> None:
    app = make_app(compiled)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await choose(pilot, "perfetto", "operators")
        trace: dict[str, Any] = json.loads((await saved(pilot, here, ".perfetto.json")).read_text())
        app.clear_notifications()
        await opened(pilot)
        await choose(pilot, "model explorer", "operators")
        data = json.loads((await saved(pilot, here, ".model-explorer.json")).read_text())
    assert [e["args"]["cycles"] for e in trace["traceEvents"] if e["ph"] == "X"] == [700, 300]
    assert data["main"]["results"] == {"main/op4": {"value": 700}, "main/op8": {"value": 300}}


async def test_a_log_without_operators_does_not_offer_them(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert {offer.what for offer in screen._offers} == {"this table", "whole report", "this screen"}


async def test_home_exports_its_tables_too(make_app: MakeApp, compiled: Path, here: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = app.screen.query_one("#runs", DataTable)
        await until(pilot, lambda: runs.row_count == 1)
        await pilot.press("w")
        await on_screen(pilot, "ExportScreen")
        await choose(pilot, "this table", "JSON")
        document = json.loads((await saved(pilot, here, ".json")).read_text())
    texts = [cell["text"] for cell in document["sections"][0]["tables"][0]["rows"][0]]
    assert any("mnist" in text for text in texts)


def sent(app: EthosuApp) -> list[str]:
    """Keep what goes to the terminal's clipboard."""
    driver = app._driver
    assert driver is not None
    found: list[str] = []
    write = driver.write

    def keep(data: str) -> None:
        if data.startswith("\x1b]52;c;"):
            found.append(base64.b64decode(data[7:-1]).decode())
        write(data)

    driver.write = keep  # type: ignore[method-assign]
    return found


async def test_copies_go_to_the_terminal_and_to_a_file_and_long_ones_to_the_file_alone(
    make_app: MakeApp, samples: Path, tmp_path: Path
) -> None:
    app = make_app(samples / "mnist_q.log")
    kept = tmp_path / "runs" / "copied.txt"
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await until(pilot, lambda: isinstance(app.screen.focused, DataTable))
        found = sent(app)
        await pilot.press("y")
        assert found == [f"ethosu-tui analyze {samples / 'mnist_q.log'}"] == [kept.read_text()]
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        await until(pilot, lambda: any("Sent to the terminal" in n and str(kept) in n for n in notices(app)))
        await pilot.press("Y")
        assert found[-1].startswith("Summary\n") and "Status" in found[-1] and kept.read_text() == found[-1]
        from ethosu_tui.tui.copying import copy

        count = len(found)
        app.clear_notifications()
        copy(app, "x" * (LIMIT_BYTES + 1), "much")
        assert len(found) == count and len(kept.read_text()) == LIMIT_BYTES + 1
        await until(pilot, lambda: any("more than" in n and str(kept) in n for n in notices(app)))


async def test_the_dialog_copies_what_it_would_write(make_app: MakeApp, samples: Path, here: Path) -> None:
    app = make_app(samples / "mnist_q.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        found = sent(app)
        await pilot.press("y")
        await until(pilot, lambda: bool(found))
    assert found[0].startswith("# Summary\n") and "| Status | passed |" in found[0]
    assert not list(here.iterdir())


def test_terminals_that_know_no_clipboard_are_told_apart() -> None:
    assert takes_osc52({"TERM": "xterm-256color"})
    assert takes_osc52({"TERM": "tmux-256color", "TMUX": "x"})
    assert not takes_osc52({"TERM": "linux"})
    assert not takes_osc52({"TERM": "screen", "STY": "1.pts"})
    assert not takes_osc52({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"})


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
    path.chmod(0o755)
    return path


@needs_tmux
def test_the_log_opens_in_the_editor_at_the_line_and_the_report_in_the_pager(tmp_path: Path, samples: Path) -> None:
    kept = tmp_path / "argv.txt"
    tools = tmp_path / "my tools"
    tools.mkdir()
    editor = script(tools, "vi", f"open({str(kept)!r}, 'w').write('\\n'.join(sys.argv[1:]))\ninput('in the editor')")
    pager = script(tools, "page", "import os\ntext = sys.stdin.read()\nprint('\\x1b[2J', len(text) > 500, 'Memory' in text)\n"
                   "open('/dev/tty').readline()")  # fmt: skip
    packed = tmp_path / "packed.log.gz"
    packed.write_bytes(gzip.compress((samples / "method_small_planned.log").read_bytes()))
    variables = environment(tmp_path / "home") | {"EDITOR": f"'{editor}' -n", "VISUAL": "", "PAGER": f"'{pager}'"}
    with Terminal(dashboard(str(packed)), variables) as terminal:
        terminal.wait("✗ failed")
        terminal.press("F4")
        terminal.wait("in the editor")
        option, line, path = kept.read_text().splitlines()
        assert option == "-n" and line.startswith("+") and int(line) > 1
        text = Path(path).read_text(errors="replace")
        assert text == (samples / "method_small_planned.log").read_text(errors="replace"), "unpacked for the editor"
        terminal.press("Enter")
        terminal.wait("✗ failed", "? Help")
        assert not os.path.exists(path)
        terminal.press("V")
        terminal.wait("True True")
        terminal.press("Enter")
        terminal.wait("✗ failed", "? Help")
        terminal.press("Y")
        terminal.wait("tmux's newest buffer")
        assert "Rule" in terminal.ask("#{buffer_sample}") or terminal.ask("#{buffer_name}")
        terminal.press("q")
        assert terminal.wait_gone() == 0


@needs_tmux
def test_an_editor_that_is_not_there_is_one_sentence(tmp_path: Path, samples: Path) -> None:
    variables = environment(tmp_path / "home") | {"VISUAL": "no-such-editor --wait", "EDITOR": "vi"}
    with Terminal(dashboard(str(samples / "mnist_q.log")), variables) as terminal:
        terminal.wait("✓ passed")
        terminal.press("F4")
        terminal.wait("$VISUAL names no-such-editor")
        terminal.press("q")
        assert terminal.wait_gone() == 0
