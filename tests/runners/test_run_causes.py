"""What cut a run, or kept it from coming further, is said in two words wherever its end is said; and help for one action."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.runs.index import Listed, listed
from ethosu_tui.runners.runs.stored import was_stopped
from ethosu_tui.tui.commands.parsers import command_parser
from ethosu_tui.tui.commands.runs import ACTIONS, _options
from ethosu_tui.tui.stored import stored_runs

BOOT = "I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $"
LOOP = f"while true; do echo {shlex.quote(BOOT)}; sleep 0.05; done"


def _cli(*arguments: object) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120)


def _home(row: Listed) -> str:
    (cells,) = stored_runs([row], time.time()).table.rows
    return cells[3].text


def test_a_boot_loop_that_the_limit_ended_is_called_both() -> None:
    done = _cli("run", "--on", "command", "--timeout", "2", "-q", "--", "sh", "-c", LOOP)
    said = done.stderr.splitlines()[-1]
    assert (
        done.returncode == 124
        and "boot loop, timeout" in said
        and "time limit of 2 s" in said
        and "truncated" not in said
    )
    (row,) = listed(runs_root())
    assert (row.status, row.cause) == ("timeout", "boot loop") and _home(row).endswith("timeout, boot loop")
    assert "timeout, boot loop" in _cli("runs").stdout
    again = _cli("runs", "attach", "latest", "-q")
    assert again.returncode == 124 and "boot loop, timeout" in again.stderr


def test_a_run_cut_by_its_log_limit_was_not_stopped() -> None:
    done = _cli("run", "--on", "command", "--max-log-bytes", "400", "-q", "--", "sh", "-c", LOOP)
    assert done.returncode == 5 and "reached its limit of 400 bytes" in done.stderr
    (row,) = listed(runs_root())
    assert row.is_cut and _home(row) == "! cut, log limit" and not was_stopped(row.path)
    assert "truncated, log limit" in _cli("runs").stdout


def test_a_run_that_somebody_stopped_still_says_so(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "net")
    folder.finish("truncated", state="stopped", reason="stopped", text="", exit_code=None)
    older = RunFolder.create(tmp_path, "run", "old")
    older.finish("truncated", state="stopped", reason="lost", text="the disk is full", exit_code=None)
    shown = {row.id: _home(row) for row in listed(tmp_path)}
    assert shown[folder.id].endswith("stopped") and was_stopped(str(folder.path))
    assert shown[older.id] == "! cut, recording failed", "of a release that wrote no cause"


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_has_a_help_of_its_own_with_what_it_looks_at(action: str) -> None:
    done = _cli("runs", action, "--help")
    assert done.returncode == 0 and f"ethosu-tui runs {action} [options]" in done.stdout
    for names, actions, _ in _options():
        assert (f" {names[-1]} " in done.stdout.replace("\n", " ")) == (action in actions), names


def test_an_option_of_another_action_is_refused() -> None:
    refused = _cli("runs", "show", "latest", "--output", "x.zip")
    assert refused.returncode == 2 and "--output is for `runs bundle`, not for `runs show`" in refused.stderr
    whole = command_parser("runs").format_help()
    assert all(names[-1] in whole for names, _, _ in _options())
