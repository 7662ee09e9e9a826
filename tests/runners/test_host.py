"""Programs executed on this machine: figures, and the findings of those that cannot run here."""

from __future__ import annotations

import json
import os
import stat
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.runners import host_worker
from ethosu_tui.runners.host import HostJob, HostRun, host_argv, host_interpreter
from ethosu_tui.runners.interpreters import Interpreter
from ethosu_tui.runners.job import InputError, MissingTool, UsageError
from ethosu_tui.runners.runs.folder import RunFolder, list_runs
from ethosu_tui.runners.session import Session
from ethosu_tui.tui.cli import main

PROGRAMS_HERE = Path(__file__).parents[1] / "programs"
PROGRAMS = """
    import sys, torch
    from executorch.exir import to_edge
    class Mixed(torch.nn.Module):
        def forward(self, x, y):
            return torch.softmax(x, -1) + 1, x > y, (x * 10).to(torch.int32)
    made = torch.export.export(Mixed(), (torch.ones(2, 3), torch.ones(2, 3)))
    open(sys.argv[1] + "/mixed.pte", "wb").write(to_edge(made).to_executorch().buffer)
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAMS), str(folder)], check=True, capture_output=True, timeout=300
    )
    return folder


def _run(request: HostRun, tmp_path: Path) -> tuple[Capture, Path]:
    folder = RunFolder.create(tmp_path / "runs", "run", "host")
    job = HostJob(request, host_interpreter())
    job.keep_etdump(str(folder.path / "etdump.etdp"))
    session = Session(job, folder, "host")
    list(session.events())
    return session.capture, folder.path


@pytest.mark.compile
def test_a_program_runs_with_outputs_and_time_per_operator(programs: Path, tmp_path: Path) -> None:
    capture, folder = _run(HostRun(str(programs / "mixed.pte"), iterations=3), tmp_path)
    (run,) = capture.runs
    assert run.status == "passed" and run.target.platform == "host" and not capture.findings
    assert [(tensor.dtype, tensor.count) for tensor in run.outputs] == [("float", 6), ("bool", 6), ("int", 6)]
    assert run.outputs[0].first == pytest.approx([4 / 3] * 6, abs=1e-6)
    assert run.outputs[1].first == (0,) * 6 and run.outputs[2].first == (10,) * 6
    kernels = [(operator.instruction, operator.name) for operator in run.times.operators]
    assert (0, "_softmax.out") in kernels and len(kernels) >= 5
    assert all(operator.seconds >= 0 for operator in run.times.operators)
    assert run.times.load_seconds is not None and run.times.inference_seconds is not None
    profile = (folder / "etdump.etdp").read_bytes()
    assert [(i, name) for i, name, _ in host_worker.operator_times(profile)] == kernels


@pytest.mark.compile
def test_inputs_from_files(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(struct.pack("<6f", 0, 0, 0, 5, 5, 5))
    (tmp_path / "y.bin").write_bytes(struct.pack("<6f", *[1] * 6))
    inputs = (str(tmp_path / "x.bin"), str(tmp_path / "y.bin"))
    capture, _ = _run(HostRun(str(programs / "mixed.pte"), inputs), tmp_path)
    assert capture.runs[0].outputs[1].first == (0, 0, 0, 1, 1, 1)
    assert capture.runs[0].outputs[2].first == (0, 0, 0, 50, 50, 50)
    (tmp_path / "y.bin").write_bytes(b"abc")
    capture, folder = _run(HostRun(str(programs / "mixed.pte"), inputs), tmp_path)
    assert capture.runs[0].status == "failed"
    assert b"input size (3) and tensor size (24) mismatch!" in (folder / "console.log").read_bytes()


@pytest.mark.compile
def test_every_end_has_its_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "runs"))
    program = PROGRAMS_HERE / "softmax_float.pte"
    cut = tmp_path / "cut.pte"
    cut.write_bytes(program.read_bytes()[:300])
    assert main(["run", str(program), "--on", "host", "-q"]) == 0
    assert main(["run", str(cut), "--on", "host", "-q"]) == 5
    assert main(["run", str(program), "--on", "host", "-q", "--timeout", "0.05"]) == 124  # torch is not there by then
    assert main(["run", str(program), "--on", "host", "-q", "--python", str(tmp_path / "none")]) == 4
    hung, failed, passed = list_runs(tmp_path / "runs")
    assert (hung.status, failed.status, passed.status) == ("timeout", "failed", "passed")
    cause = json.loads(failed.report_path.read_text())["captures"][0]["findings"][0]
    assert (cause["rule"], cause["severity"]) == ("program-load-failed", "error")


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("[method.cpp:85] Backend EthosUBackend is not registered.", "backend-not-registered"),
        ("[method.cpp:822] Missing operator: [0] cortex_m::quantize_per_tensor.out", "missing-operator"),
    ],
)
def test_what_the_runtime_says_is_understood(message: str, rule: str) -> None:
    log = f"""\
        I [ethosu-tui:host] Model file m.pte is loaded.
        I [ethosu-tui:host] Using method forward
        {message}
        E [ethosu-tui:host] Loading of method forward failed with status 0x20
    """
    capture = read_capture("host", textwrap.dedent(log).encode())
    assert capture.runs[0].status == "failed" and capture.findings[0].rule == rule
    assert capture.findings[0].lines == (3,)


@pytest.mark.parametrize("data", [b"", b"ED00", bytes(64), b"\0\0\0\0ED99" + bytes(64)])
def test_an_unknown_profile_is_said_to_be_one(data: bytes) -> None:
    with pytest.raises(host_worker.Failed, match="unknown format"):
        host_worker.operator_times(data)


def test_the_command_and_its_mistakes(tmp_path: Path) -> None:
    argv = host_argv(HostRun("m.pte", ("a", "b"), 2), "/p/python")
    assert argv[0] == "/p/python" and argv[2:] == ["m.pte", "--iterations", "2", "--input", "a", "--input", "b"]
    with pytest.raises(UsageError, match="iterations"):
        host_argv(HostRun("m.pte", iterations=0), "python")
    interpreter = Interpreter("python", "own", "3.11", {}, None)
    with pytest.raises(InputError, match="cannot read"):
        HostJob(HostRun(str(tmp_path / "gone.pte")), interpreter)


def test_an_interpreter_without_executorch_is_told_apart(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
    if b"executorch" in subprocess.run([bare, "-c", "import executorch"], capture_output=True).stdout:
        pytest.skip("executorch is on the path of a bare interpreter")
    with pytest.raises(MissingTool) as caught:
        host_interpreter(str(bare))
    assert "lacks executorch and torch" in caught.value.message and "pip install" in caught.value.hint
    with pytest.raises(MissingTool):
        host_interpreter(str(tmp_path / "nothing"))
    assert "executorch" not in os.environ.get("PYTHONPATH", "")
