"""What a compile delegated, as data to show: damage and hostile texts, tables, and transposes in TOSA graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.compiles.delegation import LONGEST, MOST, NO_CYCLES, delegation_entry, delegation_tables
from ethosu_tui.analysis.compiles.entry import compile_entry
from ethosu_tui.analysis.tosa.reader import TosaBlock, TosaGraph, TosaOperator, read_tosa
from ethosu_tui.analysis.tosa.transposes import transposes

PROGRAMS = Path(__file__).parent.parent / "programs"


def written(**changes: Any) -> dict[str, Any]:
    """A description as the compiler's process writes it."""
    part = {
        "partition": 1, "backend": "EthosUBackend", "nodes": 5, "operators": {"aten.convolution.default": 1},
        "inputs": 1, "outputs": 1, "quantize": 1, "dequantize": 2, "permutes": 0,
    }  # fmt: skip
    left = {
        "operator": "aten.sort.default", "reason": "Not included", "source": "/m/net.py:14", "code": "sort(x)",
        "module": "b.0", "count": 2, "macs": None, "output_bytes": 3072, "nodes": ["aten_sort_default"],
    }  # fmt: skip
    whole = {
        "asked": True, "partitions": [part, part | {"partition": 2}], "left": [left], "left_off": 0,
        "boundary": {"quantize": 2, "dequantize": 4, "permutes": 0},
    }  # fmt: skip
    return whole | changes


def entry(**changes: Any) -> dict[str, Any]:
    checked = delegation_entry(written(**changes))
    assert checked is not None
    return checked


def test_what_was_written_comes_back_and_what_is_unknown_is_none() -> None:
    checked = entry()
    (row,) = checked["left"]
    assert (row["operator"], row["count"], row["source"], row["module"]) == (
        "aten.sort.default",
        2,
        "/m/net.py:14",
        "b.0",
    )
    assert (row["cycles"], row["cycles_missing"], row["macs"]) == (None, NO_CYCLES, None)
    first = checked["partitions"][0]
    assert (first["dequantize"], first["transposes_inside"], first["transposes_at_edges"]) == (2, None, None)
    assert delegation_entry(json.loads(json.dumps(checked))) == checked, "a stored result is read the same way"


def test_a_stored_result_keeps_it() -> None:
    job = {"target": "ethos-u55-128", "status": "ok", "delegation": entry()}
    stored = compile_entry(job)
    assert stored is not None and stored["delegation"] == entry()
    bare = compile_entry({"target": "x"})
    assert bare is not None and bare["delegation"] is None


def test_texts_are_cleaned_and_rows_bounded() -> None:
    left = written()["left"][0] | {
        "operator": "a\x1b[31mb\x07",
        "reason": "\x1b]0;x\x07",
        "count": -3,
        "nodes": ["\x9b"] * 99,
    }
    checked = entry(left=[left] * (MOST + 5))
    assert len(checked["left"]) == MOST
    row = checked["left"][0]
    assert len(entry(left=[left | {"code": "x" * 10_000}])["left"][0]["code"]) == LONGEST
    assert row["operator"].isprintable() and row["count"] is None and len(row["nodes"]) == 8
    for table in delegation_tables(checked, "t"):
        for cells in table.rows:
            assert all(cell.text.isprintable() for cell in cells)


@pytest.mark.parametrize("damaged", [None, 3, [], {}, {"partitions": 3}, {"partitions": {}}])
def test_what_is_no_description_is_none(damaged: Any) -> None:
    assert delegation_entry(damaged) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {"partitions": st.lists(JSON, max_size=3)},
        optional={n: JSON for n in ("left", "left_off", "boundary", "asked")},
    )
)
def test_any_json_gives_tables_or_none(data: Any) -> None:
    checked = delegation_entry(data)
    if checked is not None:
        delegation_tables(checked, "t")


def test_tables_name_place_and_reason() -> None:
    partitions, left = delegation_tables(entry(), "ethos-u55-128")
    assert [cell.text for cell in partitions.rows[0]] == ["1", "5", "1", "2", "0", "-", "-"]
    assert [cell.text for cell in left.rows[0]] == ["aten.sort.default x2", "net.py:14", "b.0", "-", "Not included"]
    assert left.rows[0][1].value == "/m/net.py:14" and NO_CYCLES in left.note
    _, more = delegation_tables(entry(left_off=7))
    assert "7 more operators are not listed" in more.note


def test_a_model_that_is_delegated_whole_and_one_that_was_not_to_be_have_none() -> None:
    assert delegation_tables(entry(left=[], partitions=written()["partitions"][:1]), "t") == ()
    assert delegation_tables(entry(asked=False), "t") == ()
    assert delegation_tables({}, "t") == ()


def _graph(*operators: tuple[str, str, str]) -> TosaGraph:
    made = tuple(TosaOperator(i, op, (a,), (b,), None) for i, (op, a, b) in enumerate(operators))
    return TosaGraph(0, "1.0.0", (TosaBlock("r", "b", ("in",), ("out",), made, (), ()),))


def test_transposes_at_the_edges_and_inside() -> None:
    assert transposes(_graph(("TRANSPOSE", "in", "a"), ("CONV2D", "a", "b"), ("TRANSPOSE", "b", "out"))) == (2, 0)
    assert transposes(_graph(("CONV2D", "in", "a"), ("TRANSPOSE", "a", "b"), ("CONV2D", "b", "out"))) == (0, 1)
    behind = _graph(
        ("RESCALE", "in", "a"),
        ("TRANSPOSE", "a", "b"),
        ("CONV2D", "b", "c"),
        ("TRANSPOSE", "c", "d"),
        ("RESHAPE", "d", "out"),
    )
    assert transposes(behind) == (2, 0)
    assert transposes(_graph(("TRANSPOSE", "in", "out"))) == (1, 0)


def test_transposes_of_a_real_graph() -> None:
    graph = read_tosa((PROGRAMS / "two_parts.tosa").read_bytes())
    edges, inside = transposes(graph)
    assert edges + inside == sum(op.op == "TRANSPOSE" for block in graph.blocks for op in block.operators) > 0
