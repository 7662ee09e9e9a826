"""`ethosu-tui runs` lists, shows and removes; no name reaches outside the workspace, nothing running is removed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.job import InputError, UsageError
from ethosu_tui.runners.replay import ReplayJob
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.session import Session
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands.runs_actions import find


def _stored(samples: Path, log: str) -> RunFolder:
    folder = RunFolder.create(runs_root(), "run", log)
    list(Session(ReplayJob(samples / log), folder, str(folder.path)).events())
    return folder


def _lost() -> RunFolder:
    folder = RunFolder.create(runs_root(), "run", "lost one")
    with folder.console() as console:
        console.write(b"I [executorch:arm_executor_runner.cpp:70 main()] Running method forward\nhalf a li", 0.0)
    folder.update(pid=2**30)
    return folder


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["runs", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_nothing_yet_is_said_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "no runs in" in shown.err
    assert _json(capsys)["runs"] == []


def test_all_states_are_listed(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passed, failed, lost = _stored(samples, "softmax.log"), _stored(samples, "temp_small_topk.log"), _lost()
    (runs_root() / "broken").mkdir()
    running = RunFolder.create(runs_root(), "compile", "still \x1b[31m going")
    assert main(["runs"]) == 0
    shown = capsys.readouterr().out
    rows = {line.split()[0]: line for line in shown.splitlines() if line.split()}
    assert "finished" in rows[passed.id] and "passed" in rows[passed.id]
    assert "finished" in rows[failed.id] and "failed" in rows[failed.id]
    assert "lost" in rows[lost.id] and "broken" in rows["broken"] and "no manifest.json" in rows["broken"]
    assert "running" in rows[running.id] and "\x1b" not in shown
    states = {run["id"]: run["state"] for run in _json(capsys)["runs"]}
    assert states == {
        passed.id: "finished",
        failed.id: "finished",
        lost.id: "lost",
        "broken": "broken",
        running.id: "running",
    }


def test_show_gives_the_manifest_and_the_figures(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, lost = _stored(samples, "softmax.log"), _lost()
    assert main(["runs", "show", folder.id[:-1]]) == 0
    shown = capsys.readouterr().out
    assert folder.id in shown and "Summary" in shown and "passed" in shown
    assert main(["runs", "show", lost.id]) == 0
    assert "lost" in capsys.readouterr().out
    (run,) = _json(capsys, "show", folder.id)["runs"]
    assert run["report"]["captures"][0]["runs"][0]["status"] == "passed" and run["id"] == folder.id
    (run,) = _json(capsys, "show", "latest")["runs"]
    assert run["id"] == lost.id and run["report"] is None


def test_hostile_manifests_do_not_break_listing_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    for number, text in enumerate((b'"seconds": NaN', b'"seconds": true', b'"label": "\\u001b[2J", "seconds": 1e400')):
        folder = runs_root() / f"hostile{number}"
        folder.mkdir(parents=True)
        head = b'{"schema": "ethosu-tui/manifest/1", "kind": "run", "state": "finished", '
        (folder / "manifest.json").write_bytes(head + text + b"}")
        (folder / "report.json").write_bytes(b"[" * 100_000)
    assert main(["runs"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert len(_json(capsys)["runs"]) == 3 and len(_json(capsys, "show", "hostile0", "hostile1")["runs"]) == 2
    for name in ("hostile0", "hostile1", "hostile2"):
        assert main(["runs", "show", name]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_names_are_prefixes_that_fit_only_one() -> None:
    runs_root().mkdir(parents=True)
    folders = [RunFolder(runs_root() / name, {}) for name in ("20261120-a", "20261120-a-2", "20261119-b")]
    assert find("latest", folders).id == "20261120-a" and find("20261119", folders).id == "20261119-b"
    assert find("20261120-a", folders).id == "20261120-a"
    with pytest.raises(UsageError, match="matches 2 runs"):
        find("20261120", folders)
    for name in ("", "x", "..", "../../x", "/etc", "latest "):
        with pytest.raises((InputError, UsageError)):
            find(name, folders)


@pytest.mark.parametrize("name", ["../../x", "..", ".", "/etc/passwd", "*", "nothing"])
def test_removal_reaches_nothing_outside(
    name: str, samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").mkdir()
    folder = _stored(samples, "softmax.log")
    assert main(["runs", "rm", name]) == 3
    assert "no stored run has the id" in capsys.readouterr().err
    assert folder.path.is_dir() and (tmp_path / "x").is_dir()


def test_removal(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, lost = _stored(samples, "softmax.log"), _lost()
    running = RunFolder.create(runs_root(), "run", "going on")
    (runs_root() / "broken").mkdir()
    assert main(["runs", "rm", folder.id, running.id]) == 2
    assert "is running" in capsys.readouterr().err and folder.path.is_dir()
    assert main(["runs", "rm"]) == 2
    assert _json(capsys, "rm", folder.id, lost.id, "broken")["removed"] == [folder.id, lost.id, "broken"]
    assert [path.name for path in runs_root().iterdir() if path.is_dir()] == [running.id]


def test_a_workspace_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "file"))
    assert main(["runs"]) == 3
    assert "ETHOSU_TUI_WORKSPACE" in capsys.readouterr().err


def test_listing_imports_neither_textual_nor_torch() -> None:
    body = "import sys; from ethosu_tui.tui.cli import main; main(['runs']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True, check=True)
    for name in ("textual", "rich", "torch", "numpy"):
        assert f"'{name}'" not in done.stdout
