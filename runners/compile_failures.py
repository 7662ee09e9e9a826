"""What a failed compile means: the last line of ExecuTorch's traceback, as one sentence with what to do.

A table, tried in order; each row has samples that a test holds against the whole table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..analysis.report import Finding


class Failure(NamedTuple):
    """One kind of failure; `title` may use the pattern's named groups."""

    rule: str
    pattern: str
    title: str
    advice: str
    samples: tuple[str, ...]


FAILURES: tuple[Failure, ...] = (
    Failure(
        "disk-full",
        r"No space left on device|Disk quota exceeded|only \d+ of \d+ bytes could be written",
        "The disk is full",
        "Free some space (`ethosu-tui runs rm`), or set ETHOSU_TUI_WORKSPACE to a larger disk.",
        ("OSError: [Errno 28] No space left on device", "OSError: only 0 of 112736 bytes could be written to /a/m.pte"),
    ),
    Failure(
        "out-of-memory",
        r"^MemoryError|DefaultCPUAllocator: can't allocate memory|Cannot allocate memory",
        "There was not enough memory",
        "Compile fewer jobs at a time (--jobs 1), or on a machine with more memory.",
        (
            "MemoryError: ",
            "RuntimeError: [enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate memory: "
            "you tried to allocate 4000000000000 bytes.",
        ),
    ),
    Failure(
        "vela-option",
        r"CliOptionError: .*?(?P<what>--[a-z-]+)=(?P<value>\S+?):? (?P<reason>.*?not found[^']*)",
        "Vela does not know {what} {value}",
        "Choose one of the values that `ethosu-tui compile --help` lists, or check the --config file.",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config=Nope: "
            "Section System_Config.Nope not found in Vela config file'",
        ),
    ),
    Failure(
        "vela-configuration",
        r"ConfigOptionError: '?(?:Error: )?(?P<reason>[^']*)",
        "Vela refused the configuration: {reason}",
        "Choose a memory mode that fits the system config.",
        (
            "ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_mem_area=OffChipFlash "
            "(must be Sram or Dram)'",
        ),
    ),
    Failure(
        "vela-input",
        r"ethosu\.vela\.errors\.InputFileError: [\"']?(?:Error: )?(?P<reason>[^\"]*)",
        "Vela could not read its input: {reason}",
        "Check the path given with --config.",
        (
            "ethosu.vela.errors.InputFileError: \"Error: Reading input file 'nope.ini': File not found or is not "
            'readable."',
        ),
    ),
    Failure(
        "vela-operator",
        r"Non-passthrough operation \((?P<operator>\w+)\) could not run on NPU",
        "Vela cannot run {operator} on this NPU",
        "Compile for another target, or replace the operator.",
        ("RuntimeError: Non-passthrough operation (Greater) could not run on NPU",),
    ),
    Failure(
        "vela-failed",
        r"ethosu\.(?:vela|regor)\S*: '?(?:Error: )?(?P<reason>.*)",
        "Vela failed: {reason}",
        "See the log; --debug makes Vela print all that it knows.",
        ("ethosu.vela.errors.VelaError: 'Error: something else'",),
    ),
    Failure(
        "model-names",
        r"module 'tmp_model' has no attribute '(?P<name>ModelUnderTest|ModelInputs)'",
        "The model file does not define {name}",
        "End the file with ModelUnderTest = MyModel().eval() and ModelInputs = (torch.rand(...),).",
        ("AttributeError: module 'tmp_model' has no attribute 'ModelUnderTest'",),
    ),
    Failure(
        "model-class",
        r"TypeError: \w+\.eval\(\) missing 1 required positional argument: 'self'",
        "ModelUnderTest is a class, not a model",
        "Make an instance: ModelUnderTest = MyModel().eval().",
        ("TypeError: Module.eval() missing 1 required positional argument: 'self'",),
    ),
    Failure(
        "model-type",
        r"AttributeError: '(?P<type>\w+)' object has no attribute '(?:eval|requires_grad_)'",
        "ModelUnderTest is of type {type}, not a torch.nn.Module",
        "Set ModelUnderTest to an instance of your module.",
        ("AttributeError: 'int' object has no attribute 'eval'",),
    ),
    Failure(
        "inputs-not-a-tuple",
        r"Expecting `args` to be a tuple of example positional inputs, got <class '(?P<type>[\w.]+)'>",
        "ModelInputs is of type {type}, not a tuple",
        "Put the inputs into a tuple, also a single one: ModelInputs = (torch.rand(1, 3, 224, 224),).",
        (
            "torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got "
            "<class 'torch.Tensor'>",
        ),
    ),
    Failure(
        "input-count",
        r"(?:missing \d+ required positional|takes \d+ positional arguments? but|too many positional arguments|"
        r"missing a required argument)",
        "The number of ModelInputs does not fit the model's forward()",
        "Give one tensor for each argument of forward().",
        (
            "torch._dynamo.exc.InternalTorchDynamoError: TypeError: missing a required argument: 'y'",
            "TypeError: forward() missing 1 required positional argument: 'y'",
        ),
    ),
    Failure(
        "data-dependent",
        r"(?:[Dd]ata.dependent|Could not guard on data-dependent|GuardOnDataDependentSymNode|"
        r"Dynamic control flow is not supported)",
        "The model decides on values of its tensors, which cannot be exported",
        "Replace the if, loop or .item() by torch.where or torch.cond.",
        (
            "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment. Please use "
            "torch.cond to explicitly capture the control flow.",
            "torch._dynamo.exc.Unsupported: Data-dependent branching",
        ),
    ),
    Failure(
        "dtype",
        r"Expecting input to have dtype torch\.float32, but got dtype: torch\.(?P<dtype>\w+)",
        "The model or its inputs are {dtype}; the quantiser takes float32",
        "Convert both with .float().",
        ("AssertionError: Expecting input to have dtype torch.float32, but got dtype: torch.float64",),
    ),
    Failure(
        "shape",
        r"fake tensors?\b.*?got RuntimeError\([\"'](?P<reason>[^\"']*)",
        "Shapes do not fit: {reason}",
        "Give ModelInputs the shapes that the model expects, or correct the layer.",
        (
            "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo "
            "failed to run FX node with fake tensors: call_function <built-in function linear>(*(FakeTensor(..., "
            "size=(1, 9)),), **{}): got RuntimeError('a and b must have same reduction dim, but got [1, 9] X [8, 4].')",
            "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo "
            "failed to run FX node with fake tensors: conv2d(): got RuntimeError('Given groups=1, weight of size "
            "[4, 3, 3, 3], expected input[1, 1, 8, 8] to have 3 channels, but got 1 channels instead')",
        ),
    ),
    Failure(
        "model-raised",
        r"Unsupported: Observed exception.*?raised exception (?P<what>[^\n]+)",
        "The model itself raised {what}",
        "Run the model on ModelInputs in plain PyTorch first.",
        (
            "torch._dynamo.exc.Unsupported: Observed exception\n  Explanation: Dynamo found no exception handler.\n\n"
            "  Developer debug context: raised exception ValueError('my own')\n\n For more details",
        ),
    ),
    Failure(
        "effects",
        r"'WithEffects' object has no attribute '_schema'",
        "The model uses an operator with side effects, which ExecuTorch cannot lower",
        "Look for operators such as linalg.inv or asserts, and replace them.",
        ("AttributeError: 'WithEffects' object has no attribute '_schema'",),
    ),
    Failure(
        "calibration",
        r"Calibration sample (?P<reason>.*)",
        "The calibration data does not fit: sample {reason}",
        "Store samples of the shape of ModelInputs.",
        ("ValueError: Calibration sample input 0 shape [1, 9] does not match expected shape [1, 1, 28, 28].",),
    ),
    Failure(
        "torchvision",
        r"operator torchvision::(?P<name>\w+) does not exist",
        "torchvision does not fit the installed torch",
        "Install matching releases of torch and torchvision, or use a model file of your own (bundled:mobilenet_v2).",
        ("RuntimeError: operator torchvision::nms does not exist",),
    ),
    Failure(
        "missing-module",
        r"ModuleNotFoundError: No module named '(?P<name>[\w.]+)'",
        "The model needs the Python package {name}, which the interpreter does not have",
        "Install it into the interpreter that compiles, or name another one with --python.",
        ("ModuleNotFoundError: No module named 'timm'",),
    ),
    Failure(
        "missing-kernels",
        r"Missing out variants: (?P<names>.*)",
        "Operators without an ExecuTorch kernel remain: {names}",
        "Register them with --aot-arg=--so_library=FILE, or replace them.",
        ("RuntimeError: Missing out variants: {'mylib::custom'}.",),
    ),
    Failure(
        "missing-file",
        r"FileNotFoundError: \[Errno 2\] No such file or directory: '(?P<path>[^']*)'",
        "A file that the model or an option names does not exist: {path}",
        "Check the path; a relative one starts at the directory in which the command runs.",
        ("FileNotFoundError: [Errno 2] No such file or directory: '/nope/weights.pt'",),
    ),
    Failure(
        "aot-arguments",
        r"^SystemExit: .*status 2",
        "ExecuTorch's script refused its arguments",
        "See the end of the log, and check what --aot-arg passes on.",
        ("SystemExit: the compiler ended with status 2",),
    ),
    Failure(
        "unsupported",
        r"torch\._dynamo\.exc\.\w+: (?P<reason>[^\n]+)(?:.*?Developer debug context: (?P<context>[^\n]+))?",
        "The model cannot be exported: {reason} {context}",
        "Run the model on ModelInputs in plain PyTorch first; then change the line that the log names.",
        (
            "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped",
            "torch._dynamo.exc.Unsupported: TypeError when making fake tensor call\n  Explanation: \n\n  Developer debug "
            "context: TypeError <function relu at 0x7f9d4c0ab6a0>: relu(): argument 'input' must be Tensor, not int\n",
        ),
    ),
)
"""Tried from the top: rows that stand for one cause come before those that only name the stage."""

_COMPILED = tuple((failure, re.compile(failure.pattern, re.DOTALL)) for failure in FAILURES)
_TITLE_LIMIT = 220


def explain(error: Mapping[str, Any], stage: str, model: str | None) -> Finding:
    """The finding for an error of the script: `error` is its class name, `message` its text, `line` the user's line."""
    text = f"{error.get('error')}: {error.get('message')}"
    first = text.strip().splitlines()[0] if text.strip() else "unknown error"
    line = error.get("line")
    where = f" at {model}, line {line}" if model and line else ""
    for failure, pattern in _COMPILED:
        match = pattern.search(text)
        if match:
            groups = {name: " ".join((value or "").split()).rstrip(".") for name, value in match.groupdict().items()}
            title = _short(failure.title.format(**groups).rstrip())
            return Finding(
                failure.rule, "error", None, title, f"In stage {stage}{where}: {_short(first)}", failure.advice
            )
    advice = f"Look at line {line} of {model}." if where else "See the end of the log; --debug makes it say more."
    return Finding(
        "compile-failed", "error", None, _short(f"The compile failed: {first}"), f"In stage {stage}{where}.", advice
    )


def ended(code: int | None, stage: str) -> Finding:
    """The finding for a job whose process ended without saying why."""
    if code is not None and code < 0:
        memory = " Signal 9 often means that the machine ran out of memory." if code == -9 else ""
        return Finding(
            "compiler-killed",
            "error",
            None,
            f"The compiler was killed by signal {-code}",
            f"In stage {stage}.{memory}",
            "Compile again with fewer jobs at a time (--jobs 1); the log holds what it printed.",
        )
    return Finding(
        "compiler-ended",
        "error",
        None,
        f"The compiler ended with status {code} and no program",
        f"In stage {stage}.",
        "See the end of the log; --debug makes it say more.",
    )


def lost(reason: str, stage: str) -> Finding:
    """The finding for a job whose worker process went away."""
    return Finding(
        "compiler-lost",
        "error",
        None,
        f"The compiler's worker process was lost ({reason})",
        f"In stage {stage}.",
        "Compile again, with fewer jobs at a time (--jobs 1) if the machine was short of memory.",
    )


def unavailable(reason: str, interpreter: str) -> Finding:
    """The finding when ExecuTorch is installed and cannot be imported."""
    return Finding(
        "compiler-unavailable",
        "error",
        None,
        _short(f"{interpreter} cannot import ExecuTorch: {reason}"),
        "The package is there and its import fails, so the installation is not complete or does not fit together.",
        'Install it afresh: pip install --force-reinstall "executorch[ethos-u]==1.5.1" "torch==2.13.0".',
    )


def scratch_gone(scratch: str, stage: str) -> Finding:
    """The finding for a job whose temporary directory was taken away while it ran."""
    return Finding(
        "scratch-gone",
        "error",
        None,
        _short(f"The temporary directory of the compile was removed while it ran: {scratch}"),
        f"In stage {stage}. Nothing of ours removes it before the job has ended.",
        "Compile again; if something cleans that place regularly, set TMPDIR to another one.",
    )


def foreign_lines(count: int) -> Finding:
    """The finding when a model wrote into the pipe by which its compile is reported."""
    return Finding(
        "foreign-lines",
        "warning",
        None,
        f"{count} line{'s' if count > 1 else ''} in the compiler's report that the compiler did not write",
        "The model's code writes to file descriptors that it did not open; these lines were ignored.",
        "Let the model's file write to standard output only.",
    )


def stopped(stage: str) -> Finding:
    """The finding for a job that was stopped by its user."""
    return Finding(
        "stopped", "info", None, "The compile was stopped", f"In stage {stage}.", "Compile again to finish it."
    )


def no_space(message: str, hint: str) -> Finding:
    """The finding when our own write into the run folder failed."""
    title, advice = (text[:1].upper() + text[1:] for text in (message, hint))
    return Finding("disk-full", "error", None, _short(title), "The job was ended for it.", advice)


def not_delivered(destination: str, reason: str, kept: str) -> Finding:
    """The finding when the compile went well and its result could not be copied to where it was wanted."""
    return Finding(
        "not-delivered",
        "error",
        None,
        _short(f"The result could not be written to {destination} ({reason})"),
        f"The compile itself went well: the program is kept at {kept}.",
        "Copy it from there, or choose another place with -o.",
    )


def _short(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return printable if len(printable) <= _TITLE_LIMIT else printable[: _TITLE_LIMIT - 3] + "..."
