"""What happened beside the bytes of a run: a port that went and came back, a reset, a flash tool, keys that were sent.

One JSON object a line in `events.jsonl` of the run folder, each with the time of the host and the offset in the console;
the console itself holds only what the target sent.
"""

from __future__ import annotations

import contextlib
import json
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..storage import open_file

EVENTS = "events.jsonl"
_LIMIT_BYTES = 64 << 20


class EventLog:
    """Appends events to a file; without one, forgets them."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def add(self, event: str, at: float, offset: int, **facts: Any) -> None:
        """Write one event; `at` is seconds since the job began, `offset` the bytes of the console before it."""
        if self.path is None:
            return
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        entry = {"event": event, "at": round(at, 6), "offset": offset, "time": now, **facts}
        with contextlib.suppress(OSError):  # on a full disk the console says so; a remark is not worth the run
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            try:
                os.write(descriptor, json.dumps(entry).encode() + b"\n")
            finally:
                os.close(descriptor)


def read_events(path: Path) -> list[dict[str, Any]]:
    """The events of a run folder, as far as they can be read."""
    found = []
    with contextlib.suppress(OSError), open_file(path) as stream:
        for line in stream.read(_LIMIT_BYTES).splitlines():
            with contextlib.suppress(ValueError, RecursionError):
                entry = json.loads(line)
                if isinstance(entry, dict):
                    found.append(entry)
    return found
