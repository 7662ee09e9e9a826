"""`--plain` and `--export`: what a command prints, as sentences for a screen reader, or as a file for others."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...analysis.export.document import Document, Section, asked
from ...runners.job import UsageError
from ...runners.saved_file import place_for, save_pieces
from ...runners.shell_words import command_line
from .output import printing_into
from .saying import say

if TYPE_CHECKING:
    from ...analysis.answers.answer import Answer
    from ...analysis.design.answers import Answers
    from ...analysis.report import Finding
    from ...analysis.tables import Table

_TITLES = {
    "analyze": "Report",
    "compare": "Comparison",
    "inspect": "What is in",
    "runs": "Runs",
    "targets": "Targets",
    "doctor": "What is on this machine",
    "config": "Settings",
}
_TITLE = 90
"""Characters of names in a title."""


class PlainSink:
    """Says what comes, one fact a line, as it comes."""

    whole = False

    def heading(self, text: str) -> None:
        self._say(Section(text))

    def answers(self, answers: Sequence[Answer]) -> None:
        self._say(Section(answers=asked(answers)))

    def table(self, table: Table) -> None:
        self._say(Section(tables=(table,)))

    def finding(self, finding: Finding) -> None:
        self._say(Section(findings=(finding,)))

    def line(self, text: str) -> None:
        self._say(Section(lines=(text,)))

    def front(self, answers: Answers) -> None:
        """A drawing; its sentence was said."""

    def _say(self, section: Section) -> None:
        from ...analysis.export.sentences import plain_section

        for line in plain_section(section):
            print(line)


class DocumentSink:
    """Keeps what comes, as the document that it makes."""

    whole = True

    def __init__(self) -> None:
        self._sections = [Section()]

    def heading(self, text: str) -> None:
        self._sections.append(Section(text))

    def answers(self, answers: Sequence[Answer]) -> None:
        from ...analysis.export.document import asked

        last = self._sections[-1]
        self._sections[-1] = last._replace(answers=(*last.answers, *asked(answers)))

    def table(self, table: Table) -> None:
        last = self._sections[-1]
        self._sections[-1] = last._replace(tables=(*last.tables, table))

    def finding(self, finding: Finding) -> None:
        last = self._sections[-1]
        self._sections[-1] = last._replace(findings=(*last.findings, finding))

    def line(self, text: str) -> None:
        last = self._sections[-1]
        self._sections[-1] = last._replace(lines=(*last.lines, text))

    def front(self, answers: Answers) -> None:
        self._sections[-1] = self._sections[-1]._replace(front=answers)

    def document(self, title: str, origin: str) -> Document:
        """What has come."""
        return Document(title, tuple(part for part in self._sections if not part.empty), origin)


def presented(
    command: str, options: argparse.Namespace, argv: Sequence[str], execute: Callable[[argparse.Namespace], int]
) -> int:
    """Carry the command out, with what it prints going where the options say; its exit code.

    Raises:
        UsageError: the options do not go together, or a file cannot be there.
        JobError: a file cannot be written.
    """
    own = [
        name
        for name in ("plain", "export", "html", "perfetto", "model_explorer")
        if getattr(options, name, None) not in (None, False)  # an empty name was given, too
    ]
    other = [name for name in ("json", "jsonl", "csv", "format", "output", "follow") if getattr(options, name, None)]
    if command == "runs" and options.action in ("attach", "bundle", "stop", "rm"):
        raise UsageError(f"--{own[0].replace('_', '-')} is for what `runs list` and `runs show` print", "leave it out")
    if other and not (own == ["plain"] and other == ["output"]):
        raise UsageError(f"--{own[0].replace('_', '-')} and --{other[0]} ask for two formats", "leave one out")
    if own in (["perfetto"], ["model_explorer"], ["perfetto", "model_explorer"]):
        from .operator_export import export_operators

        paths = options.paths if command == "analyze" else [options.file]
        if len(paths) != 1:
            raise UsageError("operators can be exported from one input only", "name one")
        return export_operators(paths[0], options)
    if len(own) > 1:
        raise UsageError(f"--{own[0]} and --{own[1].replace('_', '-')} ask for two formats", "leave one out")
    if own == ["plain"]:
        with printing_into(PlainSink()):
            return execute(options)
    return _exported(command, options, argv, execute)


def _exported(
    command: str, options: argparse.Namespace, argv: Sequence[str], execute: Callable[[argparse.Namespace], int]
) -> int:
    from ...analysis.export.forms import FORMS, ONE_TABLE, written_as

    file = options.export if options.html is None else options.html
    if not file:
        raise UsageError("the file name is empty", "name a file")
    ending = (
        ".html" if options.html else os.path.splitext(file)[1].lower().replace(".htm", ".html").replace("htmll", "html")
    )
    if ending not in FORMS:
        raise UsageError(f"{file}: {ending or 'no ending'} is not a report format", f"end it with {', '.join(FORMS)}")
    inputs = getattr(options, "paths", None) or [one for one in (getattr(options, "file", None),) if one]
    target = None if file == "-" else place_for(file, f"{command}{ending}", force=options.force, inputs=inputs)
    sink = DocumentSink()
    with printing_into(sink):
        code = execute(options)
    from ...runners.provenance import made_now

    document = sink.document(_title(command, inputs), command_line(["ethosu-tui", command, *argv]))
    document = document._replace(made=made_now())
    if not document.sections:
        say(f"ethosu-tui: there is nothing to write, so {file} was not written")
        return code
    if ending in ONE_TABLE and len(document.tables) != 1:
        found = f"{len(document.tables) or 'no'} tables"
        rows = f"; --output {file} writes one row per run" if command == "analyze" and ending == ".csv" else ""
        raise UsageError(f"this gives {found}, and a {ending} file can hold only one", f"use .json, .md or .html{rows}")
    if target is None:
        sys.stdout.writelines(written_as(document, ending))
        return code
    size = save_pieces(target, written_as(document, ending), replace=options.force)
    count = len(document.tables)
    say(f"ethosu-tui: saved {count} table{'' if count == 1 else 's'}, {size:,} bytes, to {target}")
    return code


def _title(command: str, inputs: Sequence[str]) -> str:
    names = [os.path.basename(path.rstrip("/")) or path for path in inputs]
    kept = next((count for count in range(min(4, len(names)), 1, -1) if len(", ".join(names[:count])) <= _TITLE), 1)
    shown = ", ".join(names[:kept]) + (f" and {len(names) - kept} more" if len(names) > kept else "")
    if not shown:
        return _TITLES[command]
    return f"{_TITLES[command]} {shown}" if command == "inspect" else f"{_TITLES[command]} of {shown}"
