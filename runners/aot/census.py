"""Says what a loaded model is made of, before the long work begins, and refuses the inputs that would fail at its end.

Which of it an NPU runs badly is no question here: the other end of the pipe has a table for that.  Modules are counted by
their torch class, with the line of the user's file that creates them; functions by the name under which a method of the
model's own classes calls them.

Loaded by `aot/observer.py` by path, in the forked child of one job: standard library, torch and executorch only.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

PLACES = 8
"""Places of one kind that are told; the others are counted."""
KINDS = 400
_TEXT = 300
_FACTS = ("kernel_size", "stride", "padding", "mode", "scale_factor", "output_size", "approximate", "bidirectional")
"""Attributes of modules on which it depends what becomes of them."""


def census(model: Any) -> dict[str, list[dict[str, Any]]]:
    """Modules and calls of a model: `kind`, `facts`, `count`, and `places` with the module's path and "file:line"."""
    sources = _Sources()
    modules: dict[tuple[Any, ...], dict[str, Any]] = {}
    own: dict[type, str] = {}
    by_path = dict(model.named_modules())
    for path, module in by_path.items():
        if not _is_torch(type(module)):
            own.setdefault(type(module), path)
        kind = next((base.__name__ for base in type(module).__mro__ if _is_torch(base)), "Module")
        if kind == "Module":
            continue
        facts = {name: str(getattr(module, name))[:60] for name in _FACTS if hasattr(module, name)}
        place = {"module": path[:_TEXT], "source": _created(path, by_path, sources)}
        _count(modules, (kind, *facts.items()), {"kind": kind, "facts": facts}, place)
    calls: dict[tuple[Any, ...], dict[str, Any]] = {}
    for owner, path in own.items():
        for name, line in sources.calls(owner):
            place = {"module": path[:_TEXT], "source": f"{sources.file(owner)}:{line}"}
            _count(calls, (name,), {"kind": name, "facts": {}}, place)
    return {"modules": list(modules.values())[:KINDS], "calls": list(calls.values())[:KINDS]}


def _count(found: dict[tuple[Any, ...], dict[str, Any]], key: tuple[Any, ...], row: Any, place: Any) -> None:
    known = found.setdefault(key, row | {"count": 0, "places": []})
    known["count"] += 1
    known["places"] = [*known["places"], place][:PLACES]


def _is_torch(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "torch"


def _created(path: str, by_path: dict[str, Any], sources: _Sources) -> str | None:
    """Where the user's code puts a module, or the nearest one around it that has a name there, into an attribute."""
    while path:
        parent, _, name = path.rpartition(".")
        owner = type(by_path.get(parent))
        line = sources.assigned(owner, name)
        if line is not None:
            return f"{sources.file(owner)}:{line}"
        path = parent
    return None


class _Sources:
    """The user's classes as syntax trees, each file read once."""

    def __init__(self) -> None:
        self._files: dict[str, ast.Module | None] = {}
        self._classes: dict[type, ast.ClassDef | None] = {}

    def file(self, owner: type) -> str | None:
        """The file of a class of the user's; None for a library's."""
        with suppress(TypeError, OSError):
            path = inspect.getsourcefile(owner)
            if path and not re.search(r"[/\\](?:site|dist)-packages[/\\]", path):
                return path
        return None

    def assigned(self, owner: type, name: str) -> int | None:
        """The line that sets `self.name`."""
        tree = self._class(owner)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store):
                return int(node.lineno)
        return None

    def calls(self, owner: type) -> Iterator[tuple[str, int]]:
        """Names of functions and methods that the methods of a class call, outside of its constructor."""
        tree = self._class(owner)
        for method in tree.body if tree is not None else ():
            if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                for node in ast.walk(method):
                    if isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name)):
                        owner_is_self = isinstance(node.func, ast.Attribute) and _is_self(node.func.value)
                        if owner_is_self:  # a module, which is counted as one, or a method of the user's
                            continue
                        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                        yield name[:_TEXT], node.lineno

    def _class(self, owner: type) -> ast.ClassDef | None:
        if owner not in self._classes:
            path = self.file(owner)
            tree = self._tree(path) if path else None
            found = (
                [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == owner.__name__] if tree else []
            )
            self._classes[owner] = found[-1] if found else None
        return self._classes[owner]

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._files:
            self._files[path] = None
            with suppress(OSError, ValueError, SyntaxError, RecursionError):
                with open(path, "rb") as stream:
                    self._files[path] = ast.parse(stream.read())
        return self._files[path]


def _is_self(node: ast.expr) -> bool:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "self"


def refuse_types(model: Any, inputs: Any, argv: list[str]) -> None:
    """Refuse a model whose floats are not float32 where it shall be quantised: the quantiser does, after the whole export.

    Raises:
        AssertionError: as the quantiser words it.
    """
    import torch

    if "--quantize" not in argv or "--delegate" not in argv or not isinstance(inputs, tuple):
        return
    given = {one.dtype for one in inputs if isinstance(one, torch.Tensor) and one.is_floating_point()}
    held: set[Any] = set()
    with suppress(Exception):  # a model may do anything here; what fails of it, the script will say
        held = {one.dtype for one in model.parameters() if one.is_floating_point()}
    (odd,) = given if len(given) == 1 else (torch.float32,)
    if odd is not torch.float32 and held == {odd}:  # one that casts its inputs has others, or none
        raise AssertionError(f"Expecting input to have dtype torch.float32, but got dtype: {odd}")


def refuse_samples(samples: Any, inputs: Any, validate: Callable[[Any, Any], None], path: str | None) -> None:
    """Hold all calibration samples against the inputs at once: the script does so one by one, after the export.

    Raises:
        ValueError: the script's own, with the number of the sample.
    """
    for number, sample in enumerate(samples or (), 1):
        try:
            validate(sample, inputs)
        except ValueError as error:
            where = (
                f" (sample {number} of {len(samples)} in {os.path.basename(path or '')})" if len(samples) > 1 else ""
            )
            raise ValueError(f"{str(error).rstrip('.')}{where}.") from error
