"""Our route with other releases of ExecuTorch, where somebody has them: the programs are those of their own script.

    ETHOSU_TUI_OTHER_PYTHONS=/venvs/et-1.4.1:/venvs/et-1.3.1 pytest tests/runners/test_other_releases_real.py

A release needs gigabytes and minutes, so that this is no part of the usual run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, JobDone, plan
from ethosu_tui.runners.interpreters import find_interpreter

PYTHONS = [path for path in os.environ.get("ETHOSU_TUI_OTHER_PYTHONS", "").split(os.pathsep) if path]
MODEL = "bundled:mnist"

pytestmark = pytest.mark.skipif(not PYTHONS, reason="ETHOSU_TUI_OTHER_PYTHONS names no interpreter")


@pytest.mark.parametrize("python", PYTHONS)
def test_programs_are_those_of_the_releases_own_script(python: str, tmp_path: Path) -> None:
    interpreter = find_interpreter(python)
    assert interpreter.why_script is None and interpreter.findings == ()
    points, _ = plan(["ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256"])
    batch = CompileBatch(CompileOptions(MODEL, interpreter=python), points, tmp_path / "runs")
    results = {event.result.target: event.result for event in batch.run() if isinstance(event, JobDone)}
    routes = [results[point.target].route for point in points]
    assert routes == ["full", "shared", "shared", "full"], [result.route_reason for result in results.values()]
    model, _ = resolve_model(MODEL, interpreter)
    for target in ("ethos-u55-256", "ethos-u65-256", "ethos-u85-256"):
        result = results[target]
        assert result.operators and result.summary is not None and result.summary.delegated_subgraphs == 1
        program = tmp_path / f"{target}.pte"
        options = [f"--model_name={model}", "--delegate", "--quantize", f"--target={target}", f"--output={program}"]
        configuration = [f"--system_config={result.system_config}", f"--memory_mode={result.memory_mode}"]
        subprocess.run([*interpreter.command, *options, *configuration], cwd=tmp_path, check=True, capture_output=True)
        assert hashlib.sha256(program.read_bytes()).hexdigest() == result.sha256, target
