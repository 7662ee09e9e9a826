"""`ethosu-tui inspect` on programs and TOSA graphs: tables, JSON, two files against each other, and damaged ones."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.tui.cli import main

from .analysis.test_vela import LAYERS
from .programs import HERE, PROGRAMS
from .test_imports import HEAVY

SHARED, SRAM_ONLY = str(HERE / "two_parts_u55_128.pte"), str(HERE / "two_parts_u55_32_sram_only.pte")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["inspect", *arguments]) == code
    return capsys.readouterr().out


def test_a_program_says_what_it_is_for_and_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, SHARED)
    assert "ethos-u55-128, Ethos_U55_High_End_Embedded, Shared_Sram" in text
    assert "aten::sort.values" in text and "5 kernel, 2 delegate" in text and "1x3x16x16" in text
    assert re.search("corstone-300-u55 +fits", text) and "it is for ethos-u55-128, the board has ethos-u85" in text
    assert "come on top" in text


@pytest.mark.parametrize("name", [*PROGRAMS, "adds_u55_128.bpte"])
def test_the_json_agrees_with_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(shown(capsys, str(HERE / name), "--json"))
    assert document["schema"] == "ethosu-tui/artefact/1" and document["kind"] == name.rpartition(".")[2]
    program = document["program"]
    assert (program["bundle"] is not None) == name.endswith(".bpte")
    assert program["cut"] is False
    regions = {need["region"]: need["bytes"] for need in program["memory"]}
    delegates = [delegate for method in program["methods"] for delegate in method["delegates"]]
    assert regions.get("weights", 0) == sum(delegate["vela"]["weight_bytes"] for delegate in delegates)
    assert regions.get("scratch", 0) == max((delegate["vela"]["scratch_bytes"] for delegate in delegates), default=0)
    assert all(len(delegate["sha256"]) == 64 for delegate in delegates)
    assert {board["fit"] for board in program["boards"]} <= {"fits", "does not fit", "cannot tell"}
    assert all(board["reasons"] for board in program["boards"])


def test_two_programs_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, SHARED, SRAM_ONLY)
    assert "build.memory_mode" in text and "Shared_Sram" in text and "Sram_Only" in text
    document = json.loads(shown(capsys, SHARED, SRAM_ONLY, "--json"))
    assert document["same"] is False and document["other"]["path"] == SRAM_ONLY
    values = {difference["path"]: difference["values"] for difference in document["differences"]}
    assert values["methods[forward].delegates[0].build.target"] == ["ethos-u55-128", "ethos-u55-32"]
    rows = list(csv.reader(io.StringIO(shown(capsys, SHARED, SRAM_ONLY, "--csv"))))
    assert rows[0] == ["What", "two_parts_u55_128.pte", "two_parts_u55_32_sram_only.pte"] and len(rows) > 5
    assert "the same, byte for byte" in shown(capsys, SHARED, SHARED)
    assert json.loads(shown(capsys, SHARED, SHARED, "--json"))["same"] is True


def test_a_graph(capsys: pytest.CaptureFixture[str]) -> None:
    graph = str(HERE / "two_parts.tosa")
    text = shown(capsys, graph)
    assert "CONV2D" in text and "model.py:14" in text and "first" in text
    rows = list(csv.DictReader(io.StringIO(shown(capsys, graph, "--csv"))))
    assert [row["Operator"] for row in rows] == ["TRANSPOSE", "CONV2D", "RESCALE", "TRANSPOSE"]
    assert json.loads(shown(capsys, graph, "--json"))["tosa"]["version"] == "1.0.0"
    assert "the same" in shown(capsys, graph, graph)


def test_what_cannot_be_read_or_compared_is_one_sentence(
    tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.pte"
    cut.write_bytes(Path(SHARED).read_bytes()[:4000])
    for arguments, code, said in (
        ([str(cut)], 3, "cut or damaged"),
        ([str(cut), SHARED], 3, "cut or damaged"),
        ([SHARED, str(cut)], 3, "cut or damaged"),
        ([SHARED, str(tmp_path / "none.pte")], 3, "No such file"),
        ([SHARED, str(HERE / "two_parts.tosa")], 2, "not of one kind"),
        ([SHARED, str(samples / "softmax.log")], 3, "softmax.log is not a program or TOSA graph"),
        ([SHARED, "--csv"], 2, "no table for CSV"),
        ([SHARED, SRAM_ONLY, "--unit", "ns"], 2, "only be compared"),
    ):
        assert main(["inspect", *arguments]) == code, arguments
        heard = capsys.readouterr()
        assert said in heard.err and "Traceback" not in heard.err and heard.out == ""


def test_a_file_with_segments_that_is_cut_shows_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.pte"
    cut.write_bytes((HERE / "two_parts_u55_128_segments.pte").read_bytes()[:-200])
    assert main(["inspect", str(cut)]) == 0
    heard = capsys.readouterr()
    assert "is cut off" in heard.err and "not whole" in heard.out
    assert re.search("corstone-300-u55 +cannot tell", heard.out)


def test_nothing_heavy_is_loaded() -> None:
    script = (
        "import json, sys\nfrom ethosu_tui.tui.cli import main\n"
        f"assert main(['inspect', {SHARED!r}]) == 0 and main(['inspect', {str(HERE / 'two_parts.tosa')!r}]) == 0\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(json.loads(done.stderr.strip().splitlines()[-1]))
    assert not {name for name in (*HEAVY, "flatbuffers") if name in loaded and name != "asyncio"}


def test_macs_of_a_per_layer_table_are_written_as_its_cycles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layers = tmp_path / "net_per-layer.csv"
    layers.write_text(LAYERS)
    text = shown(capsys, str(layers))
    assert "14,956" in text and "112,896" in text
