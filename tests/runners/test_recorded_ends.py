"""How a stored run ended is read from its manifest, which anybody may have written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import Outcome
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.runs.stored import recorded_outcome, was_stopped


def stored(root: Path, state: str = "finished", **facts: Any) -> str:
    folder = RunFolder.create(root, "run", "net", on="fvp")
    folder.finish("failed", state=state, **{"reason": "ended", "exit_code": 1, "text": "", **facts})  # type: ignore[arg-type]
    return str(folder.path)


def test_the_end_is_that_of_the_manifest(tmp_path: Path) -> None:
    assert recorded_outcome(stored(tmp_path)) == Outcome("ended", 1, "", "fvp")
    stopped = stored(tmp_path, "stopped", reason="stopped", exit_code=None, text="by hand")
    assert recorded_outcome(stopped) == Outcome("stopped", None, "by hand", "fvp")
    assert recorded_outcome(stored(tmp_path, on="ssh:board")) == Outcome("ended", 1, "", "ssh")
    named = stored(tmp_path, on="my-board", place={"kind": "serial", "name": "my-board"})
    assert recorded_outcome(named) == Outcome("ended", 1, "", "serial")


def test_a_run_that_goes_on_has_no_end_and_one_whose_keeper_died_is_lost(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "run", "net", reason="ended", exit_code=0)
    assert recorded_outcome(str(folder.path)) is None
    folder.update(pid_started="another process")
    assert recorded_outcome(str(folder.path)) == Outcome("lost")


def test_what_is_no_stored_run_has_no_end(tmp_path: Path) -> None:
    compiled = RunFolder.create(tmp_path, "compile", "net")
    compiled.finish("ok", reason="ended", exit_code=0)
    for path in (compiled.path, tmp_path, tmp_path / "none", "~nobody-of-this-name/x", "a\0b"):
        assert recorded_outcome(str(path)) is None and not was_stopped(str(path))


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ({"reason": "happy"}, None),
        ({"reason": None}, None),
        ({"exit_code": True}, Outcome("ended", None, "", "fvp")),
        ({"exit_code": "1"}, Outcome("ended", None, "", "fvp")),
        ({"exit_code": 1 << 32}, Outcome("ended", None, "", "fvp")),
        ({"exit_code": -11}, Outcome("ended", -11, "", "fvp")),
        ({"text": ["x"]}, Outcome("ended", 1, "", "fvp")),
        ({"text": "x" * 9999}, Outcome("ended", 1, "x" * 2000, "fvp")),
        ({"on": 7}, Outcome("ended", 1, "", "")),
        ({"place": "fvp"}, Outcome("ended", 1, "", "fvp")),
    ],
)
def test_what_no_keeper_writes_is_not_believed(facts: dict[str, Any], outcome: Outcome | None, tmp_path: Path) -> None:
    assert recorded_outcome(stored(tmp_path, **facts)) == outcome


@pytest.mark.parametrize(
    ("state", "reason", "stopped"),
    [("stopped", "stopped", True), ("stopped", "lost", False), ("finished", "ended", False)],
)
def test_only_a_run_that_somebody_ended_was_stopped(state: str, reason: str, stopped: bool, tmp_path: Path) -> None:
    assert was_stopped(stored(tmp_path, state, reason=reason)) == stopped
