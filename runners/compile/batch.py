"""The batch that a model needs: a PyTorch model goes through ExecuTorch, a graph that is one already straight to Vela."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..job import UsageError
from .compiler import CompileBatch
from .plan import CompileOptions
from .points import CompilePoint
from .vela_batch import ENDINGS, VelaBatch

Batch = CompileBatch | VelaBatch


def batch_of(
    options: CompileOptions,
    points: Sequence[CompilePoint],
    root: Path,
    jobs: int = 0,
    cached: bool = True,
    scheduler: str | None = None,
) -> Batch:
    """A batch for these points, which has not begun; `jobs` run at a time (0: as many as there are processors).

    Raises:
        UsageError: a scheduler's workers (at this address) cannot do what is asked for.
    """
    if not options.model.endswith(ENDINGS):
        return CompileBatch(options, points, root, jobs, cached, scheduler)
    if scheduler is not None:
        raise UsageError(f"{options.model} takes Vela alone, which runs on this machine", "leave --scheduler out")
    return VelaBatch(options, points, root, jobs, cached)
