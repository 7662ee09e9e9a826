"""Where operators come from, for graphs that small models do not give: lost lines, libraries, nested regions, miscounts.

The serializer is a small one that behaves like ExecuTorch's; `test_compile_operators_real.py` holds the real one's graphs
against what ExecuTorch itself says.
"""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ethosu_tui.runners.aot.locations import FILE, Frames, Locations

PACKAGES = sysconfig.get_path("purelib")
Process = Callable[..., None]


class Serializer:
    """Regions of one block each, and operators in them."""

    def __init__(self) -> None:
        self.regions: list[Any] = []
        self.start("main")

    def start(self, name: str) -> None:
        block = SimpleNamespace(name=name, operators=[])
        self.currRegion = SimpleNamespace(name=name, currBasicBlock=block, basicBlocks=[block])
        self.regions.append(self.currRegion)

    def addOperator(self, op: str) -> None:  # noqa: N802
        self.currRegion.currBasicBlock.operators.append(SimpleNamespace(op=f"Op.{op}"))

    def addConst(self, op: str) -> None:  # noqa: N802
        self.addOperator(op)


def _node(name: str, ops: tuple[str, ...], *inputs: Any, file: str = "", line: int = 1, **meta: Any) -> Any:
    if file:
        meta["stack_trace"] = f'  File "{file}", line {line}, in forward\n    y = f(x)\n    ^^^'
    node = SimpleNamespace(name=name, op="call_function", ops=ops, meta=meta, users={}, all_input_nodes=list(inputs))
    node = _Hashable(node)
    for one in inputs:
        one.users[node] = None
    return node


class _Hashable:
    def __init__(self, node: Any) -> None:
        self.__dict__ = node.__dict__


def _source(target: str, *before: Any) -> Any:
    return SimpleNamespace(name=target, target=target, graph_id=1, from_node=list(before))


@pytest.fixture
def watched(tmp_path: Path) -> tuple[Locations, Process, Any]:
    class Own(Serializer):
        pass

    def process_call_function(node: Any, graph: Any) -> None:
        for op in node.ops:
            (graph.addConst if op == "CONST" else graph.addOperator)(op)

    backend = SimpleNamespace(ts=SimpleNamespace(TosaSerializer=Own), process_call_function=process_call_function)
    model = tmp_path / "model.py"
    model.write_text("")
    locations = Locations(str(model))
    locations.attach(backend)
    return locations, backend.process_call_function, Own


def _kept(locations: Locations, directory: Path) -> list[dict[str, Any]]:
    locations.keep(directory)
    blocks: list[dict[str, Any]] = json.loads((directory / FILE).read_text())["blocks"]
    return blocks


def test_an_operator_is_counted_where_it_stands(watched: tuple[Locations, Process, Any], tmp_path: Path) -> None:
    locations, process, serializer = watched
    for second in (False, True):  # one graph after the other
        graph = serializer()
        graph.addConst("CONST")
        chain = _source("tosa.CONV2D.default", _source("aten.conv2d.default", _source("<built-in method conv2d>")))
        stack = {"1": ("", "net.Net"), "2": ("pool@1", "torch.nn.modules.pooling.MaxPool2d")}
        node = _node(
            "conv", ("CONST", "CONV2D"), file=str(tmp_path / "model.py"), from_node=[chain], nn_module_stack=stack
        )
        process(node, graph)
        (block,) = _kept(locations, tmp_path)
        assert block["operators"] == ["CONST", "CONST", "CONV2D"], second
        (found,) = block["nodes"]
        assert (found["first"], found["end"], found["torch"]) == (1, 3, ["aten.conv2d.default"])
        assert (found["module"], found["module_class"], found["source"]) == ("pool", "MaxPool2d", "model.py:1")
        assert (found["function"], found["code"]) == ("forward", "y = f(x)") and "inferred" not in found


def test_a_node_without_a_line_takes_it_from_around_only_where_all_agree(
    watched: tuple[Locations, Process, Any], tmp_path: Path
) -> None:
    locations, process, serializer = watched
    file = str(tmp_path / "model.py")
    graph = serializer()
    first = _node("first", ("CONV2D",), file=file, line=3)
    lost = _node("lost", ("TABLE",), first)
    between = _node("between", ("RESCALE",), lost)
    torn = _node("torn", ("ADD",), first, between)
    nodes = [
        first, lost, between, torn,
        _node("norm", ("MUL",), between, file=file, line=5, nn_module_stack={"1": ("n", "net.Norm")}),
        _node("one", ("MUL",), torn, file=file, line=7), _node("two", ("MUL",), torn, file=file, line=8),
    ]  # fmt: skip
    torn.meta["nn_module_stack"] = {"1": ("", "GraphModuleImpl")}
    lost.users.pop(torn, None)
    between.users.pop(torn, None)
    for node in nodes:
        process(node, graph)
    (block,) = _kept(locations, tmp_path)
    found = {node["node"]: (node.get("source"), node.get("inferred", False)) for node in block["nodes"]}
    assert found["lost"] == found["between"] == ("model.py:5", True)
    assert found["norm"] == ("model.py:5", False) and found["first"] == ("model.py:3", False)
    assert {node["node"]: node.get("module") for node in block["nodes"]}["lost"] == "n"
    assert found["torn"] == (None, False), "what follows comes from two lines"
    last = _node("last", ("RESHAPE",), nodes[4])
    graph = serializer()
    process(last, graph)
    (node,) = _kept(locations, tmp_path)[0]["nodes"]
    assert (node["source"], node["inferred"]) == ("model.py:5", True), "nothing follows it"


def test_nested_regions_keep_their_own_operators(watched: tuple[Locations, Process, Any], tmp_path: Path) -> None:
    locations, process, serializer = watched
    graph = serializer()
    process(_node("outer", ("COND_IF",), file=str(tmp_path / "model.py"), line=2), graph)
    graph.start("branch")
    process(_node("inner", ("ADD", "RESCALE"), file=str(tmp_path / "model.py"), line=9), graph)
    outer, inner = _kept(locations, tmp_path)
    assert [(n["first"], n["end"], n["source"]) for n in outer["nodes"]] == [(0, 1, "model.py:2")]
    assert [(n["first"], n["end"], n["source"]) for n in inner["nodes"]] == [(0, 2, "model.py:9")]


def test_nothing_is_written_that_may_be_wrong(watched: tuple[Locations, Process, Any], tmp_path: Path) -> None:
    locations, process, serializer = watched
    graph = serializer()
    process(_node("conv", ("CONV2D",)), graph)
    graph.currRegion.currBasicBlock.operators.append(SimpleNamespace(op="Op.ADD"))  # behind our back
    with pytest.raises(ValueError, match="holds 2 operators, not 1"):
        locations.keep(tmp_path)
    process(_node("odd", ("CONV2D",), from_node=[object()]), serializer())
    with pytest.raises(ValueError, match="cannot be told"):
        locations.keep(tmp_path)
    locations.keep(tmp_path)
    assert not (tmp_path / FILE).exists()
    Locations(None).attach(SimpleNamespace(ts=SimpleNamespace()))  # a release without these functions


def test_the_line_is_the_user_s_own_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "nets" / "model.py"
    model.parent.mkdir()
    model.write_text("")
    monkeypatch.chdir(tmp_path)
    frames = Frames(str(model))
    library = os.path.join(PACKAGES, "torchvision", "models", "resnet.py")
    torch = os.path.join(PACKAGES, "torch", "nn", "modules", "linear.py")
    frames._packages = {os.path.join(os.path.realpath(PACKAGES), "torch", ""): "torch"}

    def trace(*files: str) -> str:
        return "\n".join(f'  File "{file}", line {n}, in forward\n    code {n}\n' for n, file in enumerate(files, 1))

    def source(*files: str) -> tuple[str | None, bool]:
        found = frames.origin(trace(*files))
        return found.get("source"), found.get("library", False)

    machinery = os.path.join(PACKAGES, "torch", "fx", "passes", "pass_base.py")
    other = tmp_path / "blocks.py"
    assert source(str(model), library, torch, machinery) == ("model.py:1", False)
    assert source(str(model), str(other), library) == ("blocks.py:2", False)
    assert source(library, torch, machinery) == ("torchvision/models/resnet.py:1", True)
    assert source(torch, machinery) == ("torch/nn/modules/linear.py:1", True)
    assert source(machinery, "<eval_with_key>.3", os.path.join(sysconfig.get_path("stdlib"), "enum.py")) == (
        None,
        False,
    )
    assert source("/elsewhere/net.py") == ("/elsewhere/net.py:1", False)
    assert frames.origin(None) == frames.origin("no frame at all") == {}
    inside = Frames(os.path.join(PACKAGES, "bundle", "mnist.py"))
    assert inside.origin(trace(os.path.join(PACKAGES, "bundle", "mnist.py")))["source"] == "mnist.py:1"
