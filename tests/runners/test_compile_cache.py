"""Compiles that are found again, with a stand-in for executorch: what counts as the same, and what is never believed.

The stand-in's programs are real ones (see `test_compile_sharing.py`); workers, forks, run folders and the index are real.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.operators.report import CompiledOperator
from ethosu_tui.runners.compile import compiler
from ethosu_tui.runners.compile.cache import DIRECTORY
from ethosu_tui.runners.compile.compiler import CompileBatch, CompileResult, JobDone, JobStarted
from ethosu_tui.runners.compile.derive import Base, Derivation
from ethosu_tui.runners.compile.result import DELEGATION, Told
from ethosu_tui.runners.compile.result_text import StoredOperators
from ethosu_tui.runners.compile.setup import Setup

from .test_compile_sharing import U55, Batch, _is_sound, batch

__all__ = ["batch"]


def _cached(running: Any) -> list[bool]:
    """For each job in order, whether it was found; all must be sound."""
    results = _all(running)
    assert all(result.status == "ok" and _is_sound(result) for result in results.values())
    return [results[index].cached for index in sorted(results)]


def _all(running: Any) -> dict[int, CompileResult]:
    return {event.index: event.result for event in running.run() if isinstance(event, JobDone)}


def test_a_second_sweep_is_found_whole(batch: Batch, tmp_path: Path) -> None:
    first = _all(batch())
    folders = sorted(path.name for path in (tmp_path / "runs").iterdir())
    again = batch()
    events = list(again.run())
    assert not any(isinstance(event, JobStarted) for event in events)
    second = {event.index: event.result for event in events if isinstance(event, JobDone)}
    assert [result.cached for result in second.values()] == [True] * 3
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == folders
    for index, result in second.items():
        was, now = first[index].to_dict(), result.to_dict()
        assert {name for name in was if was[name] != now[name]} <= {"cached", "seconds"}


def test_a_found_result_has_its_operators_unread_until_they_are_looked_at(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    _all(batch())
    monkeypatch.setattr(CompiledOperator, "of", lambda stored: pytest.fail("a row was read"))
    for result in _all(batch()).values():
        assert result.cached and isinstance(result.operators, StoredOperators)
        assert json.loads(result.text())["operators"] == []


def test_a_batch_that_was_checked_is_not_checked_again_before_it_runs(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(compiler, "Setup", lambda *given: made.append(given) or Setup(*given))
    running = batch()
    running.check()
    assert _cached(running) == [False] * 3 and len(made) == 1
    assert _cached(batch()) == [True] * 3 and len(made) == 2, "and one that was not is checked"


def test_another_name_of_the_same_interpreter_finds_the_same(batch: Batch, tmp_path: Path) -> None:
    running = batch()
    assert _cached(running) == [False] * 3
    (tmp_path / "python3").symlink_to("python")
    shutil.copy(tmp_path / "python", tmp_path / "python-of-its-own")
    for name, found in (("python3", True), ("python-of-its-own", False)):
        options = replace(running.options, interpreter=str(tmp_path / name))
        assert _cached(CompileBatch(options, running.points, tmp_path / "runs", 2)) == [found] * 3, name


def test_a_found_program_is_delivered_too(batch: Batch, tmp_path: Path) -> None:
    assert _cached(batch()) == [False] * 3
    assert _cached(batch(output=str(tmp_path / "out"))) == [True] * 3
    assert len(list((tmp_path / "out").glob("*.pte"))) == 3


def test_one_more_target_costs_vela_only(batch: Batch) -> None:
    assert _cached(batch()) == [False] * 3
    results = _all(batch(targets=("ethos-u65-512", *U55)))
    assert [results[index].cached for index in range(4)] == [False, True, True, True]
    assert results[0].route == "shared" and _is_sound(results[0])


def test_without_the_cache_everything_is_done_again(batch: Batch) -> None:
    assert _cached(batch()) == [False] * 3
    running = batch()
    running._cached = False
    assert _cached(running) == [False] * 3


def test_another_option_is_another_compile(batch: Batch) -> None:
    assert _cached(batch()) == [False] * 3
    assert _cached(batch(quantize=False)) == [False] * 3


def test_a_changed_model_is_compiled_again_and_a_changed_comment_costs_the_first_job_only(batch: Batch) -> None:
    assert _cached(batch()) == [False] * 3
    assert _cached(batch("# a comment")) == [False, True, True]  # the stand-in's program stays the same
    assert _cached(batch("# a comment")) == [True] * 3
    assert _cached(batch()) == [False, True, True]


@pytest.mark.parametrize("name", ["weights.bin", "layers.py"])
def test_what_the_model_reads_and_imports_counts(batch: Batch, tmp_path: Path, name: str) -> None:
    (tmp_path / "layers.py").write_text("WIDTH = 1\n")
    (tmp_path / "weights.bin").write_bytes(b"1")
    body = "import layers\nopen(os.path.join(os.path.dirname(layers.__file__), 'weights.bin'), 'rb').read()"
    assert _cached(batch(body)) == [False] * 3
    assert _cached(batch(body)) == [True] * 3
    (tmp_path / name).write_bytes(b"WIDTH = 2\n")
    assert _cached(batch(body)) == [False, True, True]


def test_a_file_that_was_only_touched_counts_as_the_same(batch: Batch, tmp_path: Path) -> None:
    assert _cached(batch()) == [False] * 3
    os.utime(tmp_path / "model.py")
    running = batch()
    assert _cached(running) == [True] * 3


def test_a_listed_directory_counts(batch: Batch, tmp_path: Path) -> None:
    (tmp_path / "samples").mkdir()
    body = f"os.listdir({str(tmp_path / 'samples')!r})"
    assert _cached(batch(body)) == [False] * 3
    assert _cached(batch(body)) == [True] * 3
    (tmp_path / "samples" / "1.bin").touch()
    assert _cached(batch(body)) == [False, True, True]


def test_a_model_that_opens_a_connection_is_never_found(batch: Batch) -> None:
    body = "import socket\ns = socket.socket()\ns.settimeout(1)\ntry:\n    s.connect(('127.0.0.1', 9))\nexcept OSError:\n    pass"
    assert _cached(batch(body)) == [False] * 3
    assert _cached(batch(body))[0] is False


def test_an_environment_variable_that_the_model_asks_for_counts(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "os.environ.get('MODEL_WIDTH', '4')"
    assert _cached(batch(body)) == [False] * 3
    assert _cached(batch(body)) == [True] * 3
    monkeypatch.setenv("MODEL_OTHER", "8")
    assert _cached(batch(body)) == [True] * 3
    monkeypatch.setenv("MODEL_WIDTH", "8")
    assert _cached(batch(body)) == [False, True, True]
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert _cached(batch(body))[0] is False


def test_a_model_that_starts_a_program_is_never_found(batch: Batch) -> None:
    body = "os.system('true')"
    assert _cached(batch(body)) == [False] * 3
    assert _cached(batch(body))[0] is False


def test_the_same_model_elsewhere_has_runs_of_its_own(batch: Batch, tmp_path: Path) -> None:
    running = batch()
    copy = shutil.copy(tmp_path / "model.py", tmp_path / "copy.py")
    again = CompileBatch(replace(running.options, model=str(copy)), running.points, tmp_path / "runs", 2)
    assert _cached(running) == _cached(again) == [False] * 3
    for model, results in (("model.py", _all(batch())), ("copy.py", _all(replaced(again)))):
        for result in results.values():
            assert result.cached
            assert json.loads((result.folder / "manifest.json").read_text())["model"] == str(tmp_path / model)


def replaced(batch: CompileBatch) -> CompileBatch:
    """The same batch, which has not begun."""
    return CompileBatch(batch.options, batch.points, batch._root, 2)


def test_a_workspace_that_was_moved_names_its_own_logs(batch: Batch, tmp_path: Path) -> None:
    running = batch()
    assert _cached(running) == [False] * 3
    (tmp_path / "runs").rename(tmp_path / "moved")
    moved = CompileBatch(running.options, running.points, tmp_path / "moved", 2)
    for result in _all(moved).values():
        assert result.cached and Path(result.log).is_file()


def test_other_source_lines_are_another_report(batch: Batch) -> None:
    result = _all(batch())[0]
    base = Base(result.point, result.folder, result.sha256, Told(), ())
    was = Derivation(base).identity
    assert Derivation(base).identity == was
    derivation = Derivation(base)
    assert derivation.identity == was
    (result.folder / "vela" / "partition-1" / "locations.json").write_text("{}")
    assert Derivation(base).identity == derivation.identity != was


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _spoil_and_hide(path: Path) -> None:
    found = path.stat()
    _spoil(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


@pytest.mark.parametrize("harm", [_spoil, _spoil_and_hide, _cut, Path.unlink])
@pytest.mark.parametrize("name", ["model.pte", "result.json"])
def test_a_spoilt_result_is_noticed_and_made_again(batch: Batch, name: str, harm: Callable[[Path], None]) -> None:
    results = _all(batch())
    harm(results[1].folder / name)
    assert _cached(batch()) == [True, False, True]
    assert _cached(batch()) == [True] * 3


@pytest.mark.parametrize("name", ["model.pte", "vela/partition-1/out.tosa", "vela/partition-2/digests.sha256"])
def test_a_spoilt_first_job_is_noticed(batch: Batch, name: str) -> None:
    results = _all(batch())
    _spoil(results[0].folder / name)
    again = _all(batch())
    assert again.keys() == results.keys()
    assert all(result.status == "ok" and _is_sound(result) for result in again.values())


@pytest.mark.parametrize("harm", [_spoil, _spoil_and_hide, Path.unlink])
def test_what_was_said_of_a_spoilt_first_job_is_not_passed_on(batch: Batch, harm: Callable[[Path], None]) -> None:
    first = _all(batch())[0]
    was = (first.folder / DELEGATION).read_bytes()
    harm(first.folder / DELEGATION)
    result = _all(batch(targets=("ethos-u65-512",)))[0]
    assert (result.route, (result.folder / DELEGATION).read_bytes()) == ("full", was)
    assert _all(batch(targets=("ethos-u65-256",)))[0].route == "shared"


@pytest.mark.parametrize(("call", "make"), [("open({}).close", Path.touch), ("os.listdir({}).copy", Path.mkdir)])
def test_what_was_looked_for_counts_once_it_is_there(
    batch: Batch, tmp_path: Path, call: str, make: Callable[[Path], None]
) -> None:
    wanted = tmp_path / "settings"
    body = f"try:\n    {call.format(repr(str(wanted)))}()\nexcept OSError:\n    pass"
    assert _cached(batch(body, targets=U55[:1])) == [False]
    assert _cached(batch(body, targets=U55[:1])) == [True]
    make(wanted)
    assert _cached(batch(body, targets=U55[:1])) == [False]


def test_more_directories_than_are_noted_are_not_believed(batch: Batch, tmp_path: Path) -> None:
    body = (
        f"for n in range(4200):\n    try:\n        os.listdir(f'{tmp_path}/{{n}}')\n    except OSError:\n        pass"
    )
    assert _cached(batch(body, targets=U55[:1])) == [False]
    assert _cached(batch(body, targets=U55[:1])) == [False]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"folder": 1}',
        b'{"folder": "../.."}',
        b'{"folder": "x", "pte": [1, 2]}',
        b"\xff" * 9,
    ],
)
def test_a_spoilt_index_is_no_index(batch: Batch, tmp_path: Path, content: bytes) -> None:
    assert _cached(batch()) == [False] * 3
    for entry in (tmp_path / "runs" / DIRECTORY).iterdir():
        entry.write_bytes(content)
    assert _cached(batch()) == [False] * 3
    assert _cached(batch()) == [True] * 3


def test_an_entry_with_one_wrong_digit_is_not_believed(batch: Batch, tmp_path: Path) -> None:
    assert _cached(batch()) == [False] * 3
    for entry in (tmp_path / "runs" / DIRECTORY).iterdir():
        data = entry.read_bytes()
        entry.write_bytes(data.replace(b'"delegated": 3', b'"delegated": 4').replace(b'"result": "', b'"result": "0'))
    assert _cached(batch()) == [False] * 3


def test_an_entry_that_names_another_job_is_not_believed(batch: Batch, tmp_path: Path) -> None:
    """Swapped contents: whoever can write there could also write programs, but a mistake must not pass."""
    assert _cached(batch()) == [False] * 3
    index = tmp_path / "runs" / DIRECTORY
    results = [path for path in index.iterdir() if b'"result"' in path.read_bytes()]
    texts = [path.read_bytes() for path in results]
    for path, text in zip(results, [*texts[1:], texts[0]], strict=True):
        path.write_bytes(text)
    assert _cached(batch()) == [False] * 3


def test_a_removed_run_is_made_again(batch: Batch) -> None:
    import shutil

    results = _all(batch())
    shutil.rmtree(results[0].folder)
    assert _cached(batch()) == [False, True, True]
