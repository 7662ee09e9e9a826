"""Run folders keep what was captured: through kill -9, a full disk, a reused process id and a hostile manifest."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.job import InputError, JobError
from ethosu_tui.runners.liveness import boot_id
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, process_started, runs_root, slug


def _child(body: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(body), *arguments], capture_output=True, text=True, timeout=60
    )


def test_a_new_folder_is_running_and_says_who_writes_it(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "a" / "b", "run", "MNIST on ethos-u55-128!", target="ethos-u55-128")
    again = RunFolder.open(folder.path)
    assert again.state == "running" and again.kind == "run" and again.label == "MNIST on ethos-u55-128!"
    assert again.id.endswith("-mnist-on-ethos-u55-128")
    assert again.manifest["schema"] == "ethosu-tui/manifest/1"
    assert again.manifest["pid"] == os.getpid() and again.manifest["target"] == "ethos-u55-128"
    folder.finish("passed", exit_code=0)
    done = RunFolder.open(folder.path)
    assert done.state == "finished" and done.status == "passed" and done.manifest["exit_code"] == 0
    assert done.manifest["seconds"] >= 0 and done.manifest["ended"] is not None
    assert sorted(p.name for p in folder.path.iterdir()) == ["manifest.json"]


def test_folders_made_in_the_same_second_do_not_collide(tmp_path: Path) -> None:
    made: list[RunFolder] = []
    threads = [
        threading.Thread(target=lambda: made.append(RunFolder.create(tmp_path, "compile", "same"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({folder.id for folder in made}) == 8
    created = [folder.created for folder in list_runs(tmp_path)]
    assert len(created) == 8 and created == sorted(created, reverse=True)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("", "run"),
        ("\x1b[31mred", "31mred"),
        ("ü" * 9, "run"),
        ("a" * 99, "a" * 48),
    ],
)
def test_a_label_cannot_shape_the_path(label: str, expected: str, tmp_path: Path) -> None:
    assert slug(label) == expected
    assert RunFolder.create(tmp_path, "run", label).path.parent == tmp_path


def test_console_bytes_and_their_times(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    with folder.console() as console:
        console.write(b"one\r\ntw", 0.5)
        console.write(b"", 0.6)
        console.write(b"o\n\x00\xff", 1.25)
        assert folder.console_path.read_bytes() == b"one\r\ntwo\n\x00\xff"
    assert [json.loads(line) for line in folder.times_path.read_text().splitlines()] == [[0.5, 0], [1.25, 7]]


def test_chunks_of_single_characters_do_not_bloat_the_times(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    with folder.console() as console:
        for number in range(1000):
            console.write(b"x", number / 1000)
    times = [json.loads(line) for line in folder.times_path.read_text().splitlines()]
    assert 190 <= len(times) <= 200 and times[1] == [0.005, 5] and folder.console_path.stat().st_size == 1000


def test_a_console_takes_as_many_bytes_as_it_may_and_says_what_was_left_out(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    with folder.console(limit_bytes=10) as console:
        console.write(b"01234", 0.0)
        console.write(b"56789", 1.0)
        with pytest.raises(JobError, match="limit of 10 bytes.* at least 3 more bytes were not kept") as caught:
            console.write(b"abc", 2.0)
    assert folder.console_path.read_bytes() == b"0123456789" and caught.value.exit_code == 5


def test_a_console_that_is_given_up_leaves_a_trace_only_of_what_was_written(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    folder.console().discard()
    assert not folder.console_path.exists() and not folder.times_path.exists()
    console = folder.console()
    console.write(b"x", 0.0)
    console.discard()
    again = folder.console()
    again.discard()
    assert folder.console_path.read_bytes() == b"x" and folder.times_path.exists()


@pytest.mark.parametrize("durable", [True, False])
def test_only_what_shall_survive_a_loss_of_power_waits_for_the_disk(
    durable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: set[str] = set()
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.add(os.readlink(f"/proc/self/fd/{descriptor}")))
    folder = RunFolder.create(tmp_path, "run", "x", durable)
    manifest = {Path(path).name.partition(".json")[0] for path in synced}
    assert manifest == ({".manifest", folder.id} if durable else set()), "the file, and the folder that names it"
    synced.clear()
    with folder.console() as console:
        console.write(b"x", 0.0)
        assert not synced, "each chunk would be far too often"
    assert (str(folder.console_path) in synced) == durable


def test_a_killed_writer_is_lost_and_loses_nothing(tmp_path: Path) -> None:
    body = """
        import sys
        from pathlib import Path
        from ethosu_tui.runners.runs.folder import RunFolder
        folder = RunFolder.create(Path(sys.argv[1]), "run", "victim")
        console = folder.console()
        number = 0
        while True:
            data = b"line %06d\\n" % number
            console.write(data, number / 1000)
            print(number, flush=True)
            number += 1
    """
    for trial in range(20):
        root = tmp_path / str(trial)
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(body), str(root)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        acknowledged = -1
        for _ in range(50 + 13 * trial):
            acknowledged = int(child.stdout.readline())
        (folder,) = list_runs(root)
        assert folder.state == "running"
        child.send_signal(signal.SIGKILL)
        acknowledged = max([acknowledged, *(int(n) for n in child.stdout.read().split("\n")[:-1])])
        child.stdout.close()
        child.wait()
        (folder,) = list_runs(root)
        assert folder.state == "lost"
        lines = folder.console_path.read_bytes().splitlines()
        assert lines[: acknowledged + 1] == [b"line %06d" % n for n in range(acknowledged + 1)]
        assert len(lines) <= acknowledged + 3


def test_a_zombie_writer_is_gone(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process_started(child.pid) is None
    child.wait()


def test_a_reused_process_id_and_a_reboot_do_not_look_alive(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    mine = folder.manifest["pid_started"]
    folder.update(pid_started="1")
    assert RunFolder.open(folder.path).state == "lost"
    folder.update(pid_started=mine)
    assert RunFolder.open(folder.path).state == "running"
    folder.update(boot="another boot")
    assert RunFolder.open(folder.path).state == "lost"
    folder.update(host="another machine")
    assert RunFolder.open(folder.path).state == "running"
    os.utime(folder.path / "manifest.json", (1e9, 1e9))
    assert RunFolder.open(folder.path).state == "lost"
    folder.update(boot=boot_id(), pid=-1)
    assert RunFolder.open(folder.path).state == "lost"
    for host in (None, 7):
        folder.update(boot="another boot", host=host)
        assert RunFolder.open(folder.path).state == "lost", "a manifest that names no machine is of none"


HOSTILE = {
    "empty": b"",
    "junk": os.urandom(200),
    "list": b"[]",
    "deep": b"[" * 200_000,
    "deep-object": b'{"schema":"ethosu-tui/manifest/1","kind":"run","state":"running","x":'
    + b"[" * 900
    + b"]" * 900
    + b"}",
    "other-schema": b'{"schema":"x/9"}',
    "no-kind": b'{"schema":"ethosu-tui/manifest/1"}',
    "state-object": b'{"schema":"ethosu-tui/manifest/1","kind":"run","state":{}}',
    "state-unknown": b'{"schema":"ethosu-tui/manifest/1","kind":"run","state":"happy"}',
    "huge-number": b'{"schema":"ethosu-tui/manifest/1","kind":"run","state":"running","pid":' + b"9" * 9999 + b"}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_manifest_is_listed_as_broken(name: str, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_bytes(HOSTILE[name])
    (folder,) = list_runs(tmp_path)
    assert folder.state in ("broken", "lost") and folder.id == "bad"
    assert folder.kind == ("?" if folder.problem is not None else "run")
    if name == "state-unknown":
        assert folder.problem is None or "state" in folder.problem
    elif folder.state == "broken":
        with pytest.raises(InputError, match="not a readable run folder"):
            RunFolder.open(tmp_path / "bad")


def test_odd_folders_are_listed_and_none_blocks_or_raises(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "manifest.json")
    (tmp_path / "directory" / "manifest.json").mkdir(parents=True)
    (tmp_path / "a file").write_text("x")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    RunFolder.create(tmp_path, "run", "sound")
    states = {folder.id: folder.state for folder in list_runs(tmp_path)}
    assert len(states) == 4 and sorted(states.values()) == ["broken", "broken", "broken", "running"]


def test_manifest_text_is_safe_to_print_and_cannot_claim_another_id(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "\x1b]0;owned\x07\u202e", id="../../etc", argv=["\x1b[2J"])
    read = RunFolder.open(folder.path)
    assert read.manifest["id"] == read.id == folder.path.name
    assert read.label == "?]0;owned??" and read.manifest["argv"] == ["?[2J"]


def test_odd_dates_sort_without_an_exception(tmp_path: Path) -> None:
    for created in ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "yesterday", 5, None):
        RunFolder.create(tmp_path, "run", "x").update(created=created)
    naive, east = RunFolder.create(tmp_path, "run", "naive"), RunFolder.create(tmp_path, "run", "east")
    naive.update(created="2026-03-01T10:00:00")
    east.update(created="2026-03-01T11:30:00+02:00")
    assert len(list_runs(tmp_path)) == 7
    assert (naive.created - east.created).total_seconds() == 1800, "a time without a zone is UTC"


def test_no_root_is_no_runs_and_an_unreadable_one_says_so(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "nowhere") == []
    (tmp_path / "file").write_text("")
    with pytest.raises(JobError, match="cannot read"):
        list_runs(tmp_path / "file")


def test_the_root_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "w"))
    assert runs_root() == tmp_path / "w"
    monkeypatch.delenv("ETHOSU_TUI_WORKSPACE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert runs_root() == tmp_path / "ethosu-tui" / "runs"


def test_a_root_that_cannot_be_written_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "file" / "runs", Path("/proc/nowhere")):
        with pytest.raises(JobError) as caught:
            RunFolder.create(root, "run", "x")
        assert "ETHOSU_TUI_WORKSPACE" in caught.value.hint and str(root) in caught.value.message


def test_a_file_size_limit_keeps_what_was_written(tmp_path: Path) -> None:
    done = _child(
        """
        import resource, sys
        from pathlib import Path
        from ethosu_tui.runners.runs.folder import RunFolder
        from ethosu_tui.runners.job import JobError
        folder = RunFolder.create(Path(sys.argv[1]), "run", "limited")
        console = folder.console()
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        for number in range(10**6):
            try:
                console.write(b"x" * 1000, 0.0)
            except JobError as error:
                print(number, error.message, "|", error.hint)
                folder.finish("failed", reason=error.message)
                break
        """,
        str(tmp_path),
    )
    assert done.returncode == 0 and done.stdout.startswith("65 "), done.stderr
    assert "may not grow further" in done.stdout and "kept" in done.stdout
    (folder,) = list_runs(tmp_path)
    assert folder.console_path.stat().st_size == 65536 and folder.state == "finished"


@contextlib.contextmanager
def _small_disk(path: Path, kilobytes: int) -> Iterator[Path]:
    path.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(path)], capture_output=True)
    if made.returncode != 0:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def test_a_full_disk_keeps_the_bytes_and_can_still_say_how_it_ended(tmp_path: Path) -> None:
    with _small_disk(tmp_path / "disk", 256) as disk:
        folder = RunFolder.create(disk, "run", "x")
        with folder.console() as console:
            with pytest.raises(JobError, match="disk is full") as caught:
                for number in range(1000):
                    console.write(b"%07d\n" % number * 512, number)
            assert "ethosu-tui runs rm" in caught.value.hint
        kept = folder.console_path.read_bytes()
        assert len(kept) == console.offset > 100_000 and kept.startswith(b"0000000\n")
        folder.finish("failed", reason=caught.value.message)
        assert RunFolder.open(folder.path).manifest["reason"] == caught.value.message
        (disk / "filler").write_bytes(b"")
        with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
            while filler.write(b"x" * 4096):
                pass
        before = (folder.path / "manifest.json").read_bytes()
        with pytest.raises(JobError, match="disk is full"):
            folder.update(label="new")
        assert (folder.path / "manifest.json").read_bytes() == before
        assert [p.name for p in folder.path.iterdir() if p.name.startswith(".")] == []


def test_a_failed_manifest_write_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = RunFolder.create(tmp_path, "run", "x")
    before = (folder.path / "manifest.json").read_bytes()

    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(JobError, match="disk is full"):
        folder.update(label="new")
    assert (folder.path / "manifest.json").read_bytes() == before


def test_removal_refuses_running_and_links(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "run", "x")
    with pytest.raises(JobError, match="is running"):
        folder.remove()
    folder.finish("passed")
    link = tmp_path / "runs" / "link"
    link.symlink_to(folder.path)
    with pytest.raises(JobError, match="link"):
        RunFolder.open(link).remove()
    folder.remove()
    assert not folder.path.exists() and sorted(p.name for p in (tmp_path / "runs").iterdir()) == ["link"]
