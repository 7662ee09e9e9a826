"""Home: what goes on, what has run, where it can run, and what this machine lacks; everything else is one key away."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ...runners.job import JobError
from .. import messages
from ..dashboard import DOCTOR, Now, how_to_begin, now_going, places, tools_table
from ..full_screen import FullScreen
from ..keys_in_force import key_of, with_keys
from ..looking import Looking
from ..state import Surroundings, twin
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .home_news import LookedAt, PlacesSeen, RunsListed, ToolsChecked
from .panes import PanedPage

if TYPE_CHECKING:
    from ...runners.runs.going import Seen, Watch
    from ..stored import Stored

AGES_SECONDS = 30.0
"""How often the ages are made anew where nothing else changes."""
WIDE = 96
"""Columns of the list of runs from which on nothing in it is shortened."""
BROAD = 160
"""Columns of the terminal from which on the state of a target is told with its reason."""
LATEST_SECONDS = 1.0
"""So long at most targets and tools wait for a disk that is slow."""
PLACES_SECONDS = 5.0
"""How often the targets are looked at."""


class HomeScreen(PanedPage):
    """The dashboard."""

    HEADING = "Home"
    ORIGIN = "ethosu-tui --plain"
    PANES: ClassVar = {"going": "Now", "runs": "Runs", "targets": "Targets", "tools": "Machine", "samples": "Samples"}
    PLACE = "home"
    REMEMBERED = ("runs",)
    KEPT_KEYS = frozenset(("begin_jump", "filter", "app.page('compile')", "app.page('run')", "report"))
    ABOUT = (
        "What is running now; the stored runs of this workspace, newest first; the targets; and what this machine "
        "has. ~ marks a total of cycles that Vela estimates; the others are measured NPU cycles. Trend: the last runs "
        "of the same model on the same target with the same setup, and the change against the one before; 'first' has "
        "no earlier run. {report} opens the row under the cursor; {compare} compares the marked runs."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "app.page('compile')", "Compile", tooltip="Compile a model for one or more targets"),
        Binding("r", "app.page('run')", "Run", tooltip="Run a program, or those of marked compiles, somewhere"),
        Binding("o", "open", "Open", tooltip="Open a log, a run folder or an artefact by its path"),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open what is under the cursor"),
        Binding("v", "compare", "Compare", tooltip="Put the marked rows side by side"),
        Binding("R", "replay", "Replay", tooltip="Play the log of the row as if it ran now"),
        Binding("d", "app.page('doctor')", "Doctor", tooltip="What is installed, what is missing, how to get it"),
        Binding("f5", "reload", "Reload", show=False, tooltip="Read everything again"),
    ]

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__("runs")
        self._surroundings = surroundings
        self._looked = False
        self._paths: dict[str, tuple[str, ...]] = {"runs": (), "samples": ()}
        self._states: dict[str, str] = {}
        self._watch: Watch | None = None
        self._drawn = threading.Event()
        """Set when the stored runs are on the screen: what is less is looked at after that."""
        self._seen: Seen | None = None
        self._now = Now(now_going((), (), 0.0).table, ())
        self._listed_at = float("-inf")
        self._wide: bool | None = None
        self._looking = Looking(self._list, PLACES_SECONDS, self._look_at_places)

    def body(self) -> Iterable[Widget]:
        yield self.pane_line()
        going = DataTable(id="going", classes="pane", header=False, cells=False, sortable=False, empty="nothing runs")
        going.border_title = "Now"
        runs = DataTable(id="runs", classes="pane -picked", markable=True, empty="reading the stored runs")
        runs.border_title = "Runs"
        targets = DataTable(id="targets", classes="pane", header=False, cells=False, empty="looking")
        targets.border_title = "Targets"
        tools = DataTable(id="tools", classes="pane", header=False, cells=False, empty="checking")
        tools.border_title = "This machine"
        samples = DataTable(id="samples", classes="pane", markable=True, header=False, cells=False)
        samples.border_title = "Sample logs"
        right = Horizontal(targets, samples, tools, id="right", classes="-left-out")
        yield Vertical(Vertical(going, runs, id="left"), right, id="panes")
        yield Said(id="fold")

    def on_mount(self) -> None:
        self.command = twin("runs")
        self.table("runs").focus()
        self.call_after_refresh(self._look_around)

    def on_unmount(self) -> None:
        self._looking.end()
        self._drawn.set()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit_runs)

    def _fit_runs(self) -> None:
        """A list that became wide or narrow has other columns."""
        if self._looked and self._wide is not None and self._wide != self._is_wide():
            self.action_reload()

    def _is_wide(self) -> bool:
        return self.table("runs").size.width >= WIDE

    def _look_around(self) -> None:
        """Read the disk and look for tools, after the first frame is out, and only for a Home that is seen."""
        if self._looked or self.app.screen is not self:
            return
        self._looked = True
        self.action_reload()
        self._check_tools()
        self._looking.begin()

    def on_screen_resume(self) -> None:
        if self._looked:
            self.action_reload()
            self._looking.begin()
        else:
            self.call_after_refresh(self._look_around)

    def on_screen_suspend(self) -> None:
        self._looking.pause()

    # -- what threads bring ----------------------------------------------------------------------------------------

    @work(thread=True, group="runs", exclusive=True, exit_on_error=False)
    def action_reload(self) -> None:
        self._list(anew=True)
        self._drawn.wait(LATEST_SECONDS)
        self._look_at_places()

    def _list(self, anew: bool = False) -> None:
        """Look at the disk: once a second, in a thread of its own."""
        from ...runners.runs.going import Seen, Watch  # after the first frame
        from ..stored import sample_logs, stored_runs

        if self._watch is None:
            self._watch = Watch(self._surroundings.root)
        try:
            seen = self._watch.look(anew)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            seen = Seen([], (), True)
        now = self._surroundings.now()
        if seen.anew or now - self._listed_at >= AGES_SECONDS:
            self._listed_at = now
            self._wide = self._is_wide()
            runs = stored_runs(seen.rows, now, self._wide)
            samples = sample_logs(self._surroundings.samples) if anew else None
            self.post_message(RunsListed(runs, samples))
        if seen.anew or seen.going or (self._seen is not None and self._seen.going):
            self.post_message(LookedAt(seen))

    def _look_at_places(self) -> None:
        from ...runners.target_overview import overview

        try:
            found = places(overview(), brief=self.app.size.width < BROAD)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
        else:
            self.post_message(PlacesSeen(found))

    @work(thread=True, group="tools", exit_on_error=False)
    def _check_tools(self) -> None:
        self._drawn.wait(LATEST_SECONDS)
        self.post_message(ToolsChecked(tools_table(self._surroundings.look_for_tools())))

    @on(RunsListed)
    def _show_runs(self, event: RunsListed) -> None:
        self._states = event.runs.going
        for name, stored in (("runs", event.runs), ("samples", event.samples)):
            if stored is None:
                continue
            table = self.table(name)
            table.empty = how_to_begin(self) if name == "runs" else "no sample logs are installed"
            self._follow(table, self._paths[name], stored)
            entitle(table, f"{stored.table.title} ({len(stored.paths)})")
            self._paths[name] = stored.paths
        new = not event.runs.paths
        first = self.has_class("-new") and not new
        self.set_class(new, "-new")
        if event.samples is not None:
            count = len(event.samples.paths)
            self.query_one("#fold", Said).say(
                f"{count} sample logs come with the program: {key_of(self, 'open')} lists them"
            )
        self._say_command()
        if not new and (self.focused is None or not self.focused.display) and self._picked != "going":
            self.pick("runs")
        if new and self.focused is self.table("runs") and self._paths["samples"]:
            self.pick("samples")
        if first and self._picked == "samples":
            self.call_after_refresh(self._leave_samples)
        self.call_after_refresh(self._drawn.set)

    def _leave_samples(self) -> None:
        """With the first run the samples may be hidden, which a widget knows only once the style sheet was asked."""
        if not self.table("samples").display:
            self.pick("runs")

    def _follow(self, table: DataTable, before: tuple[str, ...], stored: Stored) -> None:
        """Show this; cursor and marks stay on the runs that they were on, whatever came above them."""
        row = table.row
        kept = before[row] if row is not None and row < len(before) else None
        marked = {before[mark] for mark in table.marks if mark < len(before)}
        if table.given == stored.table:
            return
        table.table = stored.table
        if before == stored.paths:
            return
        table.marks = {place for place, path in enumerate(stored.paths) if path in marked}
        if kept in stored.paths and row:  # on the first row the cursor waits for what comes
            table.select_row(stored.paths.index(kept))
        table.refresh()

    @on(LookedAt)
    def _show_going(self, event: LookedAt) -> None:
        self._seen = event.seen
        pages = self.navigation.parked
        own = frozenset(path for page in pages for path in page.folders)
        self._now = now_going(pages, event.seen.going, self._surroundings.now(), own)
        table = self.table("going")
        if table.given != self._now.table:
            table.table = self._now.table
        count = len(self._now.behind)
        entitle(table, f"Now ({count})")
        table.set_class(bool(count), "-some")
        if not count and table.has_focus:
            self.pick("runs")
        self.name_panes()

    @on(PlacesSeen)
    def _show_places(self, event: PlacesSeen) -> None:
        table = self.table("targets")
        if table.given != event.places.table:
            table.table = event.places.table
        self._paths["targets"] = event.places.names
        more = f", {event.places.others} known boards" if event.places.others else ""
        entitle(table, f"Targets ({len(event.places.names)}{more})")
        table.empty = f"none is named yet: {key_of(self, 'begin_jump')} t says how"
        self.name_panes()

    @on(ToolsChecked)
    def _show_tools(self, event: ToolsChecked) -> None:
        table = self.table("tools")
        table.table = event.lacks.table
        missing = event.lacks.missing
        more = f"{missing} missing, {key_of(self, DOCTOR)} says more" if missing else "all there"
        entitle(table, f"This machine: {more}")
        self.name_panes()

    def is_filled(self, name: str) -> bool:
        return name != "going" or bool(self._now.behind)

    def picked(self, name: str) -> None:
        self.query_one("#left").set_class(name not in ("going", "runs"), "-left-out")
        self.query_one("#right").set_class(name in ("going", "runs"), "-left-out")
        self._say_command()

    # -- what the row under the cursor is --------------------------------------------------------------------------

    def _row_path(self) -> str | None:
        table = self.focused
        if not isinstance(table, DataTable) or table.id not in ("runs", "samples") or table.row is None:
            return None
        paths = self._paths[table.id]
        return paths[table.row] if table.row < len(paths) else None

    def _behind(self) -> str | FullScreen | None:
        """What goes on in the row under the cursor."""
        table = self.focused
        if not isinstance(table, DataTable) or table.id != "going" or table.row is None:
            return None
        return self._now.behind[table.row] if table.row < len(self._now.behind) else None

    def _place(self) -> str | None:
        table = self.focused
        if not isinstance(table, DataTable) or table.id != "targets" or table.row is None:
            return None
        names = self._paths.get("targets", ())
        return names[table.row] if table.row < len(names) else None

    @on(DataTable.Highlighted)
    def _say_command(self) -> None:
        path, behind, place = self._row_path(), self._behind(), self._place()
        if isinstance(behind, FullScreen):
            command = behind.command
        elif (going := behind or path) in self._states:
            command = twin("runs", "attach", Path(str(going)).name)
        elif place is not None:
            command = twin("targets", "show", place)
        elif isinstance(self.focused, DataTable) and self.focused.id == "tools":
            command = twin("doctor")
        else:
            command = twin("analyze", path) if path else twin("runs")
        if command != self.command:
            self.command = command

    @on(DataTable.Chosen)
    async def _chosen(self, event: DataTable.Chosen) -> None:
        if event.table.id == "tools":
            await self.run_action("app.page('doctor')")
        else:
            self.action_report()

    def action_report(self) -> None:
        path, behind, place = self._row_path(), self._behind(), self._place()
        if isinstance(behind, FullScreen):
            self.navigation.unpark(behind)
        elif place is not None:
            self.navigation.open_target(place)
        elif (going := behind or path) in self._states and self._is_kept(str(going)):
            self.post_message(messages.AttachRun(str(going)))
        elif going is not None:
            self.post_message(messages.OpenReport(going))

    def _is_kept(self, path: str) -> bool:
        """Whether a run has a keeper, so that it can be watched from here."""
        return self._seen is None or any(one.path == path and one.keeper for one in self._seen.going)

    def action_replay(self) -> None:
        path = self._row_path()
        if path is not None:
            self.post_message(messages.ReplayLog(path))

    @property
    def marked_paths(self) -> list[str]:
        """What is marked, runs first; the run form takes programs of marked compiles from here."""
        tables = [(self._paths[name], sorted(self.table(name).marks)) for name in ("runs", "samples")]
        return [paths[row] for paths, marks in tables for row in marks if row < len(paths)]

    def action_compare(self) -> None:
        if len(self.marked_paths) < 2:
            said = with_keys(self.table("runs"), "Mark two or more rows with {mark}, then {compare} compares them.")
            self.notify(said, severity="warning", markup=False)
            return
        self.post_message(messages.OpenCompare(tuple(self.marked_paths)))

    @work
    async def action_open(self) -> None:
        from .dialogs import AskScreen, Choice
        from .paths import PathSuggester, check_openable, listed_paths

        def listing(text: str) -> list[Choice]:
            samples = self._paths["samples"]
            return listed_paths(text, beside=[Choice(path, "sample log", Path(path).name) for path in samples])

        again = self.navigation.words_left
        path = await self.app.push_screen_wait(
            AskScreen(
                "Open a log, a run folder or an artefact",
                value=again,
                hint="type a path or a part of a name, or choose below",
                check=lambda text: None if text and text == again else check_openable(text),
                suggester=PathSuggester(),
                listing=listing,
            )
        )
        if path and path == again:
            self.navigation.open_left()
        elif path:
            self.post_message(messages.OpenReport(path))


def entitle(table: DataTable, title: str) -> None:
    """Give it this title; one that it has already draws nothing."""
    if str(table.border_title) != title:
        table.border_title = title
