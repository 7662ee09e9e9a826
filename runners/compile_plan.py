"""What to compile, as data: the options, the points of a sweep, and the command lines that they stand for.

Everything here is pure; nothing is compiled and no file is looked at.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..analysis.targets import ETHOS_U_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS, TARGETS, mismatch
from .job import UsageError

DEFAULT_TARGET = "ethos-u55-128"
"""What ExecuTorch's ahead-of-time script compiles for when nothing is said."""

ALL = "all"
AOT_MODULE = "executorch.backends.arm.scripts.aot_arm_compiler"
BUNDLED_PREFIX = "bundled:"

_OURS = {
    "--model_name": "name the model as MODEL",
    "--target": "use --target",
    "--system_config": "use --system-config",
    "--memory_mode": "use --memory-mode",
    "--delegate": "leave --no-delegate out, or give it",
    "--quantize": "leave --no-quantize out, or give it",
    "--output": "use -o",
    "--intermediates": "use --keep-intermediates",
    "--debug": "use --debug",
}
"""Options of the script that we set, and how a user says the same to us."""
_SHORT = {
    "m": "--model_name",
    "t": "--target",
    "d": "--delegate",
    "q": "--quantize",
    "o": "--output",
    "i": "--intermediates",
}
_SHORT_FLAGS = "h"
"""Short options without a value that are not ours; the others (-s, -c, -e) take what follows as theirs."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What all jobs of a batch share."""

    model: str
    """A `.py` file with ModelUnderTest and ModelInputs, a registered name ("add"), or a bundled one ("bundled:mnist")."""
    delegate: bool = True
    quantize: bool = True
    output: str | None = None
    """A `.pte` file, a directory, or a template with {target}, {system_config}, {memory_mode}, {model}."""
    debug: bool = False
    keep_intermediates: bool | str = False
    """Keep what ExecuTorch dumps on the way: in the run folder (True), or below this directory."""
    interpreter: str | None = None
    extra: tuple[str, ...] = ()
    """Further arguments of the ahead-of-time script, passed on as they are."""


@dataclass(frozen=True, slots=True)
class CompilePoint:
    """One job of a sweep: a target with its system config and memory mode (None where the target has none)."""

    target: str
    system_config: str | None = None
    memory_mode: str | None = None

    @property
    def is_npu(self) -> bool:
        """Whether this target is an Ethos-U."""
        return TARGETS[self.target].npu is not None

    @property
    def label(self) -> str:
        """The target, and what differs from its defaults."""
        known = TARGETS[self.target]
        parts = [self.target]
        if self.system_config != known.default_system_config:
            parts.append(str(self.system_config))
        if self.memory_mode != known.default_memory_mode:
            parts.append(str(self.memory_mode))
        return " ".join(parts)


Refusal = tuple[CompilePoint, str]


def plan(
    targets: Sequence[str], system_configs: Sequence[str] = (), memory_modes: Sequence[str] = ()
) -> tuple[list[CompilePoint], list[Refusal]]:
    """The valid points of a sweep in the order given, and those refused with the reason.

    "all" stands for every value of an axis (for targets: all Ethos-U configurations), an empty axis for the target's default.  What only "all" brings in is left out
    without a refusal.

    Raises:
        UsageError: a name is not known, or nothing valid remains.
    """
    chosen_targets = _expand(targets or (DEFAULT_TARGET,), TARGETS, "target", [t.name for t in ETHOS_U_TARGETS])
    chosen_configs = _expand(system_configs, SYSTEM_CONFIGS, "system config")
    chosen_modes = _expand(memory_modes, MEMORY_MODES, "memory mode")
    points: dict[CompilePoint, None] = {}
    refused: dict[CompilePoint, str] = {}
    for target in chosen_targets:
        for point in _points(target, chosen_configs, chosen_modes):
            if not point.is_npu:
                points[point] = None
                continue
            config, mode = str(point.system_config), str(point.memory_mode)
            reason = mismatch(target, config, mode)
            if reason is None:
                points[point] = None
            elif not _uninteresting(point, ALL in system_configs, ALL in memory_modes):
                refused[point] = reason
    if not points:
        first = next(iter(refused.values()), "no system config of this NPU was chosen")
        raise UsageError(f"nothing to compile: {first}", "choose a combination that fits, or leave the option out")
    return list(points), list(refused.items())


def _uninteresting(point: CompilePoint, all_configs: bool, all_modes: bool) -> bool:
    other_family = SYSTEM_CONFIGS[str(point.system_config)].npu != TARGETS[point.target].npu
    return all_configs and (other_family or all_modes)


def _points(target: str, configs: Sequence[str], modes: Sequence[str]) -> Iterator[CompilePoint]:
    known = TARGETS[target]
    if known.npu is None:
        yield CompilePoint(target)
        return
    for config, mode in product(
        configs or [str(known.default_system_config)], modes or [str(known.default_memory_mode)]
    ):
        yield CompilePoint(target, config, mode)


def _expand(names: Iterable[str], known: Iterable[str], what: str, every: Sequence[str] = ()) -> list[str]:
    values = list(known)
    chosen: list[str] = []
    for name in names:
        if name == ALL:
            chosen += every or values
        elif name in values:
            chosen.append(name)
        else:
            raise UsageError(f"{name!r} is not a {what}", suggestion(name, values))
    return list(dict.fromkeys(chosen))


def suggestion(name: str, known: Sequence[str]) -> str:
    """A hint that names the nearest known value, or all of them."""
    lower = {value.lower(): value for value in known}
    near = difflib.get_close_matches(name.lower(), lower, 1, 0.75)
    return f"did you mean {lower[near[0]]}?" if near else f"choose one of {', '.join(known)}"


def aot_arguments(options: CompileOptions, point: CompilePoint, model: str, pte: Path, dump: Path | None) -> list[str]:
    """The arguments of ExecuTorch's ahead-of-time script for one job.

    "none" is the plain portable program: neither delegated nor quantised (a quantised program needs the Cortex-M
    kernels, which no host has).  The script delegates nothing to a Cortex-M and warns when asked to.
    """
    arguments = [f"--model_name={model}"]
    if point.target != "none":
        arguments.append(f"--target={point.target}")
        if options.delegate and point.is_npu:
            arguments.append("--delegate")
        if options.quantize:
            arguments.append("--quantize")
    if point.system_config:
        arguments.append(f"--system_config={point.system_config}")
    if point.memory_mode:
        arguments.append(f"--memory_mode={point.memory_mode}")
    if dump is not None:
        arguments.append(f"--intermediates={dump}")
    if options.debug:
        arguments.append("--debug")
    return [*arguments, f"--output={pte}", *options.extra]


def check_extra(extra: Sequence[str]) -> None:
    """Refuse further arguments that would change what we say ourselves: the figures would stand under a wrong name.

    The script's parser also takes short forms (-t, -dq) and beginnings of long ones (--tar).

    Raises:
        UsageError: an argument is one of ours.
    """
    for argument in extra:
        name = argument.partition("=")[0]
        if argument == "--":
            raise UsageError("--aot-arg=-- hides the arguments after it from ExecuTorch's script", "leave it out")
        if name.startswith("--"):
            ours = [option for option in _OURS if option.startswith(name)]
        else:
            ours = [_SHORT[letter] for letter in _letters(argument)]
        if ours:
            raise UsageError(f"--aot-arg={argument} would set {ours[0]}, which compile sets itself", _OURS[ours[0]])


def _letters(argument: str) -> Iterator[str]:
    """The short options of ours in an argument like -t or -dq; what follows an option with a value is that value."""
    for letter in argument[1:] if argument.startswith("-") else "":
        if letter in _SHORT:
            yield letter
        elif letter not in _SHORT_FLAGS:
            return


def stages(options: CompileOptions, point: CompilePoint) -> tuple[str, ...]:
    """The stages that a job passes, in order; those inside a stage stand after it."""
    quantised = options.quantize and point.target != "none"
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


def model_label(model: str) -> str:
    """The model's short name: that of its file without the ending, or the registered one."""
    name = model.removeprefix(BUNDLED_PREFIX)
    return Path(name).stem if name.endswith((".py", ".pt", ".pth")) else name


def output_paths(options: CompileOptions, points: Sequence[CompilePoint]) -> list[Path | None]:
    """Where each job's program goes besides its run folder; None without an output option.

    Raises:
        UsageError: several jobs would write the same file, or the template is not one.
    """
    if options.output is None:
        return [None] * len(points)
    if not options.output.strip():
        raise UsageError("the output path is empty", "name a .pte file or a directory")
    paths: list[Path | None] = [_output_path(options, point, points) for point in points]
    if len(set(paths)) < len(paths):
        raise UsageError(
            f"{options.output} would be written by {len(paths)} jobs",
            "name a directory, or put {target} (also {system_config}, {memory_mode}) into the file's name",
        )
    return paths


def _output_path(options: CompileOptions, point: CompilePoint, points: Sequence[CompilePoint]) -> Path:
    text = str(options.output)
    model = model_label(options.model)
    facts = {
        "target": point.target,
        "system_config": point.system_config or "none",
        "memory_mode": point.memory_mode or "none",
        "model": model,
    }
    for name, value in facts.items():
        text = text.replace(f"{{{name}}}", value)
    path = Path(text).expanduser().absolute()
    if text.endswith(".bpte") and "--bundleio" not in options.extra:
        raise UsageError(f"{options.output} names a bundled program", "let the name end in .pte")
    if text.endswith((".pte", ".bpte")):
        return path
    middle = "arm_delegate" if options.delegate and point.is_npu else "arm"
    name = f"{model}_{middle}_{point.target}"
    if sum(other.target == point.target for other in points) > 1:
        name += f"_{point.system_config}_{point.memory_mode}"
    return path / f"{name}.pte"


def equivalent_command(options: CompileOptions, points: Sequence[CompilePoint]) -> str:
    """The `ethosu-tui compile ...` line that does the same; one for each point where the points are no full sweep."""
    if not points:
        return shlex.join(_words(options, ()))
    targets = list(dict.fromkeys(point.target for point in points))
    configs = _axis(points, "system_config")
    modes = _axis(points, "memory_mode")
    if len(points) > 1 and set(plan(targets, configs, modes)[0]) != set(points):
        return " && ".join(equivalent_command(options, [point]) for point in points)
    axes = (("--target", targets), ("--system-config", configs), ("--memory-mode", modes))
    return shlex.join(_words(options, axes))


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
    if options.interpreter:
        words += ["--python", options.interpreter]
    return words + [f"--aot-arg={argument}" for argument in options.extra]
