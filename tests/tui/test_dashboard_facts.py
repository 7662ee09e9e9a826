"""What the dashboard says of stored and running work, and how it is found out, without a screen."""

from __future__ import annotations

import fcntl
import json
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ethosu_tui.analysis.comparing.trend import Trend, change_text, levels, trends
from ethosu_tui.runners.keeping.locks import Lock
from ethosu_tui.runners.keeping.seen_locks import holders_seen, locked_inodes
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.going import Watch, stage_of, usual
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.dashboard import now_going
from ethosu_tui.tui.looking import Looking
from ethosu_tui.tui.stored import stored_runs

from .test_dashboard import NOW, run


def test_a_trend_holds_only_like_against_like(tmp_path: Path) -> None:
    run(tmp_path, 100)
    run(tmp_path, 110)
    run(tmp_path, 500, inferences=5)
    run(tmp_path, 7, model="other")
    run(tmp_path, 7, on="serial:/dev/x")
    run(tmp_path, 90, series={"index": 1, "warm_ups": 1, "repeats": 2, "warm_up": True})
    run(tmp_path, 1, argv=["FVP", "-C", "ethosu.extra_args=--fast"])
    run(tmp_path, None)
    run(tmp_path, 99)
    rows = {row.id: row for row in listed(tmp_path)}
    newest_first = [rows[name] for name in sorted(rows, key=lambda name: rows[name].created, reverse=True)]
    shown = stored_runs(newest_first, NOW).table
    place = [column.name for column in shown.columns].index("Trend")
    cycles = [column.name for column in shown.columns].index("Cycles")
    told = [(row[cycles].text, row[place].text.strip()) for row in shown.rows]
    assert told[0][0] == "99" and told[0][1].endswith("-10 %") and len(told[0][1].split()[0]) == 3
    assert told[1:] == [
        ("-", "-"), ("1", "-"), ("90", "-"), ("7", "first"), ("7", "first"), ("500", "first"), told[7], ("100", "first")
    ]  # fmt: skip
    assert told[7][0] == "110" and told[7][1].endswith("+10 %")


def test_estimates_are_marked_and_compiles_follow_their_own_settings(tmp_path: Path) -> None:
    for cycles, command in (
        (50, "compile m --target t"),
        (40, "compile m --target t -o out.pte"),
        (9, "compile m -o x"),
    ):
        folder = RunFolder.create(tmp_path, "compile", "m t", target="t", model="m", command=f"ethosu-tui {command}")
        folder.write_json("result.json", {"summary": {"npu_cycles": cycles}})
        folder.finish("ok")
    rows = stored_runs(listed(tmp_path), NOW).table.rows
    assert [row[4].text for row in rows] == ["~9", "~40", "~50"]
    assert rows[0][6].text == "first" and rows[1][6].text.endswith("-20 %") and rows[2][6].text == "first"
    assert rows[1][1].text == "m"


def test_the_command_line_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path))
    run(tmp_path, 100)
    run(tmp_path, 90)
    assert main(["runs", "--json"]) == 0
    newest, oldest = json.loads(capsys.readouterr().out)["runs"]
    assert (newest["npu_cycles"], newest["npu_share_percent"], newest["trend"]) == (90, 87.5, [100, 90])
    assert oldest["trend"] == [100]


def test_noise_is_not_drawn_as_news() -> None:
    assert levels([100, 100.1, 99.9], 7) == [3, 3, 3] and levels([5, 5], 7) == [3, 3]
    assert levels([10, 20, 30], 7) == [0, 3, 6] and levels([], 7) == [] and levels([0, 0], 7) == [3, 3]
    assert [change_text(x) for x in (None, 0, 0.01, -3.04, 12.3, -99, 4000)] == [
        "", "=", "+0.0 %", "-3.0 %", "+12 %", "-99 %", "41x"
    ]  # fmt: skip
    assert trends([("a", 2.0), ("", 1.0), ("a", None), ("a", 1.0)]) == [Trend((1.0, 2.0)), None, None, Trend((1.0,))]
    assert Trend((0.0, 5.0)).change_percent is None and Trend((3.0,)).change_percent is None


def test_how_far_a_run_is_comes_from_its_console_and_the_time_left_from_the_same_files(
    tmp_path: Path, samples: Path
) -> None:
    run(tmp_path, 1)
    folder = RunFolder.create(
        tmp_path, "run", "net on ethos-u55-128", on="fvp", model="net", target="ethos-u55-128", keeper="ready",
        hashes={"/y/net.pte": "1"},
    )  # fmt: skip
    folder.update(slot={"number": 0, "taken_at": NOW - 30})
    watch = Watch(tmp_path)
    (one,) = watch.look().going
    assert one.stage is None and one.usual == (90.0, 1) and one.since == NOW - 30
    (folder.path / "progress.jsonl").write_text('{"stage": "flash", "done": 1, "total": 4}\n')
    (one,) = watch.look().going
    assert (one.stage, one.done, one.total) == ("flash", 1, 4)
    log = (samples / "mnist_q.log").read_bytes().splitlines(keepends=True)
    cut = next(i for i, line in enumerate(log) if b"Starting running" in line) + 1
    folder.console_path.write_bytes(b"".join(log[:cut]))
    (one,) = watch.look().going
    assert one.stage == "execute"
    row = now_going((), (one,), NOW).table.rows[0]
    assert row[2].text.endswith("execute") and row[3].text == "30 s, about 1 min 00 s left"
    assert now_going((), (one,), NOW + 200).table.rows[0][3].text == "3 min 50 s, usually 1 min 30 s"
    folder.console_path.write_bytes(b"".join(log[:cut]) + b"x" * 79 + b"\n" * 200_000)
    assert stage_of(folder.console_path) == "execute"
    other = RunFolder.create(tmp_path, "run", "new", on="fvp", model="net", target="ethos-u55-128", hashes={"n": "2"})
    assert next(one for one in watch.look().going if one.path == str(other.path)).usual is None
    assert usual(listed(tmp_path), "") is None


def test_a_look_reads_only_what_has_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, 1)
    going = RunFolder.create(tmp_path, "run", "going", keeper="ready")
    watch = Watch(tmp_path)
    assert watch.look().anew and not watch.look().anew
    opened: list[object] = []
    read = RunFolder.read.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(RunFolder, "read", classmethod(lambda cls, path: opened.append(path) or read(cls, path)))
    assert not watch.look().anew and set(opened) == {going.path}
    listed(tmp_path)  # another's index moves the folder, and nothing else
    assert not watch.look().anew
    going.finish("passed")
    seen = watch.look()
    assert seen.anew and not seen.going and len(seen.rows) == 2
    run(tmp_path, 2)
    assert watch.look().anew


def test_a_lock_is_seen_and_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if locked_inodes() is None:
        pytest.skip("this machine does not list locks")
    monkeypatch.setenv("ETHOSU_TUI_LOCKS", str(tmp_path / "locks"))
    held = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys; from ethosu_tui.runners.keeping.locks import Lock; l = Lock('serial:/dev/x'); "
            "print(l.take('the-run'), flush=True); sys.stdin.read()",
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert held.stdout is not None and held.stdout.readline().strip() == "True"
        locked = locked_inodes()
        assert locked is not None
        (holder,) = holders_seen(Lock("serial:/dev/x"), locked)
        assert holder.run == "the-run" and holders_seen(Lock("serial:/dev/y"), locked) == []
        assert not (tmp_path / "locks" / Lock("serial:/dev/y").paths()[0].name).exists()
    finally:
        held.communicate()
    again = locked_inodes()
    assert again is not None and holders_seen(Lock("serial:/dev/x"), again) == []
    path = Lock("serial:/dev/x").paths()[0]
    with open(path, "r+") as stream:
        stream.truncate(0)
        fcntl.flock(stream, fcntl.LOCK_EX)  # locked by something that does not say who it is
        assert holders_seen(Lock("serial:/dev/x"), locked_inodes() or frozenset()) == []


def test_a_look_that_hangs_holds_nobody_up_and_one_that_fails_is_tried_again() -> None:
    hangs, looked = threading.Event(), threading.Event()
    looking = Looking(lambda: (looked.set(), hangs.wait()), 60.0, lambda: None)  # type: ignore[arg-type]
    looking.begin()
    assert looked.wait(30)
    began = time.process_time()
    looking.pause()
    looking.end()
    assert time.process_time() - began < 1
    hangs.set()


def test_a_simulator_has_no_share_of_time(tmp_path: Path) -> None:
    run(tmp_path, 5, on="simulator")
    (row,) = listed(tmp_path)
    assert (row.npu_cycles, row.npu_share_percent) == (5.0, None)
    assert stored_runs([row], NOW).table.rows[0][5].text == "-"


def test_the_index_of_before_is_made_anew(tmp_path: Path) -> None:
    run(tmp_path, 5)
    with sqlite3.connect(tmp_path / ".index.sqlite") as connection:
        connection.execute("CREATE TABLE runs (name PRIMARY KEY)")
        connection.execute("PRAGMA user_version=1")
    connection.close()
    (row,) = listed(tmp_path)
    assert (row.npu_cycles, row.npu_share_percent) == (5.0, 87.5) and row.series and row.files
    assert listed(tmp_path)[0] == row
