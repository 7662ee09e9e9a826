"""What PyTorch computes inside of a delegate, layer by layer, beside the TOSA tensor that should hold the same.

A layer ends where the quantised graph quantises: its operators are those between that node and the dequantised values that
they read.  ExecuTorch's passes keep the debug handle of a node through all that they make of it, so the layer's TOSA tensor
is the last integer one that has a handle of these operators.  Where two layers share a handle (a softmax in its parts), only
the last of them is told apart.

Loaded by path next to `aot/numeric.py`: standard library, torch and executorch only.
"""

from __future__ import annotations

import json
from typing import Any

_INTEGERS = ("torch.int8", "torch.int16")
_STACK_CHARACTERS = 20_000


def watch(found: list[dict[int, tuple[int, str]]]) -> None:
    """Add to `found`, for each graph that becomes TOSA, its last integer tensor by debug handle: place and name."""
    from executorch.backends.arm._passes import ArmPassManager

    original = ArmPassManager.transform_to_backend_pipeline

    def followed(self: Any, *args: Any, **options: Any) -> Any:
        graph = original(self, *args, **options)
        tensors: dict[int, tuple[int, str]] = {}
        for place, node in enumerate(graph.graph.nodes):
            handle, value = node.meta.get("debug_handle"), node.meta.get("val")
            if node.op == "call_function" and isinstance(handle, int) and str(getattr(value, "dtype", "")) in _INTEGERS:
                tensors[handle] = place, node.name
        found.append(tensors)
        return graph

    ArmPassManager.transform_to_backend_pipeline = followed


class Layers:
    """The layers of one delegate."""

    def __init__(self, program: Any, tensors: dict[int, tuple[int, str]]) -> None:
        self._layers: list[dict[str, Any]] = []
        self._places: dict[str, int] = {}
        ends = [(node, _operators(node)) for node in program.graph_module.graph.nodes if _quantises(node)]
        last = {handle: end for end, operators in ends for handle in _handles(operators)}
        for end, operators in ends:
            handles = [handle for handle in _handles(operators) if handle in tensors]
            if not handles or any(last[handle] is not end for handle in handles):
                continue
            newest = max(handles, key=lambda handle: tensors[handle])
            operator = next(node for node in operators if node.meta.get("debug_handle") == newest)
            self._places[end.name] = len(self._layers)
            self._layers.append(_layer(end, operator, tensors[newest][1]))

    def take(self, sample: int, call: int, name: str, value: Any, made: dict[str, Any]) -> None:
        """Keep the value of a node if it is a layer's."""
        place = self._places.get(name)
        if place is not None:
            made[f"{sample}_{call}_layer_{place}"] = value.detach().contiguous().numpy().copy()

    def described(self) -> list[dict[str, Any]]:
        """The layers in the order of the graph."""
        return self._layers


def _name(node: Any) -> str:
    return str(getattr(node.target, "__name__", node.target))


def _quantises(node: Any) -> bool:
    return node.op == "call_function" and "quantize_per_tensor" in _name(node) and "dequantize" not in _name(node)


def _operators(end: Any) -> list[Any]:
    """The operators between a quantise node and the dequantised values that they read."""
    found: dict[Any, None] = {}
    waiting = list(end.all_input_nodes)
    while waiting:
        node = waiting.pop()
        if node.op == "call_function" and "quantize_per_" not in _name(node) and node not in found:
            found[node] = None
            waiting += node.all_input_nodes
    return list(found)


def _handles(operators: list[Any]) -> set[int]:
    return {handle for node in operators if isinstance(handle := node.meta.get("debug_handle"), int)}


def _layer(node: Any, operator: Any, tensor: str) -> dict[str, Any]:
    scale, zero_point = node.args[1:3]
    known = isinstance(scale, float) and isinstance(zero_point, int)
    stack = str(operator.meta.get("stack_trace") or "")[:_STACK_CHARACTERS]
    modules = operator.meta.get("nn_module_stack") or {}
    origin = {
        "torch_info": {
            "stack_trace": stack.splitlines(),
            "nn_module_stack": {str(k): [str(part) for part in v] for k, v in modules.items()},
            "node_trace": [{"target": str(operator.meta.get("original_aten") or _name(operator))}],
        }
    }
    return {
        "tensor": tensor,
        "node": operator.name,
        "scale": scale if known else None,
        "zero_point": zero_point if known else None,
        "origin": json.dumps(origin),
    }
