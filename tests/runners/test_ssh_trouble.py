"""Runs on another machine that go wrong on the way: links that drop, boards that lack, disks that are full, and stops."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.job import Exit, Progress
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import list_runs, runs_root
from ethosu_tui.runners.session import Session
from ethosu_tui.runners.ssh import link as ssh_link
from ethosu_tui.runners.target import Target

from .board import PRESENT, Board, descendants
from .direct import direct
from .ssh_runs import COMMAND, Done, gone, number_in, ssh_request

pytestmark = pytest.mark.skipif(not PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")


def test_a_connection_that_drops_during_the_run(board: Board, samples: Path, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    script = f"head -n 11 {samples}/softmax.log; sleep 600 & echo $! >{number}; trap '' TERM; wait; sleep 600"

    def drop(session: Session, event: object) -> None:
        if "Starting running" in getattr(event, "text", ""):
            number_in(number)
            board.drop()

    done = Done(ssh_request(board, "sh", "-c", script), drop)
    assert done.end.reason == "lost" and "the connection to board was lost" in done.end.text
    assert done.folder.status == "truncated"
    assert done.log == b"".join((samples / "softmax.log").read_bytes().splitlines(keepends=True)[:11])
    assert gone(number_in(number)), "what the run started over there was ended"


def test_a_connection_that_drops_during_a_transfer(board: Board, pte: Path, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    board.install(
        "cat",
        f'case "$(readlink /proc/$$/fd/1)" in */work/*) head -c 1000; echo $$ >{number}; exec sleep 600;; *) exec /bin/cat "$@";; esac',
    )

    def drop() -> None:
        number_in(number)
        board.drop()

    thread = threading.Thread(target=drop)
    thread.start()
    done = Done(ssh_request(board, "true", artefact=str(pte)))
    thread.join()
    assert done.end.reason == "lost" and "lost while sending model.pte" in done.end.text
    assert [run.status for run in done.session.capture.runs] == ["truncated"] and done.folder.status == "truncated"
    os.kill(number_in(number), signal.SIGKILL)


def test_a_link_that_goes_silent_is_noticed(board: Board, monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    monkeypatch.setattr(ssh_link, "ALIVE_SECONDS", 1)
    frozen: list[int] = []

    def freeze(session: Session, event: object) -> None:
        if "Starting running" in getattr(event, "text", ""):
            frozen.extend(board.freeze())

    done = Done(ssh_request(board, "sh", "-c", f"head -n 11 {samples}/softmax.log; sleep 600"), freeze)
    for pid in frozen:
        os.kill(pid, signal.SIGKILL)
    assert frozen and done.end.reason == "lost" and done.folder.status == "truncated"


def test_a_file_that_arrives_changed_or_not_whole_is_not_run(board: Board, pte: Path) -> None:
    board.install("sha256sum", "echo 0000000000000000000000000000000000000000000000000000000000000000  -")
    done = Done(ssh_request(board, "true", artefact=str(pte)))
    assert done.end.reason == "not_started" and "SHA-256 is another one" in done.end.text
    (board.bin / "sha256sum").unlink()
    board.install("wc", "echo 17")
    done = Done(ssh_request(board, "true", artefact=str(pte)))
    assert done.end.reason == "not_started" and f"17 of {pte.stat().st_size} bytes arrived" in done.end.text


def test_a_board_with_little_on_it_will_do(board: Board, pte: Path, tmp_path: Path) -> None:
    """No sha256sum, no setsid, a shell and seven commands."""
    number = tmp_path / "pid"
    script = f"cat {{artefact}} | wc -c; echo x >out; sleep 600 & echo $! >{number}; wait"

    def stop(session: Session, event: object) -> None:
        if str(pte.stat().st_size) in getattr(event, "text", ""):
            number_in(number)
            session.stop()

    done = Done(ssh_request(board, "sh", "-c", script, host="bare", artefact=str(pte), fetch=("out",)), stop)
    assert done.end.reason == "stopped" and done.log.strip() == b"%d" % pte.stat().st_size
    assert gone(number_in(number))


def test_a_full_disk_over_there(board: Board, tmp_path: Path) -> None:
    big, small = tmp_path / "big.pte", tmp_path / "disk"
    big.write_bytes(b"\x1c\0\0\0ET12" + bytes(300_000))
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        done = Done(RunRequest("ssh:board", artefact=str(big), place=Target(remote_folder=str(small))))
        assert done.end.reason == "not_started" and "No space left on device" in done.end.text
        assert os.listdir(small) == []
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_stop_ends_the_command_over_there(board: Board, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    script = f"trap '' TERM HUP; echo $$ >{number}; echo up; sleep 600; sleep 600"

    def stop(session: Session, event: object) -> None:
        if getattr(event, "text", "") == "up":
            session.stop()

    done = Done(ssh_request(board, "sh", "-c", script), stop)
    assert done.end.reason == "stopped" and done.folder.state == "stopped" and done.steps[-1] == "cleaning up on board"
    assert process_started(int(number.read_text())) is None, "gone before the run says that it ended"


def test_a_reader_that_walks_away_leaves_nothing_running(board: Board, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    session = direct(ssh_request(board, "sh", "-c", f"trap '' TERM; echo $$ >{number}; sleep 600; sleep 600"))
    events = session.events()
    for event in events:
        if isinstance(event, Progress) and event.stage == "running on board":
            threading.Thread(target=lambda: (number_in(number), session.stop())).start()
            next(events)
            break
    events.close()  # type: ignore[attr-defined]
    assert process_started(number_in(number)) is None
    assert session.folder is not None and session.folder.state == "stopped"


def test_stop_while_files_are_sent_and_before_anything(board: Board, pte: Path) -> None:
    def stop(session: Session, event: object) -> None:
        if isinstance(event, Progress) and event.stage == "sending model.pte":
            session.stop()

    done = Done(ssh_request(board, "true", artefact=str(pte)), stop)
    assert done.end.reason == "stopped"
    session = direct(ssh_request(board, "true"))
    session.stop()
    (*_, end) = session.events()
    assert isinstance(end, Exit) and end.reason == "stopped"


def test_killed_hard_nothing_goes_on_over_there(board: Board, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    script = f"trap '' TERM HUP; pwd; echo $$ >{number}; sleep 600; sleep 600"
    ours = subprocess.Popen(
        [*COMMAND, "run", "--on", "ssh:board", "--", "sh", "-c", script], stderr=subprocess.PIPE, text=True
    )
    pid = number_in(number)
    assert ours.stderr is not None
    work = next(line for line in ours.stderr if line.startswith("/tmp/")).strip()
    (folder,) = list_runs(runs_root())
    keeper = folder.manifest["pid"]
    clients = descendants([keeper])
    os.kill(keeper, signal.SIGKILL)
    ours.communicate(timeout=60)
    assert ours.returncode == 5 and gone(pid) and clients and all(gone(client) for client in clients)
    assert folder.state == "lost"
    patience = time.monotonic() + 60
    while Path(work).parent.exists():
        assert time.monotonic() < patience
        time.sleep(0.02)
