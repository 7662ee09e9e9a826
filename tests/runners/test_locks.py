"""A port has one user at a time, slots are never more than they are, and a lock goes with its holder."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.job import JobError, UsageError
from ethosu_tui.runners.keeping.claims import check_free, claim_of
from ethosu_tui.runners.keeping.locks import VARIABLE, Lock, lock_folder, user_name
from ethosu_tui.runners.keeping.stopping import ask_to_stop
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root
from ethosu_tui.runners.target import Target

from . import standin_fvp
from .keepers import wait_for, wait_said

U55 = "FVP_Corstone_SSE-300_Ethos-U55"
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]
HOLDER = """
import sys, time
from ethosu_tui.runners.keeping.locks import Lock
assert Lock(sys.argv[1], int(sys.argv[2])).take("their-run")
print("held", flush=True)
time.sleep(600)
"""


def _holder(key: str, slots: int = 1) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, key, str(slots)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_taken_port_is_refused_with_the_name_of_who_has_it_until_that_one_is_killed() -> None:
    request = RunRequest("serial:/dev/null")
    claim = claim_of(request)
    assert claim is not None and claim.slots == 1 and not claim.waits
    holder = _holder(claim.key)
    try:
        with pytest.raises(JobError) as caught:
            check_free(request)
        assert caught.value.exit_code == 4 and caught.value.message.startswith(
            f"/dev/null is taken by {user_name()}, run their-run, since "
        )
        assert "--wait" in caught.value.hint and "runs stop their-run" in caught.value.hint
        check_free(RunRequest("serial:/dev/null", wait=True))
        check_free(RunRequest("serial:/dev/zero"))
    finally:
        _end(holder)
    check_free(request)
    lock = claim.lock()
    assert lock.take("ours") and [holder.run for holder in claim.lock().holders()] == ["ours"]
    lock.release()
    assert claim.lock().holders() == []


def test_a_claim_is_that_of_the_thing_by_whatever_name(tmp_path: Path) -> None:
    link = tmp_path / "my board"
    link.symlink_to("/dev/null")
    board = Target(name="mine", kind="serial", url=str(link))
    keys = {
        claim_of(request).key  # type: ignore[union-attr]
        for request in (
            RunRequest("serial:/dev/null"),
            RunRequest(f"serial:{link}"),
            RunRequest("mine", place=board),
            RunRequest("serial:spy:///dev/null?file=x"),
        )
    }
    assert len(keys) == 1
    assert claim_of(RunRequest("replay:x")) is None
    machine = claim_of(RunRequest("fvp"))
    assert machine is not None and machine.waits and machine.key == claim_of(RunRequest("host")).key  # type: ignore[union-attr]
    assert claim_of(RunRequest("host", slots=7)).slots == 7  # type: ignore[union-attr]
    farm = Target(name="farm", kind="command", slots=3)
    assert claim_of(RunRequest("farm", place=farm)).slots == 3  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="--slots 0"):
        RunRequest("host", slots=0).check_limits()


def test_what_somebody_put_in_the_place_of_a_lock_is_refused_and_untouched(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    assert Lock("x").take("first")
    (place,) = [path for path in lock_folder().iterdir() if path.name.endswith(".0.lock")]
    for put in (
        lambda: place.symlink_to(victim),
        lambda: place.symlink_to(tmp_path / "new"),
        lambda: os.link(victim, place),
        lambda: os.mkfifo(place),
        lambda: place.mkdir(),
    ):
        place.unlink()
        put()
        with pytest.raises(JobError, match="cannot be used") as caught:
            Lock("x").take("second")
        assert VARIABLE in caught.value.hint
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
            place.touch()
    assert victim.read_text() == "mine" and not (tmp_path / "new").exists()
    place.write_bytes(b'{"user": "\x1b[2J", "run": [1], "since": {}}' + b"x" * 5000)
    held = Lock("x")
    assert held.take("\x1b[2J evil")
    place.write_bytes(b"\xff\x00 no json")
    assert [str(holder) for holder in Lock("x").holders()] == ["somebody"]


def test_a_lock_whose_file_was_cleaned_away_is_taken_anew() -> None:
    first = Lock("y")
    assert first.take("a")
    for path in lock_folder().iterdir():
        path.unlink()
    again = Lock("y")
    assert again.take("b") and not Lock("y").take("c")


def test_slots_are_taken_one_by_one_and_a_waiting_one_gets_the_next() -> None:
    holders = [_holder("z", 2), _holder("z", 2)]
    try:
        lock = Lock("z", 2)
        assert not lock.take("x") and len(lock.holders()) == 2
        waits = HOLDER.replace("assert Lock", "Lock").replace(".take(", ".wait(")
        waiting = subprocess.Popen([sys.executable, "-c", waits, "z", "2"], stdout=subprocess.PIPE, text=True)
        assert waiting.stdout is not None
        queue = next(path for path in lock_folder().iterdir() if path.name.endswith("queue.lock"))
        wait_for(lambda: str(queue) in _open_files(waiting.pid))
        assert select.select([waiting.stdout], [], [], 0.1)[0] == []
        holders[1].send_signal(signal.SIGKILL)
        assert waiting.stdout.readline() == "held\n"
        assert not lock.take("x")
        _end(waiting)
        assert lock.take("x")
    finally:
        for holder in holders:
            _end(holder)


def _open_files(pid: int) -> set[str]:
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            found.add(os.readlink(entry))
    return found


def test_runs_without_a_slot_are_queued_and_follow_each_other(tmp_path: Path, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    hangs = standin_fvp.write(tmp_path / "hangs", U55, log, hang_after="Starting running")
    passes = standin_fvp.write(tmp_path / "passes", U55, log)
    elf = standin_fvp.elf(tmp_path / "runner.elf")

    def detach(exe: Path) -> RunFolder:
        request = RunRequest("fvp", str(elf), "ethos-u55-128", fvp=str(exe), slots=1)
        return RunFolder.open(Path(launch(request, runs_root()).source))

    def state(folder: RunFolder) -> str:
        return RunFolder.open(folder.path).state

    first = detach(hangs)
    wait_said(first, "Starting running")
    second, third = detach(passes), detach(passes)
    wait_for(lambda: state(second) == state(third) == "queued")
    viewer = subprocess.Popen([*COMMAND, "runs", "attach", third.id], stderr=subprocess.PIPE, text=True)
    assert viewer.stderr is not None and "waiting for this machine" in viewer.stderr.readline()
    ask_to_stop(second)
    wait_for(lambda: state(second) == "stopped")
    assert not second.console_path.exists() and state(third) == "queued"
    os.kill(RunFolder.open(first.path).manifest["pid"], signal.SIGKILL)
    assert viewer.communicate(timeout=60)[1] and viewer.returncode == 0
    folders: dict[str, Any] = {folder.id: (folder.state, folder.status) for folder in list_runs(runs_root())}
    assert folders == {
        first.id: ("lost", None),
        second.id: ("stopped", "not_started"),
        third.id: ("finished", "passed"),
    }
    assert RunFolder.open(third.path).manifest["slot"]["number"] == 0


def test_a_port_that_was_named_beside_a_target_is_what_is_claimed() -> None:
    place = Target("alif-e8-hp", "serial")
    keys = {claim_of(RunRequest("alif-e8-hp", port=port, place=place)) for port in ("/dev/one", "/dev/two")}
    assert {claim.key for claim in keys if claim is not None} == {"serial:/dev/one", "serial:/dev/two"}
