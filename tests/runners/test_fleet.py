"""Compiles on the workers of a real Dask cluster: its processes are killed, stopped and of the wrong kind.

The stand-in for executorch serves where only processes matter; one compile is real.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.compile.batch import batch_of
from ethosu_tui.runners.compile.compiler import (
    BatchNote,
    CompileBatch,
    CompileOptions,
    CompileResult,
    JobDone,
    JobStage,
    plan,
)
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.runners.job import MissingTool, UsageError

from . import test_compile_sharing as sharing
from .conftest import Run

pytest.importorskip("distributed")

batch = sharing.batch
Batch = sharing.Batch
U55 = sharing.U55
CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, processes=True) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""
TOLD = """\
def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
import time
here = os.path.dirname(os.path.dirname(script.Program.directory + "/"))
worker = parent(os.getppid())
def tell(word):
    with open(here + "/told", "a") as told:
        told.write(f"{word} {given['--target']} {worker} {os.getpid()}\\n")
tell("began")
"""
"""Lines of a model that write down who runs what: word, target, the Dask worker's process id and the job's own."""
TARGETS = (*U55, "ethos-u55-256", "ethos-u65-256", "ethos-u65-512", "ethos-u85-128", "ethos-u85-256")


def _started(command: list[str], **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def _ended(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    try:
        process.wait(120)
    finally:
        process.stdout.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of three worker processes, which are started again when they are killed."""
    place = tmp_path_factory.mktemp("cluster")
    (place / "cluster.py").write_text(CLUSTER)
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", "DASK_TEMPORARY_DIRECTORY": str(place)}
    process = _started([sys.executable, str(place / "cluster.py")], **settings)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        _ended(process)


def _told(tmp_path: Path) -> list[list[str]]:
    path = tmp_path / "told"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def _wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def _gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_worker_that_is_killed_midway_costs_no_result_and_nothing_that_was_finished(
    batch: Batch, cluster: str, tmp_path: Path
) -> None:
    body = f"""{TOLD}
if given["--target"] == "ethos-u65-256" and not os.path.exists(here + "/hung"):
    open(here + "/hung", "x").write(f"{{worker}} {{os.getpid()}}")
    time.sleep(600)
time.sleep(0.3)
tell("finished")"""
    running = batch(body, TARGETS, jobs=0, scheduler=cluster, debug=True)  # which lets each job go the whole way
    hung = tmp_path / "hung"
    results: dict[str, CompileResult] = {}
    killed = job = 0
    for event in running.run():
        if isinstance(event, JobDone):
            results[event.result.target] = event.result
            if not killed and hung.exists() and hung.read_text():
                killed, job = map(int, hung.read_text().split())
                os.kill(killed, 9)
    assert killed and sorted(results) == sorted(TARGETS)
    told = _told(tmp_path)
    finished = Counter(target for word, target, *_ in told if word == "finished")
    assert finished == Counter(TARGETS), "each job was finished once"
    begun = Counter(target for word, target, *_ in told if word == "began")
    assert begun == Counter([*TARGETS, "ethos-u65-256"]), "only what the worker was killed at began again"
    assert str(killed) in {worker for word, _, worker, _ in told if word == "finished"}, "it had finished others"
    assert len({worker for _, _, worker, _ in told}) >= 3
    for result in results.values():
        assert result.status == "ok" and sharing._is_sound(result)
        assert "Vela ran" in Path(result.log).read_text()
        assert result.summary is not None and result.summary.delegated_nodes == 3
        assert json.loads((result.folder / "manifest.json").read_text())["worker"].startswith("tcp://")
    _wait_until(lambda: _gone(job))


def test_the_graphs_of_a_first_job_go_to_the_workers_too(batch: Batch, cluster: str, tmp_path: Path) -> None:
    targets = (*U55, "ethos-u85-128")
    there = batch(TOLD, targets, jobs=0, scheduler=cluster)
    stages = []
    results = {}
    for event in there.run():
        if isinstance(event, JobStage):
            stages.append((event.index, event.stage))
        elif isinstance(event, JobDone):
            results[event.result.target] = event.result
    assert sorted(target for _, target, *_ in _told(tmp_path)) == ["ethos-u55-32", "ethos-u85-128"]
    assert [stage for index, stage in stages if index == 0][1:] == [
        "load model",
        "export",
        "quantise",
        "partition and lower",
        "Vela",
        "make the program",
        "save",
    ]
    assert sharing._routes(results) == [("full", None)] + [("shared", "TOSA graphs of ethos-u55-32")] * 2
    for result in results.values():
        assert sharing._is_sound(result) and "Vela ran" in Path(result.log).read_text()
    here = sharing._results(batch(TOLD, targets))
    assert {target: result.cached for target, result in here.items()} == dict.fromkeys(targets, True), "found here"


def test_what_kills_every_worker_fails_and_the_others_are_done(batch: Batch, cluster: str, tmp_path: Path) -> None:
    body = TOLD + "if given['--target'] == 'ethos-u55-64':\n    os.kill(worker, 9)\n    time.sleep(600)"
    results = sharing._results(batch(body, U55, jobs=0, scheduler=cluster, debug=True))
    finding = results["ethos-u55-64"].findings[0]
    assert (finding.rule, results["ethos-u55-64"].pte) == ("fleet-lost", None)
    assert "2 Dask workers that ran it were killed" in finding.title
    assert Counter(target for _, target, *_ in _told(tmp_path))["ethos-u55-64"] == 2
    others = {"ethos-u55-32": results["ethos-u55-32"], "ethos-u55-128": results["ethos-u55-128"]}
    blamed = [target for target, result in others.items() if result.pte is None]
    if blamed:  # Dask counts all that a killed worker holds, what only waits there too: they are told alike, and done when asked again
        assert {others[target].findings[0].rule for target in blamed} == {"fleet-lost"}
        others |= sharing._results(batch(TOLD, tuple(blamed), jobs=0, scheduler=cluster, debug=True))
    assert all(sharing._is_sound(result) for result in others.values())


def test_a_stopped_batch_leaves_nothing_running(batch: Batch, cluster: str, tmp_path: Path) -> None:
    running = batch(TOLD + "time.sleep(600)", TARGETS, jobs=0, scheduler=cluster, debug=True)
    results = []
    for event in running.run():
        if isinstance(event, JobStage) and event.stage == "load model":
            _wait_until(lambda: _told(tmp_path))
            running.stop()
        elif isinstance(event, JobDone):
            results.append(event.result)
    assert results and {result.findings[0].rule for result in results} == {"stopped"}
    told = _told(tmp_path)
    _wait_until(lambda: all(_gone(int(pid)) for *_, pid in told))
    assert len(_told(tmp_path)) <= 3, "nothing that waited began"


def test_workers_with_other_versions_are_refused_by_name(
    batch: Batch, cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch()
    monkeypatch.setenv("ETHOSU_TUI_PYTHON", str(tmp_path / "python"))  # the workers have their own
    options = CompileOptions(str(tmp_path / "model.py"))
    running = CompileBatch(options, plan(U55)[0], tmp_path / "runs", scheduler=cluster)
    with pytest.raises(MissingTool) as refusal:
        list(running.run())
    assert "tcp://127.0.0.1" in refusal.value.message
    assert "it has torch" in refusal.value.message or "lacks" in refusal.value.message
    assert not _told(tmp_path) and not (tmp_path / "runs").exists()


def test_a_scheduler_that_goes_fails_what_is_not_done(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of its workers has another ExecuTorch, and is left out."""
    processes = []
    body = TOLD + "if given['--target'] != 'ethos-u55-32':\n    time.sleep(600)"
    running = batch(body, U55, jobs=0, debug=True)
    other = tmp_path / "other"
    other.write_text((tmp_path / "python").read_text().replace("exec ", "OTHER=1 exec "))
    other.chmod(0o755)
    for package in ("executorch", "torch"):
        info = tmp_path / f"others/{package}-9.9.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 9.9\n")
    other.write_text(other.read_text().replace('PYTHONPATH="', f'PYTHONPATH="{tmp_path / "others"}:'))
    monkeypatch.setenv("DASK_TEMPORARY_DIRECTORY", str(tmp_path))
    address_file = tmp_path / "scheduler.json"
    cli = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    try:
        processes.append(_started([*cli, "--scheduler-file", str(address_file)]))
        _wait_until(lambda: address_file.exists() and address_file.read_text().endswith("}"))
        address = json.loads(address_file.read_text())["address"]
        work = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
        work += ["--no-dashboard", "--death-timeout", "20"]
        for interpreter in (tmp_path / "python", other):
            processes.append(_started(work, ETHOSU_TUI_PYTHON=str(interpreter)))
        _wait_until(lambda: _workers(address) == 2)
        monkeypatch.setenv("ETHOSU_TUI_PYTHON", str(tmp_path / "python"))
        options = CompileOptions(running.options.model, debug=True)
        running = CompileBatch(options, plan(U55)[0], tmp_path / "runs", scheduler=address)
        notes, results = [], {}
        for event in running.run():
            if isinstance(event, BatchNote):
                notes.append(event.text)
            elif isinstance(event, JobStage) and event.index == 1 and event.stage == "load model":
                processes[0].kill()
            elif isinstance(event, JobDone):
                results[event.result.target] = event.result
    finally:
        for process in processes:
            process.kill()
            _ended(process)
    assert len(notes) == 1 and "left out Dask worker tcp://" in notes[0]
    assert "it has executorch 9.9" in notes[0]
    assert sharing._is_sound(results["ethos-u55-32"])
    for target in U55[1:]:
        assert results[target].findings[0].rule == "fleet-lost"
        assert f"the scheduler {address} is gone" in results[target].findings[0].title
    _wait_until(lambda: all(_gone(int(pid)) for *_, pid in _told(tmp_path)))


def _workers(address: str) -> int:
    from distributed import Client

    with Client(address, timeout=30, set_as_default=False) as client:
        return len(client.nthreads())


def test_what_cannot_be_done_elsewhere_is_refused_first(batch: Batch, tmp_path: Path) -> None:
    for scheduler, options, kind, sentence in (
        ("tcp://127.0.0.1:9", {"keep_intermediates": True}, UsageError, "--keep-intermediates"),
        ("nonsense", {}, UsageError, "not a scheduler address"),
    ):
        with pytest.raises(kind, match=sentence):
            list(batch(scheduler=scheduler, **options).run())
    running = batch(scheduler="tcp://127.0.0.1:9")
    model = Path(running.options.model)
    model.write_text("def make():\n    return 1, (1,)\n")
    given = replace(running.options, model=f"{model}:make")
    with pytest.raises(UsageError, match="a function"):
        list(CompileBatch(given, running.points, tmp_path / "runs", scheduler="tcp://127.0.0.1:9").run())
    with pytest.raises(UsageError, match="takes Vela alone"):
        batch_of(replace(given, model="net.tosa"), running.points, tmp_path, scheduler="tcp://127.0.0.1:9")


def test_without_dask_the_missing_extra_is_named(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingTool, match=r"--scheduler needs a library: pip install .ethosu-tui\[fleet\]."):
        list(batch(scheduler="tcp://127.0.0.1:9").run())


def test_the_command_says_that_no_scheduler_answers(run: Run) -> None:
    done = run("compile", "add", "--scheduler", "tcp://127.0.0.1:9", "--python", sys.executable)
    if look_up().missing:
        pytest.skip("needs the compile extra")
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1 and "no scheduler answers there" in done.stderr


@pytest.mark.compile
@pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra")
def test_a_real_program_from_the_cluster_is_the_same(add: dict[str, Any], run: Run, cluster: str) -> None:
    done = run("compile", "add", "-t", "ethos-u55-128,ethos-u55-64", "--scheduler", cluster, "--no-cache", "--json")
    assert done.returncode == 0, done.stderr
    there = {job["target"]: job for job in json.loads(done.stdout)["jobs"]}
    (here,) = [job for job in add["jobs"] if job["target"] == "ethos-u55-128"]
    assert Path(there["ethos-u55-128"]["pte"]).read_bytes() == Path(here["pte"]).read_bytes()
    for name in ("summary", "operators", "findings", "pte_bytes", "partitions", "route", "status"):
        assert there["ethos-u55-128"][name] == here[name], name
    assert there["ethos-u55-64"]["route"] == "shared"
    worker = json.loads((Path(there["ethos-u55-64"]["log"]).parent / "manifest.json").read_text())["worker"]
    assert worker.startswith("tcp://")
