"""From a request to a run that can be watched: one place for the command line and the screens.

Everything that can be wrong with a request is found before a run folder exists.  Replays run in the process that asks for
them; everything else is handed to a keeper and goes on without us.
"""

from __future__ import annotations

from pathlib import Path

from .job import JobError
from .keeping.claims import check_free
from .keeping.new_folder import new_folder
from .keeping.start import start
from .keeping.viewer import Viewer
from .kinds import Plan, plan
from .run_request import RunRequest
from .runs.series import first_place
from .session import Session


def launch(request: RunRequest, root: Path) -> Session | Viewer:
    """Check the request, make the run folder below `root`, start the run, and return what it is watched by.

    Raises:
        JobError: the request makes no sense, a file or a tool is missing, or the folder cannot be made.
    """
    planned = plan(request)
    check_free(planned.request or request)
    piped = request.on == "replay:-"  # what comes through a pipe is gone unless it is kept
    if not request.store and planned.source is not None and not piped:
        return Session(planned.job, None, planned.source)
    try:
        return _stored(planned, request, root)
    except JobError as error:
        if planned.source is None or piped:
            raise
        hint = f"{error.hint}, or add --no-store: the log is a file already"
        raise JobError(error.message, hint, error.exit_code) from error


def _stored(planned: Plan, request: RunRequest, root: Path) -> Session | Viewer:
    asked = planned.request or request
    folder = new_folder(planned, request, root, first_place(asked))
    if planned.source is None:
        start(asked, folder)
        return Viewer(folder.path)
    if planned.prepare is not None:
        planned.prepare(folder)
    return Session(planned.job, folder, str(folder.path), asked.end_markers, asked.kind)
