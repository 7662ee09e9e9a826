"""ExecuTorch's ahead-of-time script as a file: where it is, how it is called, and what it holds, without importing it.

Releases from 1.3 on have it in the wheel; before that, and for anything that is no release, it stands in a checkout.  What
our own route wraps or calls is looked for in the source before anything is started: a release where it is missing, or
somebody's changed copy, is compiled by running the script as a person would.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..job import MissingTool, UsageError
from ..simulator import CHECKOUT_VARIABLE, checkouts
from ..suggestion import suggestion
from . import worker as aot_worker

MODULE = "executorch.backends.arm.scripts.aot_arm_compiler"
_PLACES = (aot_worker.SCRIPT, "examples/arm/aot_arm_compiler.py")
"""In a checkout; the second one was the only one before 1.3 and needs to be run as a module from its root."""
_LARGEST_SOURCE_BYTES = 4 << 20

_NEEDED = {
    aot_worker.SCRIPT: (
        "main",
        "get_model_and_inputs_from_name",
        "to_edge_transform_and_lower",
        "get_delegation_info",
        "save_pte_program",
        "tabulate",
    ),
    "backends/arm/arm_vela.py": ("vela_compile",),
    "backends/arm/ethosu/backend.py": ("vela_compile",),
    "backends/arm/tosa/backend.py": ("TOSABackend._preprocess",),
    "backends/arm/tosa/partitioner.py": ("WhyNoPartitionReporter",),
}
"""By file of the executorch package, what `aot/observer.py` wraps and `vela/worker.py` calls."""

_RUN_IN = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module('examples.arm.aot_arm_compiler', run_name='__main__', alter_sys=True)"
)


class AotScript(NamedTuple):
    """The script that would run."""

    path: Path
    checkout: Path | None
    """The checkout that it belongs to; None where it is part of the installed package."""
    options: frozenset[str]
    """Long options of its parser; empty where its source could not be read."""
    lacks: tuple[str, ...]
    """What our own route needs of the package around it and did not find."""

    def command(self, interpreter: str) -> list[str]:
        """How it is started, up to its own arguments."""
        if self.checkout is None:
            return [interpreter, "-m", MODULE]
        if self.path == self.checkout / _PLACES[1]:
            return [interpreter, "-c", _RUN_IN, str(self.checkout)]
        return [interpreter, str(self.path)]


def find_script(home: str | None, checkout: str | None) -> AotScript | None:
    """The script of this checkout, else that of the package in `home`, else that of a checkout in the usual places.

    Raises:
        MissingTool: `checkout` was asked for and has no such script.
    """
    if checkout:
        root = Path(os.path.expanduser(checkout)).absolute()
        found = _in_checkout(root)
        if found is None:
            what = "no ahead-of-time script in" if root.is_dir() else "no ExecuTorch checkout at"
            raise MissingTool(f"{what} {root}", f"name the folder that holds {_PLACES[0]}, or {_PLACES[1]} before 1.3")
        return found
    if home is not None:
        path = Path(home) / aot_worker.SCRIPT
        return AotScript(path, None, _options(path), tuple(_lacks(Path(home))))
    return next((found for root in checkouts() if (found := _in_checkout(root)) is not None), None)


def where_to_name() -> str:
    """How to tell us of a checkout."""
    return f"name a checkout that has the script with --executorch or {CHECKOUT_VARIABLE}"


def check_options(script: AotScript, extra: Sequence[str]) -> None:
    """Refuse further arguments that this script's parser does not know.

    Raises:
        UsageError: an argument is no option of it.
    """
    for argument in extra:
        name = argument.partition("=")[0]
        if name.startswith("--") and script.options and not any(option.startswith(name) for option in script.options):
            near = suggestion(name, sorted(script.options))
            raise UsageError(f"--aot-arg={argument}: {script.path} has no option {name}", near)


def _in_checkout(root: Path) -> AotScript | None:
    for place in _PLACES:
        if (root / place).is_file():
            return AotScript(root / place, root, _options(root / place), ())
    return None


def _options(script: Path) -> frozenset[str]:
    tree = _parsed(script)
    return frozenset(
        argument.value
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument"
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and argument.value.startswith("--")
    )


def _lacks(home: Path) -> Iterator[str]:
    for place, names in _NEEDED.items():
        tree = _parsed(home / place)
        bound = set(_names(tree)) if tree is not None else set()
        yield from (f"{name} in {place}" for name in names if name not in bound)


def _names(tree: ast.Module) -> Iterator[str]:
    """What a module binds at its top, and the methods of its classes."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name for alias in node.names)


def _parsed(path: Path) -> ast.Module | None:
    try:
        with path.open("rb") as stream:
            return ast.parse(stream.read(_LARGEST_SOURCE_BYTES))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
