"""How commands print: tables as plain text as wide as the terminal, findings as sentences, JSON as one document.

With `--plain` or `--export` what would be printed goes to a `Sink` instead (`presenting.py`), so that every command has both.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence

from ...analysis.cleaning import clean
from ...analysis.consequence import follows
from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables import Table
from ...analysis.tables.text import below_each_other, fits, render, width
from .saying import broken, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    from ...analysis.answers.answer import Answer
    from ...analysis.design.answers import Answers
    from ...analysis.lines import Line
    from ...analysis.report import Capture, Finding

    class Sink(Protocol):
        """Takes what is printed."""

        @property
        def whole(self) -> bool:
            """Whether long tables are welcome, which people can search in a file and nobody would listen to."""
            ...

        def heading(self, text: str) -> None: ...
        def answers(self, answers: Sequence[Answer]) -> None: ...
        def table(self, table: Table) -> None: ...
        def finding(self, finding: Finding) -> None: ...
        def line(self, text: str) -> None: ...
        def front(self, answers: Answers) -> None: ...


MANY_RUNS = 20
"""More of them in one capture are summed up, not printed one by one."""
_QUOTED, _LEAST_QUOTED = 200, 20
"""Columns of a quoted line where no terminal says how many there are (a megabyte is not read aloud), and where one has hardly any."""
_sink: Sink | None = None
_SEVERITY = {"error": "ERROR", "warning": "warning", "info": "note"}


def columns() -> int | None:
    """Width to print for: the terminal's, or none for a pipe and for a terminal that does not say how wide it is."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    try:
        return columns_of(sys.stdout.fileno())
    except OSError:  # a stream without a descriptor
        return None


def print_json(document: Any) -> None:
    """One JSON document on stdout; text beyond ASCII is escaped, so nothing in a log reaches the terminal raw."""
    import json

    json.dump(document, sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


class ReportWriter:
    """Writes the document of schema ``ethosu-tui/report/1`` capture by capture and run by run, as they are read."""

    def __init__(self, beside: Callable[[Capture], dict[str, Any]] | None = None) -> None:
        """`beside` gives fields that stand in a capture behind its own."""
        self._begun = False
        self._beside = beside

    def add(self, capture: Capture) -> None:
        """The next capture."""
        from ...analysis.report import SCHEMA, to_dict

        write = sys.stdout.write
        write(",\n    {" if self._begun else f'{{\n  "schema": "{SCHEMA}",\n  "captures": [\n    {{')
        self._begun = True
        for position, (name, value) in enumerate(to_dict(capture._replace(runs=())).items()):
            write(f'{"," if position else ""}\n      "{name}": ')
            if name != "runs":
                write(_indented(value, 6))
                continue
            write("[")
            for run in capture.runs:
                write(f"{',' if run is not capture.runs[0] else ''}\n        {_indented(to_dict(run), 8)}")
            write("\n      ]" if capture.runs else "]")
        for name, value in (self._beside(capture) if self._beside is not None else {}).items():
            write(f',\n      "{name}": {_indented(value, 6)}')
        write("\n    }")

    def close(self, **beside: Any) -> None:
        """No more captures come; `beside` are fields of the report beside them."""
        from ...analysis.report import SCHEMA

        write = sys.stdout.write
        write("\n  ]" if self._begun else f'{{\n  "schema": "{SCHEMA}",\n  "captures": []')
        for name, value in beside.items():
            write(f',\n  "{name}": {_indented(value, 2)}')
        write("\n}\n")


def _indented(value: Any, columns: int) -> str:
    import json

    return json.dumps(value, indent=2, allow_nan=False).replace("\n", "\n" + " " * columns)


@contextlib.contextmanager
def printing_into(sink: Sink) -> Iterator[None]:
    """Tables, findings and lines that are printed meanwhile go there."""
    global _sink
    before, _sink = _sink, sink
    try:
        yield
    finally:
        _sink = before


def print_tables(tables: Iterable[Table]) -> None:
    """Tables that have rows, a blank line between them."""
    wide = columns()
    for table in tables:
        if not table.rows:
            continue
        if _sink is not None:
            _sink.table(table)
        else:
            for part in _parts(table, wide):
                print(render(part, wide), end="\n\n")


def _parts(table: Table, wide: int | None) -> list[Table]:
    """The table, or where not even cut texts make it fit, as many as it takes, each with what its rows are called."""
    if wide is None or fits(table, wide):
        return [table]
    names = [row[0].text for row in table.rows]
    keys = 1 if len(set(names)) == len(names) else 2
    if len(table.columns) <= keys:
        return [table]
    if sum(max(width(row[i].text) for row in table.rows) + 2 for i in range(keys)) > wide // 3:
        return [table]  # little more than the names would stand in each
    return below_each_other(table, wide, keys)


def print_side_by_side(table: Table) -> None:
    """A table whose columns are compared: those that a terminal has no room for stand in blocks below each other."""
    wide = columns() if _sink is None else None
    parts = below_each_other(table, wide)
    if len(parts) > 1:
        named, first = [], 1
        for part in parts:  # each with the columns that it holds, or one could take the first for all
            last = first + len(part.columns) - 2
            which = f"columns {first} to {last}" if last > first else f"column {first}"
            named.append(part._replace(title=f"{table.title}, {which} of {len(table.columns) - 1}"))
            first = last + 1
        parts = named
    print_tables(parts)


def print_answers(answers: Sequence[Answer]) -> None:
    """The five answers, each wrapped behind its question where the terminal is narrow."""
    if _sink is not None:
        _sink.answers(answers)
        return
    from ...analysis.answers.answer import wrapped_lines

    print("\n".join(wrapped_lines(answers, columns())), end="\n\n")


def print_findings(findings: Sequence[Finding], log: str | None = None) -> None:
    """Findings as sentences, each with its lines, its advice and its rule; what only follows from an error is a line below it.

    Below an error stands its first line as it is in the `log`, where that can be read again.
    """
    quoted = _quoted(findings, log) if log is not None and not wants_long_tables() else {}
    for finding in findings:
        if _sink is not None:
            _sink.finding(finding)
            if (line := quoted.get(finding)) is not None:
                _sink.line(f"Line {line.number} of the log: " + _fitted(line, _QUOTED, " \u2026"))
            continue
        where = f" (line {', '.join(map(str, finding.lines[:6]))})" if finding.lines else ""
        said = f"{_SEVERITY[finding.severity]}: {finding.title}{where} [{finding.rule}]"
        if follows(finding, findings):
            print_wrapped(f"{said}: it follows from the error", "")
            continue
        print_wrapped(said, "")
        if (line := quoted.get(finding)) is not None:
            print(_quotation(line))
        print_wrapped(finding.detail, "    ")
        print_wrapped(finding.advice, "    -> ")


def _quoted(findings: Sequence[Finding], log: str) -> dict[Finding, Line]:
    """The first line of each error that is a cause."""
    causes = {f: f.lines[0] for f in findings if f.severity == "error" and f.lines and not follows(f, findings)}
    if not causes:
        return {}
    from ...runners.reading.quoted import quoted_lines

    found = quoted_lines(log, causes.values())
    return {finding: found[number] for finding, number in causes.items() if found.get(number) and found[number].text}


def _quotation(line: Line) -> str:
    """A line of the log in one row."""
    before = f"    {line.number} | "
    return before + _fitted(line, max(_LEAST_QUOTED, (columns() or _QUOTED) - len(before)))


def _fitted(line: Line, room: int, more: str = "\u2026") -> str:
    """Its text in so many columns (`more` behind what was cut), without what its logger put before the message where there is no room for that."""
    text = clean(line.text).strip()
    if width(text) > room and line.file:
        text = clean(f"{line.level} {line.message}")
    if width(text) <= room:
        return text
    room -= len(more)
    text = text[:room]
    while width(text) > room:
        text = text[:-1]
    return text + more


def print_wrapped(text: str, behind: str) -> None:
    """A text behind something, broken at blanks and indented as far where the terminal is too narrow for it."""
    for place, line in enumerate(broken(clean(text), columns(), len(behind))):
        print(f"{' ' * len(behind) if place else behind}{line}")


def print_heading(text: str) -> None:
    """What the tables and findings that follow are about."""
    if _sink is not None:
        _sink.heading(text)
    else:
        print(f"=== {clean(text)} ===")


def print_line(text: str) -> None:
    """A sentence."""
    if _sink is not None:
        _sink.line(text)
    else:
        print_wrapped(text, "")


def goes_elsewhere() -> bool:
    """Whether what is printed goes to a sink, which wants facts and not a layout."""
    return _sink is not None


def wants_long_tables() -> bool:
    """Whether what is printed goes to a file of its own."""
    return _sink is not None and _sink.whole


def print_front(answers: Answers) -> None:
    """The Pareto front of configurations as a sentence; whoever can draw it has the points, too."""
    from ...analysis.comparing.design_answers import front_sentence

    print_line(front_sentence(answers))
    if _sink is not None:
        _sink.front(answers)
