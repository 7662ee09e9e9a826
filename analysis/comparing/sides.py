"""A column of a comparison: a run, the repeats of a run, or a compile, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import CompileSummary, Finding, Run

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from .traced import Traced

Better: TypeAlias = 'Literal["lower", "higher", "none"]'


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Side(NamedTuple):
    """One column: a run of a capture, the repeats of a run, or a compile result."""

    label: str
    source: str
    kind: Literal["run", "compile"]
    run: Run | None = None
    summary: CompileSummary | None = None
    pte_bytes: int | None = None
    facts: Mapping[str, str] = _NOTHING
    """What is known of the setup beside the log (`comparing.setups.facts_of`)."""
    operators: tuple[Mapping[str, Any], ...] = ()
    """Of a compile: its operators as in ``ethosu-tui/compile/1``."""
    repeats: tuple[Run, ...] = ()
    """The runs that count where the column is a series; `run` is the first of them."""
    left_out: int = 0
    """Repeats that do not count, as they did not pass."""
    traces: tuple[Traced, ...] = ()
    """What the simulator's traces of these runs tell of operators, of as many runs as left one."""
    untraced: str = ""
    """Why a trace that is there tells nothing."""
    cause: Finding | None = None
    """The root cause of a run that did not pass."""

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs that this column stands for."""
        return self.repeats or (() if self.run is None else (self.run,))

    @property
    def target(self) -> str | None:
        """The target as precisely as it is known: "ethos-u85-128", or only the NPU."""
        if self.run is not None:
            return self.run.target.name or self.run.target.npu
        return self.summary.accelerator if self.summary is not None else None
