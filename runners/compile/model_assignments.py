"""What a model file says about its two names before it is run: the lines that set them, and values that cannot work."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from ..job import InputError

_TENSORS = frozenset(("rand", "randn", "zeros", "ones", "full", "empty", "randint", "tensor", "arange", "linspace"))
"""Functions of torch that give one tensor."""
_BRACKETS = {ast.List: "a list", ast.Dict: "a dict", ast.Set: "a set", ast.ListComp: "a list"}


def check_assignments(path: str, *, inputs_given: bool = False) -> None:
    """Refuse ModelInputs that are seen to be no tuple, and a ModelUnderTest that is seen to be a class.

    Only the last assignment at the top of the file counts, and only what is plain in it; `inputs_given` says that the inputs
    come from elsewhere.

    Raises:
        InputError: with the line.
    """
    tree = _parsed(path)
    if tree is None:
        return
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    model = _assigned(tree, "ModelUnderTest")
    if model is not None and isinstance(model.value, ast.Name) and model.value.id in classes:
        name = model.value.id
        raise InputError(
            f"{path}, line {model.lineno}: ModelUnderTest is the class {name}, not a model",
            f"make an instance: ModelUnderTest = {name}().eval()",
        )
    inputs = _assigned(tree, "ModelInputs")
    what = _no_tuple(inputs.value) if inputs is not None and not inputs_given else None
    if inputs is not None and what is not None:
        raise InputError(
            f"{path}, line {inputs.lineno}: ModelInputs is {what}, not a tuple",
            "put the inputs into a tuple, also a single one: ModelInputs = (torch.rand(1, 3, 224, 224),)",
        )


def assignment_line(path: str, name: str) -> int | None:
    """The line of a model file that sets this name at its top; None where it cannot be told."""
    tree = _parsed(path)
    found = _assigned(tree, name) if tree is not None else None
    return found.lineno if found is not None else None


def _parsed(path: str) -> ast.Module | None:
    if not path.endswith(".py"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a user's strings are not our concern
            return ast.parse(Path(path).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _assigned(tree: ast.Module, name: str) -> ast.Assign | None:
    found = None
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            found = node
    return found


def _no_tuple(value: ast.expr) -> str | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _TENSORS:
        owner = value.func.value
        return "a tensor" if isinstance(owner, ast.Name) and owner.id == "torch" else None
    return _BRACKETS.get(type(value))
