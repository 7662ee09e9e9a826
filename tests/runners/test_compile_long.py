"""MobileNetV2 for all eleven targets, against ExecuTorch's own script: too long for each day (`ETHOSU_TUI_LONG=1`).

The script runs without any of our code, imported once and forked for each target; two of the programs are those that ours
takes the whole way, nine are made of their graphs.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.runners.compile_check import resolve_model
from ethosu_tui.runners.compile_plan import aot_arguments
from ethosu_tui.runners.compiler import CompileBatch, CompileOptions, JobDone, plan
from ethosu_tui.runners.interpreters import find_interpreter

from .test_compile_shared_real import SCRIPT

pytestmark = pytest.mark.skipif(not os.environ.get("ETHOSU_TUI_LONG"), reason="takes minutes; set ETHOSU_TUI_LONG=1")
MODEL = "bundled:mobilenet_v2"


def test_mobilenet_v2_is_that_of_the_script_for_all_targets(tmp_path: Path) -> None:
    points, _ = plan(["all"])
    path, _ = resolve_model(MODEL, find_interpreter())
    commands = []
    for point in points:
        pte = tmp_path / f"{point.target}.pte"
        argv = aot_arguments(CompileOptions(MODEL), point, path, pte, None)
        commands.append({"argv": argv, "log": str(pte.with_suffix(".log"))})
    (tmp_path / "commands.json").write_text(json.dumps(commands))
    batch = CompileBatch(CompileOptions(MODEL), points, tmp_path / "runs")
    results = [event.result for event in batch.run() if isinstance(event, JobDone)]
    subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path / "commands.json")], cwd=tmp_path, check=True)
    assert len(results) == 11
    for result in results:
        theirs = hashlib.sha256((tmp_path / f"{result.target}.pte").read_bytes()).hexdigest()
        print(f"{result.target}: {result.route}, {result.sha256} {'equal' if result.sha256 == theirs else 'DIFFERENT'}")
    assert all(
        result.sha256 == hashlib.sha256((tmp_path / f"{result.target}.pte").read_bytes()).hexdigest()
        for result in results
    )
    assert sorted(result.route for result in results) == ["full"] * 2 + ["shared"] * 9
