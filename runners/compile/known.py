"""What a batch knows of compiles that were done before: asks the cache for its jobs, and tells it of those that it did."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from .cache import CompileCache
from .derive import Base, Derivation, Unfit
from .job import CompileJob, copy_whole
from .result import PTE, CompileResult
from .setup import Setup
from .sharing import Sharing, signature


class Known:
    """The cache, as one batch sees it."""

    def __init__(self, setup: Setup, sharing: Sharing, enabled: bool) -> None:
        self._setup = setup
        self._sharing = sharing
        self._cache = CompileCache(setup.root, enabled)

    def find_bases(self) -> list[Path]:
        """Let families go on from first jobs that would come out the same today; the run folders of these."""
        found = []
        for family in self._sharing.families:
            base = self._cache.base(self._setup.family_key(family))
            if base is not None:
                self._sharing.adopt(family, base._replace(inputs=signature(self._setup.options, self._setup.file)))
                found.append(base.folder)
        return found

    def result(self, index: int, derivation: Derivation) -> CompileResult | None:
        """A job that was done before, delivered to where it is wanted; None where it must be done."""
        began = time.monotonic()
        point = self._setup.points[index]
        result = self._cache.result(self._setup.derived_key(derivation, point))
        if result is None or result.point != point:
            return None
        pte = result.folder / PTE
        destination = self._setup.outputs[index]
        if destination is not None:
            try:
                copy_whole(pte, destination, self._setup.batch)
            except OSError:
                return None  # the job is done again, and says why it cannot be delivered
        seconds = round(time.monotonic() - began, 4)
        return replace(result, pte=str(destination or pte), cached=True, seconds=seconds)

    def keep(self, job: CompileJob, base: Base, result: CompileResult) -> None:
        """Remember a job that went well."""
        family = self._sharing.family(job.index)
        if family is None:
            return
        unchanged = signature(self._setup.options, self._setup.file) == job.inputs
        if result.route == "full" and unchanged:
            self._cache.keep_base(self._setup.family_key(family), base)
        with suppress(Unfit):
            if self._sharing.base(job.index) is not None:
                derivation = self._sharing.derivation(job.index)
                self._cache.keep_result(self._setup.derived_key(derivation, job.point), result)
