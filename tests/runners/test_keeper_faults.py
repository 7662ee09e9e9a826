"""Fault trials: whatever is killed, and whenever, no byte that was read is lost, no state is wrong, nothing stays behind.

A few in the suite; `ETHOSU_TUI_LONG=1` for more.  The counts are printed (`pytest -s`).
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import pytest

from ethosu_tui.analysis import Line
from ethosu_tui.runners.job import Exit, JobError
from ethosu_tui.runners.keeping.start import start
from ethosu_tui.runners.keeping.viewer import Viewer
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, list_runs

from . import standin_fvp
from .keepers import child_of, only_run, wait_for, wait_gone, wait_over

TRIALS = 240 if os.environ.get("ETHOSU_TUI_LONG") else 6
LONGEST_SECONDS = 1.2
"""Until the kill: a run takes less than that, so that some of them are over."""
U55 = "FVP_Corstone_SSE-300_Ethos-U55"
LOG = b"".join(b"I [executorch:arm_executor_runner.cpp:70 x()] line %06d of many\n" % n for n in range(3000))
VIEWER = """
import sys
from pathlib import Path
from ethosu_tui.analysis import Line
from ethosu_tui.runners.keeping.viewer import Viewer
for event in Viewer(Path(sys.argv[1])).events():
    if isinstance(event, Line): print(event.text, flush=True)
"""


@pytest.fixture
def request_(tmp_path: Path) -> RunRequest:
    exe = standin_fvp.write(tmp_path / "fvp", U55, LOG + b"\x04\n", line_seconds=0.0003)
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    return RunRequest("fvp", str(elf), "ethos-u55-128", fvp=str(exe), slots=64)


def test_killed_at_any_moment(request_: RunRequest, tmp_path: Path) -> None:
    rng = random.Random(5)
    counts: Counter[str] = Counter()
    for trial in range(TRIALS):
        victim = ("keeper", "child", "viewer")[trial % 3]
        counts[_trial(request_, tmp_path / "runs" / str(trial), victim, rng.random() * LONGEST_SECONDS)] += 1
    print(f"\n{TRIALS} trials: " + ", ".join(f"{many} x {what}" for what, many in sorted(counts.items())))
    assert sum(counts.values()) == TRIALS
    assert any(what.startswith("keeper killed: lost") for what in counts), counts


def _trial(request: RunRequest, root: Path, victim: str, after_seconds: float) -> str:
    folder = launch(request, root).folder
    assert folder is not None
    keeper = RunFolder.open(folder.path).manifest["pid"]
    watching = subprocess.Popen([sys.executable, "-c", VIEWER, str(folder.path)], stdout=subprocess.PIPE)
    if victim == "child":
        wait_for(lambda: RunFolder.open(folder.path).manifest.get("child_pid") or wait_is_over(folder))
    time.sleep(after_seconds)
    child = RunFolder.open(folder.path).manifest.get("child_pid")
    doomed = {"keeper": keeper, "viewer": watching.pid, "child": child}[victim]
    before = RunFolder.open(folder.path)
    seen = before.console_path.read_bytes() if before.console_path.exists() else b""
    killed = doomed is not None and _kill(doomed)
    shown, _ = watching.communicate(timeout=120)
    over = wait_over(root)
    child = over.manifest.get("child_pid") or child
    for pid in (keeper, child):
        if isinstance(pid, int):
            wait_gone(pid)
    kept = over.console_path.read_bytes() if over.console_path.exists() else b""
    whole = kept.partition(b"\n")[2]  # behind the simulator's own first line
    assert kept.startswith(seen), "bytes that were on disk have gone"
    assert LOG.startswith(whole[: len(LOG)]), "bytes were lost or invented"
    *lines, _ = shown.split(b"\n")
    assert kept.replace(b"\x04", b"").startswith(b"\n".join(lines)), "what was shown was not on disk"
    json.loads((over.path / "manifest.json").read_bytes())
    complete = whole.startswith(LOG)
    _check_state(over, victim, killed, complete)
    if over.state != "lost":
        json.loads(over.report_path.read_bytes())
    assert [event for event in Viewer(over.path).events() if isinstance(event, Exit)], "it can be looked at later"
    return f"{victim} {'killed' if killed else 'gone before'}: {over.state}"


def wait_is_over(folder: RunFolder) -> bool:
    return RunFolder.open(folder.path).state not in ("queued", "running")


def _check_state(over: RunFolder, victim: str, killed: bool, complete: bool) -> None:
    if victim == "keeper" and killed:
        assert over.state in ("lost", "finished"), over.state
        if over.state == "finished":
            assert complete, "a run that is said to be over was read to its end"
    else:
        assert over.state == "finished", over.state
        reason, code = over.manifest["reason"], over.manifest["exit_code"]
        assert reason == "ended"
        assert (complete and code == 0) or (victim == "child" and code == -signal.SIGKILL), (complete, code)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def test_a_file_that_may_not_grow_ends_the_run_with_one_sentence(request_: RunRequest, tmp_path: Path) -> None:
    """A stand-in for a full disk that needs no right to mount one."""
    body = """
        import resource, signal, sys
        from pathlib import Path
        from ethosu_tui.runners.launch import launch
        from ethosu_tui.runners.run_request import RunRequest
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        launch(RunRequest("fvp", sys.argv[2], "ethos-u55-128", fvp=sys.argv[3]), Path(sys.argv[1]))
    """
    root = tmp_path / "runs"
    argv = [str(root), str(request_.artefact), str(request_.fvp)]
    subprocess.run([sys.executable, "-c", textwrap.dedent(body), *argv], check=True, timeout=60)
    over = wait_over(root)
    assert over.state == "stopped" and over.console_path.stat().st_size == 65536
    with pytest.raises(JobError, match="may not grow") as caught:
        list(Viewer(over.path).events())
    assert "ulimit" in caught.value.hint and resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 65536
    wait_gone(child_of(over))


def test_a_full_disk_keeps_what_came_before_and_says_so(request_: RunRequest, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        launch(request_, disk)
        over = wait_over(disk)
        assert over.state == "stopped" and "disk is full" in over.manifest["text"]
        kept = over.console_path.read_bytes().partition(b"\n")[2]
        assert len(kept) > 50_000 and LOG.startswith(kept)
        with pytest.raises(JobError, match="disk is full"):
            list(Viewer(over.path).events())
        wait_gone(over.manifest["pid"])
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_folder_that_cannot_be_written_to_never_starts(request_: RunRequest, tmp_path: Path) -> None:
    with pytest.raises(JobError, match="cannot write") as caught:
        launch(request_, Path("/proc/nowhere"))
    assert "ETHOSU_TUI_WORKSPACE" in caught.value.hint
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        folder = RunFolder.create(disk, "run", "x", keeper="starting")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with pytest.raises(JobError, match="cannot write"):
            start(request_, folder)
        assert only_run(disk).state == "running", "its process is this one"
        assert list_runs(disk)[0].manifest["pid"] == os.getpid()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_clock_that_jumps_changes_no_duration(
    request_: RunRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    jumps = iter([86400.0 * 365, -86400.0 * 365, 0.0] * 100_000)
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    from ethosu_tui.runners.process import ProcessJob
    from ethosu_tui.runners.session import Session

    child = "import os, time\nfor n in range(20): os.write(1, b'%d\\n' % n); time.sleep(0.02)"
    folder = RunFolder.create(tmp_path / "runs", "run", "x")
    events = list(Session(ProcessJob([sys.executable, "-c", child]), folder, "x").events())
    assert sum(isinstance(event, Line) for event in events) == 20
    times = [json.loads(line) for line in folder.times_path.read_text().splitlines()]
    assert times == sorted(times) and times[-1][0] < 60
    assert 0.3 < RunFolder.open(folder.path).manifest["seconds"] < 60
    folder.update(created="2031-01-01T00:00:00+00:00", state="running")
    assert RunFolder.open(folder.path).state == "running", "a process is known by its start, not by a clock"
    assert process_started(os.getpid()) == folder.manifest["pid_started"]
