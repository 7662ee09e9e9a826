"""The lines of a stored run with their times: as the chunks came, also where a line began in an earlier one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.event_log import EVENTS, EventLog
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.runs.stamped import stamped_lines
from ethosu_tui.tui.cli import main

CHUNKS = [(b"one\ntw", 1.0), (b"o\n", 2.0), (b"three\nfour\n", 3.5), (b"prompt> ", 9.25)]
EXPECTED = [("one", 1.0, None), ("two", 1.0, 0.0), ("three", 3.5, 2.5), ("four", 3.5, 0.0), ("prompt>", 9.25, 5.75)]


@pytest.fixture
def folder() -> RunFolder:
    one = RunFolder.create(runs_root(), "run", "board")
    with one.console() as console:
        for data, at in CHUNKS:
            console.write(data, at)
    return one


def test_a_line_has_the_time_of_its_beginning(folder: RunFolder) -> None:
    found = [(one.line.text, one.seconds, one.delta_seconds) for one in stamped_lines(folder)]
    assert found == EXPECTED
    assert {one.at for one in stamped_lines(folder)} == {None}, "nothing ties them to a clock"


def test_an_event_ties_them_to_the_clock_of_the_machine(folder: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    EventLog(folder.path / EVENTS).add("opened", 0.5, 0)
    first, *_ = stamped_lines(folder)
    assert first.at is not None
    assert abs(first.at - datetime.now(first.at.tzinfo) - timedelta(seconds=0.5)) < timedelta(seconds=30)
    assert main(["runs", "show", "latest", "--timestamps"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["runs", "show", "latest", "--timestamps", "--json"]) == 2
    assert len(lines) == 5 and lines[2].endswith(" +2.500] three") and lines[0].endswith(" -] one")


@pytest.mark.parametrize(
    "times", [b"", b"nonsense\n", b"[1.0, 0]\n[2.0, 0]\n", b"[1.0]\n", b'["x", "y"]\n', b"[1e99, 0]\n"]
)
def test_damaged_times_cost_no_line(folder: RunFolder, times: bytes) -> None:
    folder.times_path.write_bytes(times)
    assert [one.line.text for one in stamped_lines(folder)] == [text for text, _, _ in EXPECTED]


def test_a_run_without_a_console_says_so(folder: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    Path(folder.console_path).unlink()
    assert main(["runs", "show", "latest", "--timestamps"]) == 3
    assert "console.log cannot be read" in capsys.readouterr().err
