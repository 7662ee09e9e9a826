"""Gives ExecuTorch's script what it cannot load by itself: what a function returns, and exported programs.

The script takes a model as a `.py` file that binds `ModelUnderTest` and `ModelInputs`.  For anything else a file of a few
lines is written (`compile/model_source.py`) that calls a function here, so that the script itself stays as it is, and the very
command in a run's manifest works again by hand.

Loaded by path under the interpreter that holds executorch: standard library and torch only.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

MOST_SAMPLES = 1000
"""The script reads no more."""
_MODULE = "model_file"
"""The user's file as a module: it must stay the one of that name while torch traces it, and "tmp_model" is the script's."""


class ModelError(Exception):
    """What the user's function or file gave is no model with inputs; the message says where and what it was."""


def from_function(function: str, file: str | None, module: str | None, samples: str | None) -> tuple[Any, Any]:
    """Model and inputs of a function without arguments, which returns (model, inputs) or (model, inputs, calibration).

    With `samples`, calibration goes into that directory, where the script is told to look for it.

    Raises:
        ModelError: there is no such function, or it returned something else.
    """
    if file is not None:
        directory = os.path.dirname(file)
        if directory not in sys.path:
            sys.path.append(directory)
    elif os.getcwd() not in sys.path:  # as `python -m` has it, and a script run by its path has not
        sys.path.insert(0, os.getcwd())
    owner = _load(file) if file is not None else importlib.import_module(str(module))
    where = file or str(module)
    call: Any = owner
    for part in function.split("."):
        call = getattr(call, part, None)
    if not callable(call):
        raise ModelError(f"{where} has no function {function}")
    place = _place(call, where)
    returned = call()
    if not isinstance(returned, (tuple, list)) or len(returned) not in (2, 3):
        what = type(returned).__name__ + (f" of {len(returned)}" if isinstance(returned, (tuple, list)) else "")
        raise ModelError(f"{place}: {function}() returned {what}, not (model, inputs) or (model, inputs, calibration)")
    model, inputs = returned[:2]
    if isinstance(model, type) or not callable(getattr(model, "eval", None)):
        what = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise ModelError(f"{place}: {function}() returned {what} as model, not an instance of a torch.nn.Module")
    inputs = _inputs(inputs, f"{place}: {function}()")
    if samples is not None:
        _store(returned[2] if len(returned) == 3 else None, inputs, samples, f"{place}: {function}()")
    return model, inputs


def from_exported(file: str, inputs_given: bool) -> tuple[Any, Any]:
    """Model and inputs of an exported program (`torch.export.save`).

    Raises:
        ModelError: torch cannot read it, it holds no inputs and none are given, or takes some by name.
    """
    import torch

    try:
        with open(file, "rb") as stream:  # opened by Python, it is among the files that a later compile compares
            program = torch.export.load(stream)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # of another release of torch, or spoilt inside
        first = (str(error).strip().splitlines() or [""])[0][:200].rstrip(". ")
        raise ModelError(
            f"torch {torch.__version__} cannot read {file} ({type(error).__name__}: {first}); export and save it again with this torch"
        ) from error
    make: Callable[..., Any] = program.module
    plain = {"check_guards": False} if "check_guards" in inspect.signature(make).parameters else {}
    module = make(**plain)
    module.eval = types.MethodType(
        lambda self: self, module
    )  # the script asks for it; an exported graph has no other mode
    given = program.example_inputs
    if given is not None and given[1]:
        names = ", ".join(map(str, given[1]))
        raise ModelError(f"{file} was exported with inputs by name ({names}); export it with all inputs by position")
    if given is None and not inputs_given:
        raise ModelError(f"{file} holds no example inputs; give them with --aot-arg=--model_input=FILE.pt")
    return module, None if given is None else tuple(given[0])


def check_samples(script: Any) -> None:
    """Let the script look at each calibration sample as it reads it, not after the export; and read nothing but tensors."""
    original = getattr(script, "load_calibration_sample", None)
    fits = getattr(script, "_validate_calibration_sample", None)
    if original is None or fits is None:
        return

    def load_calibration_sample(path: str, example_inputs: tuple[Any, ...]) -> Any:
        _only_tensors(path)
        sample = original(path, example_inputs)
        try:
            fits(sample, example_inputs)
        except ValueError as error:
            raise ValueError(f"{str(error).rstrip('.')} ({path})") from error
        return sample

    script.load_calibration_sample = load_calibration_sample


def _only_tensors(path: str) -> None:
    import torch

    try:
        torch.load(path, weights_only=True)
    except OSError:
        raise
    except Exception as error:
        said = str(error).strip().splitlines()
        raise ModelError(
            f"{path} holds more than tensors, or is damaged ({said[0][:200] if said else error!r})"
        ) from error


def _load(file: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(_MODULE, file)
    if spec is None or spec.loader is None:
        raise ModelError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    spec.loader.exec_module(module)
    return module


def _place(call: Any, where: str) -> str:
    code = getattr(inspect.unwrap(call), "__code__", None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if isinstance(code, types.CodeType) else where


def _inputs(inputs: Any, what: str) -> tuple[Any, ...]:
    import torch

    if isinstance(inputs, torch.Tensor):
        return (inputs,)
    if isinstance(inputs, (tuple, list)) and inputs:
        return tuple(inputs)
    raise ModelError(f"{what} returned {type(inputs).__name__} as inputs, not a tuple of tensors")


def _store(calibration: Any, inputs: tuple[Any, ...], directory: str, what: str) -> None:
    """Write the samples in their order; without any, the inputs, with which the script would calibrate too."""
    import torch

    os.makedirs(directory, exist_ok=True)
    if calibration is None:
        calibration = [inputs]
    if isinstance(calibration, (torch.Tensor, str, bytes, dict)) or not isinstance(calibration, Iterable):
        raise ModelError(f"{what} returned {type(calibration).__name__} as calibration, not a list of samples")
    count = 0
    for count, sample in enumerate(islice(calibration, MOST_SAMPLES), 1):
        torch.save(_inputs(sample, f"{what}, calibration sample {count}:"), os.path.join(directory, f"{count:06}.pt"))
    if not count:
        raise ModelError(f"{what} returned no calibration sample")
