"""Run: choose where a program runs and with what; see the command; start it and watch it on the job screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from ...analysis.tables import Cell, Column, Table
from ...analysis.targets import TARGETS
from ...runners.job import JobError, UsageError
from ...runners.launch import launch
from ...runners.run_request import RunRequest
from .. import glyphs, messages
from ..state import Surroundings, twin
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .dialogs import AskScreen, Choice
from .page import Page
from .paths import PathSuggester, check_readable

COLUMNS = (Column("Field"), Column("Value"), Column("Meaning"))
RUNNERS = (
    Choice("fvp", "Arm's simulator of Corstone-300 or Corstone-320 with an Ethos-U"),
    Choice("host", "this machine: portable kernels, programs without an NPU part"),
    Choice("replay", "a stored log, played as if it ran now"),
)
PACES = (Choice("original", "as recorded"), Choice("instant", "all at once"))
FIELDS: dict[str, tuple[str, ...]] = {
    "fvp": ("runner", "target", "artefact", "elf", "address", "timeout"),
    "host": ("runner", "artefact", "timeout"),
    "replay": ("runner", "artefact", "pace"),
}


@dataclass(frozen=True, slots=True)
class Entered:
    """What is to be run, as typed."""

    runner: str = "fvp"
    target: str = "ethos-u55-128"
    artefact: str = ""
    elf: str = ""
    address: str = ""
    timeout: str = "600"
    pace: str = "original"

    def words(self) -> list[str]:
        """Arguments of `ethosu-tui run` that do the same."""
        if self.runner == "replay":
            return ["--on", f"replay:{self.artefact}", *(["--pace", self.pace] if self.pace != "original" else [])]
        options = {"--timeout": self.timeout}
        if self.runner == "fvp":
            options = {"--target": self.target, "--elf": self.elf, "--address": self.address, **options}
        return [self.artefact, "--on", self.runner, *(w for pair in options.items() if pair[1] for w in pair)]

    def problem(self) -> str | None:
        """What is missing or wrong, in one sentence, or None."""
        if not self.artefact:
            return f"Give the {_meaning('artefact', self.runner)}."
        wrong = check_readable(self.artefact)
        if wrong is None and self.runner != "replay":
            wrong = check_seconds(self.timeout)
        if wrong is None and self.runner == "fvp":
            wrong = check_readable(self.elf) if self.elf else None
            wrong = wrong or (check_address(self.address) if self.address else None)
        return wrong

    def request(self) -> RunRequest:
        """The same for `runners.launch`."""
        if self.runner == "replay":
            return RunRequest(f"replay:{self.artefact}", pace=self.pace)
        timeout = float(self.timeout)
        if self.runner == "host":
            return RunRequest("host", self.artefact, timeout=timeout)
        return RunRequest("fvp", self.artefact, self.target, self.elf or None, self.address or None, timeout)


def check_address(text: str) -> str | None:
    """Why this is no address, or None."""
    try:
        return None if 0 <= int(text, 0) < 1 << 32 else f"{text} does not fit in 32 bits."
    except ValueError:
        return f"{text} is not an address; write it like 0x70000000."


def check_seconds(text: str) -> str | None:
    """Why this is no time limit, or None."""
    try:
        return None if 0 < float(text) < 1e9 else "The time limit must be above 0 seconds."
    except ValueError:
        return f"{text} is not a number of seconds."


def _meaning(field: str, runner: str) -> str:
    artefact = {"fvp": "runner's ELF, or a .pte", "host": ".pte program", "replay": "stored log or run folder"}[runner]
    return {
        "runner": "where it runs",
        "target": "the NPU that the FVP models",
        "artefact": artefact,
        "elf": "for a .pte: the runner that reads it from memory",
        "address": "for a .pte: where that runner expects it, like 0x70000000",
        "timeout": "seconds that it may take",
        "pace": "how fast the log is played",
    }[field]


class RunFormScreen(Page):
    """The run form."""

    HEADING = "Run"
    ABOUT = "Choose where a program runs and with what. Enter changes the field under the cursor; x starts the run."
    CSS_PATH = "run_form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "start", "Run", tooltip="Start it"),
        Binding("enter", "edit", "Change", key_display="↵", tooltip="Change the field under the cursor"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(self, surroundings: Surroundings, entered: Entered | None = None) -> None:
        super().__init__()
        self._surroundings = surroundings
        self._entered = entered or Entered()

    def body(self) -> Iterable[Widget]:
        fields = DataTable(classes="pane", cells=False, sortable=False)
        fields.border_title = "What to run"
        yield fields
        yield Said(id="said")

    def on_mount(self) -> None:
        self._fill()
        self.query_one(DataTable).focus()

    def _fill(self) -> None:
        entered = self._entered
        rows = []
        for field in FIELDS[entered.runner]:
            value = str(getattr(entered, field))
            rows.append((Cell(field), Cell(value or "-"), Cell(_meaning(field, entered.runner), tone="dim")))
        self.query_one(DataTable).table = Table("What to run", COLUMNS, tuple(rows))
        problem = entered.problem()
        said = (
            Content.styled(problem, "$text-warning") if problem else Content.styled("x starts it", "$text-success bold")
        )
        self.query_one("#said", Said).say(said)
        self.command = twin("run", entered.words()) if entered.artefact else ""
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._entered.problem() is None if action == "start" else super().check_action(action, parameters)

    @on(DataTable.Chosen)
    def action_edit(self) -> None:
        row = self.query_one(DataTable).row
        if row is not None:
            self._ask(FIELDS[self._entered.runner][row])

    @work
    async def _ask(self, field: str) -> None:
        value = str(getattr(self._entered, field))
        choices = {
            "runner": RUNNERS,
            "pace": PACES,
            "target": tuple(Choice(t.name, t.fvp) for t in TARGETS.values() if t.fvp),
        }.get(field, ())
        checks = {"artefact": check_readable, "timeout": check_seconds}
        answer = await self.app.push_screen_wait(
            AskScreen(
                f"{field}: {_meaning(field, self._entered.runner)}",
                value=value,
                choices=choices,
                free=not choices,
                check=checks.get(field),
                suggester=PathSuggester() if field in ("artefact", "elf") else None,
            )
        )
        if answer is not None:
            self._entered = replace(self._entered, **{field: answer})
            self._fill()

    def action_start(self) -> None:
        try:
            if (problem := self._entered.problem()) is not None:
                raise UsageError(problem)
            session = launch(self._entered.request(), self._surroundings.root)
        except JobError as error:
            self.post_message(messages.Problem(f"{glyphs.BROKEN} {error.message}", error.hint))
            return
        self.post_message(messages.StartSession(session, self.command, replace=True))
