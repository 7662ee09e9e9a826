"""What somebody else put into a run folder harms nobody who looks at it, stops it or gives it away."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.job import InputError, UsageError
from ethosu_tui.runners.keeping.stopping import ask_to_stop
from ethosu_tui.runners.keeping.viewer import Viewer
from ethosu_tui.runners.kinds import plan
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.replay import ReplayJob
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.event_log import EVENTS, read_events
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.session import Session
from ethosu_tui.tui.cli import main

from .keepers import child_of, end_all, wait_for, wait_gone, wait_said

SECRET = '{"auth": "hunter2"}\n'


@pytest.fixture
def stored(samples: Path) -> RunFolder:
    folder = RunFolder.create(runs_root(), "run", "softmax")
    list(Session(ReplayJob(samples / "softmax.log"), folder, str(folder.path)).events())
    return folder


@pytest.fixture
def keepers() -> Iterator[None]:
    yield
    end_all(runs_root())


def _replace(folder: RunFolder, name: str) -> Path:
    path = folder.path / name
    path.unlink(missing_ok=True)
    return path


def test_a_bundle_holds_no_file_from_elsewhere(stored: RunFolder, tmp_path: Path) -> None:
    outside = tmp_path / "secret.json"
    outside.write_text(SECRET)
    for name in ("console.log", "console.times", "report.json"):
        _replace(stored, name).symlink_to(outside)
    (stored.path / "etdump.etdp").symlink_to(outside)
    target = tmp_path / "x.zip"
    assert main(["runs", "bundle", stored.id, "-o", str(target)]) == 0
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == [f"{stored.id}/manifest.json"]
        assert b"hunter2" not in b"".join(map(archive.read, archive.namelist()))


def test_what_was_not_bundled_is_named_without_its_escapes(
    stored: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (stored.path / "a\x1b[31m\nb").touch()
    _replace(stored, "console.times").symlink_to("/etc/hostname")
    assert main(["runs", "bundle", stored.id, "-o", str(tmp_path / "x.zip")]) == 0
    shown = capsys.readouterr().err
    assert "console.times" in shown and "\x1b" not in shown


@pytest.mark.parametrize("created", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_a_date_that_no_zip_can_hold_is_no_obstacle(stored: RunFolder, tmp_path: Path, created: str) -> None:
    stored.update(created=created)
    assert main(["runs", "bundle", stored.id, "-o", str(tmp_path / "x.zip")]) == 0
    assert main(["runs", "show", stored.id]) == 0


@pytest.mark.parametrize("seconds", [10**400, -(10**400), 1e308])
def test_an_impossible_duration_is_no_duration(
    stored: RunFolder, seconds: float, capsys: pytest.CaptureFixture[str]
) -> None:
    stored.update(seconds=seconds)
    assert main(["runs", "attach", stored.id, "-q"]) == 0
    assert "passed after 0.0 s" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["console.log", "progress.jsonl"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_viewer_opens_only_files(stored: RunFolder, name: str, kind: str) -> None:
    path = _replace(stored, name)
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match=f"{name} cannot be read .it is no file"):
        list(Viewer(stored.path).events())


def test_pipes_and_devices_instead_of_side_files_hold_nobody_up(
    stored: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(_replace(stored, "console.times"))
    os.mkfifo(stored.path / EVENTS)
    _replace(stored, "report.json").symlink_to("/dev/zero")
    assert main(["runs", "show", stored.id, "--timestamps"]) == 0
    assert "Program complete" in capsys.readouterr().out
    assert main(["runs", "show", stored.id, "--json"]) == 0
    assert '"report": null' in capsys.readouterr().out
    stored.update(state="running", pid=1 << 30)
    assert main(["runs", "attach", stored.id, "-q"]) == 5, capsys.readouterr().err  # lost, after a run that had passed
    heard = capsys.readouterr().err
    assert "lost (" in heard and "after 0.0 s" in heard
    os.mkfifo(_replace(stored, "console.log"))
    assert main(["runs", "show", stored.id, "--timestamps"]) == 3


@pytest.mark.parametrize(
    "row",
    ["[1e999, 0]", "[" * 100_000, "[1" + "0" * 400 + ", 0]", '["x", {}]', "[NaN, 5]"],
    ids=["infinite", "deep", "long", "words", "no number"],
)
def test_times_that_are_none_are_not_shown(stored: RunFolder, row: str, capsys: pytest.CaptureFixture[str]) -> None:
    stored.times_path.write_text(row + "\n")
    (stored.path / EVENTS).write_text(f'{row}\n{{"time": "9999-12-31T23:59:59-23:59", "at": -1e9}}\n')
    assert len(read_events(stored.path / EVENTS)) == 1
    assert main(["runs", "show", stored.id, "--timestamps"]) == 0
    assert "Program complete" in capsys.readouterr().out
    stored.update(state="running", pid=1 << 30)
    assert main(["runs", "attach", stored.id, "-q"]) == 5
    heard = capsys.readouterr().err
    assert "lost (" in heard and "after 0.0 s" in heard


def test_a_stop_signals_no_process_but_the_keeper_of_that_folder(keepers: None) -> None:
    """Anybody can write the number and start of any process of ours into a manifest."""
    other = launch(RunRequest("command", argv=("sh", "-c", "echo begun; sleep 1000")), runs_root()).folder
    assert other is not None
    wait_said(other, "begun")
    other = RunFolder.open(other.path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        for pid in (bystander.pid, other.manifest["pid"]):
            forged = RunFolder.create(runs_root(), "run", "forged")
            forged.update(pid=pid, pid_started=process_started(pid), keeper="ready")
            ask_to_stop(forged)
            assert (forged.path / "stop").exists() and forged.state == "running"
        assert bystander.stdin is not None
        bystander.stdin.write(b"\n")
        bystander.stdin.close()
        assert bystander.wait() == 0, "it ended by itself"
    assert RunFolder.open(other.path).state == "running"
    ask_to_stop(other)
    assert wait_for(lambda: RunFolder.open(other.path).state == "stopped")


def test_a_run_whose_folder_was_deleted_ends_as_nobody_could_find_it(keepers: None) -> None:
    folder = launch(RunRequest("command", argv=("sh", "-c", "echo begun; sleep 1000")), runs_root()).folder
    assert folder is not None
    wait_said(folder, "begun")
    child, keeper = child_of(folder), RunFolder.open(folder.path).manifest["pid"]
    shutil.rmtree(folder.path)
    wait_gone(child)
    wait_gone(keeper)
    assert not folder.path.exists()


def test_a_run_whose_folder_was_moved_goes_on_and_can_be_stopped(keepers: None, tmp_path: Path) -> None:
    folder = launch(
        RunRequest("command", argv=("sh", "-c", "echo begun; sleep 1; echo later; sleep 1000")), runs_root()
    )
    assert folder.folder is not None
    wait_said(folder.folder, "begun")
    moved = folder.folder.path.rename(runs_root() / "moved")
    wait_said(RunFolder.open(moved), "later")
    keeper = RunFolder.open(moved).manifest["pid"]
    ask_to_stop(RunFolder.open(moved))
    wait_gone(keeper)


@pytest.mark.parametrize(
    ("request_", "option"),
    [
        (RunRequest("command", argv=("true",), baud=9600), "--baud"),
        (RunRequest("command", argv=("true",), fast=True), "--fast"),
        (RunRequest("command", argv=("true",), fetch=("x",)), "--fetch"),
        (RunRequest("host", "x.pte", argv=("a",)), "a command behind --"),
        (RunRequest("host", "x.pte", elf="x"), "--elf"),
        (RunRequest("fvp", "x.elf", iterations=3), "--iterations"),
        (RunRequest("fvp", "x.elf", cwd="/"), "--cwd"),
        (RunRequest("serial:/dev/x", pty=True), "--pty"),
        (RunRequest("serial:/dev/x", argv=("a",)), "a command behind --"),
        (RunRequest("replay:x.log", python="python3"), "--python"),
        (RunRequest("ssh:x", argv=("true",), inputs=("a",)), "--input"),
    ],
)
def test_an_option_that_nobody_looks_at_is_refused(request_: RunRequest, option: str) -> None:
    with pytest.raises(UsageError) as refused:
        plan(request_)
    assert refused.value.message.startswith(f"{option} is for --on ")


def test_a_target_may_take_over_what_its_kind_does_not_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ethosu-tui.toml").write_text(
        '[targets.there]\nkind = "fvp"\nfast = true\n[targets.here]\nbase = "there"\nkind = "command"\nargv = ["true"]\n'
    )
    resolved = plan(RunRequest("here")).request
    assert resolved is not None and plan(resolved).request == resolved, "as the keeper plans it"
    with pytest.raises(UsageError, match="--semihosting is for"):
        plan(RunRequest("here", semihosting=True))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_exit_code_is_that_of_the_run_although_nobody_reads(stream: str, keepers: None) -> None:
    read, write = os.pipe()
    os.close(read)
    body = "import sys; from ethosu_tui.tui.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["run", "--on", "command", "--", "sh", "-c", "echo one; echo two; kill -9 $$"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: write}
    try:
        done = subprocess.run([sys.executable, "-c", body, *words], timeout=60, **streams)  # type: ignore[call-overload]
    finally:
        os.close(write)
    assert done.returncode == 5, signal.Signals(-done.returncode) if done.returncode < 0 else ""
