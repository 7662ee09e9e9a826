"""Commands beside a run: nothing goes through a shell, output is kept, failures are quoted, and nothing is left behind."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from ethosu_tui.runners.hooks import Hook, run_hook, words
from ethosu_tui.runners.job import UsageError
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.placeholders import fill

from .boards import wait_until

HOSTILE = ["a b", "'", '"', "$(id)", "; rm -rf", "{elf}", "\\", "*", "ü", "-x", "\n"]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_stays_one_word(value: str) -> None:
    assert fill(["tool", "--file={artefact}", "{artefact}{artefact}"], {"artefact": value}) == [
        "tool", f"--file={value}", value + value,
    ]  # fmt: skip


def test_doubled_braces_are_braces() -> None:
    assert fill(["{{elf}}", "{{x: 1}}", "$HOME"], {}) == ["{elf}", "{x: 1}", "$HOME"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("{file}", "the flash command has {file} in .*, which stands for nothing"),
        ("{elf}", "wants {elf} in .*, and this run has none"),
    ],
)
def test_what_cannot_be_filled_is_refused(word: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fill(["tool", word], {"artefact": "x", "elf": None}, "the flash command")


def test_a_typed_command_is_taken_apart_without_a_shell() -> None:
    assert words("pyocd load '{elf}' --target=\"a b\" $HOME", "--flash") == (
        "pyocd", "load", "{elf}", "--target=a b", "$HOME",
    )  # fmt: skip
    for wrong in ("it's", "", "  "):
        with pytest.raises(UsageError, match="--flash"):
            words(wrong, "--flash")


def test_output_is_kept_raw_and_shown_clean(tmp_path: Path) -> None:
    code = r"import os; os.write(1, b'\x1b[32merasing\x1b[0m\r\nno newline \xff')"
    hook = Hook("flash", [sys.executable, "-c", code])
    said = [progress.stage for progress in hook.run(tmp_path / "flash.log")]
    assert said[1:] == ["flash: erasing", "flash: no newline \ufffd"] and hook.failure is None
    assert (tmp_path / "flash.log").read_bytes().endswith(b"\x1b[32merasing\x1b[0m\r\nno newline \xff")


def test_a_failure_is_told_with_the_last_lines() -> None:
    code = "import sys; print(*range(9), sep='\\n'); sys.exit('No probe found')"
    failure = run_hook(Hook("flash", [sys.executable, "-c", code]))
    assert failure is not None and failure.startswith("flash failed: python") and "exit status 1" in failure
    assert failure.endswith("it says: 5 | 6 | 7 | 8 | No probe found")
    missing = run_hook(Hook("reset", ["/nowhere/nrfjprog"]))
    assert missing is not None and "cannot execute /nowhere/nrfjprog" in missing


def test_a_hook_that_never_ends_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"sleep 1000 & echo $! > {pid}.new; mv {pid}.new {pid}; wait"
    hook = Hook("flash", ["/bin/sh", "-c", script])
    thread = threading.Thread(target=run_hook, args=(hook,))
    thread.start()
    wait_until(pid.exists, "it runs")
    hook.stop()
    thread.join(30)
    assert not thread.is_alive() and hook.failure is not None and "stopped" in hook.failure
    wait_until(lambda: process_started(int(pid.read_text())) is None, "its child has ended")
    limited = Hook("flash", ["/bin/sleep", "1000"], time_limit_seconds=0.2)
    assert "time limit of 0.2 s" in str(run_hook(limited))
