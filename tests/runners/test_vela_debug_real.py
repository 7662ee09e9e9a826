"""Debug databases that the real Vela writes: read whole, in agreement with its other tables, and walked by a trace."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from ethosu_tui.analysis.npu_trace.vela_debug import parse_debug_database
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.tui.cli import main

from ..analysis.trace_writer import TraceWriter

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]
TARGETS = ("ethos-u55-128", "ethos-u85-256")


@pytest.fixture(scope="module")
def partitions(mnist: dict[str, Path]) -> list[Path]:
    """The Vela folders of MNIST for a U55 and a U85, as the demo compiled it."""
    found = [mnist[target] / "vela" / "partition-1" for target in TARGETS]
    assert all(path.is_dir() for path in found)
    return found


def test_the_database_agrees_with_the_per_layer_table(partitions: list[Path]) -> None:
    for folder in partitions:
        database = parse_debug_database((folder / "out_debug.xml").read_text("utf-8"))
        assert database.passed_over == 0
        with open(folder / "out_per-layer.csv", encoding="utf-8") as stream:
            layers = list(csv.DictReader(stream, skipinitialspace=True))
        operations = list(database.operations.values())
        assert sum(o.op_cycles or 0 for o in operations) == sum(float(row["Op Cycles"]) for row in layers)
        assert sum(o.macs or 0 for o in operations) == sum(float(row["MAC Count"]) for row in layers)
        assert all(o.ext_key is not None and o.source_operator for o in operations)
        offsets = [command.offset_bytes for command in database.commands]
        assert offsets == sorted(set(offsets)) and all(offset % 4 == 0 for offset in offsets)


def test_a_trace_along_its_commands_maps_every_operator(
    partitions: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The trace is generated: no simulator with an NPU can be had in the tests."""
    for folder in partitions:
        database = parse_debug_database((folder / "out_debug.xml").read_text("utf-8"))
        offsets = [command.offset_bytes for command in database.commands]
        cycles = [1000 + 37 * index for index in range(len(offsets))]
        writer = TraceWriter()
        writer.stream(offsets, cycles)
        trace = tmp_path / "pmu_trace.gz"
        trace.write_bytes(gzip.compress(writer.text().encode()))
        assert main(["inspect", str(trace), "--debug-db", str(folder / "out_debug.xml"), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)["npu_operators"]
        assert document["mapped"] == len(document["operators"]) == len({c.operation for c in database.commands})
        expected: dict[int, int] = {}
        for command, duration in zip(database.commands, cycles, strict=True):
            expected[command.operation] = expected.get(command.operation, 0) + duration
        found = {row["operation"]: row["npu_cycles"] for row in document["operators"]}
        first = database.commands[0].operation
        assert found.pop(first) == pytest.approx(expected.pop(first), rel=0.2)
        chained = {row["operation"] for row in document["chained"]}
        if not chained:
            assert found == expected
