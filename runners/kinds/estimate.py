"""How long a run will take that was not started yet: what the very same files took before at the same place, or nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from pathlib import Path

from ..artefacts import sha256
from ..run_request import RunRequest
from ..runs.going import Usual, usual
from ..runs.index import Listed
from ..runs.likeness import ASKED, likeness
from . import plan


def usual_of(request: RunRequest, rows: Iterable[Listed]) -> Usual | None:
    """What earlier runs of these files took; reads the files once, so call it in a thread.

    Raises:
        JobError: the request makes no sense, or a file or a tool is missing.
    """
    planned = plan(request)
    asked = planned.request or request
    name = planned.artefact.path if planned.artefact is not None else request.artefact
    facts = {
        **planned.facts,
        "on": asked.on,
        "model": Path(name).stem if name else None,
        "host": socket.gethostname(),
        **({ASKED: list(asked.argv)} if asked.argv else {}),
        "hashes": {path: sha256(path) for path in dict.fromkeys(planned.files)},
    }
    return usual(rows, likeness("run", facts, None).files)
