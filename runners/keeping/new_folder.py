"""The folder of a run that is about to start, with all that is known of it before: for who asks and for a keeper's next run."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..artefacts import sha256
from ..kinds import Plan
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from ..runs.likeness import ASKED
from ..runs.series import KEY, Place


def new_folder(planned: Plan, request: RunRequest, root: Path, place: Place | None = None) -> RunFolder:
    """Make the folder below `root`; `place` is that in a series.

    Raises:
        JobError: a file cannot be read, or the folder cannot be made.
    """
    hashes = {path: sha256(path) for path in dict.fromkeys(planned.files)}
    facts = dict(planned.facts)
    versions = {"ethosu-tui": _own_version(), **facts.pop("versions", {})}
    if planned.source is None:
        facts["keeper"] = "starting"
    label = planned.job.label
    if request.argv:
        facts[ASKED] = list(request.argv)
    if place is not None:
        label = f"{place.name}, {label}"  # in front, as a long name is cut
        facts[KEY] = place.to_json()
    name = planned.artefact.path if planned.artefact is not None else request.artefact
    return RunFolder.create(
        root,
        "run",
        label,
        on=request.on,
        artefact=name,
        model=Path(name).stem if name else None,
        versions=versions,
        hashes=hashes,
        **facts,
    )


def _own_version() -> str | None:
    try:
        return version("ethosu-tui")
    except PackageNotFoundError:  # a plain checkout
        return None
