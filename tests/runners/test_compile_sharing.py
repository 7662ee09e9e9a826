"""Jobs that are made of another one's graphs, with a stand-in for executorch: who waits, and what makes it go the whole way.

The stand-in's programs are JSON that names the configuration; worker, forks, pipes and run folders are the real ones.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners import aot_derive, compile_sharing
from ethosu_tui.runners.compile_sharing import Sharing
from ethosu_tui.runners.compiler import CompileBatch, CompileOptions, CompileResult, JobDone, JobOutput, plan

STANDIN = Path(__file__).with_name("standin_executorch")
MODEL = """
ModelUnderTest = 1
ModelInputs = (1,)

import os
from ethosu import vela
from executorch.backends.arm.scripts import aot_arm_compiler as script

def keep(arguments):
    (output,) = [word.partition("=")[2] for word in arguments if word.startswith("--output-dir=")]
    os.makedirs(output)

script.Program = script.Configured()
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

    def make(body: str = "", targets: tuple[str, ...] = U55, jobs: int = 2, **options: Any) -> CompileBatch:
        (tmp_path / "model.py").write_text(MODEL + "".join(f"    {line}\n" for line in body.splitlines()))
        points, _ = plan(targets)
        given = CompileOptions(str(tmp_path / "model.py"), interpreter=str(python), **options)
        return CompileBatch(given, points, tmp_path / "runs", jobs)

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


def _is_sound(result: CompileResult) -> bool:
    """Whether the program holds the blobs and the compile specs of its own configuration, and nothing else's."""
    assert result.pte is not None, result.findings
    flags = f"{result.target} {result.memory_mode}"
    specs = {"target": result.target, "compile_flags": flags, "tosa_spec": "u85" if "u85" in result.target else "u55"}
    wanted = [[specs, f"blob of {graph}{flags} spoilt"] for graph in ("first", "second")]
    return bool(json.loads(Path(result.pte).read_bytes()) == wanted)


def test_the_first_of_a_family_runs_the_model_and_the_others_do_not(batch: Batch) -> None:
    results = _results(batch(targets=(*U55, "ethos-u85-128", "ethos-u85-256")))
    assert _routes(results) == [("full", None)] + [("shared", "TOSA graphs of ethos-u55-32")] * 2
    assert results["ethos-u85-128"].route == "full"
    assert results["ethos-u85-256"].route_reason == "TOSA graphs of ethos-u85-128"
    for result in results.values():
        assert result.status == "ok" and _is_sound(result)
        assert ("the model ran" in Path(result.log).read_text()) == (result.route == "full")
        assert result.summary is not None and result.summary.delegated_nodes == 3
        assert "summary" in (result.folder / "delegation.txt").read_text()
        stored = json.loads((result.folder / "result.json").read_text())
        assert (stored["route"], stored["route_reason"]) == (result.route, result.route_reason)


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("ethos-u55-128", {"extra": ("--direct_drive",)}),
        ("ethos-u55-128", {"extra": ("--calibration_data=x", "--something=new")}),
        ("ethos-u55-128", {"extra": ("--calibration_data", "x")}),
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
    sharing = Sharing(CompileOptions("x", extra=("--calibration_data=x", "--config=y.ini")), plan(U55)[0])
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


def test_a_worker_that_dies_fails_those_who_waited_too(batch: Batch) -> None:
    running = batch("import time; print('waits', flush=True); time.sleep(90)").run()
    results, output, killed = [], b"", False
    for event in running:
        if isinstance(event, JobOutput):
            output += event.data
        if b"waits" in output and not killed:
            killed = True
            pid = int(output.split(b"the model ran")[1].split()[0])
            parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
            os.kill(int(parent), 9)
        if isinstance(event, JobDone):
            results.append(event.result)
    assert [result.findings[0].rule for result in results] == ["compiler-lost"] * 3
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
def test_a_first_job_that_is_spoilt_afterwards_is_not_used(
    batch: Batch, name: str, harm: Callable[[Path], None]
) -> None:
    results = _results(batch(jobs=1), lambda result: result.target == U55[0] and harm(result.folder / name))
    second, third = (results[target] for target in U55[1:])
    assert second.status == "ok" and _is_sound(second)
    assert second.route == "full" and second.route_reason
    assert "Compiling from the model" in Path(second.log).read_text()
    assert len(list((second.folder / "vela").iterdir())) == 2
    assert third.route_reason == "TOSA graphs of ethos-u55-64" and _is_sound(third)


def test_a_partition_that_is_missing_altogether_is_noticed(batch: Batch) -> None:
    def remove(result: CompileResult) -> None:
        if result.target == U55[0]:
            shutil.rmtree(result.folder / "vela/partition-1")

    results = _results(batch(jobs=1), remove)
    assert [route for route, _ in _routes(results)] == ["full", "full", "shared"]
    assert all(_is_sound(results[target]) for target in U55[1:])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_leaves_no_program(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_FULL", "1")
    results = _results(batch())
    assert results["ethos-u55-32"].status == "ok"
    for target in U55[1:]:
        result = results[target]
        assert (result.status, result.pte, result.findings[0].rule) == ("failed", None, "disk-full")
        assert not os.path.lexists(result.folder / "model.pte")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_program_that_cannot_be_written_is_removed(tmp_path: Path) -> None:
    (tmp_path / "x.pte").symlink_to("/dev/full")
    with pytest.raises(OSError, match="space"):
        aot_derive.save(b"program", str(tmp_path / "x.pte"))
    assert list(tmp_path.iterdir()) == []
