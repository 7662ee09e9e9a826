"""Which Python compiles: the one that was asked for, the one of the environment, or the one that runs us.

ExecuTorch may live in another virtual environment than we do.  What an interpreter has is found out without importing
torch: in our own process from package metadata, elsewhere by a short run of the same code.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from ..analysis.compiles.toolchains import misfit_findings, misfits, pip_words, toolchain, why_not_staged
from ..analysis.report import Finding
from .aot import worker as aot_worker
from .aot.scripts import AotScript, find_script, where_to_name
from .job import MissingTool
from .simulator import checkouts

VARIABLE = "ETHOSU_TUI_PYTHON"
INSTALL = 'pip install "ethosu-tui[compile]"'
_PROBE_SECONDS = 30.0
_MOST_OTHERS = 8
"""Pythons that are asked besides the one that compiles; each answer takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python and what it has of the compiler."""

    path: str
    source: str
    """Who chose it: "option", "environment" or "own"."""
    python: str
    versions: Mapping[str, str | None]
    """By package: executorch, torch, ethos-u-vela, tosa-tools; None where it is not installed."""
    executorch: str | None
    """Directory of the executorch package that holds the ahead-of-time script."""
    script: AotScript | None = None
    """The script that compiles, of the package or of a checkout."""
    modules: tuple[str, ...] = ()
    """Further modules that it has and that only some releases import."""

    @property
    def why_script(self) -> str | None:
        """Why the script runs as it is, for each job, instead of our own staged route; None where that goes."""
        if self.script is None:
            return "there is no ahead-of-time script"
        version = self.versions.get("executorch")
        if self.script.checkout is not None:
            return f"the script is that of {self.script.checkout}; ExecuTorch {version} is installed"
        reason = why_not_staged(version)
        if reason is None and self.script.lacks:
            reason = f"the installed ExecuTorch {version} has no {self.script.lacks[0]}"
        return reason

    @property
    def command(self) -> list[str]:
        """How its script is started, up to the script's own arguments."""
        return self.script.command(self.path) if self.script is not None else [self.path]

    @property
    def identity(self) -> tuple[str, str]:
        """The same for `python` and `python3` of one environment: where it stands and which file it is."""
        return os.path.dirname(self.path), os.path.realpath(self.path)

    @property
    def pip(self) -> str:
        """How the pip of this interpreter is called."""
        return "pip" if self.source == "own" else f"{self.path} -m pip"

    @property
    def install(self) -> str:
        """The line that installs what belongs to its ExecuTorch, or the newest one that is known."""
        return " && ".join(f"{self.pip} install {words}" for words in pip_words(self.versions.get("executorch")))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to say of every compile with it: packages that do not belong to its ExecuTorch."""
        return misfit_findings(dict(self.versions), self.pip)

    @property
    def unusable(self) -> str | None:
        """Why its ExecuTorch cannot be imported although all packages are there; None where that is not known."""
        fatal = [misfit for misfit in misfits(dict(self.versions)) if misfit.fatal]
        return fatal[0].describe(str(self.versions["executorch"])) if fatal else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The packages that compiling needs and that are not there."""
        absent = [name for name, version in self.versions.items() if version is None]
        if self.script is None and "executorch" not in absent:
            absent.insert(0, "executorch (with its Arm ahead-of-time script)")
        known = toolchain(self.versions.get("executorch"))
        absent += [name for name, _ in (known.modules if known is not None else ()) if name not in self.modules]
        return tuple(absent)

    def record(self) -> dict[str, str | None]:
        """All versions that a result depends on, for a manifest."""
        try:
            own: str | None = metadata.version("ethosu-tui")
        except metadata.PackageNotFoundError:
            own = None
        return {"python": self.python, **self.versions, "ethosu-tui": own}


def find_interpreter(option: str | None = None, checkout: str | None = None) -> Interpreter:
    """The interpreter to compile with, which has all that compiling needs; `checkout` is one whose script shall run.

    Raises:
        MissingTool: it is not there, is no Python, lacks packages, or has such as do not go together; the hint holds
            the line that installs them.
    """
    interpreter = look_up(option, checkout)
    if interpreter.missing:
        lacks = ", ".join(interpreter.missing)
        raise MissingTool(f"{interpreter.path} cannot compile: it lacks {lacks}", _how_to_install(interpreter))
    if interpreter.unusable is not None:
        raise MissingTool(f"{interpreter.path} cannot compile: {interpreter.unusable}", _how_to_install(interpreter))
    return interpreter


def look_up(option: str | None = None, checkout: str | None = None) -> Interpreter:
    """The interpreter that would be used, also when it lacks packages.

    Raises:
        MissingTool: what was asked for is not there or is no Python, or the checkout has no script.
    """
    chosen, source = option, "option"
    if not chosen:
        chosen, source = os.environ.get(VARIABLE, "").strip(), "environment"
    if not chosen:
        return _interpreter(sys.executable or "python", "own", aot_worker.installed(), checkout)
    path = _executable(chosen, source)
    return _interpreter(path, source, _ask(path, source), checkout)


def other_interpreters(but: Interpreter) -> Iterator[Interpreter]:
    """Interpreters in the usual places that hold executorch: active environments, those here and in checkouts, PATH."""
    here = [os.environ.get("VIRTUAL_ENV", ""), os.environ.get("CONDA_PREFIX", "")]
    here += [str(root / name) for root in (Path(), *checkouts()) for name in (".venv", "venv", "env")]
    candidates = [os.path.join(place, "bin", "python") for place in here if place]
    candidates += [found for name in ("python3", "python") if (found := shutil.which(name))]
    seen = {os.path.abspath(but.path)}
    for path in map(os.path.abspath, candidates):
        if path in seen or not os.access(path, os.X_OK) or len(seen) > _MOST_OTHERS:
            continue
        seen.add(path)
        try:
            facts = _ask(path, "option")
        except MissingTool:
            continue  # something else that is called python
        if facts["versions"].get("executorch") is not None:
            yield _interpreter(path, "option", facts, None)


def registered_models(interpreter: Interpreter) -> tuple[str, ...]:
    """Names that the ahead-of-time script knows by itself, read from its source; empty where they cannot be read."""
    checkout = interpreter.script.checkout if interpreter.script is not None else None
    if checkout is None and interpreter.executorch is None:
        return ()
    home = checkout or Path(str(interpreter.executorch))
    script = interpreter.script.path if interpreter.script is not None else home / aot_worker.SCRIPT
    names: list[str] = []
    for path, collect in ((home / "examples/models/__init__.py", _enum_values), (script, _keys)):
        try:
            names += collect(ast.parse(path.read_bytes()))
        except (OSError, SyntaxError, ValueError):
            return ()
    return tuple(sorted(set(names)))


def _enum_values(tree: ast.Module) -> list[str]:
    return [
        statement.value.value
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "Model"
        for statement in node.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]


def _keys(tree: ast.Module) -> list[str]:
    return [
        key.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        if any(isinstance(target, ast.Name) and target.id == "MODELS" for target in node.targets)
        for key in node.value.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


def _executable(chosen: str, source: str) -> str:
    where = "the option --python" if source == "option" else f"the variable {VARIABLE}"
    expanded = os.path.expanduser(chosen)
    if os.path.isdir(expanded):  # a virtual environment
        expanded = os.path.join(expanded, "bin", "python")
    found = shutil.which(expanded)
    if found is None:
        raise MissingTool(f"no Python interpreter at {expanded}", f"it was named by {where}")
    return os.path.abspath(found)


def _ask(path: str, source: str) -> Mapping[str, Any]:
    advice = f"name a Python 3.10 or newer {'with --python' if source == 'option' else f'in {VARIABLE}'}"
    try:
        answer = subprocess.run(
            [path, str(Path(aot_worker.__file__)), "--probe"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=True,
        )
        facts = json.loads(answer.stdout)
        if not isinstance(facts, dict) or not isinstance(facts.get("versions"), dict):
            raise ValueError("it did not answer as a Python does")
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        reason = said[-1] if said else f"it ended with status {error.returncode}"
        raise MissingTool(f"{path} is no usable Python ({reason})", advice) from error
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise MissingTool(f"{path} is no usable Python ({error})", advice) from error
    return facts


def _interpreter(path: str, source: str, facts: Mapping[str, Any], checkout: str | None) -> Interpreter:
    home = facts.get("executorch")
    script = find_script(home, checkout)
    return Interpreter(
        path, source, str(facts["python"]), dict(facts["versions"]), home, script, tuple(facts.get("modules", ()))
    )


def _how_to_install(interpreter: Interpreter) -> str:
    another = f"or name another Python with --python or {VARIABLE}"
    version = interpreter.versions.get("executorch")
    if version is not None and interpreter.script is None:
        return f"{interpreter.install}, {where_to_name()}, {another}"
    if interpreter.source == "own" and toolchain(version) is None:
        return f"{INSTALL}, {another}"
    return f"{interpreter.install}, {another}"
