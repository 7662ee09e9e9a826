"""The fuzz targets of profiles, for a few seconds each, from seeds that are whole."""

from __future__ import annotations

import base64
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from ..analysis.etdump_writer import DumpWriter
from ..analysis.trace_writer import DATABASE, TraceWriter
from ..programs import program

HERE = Path(__file__).resolve().parent
RUNS = 3000
"""For each target, with a fixed seed: the same on every machine."""

pytestmark = pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="needs atheris")


def _seeds() -> dict[str, bytes]:
    writer = DumpWriter()
    events = [writer.profile("native_call_add.out", 10, 60, instruction=0), writer.profile(None, 1, 2, delegate_id=3)]
    events.append(writer.debug("add", instruction=0, tensors=[writer.tensor(6, [1], [1], 0)]))
    writer.run("Execute", events)
    dump = writer.finish(sized=True)
    trace = TraceWriter()
    trace.stream((16, 40, 64, 100), (10, 20, 30, 40))
    trace.active("mac", 3, 50)
    return {
        "etdump": dump,
        "base64": base64.encodebytes(dump),
        "trace": b"\x40" + trace.text().encode(),
        "database": DATABASE.encode(),
        "program": program("adds_u85_512_dedicated.pte"),
        "tosa": program("two_parts.tosa"),
    }


def test_no_target_finds_anything_in_a_few_thousand_inputs(tmp_path: Path) -> None:
    running: dict[str, subprocess.Popen[str]] = {}
    for name, seed in _seeds().items():
        corpus = tmp_path / name
        corpus.mkdir()
        (corpus / "seed").write_bytes(seed)
        command = [sys.executable, str(HERE / "fuzz_profiles.py"), name, str(corpus), f"-runs={RUNS}", "-seed=1"]
        command += ["-timeout=120", f"-artifact_prefix={tmp_path}/found-{name}-"]
        running[name] = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    said = {name: child.communicate(timeout=400)[0] for name, child in running.items()}
    for name, child in running.items():
        assert child.returncode == 0, f"{name}: {said[name][-3000:]}"
        assert "Done" in said[name]
