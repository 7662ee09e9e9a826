"""TOSA graphs and TensorFlow Lite models through our command, against Vela's own command line."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.compiles.tflite import TfliteError, check_tflite
from ethosu_tui.analysis.flat.buffer import U32, Buffer
from ethosu_tui.runners.compile.batch import batch_of
from ethosu_tui.runners.compile.compiler import CompileOptions, CompilePoint, JobDone, JobStarted, plan
from ethosu_tui.runners.compile.vela_batch import VelaBatch
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.runners.job import InputError, UsageError
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.cli import main

from ..programs.tflite import model

GRAPH = Path(__file__).parent.parent / "programs" / "two_parts.tosa"
pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(look_up().versions["ethos-u-vela"] is None, reason="needs the compile extra"),
]


def _compiled(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, Any]]]:
    code = main(["compile", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return code, json.loads(said.out)["jobs"] if said.out else []


def test_a_tosa_graph_gives_what_vela_gives_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = tmp_path / "two parts.tosa"
    graph.write_bytes(GRAPH.read_bytes())
    monkeypatch.chdir(tmp_path)
    code, jobs = _compiled(capsys, "two parts.tosa", "-t", "ethos-u55-128,ethos-u85-256", "-o", "made here")
    assert code == 0
    for job in jobs:
        assert (job["status"], job["route"], job["pte"], job["pte_bytes"]) == ("ok", "vela", None, None)
        plain = tmp_path / "plain" / job["target"]
        subprocess.run(
            [
                sys.executable, "-m", "ethosu.vela", f"--accelerator-config={job['target']}", "--config=Arm/vela.ini",
                f"--system-config={job['system_config']}", f"--memory-mode={job['memory_mode']}",
                "--output-format=raw", f"--output-dir={plain}", GRAPH,
            ],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        assert _arrays(Path(job["artefact"])) == _arrays(plain / "two_parts_vela.npz")
        assert Path(job["artefact"]).parent == tmp_path / "made here"
        assert sum(operator["op_cycles"] for operator in job["operators"]) == job["summary"]["total_cycles"] > 0
        folder = RunFolder.open(Path(job["folder"]))
        assert folder.state == "finished" and Path(folder.manifest["artefact"]).is_file()
        assert (folder.path / "vela/partition-1/out.tosa").read_bytes() == GRAPH.read_bytes()


def test_the_best_of_a_graph_goes_where_it_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = tmp_path / "best.npz"
    assert main(["compile", str(GRAPH), "--fit", "sram=1MiB", "-o", str(wanted)]) == 0
    said = capsys.readouterr().out
    assert _arrays(wanted) and str(wanted) in said.splitlines()


def test_a_graph_says_where_its_artefact_is_and_not_that_it_failed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(GRAPH)]) == 0
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if line.startswith("ethos-u55-128: ")]
    assert line.endswith("_vela.npz") and "failed" not in said


def _arrays(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_operators_of_a_tflite_file_that_stay_on_the_cpu_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed, real = tmp_path / "mixed.tflite", tmp_path / "real.tflite"
    mixed.write_bytes(model(sine=True))
    real.write_bytes(model(quantised=False))
    code, (job,) = _compiled(capsys, mixed)
    assert code == 0
    assert Path(job["artefact"]).read_bytes()[4:8] == b"TFL3"
    assert (job["summary"]["npu_operators"], job["summary"]["cpu_operators"]) == (1, 1)
    (finding,) = job["findings"]
    assert (finding["rule"], finding["severity"]) == ("operators-on-cpu", "warning")
    assert "SIN" in finding["title"] and "SIN (wave): Unsupported opType" in finding["detail"]
    code, (job,) = _compiled(capsys, real)
    assert code == 1
    assert (job["findings"][0]["rule"], job["findings"][0]["severity"]) == ("not-delegated", "error")
    assert "Float32" in job["findings"][0]["detail"]
    assert job["summary"]["total_cycles"] is None and job["summary"]["inference_seconds"] is None


def test_a_graph_that_this_npu_cannot_run_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strange = bytearray(GRAPH.read_bytes())
    for place in _operator_numbers(bytes(strange)):
        strange[place : place + 4] = (4000).to_bytes(4, "little")
    path = tmp_path / "strange.tosa"
    path.write_bytes(strange)
    for _ in range(2):
        code, (job,) = _compiled(capsys, path)
        assert code == 1
        assert (job["status"], job["artefact"], job["sha256"], job["summary"]) == ("failed", None, None, None)
        assert job["findings"][0]["severity"] == "error" and "\n" not in job["findings"][0]["title"]
        assert not job["cached"], "what failed is tried again"


def _operator_numbers(data: bytes) -> list[int]:
    """Where the graph says what its operators are."""
    buffer = Buffer(data)
    (region,) = buffer.tables(buffer.table(U32.unpack_from(data)[0]), 1)
    (block,) = buffer.tables(region, 1)
    return [place + fields[0] for place, fields in buffer.tables(block, 1)]


@pytest.mark.parametrize("kind", [".tosa", ".tflite"])
def test_a_damaged_graph_is_refused_before_vela_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    whole = GRAPH.read_bytes() if kind == ".tosa" else model()
    middle = bytearray(whole)
    middle[len(whole) // 4 : len(whole) // 2] = bytes(len(whole) // 2 - len(whole) // 4)
    path = tmp_path / f"spoilt{kind}"
    for spoilt in (whole[: len(whole) * 2 // 3], bytes(middle), whole[:8] + b"\xff" * 400):
        path.write_bytes(spoilt)
        assert main(["compile", str(path)]) == 3
        said = capsys.readouterr()
        (line,) = said.err.splitlines()
        assert str(path) in line and "cut or damaged" in line and not said.out


def test_a_graph_is_found_again_until_it_or_what_was_made_of_it_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "runs"))
    graph, wanted = tmp_path / "graph.tosa", tmp_path / "best.npz"
    graph.write_bytes(GRAPH.read_bytes())

    def compiled(*more: str) -> tuple[list[bool], list[dict[str, Any]]]:
        code, jobs = _compiled(capsys, graph, "-t", "ethos-u55-128", *more)
        assert code == 0
        return [job["cached"] for job in jobs], jobs

    found, (first,) = compiled()
    assert found == [False]
    found, (again,) = compiled()
    assert found == [True] and len(list((tmp_path / "runs").glob("2*"))) == 1
    assert {name for name in first if first[name] != again[name]} == {"cached", "seconds"}
    assert compiled("--no-cache")[0] == [False]
    found, (delivered,) = compiled("-o", str(wanted))
    assert found == [True] and delivered["artefact"] == str(wanted)
    assert wanted.read_bytes() == Path(again["artefact"]).read_bytes()
    assert compiled("--memory-mode", "Sram_Only,Shared_Sram")[0] == [False, True]
    for name in ("result.json", "vela/partition-1/out_vela.npz"):
        newest = Path(compiled()[1][0]["folder"]) / name
        newest.write_bytes(newest.read_bytes()[:-3])
        assert compiled()[0] == [False] and compiled()[0] == [True], name
    changed = bytearray(GRAPH.read_bytes())
    changed += bytes(4)
    graph.write_bytes(changed)
    assert compiled()[0] == [False]


def test_what_has_no_use_for_vela_is_refused(tmp_path: Path) -> None:
    points, _ = plan(["ethos-u55-128"])
    graph = str(GRAPH)
    for options, chosen, said in (
        (CompileOptions(graph, quantize=False), points, "--no-quantize has no use"),
        (CompileOptions(graph, delegate=False), points, "--no-delegate has no use"),
        (CompileOptions(graph, extra=("--x",)), points, "--aot-arg has no use"),
        (CompileOptions(graph, extra=("--etrecord",)), points, "--etrecord has no use"),
        (CompileOptions(graph, executorch="x"), points, "--executorch has no use"),
        (CompileOptions(graph, calibration="x"), points, "--calibration has no use"),
        (CompileOptions(graph, output="x.pte"), points, "end in .npz"),
        (CompileOptions(graph), [CompilePoint("cortex-m55")], "cortex-m55 has none"),
    ):
        with pytest.raises(UsageError) as caught:
            batch_of(options, chosen, tmp_path).check()
        assert said in str(caught.value)
    for content, said in ((b"", "is empty"), (b"PK\3\4" * 9, "is no TOSA graph"), (b"\xff\xff\0\0TOSA", "cut off")):
        path = tmp_path / "x.tosa"
        path.write_bytes(content)
        with pytest.raises(InputError, match=said):
            batch_of(CompileOptions(str(path)), points, tmp_path).check()
    for missing in (tmp_path / "no.tflite", tmp_path):
        with pytest.raises(InputError):
            batch_of(CompileOptions(f"{missing}/no.tflite"), points, tmp_path).check()


def test_a_stopped_batch_leaves_no_process_and_says_so(tmp_path: Path) -> None:
    points, _ = plan(["all"])
    batch = batch_of(CompileOptions(str(GRAPH)), points, tmp_path / "runs", 1)
    assert isinstance(batch, VelaBatch)
    results = []
    for event in batch.run():
        if isinstance(event, JobStarted):
            batch.stop()
        if isinstance(event, JobDone):
            results.append(event.result)
    assert len(results) == 1
    assert [finding.rule for finding in results[0].findings] == ["stopped"]
    (folder,) = (tmp_path / "runs").iterdir()
    assert RunFolder.open(folder).state == "stopped"


@cache
def _whole() -> bytes:
    return model()


@given(
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8), st.floats(0, 1)
)
def test_any_bytes_of_a_tflite_file_are_a_model_or_one_sentence(changes: list[tuple[float, int]], kept: float) -> None:
    whole = _whole()
    data = bytearray(whole)
    for place, value in changes:
        data[int(place * len(data))] = value
    for given_ in (bytes(data), bytes(data)[: int(kept * len(data))]):
        try:
            check_tflite(given_)
        except TfliteError as error:
            assert "\n" not in str(error) and str(error).isprintable()
    check_tflite(whole)
