"""The options of `ethosu-tui compile`."""

from __future__ import annotations

import argparse

from ...analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS, TARGETS
from ...runners.compile.compiler import DEFAULT_TARGET, bundled_models
from ...runners.compile.document import SCHEMA
from ...runners.compile.starting_file import TEMPLATE_FILE
from . import compile_fit, numeric_arguments


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `compile`."""
    bundled = ", ".join(f"bundled:{name}" for name in bundled_models())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        f"Targets: {', '.join(TARGETS)}\n"
        f"System configs: {', '.join(SYSTEM_CONFIGS)}\n"
        f"Memory modes: {', '.join(MEMORY_MODES)}\n\n"
        "Without --system-config or --memory-mode each target has ExecuTorch's default for it. 'none' is the plain\n"
        "portable program, neither delegated nor quantised; a cortex-m is quantised and never delegated."
    )
    parser.add_argument(
        "model",
        nargs="?",
        metavar="MODEL",
        help="a .py file that defines ModelUnderTest and ModelInputs, a function that returns both (net.py:make, package.net:make), an exported program "
        f"(.pt2), a .tosa or .tflite file (goes to Vela only), a registered model (add, softmax, ...), or {bundled}",
    )
    axes = parser.add_argument_group("what to compile for (each may be repeated, or 'all')")
    axes.add_argument(
        "-t", "--target", action="append", default=[], metavar="T", help=f"target (default: {DEFAULT_TARGET})"
    )
    axes.add_argument("-s", "--system-config", action="append", default=[], metavar="S", help="Vela system config")
    axes.add_argument("-M", "--memory-mode", action="append", default=[], metavar="M", help="Vela memory mode")
    axes.add_argument(
        "--arena-cache-size",
        action="append",
        default=[],
        metavar="SIZE",
        help="Vela's soft limit for the arena, e.g. 512KiB; `default` is the memory mode's",
    )
    axes.add_argument(
        "--optimise", action="append", default=[], metavar="FOR", help="Performance (Vela's default) or Size"
    )
    compile_fit.configure(parser)
    axes.add_argument("--vela-config", metavar="FILE", help="your own vela.ini, which defines those names")
    parser.add_argument("--no-delegate", action="store_true", help="leave everything on the CPU")
    parser.add_argument("--no-quantize", action="store_true", help="keep the model in float (an NPU cannot run it)")
    parser.add_argument(
        "--calibration",
        metavar="PATH",
        help="quantise with these samples: a .pt file, or a directory of them (default: the model's inputs)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="also write the program here: a .pte file, a directory, or a name containing {target}, {system_config}, {memory_mode}, {arena_cache_size}, "
        "{optimise}, {model}",
    )
    parser.add_argument("--debug", action="store_true", help="have ExecuTorch and Vela log everything")
    parser.add_argument(
        "--keep-intermediates",
        nargs="?",
        const=True,
        default=False,
        metavar="DIR",
        help="keep ExecuTorch's intermediate files, in the run folder or in DIR (the .pte then contains its path)",
    )
    parser.add_argument("--python", metavar="EXE", help="interpreter or virtual environment with executorch")
    parser.add_argument(
        "--executorch",
        metavar="DIR",
        help="an ExecuTorch checkout whose own script does the compile, for releases that have it nowhere else",
    )
    parser.add_argument("-j", "--jobs", type=int, default=0, metavar="N", help="jobs at a time (default: processors)")
    parser.add_argument(
        "--no-warm", action="store_true", help="start ExecuTorch from scratch, and leave no worker for the next compile"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="compile on the workers of a Dask scheduler (they need the same versions)",
    )
    parser.add_argument("--no-cache", action="store_true", help="compile again even if it was compiled before")
    parser.add_argument(
        "--bundleio",
        action="store_true",
        help="bundle the program with its inputs and expected outputs (.bpte)",
    )
    parser.add_argument(
        "--etrecord", action="store_true", help="also write an ETRecord (_etrecord.bin), for ExecuTorch's inspector"
    )
    parser.add_argument(
        "--aot-arg",
        action="append",
        default=[],
        metavar="ARG",
        help="pass this to ExecuTorch's own script, as in --aot-arg=--model_input=FILE.pt",
    )
    parser.add_argument(
        "--operators",
        action="store_true",
        help="print all operators of each job (default: the costliest, for a single job)",
    )
    numeric_arguments.configure(parser)
    template = parser.add_argument_group("a file to start from")
    template.add_argument(
        "--template",
        nargs="?",
        const=TEMPLATE_FILE,
        metavar="FILE",
        help=f"write a commented model file here (default: {TEMPLATE_FILE}; - prints it) and compile nothing",
    )
    template.add_argument("--force", action="store_true", help="let --template overwrite a file")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")
