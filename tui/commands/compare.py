"""`ethosu-tui compare`: runs, logs and compile results as columns: what differs in their setups, then in their figures."""

from __future__ import annotations

import argparse
import os

from ...analysis.comparing.comparison import Comparison, compare
from ...analysis.comparing.sides import Side
from ...analysis.named_tuple import TYPE_CHECKING
from ...runners.job import InputError, UsageError
from ...runners.reading.blocks import members
from ...runners.reading.compared import MOST_RUNS, Columns, default_baseline
from ...runners.reading.harvest import Remark
from ...runners.reading.paths import expand, is_run_folder, is_stream
from .meaning import add_options, meaning
from .output import (
    columns,
    goes_elsewhere,
    print_front,
    print_heading,
    print_json,
    print_line,
    print_side_by_side,
    print_tables,
)
from .remarks import Remarks
from .saying import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ...analysis.comparing.operators import OperatorDiff

ROOMY = 120
"""Columns of a terminal in which settings are not shortened."""
SETTING_WIDTH = 13
MOST_FOUND = 24
"""Logs of folders, globs and archives that become columns, as many as the dashboard compares; of those that are named, any number."""

_FEWER = "name those to compare, or `ethosu-tui analyze` sums them all up"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `compare`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help=f"logs, run folders (one of a series stands for all of its repeats) or Vela summary CSVs; a folder, glob or "
        f"archive stands for its logs, up to {MOST_FOUND}",
    )
    parser.add_argument(
        "--baseline",
        metavar="PATH",
        help="the input that ratios refer to (default: the first; of a folder, the first that passed)",
    )
    parser.add_argument(
        "--operators",
        action="store_true",
        help="compare operators instead of figures, those that changed most first",
    )
    parser.add_argument(
        "--repeats", action="store_true", help="take the runs of one log for repeats: one column with their median"
    )
    parser.add_argument("--differences", action="store_true", help="leave out rows without a difference")
    parser.add_argument("--json", action="store_true", help="one JSON document (schema ethosu-tui/comparison/1)")
    add_options(parser)
    parser.epilog = (
        "Exit codes: 0 ok, 2 usage, 3 an input cannot be read or compared (the others are), 4 the report cannot be "
        "written, 130 interrupted."
    )


def execute(options: argparse.Namespace) -> int:
    """Print the comparison."""
    sides, refused, found = _sides(options)
    comparison = compare(sides, _baseline(options.baseline, sides, refused, found))
    diffs = _operators(comparison) if options.operators else None
    if options.json:
        print_json(_document(comparison, diffs))
    else:
        print_comparison(comparison, diffs, differences=options.differences)
    return max((error.exit_code for error in refused.values()), default=0)


def _sides(options: argparse.Namespace) -> tuple[list[Side], dict[str, InputError], bool]:
    """The columns, why inputs have none, and whether nobody named the first column, to which ratios refer.

    Of many logs a few may be of no use, and the others can be compared.
    """
    meant = meaning(options)
    paths, refused = _inputs(options.paths)
    columns = Columns(paths, lambda path, capture: meant.at(path).of_capture(capture), pooled=options.repeats)
    sides: list[Side] = []
    for path in paths:
        if path in refused:
            continue
        try:
            sides += columns.of(path)
        except InputError as error:
            refused[path] = error
    if len(sides) < 2 and len(refused) == 1:
        raise next(iter(refused.values()))
    remarks = Remarks()
    for why in refused.values():
        remarks(Remark(f"{why.message}; not compared{'; ' if why.hint else ''}{why.hint}", why.exit_code))
    remarks.close()
    if len(sides) < 2 and refused:
        raise InputError("a comparison needs at least two runs", f"the inputs have {len(sides)}")
    if len(sides) > MOST_RUNS and paths != options.paths:
        raise UsageError(f"the logs hold {len(sides):,} runs, and at most {MOST_RUNS} become columns", _FEWER)
    found = paths[0] != options.paths[0] or paths[0] in refused
    if options.paths[0] in refused and options.baseline is None and len(sides) > 1:
        base = sides[default_baseline(sides)]
        say(f"ethosu-tui: ratios refer to {base.label}, as {options.paths[0]} cannot be compared")
    if len(sides) < 2:
        raise UsageError("a comparison needs at least two runs", "name two or more logs or run folders")
    return sides, refused, found


def _inputs(arguments: list[str]) -> tuple[list[str], dict[str, InputError]]:
    """What is named, with the logs of folders, globs and archives in place of these, and why some of it cannot be read."""
    paths: list[str] = []
    refused: dict[str, InputError] = {}
    for argument in arguments:
        try:
            found = _logs_of(argument, lambda error: refused.setdefault(error.message, error))
        except InputError as error:
            refused[argument] = error
            found = [argument]
        if len(found) > MOST_FOUND:
            raise UsageError(
                f"{argument}: holds {len(found):,} logs, and at most {MOST_FOUND} of a folder, glob or archive are compared",
                _FEWER,
            )
        paths += found
    return paths, refused


def _logs_of(argument: str, unread: Callable[[InputError], object]) -> list[str]:
    """The logs that one argument stands for, as `analyze` finds them."""
    path = os.path.expanduser(argument)
    if os.path.isdir(path) and is_run_folder(path) or is_stream(path):
        return [argument]
    found = []
    for one in expand([argument], unread):
        try:
            names = members(one)
        except InputError:  # said when it is read
            names = [one]
        found += names if len(names) > 1 else [argument if one == path else one]
    return found


def _baseline(named: str | None, sides: list[Side], refused: dict[str, InputError], found: bool) -> int:
    """The column that ratios refer to: the one that is named, else the first; of logs that were `found`, the first that passed."""
    if named is None:
        return default_baseline(sides) if found else 0
    if named in refused:
        raise InputError(f"{named} is the baseline and cannot be compared", "name another input as the baseline")
    from ...analysis.comparing.names import labels_of

    labels = labels_of(sides)
    places = [i for i, side in enumerate(sides) if named in (side.source, labels[i])]
    places += [i for i, side in enumerate(sides) if named == side.label]
    if not places:
        raise UsageError(f"{named} is not one of the compared inputs", "name one of them as the baseline")
    return places[0]


def _operators(comparison: Comparison) -> tuple[OperatorDiff, ...]:
    from ...analysis.comparing.operators import operator_diffs, why_none

    diffs = operator_diffs(comparison.sides, comparison.baseline)
    if not diffs:
        why = why_none(comparison.sides, comparison.baseline)
        say(f"ethosu-tui: no operators to compare: {why}")
    return diffs


def _document(comparison: Comparison, diffs: tuple[OperatorDiff, ...] | None) -> dict[str, Any]:
    from ...analysis.comparing.design_answers import answers_of, front_document

    document = comparison.to_dict()
    if (answers := answers_of(comparison.sides)) is not None:
        document["pareto"] = front_document(answers)
    if diffs is not None:
        document["operators"] = [diff.to_dict() for diff in diffs]
    return document


def print_comparison(
    comparison: Comparison, diffs: tuple[OperatorDiff, ...] | None = None, *, differences: bool = False
) -> None:
    """How the setups differ, then the figures, or the operators where these were asked for."""
    from ...analysis.comparing.design_answers import answers_of
    from ...analysis.comparing.names import labels_of
    from ...analysis.comparing.operator_tables import operators_table
    from ...analysis.comparing.tables import sheet
    from ...analysis.meaning.figure_names import short_name

    for line in comparison.lines():
        print_line(line)
    if goes_elsewhere():  # what differs comes before any figure there too
        print_heading("Operators" if diffs is not None else "Figures")
    else:
        print()
    sides = comparison.sides
    labels = labels_of(sides)
    if diffs is not None:
        print_tables(operators_table(diff, labels, differences=differences) for diff in diffs)
        return
    wide = columns() if not goes_elsewhere() else None
    widest = SETTING_WIDTH if wide is not None and wide < ROOMY else None
    table = sheet(comparison, labels=labels, name=short_name, differences=differences, widest=widest).table
    print_side_by_side(table)
    if (answers := answers_of(sides)) is not None:
        print_front(answers)
