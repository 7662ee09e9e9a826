"""`ethosu-tui compare`: runs, logs and compile results as columns: what differs in their setups, then in their figures."""

from __future__ import annotations

import argparse

from ...analysis.comparing.comparison import Comparison, compare
from ...analysis.comparing.sides import Side
from ...analysis.named_tuple import TYPE_CHECKING
from ...runners.job import InputError, UsageError
from ...runners.reading.compared import Columns
from ...runners.reading.harvest import Remark
from .meaning import add_options, meaning
from .output import columns, goes_elsewhere, print_front, print_heading, print_json, print_line, print_tables, say
from .remarks import Remarks

if TYPE_CHECKING:
    from typing import Any

    from ...analysis.comparing.operators import OperatorDiff

ROOMY = 120
"""Columns of a terminal in which settings are not shortened."""
SETTING_WIDTH = 13


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `compare`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="two or more logs, run folders (one of a series stands for all of its repeats) or Vela summary CSVs",
    )
    parser.add_argument("--baseline", metavar="PATH", help="the column that ratios refer to (default: the first)")
    parser.add_argument(
        "--operators",
        action="store_true",
        help="compare operators instead of figures, those that changed most first",
    )
    parser.add_argument("--repeats", action="store_true", help="treat the runs of one log as repeats, in one column")
    parser.add_argument("--differences", action="store_true", help="leave out what is the same in all columns")
    parser.add_argument("--json", action="store_true", help="one JSON document of schema ethosu-tui/comparison/1")
    add_options(parser)


def execute(options: argparse.Namespace) -> int:
    """Print the comparison."""
    sides, refused = _sides(options)
    comparison = compare(sides, _baseline(options.baseline, sides, refused))
    diffs = _operators(comparison) if options.operators else None
    if options.json:
        print_json(_document(comparison, diffs))
    else:
        _print(comparison, diffs, differences=options.differences)
    return max((error.exit_code for error in refused.values()), default=0)


def _sides(options: argparse.Namespace) -> tuple[list[Side], dict[str, InputError]]:
    """The columns, and why inputs have none: of many logs a few may be of no use, and the others can be compared."""
    meant = meaning(options)
    columns = Columns(options.paths, lambda path, capture: meant.at(path).of_capture(capture), pooled=options.repeats)
    sides: list[Side] = []
    refused: dict[str, InputError] = {}
    for path in options.paths:
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
    if options.paths[0] in refused and options.baseline is None:
        say(f"ethosu-tui: ratios refer to {sides[0].label}, as {options.paths[0]} cannot be compared")
    if len(sides) < 2:
        raise UsageError("a comparison needs at least two runs", "name two or more logs or run folders")
    return sides, refused


def _baseline(named: str | None, sides: list[Side], refused: dict[str, InputError]) -> int:
    if named is None:
        return 0
    if named in refused:
        raise InputError(f"{named} is the baseline and cannot be compared", "name another input as the baseline")
    from ...analysis.comparing.names import labels_of

    labels = labels_of(sides)
    found = [i for i, side in enumerate(sides) if named in (side.source, labels[i])]
    found += [i for i, side in enumerate(sides) if named == side.label]
    if not found:
        raise UsageError(f"{named} is not one of the compared inputs", "name one of them as the baseline")
    return found[0]


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


def _print(comparison: Comparison, diffs: tuple[OperatorDiff, ...] | None, *, differences: bool) -> None:
    """How the setups differ, then the figures, or the operators where these were asked for."""
    from ...analysis.comparing.design_answers import answers_of
    from ...analysis.comparing.names import labels_of
    from ...analysis.comparing.operator_tables import operators_table
    from ...analysis.comparing.tables import sheet
    from ...analysis.meaning.figure_names import short_name
    from ...analysis.tables.text import below_each_other

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
    print_tables(below_each_other(table, wide))
    if (answers := answers_of(sides)) is not None:
        print_front(answers)
