"""A TOSA graph that ExecuTorch wrote: operators, tensors, and where each operator comes from."""

from __future__ import annotations

import json

import pytest

from ethosu_tui.analysis.tosa.names import DTYPES, OPERATORS
from ethosu_tui.analysis.tosa.origin import origin_of
from ethosu_tui.analysis.tosa.reader import TosaError, read_tosa
from ethosu_tui.analysis.tosa.tables import tosa_document, tosa_tables

from ..programs import program

GRAPH = program("two_parts.tosa")


def test_the_first_partition_is_a_convolution() -> None:
    graph = read_tosa(GRAPH)
    assert (graph.version, graph.bytes) == ("1.0.0", len(GRAPH))
    (block,) = graph.blocks
    assert block.inputs == ("quantized_decomposed_quantize_per_tensor_default",)
    kinds = [operator.op for operator in block.operators if operator.op != "CONST"]
    assert kinds == ["TRANSPOSE", "CONV2D", "RESCALE", "TRANSPOSE"]
    conv = next(operator for operator in block.operators if operator.op == "CONV2D")
    assert block.operators[conv.index] is conv and len(conv.inputs) == 5
    tensors = {tensor.name: tensor for tensor in block.tensors}
    assert all(name in tensors for operator in block.operators for name in (*operator.inputs, *operator.outputs))
    weight, result = tensors[conv.inputs[1]], tensors[conv.outputs[0]]
    assert (weight.dtype, weight.shape, weight.data_bytes) == ("int8", (8, 3, 3, 3), 216)
    assert (result.dtype, result.shape, result.data_bytes) == ("int32", (1, 16, 16, 8), None)
    assert tensors[block.inputs[0]].shape == (1, 3, 16, 16)
    assert graph.constant_bytes == sum(tensor.data_bytes or 0 for tensor in block.tensors) > 216


def test_each_operator_leads_to_its_module_and_line() -> None:
    for operator in read_tosa(GRAPH).blocks[0].operators:
        if operator.op == "CONST":
            continue
        origin = origin_of(operator.location)
        assert origin is not None
        assert (origin.module, origin.module_class, origin.aten) == (
            "first", "torch.nn.modules.conv.Conv2d", "aten.conv2d.default",
        )  # fmt: skip
        assert origin.source is not None and origin.source.endswith("model.py:14")
        assert origin.code == "x, _ = torch.sort(torch.relu(self.first(x)), dim=-1)"


@pytest.mark.parametrize(
    "location",
    [
        None,
        "",
        "loc(unknown)",
        "{",
        "[]",
        '{"torch_info": 3}',
        "{" * 5000,
        '{"torch_info": {"stack_trace": [1, null]}}',
    ],
)
def test_other_locations_are_no_origin(location: str | None) -> None:
    origin = origin_of(location)
    assert origin is None or not any(origin)


def test_tables_and_json_hold_it() -> None:
    graph = read_tosa(GRAPH)
    document = json.loads(json.dumps(tosa_document(graph), allow_nan=False))
    assert document["operators_by_kind"]["CONV2D"] == 1
    assert document["blocks"][0]["operators"][5]["origin"]["module"] == "first"
    shown = [cell.text for table in tosa_tables(graph) for row in table.rows for cell in row]
    assert "CONV2D" in shown and "1x16x16x8" in shown and "first" in shown


def test_names_are_numbered_as_in_the_specification() -> None:
    numbers = {
        OPERATORS.index(name): name for name in ("ARGMAX", "CONV2D", "RESCALE", "CONST_SHAPE", "AVG_POOL2D_ADAPTIVE")
    }
    assert numbers == {1: "ARGMAX", 3: "CONV2D", 66: "RESCALE", 75: "CONST_SHAPE", 96: "AVG_POOL2D_ADAPTIVE"}
    assert [DTYPES.index(name) for name in ("int8", "int32", "bf16", "mxint8")] == [3, 5, 9, 18]


def test_what_is_no_graph_is_one_sentence() -> None:
    with pytest.raises(TosaError, match="identifier TOSA"):
        read_tosa(program("adds_float.pte"))
    with pytest.raises(TosaError, match="cut or damaged"):
        read_tosa(GRAPH[:200])
