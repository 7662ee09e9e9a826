"""What a worker of a cluster does with one task, without a cluster around it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.aot.inputs import described, listed
from ethosu_tui.runners.compile.fleet import differing_files, write_files
from ethosu_tui.runners.fleet import work as fleet_work
from ethosu_tui.runners.interpreters import find_interpreter

from . import test_compile_sharing as sharing

pytest.importorskip("distributed")

batch = sharing.batch
Batch = sharing.Batch


def _task(tmp_path: Path, batch: Batch, body: str, path: Path) -> dict[str, Any]:
    """A task for a model whose file this "worker" sees nowhere, or otherwise."""
    batch(body)
    content = (tmp_path / "model.py").read_bytes().replace(b"os.path.dirname(__file__)", repr(str(tmp_path)).encode())
    return {
        "argv": [f"--model_name={path}", "--target=ethos-u55-128", "--output=/elsewhere/model.pte"],
        "model": str(path),
        "content": content,
        "token": "0" * 32,
        "vela_flags": [],
        "vela_config": None,
        "delegation": "delegation.txt",
        "pte": "model.pte",
        "inputs": "inputs.json",
        "cwd": "/elsewhere",
        "python": str(tmp_path / "python"),
        "facts": fleet_work.facts(find_interpreter(str(tmp_path / "python"))),
        "job": 0,
        "topic": "",
    }


def test_a_worker_that_sees_no_such_file_compiles_a_copy_under_the_name_of_the_original(
    batch: Batch, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere" / "model.py"
    task = _task(tmp_path, batch, "print(__file__, os.getcwd())", path)
    result = fleet_work.compile_job(task)
    assert (result["code"], result["copied"]) == (0, True), result["console"]
    assert result["files"]["model.pte"] == (tmp_path / "programs/ethos-u55-128.pte").read_bytes()
    said, directory = result["console"].decode().splitlines()[1].split()
    assert said == str(path) and directory != os.getcwd()
    inputs = json.loads(result["files"]["inputs.json"])
    assert inputs["files"][str(path)][4] == hashlib.sha256(task["content"]).hexdigest()
    path.parent.mkdir()
    path.write_text("another model")
    assert fleet_work.compile_job(task)["copied"], "a file of the same name is not the model"
    path.write_bytes(task["content"])
    assert not fleet_work.compile_job(task)["copied"]


def test_what_a_copy_lacks_is_explained(batch: Batch, tmp_path: Path) -> None:
    result = fleet_work.compile_job(_task(tmp_path, batch, "import helper", tmp_path / "elsewhere" / "model.py"))
    lines = [line.partition(b" ")[2] for line in result["events"].splitlines()]
    (error,) = [event for event in map(json.loads, lines) if event["event"] == "error"]
    assert error["message"].startswith("No module named 'helper'")
    assert f"what it needs from {tmp_path / 'elsewhere'} must be there too" in error["message"]
    assert "model.pte" not in result["files"]


def test_a_task_of_other_versions_is_not_begun(batch: Batch, tmp_path: Path) -> None:
    task = _task(tmp_path, batch, "", tmp_path / "model.py")
    refused = fleet_work.compile_job({**task, "facts": {**task["facts"], "torch": "9.9"}})
    assert "it has torch" in refused["refused"] and "files" not in refused


def test_files_that_are_not_the_same_here_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, helper, data = (tmp_path / name for name in ("m/model.py", "m/helper.py", "data"))
    model.parent.mkdir()
    data.mkdir()
    for path in (model, helper, data / "one"):
        path.write_text("same")
    inputs = tmp_path / "inputs.json"
    monkeypatch.chdir(data)

    def differing(files: dict[str, Any], directories: dict[str, str], why_not: str | None = None) -> list[str]:
        inputs.write_text(json.dumps({"files": files, "directories": directories, "why_not": why_not}))
        return differing_files(inputs, str(model))

    stamps = {str(path): [1, 4, 1, 1, (described(str(path)) or [""])[-1]] for path in (model, helper)}
    others = {"/nowhere/weights.bin": [1, 1, 1, 1, "x"]}
    assert differing(stamps | others, {str(data): listed(str(data))}) == []
    kept = json.loads(inputs.read_text())["files"]
    assert kept[str(helper)] == described(str(helper)), "for the cache, as it is here"
    assert differing(stamps, {str(data): "other names"}) == [str(data)]
    assert differing({str(model.parent / "missing.py"): [1, 1, 1, 1, "x"]}, {}) == [str(model.parent / "missing.py")]
    assert differing({str(model.parent / "missing.py"): None}, {}) == []
    assert differing({str(helper): None}, {}) == [str(helper)], "the worker looked for it in vain"
    assert differing({}, {}, "it read 5000 files") == ["unknown, since it read 5000 files"]
    helper.write_text("else")
    assert differing(stamps, {}) == [str(helper)]


def test_files_from_a_worker_stay_in_the_run_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    write_files(folder, {"vela/partition-1/out.tosa": b"1", "../escaped": b"2", str(tmp_path / "absolute"): b"3"})
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()] == [
        "run/vela/partition-1/out.tosa"
    ]
