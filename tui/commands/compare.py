"""`ethosu-tui compare`: runs, logs and compile results as columns, with ratios to a baseline."""

from __future__ import annotations

import argparse

from ...analysis.compare import compare
from ...analysis.run_tables import comparison_table
from ...runners.job import UsageError
from ...runners.reading.inputs import load
from .meaning import add_options, meaning
from .output import print_json, print_tables


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `compare`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="two or more logs, run folders or Vela summary CSVs")
    parser.add_argument("--baseline", metavar="PATH", help="the column that ratios refer to (default: the first)")
    parser.add_argument("--json", action="store_true", help="one JSON document of schema ethosu-tui/comparison/1")
    add_options(parser)


def execute(options: argparse.Namespace) -> int:
    """Print the comparison."""
    meant = meaning(options)
    loaded = (load(path) for path in options.paths)
    inputs = [
        one._replace(capture=meant.at(one.path).of_capture(one.capture)) if one.capture is not None else one
        for one in loaded
    ]
    sides = [side for loaded in inputs for side in loaded.sides()]
    if len(sides) < 2:
        raise UsageError("a comparison needs at least two runs", "name two or more logs or run folders")
    baseline = 0
    if options.baseline is not None:
        named = [i for i, side in enumerate(sides) if options.baseline in (side.source, side.label)]
        if not named:
            raise UsageError(f"{options.baseline} is none of the compared inputs", "name one of them as the baseline")
        baseline = named[0]
    comparison = compare(sides, baseline)
    if options.json:
        print_json(comparison.to_dict())
    else:
        print_tables([comparison_table(comparison)])
    return 0
