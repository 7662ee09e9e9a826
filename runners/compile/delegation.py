"""Reads what a compile wrote about its delegation, with the transposes in each partition's TOSA graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...analysis.compiles.delegation import delegation_entry
from ...analysis.tosa.reader import TosaError, read_tosa
from ...analysis.tosa.transposes import transposes

DELEGATION_DATA = "delegation.json"
_MOST_BYTES = 16 << 20


def read_delegation(folder: Path, vela: Path) -> dict[str, Any] | None:
    """The `delegation` of a job by its run folder; None where the compiler left no description.

    A partition whose TOSA graph is not there has None for its transposes.
    """
    try:
        with (folder / DELEGATION_DATA).open("rb") as stream:
            data = json.loads(stream.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    entry = delegation_entry(data)
    for part in entry["partitions"] if entry is not None else ():
        try:
            graph = read_tosa((vela / f"partition-{part['partition']}" / "out.tosa").read_bytes())
        except (OSError, TosaError):
            continue
        part["transposes_at_edges"], part["transposes_inside"] = transposes(graph)
    return entry
