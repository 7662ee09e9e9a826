"""A serial job that runs in a thread, for the tests of ports and of runs on them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from ethosu_tui.runners.job import Chunk, Exit, JobEvent, Progress
from ethosu_tui.runners.runs.event_log import EVENTS, read_events
from ethosu_tui.runners.serial.job import SerialJob, SerialRun

from .boards import LIMIT_SECONDS, wait_until


class Capture:
    """A job that runs in a thread, with what it gave so far."""

    def __init__(self, folder: Path, **asked: Any) -> None:
        asked.setdefault("time_limit_seconds", LIMIT_SECONDS)
        self.folder = folder
        self.job = SerialJob(SerialRun(**asked))
        self.job.keep(folder)
        self.data = b""
        self.chunks: list[Chunk] = []
        self.said: list[str] = []
        self.end: Exit | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Capture:
        self._thread.start()
        return self

    def _run(self) -> None:
        for event in self.job.run():
            self._take(event)

    def _take(self, event: JobEvent) -> None:
        if isinstance(event, Chunk):
            self.data += event.data
            self.chunks.append(event)
        elif isinstance(event, Progress):
            self.said.append(event.stage)
        elif isinstance(event, Exit):
            self.end = event

    def wait(self) -> Exit:
        self._thread.join(LIMIT_SECONDS)
        assert self.end is not None, self.said
        return self.end

    def wait_for(self, data: bytes) -> None:
        wait_until(lambda: self.data == data, f"{len(self.data)} of {len(data)} bytes")

    def events(self, *names: str) -> list[dict[str, Any]]:
        return [event for event in read_events(self.folder / EVENTS) if event["event"] in names]
