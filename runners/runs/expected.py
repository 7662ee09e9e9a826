"""How long a run will take, from what the very same files took before on the same target."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import NamedTuple

from .folder import RunFolder

_MOST_FOLDERS = 500
"""The newest ones that passed are asked; each costs a small file."""


class Expected(NamedTuple):
    """The median of earlier runs that passed, and how many there were."""

    seconds: float
    runs: int


def expected(folder: RunFolder, others: Iterable[RunFolder]) -> Expected | None:
    """What the passed runs among `others` (newest first) took that had the same files, by digest, on the same target.

    None where there is no such run: a time that was measured with another model or machine would be a guess.
    """
    facts = folder.manifest
    files, target, host = _files(facts), facts.get("target"), facts.get("host")
    if not files:
        return None
    taken = []
    for place, other in enumerate(others):
        if place >= _MOST_FOLDERS:
            break
        known = other.manifest
        same = known.get("target") == target and known.get("on") == facts.get("on") and known.get("host") == host
        seconds = known.get("seconds")
        if same and other.status == "passed" and _files(known) == files and isinstance(seconds, (int, float)):
            taken.append(float(seconds))
    return Expected(statistics.median(taken), len(taken)) if taken else None


def _files(facts: dict[str, object]) -> list[str]:
    hashes = facts.get("hashes")
    return sorted(str(digest) for digest in hashes.values()) if isinstance(hashes, dict) else []
