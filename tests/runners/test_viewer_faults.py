"""Those who watch a run: several at once, one that stands still, clocks that are set back, and disks that take nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.runs.going import Watch
from ethosu_tui.runners.runs.index import listed
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.dashboard import time_text

from .keepers import only_run, wait_for, wait_gone, wait_over, wait_said

COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]


def _attach(folder: RunFolder, log: Path) -> subprocess.Popen[bytes]:
    """A viewer of its own process; what it shows goes to the log."""
    with open(log, "wb") as shown:
        return subprocess.Popen([*COMMAND, "runs", "attach", folder.id], stdout=subprocess.DEVNULL, stderr=shown)


def _started(script: str, *words: str) -> RunFolder:
    folder = launch(RunRequest("command", argv=("sh", "-c", script, *words)), runs_root()).folder
    assert folder is not None
    return folder


def test_a_keeper_that_is_killed_under_two_viewers(tmp_path: Path) -> None:
    folder = _started("echo hello; exec sleep 600")
    logs = [tmp_path / "one", tmp_path / "two"]
    viewers = [_attach(folder, log) for log in logs]
    for log in logs:
        wait_for(lambda log=log: b"hello" in log.read_bytes(), "both see it")
    keeper, child = only_run(runs_root()).manifest["pid"], only_run(runs_root()).manifest["child_pid"]
    os.kill(keeper, signal.SIGKILL)
    assert [viewer.wait(60) for viewer in viewers] == [5, 5]
    for log in logs:
        assert b"ethosu-tui: lost (its process is gone" in log.read_bytes()
    wait_gone(child)
    assert only_run(runs_root()).state == "lost" and folder.console_path.read_bytes() == b"hello\n"


def test_a_viewer_that_stands_still_holds_nobody_up(samples: Path, tmp_path: Path) -> None:
    log = samples / "softmax.log"
    go = tmp_path / "go"
    script = 'echo hello; while [ ! -e "$1" ]; do sleep 0.05; done; yes "a line of nothing" | head -n 50000; cat "$0"'
    folder = _started(script, str(log), str(go))
    shown = tmp_path / "shown"
    viewer = _attach(folder, shown)
    wait_for(lambda: b"hello" in shown.read_bytes(), "it sees it")
    os.kill(viewer.pid, signal.SIGSTOP)
    go.write_text("")
    over = wait_over(runs_root())
    assert (over.state, over.status) == ("finished", "passed")
    whole = b"hello\n" + b"a line of nothing\n" * 50_000 + log.read_bytes()
    assert over.console_path.read_bytes() == whole
    os.kill(viewer.pid, signal.SIGCONT)
    assert viewer.wait(60) == 0
    told = shown.read_bytes()
    assert told.count(b"a line of nothing\n") == 50_000 and b"Program complete, exiting." in told


def test_a_clock_that_was_set_back(capsys: pytest.CaptureFixture[str], samples: Path) -> None:
    """What the future says of a run does no harm: it is shown, sorted, kept by age, and lives as long as its process."""
    going = _started("echo hello; exec sleep 600")
    wait_said(going, "hello")
    assert main(["run", "--on", "command", "-q", "--", "cat", str(samples / "softmax.log")]) == 0
    later = datetime.now(timezone.utc) + timedelta(days=400)
    for path in runs_root().glob("*/manifest.json"):
        facts = json.loads(path.read_text())
        path.write_text(json.dumps({**facts, "created": later.isoformat()}))
        os.utime(path, (later.timestamp(), later.timestamp()))
    capsys.readouterr()
    assert main(["runs"]) == 0
    listed = capsys.readouterr().out
    assert listed.count(" in 399 d") == 2 and "running" in listed
    assert main(["runs", "rm", "--older-than", "1h"]) == 0 and len(list(runs_root().glob("*/manifest.json"))) == 2
    assert main(["runs", "stop", going.id]) == 0
    over = RunFolder.open(going.path)
    assert over.state == "stopped" and over.console_path.read_bytes() == b"hello\n"


@pytest.mark.parametrize("jump", [-40 * 365 * 86_400, -5 * 3600, 5 * 3600])
def test_a_clock_that_is_set_during_a_run_makes_it_no_longer_or_shorter(jump: float) -> None:
    going = _started("echo hello; exec sleep 600")
    wait_said(going, "hello")
    facts = json.loads((going.path / "manifest.json").read_text())
    created = datetime.fromisoformat(facts["created"]) + timedelta(seconds=jump)
    slot = {**facts["slot"], "taken_at": facts["slot"]["taken_at"] + jump}
    for changed in ({"created": created.isoformat(), "slot": slot}, {"created": created.isoformat(), "slot": None}):
        (going.path / "manifest.json").write_text(json.dumps({**facts, **changed}))
        (seen,) = Watch(runs_root()).look().going
        assert " h " not in time_text(seen, time.time()), "what the machine was up since, not its clock"
        assert seen.passed is not None and 0 <= seen.passed < 3600
    elsewhere = seen._replace(passed=None)
    assert time_text(elsewhere, created.timestamp() - 60) == "0 s", "and never below nothing"
    assert main(["runs", "stop", going.id]) == 0
    odd = [RunFolder.create(runs_root(), "run", str(seconds)) for seconds in (-5, 1e300, 12.5)]
    for folder in odd:
        folder.finish("passed", seconds=float(folder.label))
    assert sorted(row.seconds or 0 for row in listed(runs_root()) if row.label != going.label) == [0, 0, 12.5]


def test_a_run_of_another_machine_whose_clock_was_ahead_is_not_running_for_ever(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "elsewhere", keeper="ready")
    facts = {**folder.manifest, "host": "another-machine", "boot": "another boot"}
    path = folder.path / "manifest.json"
    path.write_text(json.dumps(facts))
    assert RunFolder.open(folder.path).state == "running"
    ahead = time.time() + 7 * 86400
    os.utime(path, (ahead, ahead))
    assert RunFolder.open(folder.path).state == "lost"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A workspace of its own, which can be made read-only as an export of NFS is."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(disk))
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_read_only_workspace_is_read_and_says_so_where_it_is_to_be_written(
    disk: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = samples / "softmax.log"
    assert main(["run", "--on", "command", "-q", "--", "cat", str(log)]) == 0
    (folder,) = [path for path in disk.iterdir() if (path / "manifest.json").exists()]
    wait_gone(RunFolder.open(folder).manifest["pid"])  # it has files open there
    patience = time.monotonic() + 30
    while subprocess.run(["mount", "-o", "remount,ro", disk], check=time.monotonic() > patience).returncode:
        time.sleep(0.1)  # so have those that it started, for a moment longer
    capsys.readouterr()
    assert main(["runs"]) == 0 and "passed" in capsys.readouterr().out
    assert main(["runs", "show", "latest"]) == 0 and main(["runs", "attach", "latest", "-q"]) == 0
    assert main(["analyze", str(folder), "--json"]) == 0
    for argv in (["run", "--on", "command", "-q", "--", "true"], ["runs", "rm", "latest"]):
        assert main(argv) == 4
        told = capsys.readouterr().err
        assert "Read-only file system" in told and "Traceback" not in told
    assert folder.joinpath("console.log").read_bytes() == log.read_bytes()
