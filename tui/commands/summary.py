"""How a post-mortem is printed: figures as tables; causes, advice and trends as sentences, which no narrow terminal cuts."""

from __future__ import annotations

from ...analysis.lines import clean
from ...analysis.post_mortem.summary import CAUSES, causes_table, post_mortem, runs_table, statuses_table
from ...analysis.post_mortem.trend_tables import NO_ORDER
from ...analysis.row_store import RunStore
from ...analysis.tables import Table
from .output import goes_elsewhere, print_heading, print_line, print_tables, wants_long_tables


def print_post_mortem(store: RunStore) -> None:
    """The whole summary."""
    for table in post_mortem(store):
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
        print_line(f"The rows of {store.count:,} runs are left out here; --format csv has them.")


def print_overview(store: RunStore) -> None:
    """What stands before the tables of a few runs: one row for each; over several inputs also how they ended and why."""
    several = store.captures > 1 and store.count > 1
    print_tables((statuses_table(store), runs_table(store)) if several else (runs_table(store),))
    if several:
        print_causes(store, advice=False)


def print_causes(store: RunStore, *, advice: bool) -> None:
    """Failures by root cause: how often, where first, and what to do."""
    _print_causes(store, causes_table(store), advice=advice)


def _print_causes(store: RunStore, table: Table, *, advice: bool) -> None:
    if not table.rows:
        return
    if goes_elsewhere():
        print_tables([table])
        for title, *_, rule in table.rows if advice else ():
            if store.advice.get(str(rule.value)):
                print_line(f"{title.text}: {store.advice[str(rule.value)]}")
        return
    print(table.title)
    for title, count, source, run, line, rule in table.rows:
        places = [source.text]
        if run.value is not None:
            places.append(f"run {run.text}")
        if line.value is not None:
            places.append(f"line {line.text}")
        print(clean(f"{count.text:>7}  {title.text}" + (f" [{rule.text}]" if rule.value is not None else "")))
        print(clean(f"         {'first ' if count.value != 1 else ''}in {', '.join(places)}"))
        told = store.advice.get(str(rule.value))
        if advice and told:
            print(clean(f"         -> {told}"))
    print(f"{clean(table.note)}\n" if table.note else "")


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
        print(clean(f"    {what.text} ({count.text} runs, {first.text} to {last.text}):"))
        print(clean(f"        {words.text}"))
    if told and table.note:
        print(clean(table.note))
