"""Which jobs of a batch can be made out of another one's: those for the same NPU family, whose TOSA graphs are the same.

The first job of a family goes the whole way through ExecuTorch's script; the others wait for it and then need Vela only.
What is made that way equals the script's own program byte for byte, or is not made that way (`compile/derive.py`).  Where the
first one fails, the next of the family goes the whole way; one that takes very long holds nobody back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from ...analysis.targets import TARGETS
from .calibration import calibration_files
from .derive import Base, Derivation, Signature, Unfit
from .plan import CompileOptions
from .points import CompilePoint

PATIENCE_SECONDS = 3600.0
"""How long the others of a family wait for its first job; a hung one must not hold a batch."""
FAILURES = 2
"""So many jobs of a family that failed on the whole way are enough: the others no longer go one after the other."""

_HARMLESS = ("--model_input",)
"""Arguments of the script that are the same for all configurations of a batch, and name a file each."""


class Sharing:
    """The families of a batch, and how far each is."""

    def __init__(self, options: CompileOptions, points: Sequence[CompilePoint]) -> None:
        self._families = [_family(options, point) for point in points]
        self._points = tuple(points)
        self._labels = [point.label for point in points]
        self._leaders: dict[str, tuple[int, float]] = {}
        """The job that the others of a family wait for, and since when (monotonic seconds)."""
        self._bases: dict[str, Base] = {}
        self._derivations: dict[str, Derivation | Unfit] = {}
        self._failed: dict[str, list[str]] = {}
        self._late: dict[str, str] = {}

    def off(self) -> None:
        """Make nothing of another job's graphs: these jobs leave none."""
        self._families = [None] * len(self._families)

    def pick(self, waiting: list[int]) -> int | None:
        """Take the next job that need not wait for another; None where all must."""
        for place, index in enumerate(waiting):
            family = self._families[index]
            if family is None or family in self._bases or self._free(family):
                return waiting.pop(place)
            if family not in self._leaders:
                self._leaders[family] = (index, time.monotonic())
                return waiting.pop(place)
        return None

    def patience(self, waiting: Sequence[int]) -> float | None:
        """Seconds until one of these may go without the job that it waits for; None where none waits for one."""
        families = {self._families[index] for index in waiting}
        since = [began for family, (_, began) in self._leaders.items() if family in families]
        return max(0.0, min(since) + PATIENCE_SECONDS - time.monotonic()) if since else None

    def ready(self) -> None:
        """The compiler was loaded: what came before is no job's time."""
        self._leaders = {family: (index, time.monotonic()) for family, (index, _) in self._leaders.items()}

    @property
    def families(self) -> dict[str, CompilePoint]:
        """The families whose jobs can share, each with its first point."""
        first: dict[str, CompilePoint] = {}
        for family, point in zip(self._families, self._points, strict=True):
            if family is not None:
                first.setdefault(family, point)
        return first

    def family(self, index: int) -> str | None:
        """The family of a job; None where it shares with no other."""
        return self._families[index]

    def adopt(self, family: str, base: Base) -> None:
        """A job that was finished earlier is the first of its family."""
        self._bases[family] = base

    def base(self, index: int) -> Base | None:
        """What this job can be made of."""
        family = self._families[index]
        return self._bases.get(family) if family is not None else None

    def derivation(self, index: int) -> Derivation:
        """The same taken apart, once for all jobs.

        Raises:
            Unfit: nothing can be made of it.
        """
        family = self._families[index]
        assert family is not None
        found = self._derivations.get(family)
        if found is None:
            try:
                found = Derivation(self._bases[family])
            except Unfit as reason:
                found = reason
            self._derivations[family] = found
        if isinstance(found, Unfit):
            raise found
        return found

    def why_not(self, index: int) -> str | None:
        """Why a job that has no base is not made of another one's; None where it is the first of its family."""
        family = self._families[index]
        if family is None or family in self._bases:
            return None
        if family in self._late:
            return f"{self._late[family]} takes longer than {PATIENCE_SECONDS:.0f} s"
        failed = self._failed.get(family)
        return f"{failed[0]} failed" if failed else None

    def ended(self, index: int, base: Base | None) -> None:
        """A job ended; `base` is None where it failed."""
        family = self._families[index]
        if family is None:
            return
        if self._leaders.get(family, (None,))[0] == index:
            del self._leaders[family]
        if base is None:
            self._failed.setdefault(family, []).append(self._labels[index])
        elif base.told.route == "full":  # the newest: an older one may have been spoilt, or be of another model
            self._bases[family] = base
            self._derivations.pop(family, None)

    def _free(self, family: str) -> bool:
        """Whether the jobs of this family no longer wait, though none of it is done."""
        leader = self._leaders.get(family)
        if leader is not None and time.monotonic() - leader[1] >= PATIENCE_SECONDS:
            self._late[family] = self._labels[leader[0]]
        return family in self._late or len(self._failed.get(family, ())) >= FAILURES


def signature(options: CompileOptions, model: str | None) -> Signature:
    """What tells that one of the files that a compile reads was changed: the model's and those of further arguments."""
    named = [argument.partition("=")[2] for argument in options.extra if argument.partition("=")[0] in _HARMLESS]
    if options.calibration:
        named += map(str, calibration_files(Path(options.calibration)))
    return tuple(_stamp(path) for path in ([model] if model else []) + named)


def _stamp(path: str) -> tuple[str, int, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return path, -1, -1, -1
    return path, found.st_ino, found.st_size, found.st_mtime_ns


def _family(options: CompileOptions, point: CompilePoint) -> str | None:
    """Equal for points that share their TOSA graphs; None where that is not known to be so."""
    npu = TARGETS[point.target].npu
    plain = not (options.debug or options.keep_intermediates)
    harmless = all(argument.partition("=")[0] in _HARMLESS and "=" in argument for argument in options.extra)
    if npu is None or not (options.delegate and plain and harmless):
        return None
    return "ethos-u85" if npu == "ethos-u85" else "ethos-u55"
