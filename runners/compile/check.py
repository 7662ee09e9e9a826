"""Refuses what cannot work before anything slow begins: a compile spends ten seconds or more before its first error.

Most mistakes of a request can be seen from the model's source, the file system and the tables of targets; each gives
one sentence with what to do.  What only a compile can tell is left to `compile/failures.py`.
"""

from __future__ import annotations

import ast
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..interpreters import Interpreter, registered_models
from ..job import InputError, JobError, UsageError
from ..suggestion import suggestion
from .plan import BUNDLED_PREFIX, FUNCTION

NEEDED = ("ModelUnderTest", "ModelInputs")
_SEED = "ModelUnderTest = MyModel().eval(); ModelInputs = (torch.rand(1, 3, 224, 224),)"
_SOURCE_LIMIT_BYTES = 16 << 20
_NEEDED_FREE_BYTES = 16 << 20
_DYNAMIC = {"exec", "eval", "globals", "locals", "vars", "setattr"}
"""Names by which a file may bind others unseen; then only running it can tell."""

_BUNDLED = Path(__file__).with_name("models")


def bundled_models() -> tuple[str, ...]:
    """Names of the models that we bring, as `bundled:NAME`."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*.py") if not path.stem.startswith("_")))


def working_directory() -> str:
    """The current directory.

    Raises:
        InputError: somebody has removed it, and neither relative paths nor ExecuTorch work there.
    """
    try:
        return os.getcwd()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"the current directory is not there any more ({reason})", "cd to one that is") from error


def resolve_model(model: str, interpreter: Interpreter, extra: Sequence[str] = ()) -> tuple[str, str | None]:
    """What the ahead-of-time script gets as model name, and the file behind it (None for a registered name).

    Raises:
        InputError: the file is missing, unreadable, or does not define what it must.
        UsageError: no such name.
    """
    if model.startswith(BUNDLED_PREFIX):
        name = model.removeprefix(BUNDLED_PREFIX)
        if name not in bundled_models():
            ours = [BUNDLED_PREFIX + known for known in bundled_models()]
            raise UsageError(f"{model!r} is not one of our models", suggestion(model, ours))
        path = str(_BUNDLED / f"{name}.py")
        return path, path
    expanded = Path(os.path.expanduser(model))
    if model.endswith((".pt", ".pth")):
        if not any(argument.startswith("--model_input") for argument in extra):
            raise UsageError(f"{model} holds a model without inputs", "add --aot-arg=--model_input=FILE.pt")
        return str(expanded.absolute()), str(expanded.absolute())
    if model.endswith(".py") or os.sep in model or expanded.exists():
        known = registered_models(interpreter) if os.sep not in model and not model.endswith(".py") else ()
        if model not in known:  # a file or folder called "add" does not hide the registered model
            path = str(expanded.absolute())
            check_source(expanded)
            return path, path
    known = registered_models(interpreter)
    if known and model not in known:
        hint = suggestion(model, [*known, *(BUNDLED_PREFIX + name for name in bundled_models())])
        raise UsageError(f"{model!r} is neither a file nor a registered model", hint)
    return model, None


def check_source(path: Path) -> None:
    """See that a model file can be read, is Python, and binds ModelUnderTest and ModelInputs, or `model_and_inputs`.

    Raises:
        InputError: it is not so.
    """
    bound, certain = _names(path)
    absent = [name for name in NEEDED if name not in bound]
    if absent and certain and FUNCTION not in bound:
        raise InputError(f"{path} does not define {' and '.join(absent)}", f"add such a line at its end: {_SEED}")
    definition = bound.get("ModelUnderTest")
    if isinstance(definition, ast.ClassDef):
        raise InputError(
            f"{path}, line {definition.lineno}: ModelUnderTest is a class, not a model",
            "name the class otherwise and set ModelUnderTest to an instance: ModelUnderTest = MyModel().eval()",
        )


def check_function(path: Path, function: str | None = None) -> bool:
    """See that a file defines this function; without one, tell whether it follows the convention of functions.

    Raises:
        InputError: the file cannot be read, is no Python, or does not define it, or the function takes arguments.
    """
    bound, certain = _names(path)
    if function is None and (FUNCTION not in bound or any(name in bound for name in NEEDED)):
        return False
    name, _, inner = (function or FUNCTION).partition(".")
    definition = bound.get(name)
    if definition is None and certain:
        known = sorted(name for name, node in bound.items() if isinstance(node, ast.FunctionDef))
        raise InputError(
            f"{path} has no function {name}", suggestion(name, known) if known else "define it, or name another"
        )
    if isinstance(definition, ast.AsyncFunctionDef):
        raise InputError(f"{path}, line {definition.lineno}: {name} is async", "make it an ordinary function")
    if isinstance(definition, ast.FunctionDef) and not inner and not definition.decorator_list:
        arguments = definition.args
        without = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
        if without or None in arguments.kw_defaults:
            raise InputError(
                f"{path}, line {definition.lineno}: {name} takes arguments",
                "give them defaults: it is called without, and returns (model, inputs)",
            )
    return True


def _names(path: Path) -> tuple[dict[str, ast.AST], bool]:
    """The names that a Python file binds, and whether these are all."""
    source = _readable(path)
    if path.suffix != ".py":
        raise InputError(f"{path} is not a Python file", "give a .py file that defines ModelUnderTest and ModelInputs")
    if not source.strip():
        raise InputError(f"{path} is empty", f"define the model and its inputs: {_SEED}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a user's strings are not our concern
            tree = ast.parse(source, str(path))
    except SyntaxError as error:
        where = f"{path}, line {error.lineno}" if error.lineno else str(path)
        raise InputError(f"{where}: {error.msg}", "correct the file; it is not valid Python") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path} is not Python source ({error})", "give the model's .py file") from error
    bound = dict(_bound(tree.body))
    dynamic = any(isinstance(node, ast.Name) and node.id in _DYNAMIC for node in ast.walk(tree))
    return bound, "*" not in bound and not dynamic


def _readable(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a directory", "name the model's .py file in it")
        if not path.exists():
            raise InputError(f"no such file: {path}", "check the path, or see `ethosu-tui compile --help` for models")
        if not path.is_file():
            raise InputError(f"{path} is not a regular file", "give the model's .py file")
        if path.suffix == ".py" and path.stat().st_size > _SOURCE_LIMIT_BYTES:
            raise InputError(f"{path} is too large for Python source", "give the model's .py file")
        with path.open("rb") as stream:
            return stream.read(_SOURCE_LIMIT_BYTES)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path and permissions") from error


def _bound(body: Sequence[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Names that running these statements binds in the module, "*" for a star import."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name.split(".")[0], node) for alias in node.names)
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node
        elif isinstance(node, ast.Lambda):
            continue
        yield from _bound(list(ast.iter_child_nodes(node)))


def check_outputs(root: Path, outputs: Sequence[Path | None], intermediates: str | None = None) -> None:
    """See that the programs can be written where they shall go, by doing so with an empty file.

    Raises:
        UsageError: a place cannot be written to.
        JobError: there is no space left.
    """
    for path in dict.fromkeys(output for output in outputs if output is not None):
        if path.is_dir():
            raise UsageError(f"{path} is a directory", "name a file below it")
    places = [output.parent for output in outputs if output is not None]
    if intermediates is not None:
        places.append(Path(os.path.expanduser(intermediates)).absolute())
    for place in dict.fromkeys(places):
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                pass
        except OSError as error:
            raise UsageError(
                f"cannot write to {place} ({error.strerror or error})", "choose another place with -o"
            ) from error
        _check_space(place)
    existing = next(parent for parent in (root, *root.parents) if parent.exists())
    _check_space(existing)


def _check_space(place: Path) -> None:
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise UsageError(f"cannot use {place} ({error.strerror or error})", "choose another place") from error
    if free < _NEEDED_FREE_BYTES:
        raise JobError(
            f"the disk of {place} is full ({free >> 20} MiB left)",
            f"free at least {_NEEDED_FREE_BYTES >> 20} MiB, or remove old runs with `ethosu-tui runs rm`",
        )
