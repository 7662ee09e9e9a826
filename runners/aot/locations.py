"""Writes down which line of PyTorch each operator of a TOSA graph comes from, while ExecuTorch makes the graph.

ExecuTorch can put that into the graph itself, but then the program is no longer the one that it makes without being asked.
So its function that turns one graph node into TOSA operators is wrapped: the operators that are there after it and were
not before come from that node, whose meta data tell the module, the ATen operator and the Python frames.  What was counted
is held against the finished graph; where it differs nothing is written, since every index after would be wrong.

Loaded by `aot/observer.py` by path, in the forked child of one job: standard library and executorch only.
"""

from __future__ import annotations

import json
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FILE = "locations.json"
VERSION = 1

_FRAME = re.compile(r'^ *File "(.+)", line (\d+), in (.+)$')
_OVERLOAD = re.compile(r"\w+\.\w+\.\w+$")
_PRIVATE = ("EDGE_DO_NOT_DECOMP.", "tosa.", "quantized_decomposed.")
"""Operators of ExecuTorch's that no model is written with."""
_CALLED_AGAIN = re.compile(r"@\d+$")
"""What torch.export puts behind the path of a module that is called once more."""

_PLACE = ("source", "file", "line", "function", "code", "library")
_MODELS = ("examples/", "backends/arm/scripts/")
"""Folders of executorch's that hold models to compile."""
_ADDING = ("addOperator", "addConst")
_NEAR = 200
"""Nodes around one without a line that are looked at."""

Origin = dict[str, Any]
Block = tuple[str, str]


class Locations:
    """Watches ExecuTorch's TOSA backend; `keep` writes what it saw of the graph that was made last."""

    def __init__(self, model: str | None) -> None:
        self._frames = Frames(model)
        self._graph: Any = None
        self._nodes: dict[Block, list[Origin]] = {}
        self._added: dict[Block, int] = {}
        self._origins: dict[Any, Origin] = {}
        self._inside = False
        self._problem: str | None = None

    def attach(self, backend: Any) -> None:
        """Wrap what `executorch.backends.arm.tosa.backend` calls for each node, and what adds operators to a graph."""
        process = getattr(backend, "process_call_function", None)
        serializer = getattr(getattr(backend, "ts", None), "TosaSerializer", None)
        if process is None or not all(hasattr(serializer, name) for name in _ADDING):
            return  # another release: then no origin is known

        def process_call_function(node: Any, graph: Any, *rest: Any, **options: Any) -> Any:
            block, before = self._now(graph)
            result = process(node, graph, *rest, **options)
            try:
                self._note(node, graph, block, before)
            except Exception as error:  # what we want to know is never a reason to fail
                self._problem = self._problem or f"{type(error).__name__}: {error}"
            return result

        for name in _ADDING:
            setattr(serializer, name, self._counted(getattr(serializer, name)))
        backend.process_call_function = process_call_function

    def _note(self, node: Any, graph: Any, block: Block, before: int) -> None:
        same, after = self._now(graph)
        if after > before and same == block:
            nodes = self._nodes.setdefault(block, [])
            nodes.append({"first": before, "end": after, "node": str(node.name), **self._origin_or_nearby(node)})

    def keep(self, directory: Path) -> None:
        """Write the last graph's operators, if one was made.

        Raises:
            ValueError: it holds others than were counted, or a node could not be understood.
            OSError: the file cannot be written.
        """
        graph, nodes, added = self._graph, self._nodes, self._added
        self._graph, self._nodes, self._added, self._origins = None, {}, {}, {}
        problem, self._problem = self._problem, None
        if graph is None:
            return
        if problem is not None:
            raise ValueError(f"where its operators come from cannot be told: {problem}")
        blocks = []
        for region in graph.regions:
            for block in region.basicBlocks:
                where = (str(region.name), str(block.name))
                names = [str(operator.op).rpartition(".")[2] for operator in block.operators]
                if len(names) != added.get(where, 0):
                    raise ValueError(f"block {where[1]} holds {len(names)} operators, not {added.get(where, 0)}")
                blocks.append(
                    {"region": where[0], "block": where[1], "operators": names, "nodes": nodes.get(where, [])}
                )
        _inherit(blocks)
        text = json.dumps({"version": VERSION, "blocks": blocks})
        (directory / FILE).write_text(text, encoding="utf-8")

    def _now(self, graph: Any) -> tuple[Block, int]:
        """The block that is being filled, and its operators so far.

        Calls are counted: the serializer makes a list of all operators anew whenever it is asked for them.
        """
        if graph is not self._graph:
            self._graph, self._nodes, self._added, self._origins = graph, {}, {}, {}
        region = graph.currRegion
        block = (str(region.name), str(region.currBasicBlock.name))
        return block, self._added.get(block, 0)

    def _counted(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def add(graph: Any, *arguments: Any, **options: Any) -> Any:
            if self._inside:  # one calls the other in some releases
                return original(graph, *arguments, **options)
            self._inside = True
            try:
                result = original(graph, *arguments, **options)
            finally:
                self._inside = False
            block, so_far = self._now(graph)
            self._added[block] = so_far + 1
            return result

        return add

    def _origin_or_nearby(self, node: Any) -> Origin:
        """What a node's meta data say; where they name no line, that of what its result goes to (or, at the end of the
        graph, is made of), if all of it comes from one place: a pass may split an operator and lose the meta data of its
        parts.  Such an origin is marked as inferred."""
        origin = self._origin(node)
        if "source" in origin:
            return origin
        around = self._nearest(node, "users") or self._nearest(node, "all_input_nodes")
        if len({(one.get("module"), one["source"]) for one in around}) != 1:
            return origin
        near = around[0]
        if "module" in origin and origin["module"] != near.get("module"):
            return origin
        taken = {key: near[key] for key in (*_PLACE, "module", "module_class") if key in near}
        if "torch" in near and all(one.get("torch") == near["torch"] for one in around):
            taken["torch"] = near["torch"]
        return taken | origin | {"inferred": True}

    def _nearest(self, node: Any, neighbours: str) -> list[Origin]:
        """Origins with a line, of the nodes in this direction that are nearest on each way."""
        found: list[Origin] = []
        seen = {node}
        waiting = list(getattr(node, neighbours))
        while waiting and len(seen) < _NEAR:
            other = waiting.pop()
            if other in seen or other.op != "call_function":
                continue
            seen.add(other)
            origin = self._origin(other)
            if "source" in origin:
                found.append(origin)
            else:
                waiting += getattr(other, neighbours)
        return found if not waiting else []

    def _origin(self, node: Any) -> Origin:
        """What the meta data of a node say; a key is missing where they do not say it."""
        origin = self._origins.get(node)
        if origin is None:
            origin = self._origins[node] = self._read(node.meta)
        return origin

    def _read(self, meta: dict[str, Any]) -> Origin:
        found: Origin = {}
        sources = [list(_chain(source)) for source in meta.get("from_node") or ()]
        torch = list(dict.fromkeys(filter(None, map(_operator, sources))))
        original = str(meta.get("original_aten") or "")
        if not torch and _OVERLOAD.match(original) and not original.startswith(_PRIVATE):
            torch = [original]
        if torch:
            found["torch"] = torch
        roots = [f"{chain[-1].name} {chain[-1].graph_id}" for chain in sources if chain]
        if roots:
            found["roots"] = roots
        stack = list((meta.get("nn_module_stack") or {}).values())
        if stack and isinstance(stack[-1], tuple) and len(stack[-1]) == 2:
            path, kind = stack[-1]
            name = str(getattr(kind, "__name__", kind)).rpartition(".")[2]
            if name != "GraphModuleImpl":  # what a pass traced, not the model
                found |= {"module": _CALLED_AGAIN.sub("", str(path)), "module_class": name}
        found |= self._frames.origin(meta.get("stack_trace"))
        handle = meta.get("debug_handle")
        if isinstance(handle, (int, tuple)):
            found["debug_handle"] = handle
        return found


def _chain(source: Any) -> Iterator[Any]:
    """A source and what it comes from, the newest first; where several were joined, along the first of them."""
    for _ in range(1000):
        yield source
        if not source.from_node:
            return
        source = source.from_node[0]


def _operator(chain: list[Any]) -> str | None:
    """The operator as the model has it: the oldest one of torch's, or else of any library's."""
    names = [str(source.target) for source in reversed(chain)]
    known = [name for name in names if _OVERLOAD.match(name) and not name.startswith(_PRIVATE)]
    return next((name for name in known if name.startswith("aten.")), known[0] if known else None)


def _inherit(blocks: list[dict[str, Any]]) -> None:
    """A node that a pass made without the frames takes those of another node that was made of the same one."""
    nodes = [node for block in blocks for node in block["nodes"]]
    known: dict[str, Origin] = {}
    for node in nodes:
        if "source" in node and "inferred" not in node:
            for root in node.get("roots", ()):
                known.setdefault(root, node)
    for node in nodes:
        relative = next((known[root] for root in node.pop("roots", ()) if root in known), None)
        if relative is not None and ("source" not in node or "inferred" in node):
            node.pop("inferred", None)
            node |= {key: relative[key] for key in ("module", "module_class") if key in relative and key not in node}
            node |= {key: relative[key] for key in _PLACE if key in relative}


class Frames:
    """Which of a node's Python frames is the model's own line."""

    def __init__(self, model: str | None) -> None:
        self._model = os.path.realpath(model) if model else None
        self._roots = [os.path.dirname(self._model)] if self._model else []
        self._roots.append(os.getcwd())
        paths = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
        self._stdlib = tuple(os.path.join(os.path.realpath(path), "") for path in paths if path)
        self._packages = {}
        for name in ("torch", "executorch", "torchao"):
            spec = sys.modules.get(name)
            for path in getattr(spec, "__path__", ()):
                self._packages[os.path.join(os.path.realpath(path), "")] = name
        self._known: dict[str, tuple[int, str]] = {}

    def origin(self, trace: object) -> Origin:
        """File, line, function and code of the innermost frame of the user's; else of a library that computes.

        `source` is relative to the model's folder, to the current one, or to where the library lies.
        """
        best: tuple[int, Origin] = (0, {})
        lines = trace.split("\n") if isinstance(trace, str) else []
        for index, text in enumerate(lines):
            match = _FRAME.match(text)
            if match is None:
                continue
            rank, shown = self._rank(match[1])
            if rank and rank >= best[0]:
                code = lines[index + 1].strip() if index + 1 < len(lines) else ""
                found: Origin = {
                    "source": f"{shown}:{match[2]}",
                    "file": match[1],
                    "line": int(match[2]),
                    "function": match[3],
                    "code": code[:500],
                }
                best = rank, found if rank == 3 else found | {"library": True}
        return best[1]

    def _rank(self, file: str) -> tuple[int, str]:
        """3: the user's; 2: of a library; 1: of torch's own modules; 0: machinery.  And the path to show."""
        found = self._known.get(file)
        if found is None:
            found = self._known[file] = self._judged(os.path.realpath(file)) if os.path.isabs(file) else (0, file)
        return found

    def _judged(self, path: str) -> tuple[int, str]:
        if path == self._model or os.path.dirname(path) == self._roots[0]:
            return 3, self._relative(path)
        for root, name in self._packages.items():
            if path.startswith(root):
                inside = path[len(root) :].replace(os.sep, "/")
                rank = 1 if name == "torch" and inside.startswith("nn/") else 2 if inside.startswith(_MODELS) else 0
                return rank, f"{name}/{inside}"
        for packages in ("site-packages", "dist-packages"):
            _, found, inside = path.rpartition(f"{os.sep}{packages}{os.sep}")
            if found:
                return 2, inside.replace(os.sep, "/")
        if path.startswith(self._stdlib):
            return 0, path
        return 3, self._relative(path)

    def _relative(self, path: str) -> str:
        for root in self._roots:
            if path.startswith(os.path.join(root, "")):
                return os.path.relpath(path, root).replace(os.sep, "/")
        return path
