"""The index of the stored runs is never believed over their folders, and nothing that happens to it is an error."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ethosu_tui.runners.runs import index as run_index
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root
from ethosu_tui.runners.runs.index import INDEX, Listed, listed
from ethosu_tui.tui.cli import main


def _run(root: Path, label: str = "x", status: str = "passed", cycles: int | None = None, **facts: object) -> RunFolder:
    folder = RunFolder.create(root, "run", label, **facts)
    if cycles is not None:
        folder.write_json("report.json", {"captures": [{"runs": [{"pmu": {"npu_cycles": cycles}}]}]})
    folder.finish(status, seconds=1.5)
    return folder


def _as_folders_say(root: Path) -> list[tuple[object, ...]]:
    return [(f.id, f.kind, f.state, f.status, f.label, f.problem) for f in list_runs(root)]


def _as_listed(rows: list[Listed]) -> list[tuple[object, ...]]:
    return [(r.id, r.kind, r.state, r.status, r.label, r.problem) for r in rows]


def test_it_says_what_the_folders_say_before_and_after_every_change(tmp_path: Path) -> None:
    assert listed(tmp_path / "none") == []
    first = _run(tmp_path, "first", cycles=123, target="ethos-u55-128")
    going = RunFolder.create(tmp_path, "run", "going", keeper="ready")
    (tmp_path / "broken").mkdir()
    for _ in range(2):
        rows = listed(tmp_path)
        assert _as_listed(rows) == _as_folders_say(tmp_path)
        by_id = {row.id: row for row in rows}
        assert by_id[first.id].npu_cycles == 123.0 and by_id[first.id].target == "ethos-u55-128"
        assert by_id[first.id].seconds == 1.5 and by_id[first.id].path == str(first.path)
        assert by_id[first.id].created == pytest.approx(first.created.timestamp())
        assert by_id[going.id].keeper and by_id[going.id].npu_cycles is None
    going.update(pid=2**30)
    assert {row.id: row.state for row in listed(tmp_path)}[going.id] == "lost"
    going.finish("failed")
    first.update(label="other")
    third = _run(tmp_path, "third")
    third.path.rename(tmp_path / "renamed")
    rows = listed(tmp_path)
    assert _as_listed(rows) == _as_folders_say(tmp_path) and {"renamed", going.id} < {row.id for row in rows}
    first.remove()
    assert _as_listed(listed(tmp_path)) == _as_folders_say(tmp_path)
    with sqlite3.connect(tmp_path / INDEX) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert {name for (name,) in connection.execute("SELECT name FROM runs")} == {row.id for row in rows} - {
            first.id
        }
    connection.close()


def test_what_is_known_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        _run(tmp_path, str(number))
    before = listed(tmp_path)

    def refuse(path: str) -> tuple[object, ...]:
        raise AssertionError(f"{path} was read again")

    monkeypatch.setattr(run_index, "_read", refuse)
    assert listed(tmp_path) == before


def _no_database(index: Path) -> None:
    index.write_bytes(b"no database at all" * 100)


def _cut_off(index: Path) -> None:
    index.write_bytes(index.read_bytes()[:1000])


def _other_version(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("DROP TABLE runs")
        connection.execute("CREATE TABLE runs (something)")
        connection.execute("PRAGMA user_version=99")
    connection.close()


def _other_table(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("DROP TABLE runs")
    connection.close()


def _other_types(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("UPDATE runs SET created = 'yesterday', label = 7, cycles = x'00'")
    connection.close()


def _false_marks(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("UPDATE runs SET mtime = mtime + 1, status = 'failed'")
    connection.close()


def _gone(index: Path) -> None:
    index.unlink()


@pytest.mark.parametrize(
    "damage", [_no_database, _cut_off, _other_version, _other_table, _other_types, _false_marks, _gone]
)
def test_a_damaged_or_foreign_index_is_made_again(damage: Callable[[Path], None], tmp_path: Path) -> None:
    for number in range(3):
        _run(tmp_path, str(number))
    before = listed(tmp_path)
    damage(tmp_path / INDEX)
    assert listed(tmp_path) == before
    assert listed(tmp_path) == before


def test_an_index_that_cannot_be_written_or_is_busy_costs_only_time(tmp_path: Path) -> None:
    _run(tmp_path)
    (tmp_path / INDEX).mkdir()
    assert len(listed(tmp_path)) == 1
    (tmp_path / INDEX).rmdir()
    assert len(listed(tmp_path)) == 1
    busy = sqlite3.connect(tmp_path / INDEX, isolation_level=None)
    busy.execute("BEGIN EXCLUSIVE")
    _run(tmp_path, "second")
    assert len(listed(tmp_path)) == 2
    busy.close()
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        _run(disk)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert [row.status for row in listed(disk)] == ["passed"]
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_old_runs_are_removed_and_what_goes_on_or_is_new_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    root = runs_root()
    names = []
    for number, day in enumerate((1, 2, 3, 4)):
        folder = _run(root, str(number))
        folder.update(created=f"2020-01-0{day}T00:00:00+00:00")
        names.append(folder.id)
    new = _run(root, "new")
    going = RunFolder.create(root, "run", "going")
    going.update(created="2019-01-01T00:00:00+00:00")

    def left() -> set[str]:
        return {row.id for row in listed(root)}

    for wrong in (("--older-than", "soon"), ("--older-than", "-3d"), ("--keep", "-1"), ("--keep", "1", names[0])):
        assert main(["runs", "rm", *wrong]) == 2
    assert main(["runs", "list", "--keep", "1"]) == 2
    assert main(["runs", "rm", "--older-than", "30d", "--keep", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] == [names[1], names[0]]
    assert left() == {names[2], names[3], new.id, going.id}
    assert main(["runs", "rm", "--older-than", "2w"]) == 0 and left() == {new.id, going.id}
    assert main(["runs", "rm", "--keep", "0"]) == 0 and left() == {going.id}
    assert os.path.exists(root / INDEX)
