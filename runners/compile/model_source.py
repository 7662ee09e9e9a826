"""Which model a compile was asked for: a file that ExecuTorch's script takes, or one for which a few lines are written.

A function (`net.py:make`, `package.net:make`, or `model_and_inputs` in a `.py` file) and an exported program (`.pt2`) reach
the script through a file in the run's folder that follows the script's own convention (`aot/entry.py`).  What a file is, is
read from its bytes before anything slow begins; nothing of it is executed for that.
"""

from __future__ import annotations

import importlib.machinery
import os
import re
import subprocess
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...analysis.compiles.saved_model import SavedKind, archive_kind, pickle_kind
from ...analysis.lines import clean
from ..aot import entry as aot_entry
from ..interpreters import Interpreter
from ..job import InputError, UsageError
from ..vela.config import write_beside
from .check import check_function, resolve_model
from .plan import FUNCTION, SAVED_ENDINGS, function_of

_PROBE_SECONDS = 20.0
_CHECKED_BYTES = 512 << 20
"""Archives of no more than that unpacked are read through once, to see that they are whole."""
_PICKLE_BYTES = 16 << 20
_ENTRY = '''"""What `{model}` is, as ExecuTorch's ahead-of-time script takes it; written by ethosu-tui."""

import importlib.util

spec = importlib.util.spec_from_file_location("ethosu_tui_aot_entry", {module!r})
entry = importlib.util.module_from_spec(spec)
spec.loader.exec_module(entry)
ModelUnderTest, ModelInputs = entry.{loader}({arguments})
'''
_FIND = "import importlib.util, sys; s = importlib.util.find_spec(sys.argv[1]); print(s and (s.origin or '')); print(*(s and s.submodule_search_locations or ()), sep='\\n')"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """What to compile: `name` is what the user said, `file` the user's file behind it (None for a registered model)."""

    name: str
    script_name: str
    """What the script is told where it can load the model by itself."""
    file: str | None
    loader: str | None = None
    """The function of `aot/entry.py` that loads it otherwise, with these arguments."""
    arguments: tuple[tuple[str, Any], ...] = ()
    samples: bool = False
    """Whether it may bring its own calibration data."""

    @property
    def identity(self) -> list[Any]:
        """The same for the same model, as long as its files are the same."""
        return [self.script_name, self.loader, self.arguments]

    def given_to_script(self, folder: Path, label: str, samples: Path | None) -> str:
        """The script's `--model_name`; what must be written for it goes into this folder.

        Raises:
            JobError: it could not be written.
        """
        if self.loader is None:
            return self.script_name
        arguments = dict(self.arguments)
        if self.samples:
            arguments["samples"] = None if samples is None else str(samples)
        text = _ENTRY.format(
            model=re.sub(r"[^\w.:/ -]", "?", self.name),
            module=str(Path(aot_entry.__file__)),
            loader=self.loader,
            arguments=", ".join(f"{key}={value!r}" for key, value in arguments.items()),
        )
        path = folder / "entry" / f"{label}.py"
        write_beside(path, text.encode())
        return str(path)


def find_model(model: str, interpreter: Interpreter, extra: Sequence[str] = ()) -> ModelSource:
    """The model that was asked for.

    Raises:
        InputError: its file is missing, unreadable, damaged, or not what it must be.
        UsageError: no such name, or it lacks its inputs.
    """
    named = function_of(model)
    if named is not None and not os.path.exists(os.path.expanduser(model)):
        return _function(model, *named, interpreter)
    inputs_given = any(argument.partition("=")[0] == "--model_input" for argument in extra)
    if model.endswith(SAVED_ENDINGS):
        path = Path(os.path.expanduser(model)).absolute()
        kind = saved_kind(path)
        if kind.exported:
            if not (kind.has_inputs or inputs_given):
                raise UsageError(f"{model} holds no example inputs", "add --aot-arg=--model_input=FILE.pt")
            arguments = (("file", str(path)), ("inputs_given", inputs_given))
            return ModelSource(model, str(path), str(path), "from_exported", arguments)
        if model.endswith(".pt2"):
            raise InputError(f"{path} is not an exported program: {kind.text}", kind.advice)
        if not kind.module:
            raise InputError(f"{path} holds no model that can be compiled: {kind.text}", kind.advice)
    name, file = resolve_model(model, interpreter, extra)
    if file is not None and name.endswith(".py") and check_function(Path(file)):
        return _from_function(model, FUNCTION, file, None)
    return ModelSource(model, name, file)


def _function(model: str, place: str, function: str, interpreter: Interpreter) -> ModelSource:
    if place.endswith(".py") or os.sep in place:
        file = str(Path(os.path.expanduser(place)).absolute())
        check_function(Path(file), function)
        return _from_function(model, function, file, None)
    found = _module_file(place, interpreter)
    if not found:
        hint = "give a file as net.py:make, or install it into the interpreter that compiles (--python)"
        raise InputError(f"no module {place} in {os.getcwd()} or in {interpreter.path}", hint)
    if found.endswith(".py"):
        check_function(Path(found), function)
        return _from_function(model, function, found, place)
    return _from_function(model, function, found, place)


def _from_function(model: str, function: str, file: str | None, module: str | None) -> ModelSource:
    arguments = (("function", function), ("file", None if module else file), ("module", module))
    return ModelSource(model, "", file, "from_function", arguments, samples=True)


def _module_file(name: str, interpreter: Interpreter) -> str | None:
    """The file of a module; empty or None where there is none.  Nothing of it is imported."""
    top, *rest = name.split(".")
    local = importlib.machinery.PathFinder.find_spec(top, [os.getcwd()])
    if local is not None:
        origin, places = local.origin or "", list(local.submodule_search_locations or ())
    else:
        try:
            said = subprocess.run(
                [interpreter.path, "-I", "-c", _FIND, top],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_PROBE_SECONDS,
                check=True,
            ).stdout.splitlines()
        except (OSError, subprocess.SubprocessError):
            return None
        if not said or said[0] == "None":
            return None
        origin, places = said[0], [line for line in said[1:] if line]
    for part in rest:
        found = importlib.machinery.PathFinder.find_spec(part, places)
        if found is None:
            return None
        origin, places = found.origin or "", list(found.submodule_search_locations or ())
    return origin


def saved_kind(path: Path) -> SavedKind:
    """What a saved model is, from the names and opcodes in it.

    Raises:
        InputError: it is missing, unreadable or damaged.
    """
    names, data = saved_pickle(path)
    return archive_kind(names, data) if names else pickle_kind(data)


def saved_pickle(path: Path) -> tuple[list[str], bytes]:
    """The names in an archive that torch wrote (empty: it is none) and its pickle, or the bytes of the file.

    Raises:
        InputError: it is missing, unreadable or damaged.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a directory", "name a file in it")
        if not path.is_file():
            raise InputError(f"no such file: {path}", "check the path, or see `ethosu-tui compile --help` for models")
        if path.stat().st_size == 0:
            raise InputError(f"{path} is empty", "save it again")
        with path.open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                stream.seek(0)
                return [], stream.read(_PICKLE_BYTES)
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            if unpacked <= _CHECKED_BYTES and (spoilt := archive.testzip()) is not None:
                raise InputError(f"{path} is damaged: {clean(spoilt)} in it has a wrong checksum", "save it again")
            names = archive.namelist()
            pickles = [name for name in names if name.rpartition("/")[2] == "data.pkl" and name.count("/") == 1]
            if not pickles:
                return names, b""
            with archive.open(pickles[0]) as stream:
                return names, stream.read(_PICKLE_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise InputError(f"{path} is damaged or cut off ({clean(str(error))})", "save or copy it again") from error
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path and permissions") from error
