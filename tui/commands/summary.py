"""How a post-mortem is printed: figures as tables; causes, advice and trends as sentences, which no narrow terminal cuts."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.post_mortem.kinds import MOST_ROWS
from ...analysis.post_mortem.summary import (
    CAUSES,
    MOST_IN_A_FILE,
    advice_of,
    causes_table,
    post_mortem,
    runs_table,
    statuses_table,
)
from ...analysis.post_mortem.trend_tables import NO_ORDER
from ...analysis.rows.store import RunStore
from ...analysis.tables import Table
from ...analysis.units import format_many
from ...runners.shell_words import command_line
from .narrow import fitting
from .output import columns, goes_elsewhere, print_heading, print_line, print_tables, print_wrapped, wants_long_tables

MOST_NAMED = 3
"""Inputs that the line of a command repeats."""
LESS_NEEDED = ("Method pool", "Line", "Release", "Stage", "Time", "Target")
"""Columns of runs, whose tables follow and have them, that a narrow terminal does without, the first ones first."""


def print_post_mortem(store: RunStore) -> None:
    """The whole summary."""
    for table in post_mortem(store, MOST_IN_A_FILE if wants_long_tables() else MOST_ROWS):
        if table.title == CAUSES:
            _print_causes(store, table, advice=True)
        elif table.title == "Trends":
            _print_trends(table)
        else:
            print_tables([table])
    if not wants_long_tables():
        return
    from ...analysis.post_mortem.export import MARKDOWN_RUNS

    if store.count <= MARKDOWN_RUNS:
        print_heading("Run by run")
        print_tables([runs_table(store)])
    else:
        print_line(f"The rows of {store.count:,} runs are not shown here; --csv has them.")


def print_next(paths: Sequence[str]) -> None:
    """Where the single runs are: a summary that ends here leaves that to be guessed."""
    if not goes_elsewhere():
        print_wrapped(f"Every run with its log and reason: {_opened(paths)}, or --csv.", "")


def print_closing(store: RunStore, paths: Sequence[str]) -> None:
    """Below all reports, on a terminal: how the runs ended once more, since the overview has scrolled away."""
    if goes_elsewhere() or columns() is None:
        return
    rows = statuses_table(store).rows
    ended = ", ".join(f"{count.text} {status.text}" for status, count, _ in rows)
    others = any(status.value != "passed" for status, *_ in rows)
    why = f" Why is said at the top, or by `{_opened(paths)}`." if others else ""
    print_wrapped(f"{format_many(store.count, 'run')}: {ended}.{why}", "")


def _opened(paths: Sequence[str]) -> str:
    return command_line(["ethosu-tui", "open", *paths[:MOST_NAMED], *(["..."] if len(paths) > MOST_NAMED else [])])


def print_overview(store: RunStore) -> None:
    """What stands before the tables of a few runs: one row for each; over several inputs also how they ended and why."""
    several = store.captures > 1 and store.count > 1
    runs = fitting(runs_table(store), LESS_NEEDED)
    print_tables((statuses_table(store), runs) if several else (runs,))
    if several:
        print_causes(store, advice=False)


def print_causes(store: RunStore, *, advice: bool) -> None:
    """Failures by root cause: how often, where first, and what to do."""
    _print_causes(store, causes_table(store), advice=advice)


def _print_causes(store: RunStore, table: Table, *, advice: bool) -> None:
    if not table.rows:
        return
    to_do = advice_of(store) if advice else {}
    if goes_elsewhere():
        print_tables([table])
        for title, *_, rule in table.rows:
            for text in to_do.get(str(rule.value), ()):
                print_line(f"{title.text}: {text}")
        return
    print(table.title)
    for title, count, source, run, line, inputs, rule in table.rows:
        places = [source.text]
        if run.value is not None:
            places.append(f"run {run.text}")
        if line.value is not None:
            places.append(f"line {line.text}")
        print_wrapped(title.text + (f" [{rule.text}]" if rule.value is not None else ""), f"{count.text:>7}  ")
        others = int(inputs.value or 1) - 1
        more = f"; in {format_many(others, 'other input')} too" if others else ""
        print_wrapped(f"{'first ' if count.value != 1 else ''}in {', '.join(places)}{more}", " " * 9)
        for text in to_do.get(str(rule.value), ()):
            print_wrapped(text, "         -> ")
    if table.note:
        print_wrapped(table.note, "")
    print()


def _print_trends(table: Table) -> None:
    if not table.rows and not table.note:
        return
    if goes_elsewhere():
        print_tables([table])
        return
    told = table.rows or NO_ORDER in table.note
    if told:
        print(table.title)
    for what, count, first, last, words in table.rows:
        print_wrapped(f"{what.text} ({count.text} runs, {first.text} to {last.text}):", "    ")
        print_wrapped(words.text, "        ")
    if told and table.note:
        print_wrapped(table.note, "")
