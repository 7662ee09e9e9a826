"""Says of a lowered graph what went to the NPU, what did not and why, and what stands at the border between them.

ExecuTorch's script prints operator counts; which line of the model an operator comes from, and the partitioner's reason for
each node, are known only while the graph exists.  Here they are written beside the script's own table, as JSON.

Loaded by `aot/observer.py` by path, in the forked child of one job: standard library, torch and executorch only.
"""

from __future__ import annotations

import hashlib
import json
import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROWS = 1000
"""Rows of what was left that are written; the count of the others is kept."""
_TEXT = 400
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_QUANTIZE = re.compile(r"(?<!de)quantize_per_(?:tensor|channel|token)")
_DEQUANTIZE = re.compile(r"dequantize_per_(?:tensor|channel|token)")
_PERMUTE = re.compile(r"aten\.(?:permute|transpose|t)(?:_copy)?\.|dim_order")
_THROUGH = 4
"""Quantise, dequantise and getitem nodes to look through on the way from a delegate to a permute beside it."""


class Record:
    """Collects the partitioner's reasons, then describes the graph that came of it."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._path = Path(job["delegation"]).with_suffix(".json")
        self._asked = "--delegate" in job["argv"]
        self._vela = Path(job["vela"])
        self._model = job["model"]
        self._reasons: dict[str, str] = {}
        self.effects: tuple[str, str | None] | None = None
        """The first operator with side effects that the graph holds, and its "file:line": no program can be made of it."""

    def rejected(self, node: Any, reason: str) -> None:
        """The partitioner refused a node; its first reason is the one that counts, as in its own report."""
        self._reasons.setdefault(str(getattr(node, "name", "")), str(reason))

    def write(self, graph_module: Any) -> None:
        """Describe the lowered graph in the run folder."""
        self._path.unlink(missing_ok=True)
        self._path.write_text(json.dumps(self.describe(graph_module)), encoding="utf-8")

    def describe(self, graph_module: Any) -> dict[str, Any]:
        """The same as data; every node outside the delegates is in `left` or counted in `boundary`."""
        nodes = list(graph_module.graph.nodes)
        calls = [node for node in nodes if _name(node) == "executorch_call_delegate"]
        partitions = []
        numbers = self._numbers(getattr(graph_module, call.args[0].name) for call in calls)
        for call, number in zip(calls, numbers, strict=True):
            partitions.append(_partition(call, getattr(graph_module, call.args[0].name), number))
        self.effects = next((self._effect(node) for node in nodes if _name(node) == "with_effects"), None)
        outside = [node for node in nodes if node.op == "call_function" and node not in calls]
        boundary = Counter(kind for node in outside if (kind := _border(node)))
        rows = self._rows(node for node in outside if _border(node) is None and node.target is not operator.getitem)
        return {
            "asked": self._asked,
            "partitions": partitions,
            "left": rows[:ROWS],
            "left_off": sum(row["count"] for row in rows[ROWS:]),
            "boundary": {kind: boundary[kind] for kind in ("quantize", "dequantize", "permutes")},
        }

    def _effect(self, node: Any) -> tuple[str, str | None]:
        inner = node.args[1] if len(node.args) > 1 else node.target
        return _spelled(inner)[:_TEXT], _source(node.meta.get("stack_trace"), self._model)[0]

    def _numbers(self, lowered: Iterable[Any]) -> Iterator[int | None]:
        """Under which number Vela's files of each delegate are kept: the order of compiling is not that of running."""
        kept: dict[str, list[int]] = {}
        for path in self._vela.glob("partition-*/digests.sha256"):
            kept.setdefault(path.read_text().split()[0], []).append(int(path.parent.name.rpartition("-")[2]))
        for module in lowered:
            found = sorted(kept.get(hashlib.sha256(module.processed_bytes).hexdigest(), ()))
            if len(found) > 1:  # equal partitions have equal files
                kept[hashlib.sha256(module.processed_bytes).hexdigest()].remove(found[0])
            yield found[0] if found else None

    def _rows(self, left: Iterable[Any]) -> list[dict[str, Any]]:
        rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        for node in left:
            source, code = _source(node.meta.get("stack_trace"), self._model)
            row = {
                "operator": _name(node)[:_TEXT],
                "reason": self._reasons.get(node.name, "")[:_TEXT] or None,
                "source": source,
                "code": code,
                "module": _module(node.meta.get("nn_module_stack")),
            }
            known = rows.setdefault(
                tuple(row.values()), row | {"count": 0, "macs": None, "output_bytes": None, "nodes": []}
            )
            known["count"] += 1
            for name, value in (("macs", _macs(node)), ("output_bytes", _bytes(node))):
                if value is not None:
                    known[name] = (known[name] or 0) + value
            known["nodes"] = [*known["nodes"], node.name][:8]
        return sorted(rows.values(), key=lambda row: -row["count"])


def _name(node: Any) -> str:
    """An operator as its schema has it, "aten.sort.default"; other functions by their name."""
    if node.op != "call_function":
        return ""
    return _spelled(node.target)


def _spelled(target: Any) -> str:
    for known in (target, getattr(target, "_op", None)):  # an operator of the edge dialect holds that of ATen
        if re.fullmatch(r"[\w:]+(?:\.[\w:]+)+", str(known)):
            return str(known)
    return str(getattr(target, "__name__", target))


def _border(node: Any) -> str | None:
    """The kind of a node that only carries tensors from one side to the other; None for one that computes."""
    name = _name(node)
    if _DEQUANTIZE.search(name):
        return "dequantize"
    if _QUANTIZE.search(name):
        return "quantize"
    if _PERMUTE.search(name) and _beside_delegate(node):
        return "permutes"
    return None


def _beside_delegate(node: Any) -> bool:
    return any(_leads_to_delegate(other, back, _THROUGH) for back in (True, False) for other in _next(node, back))


def _leads_to_delegate(node: Any, back: bool, steps: int) -> bool:
    name = _name(node)
    if name == "executorch_call_delegate":
        return True
    if not steps or not (_DEQUANTIZE.search(name) or _QUANTIZE.search(name) or node.target is operator.getitem):
        return False
    return any(_leads_to_delegate(other, back, steps - 1) for other in _next(node, back))


def _next(node: Any, back: bool) -> list[Any]:
    return list(node.all_input_nodes if back else node.users)


def _partition(call: Any, lowered: Any, number: int | None) -> dict[str, Any]:
    """One delegate: what is in it, and what stands at its border on our side."""
    inside = Counter(_name(node) for node in lowered.original_module.graph.nodes if node.op == "call_function")
    border: Counter[str] = Counter()
    for back in (True, False):
        seen: set[Any] = {call}
        edge = [node for node in _next(call, back) if node.op != "get_attr"]
        for _ in range(_THROUGH):
            found = [node for node in edge if node not in seen and node.op == "call_function"]
            seen.update(found)
            border.update(kind for node in found if (kind := _border(node)))
            edge = [o for n in found if _border(n) or n.target is operator.getitem for o in _next(n, back)]
    outputs = [user for user in call.users if user.target is operator.getitem]
    return {
        "partition": number,
        "backend": str(lowered.backend_id)[:_TEXT],
        "nodes": sum(inside.values()),
        "operators": dict(inside.most_common(ROWS)),
        "inputs": sum(node.op != "get_attr" for node in call.all_input_nodes),
        "outputs": len(outputs) or 1,
        **{kind: border[kind] for kind in ("quantize", "dequantize", "permutes")},
    }


def _source(trace: Any, model: str | None) -> tuple[str | None, str | None]:
    """The innermost frame in the user's own code, "file:line", and that line: the user's file first, no library."""
    if not isinstance(trace, str):
        return None, None
    lines = trace.splitlines()
    frames = [(m[1], m[2], i) for i, line in enumerate(lines) if (m := _FRAME.search(line))]
    own = [frame for frame in frames if model and frame[0] == model] or [
        frame for frame in frames if not re.search(r"[/\\](?:site|dist)-packages[/\\]|^<", frame[0])
    ]
    if not own:
        return None, None
    file, number, index = own[-1]
    code = lines[index + 1].strip()[:_TEXT] if index + 1 < len(lines) else None
    return f"{file}:{number}"[:_TEXT], code


def _module(stack: Any) -> str | None:
    """The innermost module around a node, by its path; the class of the model itself where that has none."""
    if not isinstance(stack, dict) or not stack:
        return None
    path, kind = list(stack.values())[-1]
    return str(path or kind)[:_TEXT] or None


def _values(node: Any) -> list[Any]:
    value = node.meta.get("val")
    several = value if isinstance(value, (list, tuple)) else [value]
    return [one for one in several if hasattr(one, "numel")]


def _bytes(node: Any) -> int | None:
    """Size of what it puts out; None where that is not known before it runs."""
    try:
        return sum(int(one.numel()) * one.element_size() for one in _values(node)) or None
    except (TypeError, ValueError, RuntimeError):
        return None


def _macs(node: Any) -> int | None:
    """Multiply-accumulates, of operators that are made of them."""
    try:
        name = _name(node).split(".")[1]
        (out,) = _values(node)
        ins = [tuple(one.shape) for given in node.all_input_nodes for one in _values(given)]
        if name == "convolution":
            whole = _values(node.args[0])[0].numel() if node.args[6] else out.numel()
            return int(whole) * int(_product(ins[1][1:]))
        if name in ("linear", "mm", "bmm", "matmul"):
            return int(out.numel()) * int(ins[0][-1])
        if name in ("addmm", "baddbmm"):
            return int(out.numel()) * int(ins[1][-1])
    except (IndexError, TypeError, ValueError, RuntimeError):
        pass
    return None


def _product(shape: Iterable[int]) -> int:
    result = 1
    for size in shape:
        result *= size
    return result
