"""What screens ask of the app, as data: each message is declared here once, and handled in `app.py` or `ways.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ..analysis.comparing.sides import Side
    from ..analysis.lines import Line
    from ..runners.compile.batch import Batch
    from ..runners.compile.compiler import CompileOptions, CompilePoint
    from ..runners.keeping.viewer import Viewer
    from ..runners.reading.inputs import Loaded
    from ..runners.session import Session
    from .looked_into import LookedInto


@dataclass(eq=False, repr=False)
class OpenReport(Message):
    """Read this log, run folder or artefact and show its report."""

    path: str
    replace: bool = False
    """Take the place of the screen that asks, instead of lying on top of it."""
    run: int | None = None
    """Index of the run to begin with; None for the first."""


@dataclass(eq=False, repr=False)
class OpenCompare(Message):
    """Read these and show them side by side."""

    paths: tuple[str, ...]
    asked: tuple[str, ...] = ()
    """The folder that they are all in, where that was asked for: many logs are a post-mortem then."""


@dataclass(eq=False, repr=False)
class InputsLoaded(Message):
    """A reader thread has what was asked for."""

    loaded: tuple[Loaded | LookedInto, ...]
    sides: tuple[Side, ...] = ()
    """The columns of a comparison."""
    replace: bool = False
    compare: bool = False
    lines: tuple[Line, ...] | None = None
    """The log's lines, where they are known already."""
    stopped: bool | None = None
    """Whether somebody stopped the run; None where its folder knows."""
    run: int | None = None
    """Index of the run to begin with."""


@dataclass(eq=False, repr=False)
class ReplayLog(Message):
    """Play a stored log as if it ran now."""

    path: str


@dataclass(eq=False, repr=False)
class StartSession(Message):
    """Watch this session on a job screen."""

    session: Session | Viewer
    command: str
    replace: bool = False


@dataclass(eq=False, repr=False)
class AttachRun(Message):
    """Watch a stored run that goes on."""

    path: str


@dataclass(eq=False, repr=False)
class StartCompile(Message):
    """Compile these points and watch the queue."""

    options: CompileOptions
    points: tuple[CompilePoint, ...]
    command: str


@dataclass(eq=False, repr=False)
class OpenCompile(Message):
    """Show the form for this one job, to compile it to a path."""

    options: CompileOptions
    point: CompilePoint


@dataclass(eq=False, repr=False)
class CompileChecked(Message):
    """Nothing speaks against this batch; it can be watched."""

    batch: Batch
    asked: StartCompile


@dataclass(eq=False, repr=False)
class Problem(Message):
    """Something the user asked for cannot be done: what, and what to do."""

    message: str
    hint: str = ""
