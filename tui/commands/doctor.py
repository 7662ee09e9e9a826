"""`ethosu-tui doctor`: what is installed, what is missing, and the line that installs it.

The exit code is 0 whenever it could look: a missing tool is its answer, not its failure.
"""

from __future__ import annotations

import argparse

from ...analysis.tables import Cell, Column, Table
from ...runners.doctor import check_tools
from ...runners.runs.folder import printable
from .output import goes_elsewhere, print_json, print_line, print_tables, print_wrapped

SCHEMA = "ethosu-tui/doctor/1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `doctor`."""
    parser.add_argument("--python", metavar="EXE", help="the Python that compiles (default: the configured one)")
    parser.add_argument(
        "--verify", action="store_true", help="also import the compiler (takes as long as starting a compile)"
    )
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Look at everything and print what there is."""
    tools = list(check_tools(options.python, verify=options.verify))
    if options.json:
        print_json({"schema": SCHEMA, "tools": [tool.to_dict() for tool in tools]})
        return 0
    rows = tuple(
        (
            Cell("ok" if tool.found else "missing", tone="good" if tool.found else "warn"),
            Cell(tool.name),
            Cell(printable(tool.detail)),
            Cell(tool.needed_for),
        )
        for tool in tools
    )
    print_tables([Table("This machine", (Column(""), Column("Tool"), Column("Found"), Column("Needed for")), rows)])
    advice: dict[str, list[str]] = {}
    for tool in tools:
        if tool.install:
            advice.setdefault(tool.install, []).append(tool.name)
    for line, names in advice.items():
        if goes_elsewhere():
            print_line(f"To get {', '.join(names)}: {printable(line)}")
        else:
            print_wrapped(f"{', '.join(names)}:", "")
            if "`" in line:  # a sentence, and no command that is copied whole
                print_wrapped(printable(line), "    ")
            else:
                print(f"    {printable(line)}")
    return 0
