"""Batches with a stand-in for executorch: what survives when jobs crash, hang, are stopped, or their worker dies.

The stand-in has the functions that the worker wraps; its "compile" runs the model file, so each test says in the model
what goes wrong.  Worker, forks, pipes and run folders are the real ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ethosu_tui.runners.compile import silence as compile_silence
from ethosu_tui.runners.compile.compiler import (
    BatchDone,
    CompileBatch,
    CompileEvent,
    CompileOptions,
    CompileResult,
    JobDone,
    JobOutput,
    JobStage,
    JobStarted,
    plan,
)
from ethosu_tui.runners.interpreters import VARIABLE, find_interpreter, look_up
from ethosu_tui.runners.job import JobError, MissingTool
from ethosu_tui.runners.runs.folder import RunFolder, list_runs

STANDIN = Path(__file__).with_name("standin_executorch")
SOUND = "ModelUnderTest = 1\nModelInputs = (1,)\n"

Compile = Callable[..., CompileBatch]


@pytest.fixture
def interpreter(tmp_path: Path) -> Path:
    """A Python whose executorch is the stand-in."""
    packages = tmp_path / "packages"
    shutil.copytree(STANDIN, packages)
    return _python(tmp_path / "python", packages)


def _python(path: Path, packages: Path) -> Path:
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" -S "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def compile_(tmp_path: Path, interpreter: Path) -> Compile:
    """A batch of the model source for these targets."""

    def make(source: str, *targets: str, jobs: int = 2, **options: object) -> CompileBatch:
        model = tmp_path / "the model.py"
        model.write_text(SOUND + textwrap.dedent(source))
        points, _ = plan(targets or ["ethos-u55-128"])
        given = CompileOptions(str(model), interpreter=str(interpreter), **options)  # type: ignore[arg-type]
        return CompileBatch(given, points, tmp_path / "the runs", jobs)

    return make


def _results(events: list[CompileEvent]) -> dict[str, CompileResult]:
    return {event.result.target: event.result for event in events if isinstance(event, JobDone)}


def _only(events: list[CompileEvent]) -> CompileResult:
    (result,) = _results(events).values()
    return result


def _gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def no_scratch_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every job's temporary directory is removed, however it ended."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    yield
    assert list(scratch.iterdir()) == []


def test_a_job_tells_its_stages_and_leaves_a_whole_run_folder(compile_: Compile, tmp_path: Path) -> None:
    batch = compile_("print('hello', flush=True)", "ethos-u55-128", output=str(tmp_path / "out dir/{target}.pte"))
    events = list(batch.run())
    result = _only(events)
    assert isinstance(events[0], JobStarted)
    assert isinstance(events[-1], BatchDone)
    assert [event.stage for event in events if isinstance(event, JobStage)] == [
        "import ExecuTorch", "load model", "export", "quantise", "partition and lower", "Vela", "make the program", "save",
    ]  # fmt: skip
    assert result.status == "ok"
    assert result.pte == str(tmp_path / "out dir/ethos-u55-128.pte")
    assert Path(result.pte).read_bytes() == b"program"
    assert (result.pte_bytes, result.sha256) == (7, hashlib.sha256(b"program").hexdigest())
    output = b"".join(event.data for event in events if isinstance(event, JobOutput))
    assert output == Path(result.log).read_bytes()
    assert output.startswith(b"hello\n")
    folder = RunFolder.open(result.folder)
    assert (folder.state, folder.status) == ("finished", "ok")
    manifest = folder.manifest
    assert manifest["argv"][1:3] == ["-m", "executorch.backends.arm.scripts.aot_arm_compiler"]
    assert manifest["hashes"]["pte"] == result.sha256 and manifest["hashes"]["model"]
    assert manifest["versions"]["python"]
    assert "summary" in (result.folder / "delegation.txt").read_text()
    stored = json.loads((result.folder / "result.json").read_text())
    assert stored == json.loads(json.dumps(result.to_dict()))
    assert result.summary is not None and result.summary.non_delegated_operators == {"aten_odd_default": 1}
    rules = [finding.rule for finding in result.findings]
    assert rules == ["operators-on-cpu", "vela-detail-missing"]  # the second Vela run failed, the job did not
    assert "no Vela here" in result.findings[1].detail


@pytest.mark.parametrize(
    ("source", "rule", "said"),
    [
        ("import os; os.kill(os.getpid(), 9)", "compiler-killed", "signal 9"),
        ("import os; os.abort()", "compiler-killed", "signal 6"),
        ("import os; os._exit(7)", "compiler-ended", "status 7"),
        ("import sys; sys.exit('gone')", "compile-failed", "status 1"),
        ("raise MemoryError", "out-of-memory", "memory"),
        ("raise OSError(28, 'No space left on device')", "disk-full", "disk"),
        ("import nowhere_to_be_found", "missing-module", "nowhere_to_be_found"),
        ("def broken(:", "", ""),
    ],
)
def test_one_job_that_fails_takes_nothing_with_it(compile_: Compile, source: str, rule: str, said: str) -> None:
    if not rule:
        source, rule, said = "exec('def broken(:')", "python-syntax", "SyntaxError"
    guard = (
        f"def during(given):\n    print('so far', flush=True)\n    if '55-32' in given['--target']:\n        {source}\n"
    )
    events = list(compile_(guard, "ethos-u55-32", "ethos-u55-64", "ethos-u55-128").run())
    results = _results(events)
    failed = results.pop("ethos-u55-32")
    assert (failed.status, failed.pte, failed.summary) == ("failed", None, None)
    assert [finding.rule for finding in failed.findings] == [rule]
    assert said in failed.findings[0].title + failed.findings[0].detail
    assert Path(failed.log).read_bytes().startswith(b"so far")
    assert RunFolder.open(failed.folder).status == "failed"
    assert {result.status for result in results.values()} == {"ok"} and len(results) == 2


def test_the_line_of_the_model_is_named(compile_: Compile) -> None:
    (finding,) = _only(list(compile_("\n\ndef during(given):\n    raise ValueError('odd')\n").run())).findings
    assert "the model.py, line 6" in finding.detail
    assert "ValueError: odd" in finding.title


def test_a_program_that_was_not_written_whole_is_a_failure(compile_: Compile) -> None:
    source = """
        def during(given):
            from executorch.backends.arm.scripts import aot_arm_compiler as script
            class Growing:
                size = 0
                @property
                def buffer(self):
                    self.size += 1
                    return b"x" * self.size
            script.Program = Growing()
    """
    result = _only(list(compile_(source).run()))
    assert result.status == "failed"
    assert result.findings[0].rule == "disk-full"


def test_a_full_disk_under_our_own_log_fails_that_job_only(compile_: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    from ethosu_tui.runners import storage

    original = storage.ConsoleWriter.write

    def write(self: storage.ConsoleWriter, data: bytes, at: float) -> None:
        if b"flood" in data:
            raise JobError("the disk is full, console.log is cut short", "free some space")
        original(self, data, at)

    monkeypatch.setattr(storage.ConsoleWriter, "write", write)
    source = """
        import time
        def during(given):
            if "55-32" in given["--target"]:
                print("flood", flush=True)
                time.sleep(90)
    """
    began = time.monotonic()
    results = _results(list(compile_(source, "ethos-u55-32", "ethos-u55-64").run()))
    assert time.monotonic() - began < 50
    assert results["ethos-u55-32"].findings[0].rule == "disk-full"
    assert results["ethos-u55-64"].status == "ok"


def test_a_program_that_cannot_be_copied_is_kept(compile_: Compile, tmp_path: Path) -> None:
    wanted = tmp_path / "out/x.pte"
    result = _only(list(compile_(f"import os; os.rmdir({str(wanted.parent)!r})", output=str(wanted)).run()))
    assert (result.status, result.findings[0].rule) == ("failed", "not-delivered")
    assert str(result.folder / "model.pte") in result.findings[0].detail
    assert (result.folder / "model.pte").read_bytes() == b"program"


def test_a_disk_too_full_for_the_result_still_ends_the_run(compile_: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Path:
        raise JobError("the disk is full", "free some space")

    monkeypatch.setattr(RunFolder, "write_json", refuse)
    result = _only(list(compile_("").run()))
    assert result.status == "ok"
    assert RunFolder.open(result.folder).state == "finished"


HANG = """
    import os, time
    def during(given):
        print("pid", os.getpid(), os.getppid(), flush=True)
        if "85" not in given["--target"]:
            time.sleep(90)
"""


def _pids(events: list[CompileEvent]) -> list[int]:
    """What jobs said in whole lines.  Each job's pieces apart: two jobs that begin at once may come by turns."""
    said: dict[int, bytes] = {}
    for event in events:
        if isinstance(event, JobOutput):
            said[event.index] = said.get(event.index, b"") + event.data
    lines = [line.split() for data in said.values() for line in data.splitlines(keepends=True) if line.endswith(b"\n")]
    return [int(word) for line in lines if line[:1] == [b"pid"] for word in line[1:]]


def test_a_killed_worker_fails_what_it_worked_on_keeps_the_logs_and_is_replaced(compile_: Compile) -> None:
    events: list[CompileEvent] = []
    two_hang = HANG.replace('"85" not in given["--target"]', 'given["--target"] in ("ethos-u55-32", "cortex-m55")')
    batch = compile_(two_hang, "ethos-u85-128", "ethos-u55-32", "cortex-m55", "ethos-u55-128", jobs=2)
    killed = False
    for event in batch.run():
        events.append(event)
        if len(_pids(events)) >= 6 and not killed:
            killed = True
            os.kill(_pids(events)[-1], signal.SIGKILL)
    results = _results(events)
    assert results.pop("ethos-u85-128").status == "ok"
    assert results.pop("ethos-u55-128").status == "ok"  # it had not begun
    assert [result.findings[0].rule for result in results.values()] == ["compiler-lost"] * 2
    assert "signal 9" in results["ethos-u55-32"].findings[0].title
    assert b"pid" in Path(results["ethos-u55-32"].log).read_bytes()
    _wait_until(lambda: all(_gone(pid) for pid in _pids(events)))


def test_a_job_that_hangs_is_ended_with_its_log_and_the_others_go_on(
    compile_: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_silence, "SILENCE_SECONDS", 3.0)
    source = """
        import os, sys, time
        def during(given):
            print("pid", os.getpid(), os.getppid(), flush=True)
            if "55-32" in given["--target"]:
                time.sleep(90)
            for step in range(20):  # longer than the limit, and never silent for as long
                print("step", flush=True)
                time.sleep(0.2)
    """
    events = list(compile_(source, "ethos-u55-32", "ethos-u85-128").run())
    results = _results(events)
    hung = results["ethos-u55-32"]
    assert (hung.status, hung.findings[0].rule, hung.findings[0].severity) == ("failed", "compiler-hung", "error")
    assert "the other jobs went on" in hung.findings[0].detail
    assert Path(hung.log).read_bytes().startswith(b"pid")
    assert RunFolder.open(hung.folder).status == "failed"
    assert results["ethos-u85-128"].status == "ok"
    _wait_until(lambda: all(_gone(pid) for pid in _pids(events)))


def test_stop_from_another_thread_ends_everything_at_once(compile_: Compile, tmp_path: Path) -> None:
    events: list[CompileEvent] = []
    batch = compile_(HANG, "ethos-u85-128", "ethos-u55-32", "cortex-m55", "ethos-u55-128")
    stopper: threading.Thread | None = None
    for event in batch.run():
        events.append(event)
        if len(_pids(events)) >= 6 and stopper is None:
            began = time.monotonic()
            stopper = threading.Thread(target=batch.stop)
            stopper.start()
    assert stopper is not None, events
    stopper.join()
    batch.stop()
    assert time.monotonic() - began < 50
    assert isinstance(events[-1], BatchDone)
    results = _results(events)
    assert set(results) == {"ethos-u85-128", "ethos-u55-32", "cortex-m55"}
    assert results["ethos-u85-128"].status == "ok"
    assert results["ethos-u55-32"].findings[0].rule == "stopped"
    assert sorted(folder.state for folder in list_runs(tmp_path / "the runs")) == ["finished", "stopped", "stopped"]
    _wait_until(lambda: all(_gone(pid) for pid in _pids(events)))


def test_stopped_before_it_began_it_does_nothing(compile_: Compile) -> None:
    batch = compile_("")
    batch.stop()
    assert [type(event) for event in batch.run()] == [BatchDone]


def test_a_caller_that_stops_listening_leaves_nothing_behind(compile_: Compile, tmp_path: Path) -> None:
    events: list[CompileEvent] = []
    running = compile_(HANG).run()
    for event in running:
        events.append(event)
        if len(_pids(events)) == 2:
            break
    running.close()  # type: ignore[attr-defined]
    assert [folder.state for folder in list_runs(tmp_path / "the runs")] == ["stopped"]
    _wait_until(lambda: all(_gone(pid) for pid in _pids(events)))


def test_no_orphans_when_we_are_killed(compile_: Compile, tmp_path: Path, interpreter: Path) -> None:
    compile_(HANG)
    arguments = ["compile", str(tmp_path / "the model.py"), "--python", str(interpreter)]
    process = subprocess.Popen(
        [sys.executable, "-m", "ethosu_tui.tui.cli", *arguments],
        env=os.environ | {"ETHOSU_TUI_WORKSPACE": str(tmp_path / "w"), "TMPDIR": str(tmp_path / "scratch")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    logs: list[Path] = []
    _wait_until(
        lambda: logs.extend((tmp_path / "w").glob("*/console.log")) or any(b"pid" in p.read_bytes() for p in logs)
    )
    process.kill()
    process.wait()
    pids = [int(word) for word in logs[-1].read_text().split() if word.isdigit()]
    _wait_until(lambda: all(_gone(pid) for pid in pids))
    _wait_until(lambda: not list((tmp_path / "scratch").iterdir()))
    assert [folder.state for folder in list_runs(tmp_path / "w")] == ["lost"]


def test_intermediates_land_where_they_were_wanted_also_with_blanks(compile_: Compile, tmp_path: Path) -> None:
    source = """
        import os
        def during(given):
            assert " " not in given["--intermediates"]
            os.makedirs(given["--intermediates"])
            open(given["--intermediates"] + "/out.tosa", "w").close()
    """
    inside = _only(list(compile_(source, keep_intermediates=True).run()))
    assert (inside.folder / "intermediates/out.tosa").is_file()
    list(compile_(source, keep_intermediates=str(tmp_path / "my dumps")).run())
    assert (tmp_path / "my dumps/out.tosa").is_file()


def test_executorch_that_cannot_be_imported_is_told_with_its_words(compile_: Compile, tmp_path: Path) -> None:
    batch = compile_("")
    (tmp_path / "packages/executorch/exir/__init__.py").write_text("raise ImportError('libfoo.so is missing')")
    result = _only(list(batch.run()))
    assert result.findings[0].rule == "compiler-unavailable"
    assert "libfoo.so is missing" in result.findings[0].title
    assert b"Traceback" in Path(result.log).read_bytes()


def test_an_interpreter_without_executorch_is_named_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: Path
) -> None:
    bare = _python(tmp_path / "bare", tmp_path / "nothing")
    with pytest.raises(MissingTool) as caught:
        find_interpreter(str(bare))
    assert "lacks executorch, torch, ethos-u-vela, tosa-tools" in caught.value.message
    assert "pip install" in caught.value.hint and "executorch[ethos-u]" in caught.value.hint
    assert caught.value.exit_code == 4
    monkeypatch.setenv(VARIABLE, str(bare))
    assert look_up().source == "environment"
    assert find_interpreter(str(interpreter)).source == "option"
    for odd in ("/nowhere/python", "/bin/true", str(tmp_path)):
        with pytest.raises(MissingTool):
            look_up(odd)
