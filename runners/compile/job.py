"""One job of a batch on its way: what it holds open, why it failed, and where its program goes when it did not."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...analysis.report import Finding
from ..runs.folder import RunFolder
from ..storage import ConsoleWriter, storage_error
from . import failures
from .artefacts import deliveries, settle
from .derive import Derivation, Signature
from .points import CompilePoint
from .result import PTE, Told
from .workers import Vela


@dataclass
class CompileJob:
    """A job on its way; everything that must be closed or removed when it ends."""

    index: int
    point: CompilePoint
    folder: RunFolder
    console: ConsoleWriter
    scratch: str
    argv: tuple[str, ...]
    stages: tuple[str, ...]
    dumped: tuple[Path, Path] | None
    """Where intermediates are written and where they belong, if these differ."""
    inputs: Signature
    """The model's files as they were when the job was handed over."""
    log_fd: int = -1
    event_fd: int = -1
    spec: dict[str, Any] = field(default_factory=dict)
    """What the compiler's worker is told of it."""
    derivation: Derivation | None = None
    """What it is made of, where it does not go the whole way."""
    process: Vela | None = None
    """The process that Vela runs in for it, meanwhile."""
    began: float = field(default_factory=time.monotonic)
    heard: float = field(default_factory=time.monotonic)
    """When it last said anything (monotonic seconds)."""
    stage: int = 0
    told: Told = field(default_factory=Told)
    failed: Finding | None = None
    """What we know to have gone wrong besides what the compiler says."""

    def failure(self, code: int | None, model: str | None) -> Finding | None:
        """Why there is no program, from the exit status of its process; `model` is the user's file."""
        stage = self.stages[self.stage]
        if self.failed is not None:
            return self.failed
        if self.told.error is not None:
            if not os.path.isdir(self.scratch):
                return failures.scratch_gone(self.scratch, stage)
            return failures.explain(self.told.error, stage, model)
        try:
            settle(self.folder.path / PTE)
        except OSError as error:
            self.cannot_write(error)
            return self.failed
        if code != 0 or not (self.folder.path / PTE).is_file():
            return failures.ended(code, stage)
        return None

    def cannot_write(self, error: OSError) -> None:
        """Something of its folder could not be written: no program may stand there."""
        path = self.folder.path / PTE
        with suppress(OSError):
            path.unlink()
        said = storage_error(error, path)
        self.failed = failures.no_space(said.message, said.hint)

    def deliver(self, destination: Path | None, batch: str) -> None:
        """Put the program, and intermediates if any, where the user wants them.

        Raises:
            OSError: it could not be written; nothing partial is left under the wanted name.
        """
        for source, wanted in deliveries(self.folder.path / PTE, destination):
            copy_whole(source, wanted, batch)
        if self.dumped is not None:
            dumped, place = self.dumped
            shutil.copytree(dumped, place, dirs_exist_ok=True)


def copy_whole(source: Path, destination: Path, token: str) -> None:
    """Copy a file so that nothing partial ever stands under the wanted name.

    Raises:
        OSError: it could not be written.
    """
    partial = destination.with_name(f".{destination.name}.{token}")
    try:
        shutil.copyfile(source, partial)
        os.replace(partial, destination)
    finally:
        partial.unlink(missing_ok=True)
