"""`ethosu-tui config`: the settings that hold here, and where each of them comes from."""

from __future__ import annotations

import argparse

from ...analysis.tables import Cell, Column, Table
from ...runners.configuration import settings
from .output import print_json, print_tables

SCHEMA = "ethosu-tui/config/1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `config`."""
    parser.add_argument("action", nargs="?", default="show", choices=("show",), help="default: show")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Print them; what cannot be used is told, and is no failure."""
    found = list(settings())
    if options.json:
        print_json({"schema": SCHEMA, "settings": [setting._asdict() for setting in found]})
        return 0
    rows = tuple(
        (
            Cell(setting.name),
            Cell(setting.value or "-"),
            Cell(setting.origin, tone="dim"),
            Cell(setting.problem or "", tone="warn"),
        )
        for setting in found
    )
    print_tables([Table("Settings", (Column("Setting"), Column("Value"), Column("From"), Column("Problem")), rows)])
    return 0
