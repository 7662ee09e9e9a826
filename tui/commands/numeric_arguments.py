"""The options of `compile` that ask for a numeric check."""

from __future__ import annotations

import argparse

from ...analysis.numeric.report import DEFAULT_TOLERANCE_LSB
from ...runners.job import UsageError
from ...runners.numeric.options import SAMPLES, NumericOptions


def configure(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    numeric = parser.add_argument_group("numeric check (TOSA's reference model against PyTorch, without a target)")
    numeric.add_argument(
        "--check-numerics",
        action="store_true",
        help="run each delegate's TOSA graph on ModelInputs and calibration data; a difference beyond the tolerance is an error",
    )
    numeric.add_argument(
        "--check-samples", type=int, metavar="N", help=f"at most N of those inputs (default: {SAMPLES})"
    )
    numeric.add_argument("--check-random", type=int, metavar="N", help="and N random ones in the range of ModelInputs")
    numeric.add_argument("--check-seed", type=int, metavar="N", help="seed of the random ones (default: 0)")
    numeric.add_argument(
        "--check-tolerance",
        type=int,
        metavar="LSB",
        help=f"integer steps that a value may be off by (default: {DEFAULT_TOLERANCE_LSB}; 0: bit exact)",
    )
    numeric.add_argument(
        "--check-per-layer", action="store_true", help="compare each layer, and name the first that diverges"
    )


def asked(options: argparse.Namespace) -> NumericOptions | None:
    """The numeric check that the options ask for."""
    given = {
        "samples": options.check_samples,
        "random": options.check_random,
        "seed": options.check_seed,
        "tolerance_lsb": options.check_tolerance,
        "per_layer": options.check_per_layer or None,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    if options.check_numerics and options.model is not None and options.model.endswith((".tosa", ".tflite")):
        raise UsageError(
            "--check-numerics compares with PyTorch", f"{options.model} contains no PyTorch model: leave it out"
        )
    if options.check_numerics:
        return NumericOptions(**chosen)
    if chosen:
        option = next(iter(chosen)).removesuffix("_lsb").replace("_", "-")
        raise UsageError(f"--check-{option} needs --check-numerics, which was not given", "give both, or neither")
    return None
