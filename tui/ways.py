"""The screens that there are, and how each is opened: the one module that knows them all.

Screens know none of each other. They ask for one by the methods of `Navigation` or by a message, with what it is to show.
Each is imported when it is opened, so that the first frame pays for one of them only.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual import on

from . import messages
from .beside import overview_of
from .navigation import Navigation
from .palette import Palette, left_palette

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..analysis.tables import Table
    from ..runners.reading.background import BackgroundReading
    from ..runners.reading.inputs import Loaded
    from ..runners.reading.window import LogWindow
    from ..runners.run_request import RunRequest
    from ..runners.target import Target
    from .full_screen import FullScreen
    from .state import FirstScreen


class Ways(Navigation):
    """An app with all screens."""

    def get_default_screen(self) -> FullScreen:
        from .screens.home import HomeScreen

        return HomeScreen(self.surroundings)

    def page(self, name: FirstScreen) -> FullScreen:
        if name == "compile":
            from .screens.compile import CompileScreen

            return CompileScreen(self.surroundings)
        if name == "doctor":
            from .screens.doctor import DoctorScreen

            return DoctorScreen(self.surroundings)
        if name == "targets":
            from .screens.targets import TargetsScreen

            return TargetsScreen()
        if name == "run":
            from .screens.run_form import RunFormScreen

            return RunFormScreen(self.surroundings)
        return self.get_default_screen()

    def show_screen(self, screen: FullScreen, replace: bool = False) -> None:
        """On top of the screen in front, or in its place."""
        if Palette.is_shown(self) and not left_palette(self, partial(self.show_screen, screen, replace)):
            return
        if replace:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    # -- what a screen leads to ------------------------------------------------------------------------------------

    def open_run_form(self, *, target: Target | None = None, programs: Sequence[str] = ()) -> None:
        from .screens.run_fields import Entered, at_place
        from .screens.run_form import RunFormScreen

        entered = at_place(Entered(), target.name, target) if target is not None else None
        self.show_screen(RunFormScreen(self.surroundings, entered, programs))

    def open_target(self, name: str) -> None:
        from .screens.targets import TargetsScreen

        self.show_screen(TargetsScreen(name))

    def open_report(
        self,
        loaded: Loaded,
        *,
        window: LogWindow | None = None,
        close: Callable[[], None] | None = None,
        replace: bool = False,
    ) -> None:
        from .screens.report import ReportScreen

        self.show_screen(ReportScreen(loaded, window=window, close=close), replace)

    def open_trends(
        self,
        tables: Sequence[Table],
        label: str,
        command: str,
        open_run: Callable[[str, int], None],
        so_far: int | None,
    ) -> None:
        from .screens.trends import TrendsScreen

        self.show_screen(TrendsScreen(tables, label, command, open_run, so_far))

    def follow_runs(self, paths: Sequence[str], requests: Sequence[RunRequest], command: str) -> None:
        from .screens.runs_queue import RunsQueueScreen

        self.show_screen(RunsQueueScreen(self.surroundings, paths, requests, command), replace=True)

    @on(messages.StartSession)
    def _watch_session(self, event: messages.StartSession) -> None:
        from .screens.job import JobScreen

        self.show_screen(JobScreen(event.session, event.command), event.replace)

    @on(messages.CompileChecked)
    def _watch_compile(self, event: messages.CompileChecked) -> None:
        from .screens.batch import BatchScreen

        asked = event.asked
        self.show_screen(BatchScreen(event.batch, asked.points, asked.options.model, asked.command, asked.options))

    @on(messages.OpenCompile)
    def _open_compile(self, event: messages.OpenCompile) -> None:
        from .screens.compile import CompileScreen

        self.push_screen(CompileScreen(self.surroundings, event.options, event.point))

    # -- what shows an input ---------------------------------------------------------------------------------------

    def show_reading(self, paths: Sequence[str]) -> None:
        """Say that these are read, until something takes that screen's place."""
        from .screens.reading import ReadingScreen

        self.push_screen(ReadingScreen(paths))

    @property
    def shows_reading(self) -> bool:
        """Whether the screen in front only says that something is read."""
        from .screens.reading import ReadingScreen

        return isinstance(self.screen, ReadingScreen)

    def overview(
        self, paths: Sequence[str], reading: BackgroundReading | None, asked: Sequence[str]
    ) -> FullScreen | None:
        """What shows these while they are read (see `overview_of`); None where they are read at once.

        Raises:
            OSError: there is no process or no temporary file to be had.
        """
        overview = overview_of(paths, reading, asked)
        if overview == "capture":
            from .screens.overview import OverviewScreen

            return OverviewScreen(paths[0], reading)
        if overview == "logs":
            from .screens.post_mortem import PostMortemScreen

            return PostMortemScreen(paths, asked)
        return None

    def screen_of(self, event: messages.InputsLoaded) -> FullScreen:
        """What shows inputs: columns for several, a report for a log, run or compile, tables for everything else."""
        from .looked_into import LookedInto

        if event.compare:
            from .screens.compare import CompareScreen

            return CompareScreen(event.sides)
        loaded = event.loaded[0]
        if isinstance(loaded, LookedInto):
            from .screens.artefact import ArtefactScreen

            return ArtefactScreen(loaded)
        from .screens.report import ReportScreen

        runs = loaded.capture.runs if loaded.capture is not None else ()
        first = next((number for number, one in enumerate(runs) if one.index == event.run), 0)
        return ReportScreen(loaded, lines=event.lines, stopped=event.stopped, run=first)
