"""What `ethosu-tui inspect` shows of programs and TOSA graphs, one of them or the differences of two."""

from __future__ import annotations

import argparse
import os

from ...runners.artefacts import Artefact, NotKnown, identify, sha256
from ...runners.job import UsageError
from ..inspected import contents
from .inspect_profile import print_csv, remark
from .output import print_json, print_line, print_tables

KINDS = ("pte", "bpte", "tosa")
_GIVE = "give two .pte, .bpte or .tosa files; for logs use `ethosu-tui compare`, with `--operators` for their ETDumps"


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
    artefacts = [_identified(path) for path in paths]
    for artefact in artefacts:
        if artefact.kind not in KINDS:
            raise UsageError(
                f"{artefact.path} is not a program or TOSA graph ({artefact.description})",
                _GIVE,
            )
    first, second = artefacts
    if (first.kind == "tosa") != (second.kind == "tosa"):
        raise UsageError(f"{first.path} and {second.path} are not of one kind", "give two programs or two graphs")
    sides = []
    for artefact in artefacts:
        found = contents(artefact, told=remark)[1]
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


def _identified(path: str) -> Artefact:
    """What the file is; a log may hold an ETDump, and is no program all the same."""
    try:
        return identify(path)
    except NotKnown:
        raise NotKnown(f"{path} is not a program or TOSA graph", _GIVE) from None


def _short_names(first: str, second: str) -> tuple[str, str]:
    names = os.path.basename(first), os.path.basename(second)
    return names if names[0] != names[1] else (first, second)
