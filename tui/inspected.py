"""What is in a file that is no log, as tables and as parts of a JSON document: `inspect` prints them, the dashboard shows them."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from ..analysis.lines import clean
from ..analysis.tables import Cell, Column, Table
from ..analysis.units import format_bytes, format_count, format_cycles, format_percent
from ..runners.artefacts import Artefact, sha256
from ..runners.job import InputError
from ..runners.reading.blocks import read_whole
from ..runners.reading.pmu_trace import database_text, parsed_database
from .program_file import PROGRAM_LIMIT_BYTES, parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..analysis.program.report import Bundle, Program
    from ..analysis.report import Layer

DUMP_LIMIT_BYTES = 256 << 20


def tables_of(artefact: Artefact) -> tuple[Table, ...]:
    """All that is known of a file that is no log: about the file (without a title), then its tables.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    of_file = file_table(artefact, sha256(artefact.path))._replace(title="")
    if artefact.kind == "vela-per-layer":
        return of_file, layer_table(layers_of(artefact))
    if artefact.kind == "etdump":
        missing: list[str] = []
        events = etdump_of_file(artefact.path, None, missing.append)[0]
        return of_file._replace(note="; ".join(missing)), events
    if artefact.kind == "vela-debug":
        return of_file, *debug_database_of_file(artefact.path)[0]
    return of_file, *contents(artefact, told=lambda _: None)[0]  # that it is cut off stands in a note


def file_table(artefact: Artefact, digest: str) -> Table:
    """What the file is, by its first bytes."""
    facts = (
        ("What", artefact.description),
        ("Identifier", artefact.magic or "-"),
        ("Size", format_bytes(artefact.bytes)),
        ("SHA-256", digest),
    )
    rows = tuple((Cell(name), Cell(value)) for name, value in facts)
    return Table(clean(artefact.path), (Column("What"), Column("Value")), rows)


def layers_of(artefact: Artefact) -> tuple[Layer, ...]:
    """The operators of a `per-layer` table of Vela.

    Raises:
        InputError: it is none.
    """
    from ..analysis.compiles.vela import parse_per_layer_csv

    try:
        return parse_per_layer_csv(text_of(artefact))
    except ValueError as error:
        raise InputError(f"{artefact.path}: {error}", "give Vela's <name>_per-layer.csv") from error


def text_of(artefact: Artefact) -> str:
    """The whole of a file that is text."""
    with open(artefact.path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def layer_table(layers: tuple[Layer, ...]) -> Table:
    """A row for each operator."""
    columns = (
        Column("#", "right"),
        Column("TOSA"),
        Column("Name"),
        Column("Cycles", "right"),
        Column("Share", "right"),
        Column("MACs", "right"),
        Column("SRAM", "right"),
    )
    rows = tuple(
        (
            Cell(str(layer.index), layer.index),
            Cell(clean(layer.tosa)),
            Cell(clean(layer.name)),
            Cell(format_cycles(layer.op_cycles), layer.op_cycles),
            Cell(format_percent(layer.share_percent), layer.share_percent),
            Cell(format_count(layer.macs), layer.macs),
            Cell(format_bytes(layer.sram_bytes), layer.sram_bytes),
        )
        for layer in layers
    )
    return Table("Operators (Vela's estimate)", columns, rows)


def etdump_of_file(path: str, unit: str | None, told: Callable[[str], None]) -> tuple[Table, dict[str, Any]]:
    """The table and the JSON of an ETDump file; `told` gets what is missing of it.

    Raises:
        InputError: it cannot be read, or is no ETDump.
    """
    from ..analysis.etdump.decode import decode
    from ..analysis.etdump.reader import EtdumpError

    data = read_whole(path, DUMP_LIMIT_BYTES, "an ETDump")
    try:
        return etdump_shown(decode(data), unit or "ticks", told)
    except EtdumpError as error:
        raise InputError(f"{path}: {error}", "give the file that the runner wrote, or the log that has it") from None


def etdump_shown(dump: Any, unit: str, told: Callable[[str], None]) -> tuple[Table, dict[str, Any]]:
    """The table and the JSON of a decoded dump; `told` gets what is missing of it."""
    from ..analysis.etdump.tables import inspector_rows, inspector_table, summary_of

    if dump.cut:
        told(f"the ETDump is cut off: it has {dump.bytes:,} of {dump.announced_bytes:,} bytes")
    if dump.unreadable or dump.lost_runs:
        told(f"{dump.unreadable:,} events and {dump.lost_runs:,} blocks of events cannot be read")
    events = [
        {
            "block": row.block,
            "name": row.name,
            "operator": row.operator,
            "instruction": row.instruction,
            "delegated": row.delegated,
            "calls": len(row.ticks),
            **summary_of(row),
            "start": list(row.start_ticks),
        }
        for row in inspector_rows(dump, overhead=True)
    ]
    document = {
        "version": dump.version,
        "bytes": dump.bytes,
        "announced_bytes": dump.announced_bytes,
        "unit": unit,
        "unreadable_events": dump.unreadable,
        "lost_blocks": dump.lost_runs,
        "events": events,
    }
    return inspector_table(dump, unit), document


def debug_database_of_file(path: str) -> tuple[tuple[Table, ...], dict[str, Any]]:
    """Vela's estimate for each operation of a debug database, and where its tensors lie in memory.

    Raises:
        InputError: it cannot be read, or is none.
    """
    from ..analysis.npu_trace.debug_tables import DebugTables
    from ..analysis.npu_trace.tables import database_table
    from ..analysis.operators.memory_map import memory_map
    from ..analysis.operators.tables import memory_document, memory_tables

    text = database_text(path)
    operations = database_table(parsed_database(path, text))
    found = memory_map(DebugTables(text))
    tables = memory_tables(found) if found is not None else ()
    return (operations, *tables), {"memory_map": memory_document(found)}


def contents(
    artefact: Artefact, *, firmware: bool = False, told: Callable[[str], None]
) -> tuple[tuple[Table, ...], dict[str, Any]]:
    """The tables of a program or graph, and its part of the JSON document; `firmware` adds what firmware takes over.

    `told` gets what a user should hear beside them.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    data = read_whole(artefact.path, PROGRAM_LIMIT_BYTES, "a program or graph")
    return _graph(artefact.path, data) if artefact.kind == "tosa" else _program(artefact, data, firmware, told)


def _graph(path: str, data: bytes) -> tuple[tuple[Table, ...], dict[str, Any]]:
    from ..analysis.tosa.reader import TosaError, read_tosa
    from ..analysis.tosa.tables import tosa_document, tosa_tables

    try:
        graph = read_tosa(data)
    except TosaError as error:
        raise InputError(f"{path}: {error}", "write it again, as ExecuTorch does with --intermediates") from None
    return tosa_tables(graph), {"tosa": tosa_document(graph)}


def _program(
    artefact: Artefact, data: bytes, firmware: bool, told: Callable[[str], None]
) -> tuple[tuple[Table, ...], dict[str, Any]]:
    from ..analysis.program.document import program_document
    from ..analysis.program.needs import fits_on_boards, needs_of
    from ..analysis.program.tables import program_tables

    bundle, program = parsed(artefact, data)
    if program.cut:
        told(f"{artefact.path} is cut off: it has {program.bytes:,} of {program.announced_bytes:,} bytes")
    needs, fits = needs_of(program), fits_on_boards(program)
    document = program_document(program, bundle, needs, fits)
    start = bundle.program_start_byte if bundle is not None else 0
    _add_hashes(document, program, memoryview(data)[start:])
    if firmware:
        document["firmware"] = _firmware(artefact, data, program, bundle)
    return program_tables(program, bundle, needs, fits), {"program": document}


def _firmware(artefact: Artefact, data: bytes, program: Program, bundle: Bundle | None) -> dict[str, Any] | None:
    """What `ethosu-tui firmware` tells of it; None where the calls of its instructions cannot be read."""
    from ..analysis.firmware.hand_over import firmware_document, hand_over
    from ..analysis.program.reader import ProgramError

    try:
        found = hand_over(os.path.basename(artefact.path), data, program, bundle)
    except ProgramError:
        return None
    return firmware_document(found)


def _add_hashes(document: dict[str, Any], program: Program, data: memoryview) -> None:
    """The SHA-256 of each delegate's data, so that two files can be told apart where sizes agree."""
    known: dict[tuple[int, int], str | None] = {}
    for method, shown in zip(program.methods, document["methods"], strict=True):
        for delegate, entry in zip(method.delegates, shown["delegates"], strict=True):
            place = delegate.start_byte, delegate.start_byte + delegate.size_bytes
            if place not in known:
                known[place] = hashlib.sha256(data[slice(*place)]).hexdigest() if place[1] <= len(data) else None
            entry["sha256"] = known[place]
