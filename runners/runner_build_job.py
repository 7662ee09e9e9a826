"""Carries out the build of a runner: one at a time for each configuration, its log in a run folder, its result kept."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..analysis import Capture, CaptureReader, Line
from ..analysis.host.build_progress import BuildProgress, build_progress
from ..analysis.report import Report
from .artefacts import sha256
from .job import Chunk, Exit, JobError, Started
from .process import Limits, ProcessJob
from .runner_build import FORMAT, RUNNER, RunnerBuild
from .runs.folder import REPORT, RunFolder
from .storage import replace_file, storage_error


class BuildEnded(NamedTuple):
    """The last event: the ELF, or None where there is none; `capture` holds what the log says of why."""

    elf: Path | None
    sha256: str | None
    cached: bool
    capture: Capture | None
    end: Exit | None


BuildEvent = Started | Line | BuildProgress | BuildEnded


class RunnerBuildJob:
    """One build; `events()` can be iterated once, `stop()` may be called from any thread."""

    def __init__(self, build: RunnerBuild, root: Path, *, again: bool = False) -> None:
        self.build = build
        self.folder: RunFolder | None = None
        self._root = root
        self._again = again
        self._stopped = False
        self._process: ProcessJob | None = None

    def stop(self) -> None:
        """End the build; what was compiled so far is used by the next one."""
        self._stopped = True
        if self._process is not None:
            self._process.stop()

    def events(self) -> Iterator[BuildEvent]:
        """Yield the log as lines, how far it is, and one `BuildEnded`.

        Raises:
            JobError: the folders cannot be written.
        """
        build = self.build
        try:
            build.folder.mkdir(parents=True, exist_ok=True)
            lock = open(build.folder / "lock", "w")
        except OSError as error:
            raise storage_error(error, build.folder) from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # another of the same configuration: its result may be ours
            known = None if self._again else build.known()
            if known is not None:
                yield BuildEnded(build.elf, known, True, None, None)
                return
            yield from self._carry_out()

    def _carry_out(self) -> Iterator[BuildEvent]:
        build = self.build
        build.facts.unlink(missing_ok=True)
        label = f"runner for {build.options.target}"
        self.folder = RunFolder.create(
            self._root, "build", label, target=build.options.target, checkout=str(build.checkout), made_of=build.made_of
        )
        process = self._process = ProcessJob(
            ("bash", *build.argv), label=label, cwd=str(build.checkout), limits=Limits()
        )
        if self._stopped:
            process.stop()
        reader = CaptureReader(str(self.folder.path))
        end = Exit(None, "lost", 0.0)
        try:
            with self.folder.console() as console, contextlib.closing(process.run()) as events:  # type: ignore[type-var]
                for event in events:
                    if isinstance(event, Chunk):
                        console.write(event.data, event.at)
                        yield from _told(reader.feed(event.data, event.at))
                    elif isinstance(event, Exit):
                        end = event
                    elif isinstance(event, Started):
                        self.folder.update(argv=list(event.argv), cwd=event.cwd)
                        yield event
            yield from _told(reader.flush())
            yield self._result(reader, end)
        except BaseException as error:
            text = error.message if isinstance(error, JobError) else type(error).__name__
            with contextlib.suppress(JobError):
                self.folder.finish("failed", state="stopped", exit_code=None, reason="lost", text=text)
            raise

    def _result(self, reader: CaptureReader, end: Exit) -> BuildEnded:
        assert self.folder is not None
        capture = reader.finish()  # a build is no launch: how the host saw it end says nothing of a run
        elf = self._take() if end.code == 0 and end.reason == "ended" else None
        digest = None if elf is None else sha256(str(elf))
        if elf is not None:
            facts = {"format": FORMAT, "made_of": self.build.made_of, "sha256": digest, "argv": list(self.build.argv)}
            replace_file(self.build.facts, json.dumps(facts, indent=1).encode() + b"\n")
        self.folder.write_json(REPORT, Report((capture,)).to_dict())
        self.folder.finish(
            "ok" if elf is not None else "failed",
            state="stopped" if end.reason == "stopped" else "finished",
            exit_code=end.code,
            reason=end.reason,
            text=end.text,
            elf=None if elf is None else str(elf),
            seconds=round(end.seconds, 6),
        )
        return BuildEnded(elf, digest, False, capture, end)

    def _take(self) -> Path | None:
        """The newest ELF of that name below the build folder, under our name; None where the script left none."""
        found = [Path(folder) / RUNNER for folder, _, files in os.walk(self.build.output) if RUNNER in files]
        found = [path for path in found if path.read_bytes()[:4] == b"\x7fELF"]
        if not found:
            return None
        newest = max(found, key=lambda path: path.stat().st_mtime)
        partial = self.build.elf.with_suffix(".partial")
        try:
            shutil.copy2(newest, partial)
            os.replace(partial, self.build.elf)
        except OSError as error:
            raise storage_error(error, partial) from error
        return self.build.elf


def _told(lines: list[Line]) -> Iterator[Line | BuildProgress]:
    for line in lines:
        yield line
        progress = build_progress(line.text)
        if progress is not None:
            yield progress
