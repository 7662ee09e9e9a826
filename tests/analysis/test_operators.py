"""Vela's operations joined with the TOSA graph and PyTorch's lines, and its memory map: a real U85 database and what is odd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.npu_trace.debug_tables import DebugTables
from ethosu_tui.analysis.operators.graph import Flow, flow_of
from ethosu_tui.analysis.operators.join import PartitionFacts, compiled_operators
from ethosu_tui.analysis.operators.locations import parse_locations
from ethosu_tui.analysis.operators.memory_map import memory_map
from ethosu_tui.analysis.operators.perf import perf_rows
from ethosu_tui.analysis.operators.report import CompiledOperator
from ethosu_tui.analysis.operators.tables import costliest_table, memory_tables, operators_table, origin_lines
from ethosu_tui.analysis.report import to_dict
from ethosu_tui.analysis.tables.text import render
from ethosu_tui.analysis.tosa.reader import read_tosa

PROGRAMS = Path(__file__).parent.parent / "programs"


def _table(name: str, *lines: str) -> str:
    return "\n".join((f'<table name="{name}">', "<![CDATA[", *lines, "]]>", "</table>"))


DATABASE = "\n".join(
    (
        "<debug>",
        _table(
            "perf",
            '"id","source_id","optimised_id","operator","name","staging_usage","op_cycles","npu_cycles","mac_count","lutram_ac","Sram_ac","OffChipFlash_ac"',
            '387,21,68,"Conv2D","rescaled",9408,5345,5345,903168,0,818,12',
            '393,27,67,"MaxPool","turned",7840,2522,2522,6272,0,1531,0',
            '395,28,66,"Transpose","turned",0,0,0,0,0,0,0',
            '397,32,65,"Conv2D","a "name", 2",1632,8088,700,100352,0,51,8088',
        ),
        _table("group", '"id","group_id"', "395,393"),
        _table(
            "source",
            '"id","operator","kernel_w","ext_key"',
            '21,"Conv2D",3,2',
            '27,"MaxPool",2,4',
            '28,"Transpose",1,5',
            '32,"Conv2D",1,6',
        ),
        _table(
            "tensors",
            '"id","data_type","memory","usage","start_time","end_time","start_address","end_address","size","format","name"',
            '1,"Int8","Sram","OpLocal",0,1,"0x100","0x110","0x10","NHWC","in"',
            '2,"Int8","Sram","OpLocal",0,3,"0x0","0x100","0x100","NHCWB16","first"',
            '3,"Int8","Sram","OpLocal",2,5,"0x100","0x140","0x40","NHCWB16","second"',
            '4,"Int8","Dram","OpLocal",2,5,"0x20","0x40","0x20","NHCWB16","far"',
            '5,"Int8","Sram","OpLocal",2,5,"","","0x40","NHCWB16","nowhere"',
        ),
        "</debug>",
    )
)
NAMES = ("CONST", "RESHAPE", "CONV2D", "RESCALE", "MAX_POOL2D", "TRANSPOSE", "CONV2D")
FLOW = Flow(NAMES, ((), (), (1,), (2,), (3,), (4,), (5,)), {"rescaled": 3, "pooled": 4, "turned": 5})


def _node(first: int, end: int, **known: Any) -> dict[str, Any]:
    return {"first": first, "end": end, "node": "n", **known}


LOCATIONS: dict[str, Any] = {
    "version": 1,
    "blocks": [
        {
            "region": "main",
            "block": "main",
            "operators": list(NAMES),
            "nodes": [
                _node(
                    2,
                    3,
                    torch=["aten.conv2d.default"],
                    module="c",
                    source="m.py:7",
                    file="/x/m.py",
                    line=7,
                    code="c(x)",
                ),
                _node(3, 4, torch=["aten.add.Tensor", "aten.relu.default"], module="", source="m.py:8"),
                _node(4, 5, torch=["aten.max_pool2d.default"], module="p", source="torchvision/a.py:3", library=True),
                _node(5, 6, source="m.py:9", module="", inferred=True),
            ],
        }
    ],
}


def _joined(locations: object = LOCATIONS, macs: int | None = 256) -> tuple[CompiledOperator, ...]:
    rows = perf_rows(DebugTables(DATABASE))
    facts = PartitionFacts(1, rows, (), FLOW, parse_locations(json.dumps(locations)), macs)
    return compiled_operators([facts])


def test_a_row_is_joined_by_the_index_of_its_operator_and_not_by_its_name() -> None:
    conv, pool, transpose, last = _joined()
    assert (conv.tosa, conv.vela, conv.tosa_index, conv.name) == ("CONV2D", "Conv2D", 2, "rescaled")
    assert (conv.torch, conv.module, conv.source, conv.code) == ("aten.conv2d.default", "c", "m.py:7", "c(x)")
    assert [(f.tosa_index, f.tosa, f.torch, f.source) for f in conv.fused] == [
        (3, "RESCALE", "aten.add.Tensor + aten.relu.default", "m.py:8")
    ]
    assert (conv.bound, last.bound) == ("npu", "off_chip_flash")
    assert (conv.sram_access_cycles, conv.off_chip_flash_access_cycles, conv.dram_access_cycles) == (818, 12, None)
    assert conv.utilisation_percent == pytest.approx(100 * 903168 / 5345 / 256, abs=0.001)
    assert (transpose.chained_into, transpose.utilisation_percent, transpose.bound) == (1, None, None)
    assert [o.fused for o in (pool, transpose, last)] == [(), (), ()]
    assert (pool.source_kind, transpose.source_kind, transpose.module) == ("library", "inferred", "(model)")
    assert (last.name, last.source, last.module, last.torch) == ('a "name", 2', None, None, None)
    assert sum(o.share_percent for o in _joined()) == pytest.approx(100, abs=0.01)


def test_without_the_graph_its_origins_and_the_npu_the_rest_is_still_there() -> None:
    (conv, *_) = compiled_operators([PartitionFacts(1, perf_rows(DebugTables(DATABASE)))])
    assert (conv.tosa, conv.tosa_index, conv.source, conv.utilisation_percent) == ("Conv2D", 2, None, None)
    assert (conv.op_cycles, conv.sram_bytes, conv.fused) == (5345, 9408, ())


def test_partitions_are_numbered_through_and_share_one_total() -> None:
    rows = perf_rows(DebugTables(DATABASE))
    operators = compiled_operators([PartitionFacts(1, rows), PartitionFacts(2, rows)])
    assert [o.index for o in operators] == list(range(8))
    assert [o.chained_into for o in operators] == [None, None, 1, None, None, None, 5, None]
    assert sum(o.share_percent for o in operators) == pytest.approx(100, abs=0.01)
    table = operators_table(to_dict(operators))
    part = [column.name for column in table.columns].index("Part")
    assert [row[part].text for row in table.rows] == ["1"] * 4 + ["2"] * 4


def test_rows_that_cannot_be_read_make_no_table_of_the_others() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        perf_rows(DebugTables(DATABASE.replace("393,27,67", "393,27")))
    with pytest.raises(ValueError, match="cannot be read"):
        perf_rows(DebugTables(DATABASE.replace(",5345,5345,", ",,5345,")))
    with pytest.raises(ValueError, match="'perf'"):
        perf_rows(DebugTables("<debug></debug>"))


def test_the_table_says_what_is_chained_fused_inferred_and_unknown() -> None:
    table = operators_table(to_dict(_joined()))
    shown = [[cell.text for cell in row] for row in table.rows]
    assert [row[:4] for row in shown] == [
        ["0", "CONV2D +1", "c", "m.py:7"],
        ["1", "MAX_POOL2D", "p", "*torchvision/a.py:3"],
        ["2", "TRANSPOSE", "(model)", "~m.py:9"],
        ["3", "CONV2D", "-", "-"],
    ]
    assert shown[2][4:6] == ["in 1", "-"] and table.rows[2][4].value is None
    for word in ("in N: chained", "+N:", "~ the graph", "* a library's", "1 without a line"):
        assert word in table.note
    costliest = costliest_table(to_dict(_joined()), 2, "Operators")
    assert [row[0].value for row in costliest.rows] == [3, 0] and "2 of 4" in costliest.note
    rows = to_dict(_joined())
    together = sum(row["op_cycles"] for row in rows)
    assert "add up to the total" in costliest_table(rows, 2, "Operators", together).note
    note = costliest_table(rows, 2, "Operators", together // 2).note
    assert "add up" not in note and f"Vela's total is {together // 2:,}: what is fused overlaps" in note
    assert "what is fused overlaps" in operators_table(rows, together // 2).note
    lines = origin_lines(to_dict(_joined()[0]))
    assert lines[0] == "m.py:7: c(x)"
    assert "RESCALE of m.py:8" in lines[2] and "flash 12" in lines[3]


def test_the_fused_operators_of_a_real_graph_are_those_on_the_way() -> None:
    flow = flow_of(read_tosa((PROGRAMS / "two_parts.tosa").read_bytes()))
    assert flow is not None
    conv = flow.operators.index("CONV2D")
    rescale = flow.operators.index("RESCALE", conv)
    output = next(name for name, index in flow.by_output.items() if index == rescale)
    assert flow.between(conv, output, set()) == (rescale,)
    assert flow.between(conv, output, {rescale}) == ()
    assert flow.between(rescale, output, set()) == () and flow.between(conv, "no such", set()) == ()
    assert flow.between(10**9, output, set()) == () and flow.between(-1, output, set()) == ()


def test_operators_before_and_after_a_chained_one_count_once() -> None:
    names = ("MAX_POOL2D", "RESCALE", "TRANSPOSE", "RESCALE")
    flow = Flow(names, ((), (0,), (1,), (2,)), {"end": 3})
    assert flow.between(0, "end", {2}) == (1,)
    assert flow.between(2, "end", {0}) == (3,)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda d: d.update(version=2), "version"),
        (lambda d: d["blocks"].append(d["blocks"][0]), "several blocks"),
        (lambda d: d["blocks"][0].update(operators=3), "damaged"),
        (lambda d: d.update(blocks=None), "version"),
    ],
)
def test_origins_that_are_not_ours_are_refused(change: Any, word: str) -> None:
    document = json.loads(json.dumps(LOCATIONS))
    change(document)
    with pytest.raises(ValueError, match=word):
        parse_locations(json.dumps(document))


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3), max_leaves=8
    )
)
def test_any_node_gives_places_or_none(value: object) -> None:
    document = json.loads(json.dumps(LOCATIONS))
    node = dict.fromkeys(("torch", "module", "module_class", "source", "code", "file", "inferred"), value)
    document["blocks"][0]["nodes"] = [value, {"first": 1, "end": 3, **node}, {"first": value, "end": value}]
    found = parse_locations(json.dumps(document))
    assert set(found.places) <= set(range(len(NAMES)))


def test_escapes_in_names_reach_no_screen() -> None:
    document = json.loads(json.dumps(LOCATIONS))
    document["blocks"][0]["nodes"][0] |= {"source": "m\x1b[2J.py:7", "module": "c\x1b]0;x\x07", "code": "a\x9bb"}
    (conv, *_) = _joined(document)
    texts = render(operators_table(to_dict(_joined(document)))) + "".join(origin_lines(to_dict(conv)))
    assert not set("\x1b\x07\x9b") & set(texts)


def test_the_memory_map_has_peaks_lifetimes_and_what_could_not_be_read() -> None:
    found = memory_map(DebugTables(DATABASE))
    assert found is not None
    far, near = found.memories
    assert (near.memory, near.peak_bytes, near.live_bytes, near.live_time, near.tensors) == ("Sram", 0x140, 0x140, 2, 3)
    assert (far.memory, far.peak_bytes, far.live_bytes) == ("Dram", 0x40, 0x20)
    assert [(t.name, t.start_address, t.end_time) for t in found.tensors] == [
        ("far", 0x20, 5), ("first", 0, 3), ("in", 0x100, 1), ("second", 0x100, 5),
    ]  # fmt: skip
    assert found.passed_over == 1
    peaks, tensors = memory_tables(found)
    assert len(tensors.rows) == 4 and "1 tensors could not be read" in peaks.note
    assert memory_map(DebugTables("<debug></debug>")) is None
