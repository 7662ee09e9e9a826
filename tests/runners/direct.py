"""A run in the process of the test: without a keeper, so that a test may look into it and change limits."""

from __future__ import annotations

from ethosu_tui.runners.kinds import plan
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.runs.folder import RunFolder, runs_root
from ethosu_tui.runners.session import Session


def direct(request: RunRequest) -> Session:
    """The session of this request, as a keeper makes it."""
    planned = plan(request)
    facts = {"on": request.on, "files": list(planned.files), **planned.facts}
    folder = RunFolder.create(runs_root(), "run", planned.job.label, **facts)
    if planned.prepare is not None:
        planned.prepare(folder)
    session = Session(planned.job, folder, str(folder.path), request.end_markers, request.kind)
    session.log_limit_bytes = request.log_limit_bytes
    return session
