"""Runs of programs that print nothing of a known runner: the exit code follows what happened, in every place alike.

A command, a machine behind SSH and a serial port may carry anything.  Each kind runs with its real part here; a simulator
that printed nothing stays one that never started.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.analysis import CaptureReader, Outcome
from ethosu_tui.runners.process import ProcessJob
from ethosu_tui.runners.runs.folder import RunFolder, list_runs, runs_root
from ethosu_tui.runners.session import Session
from ethosu_tui.tui.cli import main

from . import board as ssh_board
from . import boards, standin_fvp
from .keepers import only_run, wait_gone, wait_over

COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]
ENDS = {
    "finished": ("exit 0", (), 0, "no-verdict"),
    "failed": ("exit 3", (), 5, "command-failed"),
    "marker": ("echo all done; exec sleep 600", ("--until", "all done"), 0, "no-verdict"),
    "timeout": ("exec sleep 600", ("--timeout", "1"), 124, "time-limit"),
    "hung": ("exec sleep 600", ("--silence", "1"), 124, "hung"),
}
"""What the program does after its first line, the options, the exit code, and the finding."""


def _start(*arguments: object, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    argv = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def _same_everywhere(end: str, code: int, rule: str, out: str, capsys: pytest.CaptureFixture[str]) -> RunFolder:
    """The report, the list of runs, `runs attach` and `analyze` of the folder say the same; the folder is returned."""
    (folder,) = list_runs(runs_root())
    status = "finished" if end == "marker" else end
    assert (folder.state, folder.status) == ("finished", status)
    findings = json.loads(out)["captures"][0]["findings"]
    assert [finding["rule"] for finding in findings] == [rule]
    assert findings == json.loads(folder.report_path.read_text())["captures"][0]["findings"]
    assert "simulator" not in " ".join(findings[0]["advice"].split()) and "simulator" not in findings[0]["title"]
    capsys.readouterr()
    assert main(["runs"]) == 0 and f"finished  {status}" in capsys.readouterr().out
    assert main(["runs", "attach", "latest", "--json"]) == code
    attached = json.loads(capsys.readouterr().out)["captures"][0]
    assert attached["findings"] == findings
    assert main(["analyze", str(folder.path), "--json"]) == (1 if code else 0)
    (analysed,) = json.loads(capsys.readouterr().out)["captures"]
    assert analysed["findings"] == findings and analysed["runs"] == attached["runs"]
    assert [run["status"] for run in attached["runs"]] == ([status] if code else [])
    return folder


@pytest.mark.parametrize("end", ENDS)
def test_a_command(end: str, capsys: pytest.CaptureFixture[str]) -> None:
    script, options, code, rule = ENDS[end]
    out, err = (run := _start("run", "--on", "command", "--json", *options, "--", "sh", "-c", f"echo hello; {script}")).communicate()  # fmt: skip
    assert run.returncode == code, err
    folder = _same_everywhere(end, code, rule, out, capsys)
    assert folder.console_path.read_bytes().startswith(b"hello\n")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.skipif(not ssh_board.PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")
def test_another_machine(end: str, sshd: ssh_board.Board, capsys: pytest.CaptureFixture[str]) -> None:
    script, options, code, rule = ENDS[end]
    argv = ["run", "--on", "ssh:board", "--json", *options, "--", "sh", "-c", f"echo hello; {script}"]
    out, err = (run := _start(*argv, env={**os.environ, "PATH": sshd.env["PATH"]})).communicate()
    assert run.returncode == code, err
    folder = _same_everywhere(end, code, rule, out, capsys)
    assert folder.console_path.read_bytes().startswith(b"hello\n")


@pytest.mark.skipif(not ssh_board.PRESENT and not os.environ.get("CI"), reason="needs OpenSSH's client and sshd")
def test_another_machine_whose_connection_is_lost(
    sshd: ssh_board.Board, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    up = tmp_path / "up"
    argv = ["run", "--on", "ssh:board", "--json", "--", "sh", "-c", f"echo hello; echo >{up}; exec sleep 600"]
    run = _start(*argv, env={**os.environ, "PATH": sshd.env["PATH"]})
    boards.wait_until(up.exists, "the command runs over there")
    boards.wait_until(lambda: only_run(runs_root()).console_path.read_bytes() == b"hello\n", "its output is here")
    sshd.drop()
    out, err = run.communicate()
    assert run.returncode == 5 and "lost (the connection to board was lost" in err, err
    _same_everywhere("truncated", 5, "cut-short", out, capsys)


@pytest.mark.parametrize("end", ("marker", "timeout", "hung"))
def test_a_serial_port(end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("serial")
    _, options, code, rule = ENDS[end]
    board = boards.Board(tmp_path / "port")
    try:
        run = _start("run", "--on", f"serial:{board.link}", "--json", *options)
        board.wait_opened()
        board.say(b"hello\nall done\n")
        out, err = run.communicate()
    finally:
        board.close()
    assert run.returncode == code, err
    folder = _same_everywhere(end, code, rule, out, capsys)
    assert folder.console_path.read_bytes() == b"hello\nall done\n"


@pytest.mark.parametrize(("code", "status"), [(0, 4), (3, 4)])
def test_a_simulator_that_printed_nothing_never_started(code: int, status: int, tmp_path: Path) -> None:
    exe = standin_fvp.write(tmp_path / "fvp", standin_fvp.NAMES[0], b"\x04", exit_code=code)
    elf = standin_fvp.elf(tmp_path / "runner.elf")
    assert main(["run", str(elf), "--on", "fvp", "--target", "ethos-u55-128", "--fvp", str(exe), "-q"]) == status
    (folder,) = list_runs(runs_root())
    assert folder.status == "not_started"


def test_what_a_runner_says_counts_more_than_the_exit_status(samples: Path) -> None:
    for log, status, code in (("softmax.log", 3, 0), ("missing_op_softmax.log", 0, 5)):
        assert main(["run", "--on", "command", "-q", "--", "sh", "-c", f"cat {samples / log}; exit {status}"]) == code
    script = "echo ./FVP_Corstone_SSE-300_Ethos-U55: not found; exit 0"  # as run_fvp.sh, which drops that status
    assert main(["run", "--on", "command", "-q", "--", "sh", "-c", script]) == 4


def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    junk = tmp_path / "tool"
    junk.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(64))
    junk.chmod(0o755)
    assert main(["run", "--on", "command", "-q", "--", str(junk)]) == 4  # is refused by the kernel
    (folder,) = list_runs(runs_root())
    assert folder.status == "not_started" and "not a program for this machine" in folder.manifest["text"]
    junk.chmod(0o644)
    assert main(["run", "--on", "command", "-q", "--", str(junk)]) == 4


def test_one_that_somebody_stopped_has_no_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    run = _start("run", "--on", "command", "--", "sh", "-c", "echo hello; exec sleep 600")
    boards.wait_until(lambda: any(r.console_path.exists() and r.console_path.stat().st_size for r in list_runs(runs_root())), "it runs")  # fmt: skip
    run.send_signal(signal.SIGINT)
    _, err = run.communicate()
    assert run.returncode == 130 and "stopped (stopped)" not in err, err
    folder = wait_over(runs_root())
    assert (folder.state, folder.status) == ("stopped", None)
    assert main(["runs"]) == 0 and "stopped  -" in capsys.readouterr().out


def test_a_run_whose_keeper_was_killed_is_lost_whatever_its_log_says(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = f"cat {samples / 'softmax.log'}; trap '' TERM; while :; do sleep 1; done"
    assert main(["run", "--on", "command", "--detach", "--", "sh", "-c", script]) == 0
    size = (samples / "softmax.log").stat().st_size
    boards.wait_until(lambda: only_run(runs_root()).console_path.exists() and only_run(runs_root()).console_path.stat().st_size >= size, "all is said")  # fmt: skip
    folder = only_run(runs_root())
    if folder.state == "running":
        os.kill(folder.manifest["pid"], signal.SIGKILL)
        wait_gone(folder.manifest["pid"])
    assert only_run(runs_root()).state == "lost"
    capsys.readouterr()
    assert main(["runs", "attach", "latest"]) == 5
    told = capsys.readouterr()
    assert "ethosu-tui: lost (its process is gone" in told.err and "passed" in told.out


def test_a_log_that_never_ends_is_ended_at_its_limit_and_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["run", "--on", "command", "-q", "--max-log-bytes", "100001", "--", "yes", "I am a line"]
    assert main(argv) == 5
    told = capsys.readouterr().err
    assert "has reached its limit of 100,001 bytes; the run was ended" in told and "more bytes were not kept" in told
    assert f"what was captured is kept as run {only_run(runs_root()).id}" in told
    folder = only_run(runs_root())
    assert folder.console_path.read_bytes() == (b"I am a line\n" * 8334)[:100_001]
    assert (folder.state, folder.status) == ("stopped", "truncated")
    wait_gone(folder.manifest["child_pid"])
    assert main(["runs", "attach", "latest", "-q"]) == 5 and "its limit of 100,001 bytes" in capsys.readouterr().err
    assert main(["analyze", str(folder.path), "--json"]) == 1
    assert "its limit of 100,001 bytes" in capsys.readouterr().out
    assert main([*argv[:5], "0", *argv[6:]]) == 2


def test_a_board_that_starts_for_ever_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    start = "I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $"
    script = f"i=0; while [ $i -lt 25 ]; do echo '{start}'; i=$((i+1)); done; exit 1"
    assert main(["run", "--on", "command", "-q", "--", "sh", "-c", script]) == 5
    printed = capsys.readouterr().out
    assert "started 25 times" in printed and "truncated-log" in printed and len(printed.splitlines()) < 60
    assert main(["runs", "show", "latest"]) == 0
    shown = capsys.readouterr().out
    assert "started 25 times" in shown and len(shown.splitlines()) < 90


def test_a_log_that_fits_its_limit_exactly_is_whole(samples: Path) -> None:
    log = samples / "softmax.log"
    limit = str(log.stat().st_size)
    assert main(["run", "--on", "command", "-q", "--max-log-bytes", limit, "--", "cat", str(log)]) == 0
    assert only_run(runs_root()).console_path.read_bytes() == log.read_bytes()


def test_a_command_has_the_time_to_end_that_it_is_given() -> None:
    body = "trap 'sleep 2; echo cleaned up; exit 0' TERM; echo up; while :; do sleep 0.1; done"
    for grace, whole in (("30", True), ("0.2", False)):
        argv = ["run", "--on", "command", "-q", "--grace", grace, "--timeout", "1", "--", "sh", "-c", body]
        assert main(argv) == 124
        assert (b"cleaned up" in list_runs(runs_root())[0].console_path.read_bytes()) == whole


def test_repeats_of_a_command_that_ends_well_all_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--on", "command", "--repeat", "2", "--", "true"]) == 0
    told = capsys.readouterr()
    assert "2 of 2 repeats ended well" in told.err and "Repeats: 2 runs" in told.out
    assert main(["run", "--on", "command", "--repeat", "2", "--", "false"]) == 5
    assert "0 of 2 repeats" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome("ended", 0, "", "command"), None),
        (Outcome("ended", -11, "killed by SIGSEGV", "command"), "failed"),
        (Outcome("marker", -15, "", "ssh"), None),
        (Outcome("ended", 255, "", "ssh"), "failed"),
        (Outcome("stopped", -15, "stopped", "command"), None),
        (Outcome("not_started", None, "no such program", "command"), "not_started"),
        (Outcome("lost", None, "", "serial"), "truncated"),
        (Outcome("ended", 0, "", "fvp"), "not_started"),
        (Outcome("ended", 0), "not_started"),
    ],
)
def test_the_verdict_of_the_host_alone(outcome: Outcome, status: str | None) -> None:
    reader = CaptureReader("x")
    reader.feed(b"\x1b[31mhello\r\n")
    capture = reader.finish(outcome)
    assert [run.status for run in capture.runs] == ([status] if status else [])
    assert bool(capture.findings) == (outcome.reason != "stopped")


def test_a_compile_that_fails_is_no_success(tmp_path: Path) -> None:
    """What a compiler printed is read; that its command failed is told all the same."""
    log = b"Network summary for net\nAccelerator configuration               Ethos_U55_128\n"
    job = ProcessJob([sys.executable, "-c", f"import os, sys; os.write(1, {log!r}); sys.exit(1)"])
    session = Session(job, RunFolder.create(tmp_path, "run", "x"), "x", kind="command")
    list(session.events())
    assert session.capture.compile and session.status == "failed"
