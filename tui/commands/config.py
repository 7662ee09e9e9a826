"""`ethosu-tui config`: the settings that hold here, and where each of them comes from; `config keys`: names for keymaps."""

from __future__ import annotations

import argparse

from ...analysis.cleaning import clean
from ...analysis.tables import Cell, Column, Table
from ...analysis.tables.text import render
from ...runners.configuration import settings
from .output import columns, goes_elsewhere, print_json, print_tables, print_wrapped

SCHEMA = "ethosu-tui/config/1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `config`."""
    parser.add_argument(
        "action",
        nargs="?",
        default="show",
        choices=("show", "keys"),
        help="keys: the names for a keymap file; default: show",
    )
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Print them; what cannot be used is told, and is no failure."""
    if options.action == "keys":
        return _keys(options.json)
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
    table = Table("Settings", (Column("Setting"), Column("Value"), Column("From"), Column("Problem")), rows)
    wide = columns()
    if wide is None or goes_elsewhere() or max(map(len, render(table).splitlines())) <= wide:
        print_tables([table])
        return 0
    for setting in found:  # a path is of use only as a whole
        print_wrapped(f"{setting.name} ({setting.origin})" + (f": {setting.problem}" if setting.problem else ""), "")
        if setting.value or not setting.problem:
            print(f"    {clean(setting.value or '-')}")
    return 0


def _keys(as_json: bool) -> int:
    """Every name that stands in the `[keys]` of a keymap file, with the keys that it has now."""
    from ..app import EthosuApp
    from ..key_list import known_keys

    found = known_keys(EthosuApp)
    if as_json:
        print_json({"schema": SCHEMA, "keys": [one._asdict() for one in found]})
        return 0
    rows = tuple((Cell(one.name), Cell(" ".join(one.keys)), Cell(one.does, tone="dim")) for one in found)
    note = 'keymaps/default.toml beside config.toml, or another name: [keys], then lines like "home.compile" = "f2".'
    print_tables([Table("Keys", (Column("Name"), Column("Keys"), Column("Does")), rows, note)])
    return 0
