"""The batch that a model needs: a PyTorch model goes through ExecuTorch, a graph that is one already straight to Vela."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .compile_plan import CompileOptions
from .compile_points import CompilePoint
from .compiler import CompileBatch
from .vela_direct import ENDINGS, VelaBatch

Batch = CompileBatch | VelaBatch


def batch_of(
    options: CompileOptions, points: Sequence[CompilePoint], root: Path, jobs: int = 0, cached: bool = True
) -> Batch:
    """A batch for these points, which has not begun; `jobs` run at a time (0: as many as there are processors)."""
    kind = VelaBatch if options.model.endswith(ENDINGS) else CompileBatch
    return kind(options, points, root, jobs, cached)
