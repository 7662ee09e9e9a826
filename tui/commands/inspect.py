"""`ethosu-tui inspect`: what a file is, its size and hash, and what is in it: Vela's tables, profiles, traces.

A log is looked into only for the ETDump that it carries; `analyze` is for the rest.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from ...analysis.tables import Table
from ...runners.artefacts import Artefact, NotKnown, identify, sha256
from ...runners.job import InputError, UsageError
from ...runners.reading.paths import log_of
from ..inspected import contents, debug_database_of_file, etdump_of_file, file_table, layer_table, layers_of, text_of
from .inspect_profile import etdump_of_log, print_csv, remark, trace_by_operator
from .output import print_json, print_tables
from .saying import say

SCHEMA = "ethosu-tui/artefact/1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `inspect`."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help=".pte, .bpte, .tosa, ETDump, FVP PMU trace, ELF, a table of Vela, or a log with an ETDump in it",
    )
    parser.add_argument("other", metavar="OTHER", nargs="?", help="a second program or graph, to show the differences")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")
    form.add_argument(
        "--csv", action="store_true", help="the table of an ETDump, trace, graph, difference or Vela as CSV"
    )
    parser.add_argument("--debug-db", metavar="XML", help="for a PMU trace: Vela's debug database, <name>_debug.xml")
    parser.add_argument("--unit", choices=("cycles", "ns"), help="the unit of an ETDump's ticks, if you know it")
    saving = parser.add_argument_group("a log's ETDump")
    saving.add_argument("--save-etdump", metavar="FILE", help="write the log's ETDump to FILE")
    saving.add_argument("--save-debug-buffer", metavar="FILE", help="write the debug buffer printed with it to FILE")
    saving.add_argument("--run", type=int, metavar="N", help="of this run (default: the first with one)")
    saving.add_argument("--force", action="store_true", help="replace existing files")


def execute(options: argparse.Namespace) -> int:
    """Say what the file is and what it holds."""
    if options.run is not None and options.run < 1:
        raise UsageError(f"--run {options.run} is not a run number", "runs are counted from 1")
    if options.other is not None:
        from .inspect_program import compare_files

        return compare_files(options)
    options.file = log_of(os.path.expanduser(options.file))
    artefact, unknown = _recognised(options)
    tables: tuple[Table, ...] = ()
    table: Table | None
    document: dict[str, Any] = {"schema": SCHEMA, "path": options.file}
    if artefact is None:
        table, more = _of_log(options, unknown)
    else:
        tables, table, more = _of_artefact(artefact, options)
    document |= more
    if options.json:
        print_json(document)
    elif options.csv:
        if table is None:
            raise UsageError(f"{options.file} has no table for CSV", "leave --csv out to see what it is")
        print_csv(table)
    else:
        _print(artefact, document, None if tables else table)
        print_tables(tables)
    return 0


def _of_log(options: argparse.Namespace, unknown: InputError | None) -> tuple[Table | None, dict[str, Any]]:
    """The ETDump in a log: its table and what the document says; the file is of an `unknown` kind where it holds none."""
    try:
        table, events = etdump_of_log(options)
    except InputError:
        if unknown is None:
            raise
        raise unknown from None
    return table, {"etdump": events, "kind": "log"}


def _of_artefact(
    artefact: Artefact, options: argparse.Namespace
) -> tuple[tuple[Table, ...], Table | None, dict[str, Any]]:
    """Tables to be printed beside that of the file, the one that `--csv` gives, and what the document says."""
    kind = artefact.kind
    document: dict[str, Any] = {
        "kind": kind,
        "description": artefact.description,
        "magic": artefact.magic,
        "bytes": artefact.bytes,
        "sha256": sha256(artefact.path),
        "summary": _summary(artefact) if kind == "vela-summary" else None,
        "layers": None,
    }
    if kind == "vela-per-layer":
        from ...analysis.report import to_dict

        layers = layers_of(artefact)
        return (), layer_table(layers), {**document, "layers": to_dict(layers)}
    if kind == "etdump":
        table, events = etdump_of_file(artefact.path, options.unit, remark)
        return (), table, {**document, "etdump": events}
    if kind == "pmu-trace" and (options.debug_db is not None or options.csv):
        table, operators = trace_by_operator(artefact.path, options.debug_db)
        return (), table, {**document, "npu_operators": operators}
    if kind == "vela-debug":
        tables, found = debug_database_of_file(artefact.path)
        return tables, tables[0], document | found
    if kind in ("pte", "bpte", "tosa"):
        tables, found = contents(artefact, firmware=options.json, told=remark)
        return tables, tables[-1] if kind == "tosa" else None, document | found
    return (), None, document


def _recognised(options: argparse.Namespace) -> tuple[Artefact | None, NotKnown | None]:
    """What the file is; for something that may be a log, None and what to say if it is none."""
    if options.save_etdump is not None or options.save_debug_buffer is not None or options.run is not None:
        return None, None
    if options.file == "-" or (
        "!" in options.file and not os.path.lexists(options.file)
    ):  # a pipe, a file of an archive
        return None, None
    try:
        return identify(options.file), None
    except NotKnown as error:
        return None, error


def _print(artefact: Artefact | None, document: dict[str, Any], table: Table | None) -> None:
    if artefact is not None:
        print_tables([file_table(artefact, document["sha256"])])
        summary = document["summary"]
        if summary is not None:
            from ...analysis.compiles.tables import compile_table

            print_tables([compile_table([{"target": summary["accelerator"], "status": "ok", "summary": summary}])])
        if artefact.kind == "pmu-trace" and table is None:
            say("ethosu-tui: give Vela's <name>_debug.xml with --debug-db to see the cycles of each operator")
    if table is not None:
        print_tables([table])


def _summary(artefact: Artefact) -> dict[str, Any]:
    from ...analysis.compiles.vela import parse_summary_csv
    from ...analysis.report import to_dict  # each on first use: most files need none of it

    try:
        summary: dict[str, Any] = to_dict(parse_summary_csv(text_of(artefact)))
    except ValueError as error:
        raise InputError(f"{artefact.path}: {error}", "give Vela's <name>_summary_<config>.csv") from error
    return summary
