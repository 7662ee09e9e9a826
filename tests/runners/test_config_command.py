"""`ethosu-tui config`: each setting with where it comes from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.settings_file import CONFIG_VARIABLE
from ethosu_tui.runners.simulator import FVP_NAMES, FVP_PATH_VARIABLE
from ethosu_tui.tui.cli import main


def by_name(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    assert main(["config", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "ethosu-tui/config/1"
    return {setting["name"]: setting for setting in found["settings"]}


def test_each_setting_has_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (CONFIG_VARIABLE, FVP_PATH_VARIABLE, "EXECUTORCH_ROOT"):
        monkeypatch.delenv(name, raising=False)
    found = by_name(capsys)
    assert found["workspace"]["origin"] == "$ETHOSU_TUI_WORKSPACE"
    assert (found["python"]["value"], found["python"]["origin"]) == (sys.executable, "default")
    assert found["FVP folders"] == {"name": "FVP folders", "value": None, "origin": "default", "problem": None}
    assert found["locks"]["origin"] == "$ETHOSU_TUI_LOCKS" and found["locks"]["value"]
    assert "targets (project)" not in found and found["ExecuTorch checkout"]["value"] is None

    fvp = tmp_path / "fvps" / FVP_NAMES[0]
    fvp.parent.mkdir()
    fvp.write_text("#!/bin/sh\n")
    fvp.chmod(0o755)
    (tmp_path / "executorch" / "examples" / "arm").mkdir(parents=True)
    (tmp_path / "ethosu-tui.toml").write_text("[targets.x]\n")
    (tmp_path / "user.toml").write_text("[targets.y]\nkind = 'host'\nbauds = 1\n")
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "user.toml"))
    monkeypatch.setenv(FVP_PATH_VARIABLE, f"{fvp.parent}:/gone")
    monkeypatch.setenv("ETHOSU_TUI_PYTHON", "/x/python")
    found = by_name(capsys)
    assert found["python"] == {"name": "python", "value": "/x/python", "origin": "$ETHOSU_TUI_PYTHON", "problem": None}
    assert found["FVP folders"]["problem"] == "no folder /gone"
    assert (found[FVP_NAMES[0]]["value"], found[FVP_NAMES[0]]["origin"]) == (str(fvp), f"${FVP_PATH_VARIABLE}")
    assert found[FVP_NAMES[2]]["value"] is None and found[FVP_NAMES[2]]["problem"]
    assert found["targets (project)"]["value"] == str(tmp_path / "ethosu-tui.toml")
    assert (
        found["targets (user)"]["origin"] == f"${CONFIG_VARIABLE}" and "1 wrong" in found["targets (user)"]["problem"]
    )
    assert found["ExecuTorch checkout"] == {
        "name": "ExecuTorch checkout", "value": str(tmp_path / "executorch"), "origin": "found", "problem": None,
    }  # fmt: skip
    monkeypatch.setenv("EXECUTORCH_ROOT", "/nowhere")
    assert by_name(capsys)["ExecuTorch checkout"]["problem"] == "is no checkout: it has no examples/arm"
    assert main(["config"]) == 0 and "ETHOSU_TUI_PYTHON" in capsys.readouterr().out
