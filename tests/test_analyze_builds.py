"""`analyze` on captures without a run: a failed build or compile is a finding (exit 1), not an unreadable input (exit 3)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.analysis.rules.samples import render
from ethosu_tui.analysis.rules.samples_host import HOST_SAMPLES

SHOWN = ("link-overflow", "missing-out-variants", "out-of-memory", "eula-not-accepted", "build-log")


@pytest.mark.parametrize("rule", SHOWN)
def test_a_capture_without_a_run(tmp_path: Path, rule: str) -> None:
    sample = next(s for s in HOST_SAMPLES if s.rule == rule)
    log = tmp_path / "build.log"
    log.write_text(render(sample), "utf-8")
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--json", str(log)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == (1 if sample.severity == "error" else 0), done.stderr
    (capture,) = json.loads(done.stdout)["captures"]
    assert capture["runs"] == []
    first = capture["findings"][0]
    assert (first["rule"], first["severity"], first["run"]) == (rule, sample.severity, None)
    assert all(word in first["title"] + first["detail"] + first["advice"] for word in sample.words)
