"""Runs on another machine, over a real sshd on loopback: how they end, what they leave, and what hostile sides may try."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.job import JobError, UsageError
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root
from ethosu_tui.runners.ssh import files as ssh_files
from ethosu_tui.runners.ssh import link as ssh_link
from ethosu_tui.runners.ssh.errors import explain
from ethosu_tui.runners.ssh.job import SshJob
from ethosu_tui.runners.target import Target

from .board import PRESENT, Board
from .ssh_runs import Done, cli, ssh_request

pytestmark = pytest.mark.skipif(not PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")
CONFTEST = str(Path(__file__).with_name("conftest.py"))


@pytest.mark.parametrize(
    ("host", "script", "options", "code"),
    [
        ("board", "cat {samples}/softmax.log", [], 0),
        ("board", "cat {samples}/missing_op_softmax.log; exit 1", [], 5),
        ("board", "head -n 11 {samples}/softmax.log; exec sleep 600", ["--timeout", "1"], 124),
        ("closed", "", [], 4),
    ],
)
def test_every_end_has_its_exit_code(
    host: str, script: str, options: list[str], code: int, board: Board, pte: Path, samples: Path
) -> None:
    board.install(
        "executor_runner", f'[ "$1" = --model_path ] && cmp "$2" {pte} || exit 9\n{script.format(samples=samples)}'
    )
    done = cli("run", pte, "--on", f"ssh:{host}", "--json", *options)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    (folder,) = list_runs(runs_root())
    if code in (0, 5):
        log = "softmax.log" if code == 0 else "missing_op_softmax.log"
        assert folder.console_path.read_bytes() == (samples / log).read_bytes()
    assert json.loads(done.stdout)["captures"][0]["source"] == str(folder.path)
    argv = folder.manifest["argv"]
    assert argv[:4] == ["ssh", host, "executor_runner", "--model_path"] and argv[4].endswith("/work/model.pte")
    assert not Path(argv[4]).parent.parent.exists(), "the folder over there is gone"


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("changed", "the host key of changed has changed ({folder}/known_hosts.changed:2 has another one)"),
        ("stranger", "the host key of stranger is not known"),
        ("keyless", "keyless lets us not in"),
        ("closed", "closed refuses the connection"),
        ("nowhere.invalid", "nowhere.invalid is not a known host"),
    ],
)
def test_a_host_that_cannot_be_reached_is_told_apart(host: str, words: str, board: Board) -> None:
    known = (board.folder / "known_hosts.changed").read_bytes()
    done = Done(ssh_request(board, "true", host=host))
    assert done.end.reason == "not_started" and words.format(folder=board.folder) in done.end.text
    assert done.folder.status == "not_started" and done.steps == [f"connecting to {host}"]
    assert (board.folder / "known_hosts.changed").read_bytes() == known
    assert (board.folder / "known_hosts.empty").read_bytes() == b"", "no key was taken unasked"


def test_what_is_not_there_on_the_board_is_told_apart(board: Board, pte: Path) -> None:
    done = Done(ssh_request(board, artefact=str(pte)))
    assert done.end.reason == "not_started" and "board has no command executor_runner" in done.end.text
    done = Done(ssh_request(board, "true", cwd="/nowhere"))
    assert done.end.reason == "not_started" and "board has no folder /nowhere" in done.end.text
    request = RunRequest("ssh:board", argv=("true",), place=Target(remote_folder="/nowhere"))
    done = Done(request)
    assert (
        done.end.reason == "not_started" and "/nowhere/ethosu-tui-" in done.end.text and "No such file" in done.end.text
    )


def test_the_commands_own_255_is_no_lost_connection(board: Board) -> None:
    done = Done(ssh_request(board, "sh", "-c", "echo out; echo err >&2; echo out; exit 255"))
    assert (done.end.code, done.end.reason, done.log) == (255, "ended", b"out\nerr\nout\n")
    done = Done(ssh_request(board, "sh", "-c", "kill -s SEGV $$"))
    assert done.end.code == 139 and "SIGSEGV" in done.end.text


def test_hostile_names_and_words_arrive_as_they_are(board: Board, tmp_path: Path) -> None:
    name = os.fsdecode(b"-rf a b'\"$(touch x)`;\\\n\xff*.pte")
    hostile, tool = tmp_path / name, tmp_path / "-tool $x"
    hostile.write_bytes(b"\x1c\0\0\0ET12" + bytes(100))
    tool.write_text('#!/bin/sh\nprintf \'%s|\' "$@"; cat -- "$1" | wc -c\n')
    tool.chmod(0o755)
    done = Done(
        ssh_request(
            board,
            "./-tool $x",
            "{artefact}",
            "",
            "a  'b'",
            "$HOME\n",
            "\udcfe",
            artefact=str(hostile),
            send=(str(tool),),
        )
    )
    assert done.end.code == 0, done.end
    first, *others = done.log.split(b"|")
    assert first.endswith(b"/work/" + os.fsencode(name))
    assert others[:-1] == [b"", b"a  'b'", b"$HOME\n", b"\xfe"] and others[-1].strip() == b"108"


def test_its_folder_is_made_where_the_command_line_says(board: Board, tmp_path: Path) -> None:
    request = RunRequest("ssh:board", argv=("sh", "-c", "pwd"), remote_folder=str(board.tmp), place=Target(remote_folder="/nowhere"))  # fmt: skip
    done = Done(request)
    assert done.end.code == 0 and done.log.startswith(os.fsencode(board.tmp) + b"/ethosu-tui-")
    with pytest.raises(UsageError, match="--remote-folder here is no whole path"):
        launch(RunRequest("ssh:board", argv=("true",), remote_folder="here"), tmp_path)


@pytest.mark.parametrize(("grace", "whole"), [(20.0, True), (0.2, False)])
def test_a_command_over_there_has_the_time_to_end_that_it_is_given(board: Board, grace: float, whole: bool) -> None:
    body = "trap 'sleep 3; echo cleaned up; exit 0' TERM; echo up; while :; do sleep 0.1; done"
    done = Done(ssh_request(board, "sh", "-c", body, grace=grace, timeout=1.0))
    assert (done.end.reason, b"cleaned up" in done.log) == ("timeout", whole)


def test_a_long_log_comes_whole(board: Board) -> None:
    done = Done(ssh_request(board, "sh", "-c", "yes 'I am a line of nothing' | head -n 20000"))
    assert done.end.code == 0 and done.log == b"I am a line of nothing\n" * 20_000


def test_results_are_brought_back(board: Board, tmp_path: Path) -> None:
    data = hashlib.sha256(b"x").digest() * 5000
    (tmp_path / "data").write_bytes(data)
    script = f"mkdir -p out/deep; cp {tmp_path}/data out/a.bin; cp {tmp_path}/data 'out/deep/$(b) \\*\"'; echo >out/c.txt; mkdir out/d.bin"
    patterns = ("out/*.bin", "out/deep/*", "$(touch /tmp/x)", "../work/out/*", "nothing*", "out/a.bin", "/proc/version")
    done = Done(ssh_request(board, "sh", "-c", script, fetch=patterns))
    fetched = done.folder.path / "fetched"
    assert sorted(str(p.relative_to(fetched)) for p in fetched.rglob("*") if p.is_file()) == [
        "out/a.bin", 'out/deep/$(b) \\*"', "proc/version",
    ]  # fmt: skip
    assert (fetched / "out/a.bin").read_bytes() == (fetched / 'out/deep/$(b) \\*"').read_bytes() == data
    assert (fetched / "proc/version").read_text().startswith("Linux")
    assert "../work/out/a.bin would leave the run folder" in done.end.text and done.end.code == 0
    assert RunFolder.open(done.folder.path).manifest["fetched"] == ["out/a.bin", 'out/deep/$(b) \\*"', "proc/version"]


def test_what_is_brought_back_has_a_limit(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_files, "FETCH_LIMIT_BYTES", 5000)
    done = Done(
        ssh_request(board, "sh", "-c", "yes | head -c 3000 >a; yes >b & sleep 0.1; kill $!; echo >c", fetch=("*",))
    )
    fetched = done.folder.path / "fetched"
    assert {p.name: p.stat().st_size for p in fetched.iterdir()} == {"a": 3000, "b": 2000}
    assert "b is cut: 5000 bytes are brought back at most; more than 5000 bytes match" in done.end.text
    done = Done(ssh_request(board, "true", fetch=("*.etdp",)))
    assert done.end.code == 0 and "nothing on board matches *.etdp" in done.end.text


@pytest.mark.parametrize(
    "raw", [b"", b"/", b"..", b"../x", b"a/../../x", b"/../etc/passwd", b"a/" + b"b" * 300, b"./."]
)
def test_no_name_from_over_there_leaves_the_folder(raw: bytes) -> None:
    assert ssh_files.local_name(raw) is None


def test_names_from_over_there_are_made_harmless() -> None:
    assert str(ssh_files.local_name(b"/etc//x/./y")) == "etc/x/y"
    assert str(ssh_files.local_name(b"a\x1b[2J\n\xff")) == "a_[2J_\udcff"


def test_the_firmware_target_of_the_docs(board: Board, tmp_path: Path, samples: Path) -> None:
    """All of it is real but the kernel: its files are ones that the test writes as remoteproc would."""
    core, firmware, trace = tmp_path / "core", tmp_path / "firmware", tmp_path / "trace0"
    core.mkdir()
    firmware.mkdir()
    trace.touch()
    (core / "state").write_text("offline\n")
    text = (Path(__file__).parents[2] / "docs" / "targets.md").read_text("utf-8")
    entry = text[(start := text.index("[targets.imx93-m33]")) : text.index("```", start)]
    for path, here in (
        ("/sys/class/remoteproc/remoteproc0", core),
        ("/lib/firmware", firmware),
        ("/sys/kernel/debug/remoteproc/remoteproc0/trace0", trace),
        ("root@imx93-lab", "board"),
    ):
        assert path in entry
        entry = entry.replace(path, str(here))
    (tmp_path / "ethosu-tui.toml").write_text(entry + f'remote_folder = "{board.tmp}"\n')
    elf = tmp_path / "runner.elf"
    elf.write_bytes(b"\x7fELF" + bytes(100))
    log = (samples / "softmax.log").read_bytes()

    def run_core() -> None:
        patience = time.monotonic() + 60
        while not (core / "state").exists() or (core / "state").read_text() != "start\n":
            assert time.monotonic() < patience
            time.sleep(0.02)
        if (firmware / "runner.elf").read_bytes() == elf.read_bytes() and (
            core / "firmware"
        ).read_text() == "runner.elf\n":
            for end in (1000, 1001, len(log)):
                trace.write_bytes(log[:end])
                time.sleep(0.7)

    thread = threading.Thread(target=run_core)
    thread.start()
    done = cli("run", elf, "--on", "imx93-m33", "-q", cwd=tmp_path)
    thread.join()
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    assert folder.console_path.read_bytes() == log and folder.manifest["reason"] == "marker"


def test_a_jump_host_of_the_users_configuration(board: Board) -> None:
    done = Done(ssh_request(board, "echo", "far", host="behind"))
    assert done.end.code == 0 and done.log == b"far\n"


def test_a_connection_that_the_user_keeps_open_is_used_and_left(board: Board) -> None:
    subprocess.run(["ssh", "-fN", "kept"], check=True, stderr=subprocess.DEVNULL)
    try:
        before = board.logins()
        done = Done(ssh_request(board, "echo", "over yours", host="kept"))
        assert done.end.code == 0 and done.log == b"over yours\n"
        assert board.logins() == before
        assert subprocess.run(["ssh", "-O", "check", "kept"], stderr=subprocess.DEVNULL).returncode == 0
    finally:
        subprocess.run(["ssh", "-O", "exit", "kept"], check=True, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        (RunRequest("ssh", argv=("true",)), 2, "needs a host"),
        (RunRequest("ssh:-oProxyCommand=touch x", argv=("true",)), 2, "no host"),
        (RunRequest("ssh:a b", argv=("true",)), 2, "no host"),
        (RunRequest("ssh:a;b", argv=("true",)), 2, "no host"),
        (RunRequest("ssh:board"), 2, "nothing to run"),
        (RunRequest("ssh:board", argv=("x", "{artefact}")), 2, "{artefact}"),
        (RunRequest("ssh:board", argv=("x",), pty=True), 2, "--pty"),
        (RunRequest("ssh:board", argv=("x",), cwd="here"), 2, "--cwd"),
        (
            RunRequest("ssh:board", argv=("x",), send=(CONFTEST, f"{Path(CONFTEST).parent.parent}/conftest.py")),
            2,
            "two files",
        ),
        (RunRequest("ssh:board", artefact="/nowhere.pte"), 3, "/nowhere.pte"),
        (RunRequest("ssh:board", argv=("x",), send=("/nowhere",)), 3, "/nowhere"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_leaves_no_run(
    request_: RunRequest, code: int, words: str, board: Board
) -> None:
    with pytest.raises(JobError) as caught:
        launch(request_, runs_root())
    assert caught.value.exit_code == code and words in str(caught.value), caught.value
    assert list_runs(runs_root()) == [] and isinstance(caught.value, UsageError) == (code == 2)


def test_no_ssh_at_all_is_a_missing_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JobError, match="ssh is not on PATH") as caught:
        launch(RunRequest("ssh:board", argv=("true",)), runs_root())
    assert caught.value.exit_code == 4


def test_what_ssh_says_otherwise_is_passed_on() -> None:
    assert "kex_exchange: strange" in explain("h", "banner\nkex_exchange: strange\n\n")
    assert "ssh says nothing" in explain("h", "")


def test_host_keys_are_never_passed_over() -> None:
    sources = Path(ssh_link.__file__).parent.glob("ssh*.py")
    assert not [path for path in sources if "StrictHostKeyChecking" in path.read_text()]
    assert SshJob.__doc__
