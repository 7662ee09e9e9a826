"""Operators for other programs: a Perfetto trace whose durations are cycles and say so, and node data of Model Explorer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import Etdump
from ethosu_tui.analysis.export.model_explorer import node_data
from ethosu_tui.analysis.export.operators import Profile, profile_of_compile, profile_of_etdump, profile_of_layers
from ethosu_tui.analysis.export.perfetto import perfetto_trace
from ethosu_tui.analysis.report import Layer
from ethosu_tui.analysis.tosa.reader import read_tosa

from .etdump_writer import DumpWriter

Call = tuple[str, int, int, int]


def dump_of(*calls: Call) -> Etdump:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile(name, start, end, instruction=at) for name, start, end, at in calls])
    return decode(writer.finish())


ROOT = Path(__file__).resolve().parents[2]


def operator(index: int, tosa: str, cycles: int, place: int | None, **more: Any) -> dict[str, Any]:
    named = {"index": index, "tosa": tosa, "op_cycles": cycles, "npu_cycles": cycles, "macs": 10, "tosa_index": place}
    return {**named, "sram_bytes": 64 * (index + 1), "partition": 1, "torch": f"aten.{tosa.lower()}", **more}


COMPILED = [
    operator(0, "CONV2D", 1500, 5),
    operator(1, "RESCALE", 0, 6, chained_into=0),
    operator(2, "CONV2D", 200, 5),
    operator(3, "ADD", 300, 9, name="\x1b[31mred"),
    operator(4, "MATMUL", 70, None),
]


def trace_of(found: Profile | None) -> dict[str, Any]:
    assert found is not None
    document: dict[str, Any] = json.loads("".join(perfetto_trace(found)))
    return document


def slices(document: dict[str, Any]) -> list[tuple[str, float, float]]:
    return [(e["name"], e["ts"], e["dur"]) for e in document["traceEvents"] if e["ph"] == "X"]


def test_a_trace_of_estimates_has_one_nanosecond_a_cycle_and_says_that_this_is_not_time() -> None:
    document = trace_of(profile_of_compile("mnist on ethos-u85-256", COMPILED))
    assert document["displayTimeUnit"] == "ns"
    assert slices(document) == [("CONV2D", 0, 1.5), ("CONV2D", 1.5, 0.2), ("ADD", 1.7, 0.3), ("MATMUL", 2.0, 0.07)]
    about = document["otherData"]
    assert about["unit"] == "cycles" and "not time" in about["unit_note"] and "estimate" in about["evidence"]
    assert any("1 chained" in note for note in about["notes"]), "what has no cycles of its own is left out and counted"
    process = next(e for e in document["traceEvents"] if e["name"] == "process_name")
    assert "not time" in process["args"]["name"]
    first = next(e for e in document["traceEvents"] if e["ph"] == "X")
    assert first["args"]["cycles"] == 1500 and first["args"]["tosa_operator"] == 5
    memory = [(e["ts"], e["args"]["bytes"]) for e in document["traceEvents"] if e["ph"] == "C"]
    assert {e["name"] for e in document["traceEvents"] if e["ph"] == "C"} == {"SRAM"}
    assert memory == [(0, 64), (1.5, 192), (1.7, 256), (2.0, 320)]
    assert "\\u001b" not in json.dumps(document)


def test_no_cycle_is_lost_between_microseconds_and_nanoseconds() -> None:
    found = profile_of_compile("x", [operator(n, "ADD", 7 * n * n + 1, n) for n in range(3000)])
    at = 0
    for name, start, duration in slices(trace_of(found)):  # rounded as Perfetto's importer does
        assert (name, round(start * 1000)) == ("ADD", at)
        at += round(duration * 1000)
    assert found is not None and at == sum(cost.duration for cost in found.costs)


def test_no_track_is_taken_for_the_main_thread() -> None:
    events = trace_of(profile_of_compile("x", COMPILED))["traceEvents"]
    assert all(e["tid"] != e["pid"] for e in events if e["ph"] == "X")


def test_every_event_has_what_the_trace_event_format_asks_for() -> None:
    for event in trace_of(profile_of_compile("x", COMPILED))["traceEvents"]:
        assert event["ph"] in ("X", "M", "C") and isinstance(event["pid"], int) and isinstance(event["name"], str)
        if event["ph"] != "M":
            assert event["ts"] >= 0
        if event["ph"] != "C":
            assert isinstance(event["tid"], int)


def test_partitions_are_tracks_and_one_file_of_node_data_each() -> None:
    found = profile_of_compile("x", [*COMPILED, operator(5, "ADD", 11, 2, partition=2)])
    assert found is not None and found.partitions == (1, 2)
    names = {e["args"]["name"] for e in trace_of(found)["traceEvents"] if e["name"] == "thread_name"}
    assert names == {"partition 1 (1 ns = 1 cycle)", "partition 2 (1 ns = 1 cycle)"}
    assert json.loads("".join(node_data(found, 2)))["main"]["results"] == {"main/op2": {"value": 11}}


def test_node_data_adds_up_what_belongs_to_one_operator() -> None:
    found = profile_of_compile("x", COMPILED)
    assert found is not None
    graph = json.loads("".join(node_data(found)))["main"]
    assert graph["results"] == {"main/op5": {"value": 1700}, "main/op9": {"value": 300}}
    assert [item["stop"] for item in graph["gradient"]][::3] == [0.0, 1.0]
    assert "estimate" in graph["name"]


def test_the_graph_of_executorch_is_called_as_node_data_say() -> None:
    graph = read_tosa((ROOT / "tests/programs/two_parts.tosa").read_bytes())
    assert {block.region for block in graph.blocks} == {"main"}


def test_an_etdump_keeps_its_own_times_and_units() -> None:
    dump = dump_of(("Method::execute", 1000, 9000, -1), ("DELEGATE_CALL", 2000, 7000, 1))
    document = trace_of(profile_of_etdump("x", dump, "ns"))
    assert slices(document) == [("Method::execute", 0, 8.0), ("DELEGATE_CALL", 1.0, 5.0)]
    assert "time in nanoseconds" in document["otherData"]["unit_note"]
    ticks = trace_of(profile_of_etdump("x", dump))
    assert "not time" in ticks["otherData"]["unit_note"]


def test_what_has_no_operators_gives_no_profile() -> None:
    assert profile_of_compile("x", []) is None
    assert profile_of_layers("x", []) is None
    assert profile_of_etdump("x", dump_of(("Method::execute", 0, 0, -1))) is None


def test_layers_of_a_table_are_drawn_but_have_no_place_in_a_graph() -> None:
    found = profile_of_layers("x", [Layer(0, "CONV2D", "a", 90, 100, 5, 1024, 50.0)])
    assert found is not None and found.partitions == ()
    assert slices(trace_of(found)) == [("CONV2D", 0, 0.1)]
