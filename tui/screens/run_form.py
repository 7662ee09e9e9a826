"""Run: choose where a program runs and with what; see the command; start it and watch it on the job screen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.worker import WorkerCancelled, WorkerFailed

from ...analysis.lines import clean
from ...analysis.tables import Cell, Column, Table
from ...runners.job import JobError
from ...runners.launch import launch
from ...runners.run_request import RunRequest
from ...runners.target import Target
from .. import glyphs, messages
from ..compile_choices import said_of_run
from ..full_screen import FullScreen
from ..keys_in_force import key_of
from ..state import Surroundings, twin
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .dialogs import AskScreen, Choice
from .page import Page
from .paths import PathSuggester, listed_paths
from .run_fields import CHECKS, SEVERAL, Entered, at_place, chosen, recalled, remembered_fields

COLUMNS = (Column("Field"), Column("Value", least=24, kept="end"), Column("Meaning"))
RUNNERS = (
    Choice("fvp", "Arm's simulator of a Corstone-300 or Corstone-320"),
    Choice("serial", "a board on a serial port, here or behind a socket"),
    Choice("ssh", "a machine that your ssh reaches, as a board with Linux"),
    Choice("command", "any program on this machine: QEMU, west, docker"),
    Choice("host", "this machine, for programs without an NPU part"),
    Choice("replay", "a stored log, played as if it ran now"),
)
PACES = (Choice("original", "as recorded"), Choice("instant", "all at once"))
_PATHS = ("artefact", "elf")
_LISTED = ("runner", "pace", "target")
"""Fields that take nothing but what is listed."""


class RunFormScreen(Page):
    """The run form."""

    HEADING = "Run"
    PLACE = "run"
    ABOUT = (
        "Choose where a program runs and with what. {edit} changes the field under the cursor; {several} takes several programs, "
        "places or NPUs, and then each program runs on each place that fits it; a folder stands for the programs in it. "
        "{start} starts the runs; they take turns by the slots of their places."
    )
    CSS_PATH = "run_form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "start", "Run", tooltip="Start it"),
        Binding("enter", "edit", "Change", key_display="↵", tooltip="Change the field under the cursor"),
        Binding("m", "several", "Several", tooltip="Several programs, places or NPUs: each program runs on each"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(
        self, surroundings: Surroundings, entered: Entered | None = None, programs: Sequence[str] = ()
    ) -> None:
        """`programs` stand in the form of the last time in place of its own."""
        super().__init__()
        self._programs = tuple(programs)
        self._surroundings = surroundings
        self._given = entered
        self._entered = entered or Entered()
        self._before: tuple[Entered, str] | None = None
        """What is known of earlier runs of this very form."""
        self._targets: dict[str, Target] = {}
        self._left_out = ""
        """What of several is left out, and why."""
        self._wrong = ""
        """What keeps several from being started."""

    def body(self) -> Iterable[Widget]:
        fields = DataTable(classes="pane", cells=False, sortable=False)
        fields.border_title = "What to run"
        yield fields
        yield Said(id="said")

    def on_mount(self) -> None:
        if self._given is None:
            self._entered = self._with_marked(recalled(self._memory.get("run")))
        self._fill()
        self.query_one(DataTable).focus()
        self._looking = self._look_for_targets()

    def _with_marked(self, entered: Entered) -> Entered:
        """The form with the programs that it was opened for, or of compiles that are marked below it, where some are."""
        from .run_choices import programs_in

        pages = [page for page in self.app.screen_stack if isinstance(page, FullScreen) and page.is_mounted]
        programs = self._programs or programs_in([path for page in pages for path in page.marked_paths])
        own = replace(entered, target="", npus=())  # each was compiled for an NPU of its own
        if own.runner == "replay":  # it takes logs: a program would be played as one
            own = replace(own, runner=Entered().runner)
        return chosen(own, "artefact", programs, {}) if programs else entered

    @work(thread=True, group="targets", exclusive=True, exit_on_error=False)
    def _look_for_targets(self) -> None:
        """The named targets that have what it takes to reach them; what is wrong with a file is for `targets check`."""
        from ...runners.targets.catalogue import Catalogue

        found: dict[str, Target] = {}
        try:
            catalogue = Catalogue()
            for name, _ in catalogue.names():
                with contextlib.suppress(JobError):
                    found[name] = catalogue.target(name)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
        self._targets = {name: target for name, target in found.items() if _reachable(target)}

    def _fill(self) -> None:
        entered = self._entered
        rows = []
        for field in entered.fields:
            value = clean(entered.shown(field))
            rows.append((Cell(_name(field)), Cell(value or "-"), Cell(entered.meaning(field), tone="dim")))
        self.query_one(DataTable).table = Table("What to run", COLUMNS, tuple(rows))
        problem = entered.problem()
        if problem is None and (self._before is None or self._before[0] != entered):
            self._before = (entered, "")
            self._left_out = self._wrong = ""
            if entered.takes_many:
                self._sort_out(entered)
            else:
                self._look_back(entered)
        self._say()
        self.command = twin("run", entered.words()) if entered.started and problem is None else ""
        self.refresh_bindings()

    @on(DataTable.Highlighted)
    def _say(self) -> None:
        """Whether it can be started, how long it took before, and the whole meaning of the field under the cursor."""
        entered, row = self._entered, self.query_one(DataTable).row
        problem = entered.problem()
        start = key_of(self, "start")
        before = self._before[1] if self._before is not None and self._before[0] == entered else ""
        if problem is None and entered.takes_many:
            runs, _, before = (before or "looking at the programs").partition("; ")
            problem = self._wrong or None
        else:
            count = 1 if problem else entered.request().series_length or 1
            runs = f"{start} starts {f'{count} runs' if count > 1 else 'it'}"
        lines = [
            Content.styled(problem, "$text-warning")
            if problem
            else Content.assemble((runs, "$text-success bold"), f"; {before}" if before else "")
        ]
        if self._left_out:
            lines.append(Content.styled(self._left_out, "$text-warning"))
        if row is not None and row < len(entered.fields):
            field = entered.fields[row]
            lines.append(Content.styled(f"{_name(field)}: {entered.meaning(field)}", "$foreground-muted"))
        self.query_one("#said", Said).say(Content("\n").join(lines))

    @work(thread=True, group="before", exclusive=True, exit_on_error=False)
    def _look_back(self, entered: Entered) -> None:
        """How long the same took before; a file may be long, so beside the screen."""
        from ...runners.kinds.estimate import usual_of
        from ...runners.runs.index import listed

        with contextlib.suppress(JobError):  # the start says what is wrong
            rows = listed(self._surroundings.root)
            if rows and (known := usual_of(entered.request(), rows)) is not None:
                said = said_of_run(known, entered.request().series_length or 1)
                self.app.call_from_thread(self._show_before, entered, said)

    def _show_before(self, entered: Entered, said: str) -> None:
        if self._entered == entered:
            self._before = (entered, said)
            self._say()

    @work(thread=True, group="before", exclusive=True, exit_on_error=False)
    def _sort_out(self, entered: Entered) -> None:
        """Which of the pairs can work, and how long they took before."""
        from ...runners.runs.index import listed
        from ...runners.several import expected, sorted_out
        from .run_choices import said_left_out, said_of_several

        try:
            several = sorted_out(entered.requests())
            before = expected(several.requests, listed(self._surroundings.root))
            said = said_of_several(several, before, key_of(self, "start"))
            told = (said, said_left_out(several), "")
        except JobError as error:
            told = ("", "", clean(f"{error.message}; {error.hint}"))
        self.app.call_from_thread(self._show_several, entered, *told)

    def _show_several(self, entered: Entered, said: str, left_out: str, wrong: str) -> None:
        if self._entered == entered:
            self._before, self._left_out, self._wrong = (entered, said), left_out, wrong
            self._say()
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "several":
            return self.is_mounted and self._field_at_cursor() in SEVERAL and self._entered.runner not in ("replay",)
        return super().check_action(action, parameters)

    def _field_at_cursor(self) -> str:
        row, fields = self.query_one(DataTable).row, self._entered.fields
        return fields[row] if row is not None and row < len(fields) else ""

    @work
    async def action_several(self) -> None:
        """Choose any number of programs, places or NPUs."""
        from .pick import PickScreen
        from .run_choices import compiled_programs, reasons

        field, entered = self._field_at_cursor(), self._entered
        with contextlib.suppress(WorkerFailed, WorkerCancelled):
            await self._looking.wait()
        if field == "artefact":
            try:
                choices = compiled_programs(self._surroundings.root, self._surroundings.now())
            except JobError:  # Home says what is wrong with the workspace
                choices = []
        elif field == "target":
            choices = self._npus()
        else:
            kinds = [choice for choice in RUNNERS if choice.value in ("fvp", "host")]
            choices = [*kinds, *(Choice(name, _note(target)) for name, target in self._targets.items())]
            choices = [one for one in choices if self._kind_of(one.value) != "replay"]
        answer = await self.app.push_screen_wait(
            PickScreen(
                {"artefact": "Programs to run", "target": "NPUs that the FVP models"}.get(field, "Places to run on"),
                choices,
                entered.several(field),
                reasons=lambda names: reasons(entered, field, names),
                paths=field == "artefact",
                none="nothing chosen: that of each program" if field == "target" else "nothing chosen",
            )
        )
        if answer is None or (not answer and field == "runner"):
            return
        if field == "runner" and (len(answer) == 1 or answer[0] != entered.runner):
            entered = at_place(entered, answer[0], self._targets.get(answer[0]))
        self._entered = chosen(entered, field, answer, {name: one.kind for name, one in self._targets.items()})
        self._fill()

    def _kind_of(self, runner: str) -> str:
        named = self._targets.get(runner)
        return named.kind if named is not None else runner

    @on(DataTable.Chosen)
    def action_edit(self) -> None:
        field = self._field_at_cursor()
        if field in SEVERAL and len(self._entered.several(field)) > 1:
            self.action_several()
        elif field:
            self._ask(field)

    @work
    async def _ask(self, field: str) -> None:
        if field == "runner":  # a list without them would refuse their names
            with contextlib.suppress(WorkerFailed, WorkerCancelled):
                await self._looking.wait()
        value = str(getattr(self._entered, field))
        choices = {
            "runner": (*RUNNERS, *(Choice(name, _note(target)) for name, target in self._targets.items())),
            "pace": PACES,
            "target": self._npus(),
            "place": _ports() if self._entered.runner == "serial" else (),
        }.get(field, ())
        answer = await self.app.push_screen_wait(
            AskScreen(
                f"{_name(field)}: {self._entered.meaning(field)}",
                value=value,
                choices=choices,
                free=field not in _LISTED,
                check=_unless_empty(CHECKS[field]) if field in CHECKS else None,
                suggester=PathSuggester() if field in _PATHS else None,
                listing=self._listed if field in _PATHS else None,
            )
        )
        if answer is None:
            return
        if field == "runner":
            self._entered = at_place(self._entered, answer, self._targets.get(answer))
        else:
            typed: dict[str, Any] = {field: answer}
            if field in SEVERAL:  # one in place of several
                typed["programs" if field == "artefact" else "npus"] = ()
            self._entered = replace(self._entered, **typed)
        self._fill()

    def _listed(self, text: str) -> list[Choice]:
        """Files, and for a replay the sample logs too."""
        samples = self._surroundings.samples
        logs = sorted(samples.glob("*.log")) if samples is not None and self._entered.runner == "replay" else []
        return listed_paths(text, beside=[Choice(str(log), "sample log", log.name) for log in logs])

    def _npus(self) -> list[Choice]:
        """What the simulator can be: of one family where the place has a name."""
        from .run_choices import npu_choices

        named = self._targets.get(self._entered.runner)
        return npu_choices(named.npu if named is not None and not self._entered.places else None)

    def action_start(self) -> None:
        if problem := self._entered.problem() or self._wrong:
            self.notify(problem, title="Not yet", severity="warning", markup=False)
            return
        if self._entered.takes_many:
            self._start_all(self._entered, self.command)
            return
        try:
            session = launch(self._entered.request(), self._surroundings.root)
        except JobError as error:
            self.post_message(messages.Problem(f"{glyphs.BROKEN} {error.message}", error.hint))
            return
        self._memory.put("run", remembered_fields(self._entered))
        self.post_message(messages.StartSession(session, self.command, replace=True))

    @work(thread=True, group="start", exclusive=True, exit_on_error=False)
    def _start_all(self, entered: Entered, command: str) -> None:
        """Each run gets its folder and its keeper, which takes a moment each."""
        from ...runners.several import launch_all, sorted_out

        started: list[str] = []
        requests: tuple[RunRequest, ...] = ()
        try:
            requests = sorted_out(entered.requests()).requests
            started += [str(viewer.folder.path) for viewer in launch_all(requests, self._surroundings.root)]
        except JobError as error:
            self.post_message(messages.Problem(f"{glyphs.BROKEN} {error.message}", error.hint))
        if started:
            self.app.call_from_thread(self._memory.put, "run", remembered_fields(entered))
            self.app.call_from_thread(self._follow, started, requests[: len(started)], command)

    def _follow(self, paths: Sequence[str], requests: Sequence[RunRequest], command: str) -> None:
        if self.is_current:
            self.navigation.follow_runs(paths, requests, command)


def _name(field: str) -> str:
    """As the command line calls it."""
    return "on" if field == "runner" else field.replace("_", "-")


def _ports() -> tuple[Choice, ...]:
    """The serial ports of this machine, by the name that stays."""
    from ...runners.serial.ports import list_ports

    return tuple(
        Choice(
            port.by_id or port.device,
            clean(f"in use by {port.held_by[0]}" if port.held_by else port.description or "serial port"),
        )
        for port in list_ports()
    )


def _reachable(target: Target) -> bool:
    """A shipped board has no port and no host before an entry of the user's gives it one."""
    return {"serial": target.url, "ssh": target.host, "command": target.argv, "replay": target.log}.get(
        target.kind, "yes"
    ) not in (None, ())


def _note(target: Target) -> str:
    where = target.url or target.host or " ".join(target.argv) or target.log or ""
    return clean(f"{target.kind}: {target.title or target.npu_target or target.npu or ''} {where}".strip())


def _unless_empty(check: Callable[[str], str | None]) -> Callable[[str], str | None]:
    return lambda text: check(text) if text else None
