"""Jobs that are made of another one's graphs, with a stand-in for executorch: who waits, and what makes it go the whole way.

The stand-in's programs are a real one with two delegates whose data name the graph and Vela's flags; workers, forks,
pipes and run folders are the real ones.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.program.writer import Replacement, Template
from ethosu_tui.runners.compile import sharing as compile_sharing
from ethosu_tui.runners.compile.compiler import (
    CompileBatch,
    CompileOptions,
    CompilePoint,
    CompileResult,
    JobDone,
    JobOutput,
    JobStarted,
    plan,
)
from ethosu_tui.runners.compile.sharing import Sharing

STANDIN = Path(__file__).with_name("standin_executorch")
TWO_PARTS = Path(__file__).parents[1] / "programs" / "two_parts_u55_128.pte"
GRAPHS = (b"first", b"second")
MODEL = """
ModelUnderTest = 1
ModelInputs = (1,)

import os
from ethosu import vela
from executorch.backends.arm.scripts import aot_arm_compiler as script

def keep(arguments):
    (output,) = [word.partition("=")[2] for word in arguments if word.startswith("--output-dir=")]
    os.makedirs(output)

script.Program = script.Configured(os.path.join(os.path.dirname(__file__), "programs"))
script.graphs = [b"first", b"second"]
vela.vela.main = keep

def during(given):
    print("the model ran", os.getpid(), flush=True)
"""
U55 = ("ethos-u55-32", "ethos-u55-64", "ethos-u55-128")

Batch = Callable[..., CompileBatch]


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    """A batch of the model, with these lines in addition to what it does."""
    shutil.copytree(STANDIN, tmp_path / "packages")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path / "packages"}" exec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)

    (tmp_path / "programs").mkdir()
    for point in plan(["all"])[0]:
        (tmp_path / f"programs/{point.target}.pte").write_bytes(_program(point))

    def make(
        body: str = "", targets: tuple[str, ...] = U55, jobs: int = 2, scheduler: str | None = None, **options: Any
    ) -> CompileBatch:
        (tmp_path / "model.py").write_text(MODEL + "".join(f"    {line}\n" for line in body.splitlines()))
        points, _ = plan(targets)
        given = CompileOptions(str(tmp_path / "model.py"), interpreter=str(python), **options)
        return CompileBatch(given, points, tmp_path / "runs", jobs, scheduler=scheduler)

    return make


def _results(batch: CompileBatch, then: Callable[[CompileResult], object] = id) -> dict[str, CompileResult]:
    """Results by target; `then` is called with each before the next job begins."""
    results = {}
    for event in batch.run():
        if isinstance(event, JobDone):
            results[event.result.target] = event.result
            then(event.result)
    return results


def _routes(results: dict[str, CompileResult]) -> list[tuple[str, str | None]]:
    return [(results[target].route, results[target].route_reason) for target in U55]


def _program(point: CompilePoint) -> bytes:
    """The program that the stand-in's script makes for a configuration."""
    configuration = f"--system-config={point.system_config} --memory-mode={point.memory_mode}"
    flags = f"--accelerator-config={point.target} --output-format=raw {configuration}".encode()
    specs = {"compile_flags": flags, "target": point.target.encode()}
    graphs = enumerate(GRAPHS)
    return Template(TWO_PARTS.read_bytes()).with_delegates(
        {(0, place): Replacement(b"blob of " + graph + flags, specs) for place, graph in graphs}
    )


def _is_sound(result: CompileResult) -> bool:
    """Whether the program holds the blobs and the compile specs of its own configuration, and nothing else's."""
    assert result.pte is not None, result.findings
    return Path(result.pte).read_bytes() == _program(result.point)


def test_the_first_of_a_family_runs_the_model_and_the_others_do_not(batch: Batch) -> None:
    results = _results(batch(targets=(*U55, "ethos-u85-128", "ethos-u85-256")))
    assert _routes(results) == [("full", None)] + [("shared", "TOSA graphs of ethos-u55-32")] * 2
    assert results["ethos-u85-128"].route == "full"
    assert results["ethos-u85-256"].route_reason == "TOSA graphs of ethos-u85-128"
    for result in results.values():
        assert result.status == "ok" and _is_sound(result)
        assert ("the model ran" in Path(result.log).read_text()) == (result.route == "full")
        assert "Vela ran" in Path(result.log).read_text()
        assert result.summary is not None and result.summary.delegated_nodes == 3
        assert "summary" in (result.folder / "delegation.txt").read_text()
        stored = json.loads((result.folder / "result.json").read_text())
        assert (stored["route"], stored["route_reason"]) == (result.route, result.route_reason)


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("ethos-u55-128", {"extra": ("--direct_drive",)}),
        ("ethos-u55-128", {"extra": ("--model_input=x", "--something=new")}),
        ("ethos-u55-128", {"extra": ("--model_input", "x")}),
        ("ethos-u55-128", {"debug": True}),
        ("ethos-u55-128", {"keep_intermediates": True}),
        ("ethos-u55-128", {"delegate": False}),
        ("cortex-m55", {}),
    ],
)
def test_what_is_not_known_to_be_harmless_is_not_shared(target: str, options: dict[str, Any]) -> None:
    points, _ = plan([target, "ethos-u55-32"] if target == "cortex-m55" else U55)
    sharing = Sharing(CompileOptions("x", **options), points)
    waiting = list(range(len(points)))
    assert [sharing.pick(waiting) for _ in points] == list(range(len(points)))


def test_harmless_arguments_are_shared() -> None:
    sharing = Sharing(CompileOptions("x", extra=("--model_input=x",)), plan(U55)[0])
    assert [sharing.pick([0, 1]), sharing.pick([1])] == [0, None]


def test_a_first_job_that_is_killed_is_followed_by_the_next(batch: Batch) -> None:
    results = _results(batch("if given['--target'] == 'ethos-u55-32':\n    os.kill(os.getpid(), 9)"))
    assert results["ethos-u55-32"].findings[0].rule == "compiler-killed"
    assert _routes(results)[1:] == [("full", "ethos-u55-32 failed"), ("shared", "TOSA graphs of ethos-u55-64")]
    assert _is_sound(results["ethos-u55-64"]) and _is_sound(results["ethos-u55-128"])


def test_a_model_that_always_fails_fails_for_each(batch: Batch) -> None:
    results = _results(batch("raise ValueError('odd')", targets=(*U55, "ethos-u55-256")))
    assert [result.status for result in results.values()] == ["failed"] * 4
    assert all("ValueError: odd" in result.findings[0].title for result in results.values())


def test_a_first_job_that_hangs_holds_the_others_for_a_while_only(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_sharing, "PATIENCE_SECONDS", 0.5)
    running = batch("import time\nif given['--target'] == 'ethos-u55-32':\n    time.sleep(90)")
    done: list[str] = []

    def enough(result: CompileResult) -> None:
        done.append(result.target)
        if len(done) == 2:
            running.stop()

    results = _results(running, enough)
    assert done[:2] == ["ethos-u55-64", "ethos-u55-128"]
    assert results["ethos-u55-64"].route == "full"
    assert "ethos-u55-32 takes longer" in str(results["ethos-u55-64"].route_reason)
    assert results["ethos-u55-128"].route_reason == "TOSA graphs of ethos-u55-64"
    assert results["ethos-u55-32"].findings[0].rule == "stopped"


def test_a_worker_that_dies_again_and_again_fails_those_who_wait_too(batch: Batch) -> None:
    body = "import time; print('waits', flush=True); time.sleep(90)"
    running = batch(body, targets=("ethos-u55-32", "ethos-u85-128", "ethos-u55-64", "ethos-u85-256", "ethos-u55-128"))
    results, killed = [], set()
    output: dict[int, bytes] = {}
    for event in running.run():
        if isinstance(event, JobOutput):
            said = output[event.index] = output.get(event.index, b"") + event.data
            if b"waits" in said and event.index not in killed:
                killed.add(event.index)
                pid = int(said.split(b"the model ran")[1].split()[0])
                parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
                os.kill(int(parent), 9)
        if isinstance(event, JobDone):
            results.append(event.result)
    assert [result.findings[0].rule for result in results] == ["compiler-lost"] * 5
    assert all(result.pte is None and result.summary is None for result in results)


def test_a_graph_that_vela_refuses_fails_as_the_script_would(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_REFUSES", "ethos-u55-64")
    results = _results(batch())
    alone = _results(batch(targets=("ethos-u55-64",)))
    refused = results["ethos-u55-64"]
    assert (refused.status, refused.route, refused.pte) == ("failed", "full", None)
    assert refused.findings == alone["ethos-u55-64"].findings
    assert "could not run on NPU" in str(refused.route_reason) + refused.findings[0].title
    assert results["ethos-u55-128"].route == "shared" and _is_sound(results["ethos-u55-128"])


def test_a_model_that_changes_meanwhile_is_compiled_again(batch: Batch, tmp_path: Path) -> None:
    def change(result: CompileResult) -> None:
        if result.target == "ethos-u55-32":
            with (tmp_path / "model.py").open("a") as model:
                model.write("    print('the new model ran')\n")

    results = _results(batch(jobs=1), change)
    assert _routes(results)[1:] == [
        ("full", "the model's files were changed meanwhile"),
        ("shared", "TOSA graphs of ethos-u55-64"),
    ]
    assert "the new model ran" in Path(results["ethos-u55-64"].log).read_text()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


@pytest.mark.parametrize("harm", [_cut, Path.unlink], ids=["cut", "removed"])
@pytest.mark.parametrize("name", ["model.pte", "vela/partition-2/out.tosa", "vela/partition-2/digests.sha256"])
def test_a_first_job_that_is_spoilt_afterwards_spoils_no_other(
    batch: Batch, name: str, harm: Callable[[Path], None]
) -> None:
    results = _results(batch(jobs=1), lambda result: result.target == U55[0] and harm(result.folder / name))
    for target in U55[1:]:
        assert results[target].status == "ok" and _is_sound(results[target])
    if name.endswith(".tosa"):
        second, third = (results[target] for target in U55[1:])
        assert second.route == "full" and second.route_reason
        assert "the model ran" in Path(second.log).read_text()
        assert len(list((second.folder / "vela").iterdir())) == 2
        assert third.route_reason == "TOSA graphs of ethos-u55-64"


@pytest.mark.parametrize("harm", [_cut, Path.unlink], ids=["cut", "removed"])
def test_what_was_said_of_the_first_job_is_not_half_of_it(batch: Batch, harm: Callable[[Path], None]) -> None:
    def spoil(result: CompileResult) -> None:
        if result.target == U55[1]:  # by then, what is shared was read
            harm(folders[0] / "delegation.txt")

    folders: list[Path] = []
    running = batch(jobs=1)
    results = {}
    for event in running.run():
        if isinstance(event, JobStarted):
            folders.append(event.folder.path)
        if isinstance(event, JobDone):
            results[event.result.target] = event.result
            spoil(event.result)
    assert [route for route, _ in _routes(results)] == ["full", "shared", "full"]
    for target in U55[1:]:
        assert "summary" in (results[target].folder / "delegation.txt").read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_is_full_at_the_first_file_ends_that_job_only(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, destination: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(destination))

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(shutil, "copyfile", full)
    results = _results(batch(jobs=1))
    assert [results[target].status for target in U55] == ["ok", "failed", "failed"]
    assert all(results[target].findings[0].rule == "disk-full" for target in U55[1:])


def test_a_partition_that_is_missing_altogether_is_noticed(batch: Batch) -> None:
    def remove(result: CompileResult) -> None:
        if result.target == U55[0]:
            shutil.rmtree(result.folder / "vela/partition-1")

    results = _results(batch(jobs=1), remove)
    assert [route for route, _ in _routes(results)] == ["full", "full", "shared"]
    assert all(_is_sound(results[target]) for target in U55[1:])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_leaves_no_program(batch: Batch) -> None:
    results = {}
    for event in batch(jobs=1).run():
        if isinstance(event, JobStarted) and event.index:
            (event.folder.path / "model.pte").symlink_to("/dev/full")
        if isinstance(event, JobDone):
            results[event.result.target] = event.result
    assert results["ethos-u55-32"].status == "ok"
    for target in U55[1:]:
        result = results[target]
        assert (result.status, result.pte, result.findings[0].rule) == ("failed", None, "disk-full")
        assert not os.path.lexists(result.folder / "model.pte")


def test_a_vela_that_crashes_is_left_to_the_script_and_takes_nothing_with_it(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANDIN_KILLED", "ethos-u55-64")
    results = _results(batch(jobs=1))
    assert [result.findings for result in results.values() if result.status != "ok"] == []
    assert _routes(results)[1:] == [
        ("full", "Vela's process was killed by signal 6"),
        ("shared", "TOSA graphs of ethos-u55-64"),
    ]
    assert all(_is_sound(result) for result in results.values())
