"""What the dashboard remembers: per workspace, in real files, whatever becomes of them; and the files for keys and colours."""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners import remembered
from ethosu_tui.runners.remembered import Remembered, state_file
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.memory import is_key, read_keys
from ethosu_tui.tui.widgets.data_table import DataTable

from .conftest import MakeApp, on_screen, until


def notices(app: EthosuApp) -> list[str]:
    return [f"{note.title} {note.message}" for note in app._notifications]


def runs(app: EthosuApp) -> DataTable:
    return app.screen.query_one("#runs", DataTable)


def shown(table: DataTable) -> list[str]:
    """The second cell of each row, in the order in which it stands on the screen."""
    return [table.table.rows[i][1].text for i in table._order]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = state_file(tmp_path / "runs")
    assert found is not None
    return found


@pytest.fixture
def stored(tmp_path: Path) -> None:
    for label, cycles in (("b", 2), ("qa", 30), ("qab", 1)):
        folder = RunFolder.create(tmp_path / "runs", "run", label, target="ethos-u55-128")
        folder.write_json("report.json", {"captures": [{"runs": [{"pmu": {"npu_cycles": cycles}}]}]})
        folder.finish("passed", created=f"2026-01-0{cycles % 9 + 1}T00:00:00+00:00")


async def test_filter_order_columns_and_theme_come_back_in_the_same_workspace_only(
    make_app: MakeApp, stored: None, tmp_path: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: runs(app).row_count == 3)
        names = [column.name for column in runs(app).table.columns]
        runs(app).cursor_column = names.index("Cycles")
        await pilot.press("s", "s")
        await pilot.press("C")
        await on_screen(pilot, "ColumnsScreen")
        await pilot.press("down", "space", "enter")
        await on_screen(pilot, "HomeScreen")
        assert [column.name for column in runs(app).table.columns] == [n for n in names if n != "Target"]
        await pilot.press("slash", *"qa", "enter")
        app.theme = "textual-light"
        assert shown(runs(app)) == ["qa", "qab"]
    again = make_app()
    async with again.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: runs(again).row_count == 2)
        assert shown(runs(again)) == ["qa", "qab"] and again.theme == "textual-light"
        assert "Target" not in [column.name for column in runs(again).table.columns]
        await until(pilot, lambda: again.screen.query_one("#filter").display)
        await pilot.press("slash", "escape")
        assert shown(runs(again)) == ["qa", "b", "qab"]
    elsewhere = state_file(tmp_path / "others")
    assert elsewhere is not None and not elsewhere.exists()


async def test_the_last_screen_comes_back_with_home_below_it(make_app: MakeApp, samples: Path) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("g", "t")
        await on_screen(pilot, "TargetsScreen")
        await pilot.press("q")
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "TargetsScreen")
        await pilot.press("escape")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("q")
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
    log = samples / "mnist_q.log"
    app = make_app(log)
    async with app.run_test() as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("q")
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "ReportScreen")
        assert "mnist_q.log" in getattr(app.screen, "command", "")
        app.exit()
    app = make_app(screen="doctor")  # what is asked for counts more
    async with app.run_test() as pilot:
        await on_screen(pilot, "DoctorScreen")


async def test_a_report_that_is_gone_does_not_come_back(make_app: MakeApp, tmp_path: Path, file: Path) -> None:
    file.parent.mkdir(parents=True)
    values = {"screen": ["report", str(tmp_path / "gone.log")], "theme": 7, "table HomeScreen#runs": ["x"]}
    file.write_text(json.dumps({"version": 1, "values": values}))
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.pause()
        assert not notices(app)


DAMAGED: dict[str, Callable[[Path], object]] = {
    "no JSON": lambda path: path.write_bytes(b"{" * 50_000),
    "cut short": lambda path: path.write_text('{"version": 1, "values": {"theme"'),
    "another shape": lambda path: path.write_text("[1, 2]"),
    "no values": lambda path: path.write_text('{"version": 1, "values": 3}'),
    "bytes": lambda path: path.write_bytes(bytes(range(256)) * 100),
    "huge": lambda path: path.write_bytes(b" " * (1 << 20)),
    "a pipe": lambda path: os.mkfifo(path),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_put_aside_and_written_anew(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "state.json"
    DAMAGED[kind](path)
    kept = Remembered(path)
    assert kept.problem is not None and str(path) in kept.problem and "is damaged" in kept.problem
    kept.put("theme", "nord")
    assert kept.save() is None and path.with_suffix(".damaged").exists()
    again = Remembered(path)
    assert again.problem is None and again.get("theme") == "nord"


async def test_a_damaged_file_is_told_once(make_app: MakeApp, file: Path) -> None:
    file.parent.mkdir(parents=True)
    DAMAGED["cut short"](file)
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: any("is damaged" in note for note in notices(app)))
        assert sum(file.name in note for note in notices(app)) == 1
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.pause()
        assert not notices(app)


async def test_a_file_of_a_newer_version_is_left_as_it_is(make_app: MakeApp, file: Path) -> None:
    file.parent.mkdir(parents=True)
    text = '{"version": 2, "values": {"theme": "nord"}, "more": true}'
    file.write_text(text)
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: any("newer ethosu-tui" in note for note in notices(app)))
        app.theme = "dracula"
        assert app.memory.get("theme") == "dracula"
    assert file.read_text() == text


def test_where_nothing_can_be_written_it_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("x")
    kept = Remembered(tmp_path / "no folder" / "state.json")
    kept.put("theme", "nord")
    said = kept.save()
    assert said is not None and "cannot be written" in said
    kept.put("theme", "dracula")
    assert kept.save() is None and kept.get("theme") == "dracula"


@pytest.fixture
def small_files() -> Iterator[None]:
    """A disk that takes no more than a few bytes of a file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, before)


def test_a_disk_that_takes_no_more_leaves_the_file_that_was_there(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "state.json"
    kept = Remembered(path)
    kept.put("a", 1)
    assert kept.save() is None
    before = path.read_bytes()
    request.getfixturevalue("small_files")
    kept.put("b", "x" * 100)
    said = kept.save()
    assert said is not None and "cannot be written" in said
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == ["state.json"]


def test_two_at_once_keep_each_others_changes_and_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    both = [Remembered(path), Remembered(path)]

    def work(kept: Remembered, name: str) -> None:
        for number in range(50):
            kept.put(name, number)
            assert kept.save() is None
            json.loads(path.read_text())

    threads = [threading.Thread(target=work, args=(kept, name)) for kept, name in zip(both, "ab", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    both[0].put("c", 1)
    both[0].save()
    both[1].put("d", 2)
    both[1].save()
    values = json.loads(path.read_text())["values"]
    assert values["c"] == 1 and values["d"] == 2 and {"a", "b"} <= values.keys()
    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]


def test_what_is_remembered_is_bounded(tmp_path: Path) -> None:
    kept = Remembered(tmp_path / "state.json")
    for number in range(remembered._MOST_VALUES + 50):
        kept.put(f"table {number}", {"sort": "x"})
    kept.save()
    values = json.loads((tmp_path / "state.json").read_text())["values"]
    assert len(values) == remembered._MOST_VALUES and f"table {remembered._MOST_VALUES + 49}" in values


async def test_without_a_home_nothing_is_remembered_and_nothing_said(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered.Path, "expanduser", lambda path: (_ for _ in ()).throw(RuntimeError("no home")))
    monkeypatch.setenv(remembered.VARIABLE, "~nobody/x")
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        app.theme = "nord"
        await pilot.pause()
        assert not notices(app)


# -- keys and colours --------------------------------------------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "xdg-config" / "ethosu-tui"
    for kind in ("keymaps", "themes"):
        (folder / kind).mkdir(parents=True)
    return folder


async def test_a_keymap_file_changes_keys_and_what_the_screen_says_of_them(make_app: MakeApp, settings: Path) -> None:
    (settings / "keymaps" / "default.toml").write_text('[keys]\n"home.compile" = "f2"\n"rows.down" = ["n", "down"]\n')
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        assert "f2 Compile" in str(app.screen.query_one("KeyBar").render())
        await pilot.press("c")
        await pilot.pause()
        assert type(app.screen).__name__ == "HomeScreen"
        await until(pilot, lambda: bool(app.screen.query_one("#samples", DataTable).table.rows))
        app.screen.query_one("#samples").focus()
        await pilot.press("n", "n")
        assert app.screen.query_one("#samples", DataTable).row == 2
        await pilot.press("f2")
        await on_screen(pilot, "CompileScreen")
        assert not notices(app) or all("keymap" not in note for note in notices(app))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[keys\n", "is not TOML"),
        ("[keys]\nhome.compile = 'f2'\n", 'write "home.compile" in quotes'),
        ('[keys]\n"home.nothing" = "f2"\n"home.compile" = "o"\n', "home.nothing, which nothing has"),
        ('[keys]\n"home.compile" = "o"\n', "gives o to home.compile, and home.open has it too"),
    ],
)
async def test_what_is_wrong_with_a_keymap_is_said_and_the_app_goes(
    make_app: MakeApp, settings: Path, text: str, said: str
) -> None:
    (settings / "keymaps" / "default.toml").write_text(text)
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: any(said in note for note in notices(app)))
        assert sum(said in note for note in notices(app)) == 1


async def test_keymaps_are_chosen_from_the_palette_and_remembered(make_app: MakeApp, settings: Path) -> None:
    (settings / "keymaps" / "mine.toml").write_text('[keys]\n"home.doctor" = "D"\n')
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        app.action_keymap()
        await on_screen(pilot, "AskScreen")
        await pilot.press(*"mine", "enter")
        await on_screen(pilot, "HomeScreen")
        await pilot.press("D")
        await on_screen(pilot, "DoctorScreen")
        await pilot.press("escape")
    app = make_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await pilot.press("D")
        await on_screen(pilot, "DoctorScreen")


async def test_a_theme_file_is_a_theme_and_a_wrong_one_is_left_out(make_app: MakeApp, settings: Path) -> None:
    (settings / "themes" / "lab.toml").write_text('primary = "#3388ff"\nbackground = "#101010"\ndark = true\n')
    (settings / "themes" / "wrong.toml").write_text('primary = "blurple"\n')
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: any("'blurple' is not a colour" in note for note in notices(app)))
        app.theme = "lab"
        await pilot.pause()
        assert "wrong" not in app.available_themes
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        assert app.theme == "lab" and app.current_theme.primary == "#3388ff"
        (settings / "themes" / "lab.toml").unlink()
        await pilot.press("q")
    app = make_app()
    async with app.run_test() as pilot:
        await on_screen(pilot, "HomeScreen")
        assert app.theme != "lab"


def test_what_is_a_key() -> None:
    assert all(
        is_key(key) for key in ("a", "G", "f5", "ctrl+r", "ctrl+shift+up", "space", "slash", "/", "enter", "pageup")
    )
    assert not any(is_key(key) for key in ("", "aa", "ctrl+", "hold+x", "a,b", "f99", "ctrl + r"))
    assert read_keys({"other": {}})[1] == ["[other] is ignored: keys belong in [keys]"]
    assert read_keys({"keys": {"a.b": ["x", 3]}})[1] == ["a.b = 3 is not a key: write it like f5, ctrl+r or x"]


def test_config_says_where_all_that_is(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (settings / "keymaps" / "broken.toml").write_text("[")
    assert main(["config", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)["settings"]}
    assert found["dashboard state"]["value"].endswith(".json") and found["dashboard state"]["origin"] == "default"
    assert found["dashboard keymaps"]["value"] == str(settings / "keymaps")
    assert "broken.toml is not TOML" in found["dashboard keymaps"]["problem"]
    monkeypatch.setenv(remembered.VARIABLE, "/elsewhere")
    main(["config"])
    assert "/elsewhere/" in capsys.readouterr().out
    assert main(["config", "keys", "--json"]) == 0
    names = [one["name"] for one in json.loads(capsys.readouterr().out)["keys"]]
    assert {"home.compile", "page.filter", "rows.down", "data-table.sort", "app.quit"} <= set(names)
