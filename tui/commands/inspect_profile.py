"""What `ethosu-tui inspect` shows of profiles: an ETDump's table, an FVP's PMU trace by operator, and dumps out of logs."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from typing import TYPE_CHECKING, Any

from ...analysis.tables import Table
from ...runners.job import InputError, UsageError
from ...runners.reading.pmu_trace import database_text, parsed_database
from ..inspected import etdump_shown
from .saying import say

if TYPE_CHECKING:
    from ...analysis.etdump.report import Blocks
    from ...analysis.etdump_finder import Found
    from ...analysis.npu_trace.operators import NpuTrace
    from ...analysis.npu_trace.vela_debug import DebugDatabase


def remark(text: str) -> None:
    """What a user should hear beside the tables."""
    say(f"ethosu-tui: {text}")


def etdump_of_log(options: argparse.Namespace) -> tuple[Table | None, dict[str, Any] | None]:
    """The ETDump of a run in a log; what `options` asks for is saved.

    Raises:
        InputError: the log cannot be read, or holds no such block.
        UsageError: a file to save to is there already, or cannot be.
        JobError: a file cannot be written.
    """
    from ...analysis.etdump.reader import HEAD_BYTES, EtdumpError, announced_size
    from ...runners.reading.kept_dumps import found_in
    from ...runners.saved_file import check_target, save

    if options.save_etdump is not None and options.save_etdump == options.save_debug_buffer:
        raise UsageError(f"{options.save_etdump} cannot hold both", "name two files")
    targets = {
        name: check_target(path, force=options.force, inputs=[options.file])
        for name, path in (("etdump", options.save_etdump), ("debug buffer", options.save_debug_buffer))
        if path is not None
    }
    place = found_in(options.file, options.run, buffer="debug buffer" in targets)
    if place is None:
        where = f"run {options.run} of {options.file}" if options.run is not None else options.file
        raise InputError(f"{where}: it has no ETDump block", "the runner prints one when built with event tracing")
    found = place.blocks
    if found.said_of_damage:
        _tell_damage(found)
    if "debug buffer" in targets and options.run is None and place.run == place.buffer_run != 1:
        remark(f"showing run {place.run}, the first with a debug buffer")
    for name, target in targets.items():
        data = found.etdump if name == "etdump" else found.debug_buffer
        if not data:
            raise _not_there(options.file, name, place)
        known = name == "etdump" and len(found.sound) >= HEAD_BYTES
        whole = announced_size(data) if known else None
        if name == "debug buffer" and found.buffer_odd:
            remark(f"{found.buffer_odd:,} characters of the debug buffer are not base64: some of its bytes are wrong")
        if name == "etdump" and whole is not None and len(data) < whole:
            remark(f"the ETDump is cut off: it has {len(data):,} of {whole:,} bytes")
        save(target, data if whole is None else data[:whole])
        remark(f"saved the {name}, {min(len(data), whole or len(data)):,} bytes, to {target}")
    if found.gap_bytes:
        what = "missing from" if found.gap_bytes > 0 else "too many in"
        remark(
            f"{abs(found.gap_bytes):,} bytes are {what} the middle of the ETDump: which events are right cannot be told"
        )
        return None, None
    try:
        return etdump_shown(found.dump(), options.unit or "cycles", remark) if found.etdump else (None, None)
    except EtdumpError as error:
        remark(f"{options.file}, line {found.line}: {error}")
        return None, None


def _tell_damage(found: Blocks) -> None:
    if found.cut_at_damage:
        remark(f"{found.said_of_damage}: only the {len(found.etdump):,} bytes before are used")
    elif found.damage:
        first = found.damage[0][0]
        remark(f"{found.said_of_damage}: {found.damaged_bytes:,} bytes are unknown, from byte {first:,} on")
    else:
        remark(f"{found.said_of_damage}, and skipped")


def _not_there(path: str, name: str, found: Found) -> InputError:
    what = f"{path}: run {found.run}, whose block is on line {found.blocks.line}, has no {name}"
    if name != "debug buffer" or found.buffer_lost:
        return InputError(what, "capture all of it")
    if found.buffer_run is not None:
        return InputError(what, f"run {found.buffer_run} has one: --run {found.buffer_run}")
    built = "built with ET_DUMP_OUTPUTS or ET_DUMP_INTERMEDIATE_OUTPUTS as well as event tracing"
    if found.old:
        return InputError(f"{what}; its release prints none", f"runners of 1.0 and later print one, {built}")
    return InputError(f"{what}; the runner was not built to keep tensors", f"a runner prints one if it was {built}")


def trace_by_operator(path: str, database_path: str | None) -> tuple[Table, dict[str, Any]]:
    """The NPU cycles of each operator, from a trace and Vela's debug database.

    The trace is read twice: for the command queue, then for what was active meanwhile; neither pass holds it in memory.

    Raises:
        InputError: one of the files cannot be read, or is not what it should be.
        UsageError: no database is named.
    """
    from ...analysis.npu_trace.tables import trace_table, trace_to_dict

    trace, notes = measured_trace(path, database_path)
    document = trace_to_dict(trace)
    document["notes"] += notes
    return trace_table(trace, notes), document


def measured_trace(path: str, database_path: str | None) -> tuple[NpuTrace, tuple[str, ...]]:
    """The trace by operator, and what the reader of its figures has to know; raises as `trace_by_operator`."""
    from ...runners.reading.pmu_trace import measured

    if database_path is None:
        raise UsageError(
            f"{path} is a PMU trace, which on its own says nothing about operators",
            "give Vela's <name>_debug.xml with --debug-db (Vela writes it with --enable-debug-db)",
        )
    return measured(path, database_path)


def debug_database(path: str) -> DebugDatabase:
    """Vela's debug database; raises as `debug_database_of_file`."""
    return parsed_database(path, database_text(path))


def print_csv(table: Table) -> None:
    """A table as CSV on stdout: raw values where there are any, nothing where a figure is absent."""
    from ...analysis.export.document import raw
    from ...analysis.export.escaping import no_formula

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        values = (raw(cell) for cell in row)
        writer.writerow(["" if v is None else no_formula(v) if isinstance(v, str) else v for v in values])
    sys.stdout.write(text.getvalue())
