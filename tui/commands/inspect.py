"""`ethosu-tui inspect`: what a file is, its size and hash, and the figures of Vela's summary table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...analysis.report import to_dict
from ...analysis.run_tables import compile_table
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_bytes, format_cycles, format_percent
from ...analysis.vela import Layer, parse_per_layer_csv, parse_summary_csv
from ...runners.artefacts import Artefact, identify, sha256
from ...runners.folder import printable
from ...runners.job import InputError
from .output import print_json, print_tables

SCHEMA = "ethosu-tui/artefact/1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `inspect`."""
    parser.add_argument("file", metavar="FILE", help=".pte, .bpte, .tosa, ETDump, ELF, or a table of Vela")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Say what the file is."""
    artefact = identify(str(Path(options.file).expanduser()))
    digest = sha256(artefact.path)
    summary = _summary(artefact) if artefact.kind == "vela-summary" else None
    layers = _layers(artefact) if artefact.kind == "vela-per-layer" else None
    if options.json:
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "path": artefact.path,
            "kind": artefact.kind,
            "description": artefact.description,
            "magic": artefact.magic,
            "bytes": artefact.bytes,
            "sha256": digest,
            "summary": summary,
            "layers": None if layers is None else to_dict(layers),
        }
        print_json(document)
        return 0
    facts = (
        ("What", artefact.description),
        ("Identifier", artefact.magic or "-"),
        ("Size", format_bytes(artefact.bytes)),
        ("SHA-256", digest),
    )
    columns = (Column("What"), Column("Value"))
    rows = tuple((Cell(name), Cell(value)) for name, value in facts)
    print_tables([Table(printable(artefact.path), columns, rows)])
    if summary is not None:
        print_tables([compile_table([{"target": summary["accelerator"], "status": "ok", "summary": summary}])])
    if layers is not None:
        print_tables([_layer_table(layers)])
    return 0


def _summary(artefact: Artefact) -> dict[str, Any]:
    try:
        summary: dict[str, Any] = to_dict(parse_summary_csv(_text(artefact)))
    except ValueError as error:
        raise InputError(f"{artefact.path}: {error}", "give Vela's <name>_summary_<config>.csv") from error
    return summary


def _layers(artefact: Artefact) -> tuple[Layer, ...]:
    try:
        return parse_per_layer_csv(_text(artefact))
    except ValueError as error:
        raise InputError(f"{artefact.path}: {error}", "give Vela's <name>_per-layer.csv") from error


def _text(artefact: Artefact) -> str:
    return Path(artefact.path).read_text("utf-8", "replace")


def _layer_table(layers: tuple[Layer, ...]) -> Table:
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
            Cell(printable(layer.tosa)),
            Cell(printable(layer.name)),
            Cell(format_cycles(layer.op_cycles), layer.op_cycles),
            Cell(format_percent(layer.share_percent), layer.share_percent),
            Cell(str(layer.macs), layer.macs),
            Cell(format_bytes(layer.sram_bytes), layer.sram_bytes),
        )
        for layer in layers
    )
    return Table("Operators (Vela's estimate)", columns, rows)
