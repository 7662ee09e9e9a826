"""What compiles: Pythons with ExecuTorch, whether their packages fit together, and whether they can be imported."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

from ...analysis.compiles.toolchains import misfits, toolchain
from ..aot.scripts import where_to_name
from ..interpreters import Interpreter, look_up, other_interpreters
from ..job import MissingTool
from .tool import Tool

_MODULES = {
    "torch": "torch",
    "executorch": "executorch.exir",
    "ethos-u-vela": "ethosu.vela",
    "tosa-tools": "tosa_serializer",
    "Arm backend": "executorch.backends.arm.ethosu",
}
_IMPORT_SECONDS = 180.0
_IMPORT = """
import importlib, json, sys
said = {}
for name, module in json.loads(sys.argv[1]).items():
    try:
        importlib.import_module(module)
        said[name] = ""
    except BaseException as error:
        said[name] = type(error).__name__ + ": " + str(error)
sys.__stdout__.write("\\n" + json.dumps(said) + "\\n")
"""


def compilers(python: str | None) -> Iterator[Tool]:
    """The Python that compiles with its packages, and others that could be named."""
    try:
        interpreter = look_up(python)
    except MissingTool as error:
        yield Tool("python for compiling", False, error.message, "compile and host runs", error.hint)
        return
    for name, found in interpreter.versions.items():
        detail = f"{found} in {interpreter.path}" if found else f"not in {interpreter.path}"
        what = "compile and host runs" if name in ("executorch", "torch") else "compile"
        yield Tool(name, found is not None, detail, what, "" if found else interpreter.install)
    if interpreter.versions.get("executorch") is not None:
        yield _fit(interpreter)
        yield _route(interpreter)
    yield from (_another(other) for other in other_interpreters(interpreter))


def _fit(interpreter: Interpreter) -> Tool:
    """Whether the packages beside ExecuTorch are those that it was made for."""
    name, what = "versions together", "compile"
    lines = [misfit.describe(str(interpreter.versions["executorch"])) for misfit in misfits(dict(interpreter.versions))]
    if lines:
        return Tool(name, False, "; ".join(lines), what, interpreter.install)
    if toolchain(interpreter.versions["executorch"]) is None:
        return Tool(name, True, "not known for this ExecuTorch", what)
    return Tool(name, True, "ExecuTorch, torch, Vela and TOSA's tools fit", what)


def _route(interpreter: Interpreter) -> Tool:
    """Which script compiles, and whether as it is or by our own route."""
    name, what = "ahead-of-time script", "compile"
    if interpreter.script is None:
        return Tool(name, False, "not in the package, and no checkout has it", what, where_to_name())
    how = "our own route" if interpreter.why_script is None else f"run as it is: {interpreter.why_script}"
    return Tool(name, True, f"{interpreter.script.path} ({how})", what)


def _another(interpreter: Interpreter) -> Tool:
    """An interpreter that could be named to compile with instead."""
    versions = ", ".join(f"{name} {found or 'missing'}" for name, found in interpreter.versions.items())
    detail = f"{interpreter.path}: {versions}"
    return Tool(f"python with ExecuTorch {interpreter.versions['executorch']}", True, detail, "compile --python")


def imports(python: str | None) -> Iterator[Tool]:
    """Whether what is installed can be imported too; it takes as long as a compile takes to start."""
    try:
        interpreter = look_up(python)
    except MissingTool:
        return  # said already
    argv = [interpreter.path, "-c", _IMPORT, json.dumps(_MODULES)]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_IMPORT_SECONDS, cwd="/")
        said = json.loads(done.stdout.decode("utf-8", "replace").strip().rpartition("\n")[2])
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        why = f"{interpreter.path} could not import them ({type(error).__name__})"
        yield Tool("imports", False, why, "compile", interpreter.install)
        return
    for name, problem in said.items():
        detail = "can be imported" if not problem else problem
        yield Tool(f"import {name}", not problem, detail, "compile", "" if not problem else interpreter.install)
