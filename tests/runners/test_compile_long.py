"""MobileNetV2 for all eleven targets, against ExecuTorch's own script: too long for each day (`ETHOSU_TUI_LONG=1`).

The script runs without any of our code, imported once and forked for each target; two of the programs are those that ours
takes the whole way, nine are made of their graphs.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, JobDone, plan
from ethosu_tui.runners.compile.plan import aot_arguments
from ethosu_tui.runners.interpreters import find_interpreter

from .conftest import by_the_script

pytestmark = pytest.mark.skipif(not os.environ.get("ETHOSU_TUI_LONG"), reason="takes minutes; set ETHOSU_TUI_LONG=1")
MODEL = "bundled:mobilenet_v2"


def test_mobilenet_v2_is_that_of_the_script_for_all_targets(tmp_path: Path) -> None:
    points, _ = plan(["all"])
    path, _ = resolve_model(MODEL, find_interpreter())
    commands = []
    for point in points:
        pte = tmp_path / f"{point.target}.pte"
        argv = aot_arguments(CompileOptions(MODEL), point, path, pte, None)
        commands.append({"cwd": str(tmp_path), "argv": argv})
    batch = CompileBatch(CompileOptions(MODEL), points, tmp_path / "runs")
    results = [event.result for event in batch.run() if isinstance(event, JobDone)]
    theirs = by_the_script(commands, limit_seconds=7200)
    assert len(results) == 11
    digests = dict(zip([point.target for point in points], theirs, strict=True))
    for result in results:
        same = "equal" if result.sha256 == digests[result.target] else "DIFFERENT"
        print(f"{result.target}: {result.route}, {result.sha256} {same}")
    assert {result.target: result.sha256 for result in results} == digests
    assert sorted(result.route for result in results) == ["full"] * 2 + ["shared"] * 9
