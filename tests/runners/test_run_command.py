"""`ethosu-tui run` as people and scripts use it: a real process, a stand-in FVP, the exit code of each end."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.runs.folder import list_runs, runs_root

from . import standin_fvp
from .keepers import child_of, only_run, wait_gone, wait_over

U55 = "FVP_Corstone_SSE-300_Ethos-U55"
COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]


def _cli(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    argv = [*COMMAND, *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, **options)


class Fvp:
    """A stand-in that plays a sample log, and the command that runs it."""

    def __init__(self, folder: Path, samples: Path) -> None:
        self.folder, self.samples = folder, samples
        self.elf = standin_fvp.elf(folder / "runner.elf")
        self.pte = folder / "model.pte"
        self.pte.write_bytes(b"\x1c\0\0\0ET12" + bytes(40))

    def arguments(self, log: str = "softmax.log", **behaviour: object) -> list[str]:
        exe = standin_fvp.write(self.folder / "fvp", U55, (self.samples / log).read_bytes(), **behaviour)
        return ["run", str(self.elf), "--on", "fvp", "--target", "ethos-u55-128", "--fvp", str(exe)]


@pytest.fixture
def fvp(tmp_path: Path, samples: Path) -> Fvp:
    return Fvp(tmp_path, samples)


def test_a_passed_run_shows_the_console_and_ends_with_tables(fvp: Fvp) -> None:
    done = _cli(*fvp.arguments())
    assert done.returncode == 0, done.stderr
    assert "Program complete, exiting." in done.stderr and "Program complete" not in done.stdout
    assert "passed" in done.stdout and "62914560" in done.stdout.replace(" ", "").replace(",", "")
    (folder,) = list_runs(runs_root())
    facts = folder.manifest
    assert folder.state == "finished" and folder.status == "passed" and facts["target"] == "ethos-u55-128"
    assert facts["argv"][0].endswith(U55) and len(facts["hashes"][str(fvp.elf)]) == 64
    assert folder.id in done.stderr


def test_json_is_one_report_whose_source_is_the_run_folder(fvp: Fvp) -> None:
    done = _cli(*fvp.arguments(), "--json", "-q")
    assert done.returncode == 0 and "Program complete" not in done.stderr
    report = json.loads(done.stdout)
    (folder,) = list_runs(runs_root())
    assert report["schema"] == "ethosu-tui/report/1" and report["captures"][0]["source"] == str(folder.path)
    assert report == json.loads(folder.report_path.read_text())
    analysed = json.loads(_cli("analyze", "--json", folder.path).stdout)
    assert analysed["captures"][0]["runs"] == report["captures"][0]["runs"]


@pytest.mark.parametrize(
    ("log", "behaviour", "options", "code", "status"),
    [
        ("missing_op_softmax.log", {}, ["--silence", "1"], 5, "failed"),
        ("hardfault_badaddr.log", {}, ["--silence", "1"], 5, "failed"),
        ("softmax.log", {"hang_after": "Starting running"}, ["--silence", "0.5"], 124, "hung"),
        ("softmax.log", {"hang_after": "Starting running"}, ["--timeout", "1"], 124, "timeout"),
        ("softmax.log", {"crash_after": "Running method"}, [], 5, "failed"),
        ("softmax.log", {"refuse": "license checkout failed"}, [], 4, "not_started"),
        ("softmax.log", {"ignore_eot": True}, [], 0, "passed"),
        ("softmax.log", {"ignore_eot": True, "ignore_term": True}, [], 0, "passed"),
    ],
)
def test_every_end_has_its_exit_code(
    log: str, behaviour: dict[str, object], options: list[str], code: int, status: str, fvp: Fvp
) -> None:
    done = _cli(*fvp.arguments(log, **behaviour), *options)
    assert done.returncode == code, done.stderr
    (folder,) = list_runs(runs_root())
    assert folder.status == status and folder.state == "finished"
    assert "Traceback" not in done.stderr


def test_a_program_in_memory_with_its_runner(fvp: Fvp) -> None:
    arguments = fvp.arguments()
    arguments[1:2] = [str(fvp.pte), "--elf", str(fvp.elf), "--address", "0x70000000"]
    assert _cli(*arguments, "-q").returncode == 0
    as_run_fvp = fvp.arguments()
    assert _cli(*as_run_fvp, "--data", f"{fvp.pte}@0x70000000", "-q").returncode == 0
    for folder in list_runs(runs_root()):
        assert f"{fvp.pte}@0x70000000" in folder.manifest["argv"] and folder.manifest["model"] == "model"
        assert sorted(folder.manifest["hashes"]) == [str(fvp.pte), str(fvp.elf)]


def _usage(elf: Path, pte: Path) -> dict[str, tuple[list[object], int, str]]:
    return {
        "serial": (["run", elf, "--on", "serial:ttyACM0"], 2, "ttyACM0 is not a serial port"),
        "unknown runner": (["run", elf, "--on", "moon"], 2, "is not a runner"),
        "no runner": (["run", elf], 2, "--on"),
        "no target": (["run", elf, "--on", "fvp"], 2, "ethos-u85-2048"),
        "bad target": (["run", elf, "--on", "fvp", "--target", "ethos-u55-7"], 2, "no FVP models"),
        "nothing": (["run", "--on", "fvp"], 2, "nothing to run"),
        "pte without runner": (["run", pte, "--on", "fvp", "--target", "ethos-u55-128"], 2, "--elf"),
        "bad address": (["run", pte, "--on", "fvp", "--elf", elf, "--address", "here"], 2, "not an address"),
        "address without pte": (
            ["run", elf, "--on", "fvp", "--target", "ethos-u55-128", "--address", "0x70000000"],
            2,
            "give the .pte as ARTEFACT",
        ),
        "address on the host": (["run", pte, "--on", "host", "--address", "0x1"], 2, "--address is for --on fvp"),
        "elf for a replay": (["run", "--on", f"replay:{elf}", "--elf", elf], 2, "--elf is for --on fvp"),
        "bad pace": (["run", "--on", "replay:" + str(elf), "--pace", "fast"], 2, "not a pace"),
        "bad timeout": (["run", elf, "--on", "fvp", "--timeout", "-1"], 2, "--timeout"),
        "no replay": (["run", "--on", "replay"], 2, "replay:LOG"),
        "missing file": (["run", "/nowhere.pte", "--on", "host"], 3, "/nowhere.pte"),
        "junk": (["run", __file__, "--on", "host"], 3, "nothing that inspect knows"),
        "elf on the host": (["run", elf, "--on", "host"], 3, "no program to run here"),
        "missing log": (["run", "--on", "replay:/nowhere.log"], 3, "no such file"),
        "no fvp": (["run", elf, "--on", "fvp", "--target", "ethos-u85-256"], 4, "EULA"),
        "no such fvp": (["run", elf, "--on", "fvp", "--target", "ethos-u55-128", "--fvp", "/x"], 4, "--fvp"),
        "no python": (["run", pte, "--on", "host", "--python", "/nowhere/python"], 4, "/nowhere/python"),
    }


CASES = tuple(_usage(Path("runner.elf"), Path("model.pte")))


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_request_is_one_sentence_and_leaves_no_run(case: str, fvp: Fvp) -> None:
    arguments, code, words = _usage(fvp.elf, fvp.pte)[case]
    done = _cli(*arguments)
    assert done.returncode == code and words in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""
    assert list_runs(runs_root()) == []


def test_a_full_disk_is_one_sentence_and_keeps_the_bytes(fvp: Fvp) -> None:
    root = runs_root()
    root.mkdir(parents=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", root], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        arguments = fvp.arguments()
        (fvp.folder / "fvp" / f"{U55}.log").write_bytes(b"x" * 99 + b"\n" + b"y" * 200_000)
        done = _cli(*arguments, "-q")
        assert done.returncode == 4 and "disk is full" in done.stderr and "Traceback" not in done.stderr
        (folder,) = list_runs(root)
        assert folder.state == "stopped" and folder.console_path.stat().st_size > 20_000
    finally:
        subprocess.run(["umount", "-l", root], check=True)


def _watched(fvp: Fvp, until: str, **behaviour: object) -> subprocess.Popen[str]:
    """A run in the foreground, as far as a line that holds this text."""
    argv = [*COMMAND, *fvp.arguments(**behaviour)]
    ours = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert ours.stderr is not None
    while until not in (line := ours.stderr.readline()):
        assert line, "the run ended too early"
    return ours


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_child_and_reports_what_was_seen(number: signal.Signals, fvp: Fvp) -> None:
    ours = _watched(fvp, "Starting running", hang_after="Starting running", ignore_term=True)
    child = child_of(only_run(runs_root()))
    ours.send_signal(number)
    out, err = ours.communicate(timeout=60)
    assert ours.returncode == 130 and "Traceback" not in err and "Summary" in out
    folder = only_run(runs_root())
    assert folder.state == "stopped" and folder.status == "truncated"
    assert process_started(child) is None


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_a_dropped_connection_leaves_the_run_going_on(number: signal.Signals, fvp: Fvp) -> None:
    ours = _watched(fvp, "Running method", line_seconds=0.05)
    ours.send_signal(number)
    _, err = ours.communicate(timeout=60)
    folder = wait_over(runs_root())
    assert (folder.state, folder.status) == ("finished", "passed")
    if number == signal.SIGHUP:
        assert ours.returncode == 130 and f"runs attach {folder.id}" in err and "Traceback" not in err
    wait_gone(child_of(folder))


def test_when_the_keeper_is_killed_the_run_is_lost_and_no_simulator_stays_behind(fvp: Fvp) -> None:
    ours = _watched(fvp, "Starting running", hang_after="Starting running", ignore_term=True)
    folder = only_run(runs_root())
    child = child_of(folder)
    os.kill(folder.manifest["pid"], signal.SIGKILL)
    out, err = ours.communicate(timeout=60)
    assert ours.returncode == 5 and "lost (its process is gone" in err and "Summary" in out
    wait_gone(child)
    folder = only_run(runs_root())
    assert folder.state == "lost" and b"Starting running" in folder.console_path.read_bytes()
    assert "lost" in _cli("runs").stdout
    analysed = json.loads(_cli("analyze", "--json", folder.path).stdout)["captures"][0]["runs"][0]
    assert analysed["status"] == "truncated", "who recorded it died: that says nothing of the target"


def test_a_replay_is_stored_and_ends_as_its_log_does(samples: Path) -> None:
    for log, code in (("softmax.log", 0), ("missing_op_softmax.log", 5), ("hang_u55_no_npu.log", 5)):
        done = _cli("run", "--on", f"replay:{samples / log}", "--pace", "instant")
        assert done.returncode == code, done.stderr
    kept = list_runs(runs_root())
    assert len(kept) == 3
    assert kept[0].console_path.read_bytes() == (samples / "hang_u55_no_npu.log").read_bytes()
    for folder in kept:
        folder.remove()
    slow = _cli("run", "--on", f"replay:{samples / 'softmax.log'}", "-q", "--no-store")
    assert "no times in softmax.log: playing 50 lines a second" in slow.stderr
    assert list_runs(runs_root()) == []
    done = _cli("run", "--on", "replay:-", "-q", input=(samples / "softmax.log").read_text())
    assert done.returncode == 0 and len(list_runs(runs_root())) == 1


def test_a_replay_into_a_place_that_cannot_be_written_names_the_way_around(samples: Path) -> None:
    arguments = ["run", "--on", f"replay:{samples / 'softmax.log'}", "--pace", "instant", "-q"]
    nowhere = {"env": os.environ | {"ETHOSU_TUI_WORKSPACE": "/proc/nowhere"}}
    done = _cli(*arguments, **nowhere)
    assert done.returncode != 0 and len(done.stderr.splitlines()) == 1, done.stderr
    assert "--no-store" in done.stderr and "ETHOSU_TUI_WORKSPACE" in done.stderr
    assert _cli(*arguments, "--no-store", **nowhere).returncode == 0
    piped = _cli("run", "--on", "replay:-", "-q", input="x", **nowhere)
    assert piped.returncode != 0 and "--no-store" not in piped.stderr


def test_a_removed_current_directory_is_no_traceback(fvp: Fvp, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    source = "import os, sys; from ethosu_tui.tui import cli; os.rmdir(os.getcwd()); sys.exit(cli.main(sys.argv[1:]))"
    without_fvp = ["run", str(fvp.elf), "--on", "fvp", "--target", "ethos-u85-256"]
    for arguments, code in ((fvp.arguments(), 0), (without_fvp, 4), (["run", "x.pte", "--on", "host"], 3)):
        gone.mkdir()
        argv = [sys.executable, "-c", source, *arguments]
        done = subprocess.run(argv, cwd=gone, capture_output=True, text=True, timeout=60)
        assert done.returncode == code and "Traceback" not in done.stderr, done.stderr


def test_junk_and_hostile_bytes_reach_no_terminal(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"\x1b]0;owned\x07\x1b[2J\x9b31m\x00" + bytes(range(256)) * 40)
    parent, child = pty.openpty()
    argv = [*COMMAND, "run", "--on", f"replay:{log}", "--pace", "instant"]
    done = subprocess.Popen(argv, stdout=child, stderr=child)
    os.close(child)
    shown = b""
    with contextlib.suppress(OSError):  # how a pty says that its other end is closed
        while data := os.read(parent, 65536):
            shown += data
    os.close(parent)
    done.wait(60)
    assert done.returncode == 3 and b"nothing recognised" in shown
    assert not set(shown.replace(b"\r\n", b"")) & (set(range(32)) | {0x7F})
