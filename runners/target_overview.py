"""All targets at a glance: where each is, whether it could be used now, and who has it; nothing is opened or asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..analysis.target_entries.inherit import Place
from .job import JobError
from .keeping.claims import claim_of
from .keeping.locks import Holder
from .keeping.seen_locks import holders_seen, locked_inodes
from .run_request import RunRequest
from .targets.catalogue import Catalogue, target_of
from .targets.files import Layer
from .targets.health import Health, health


class Overseen(NamedTuple):
    """One target."""

    place: Place
    layer: Layer
    health: Health
    reachable: bool
    """Whether its entry says where it is; a shipped board has no port before somebody gives it one."""
    holders: tuple[Holder, ...] | None
    """Who has it for themselves now; None where this is not known."""
    slots: int

    @property
    def name(self) -> str:
        """As `--on` takes it."""
        return self.place.name

    @property
    def kind(self) -> str:
        """One of `KINDS`, or empty where the entry is wrong."""
        return str(self.place.values.get("kind") or "")

    @property
    def npu(self) -> str:
        """The NPU or its family, as far as it is said."""
        return str(self.place.npu_target or self.place.values.get("npu") or "")

    @property
    def where(self) -> str | None:
        """Port, host, command or file."""
        return where(self.place)


def overview(cwd: Path | None = None) -> Iterator[Overseen]:
    """Every target that can be named here: those of people first, then what could be used, then the rest."""
    catalogue = Catalogue(cwd=cwd)
    locked = locked_inodes()
    found = [seen(catalogue.known(name), layer, locked) for name, layer in catalogue.names()]
    yield from sorted(found, key=lambda one: (one.layer == "shipped", not one.reachable, one.health.ready is False))


def where(place: Place) -> str | None:
    """Where a target is, as far as its entry says."""
    values = place.values
    key = {"serial": "url", "ssh": "host", "fvp": "fvp", "replay": "log", "host": "python"}.get(values.get("kind", ""))
    if key is None:
        return " ".join(values.get("argv", ())) or None
    value = values.get(key)
    return None if value is None else str(value)


def seen(place: Place, layer: Layer, locked: frozenset[int] | None) -> Overseen:
    """One target; `locked` is what `locked_inodes` says."""
    if place.problems:
        return Overseen(place, layer, Health(False, "its entry is wrong"), False, None, 1)
    holders: tuple[Holder, ...] | None = None
    slots = 1
    try:
        target = target_of(place)
        looked = health(target)
        reachable = {
            "serial": target.url, "ssh": target.host, "command": target.argv, "replay": target.log
        }.get(target.kind, "yes") not in (None, ())  # fmt: skip
        claim = claim_of(RunRequest(place.name, place=target)) if reachable else None
        if claim is not None and claim.key != "machine":  # the slots of this machine belong to no target
            slots = claim.slots
            holders = tuple(holders_seen(claim.lock(), locked)) if locked is not None else None
    except JobError as error:
        return Overseen(place, layer, Health(False, error.message), False, None, 1)
    return Overseen(place, layer, looked, reachable, holders, slots)
