"""`ethosu-tui targets`: the places where programs can run, where each is written down, and whether it could be used now."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...analysis.lines import clean
from ...analysis.tables import Cell, Column, Table, Tone
from ...analysis.target_entries.figures import Shown, shown, unverified_keys
from ...analysis.target_entries.inherit import Place
from ...analysis.target_entries.problem import Problem
from ...runners.job import JobError, UsageError, shortened
from ...runners.keeping.seen_locks import locked_inodes
from ...runners.target_overview import seen, where
from ...runners.targets.catalogue import Catalogue, target_of
from ...runners.targets.files import TargetFile, places_of_files, read_target_file, shipped
from ...runners.targets.health import Health, health
from .output import columns, print_json, print_line, print_tables
from .saying import say

SCHEMA = "ethosu-tui/targets/1"
ACTIONS = ("list", "show", "check", "template", "ports")
UNREADABLE = 3
_WIDE = 120
"""Columns of a terminal in which the board has a column of its own."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `targets`."""
    parser.add_argument("action", nargs="?", default="list", choices=ACTIONS, help="default: list")
    parser.add_argument(
        "what", nargs="?", metavar="NAME|FILE", help="show: a target's name; check: a file (default: all)"
    )
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Do the action."""
    action, what = options.action, options.what
    if what is not None and action not in ("show", "check"):
        raise UsageError(f"targets {action} takes no {what}", "leave it out")
    if action == "list":
        return _list(options.json)
    if action == "show":
        return _show(what, options.json)
    if action == "check":
        return _check(what, options.json)
    return _template(options.json) if action == "template" else _ports(options.json)


def _list(as_json: bool) -> int:
    catalogue = Catalogue()
    found = [(catalogue.known(name), layer) for name, layer in catalogue.names()]
    if as_json:
        listed = [_entry(place, layer, _health(place)) for place, layer in found]
        print_json({"schema": SCHEMA, "targets": listed, "files": _files(catalogue.files)})
        return 0
    room = columns()
    wide = room is None or room >= _WIDE
    rows = tuple(_row(place, layer, _health(place), wide) for place, layer in found)
    heads = ("Target", "Kind", "NPU", *(("Board",) if wide else ()), "Where", "Ready", "From")
    note = 'Boards that come with this program have no url or host: add yours in an entry with base = "alif-e8-hp", for example.'
    note += "".join(f" {file.layer.capitalize()}: {file.path}." for file in catalogue.files if file.path)
    print_tables([Table("Targets", tuple(Column(head) for head in heads), rows, note)])
    count = len(catalogue.problems())
    if count:
        say(f"ethosu-tui: {count} thing{'s are' if count > 1 else ' is'} wrong: see `ethosu-tui targets check`")
    return 0


def _row(place: Place, layer: str, looked: Health, wide: bool) -> tuple[Cell, ...]:
    tone: Tone = "bad" if place.problems else "good" if looked.ready else "warn" if looked.ready is False else ""
    values = place.values
    ready = "wrong" if place.problems else looked.word if looked.ready else f"{looked.word}: {looked.why}"
    return (
        Cell(place.name),
        Cell(values.get("kind") or "-"),
        Cell(place.npu_target or values.get("npu") or "-"),
        *((Cell(values.get("board") or "-"),) if wide else ()),
        Cell(where(place) or "-"),
        Cell(ready, tone=tone),
        Cell(layer),
    )


def _held_by(place: Place, layer: str) -> list[dict[str, str]] | None:
    """Who has the target for themselves now; None where that is not known."""
    holders = seen(place, layer, locked_inodes()).holders  # type: ignore[arg-type]
    return None if holders is None else [holder._asdict() for holder in holders]


def _health(place: Place) -> Health:
    if place.problems:
        return Health(False, "its entry is wrong")
    try:
        return health(target_of(place))
    except JobError as error:
        return Health(False, error.message)


def _entry(place: Place, layer: str, looked: Health) -> dict[str, Any]:
    values = place.values
    return {
        "name": place.name,
        "title": values.get("title"),
        "kind": values.get("kind"),
        "npu": values.get("npu"),
        "npu_target": place.npu_target,
        "board": values.get("board"),
        "where": where(place),
        "ready": looked.ready,
        "why": looked.why,
        "held_by": _held_by(place, layer),
        "origin": place.origin,
        "layer": layer,
        "unverified": list(unverified_keys(place)),
        "problems": _told(place.problems),
    }


def _show(name: str | None, as_json: bool) -> int:
    if name is None:
        raise UsageError("targets show needs a NAME", "see `ethosu-tui targets`")
    catalogue = Catalogue()
    place = catalogue.place(name)
    layer = dict(catalogue.names())[name]
    looked = _health(place)
    values = shown(place)
    if as_json:
        document = {**_entry(place, layer, looked), "values": [_value(value) for value in values]}
        print_json({"schema": SCHEMA, "targets": [document], "files": _files(catalogue.files)})
        return UNREADABLE if place.problems else 0
    rows = tuple(
        (
            Cell(value.key),
            Cell(value.text),
            Cell(_source(value), tone="warn" if value.verified is False else "dim"),
            Cell(value.origin, tone="dim"),
        )
        for value in values
    )
    heads = (Column("Key"), Column("Value"), Column("Who says so"), Column("From"))
    print_tables([Table(f"Target {place.name}", heads, rows)])
    print_tables([Table("Now", (Column("Ready"), Column("Why")), ((Cell(looked.word), Cell(looked.why)),))])
    for problem in place.problems:
        say(f"ethosu-tui: {problem}")
    return UNREADABLE if place.problems else 0


def _source(value: Shown) -> str:
    if value.source is None:
        return ""
    return f"{value.source} (unverified)" if value.verified is False else value.source


def _value(value: Shown) -> dict[str, Any]:
    return {
        "key": value.key,
        "value": value.value,
        "origin": value.origin,
        "source": value.source,
        "verified": value.verified,
    }


def _check(file: str | None, as_json: bool) -> int:
    if file is None:
        catalogue = Catalogue()
    else:
        catalogue = Catalogue((read_target_file(Path(file)), *Catalogue().others(file), shipped()))
    problems = catalogue.problems()
    if file is not None:
        own = catalogue.files[0].path
        problems = tuple(problem for problem in problems if problem.file == own)
    if as_json:
        files = catalogue.files if file is None else catalogue.files[:1]
        print_json({"schema": SCHEMA, "files": _files(files), "problems": _told(problems)})
        return UNREADABLE if problems else 0
    if problems:
        for problem in problems:
            print_line(shortened(clean(str(problem))))
        return UNREADABLE
    checked = [one for one in catalogue.files if one.path][: None if file is None else 1]
    for one in checked:
        count = len(one.listed.entries)
        print_line(f"{one.path}: {count} target{'' if count == 1 else 's'}, nothing is wrong")
    if not checked:
        project, user = places_of_files()
        print_line(f"No targets file: neither {project} nor {user}. `ethosu-tui targets template` prints one.")
    return 0


def _template(as_json: bool) -> int:
    from ...runners.targets.files import template

    if as_json:
        print_json({"schema": SCHEMA, "template": template()})
    else:
        print(template(), end="")
    return 0


def _ports(as_json: bool) -> int:
    from ...runners.serial.ports import list_ports

    found = list_ports()
    if as_json:
        print_json({"schema": SCHEMA, "ports": [port.to_json() for port in found]})
        return 0
    if not found:
        say("ethosu-tui: no serial port found; connect the board, then try again")
        return 0
    columns = (Column("Port"), Column("Stable name", kept="end"), Column("What"), Column("USB"), Column("Open"))
    rows = []
    for port in found:
        by = f"in use by {port.held_by[0]}" if port.held_by else "yes"
        what = " ".join(text for text in (port.description, port.interface) if text)
        free = Cell(by) if port.right is None else Cell("no right to", tone="warn")
        rows.append(
            (Cell(port.device), Cell(port.by_id or "-"), Cell(what or "-"), Cell(port.vendor_product or "-"), free)
        )
    print_tables([Table("Serial ports", columns, tuple(rows))])
    for right in dict.fromkeys(port.right for port in found if port.right is not None):
        say(f"ethosu-tui: to get permission: {right}")
    return 0


def _files(files: tuple[TargetFile, ...]) -> list[dict[str, Any]]:
    return [
        {
            "path": file.path or None,
            "layer": file.layer,
            "targets": list(file.listed.entries),
            "problems": _told(file.listed.all_problems),
        }
        for file in files
    ]


def _told(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    return [
        {"file": problem.file or None, "where": problem.where, "problem": problem.text, "advice": problem.advice}
        for problem in problems
    ]
