"""A run belongs to its folder: who started it may go, any number may watch, and anybody may stop it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import Line, read_capture
from ethosu_tui.runners.job import Exit, Started, UsageError
from ethosu_tui.runners.keeping.stopping import ask_to_stop
from ethosu_tui.runners.keeping.viewer import Viewer
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import KEEPER_LOG, REQUEST, STOP, RunFolder, list_runs, runs_root
from ethosu_tui.runners.session import Snapshot

from . import standin_fvp
from .keepers import child_of, only_run, wait_for, wait_gone, wait_over, wait_said

U55 = "FVP_Corstone_SSE-300_Ethos-U55"
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]


def _cli(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


class Fvp:
    """A stand-in that plays a sample log, and the request for it."""

    def __init__(self, folder: Path, samples: Path) -> None:
        self._folder, self._samples = folder, samples
        self.elf = standin_fvp.elf(folder / "runner.elf")

    def request(self, log: str = "softmax.log", **behaviour: object) -> RunRequest:
        exe = standin_fvp.write(self._folder / "fvp", U55, (self._samples / log).read_bytes(), **behaviour)
        return RunRequest("fvp", str(self.elf), target="ethos-u55-128", fvp=str(exe))

    def start(self, **behaviour: object) -> RunFolder:
        folder = launch(self.request(**behaviour), runs_root()).folder
        assert folder is not None
        return folder

    def hang(self) -> RunFolder:
        """A run that waits for ever, and does not listen to SIGTERM."""
        folder = self.start(hang_after="Starting running", ignore_term=True)
        wait_said(folder, "Starting running")
        return folder


@pytest.fixture
def fvp(tmp_path: Path, samples: Path) -> Iterator[Fvp]:
    yield Fvp(tmp_path, samples)


def test_detached_it_prints_its_id_and_passes_without_anybody(fvp: Fvp) -> None:
    request = fvp.request(line_seconds=0.02)
    words = ("run", request.artefact, "--on", "fvp", "--target", request.target, "--fvp", request.fvp, "--detach")
    done = _cli(*words)
    assert done.returncode == 0 and "runs attach" in done.stderr
    folder = only_run(runs_root())
    assert done.stdout == f"{folder.id}\n" and os.getsid(folder.manifest["pid"]) == folder.manifest["pid"]
    folder = wait_over(runs_root())
    assert (folder.state, folder.status, folder.manifest["reason"]) == ("finished", "passed", "ended")
    wait_gone(folder.manifest["pid"])
    assert not (folder.path / KEEPER_LOG).exists() and (folder.path / REQUEST).is_file()
    done = _cli(*words, "--json")
    (run,) = json.loads(done.stdout)["runs"]
    assert run["state"] == "running" and run["id"] != folder.id
    assert _cli("runs", "attach", "latest", "-q").returncode == 0
    assert _cli("run", "--on", "replay:x.log", "--detach").returncode == 2


def test_viewers_see_the_same_live_and_later(fvp: Fvp) -> None:
    folder = fvp.start(line_seconds=0.03)
    wait_said(folder, "Running method")
    late = subprocess.Popen(
        [*COMMAND, "runs", "attach", folder.id, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    viewer = Viewer(folder.path)
    events = list(viewer.events())
    assert isinstance(events[0], Started) and events[0].argv[0].endswith(U55)
    assert isinstance(events[-1], Exit) and events[-1].reason == "ended" and events[-1].seconds > 0.5
    assert isinstance(events[-2], Snapshot) and events[-2].capture == viewer.capture
    out, err = late.communicate(timeout=60)
    kept = read_capture(str(folder.path), folder.console_path.read_bytes())
    assert [event.text for event in events if isinstance(event, Line)] == err.splitlines()[1:-1]
    assert viewer.capture.runs == kept.runs and json.loads(out) == json.loads(folder.report_path.read_text())
    again = _cli("runs", "attach", folder.id)
    assert again.returncode == 0 and "Program complete, exiting." in again.stderr and "passed" in again.stdout


def test_leaving_a_viewer_by_ctrl_c_does_not_stop_the_run(fvp: Fvp) -> None:
    folder = fvp.hang()
    viewer = subprocess.Popen([*COMMAND, "runs", "attach", folder.id], stderr=subprocess.PIPE, text=True)
    assert viewer.stderr is not None
    while "Starting running" not in (line := viewer.stderr.readline()):
        assert line
    viewer.send_signal(signal.SIGINT)
    _, err = viewer.communicate(timeout=60)
    assert viewer.returncode == 130 and f"runs stop {folder.id}" in err
    assert only_run(runs_root()).state == "running"
    child = child_of(folder)
    stopped = _cli("runs", "stop", folder.id, "--json")
    assert stopped.returncode == 0 and json.loads(stopped.stdout)["runs"][0]["state"] == "stopped"
    assert process_started(child) is None
    folder = only_run(runs_root())
    assert (folder.state, folder.status, folder.manifest["reason"]) == ("stopped", "truncated", "stopped")
    again = _cli("runs", "stop", folder.id)
    assert again.returncode == 0 and "over already" in again.stderr
    unknown = _cli("runs", "stop", "nothing")
    assert unknown.returncode == 3 and "no stored run has the id nothing" in unknown.stderr


def test_the_file_alone_stops_it(fvp: Fvp) -> None:
    """As when the keeper belongs to another user, or runs on another machine with the same home."""
    folder = fvp.hang()
    (folder.path / STOP).touch()
    assert wait_over(runs_root()).state == "stopped"


def test_a_stop_before_anything_was_started_is_a_stop(fvp: Fvp) -> None:
    for _ in range(3):
        ask_to_stop(fvp.start(hang_after="Starting running"))
    wait_for(lambda: {folder.state for folder in list_runs(runs_root())} == {"stopped"})
    for folder in list_runs(runs_root()):
        assert folder.manifest["reason"] == "stopped" and folder.status in ("not_started", "truncated")
        end = list(Viewer(folder.path).events())[-1]
        assert isinstance(end, Exit) and end.reason == "stopped"


def test_after_kill_9_of_the_keeper_the_run_is_lost_and_the_child_is_gone(fvp: Fvp) -> None:
    folder = fvp.hang()
    child = child_of(folder)
    assert "is running" in _cli("runs", "rm", folder.id).stderr
    os.kill(RunFolder.open(folder.path).manifest["pid"], signal.SIGKILL)
    lost = wait_over(runs_root())
    wait_gone(child)
    assert lost.state == "lost"
    done = _cli("runs", "stop", folder.id)
    assert done.returncode == 0 and "is lost" in done.stderr
    done = _cli("runs", "attach", folder.id)
    assert done.returncode == 5 and "lost (its process is gone" in done.stderr
    assert _cli("runs", "rm", folder.id).returncode == 0


def test_a_reused_process_id_is_never_signalled_and_a_reboot_loses_the_run(tmp_path: Path) -> None:
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        facts = {"keeper": "ready", "pid": bystander.pid}
        folder = RunFolder.create(tmp_path / "runs", "run", "x", **{**facts, "pid_started": "1"})
        ask_to_stop(folder)
        assert folder.state == "lost" and not (folder.path / STOP).exists()
        folder.update(pid_started=process_started(bystander.pid), boot="another boot")
        assert folder.state == "lost", "the machine was started again"
        ask_to_stop(folder)
        folder.update(host="another machine")
        assert folder.state == "running", "as far as we can see from here"
        ask_to_stop(folder)
        assert (folder.path / STOP).exists() and bystander.poll() is None
        for name in ("manifest.json", "console.log"):
            (folder.path / name).touch()
            os.utime(folder.path / name, (1e9, 1e9))
        assert folder.state == "lost", "its keeper would have touched the manifest"
    finally:
        bystander.kill()
        bystander.wait()


def test_a_run_without_a_keeper_is_stopped_where_it_was_started(tmp_path: Path) -> None:
    folder = RunFolder.create(runs_root(), "compile", "x")
    with pytest.raises(UsageError, match="the command that started it"):
        ask_to_stop(folder)
    assert _cli("runs", "attach", folder.id).returncode == 2


def test_who_asks_and_dies_before_the_keeper_was_named_leaves_a_lost_run(fvp: Fvp) -> None:
    body = """
        import os, signal, sys
        from pathlib import Path
        from ethosu_tui.runners.runs.folder import RunFolder
        from ethosu_tui.runners.keeping import start
        from ethosu_tui.runners.run_request import RunRequest
        folder = RunFolder.create(Path(sys.argv[1]), "run", "x", keeper="starting")
        def die(path, log):
            process = spawn(path, log)
            print(process.pid, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        spawn, start._spawn = start._spawn, die
        start.start(RunRequest("fvp", sys.argv[2]), folder)
    """
    root = runs_root()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(body), str(root), str(fvp.elf)], capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGKILL
    assert only_run(root).state == "lost"
    wait_gone(int(done.stdout))
    folder = only_run(root)
    assert folder.state == "lost" and folder.manifest["keeper"] == "starting" and not folder.console_path.exists()


def test_what_goes_wrong_in_the_keeper_is_told_by_its_viewer(fvp: Fvp) -> None:
    request = fvp.request()
    folder = RunFolder.create(runs_root(), "run", "x", keeper="starting")
    fvp.elf.unlink()
    from ethosu_tui.runners.keeping.start import start

    start(request, folder)
    done = _cli("runs", "attach", folder.id)
    assert done.returncode == 3 and "runner.elf" in done.stderr and "Traceback" not in done.stderr
    folder = only_run(runs_root())
    assert (folder.state, folder.status) == ("finished", "not_started")


def test_a_damaged_request_is_one_sentence(fvp: Fvp) -> None:
    for text in (b"", b"[]", b'{"request": {"on": "fvp", "moon": 1, "place": {}}, "cwd": null}', b'{"request": 1}'):
        folder = RunFolder.create(runs_root(), "run", "x", keeper="starting")
        (folder.path / REQUEST).write_bytes(text)
        from ethosu_tui.runners.own_python import own_python

        keeper = subprocess.run(
            own_python(".runners.keeping.keeper", str(folder.path)), input=b"go\n", capture_output=True, timeout=60
        )
        assert keeper.returncode == 0 and keeper.stderr == b""
        folder = RunFolder.open(folder.path)
        assert (
            folder.status == "not_started"
            and "cannot be read" in folder.manifest["text"]
            or "stored request" in (folder.manifest["text"])
        )
