"""What `ethosu-tui inspect` shows of programs and TOSA graphs, one of them or the differences of two."""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Callable
from typing import Any

from ...analysis.program.report import Bundle, Program
from ...analysis.tables import Table
from ...runners.artefacts import Artefact, identify, sha256
from ...runners.job import InputError, UsageError
from ...runners.reading.blocks import read_whole
from .inspect_profile import print_csv, remark
from .output import print_json, print_line, print_tables
from .program_file import parsed

PROGRAM_LIMIT_BYTES = 2 << 30
KINDS = ("pte", "bpte", "tosa")


def contents(
    artefact: Artefact, *, firmware: bool = False, told: Callable[[str], None] = remark
) -> tuple[tuple[Table, ...], dict[str, Any]]:
    """The tables of a program or graph, and its part of the JSON document; `firmware` adds what firmware takes over.

    `told` gets what a user should hear beside them.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    data = read_whole(artefact.path, PROGRAM_LIMIT_BYTES, "a program or graph")
    return _graph(artefact.path, data) if artefact.kind == "tosa" else _program(artefact, data, firmware, told)


def _graph(path: str, data: bytes) -> tuple[tuple[Table, ...], dict[str, Any]]:
    from ...analysis.tosa.reader import TosaError, read_tosa
    from ...analysis.tosa.tables import tosa_document, tosa_tables

    try:
        graph = read_tosa(data)
    except TosaError as error:
        raise InputError(f"{path}: {error}", "write it again, as ExecuTorch does with --intermediates") from None
    return tosa_tables(graph), {"tosa": tosa_document(graph)}


def _program(
    artefact: Artefact, data: bytes, firmware: bool, told: Callable[[str], None]
) -> tuple[tuple[Table, ...], dict[str, Any]]:
    from ...analysis.program.document import program_document
    from ...analysis.program.needs import fits_on_boards, needs_of
    from ...analysis.program.tables import program_tables

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
    from ...analysis.firmware.hand_over import firmware_document, hand_over
    from ...analysis.program.reader import ProgramError

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


def compare_files(options: argparse.Namespace) -> int:
    """Print how two programs or graphs differ.

    Raises:
        InputError: one of them cannot be read.
        UsageError: they are not of one kind.
    """
    from ...analysis.program.document import differences, differences_table

    if any((options.debug_db, options.unit, options.save_etdump, options.save_debug_buffer, options.run)):
        raise UsageError("two files can only be compared", "leave the other options out")
    paths = [os.path.expanduser(path) for path in (options.file, options.other)]
    artefacts = [identify(path) for path in paths]
    for artefact in artefacts:
        if artefact.kind not in KINDS:
            raise UsageError(
                f"{artefact.path} is not a program or TOSA graph ({artefact.description})",
                "give two .pte, .bpte or .tosa files; for logs use `ethosu-tui compare`",
            )
    first, second = artefacts
    if (first.kind == "tosa") != (second.kind == "tosa"):
        raise UsageError(f"{first.path} and {second.path} are not of one kind", "give two programs or two graphs")
    sides = []
    for artefact in artefacts:
        found = contents(artefact)[1]
        found = found.get("program") or found["tosa"]
        sides.append({"sha256": sha256(artefact.path), **found})
    found_differences = differences(*sides)
    if options.json:
        print_json(
            {
                "schema": "ethosu-tui/artefact/1",
                "path": paths[0],
                "kind": first.kind,
                "other": {"path": paths[1], "kind": second.kind},
                "same": not found_differences,
                "differences": [{"path": d.path, "values": [d.first, d.second]} for d in found_differences],
            }
        )
        return 0
    table = differences_table(found_differences, *_short_names(*paths))
    if options.csv:
        print_csv(table)
    elif found_differences:
        print_tables([table])
    else:
        print_line(f"{paths[0]} and {paths[1]} are the same, byte for byte.")
    return 0


def _short_names(first: str, second: str) -> tuple[str, str]:
    names = os.path.basename(first), os.path.basename(second)
    return names if names[0] != names[1] else (first, second)
