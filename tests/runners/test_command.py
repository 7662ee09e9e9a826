"""Any command as a target: its words, its streams, its end, and QEMU as one that users really have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.job import Chunk, Exit, JobError, JobEvent, MissingTool, Started, UsageError
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.process import Limits, ProcessJob
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import list_runs, runs_root
from ethosu_tui.runners.session import Session
from ethosu_tui.runners.target import Target
from ethosu_tui.runners.until import Until

from . import bare_metal
from .direct import direct

COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]
QEMU = [
    "qemu-system-arm",
    "-M",
    "mps3-an547",
    "-nographic",
    "-semihosting-config",
    "enable=on,target=native",
    "-kernel",
]
needs_qemu = pytest.mark.skipif(shutil.which(QEMU[0]) is None, reason="needs qemu-system-arm")


def _cli(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def _session(*argv: str, **options: object) -> tuple[Session, Exit]:
    session = direct(RunRequest("command", argv=argv, **options))  # type: ignore[arg-type]
    (*_, end) = session.events()
    assert isinstance(end, Exit) and session.folder is not None
    return session, end


def _log(session: Session) -> bytes:
    assert session.folder is not None
    return session.folder.console_path.read_bytes()


def _terminal(body: str, **options: object) -> tuple[bytes, Exit, ProcessJob]:
    job = ProcessJob([sys.executable, "-c", body], pty=True, **options)  # type: ignore[arg-type]
    events: list[JobEvent] = list(job.run())
    assert isinstance(events[-1], Exit)
    return b"".join(event.data for event in events if isinstance(event, Chunk)), events[-1], job


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--", "cat", "{passing}"], 0, "passed"),
        (["--", "cat", "{failing}"], 5, "failed (exit status 3)"),
        (
            ["--timeout", "1", "--", "sh", "-c", 'head -n 11 "$0"; exec sleep 100', "{passing}"],
            124,
            "time limit of 1 s",
        ),
        (
            ["--silence", "1", "--", "sh", "-c", 'head -n 11 "$0"; exec sleep 100', "{passing}"],
            124,
            "1 s without output",
        ),
        (["--", "no-such-emulator", "{passing}"], 4, "no-such-emulator is not on PATH"),
    ],
)
def test_every_end_has_its_exit_code(
    arguments: list[str], code: int, words: str, samples: Path, tmp_path: Path
) -> None:
    logs = {"{passing}": str(samples / "softmax.log"), "{failing}": str(samples / "missing_op_softmax.log")}
    argv = [logs.get(word, word) for word in arguments]
    if code == 5 and "failed" in words:
        argv = ["--", "sh", "-c", 'cat "$0"; exit 3', logs["{failing}"]]
    done = _cli("run", "--on", "command", *argv)
    assert done.returncode == code and words in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    kept = list_runs(runs_root())
    assert [len(folder.manifest["hashes"]) for folder in kept] == ([] if code == 4 else [0])


def test_words_reach_the_command_as_they_are(tmp_path: Path) -> None:
    hostile = tmp_path / os.fsdecode(b"a b'\"$(touch x)`;\xff*.pte")
    hostile.write_bytes(b"\x1c\0\0\0ET12")
    show = "import os, sys; os.write(1, b'|'.join(os.fsencode(a) for a in sys.argv[1:]))"
    session, end = _session(
        sys.executable, "-c", show, "{artefact}", "x={artefact}=", "", "a  b", "$HOME", "{{}}", "\udcfe",
        "{target}@{address}", "{folder}", artefact=str(hostile), target="ethos-u55-128", address="0x70000000",
    )  # fmt: skip
    assert session.folder is not None and end.code == 0
    name = os.fsencode(hostile)
    words = [name, b"x=" + name + b"=", b"", b"a  b", b"$HOME", b"{}", b"\xfe", b"ethos-u55-128@0x70000000"]
    assert _log(session) == b"|".join([*words, os.fsencode(session.folder.path)])
    assert session.folder.manifest["target"] == "ethos-u55-128" and session.folder.manifest["files"]


def test_a_command_needs_no_artefact_and_runs_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "tool").chmod(0o755)
    session, end = _session("./tool", cwd=str(tmp_path))
    assert end.code == 0 and _log(session) == os.fsencode(tmp_path.resolve()) + b"\n"


def test_a_targets_own_command_serves_where_none_is_typed() -> None:
    place = Target(name="lab", kind="command", argv=("printf", "%s", "{target}"), npu_target="ethos-u85-256", pty=True)
    session = direct(RunRequest("lab", place=place))
    list(session.events())
    assert _log(session) == b"ethos-u85-256"
    again = RunRequest.from_json(RunRequest("command", argv=("a", "\udcff"), pty=True, send=("x",)).to_json())
    assert again.argv == ("a", "\udcff") and again.pty and again.send == ("x",)


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        (RunRequest("command"), 2, "needs the command"),
        (RunRequest("command:x", argv=("true",)), 2, "takes no place"),
        (RunRequest("command", argv=("true", "{elf}")), 2, "wants {elf}"),
        (RunRequest("command", argv=("true", "{model}")), 2, "{model}"),
        (RunRequest("command", argv=("true", "{elf")), 2, "single {"),
        (RunRequest("command", argv=("",)), 2, "empty name"),
        (RunRequest("command", argv=("true",), fetch=("x",)), 2, "--fetch"),
        (RunRequest("command", argv=("./nowhere",)), 4, "no such file"),
        (RunRequest("command", argv=("/etc/passwd",)), 4, "not an executable"),
        (RunRequest("command", argv=("true",), artefact="/nowhere.pte"), 3, "/nowhere.pte"),
        (RunRequest("command", argv=("true",), cwd="/nowhere"), 3, "/nowhere"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_leaves_no_run(request_: RunRequest, code: int, words: str) -> None:
    with pytest.raises(JobError) as caught:
        launch(request_, runs_root())
    assert caught.value.exit_code == code and words in str(caught.value)
    assert list_runs(runs_root()) == [] and isinstance(caught.value, UsageError) == (code == 2)
    assert isinstance(caught.value, MissingTool) == (code == 4)


def test_a_terminal_of_its_own() -> None:
    body = (
        "import os, sys, signal\n"
        "assert os.isatty(0) and os.isatty(1) and os.isatty(2)\n"
        "tty = open('/dev/tty', 'w'); tty.write('mine\\n'); tty.flush()\n"
        "assert os.getsid(0) == os.getpid() and os.tcgetpgrp(0) == os.getpid()\n"
        "print(os.get_terminal_size(1), [n for n in ('LINES', 'COLUMNS', 'LC_CTYPE') if n in os.environ], flush=True)\n"
        "raise SystemExit(7)"
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("LC_CTYPE", "LC_ALL", "LANG")}
    # Python sets LC_CTYPE for itself where there is no locale: for the launcher that must not show, for this child it may.
    out, end, _ = _terminal(body, env=environment | {"LINES": "3", "COLUMNS": "4", "PYTHONCOERCECLOCALE": "0"})
    assert out == b"mine\r\nos.terminal_size(columns=80, lines=24) []\r\n" and (end.code, end.reason) == (7, "ended")


def test_a_terminal_takes_what_is_written_and_breaks_on_ctrl_c() -> None:
    job = ProcessJob(["sh", "-c", 'printf "name? "; read name; echo "$name"; exec sleep 100'], pty=True)
    assert job.write(b"too early") == 0
    seen, said = b"", 0
    for event in job.run():
        if isinstance(event, Chunk):
            seen += event.data
            if said == 0 and seen == b"name? ":
                said = job.write(b"board\n")
            elif said == 6 and seen == b"name? board\r\nboard\r\n":  # the echo, and the answer
                said += job.write(b"\x03")
    assert said == 7 and isinstance(event, Exit) and (event.code, event.reason) == (-2, "ended")
    assert job.write(b"too late") == 0


def test_what_a_terminal_cannot_start_is_told_as_without(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_bytes(b"\0\1junk")
    text.chmod(0o755)
    for argv in (["/nowhere/qemu"], [str(text)], ["a\0b"]):
        ends = [list(ProcessJob(argv, pty=pty).run())[-1] for pty in (True, False)]
        assert [end.reason for end in ends if isinstance(end, Exit)] == ["not_started"] * 2
        assert [end.text for end in ends if isinstance(end, Exit)] == [ends[0].text] * 2  # type: ignore[union-attr]


def test_signals_are_as_a_command_expects_them() -> None:
    job = ProcessJob(["sh", "-c", "grep SigIgn /proc/self/status"], pty=True)
    out = b"".join(event.data for event in job.run() if isinstance(event, Chunk))
    standard = (
        1 << 31
    ) - 1  # the others are the C library's and the kernel's, and may come ignored from whoever started us
    assert int(out.split()[1], 16) & standard == 0, out


@pytest.mark.parametrize("pty", [False, True])
def test_a_child_that_ignores_sigterm_is_killed(pty: bool) -> None:
    argv = ["sh", "-c", "trap '' TERM HUP; sleep 100 & echo up $!; wait; sleep 100"]
    job = ProcessJob(argv, pty=pty, limits=Limits(term_grace_seconds=0.2))
    pids: list[int] = []
    for event in job.run():
        if isinstance(event, Started) and event.pid is not None:
            pids.append(event.pid)
        if isinstance(event, Chunk) and event.data:
            pids.append(int(event.data.split()[1]))
            job.stop()
    assert isinstance(event, Exit) and (event.reason, event.code) == ("stopped", -9)
    patience = time.monotonic() + 30
    while any(process_started(pid) is not None for pid in pids):
        assert time.monotonic() < patience
        time.sleep(0.01)
    assert len(pids) == 2


@pytest.mark.parametrize("pty", [False, True])
def test_a_process_in_another_session_that_keeps_the_output_open_is_told_and_not_waited_for(pty: bool) -> None:
    argv = ["sh", "-c", "trap '' HUP; setsid sh -c 'echo $$; exec sleep 300' & sleep 0.5; echo end"]
    job = ProcessJob(argv, pty=pty)
    out = b""
    for event in job.run():
        if isinstance(event, Chunk):
            out += event.data
    stranger = next(int(line) for line in out.split() if line.isdigit())
    try:
        assert isinstance(event, Exit) and event.code == 0 and event.seconds < 100
        assert "still has its output open" in event.text
        assert process_started(stranger) is not None
    finally:
        os.kill(stranger, 9)


def test_a_flood_is_kept_whole_until_it_is_ended() -> None:
    session, end = _session("sh", "-c", "exec yes I am a line of nothing", timeout=0.5)
    log = _log(session)
    assert end.reason == "timeout" and len(log) > 100_000
    assert log == (b"I am a line of nothing\n" * (len(log) // 23 + 1))[: len(log)]


def test_a_text_ends_the_run_also_without_a_line_and_in_pieces() -> None:
    session, end = _session("sh", "-c", "printf 'log'; sleep 0.3; printf 'in: '; exec sleep 100", until=("login: ",))
    assert end.reason == "marker" and _log(session) == b"login: "
    ends = Until(["", "\xe9nd", "stop"])
    assert [ends.feed(piece) for piece in (b"st", b"o", b"\xc3", b"\xa9n", b"d")] == [None] * 4 + ["\xe9nd"]


@needs_qemu
@pytest.mark.parametrize("terminal", [[], ["--pty"]])
def test_a_run_in_qemu(terminal: list[str], tmp_path: Path, samples: Path) -> None:
    log = (samples / "softmax.log").read_bytes()
    elf = tmp_path / "a runner.elf"
    elf.write_bytes(bare_metal.elf(log))
    done = _cli("run", elf, "--on", "command", "-q", *terminal, "--", *QEMU, "{elf}")
    assert done.returncode == 0, done.stderr
    (folder,) = list_runs(runs_root())
    assert folder.console_path.read_bytes() == (log.replace(b"\n", b"\r\n") if terminal else log)
    assert folder.manifest["argv"][-1] == str(elf) and folder.status == "passed"


@needs_qemu
def test_a_board_in_qemu_that_stays_on_is_ended_at_the_runners_marker(tmp_path: Path, samples: Path) -> None:
    elf = tmp_path / "runner.elf"
    elf.write_bytes(bare_metal.elf((samples / "missing_op_softmax.log").read_bytes(), exits=False))
    session, end = _session(*QEMU, str(elf), silence=60.0)
    assert end.reason == "marker" and end.seconds < 50, end
    assert session.folder is not None and session.folder.status == "failed"
