"""What to compile, as data: the options of a sweep, and the command lines that it stands for.

Everything here is pure; nothing is compiled and no file is looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...analysis.targets import ETHOS_U_TARGETS, TARGETS
from ..job import UsageError
from ..numeric.options import NumericOptions
from ..shell_words import command_line
from ..vela.config import VelaConfig
from .artefacts import BUNDLE_ENDING, BUNDLEIO, ETRECORD, PTE_ENDING, checked_name, script_output, wanted
from .points import ALL, CompilePoint, plan

AOT_MODULE = "executorch.backends.arm.scripts.aot_arm_compiler"
BUNDLED_PREFIX = "bundled:"
FUNCTION = "model_and_inputs"
"""A function of this name in a `.py` file is called where the file does not define ModelUnderTest and ModelInputs."""
SAVED_ENDINGS = (".pt2", ".pt", ".pth")
_FUNCTION = re.compile(r"(?P<place>.+):(?P<function>[^\W\d]\w*(?:\.[^\W\d]\w*)*)")

_PLACES = ("target", "system_config", "memory_mode", "arena_cache_size", "optimise", "model")
"""What stands in braces in the name of an output file."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What all jobs of a batch share."""

    model: str
    """A `.py` file with ModelUnderTest and ModelInputs, a function ("net.py:make", "package.net:make"), a `.pt2` file, a
    registered name ("add"), or a bundled one ("bundled:mnist")."""
    delegate: bool = True
    quantize: bool = True
    output: str | None = None
    """A `.pte` file, a directory, or a template with {target}, {system_config}, {memory_mode}, {model}, ...."""
    debug: bool = False
    keep_intermediates: bool | str = False
    """Keep what ExecuTorch dumps on the way: in the run folder (True), or below this directory."""
    interpreter: str | None = None
    calibration: str | None = None
    """A `.pt` file or a directory of them to quantise with, instead of the model's inputs."""
    vela_config: VelaConfig | None = None
    """A vela.ini to compile with, instead of Vela's own."""
    warm: bool = True
    """Whether a worker that an earlier compile left may be used, and one be left."""
    executorch: str | None = None
    """A checkout of ExecuTorch whose own script shall compile, in that interpreter."""
    extra: tuple[str, ...] = ()
    """Further arguments of the ahead-of-time script, passed on as they are."""
    numeric: NumericOptions | None = None
    """Check the delegates' TOSA graphs against PyTorch."""


def quantises(options: CompileOptions, point: CompilePoint) -> bool:
    """Whether this job quantises the model."""
    return options.quantize and point.target != "none"


def aot_arguments(
    options: CompileOptions, point: CompilePoint, model: str, pte: Path, dump: Path | None, samples: Path | None = None
) -> list[str]:
    """The arguments of ExecuTorch's ahead-of-time script for one job; `samples` is where the model puts its own.

    "none" is the plain portable program: neither delegated nor quantised (a quantised program needs the Cortex-M
    kernels, which no host has).  The script delegates nothing to a Cortex-M and warns when asked to.
    """
    arguments = [f"--model_name={model}"]
    if point.target != "none":
        arguments.append(f"--target={point.target}")
        if options.delegate and point.is_npu:
            arguments.append("--delegate")
        if quantises(options, point):
            arguments.append("--quantize")
            if options.calibration or samples:
                arguments.append(f"--calibration_data={options.calibration or samples}")
    if point.system_config:
        arguments.append(f"--system_config={point.system_config}")
    if point.memory_mode:
        arguments.append(f"--memory_mode={point.memory_mode}")
    if options.vela_config is not None and point.is_npu:
        arguments.append(f"--config={options.vela_config.argument}")
    if dump is not None:
        arguments.append(f"--intermediates={dump}")
    if options.debug:
        arguments.append("--debug")
    return [*arguments, f"--output={script_output(pte, options.extra)}", *options.extra]


def stages(options: CompileOptions, point: CompilePoint) -> tuple[str, ...]:
    """The stages that a job passes, in order; those inside a stage stand after it."""
    quantised = quantises(options, point)
    delegated = options.delegate and point.is_npu
    return (
        "import ExecuTorch",
        "load model",
        "export",
        *(("quantise",) if quantised else ()),
        "partition and lower",
        *(("TOSA", "Vela") if delegated else ()),
        "make the program",
        "save",
    )


def function_of(model: str) -> tuple[str, str] | None:
    """The file or module, and the function in it, of "net.py:make" and "package.net:make"; None where it is no such name."""
    found = None if model.startswith(BUNDLED_PREFIX) else _FUNCTION.fullmatch(model)
    return (found["place"], found["function"]) if found else None


def model_label(model: str) -> str:
    """The model's short name: that of its file without the ending, of its function, or the registered one."""
    if (named := function_of(model)) is not None:
        place, function = named
        stem = Path(place).stem if place.endswith(".py") else place.rpartition(".")[2]
        return f"{Path(stem).name}-{function}"
    name = model.removeprefix(BUNDLED_PREFIX)
    return Path(name).stem if name.endswith((".py", ".tosa", ".tflite", *SAVED_ENDINGS)) else name


def output_paths(options: CompileOptions, points: Sequence[CompilePoint], ending: str = "") -> list[Path | None]:
    """Where each job's program goes besides its run folder; None without an output option.

    A name with this `ending` is a file's, as one with that of a program is.

    Raises:
        UsageError: several jobs would write the same file, or the template is not one.
    """
    if options.output is None:
        return [None] * len(points)
    if not options.output.strip():
        raise UsageError("the output path is empty", "name a .pte file or a directory")
    unknown = [name for name in re.findall(r"\{(\w*)\}", options.output) if name not in _PLACES]
    if unknown:
        raise UsageError(
            f"{options.output}: nothing is known as {{{unknown[0]}}}",
            f"use {', '.join(f'{{{name}}}' for name in _PLACES)}",
        )
    paths: list[Path | None] = [_output_path(options, point, points, ending) for point in points]
    if len(set(paths)) < len(paths):
        raise UsageError(
            f"{options.output} would be written by {len(paths)} jobs",
            "name a directory, or put {target} (also {system_config}, {memory_mode}, {arena_cache_size}) into the file's name",
        )
    return paths


def _output_path(options: CompileOptions, point: CompilePoint, points: Sequence[CompilePoint], ending: str) -> Path:
    text = str(options.output)
    model = model_label(options.model)
    facts = {
        "target": point.target,
        "system_config": point.system_config or "none",
        "memory_mode": point.memory_mode or "none",
        "arena_cache_size": "default" if point.arena_cache_bytes is None else str(point.arena_cache_bytes),
        "optimise": point.optimise or "Performance",
        "model": model,
    }
    for name, value in facts.items():
        text = text.replace(f"{{{name}}}", value)
    path = Path(os.path.expanduser(text)).absolute()
    if checked_name(text, options.extra).endswith((PTE_ENDING, BUNDLE_ENDING, ending or PTE_ENDING)):
        return path
    middle = "arm_delegate" if options.delegate and point.is_npu else "arm"
    name = f"{model}_{middle}_{point.target}"
    if sum(other.target == point.target for other in points) > 1:
        name += f"_{point.system_config}_{point.memory_mode}"
    if point.vela_flags:
        name += "".join(f"_{flag.lstrip('-').replace('=', '-')}" for flag in point.vela_flags)
    return path / (name + (BUNDLE_ENDING if wanted(options.extra, BUNDLEIO) else PTE_ENDING))


def equivalent_command(options: CompileOptions, points: Sequence[CompilePoint]) -> str:
    """The `ethosu-tui compile ...` line that does the same; one for each point where the points are no full sweep."""
    if not points:
        return command_line(_words(options, ()))
    targets = list(dict.fromkeys(point.target for point in points))
    configs = _axis(points, "system_config")
    modes = _axis(points, "memory_mode")
    arenas = list(dict.fromkeys(point.arena_cache_bytes for point in points))
    optimise = list(dict.fromkeys(point.optimise or "Performance" for point in points))
    ini = options.vela_config.ini if options.vela_config else None
    if len(points) > 1 and set(plan(targets, configs, modes, arenas, optimise, ini)[0]) != set(points):
        return " && ".join(equivalent_command(options, [point]) for point in points)
    if ini is None and len(points) > len(ETHOS_U_TARGETS):
        targets, configs, modes = _shortened(points, (targets, configs, modes), arenas, optimise)
    axes = (
        ("--target", targets),
        ("--system-config", configs),
        ("--memory-mode", modes),
        ("--arena-cache-size", [] if arenas == [None] else [str(arena or "default") for arena in arenas]),
        ("--optimise", [] if optimise == ["Performance"] else optimise),
    )
    return command_line(_words(options, axes))


def _shortened(
    points: Sequence[CompilePoint], axes: tuple[list[str], ...], arenas: Sequence[int | None], optimise: Sequence[str]
) -> list[list[str]]:
    """Target, system config and memory mode with "all" for those of which the sweep has every value that fits."""
    found = list(axes)
    for place, axis in enumerate(axes):
        tried = [*found[:place], [ALL], *found[place + 1 :]]
        if len(axis) > 1 and set(plan(tried[0], tried[1], tried[2], arenas, optimise)[0]) == set(points):
            found = tried
    return found


def _axis(points: Sequence[CompilePoint], name: str) -> list[str]:
    """The values of one axis, or none where every target has its default."""
    if all(getattr(point, name) == getattr(TARGETS[point.target], f"default_{name}") for point in points):
        return []
    return list(dict.fromkeys(getattr(point, name) for point in points if getattr(point, name)))


def _words(options: CompileOptions, axes: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    words = ["ethosu-tui", "compile", options.model]
    for option, values in axes:
        for value in values:
            words += [option, value]
    if options.output:
        words += ["-o", options.output]
    flags = (
        ("--no-delegate", not options.delegate),
        ("--no-quantize", not options.quantize),
        ("--debug", options.debug),
        ("--keep-intermediates", bool(options.keep_intermediates)),
    )
    words += [flag for flag, given in flags if given]
    if isinstance(options.keep_intermediates, str) and options.keep_intermediates:
        words.append(options.keep_intermediates)
    if options.calibration:
        words += ["--calibration", options.calibration]
    if options.vela_config is not None:
        words += ["--vela-config", options.vela_config.path]
    if options.interpreter:
        words += ["--python", options.interpreter]
    if options.executorch:
        words += ["--executorch", options.executorch]
    if options.numeric is not None:
        words += options.numeric.words()
    ours = (BUNDLEIO, ETRECORD)
    return words + [argument if argument in ours else f"--aot-arg={argument}" for argument in options.extra]
