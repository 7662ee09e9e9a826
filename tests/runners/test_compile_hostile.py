"""Models that do, by accident or on purpose, what they should not: nothing of it becomes a figure or a traceback."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ethosu_tui.runners.aot.lines import SignedLines
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, JobDone, JobStarted, plan
from ethosu_tui.runners.compile.result import CompileResult

STANDIN = Path(__file__).with_name("standin_executorch")
SOUND = "ModelUnderTest = 1\nModelInputs = (1,)\nimport os\ndef during(given):\n"

Batch = Callable[..., CompileBatch]


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    """A batch of a model whose `during` is this source, with the stand-in for executorch."""
    shutil.copytree(STANDIN, tmp_path / "packages")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path / "packages"}" exec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)

    def make(body: str, *targets: str, jobs: int = 2) -> CompileBatch:
        model = tmp_path / "model.py"
        model.write_text(SOUND + "".join(f"    {line}\n" for line in body.splitlines()))
        points, _ = plan(targets or ["ethos-u55-128"])
        return CompileBatch(CompileOptions(str(model), interpreter=str(python)), points, tmp_path / "runs", jobs)

    return make


def _results(batch: CompileBatch) -> list[CompileResult]:
    return [event.result for event in batch.run() if isinstance(event, JobDone)]


@pytest.mark.parametrize(
    "junk",
    [
        b"not json\n",
        b"no end of line",
        b'{"event": "delegation", "subgraphs": 9, "delegated": 9, "non_delegated": 9, "operators": {}}\n',
        b'{"event": "error", "error": "Forged", "message": "x"}\n{"event": "exit", "job": 0, "code": 0}\n',
        b"\xff junk\n[1]\n{}\n\n" + b"[" * 100_000 + b"\n",
    ],
    ids=["junk", "no-line-end", "forged-figures", "forged-ends", "hostile"],
)
def test_what_a_model_writes_into_any_descriptor_is_no_event(batch: Batch, junk: bytes) -> None:
    body = f"""\
junk = {junk!r}
for name in os.listdir("/proc/self/fd"):
    if int(name) > 2:
        try:
            os.write(int(name), junk)
        except OSError:
            pass"""
    results = _results(batch(body, "ethos-u55-128", "ethos-u55-256"))
    assert [result.status for result in results] == ["ok", "ok"]
    for result in results:
        assert result.summary is not None and result.summary.delegated_nodes == 3
        assert "save" in result.stages
        assert "foreign-lines" in [finding.rule for finding in result.findings]
        assert not [finding for finding in result.findings if finding.severity == "error"]


def test_the_first_descriptors_of_a_job_are_not_ours(batch: Batch) -> None:
    body = """\
for descriptor in range(3, 64):
    try:
        print("still open:", os.readlink(f"/proc/self/fd/{descriptor}"))
    except OSError:
        pass
os.system("for d in /proc/self/fd/*; do echo child $(readlink $d); done")"""
    for result in _results(batch(body, "ethos-u55-128", "ethos-u55-256", "ethos-u55-32")):
        log = Path(result.log).read_text()
        assert "still open:" not in log and "socket:" not in log and "eventpoll" not in log
        assert result.findings and "foreign-lines" not in [finding.rule for finding in result.findings]


def test_a_model_that_closes_everything_fails_alone(batch: Batch) -> None:
    body = "if '256' in given['--target']:\n    os.closerange(3, 1024)"
    first, second = sorted(_results(batch(body, "ethos-u55-128", "ethos-u55-256")), key=lambda result: result.target)
    assert (first.status, second.status) == ("ok", "failed")


def test_a_temporary_directory_that_somebody_removes_is_named(batch: Batch) -> None:
    body = "import shutil\nshutil.rmtree(os.environ['TMPDIR'])\nopen(os.environ['TMPDIR'] + '/out', 'w')"
    (result,) = _results(batch(body))
    assert (result.status, result.findings[0].rule) == ("failed", "scratch-gone")


def test_a_job_that_leaves_by_any_door_takes_nothing_of_the_others(batch: Batch, tmp_path: Path) -> None:
    """A forked job inherits its parent's list of siblings; it must never act on it."""
    body = """\
import signal, sys, time, atexit, shutil, tempfile, weakref, gc
from pathlib import Path
flag = Path(given["--output"]).parent.parent / "left"
if "256" in given["--target"]:
    kept = tempfile.TemporaryDirectory()
    atexit.register(shutil.rmtree, os.environ["TMPDIR"])
    if os.fork() == 0:
        raise SystemExit(0)
    os.wait()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    class Loud:
        def flush(self):
            raise KeyboardInterrupt
        def write(self, text):
            raise KeyboardInterrupt
    sys.stdout = sys.stderr = Loud()
    flag.write_text("")
    raise KeyboardInterrupt
while not flag.exists():
    time.sleep(0.02)
time.sleep(0.3)
with tempfile.TemporaryDirectory() as ours:
    open(ours + "/out.tosa", "w").close()"""
    results = {result.target: result for result in _results(batch(body, "ethos-u55-128", "ethos-u85-256"))}
    assert results["ethos-u55-128"].status == "ok"
    assert results["ethos-u85-256"].status == "failed"


def test_two_batches_at_once_leave_each_other_alone(batch: Batch) -> None:
    """The end of one batch, however it comes, removes its own temporary directories only."""
    waits = """\
import time, pathlib
end = time.monotonic() + 20
while not pathlib.Path(__file__ + ".go").exists() and time.monotonic() < end:
    time.sleep(0.02)
open(os.environ["TMPDIR"] + "/out", "w").close()"""
    waits = waits.replace("__file__", "given['--model_name']")
    long = batch(waits)
    events = long.run()
    for event in events:
        if isinstance(event, JobStarted):
            break
    for stop in (True, False):
        other = batch(waits)
        running = other.run()
        next(running)
        if stop:
            other.stop()
            list(running)
        running.close()
    Path(long.options.model + ".go").touch()
    (result,) = [event.result for event in events if isinstance(event, JobDone)]
    assert result.status == "ok", result.findings


def test_junk_on_the_channel_of_the_worker_itself_is_passed_over(batch: Batch, tmp_path: Path) -> None:
    junk = b'not json\n[1]\n{"event": "exit", "job": 0, "code": 0}\nno end of line'
    (tmp_path / "python").write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        f"if sys.argv[2].isdigit():\n    os.write(int(sys.argv[2]), {junk!r})\n"
        f"os.environ['PYTHONPATH'] = {str(tmp_path / 'packages')!r}\n"
        "os.execv(sys.executable, [sys.executable, '-S', *sys.argv[1:]])\n"
    )
    (result,) = _results(batch("print('ran')"))
    assert result.status == "ok" and Path(result.log).read_text().startswith("ran")


def test_lines_in_any_pieces() -> None:
    lines = SignedLines()
    message = f'{lines.token} {{"event": "stage", "stage": "TOSA"}}\n'.encode()
    whole = message + b"junk" + message + b"junk\n" + message
    heard = [got for byte in whole for got in lines.feed(bytes([byte]))]
    assert heard == [{"event": "stage", "stage": "TOSA"}] * 3
    assert lines.foreign == 2
    assert lines.feed(b"x" * (9 << 20)) == [] and lines.feed(b"\n") == []
    assert lines.feed(message) == heard[:1]


def test_a_target_without_modes_has_empty_ones_in_json_and_none_inside(batch: Batch) -> None:
    (result,) = _results(batch("pass", "cortex-m55"))
    values = json.loads((result.folder / "result.json").read_text())
    assert (values["memory_mode"], values["system_config"]) == ("", "")
    assert values["summary"]["non_delegated_nodes"] == 1, "what stayed on the CPU is known"
    assert result.memory_mode is None and result.point.label == "cortex-m55"


def test_without_any_figure_there_is_no_summary(batch: Batch) -> None:
    body = "from executorch.backends.arm.scripts import aot_arm_compiler as script\nscript.Info.delegation_by_operator = {}"
    body += "\nscript.Info.num_delegated_subgraphs = script.Info.num_delegated_nodes = script.Info.num_non_delegated_nodes = 0"
    (result,) = _results(batch(body, "none"))
    assert result.status == "ok" and result.summary is None
    assert json.loads((result.folder / "result.json").read_text())["summary"] is None
    assert replace(result, seconds=0.0).to_dict()["summary"] is None
