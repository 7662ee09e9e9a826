"""Home: what has run here, what this machine can do, and sample logs to look at; everything else is one key away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget

from ...analysis.tables import Cell, Column, Table, Tone
from ...runners.job import JobError
from ...runners.runs.index import Listed, listed
from .. import glyphs, messages
from ..state import Surroundings, twin
from ..stored import Stored, sample_logs, state_of, stored_runs
from ..widgets.data_table import DataTable
from .page import Page

GOING_SECONDS = 1.0
"""How often it is asked whether what went on is over."""
TOOL_COLUMNS = (Column("sign"), Column("name"), Column("detail"))
NO_RUNS = """no runs yet

c    compile a bundled model for one or more targets
o    open the log of a board or a simulator
tab  go to the sample logs: enter reads one, r plays it live
x    run a program on a simulator or on this machine
d    see what this machine has for that, and what it lacks"""


class HomeScreen(Page):
    """The dashboard."""

    HEADING = "Home"
    ABOUT = (
        "Runs that were compiled or run here, newest first; sample logs that come with the program; and what this "
        "machine has for compiling and running. Enter opens the report of the row, or shows a run that goes on; r replays "
        "its log as if it ran now, "
        "space marks rows and v compares them."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "app.page('compile')", "Compile", tooltip="Compile a model for one or more targets"),
        Binding("o", "open", "Open", tooltip="Open a log, a run folder or an artefact by its path"),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report of the row"),
        Binding("r", "replay", "Replay", tooltip="Play the log of the row as if it ran now"),
        Binding("x", "app.page('run')", "Run", tooltip="Run a .pte on a simulator or on this machine"),
        Binding("v", "compare", "Compare", tooltip="Put the marked rows side by side"),
        Binding("d", "app.page('doctor')", "Doctor", tooltip="What is installed, what is missing, how to get it"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between stored runs, sample logs and tools"),
        Binding("f5", "reload", "Reload", show=False, tooltip="Read the stored runs again"),
    ]

    @dataclass
    class RunsListed(Message):
        """The stored runs were read."""

        runs: Stored
        samples: Stored

    @dataclass
    class ToolsChecked(Message):
        """What is installed."""

        table: Table
        missing: int

    @dataclass
    class Failed(Message):
        """The workspace cannot be read."""

        error: JobError

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__()
        self._surroundings = surroundings
        self._listed = False
        self._looked = False
        self._paths: dict[str, tuple[str, ...]] = {"runs": (), "samples": ()}
        self._states: dict[str, str] = {}

    def body(self) -> Iterable[Widget]:
        runs = DataTable(id="runs", classes="pane", markable=True, empty="reading the stored runs")
        runs.border_title = "Stored runs"
        samples = DataTable(id="samples", classes="pane", markable=True, header=False, cells=False)
        samples.border_title = "Sample logs"
        tools = DataTable(id="tools", classes="pane", header=False, cells=False, empty="checking")
        tools.border_title = "This machine"
        yield Vertical(runs, Horizontal(samples, tools, id="lower"), id="panes")

    def on_mount(self) -> None:
        self.command = twin("runs")
        self.query_one("#runs").focus()
        self.call_after_refresh(self._look_around)
        self.set_interval(GOING_SECONDS, self._look_at_going)

    def _look_at_going(self) -> None:
        """Read the stored runs again when one that went on is over or has begun."""
        if self.app.screen is self and any(state_of(path) != state for path, state in self._states.items()):
            self.action_reload()

    def _look_around(self) -> None:
        """Read the disk and look for tools, after the first frame is out, and only for a Home that is seen."""
        if self._looked or self.app.screen is not self:
            return
        self._looked = True
        self.action_reload()
        self._check_tools()

    def on_screen_resume(self) -> None:
        if self._listed:
            self.action_reload()
        else:
            self.call_after_refresh(self._look_around)

    @work(thread=True, group="runs", exclusive=True, exit_on_error=False)
    def action_reload(self) -> None:
        folders: list[Listed] = []
        try:
            folders = listed(self._surroundings.root)
        except JobError as error:
            self.post_message(self.Failed(error))
        runs = stored_runs(folders, self._surroundings.now())
        self.post_message(self.RunsListed(runs, sample_logs(self._surroundings.samples)))

    @work(thread=True, group="tools", exit_on_error=False)
    def _check_tools(self) -> None:
        rows: list[tuple[Cell, ...]] = []
        missing = 0
        for tool in self._surroundings.look_for_tools():
            tone: Tone = "good" if tool.found else "warn"
            sign = glyphs.PASSED if tool.found else glyphs.BROKEN
            missing += not tool.found
            rows.append((Cell(sign, tone=tone), Cell(tool.name), Cell(tool.detail, tone="dim")))
        rows.sort(key=lambda cells: cells[0].text == glyphs.PASSED)  # what is missing first: the pane is small
        self.post_message(self.ToolsChecked(Table("This machine", TOOL_COLUMNS, tuple(rows)), missing))

    @on(RunsListed)
    def _show_runs(self, event: RunsListed) -> None:
        self._listed = True
        self._states = event.runs.going
        for name, stored in (("runs", event.runs), ("samples", event.samples)):
            table = self.query_one(f"#{name}", DataTable)
            table.empty = NO_RUNS if name == "runs" else "no sample logs are installed"
            table.table = stored.table
            table.border_title = f"{stored.table.title} ({len(stored.paths)})"
            self._paths[name] = stored.paths
        self._say_command()
        if not event.runs.paths and self.focused is self.query_one("#runs") and event.samples.paths:
            self.query_one("#samples").focus()

    @on(ToolsChecked)
    def _show_tools(self, event: ToolsChecked) -> None:
        table = self.query_one("#tools", DataTable)
        table.table = event.table
        said = "all there" if not event.missing else f"{event.missing} missing, d says how to get them"
        table.border_title = f"This machine: {said}"

    @on(Failed)
    def _tell(self, event: Failed) -> None:
        self.post_message(messages.Problem(event.error.message, event.error.hint))

    # -- what the row under the cursor is --------------------------------------------------------------------------

    def _row_path(self) -> str | None:
        table = self.focused
        if not isinstance(table, DataTable) or table.id not in self._paths or table.row is None:
            return None
        paths = self._paths[table.id]
        return paths[table.row] if table.row < len(paths) else None

    @on(DataTable.Highlighted)
    def _say_command(self) -> None:
        path = self._row_path()
        if path in self._states:
            self.command = twin("runs", "attach", Path(path).name)
        else:
            self.command = twin("analyze", path) if path else twin("runs")

    def on_descendant_focus(self) -> None:
        self._say_command()

    @on(DataTable.Chosen)
    async def _chosen(self, event: DataTable.Chosen) -> None:
        if event.table.id == "tools":
            await self.run_action("app.page('doctor')")
        else:
            self.action_report()

    def action_report(self) -> None:
        path = self._row_path()
        if path in self._states:
            self.post_message(messages.AttachRun(path))
        elif path is not None:
            self.post_message(messages.OpenReport(path))

    def action_replay(self) -> None:
        path = self._row_path()
        if path is not None:
            self.post_message(messages.ReplayLog(path))

    def action_compare(self) -> None:
        paths = [
            paths[row]
            for name, paths in self._paths.items()
            for row in sorted(self.query_one(f"#{name}", DataTable).marks)
            if row < len(paths)
        ]
        if len(paths) < 2:
            self.notify("Mark two or more rows with space, then v compares them.", severity="warning", markup=False)
            return
        self.post_message(messages.OpenCompare(tuple(paths)))

    @work
    async def action_open(self) -> None:
        from .dialogs import AskScreen, Choice
        from .paths import PathSuggester, check_readable

        samples = self._paths["samples"]
        path = await self.app.push_screen_wait(
            AskScreen(
                "Open a log, a run folder or an artefact",
                hint="path, → completes; or choose a sample log below",
                choices=[Choice(path, "sample log") for path in samples],
                check=check_readable,
                suggester=PathSuggester(),
            )
        )
        if path:
            self.post_message(messages.OpenReport(path))
