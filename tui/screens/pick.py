"""Choose several of a list: programs, places or NPUs; what fits none of what is chosen elsewhere is dimmed and says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from ...runners.job import JobError
from ..widgets.checklist import Checklist
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .dialogs import AskScreen, Choice
from .paths import PathSuggester, check_readable

Reasons = Callable[[Sequence[str]], Mapping[str, str]]
"""Why some of these names do not fit; it may read files, so it is asked in a thread."""


class _List(Checklist):
    """Enter takes what is chosen, as in other windows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "On/off", tooltip="Turn the choice under the cursor on or off"),
        Binding("a", "all", "All", tooltip="Turn all choices on or off"),
    ]

    def choose(self) -> None:
        screen = self.screen
        if isinstance(screen, PickScreen):
            screen.action_take()


class PickScreen(ModalScreen["tuple[str, ...] | None"]):
    """Space chooses, Enter takes all that are chosen, Escape gives up; `o` adds a path where that is allowed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take"),
        Binding("o", "add", "Add a path"),
        Binding("escape", "give_up", "Cancel"),
    ]
    DEFAULT_CSS = """
    PickScreen { align: center middle; background: $background 60%; }
    PickScreen > Vertical { width: 78; max-width: 97%; height: auto; max-height: 95%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    PickScreen.-huge > Vertical { width: 120; }
    PickScreen.-flat > Vertical, PickScreen.-tiny > Vertical { max-width: 100%; max-height: 100%; border: none; }
    PickScreen Checklist { height: auto; max-height: 16; }
    PickScreen.-short Checklist { max-height: 10; }
    PickScreen #said { height: auto; min-height: 1; max-height: 4; color: $foreground-muted; }
    PickScreen #keys { height: 1; color: $foreground-disabled; }
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        chosen: Sequence[str],
        *,
        reasons: Reasons | None = None,
        paths: bool = False,
        none: str = "nothing chosen",
    ) -> None:
        """`none` says what it means that nothing is chosen; with `paths` others than the listed ones can be added."""
        super().__init__()
        self._title = title
        known = {choice.value for choice in choices}
        others = [Choice(name) for name in chosen if name not in known]
        self._choices = [*others, *choices]
        self._added = len(others)
        """How many stand before those that were offered."""
        self._chosen = tuple(chosen)
        self._reasons = reasons
        self._paths = paths
        self._none = none

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(self._title)
            labels, notes = self._shown()
            names = _List("", self._values(), self._chosen, id="list", labels=labels, notes=notes)
            names.remove_class("pane")  # the window has a frame
            yield names
            yield Said("", id="said")
            add = "o another path   " if self._paths else ""
            yield Said(f"space on/off   a all   {add}enter takes them   escape cancels", id="keys")

    def _values(self) -> list[str]:
        return [choice.value for choice in self._choices]

    def _shown(self) -> tuple[list[str], list[tuple[str]]]:
        """Names of the choices, and the note on each."""
        return [c.name or c.value for c in self._choices], [(c.note,) for c in self._choices]

    def on_mount(self) -> None:
        self._list.focus()
        self._ask_reasons()
        self._say()

    @property
    def _list(self) -> _List:
        return self.query_one("#list", _List)

    @work(thread=True, group="reasons", exclusive=True, exit_on_error=False)
    def _ask_reasons(self) -> None:
        if self._reasons is None:
            return
        try:
            found = self._reasons([choice.value for choice in self._choices])
        except JobError:  # the form says what is wrong
            return
        self.app.call_from_thread(self._refuse, found)

    def _refuse(self, reasons: Mapping[str, str]) -> None:
        if self.is_mounted:
            self._list.refuse(reasons)
            self._say()

    @on(Checklist.Marked)
    @on(DataTable.Highlighted)
    def _say(self) -> None:
        names = self._list
        count = len(names.chosen)
        said = f"{count} chosen" if count else self._none if names.names else "none is stored yet; o adds a path"
        if names.row is not None and names.row < len(names.names):
            reason = names.reason()
            said += f"\ndoes not fit: {reason}" if reason else f"\n{names.names[names.row]}" * self._paths
        self.query_one("#said", Said).say(said)

    def action_take(self) -> None:
        self.dismiss(self._list.chosen)

    def action_give_up(self) -> None:
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._paths if action == "add" else True

    @work
    async def action_add(self) -> None:
        path = await self.app.push_screen_wait(
            AskScreen(
                "A program (.pte), or a folder of compile results",
                hint="out/",
                check=check_readable,
                suggester=PathSuggester((".pte", ".bpte", ".elf", ".axf")),
            )
        )
        if not path:
            return
        chosen = (*self._list.chosen, path)
        if path not in self._list.names:
            self._choices.insert(self._added, Choice(path, "added"))
            self._added += 1
            labels, notes = self._shown()
            self._list.offer(self._values(), labels=labels, notes=notes)
        self._list.choose_names(chosen)
        self._ask_reasons()
        self._say()
