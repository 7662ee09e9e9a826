"""The lines around every screen: title, command-line twin, keys, filter, and the notice for a terminal that is too small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

from ...analysis.cleaning import clean
from ...analysis.units import format_count
from .. import glyphs
from ..jumps import JUMPS
from ..keys_in_force import key_of
from .data_table import DataTable
from .field import Field
from .said import Said
from .table_layout import align

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

KEPT = frozenset(("app.focus_next", "pane(1)", "back", "quit", "app.quit", "help", "submit", "leave", "read(2)"))
"""Actions whose keys stay when the line gets short."""
LAST_KEYS = ("app.focus_next", "pane(1)", "begin_jump", "filter", "back", "quit", "help")
"""Actions whose keys stand last; the very last keeps its place when the line gets short."""


def ordered_bindings(screen: Screen[Any]) -> list[tuple[str, ActiveBinding]]:
    """What works on a screen: its own keys in the order it declares them, then the widget's, then what is everywhere."""
    own = [binding.action for binding in screen.BINDINGS if isinstance(binding, Binding)]

    def rank(active: ActiveBinding) -> tuple[int, int]:
        action = active.binding.action
        if action in LAST_KEYS:
            return 3, LAST_KEYS.index(action)
        if active.node is screen and action in own:
            return 0, own.index(action)
        return (2 if active.node is screen.app or active.node is screen else 1), 0

    return sorted(screen.active_bindings.items(), key=lambda item: rank(item[1]))


class TitleBar(Widget):
    """Where we are, and in short how it stands."""

    DEFAULT_CSS = """
    TitleBar { dock: top; height: 1; background: $panel; padding: 0 1; }
    """

    trail: reactive[str] = reactive("")
    status: reactive[str] = reactive("")
    tone: reactive[str] = reactive("")

    def render(self) -> Content:
        status = Content.styled(self.status, f"{self.tone} bold".strip())
        room = self.size.width - status.cell_length - len("ethosu-tui") - 5
        trail = self.trail if cell_len(self.trail) <= room else align(self.trail, room, "left")
        left = Content.assemble(
            ("ethosu-tui", "$text-primary bold"), (f" {glyphs.JUMP} ", "$foreground-disabled"), trail
        )
        return Content.assemble(left, " " * max(1, self.size.width - left.cell_length - status.cell_length), status)


class CommandLine(Widget):
    """The command that does the same without the screen; `y` copies it."""

    DEFAULT_CSS = """
    CommandLine { height: 1; padding: 0 1; color: $foreground-muted; }
    CommandLine.-covered { display: none; }
    """

    command: reactive[str] = reactive("")

    def render(self) -> Content:
        if not self.command:
            return Content("")
        hint = f"  {key_of(self, 'copy_command')} copies"
        room = self.size.width - 2 - len(hint)
        shown = clean(self.command)
        return Content.assemble(("$ ", "$text-success"), align(shown, room, "left"), (hint, "$foreground-disabled"))

    async def on_click(self) -> None:
        await self.run_action("screen.copy_command")


class KeyBar(Widget):
    """The keys that work here, on one line: what does not fit is left out, from the right, but never the help key."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; background: $panel; }
    """

    _shown: Sequence[tuple[str, str, str]] = ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[Any]) -> None:
        if self.entries() != self._shown:
            self.refresh()

    def entries(self) -> list[tuple[str, str, str]]:
        """(key, description, action) of each key shown, in order."""
        if getattr(self.app, "jumping", False):
            return _jump_entries(self.size.width - 1)
        seen: dict[str, tuple[str, str, str]] = {}
        for _, active in ordered_bindings(self.screen):
            binding = active.binding
            if binding.show and active.enabled and binding.action not in seen:
                seen[binding.action] = (self.app.get_key_display(binding), binding.description, binding.action)
        entries = list(seen.values())
        room = self.size.width - 1
        while sum(_width(key, text) for key, text, _ in entries) > room:
            kept = KEPT | getattr(self.screen, "KEPT_KEYS", frozenset())
            spare = [i for i, entry in enumerate(entries) if entry[2] not in kept] or list(range(len(entries) - 1))
            if not spare:
                break
            del entries[next((i for i in spare if entries[i][2] == "begin_jump"), spare[-1])]
        return entries

    def render(self) -> Content:
        self._shown = self.entries()
        pieces = [
            Content.assemble((f" {key}", "$text-accent bold"), (f" {text}", "$foreground"))
            for key, text, _ in self._shown
        ]
        return Content("").join(pieces)

    def on_click(self, event: events.Click) -> None:
        left = 0
        for key, text, action in self.entries():
            left += _width(key, text)
            if event.x < left and getattr(self.app, "jumping", False):
                self.app.simulate_key(key if action else "escape")
                return
            if event.x < left:
                self._press(action)
                return

    def _press(self, action: str) -> None:
        for key, active in self.screen.active_bindings.items():
            if active.binding.action == action:
                self.app.simulate_key(key)
                return


def _jump_entries(room: int) -> list[tuple[str, str, str]]:
    """Where the letters behind a `g` lead."""
    entries = [(key, place.about, place.name) for key, place in JUMPS.items()]
    entries.append(("esc", "Stay", ""))
    while sum(_width(key, text) for key, text, _ in entries) > room and len(entries) > 1:
        del entries[-2]
    return entries


def _width(key: str, text: str) -> int:
    return cell_len(key) + cell_len(text) + 2


class FilterBar(Field):
    """Typed text filters the table or log that had the focus; Enter or Tab keeps the filter, Escape drops it."""

    DEFAULT_CSS = """
    FilterBar { display: none; width: 1fr; height: 1; border: none; padding: 0; background: $boost; }
    FilterBar:focus { border: none; }
    FilterBar.-open { display: block; }
    FilterBar.-none, FilterBar.-none:focus { color: $text-error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep", key_display="↵", tooltip="Keep the filter and go back to what it filters"),
        Binding("tab", "submit", "Keep", show=False),
        Binding("escape", "leave", "Drop", key_display="esc", tooltip="Drop the filter"),
    ]

    def __init__(self, done: Callable[[bool], None]) -> None:
        """`done` is called when the line is left: True to keep the filter, False to drop it."""
        self._done = done
        super().__init__(
            placeholder="filter: type a text, enter keeps it, escape drops it",
            id="filter",
            compact=True,
            select_on_focus=False,
        )

    def show(self, shown: bool) -> None:
        """Appear or go, at once: keys that were typed ahead must find it, or must not."""
        if shown == self.has_class("-open"):
            return
        changed: list[Widget] = [self, *self.screen.query(FilterLine)]
        for widget in changed:
            widget.set_class(shown, "-open", update=False)
        for command_line in self.screen.query(CommandLine):  # a display of its own would outlive a terminal too small
            changed.append(command_line.set_class(shown, "-covered", update=False))
        self.app.stylesheet.update_nodes(changed, animate=True)  # what stands in them looks the same

    async def action_submit(self) -> None:
        self._done(True)

    def action_leave(self) -> None:
        self._done(False)

    async def _on_key(self, event: events.Key) -> None:
        focused = self.screen.focused
        if focused is not self and focused is not None:  # typed ahead of the key that left this line
            event.stop()
            event.prevent_default()
            focused._forward_event(events.Key(event.key, event.character))
        elif event.key in ("enter", "tab", "escape"):  # here, in the order of the keys, and not after the next ones
            event.stop()
            event.prevent_default()
            self._done(event.key != "escape")
        else:
            await super()._on_key(event)


class FilterLine(Horizontal):
    """The filter line between its sign and what became of it, so that a kept filter is not taken for text of the screen."""

    DEFAULT_CSS = """
    FilterLine { display: none; height: 1; padding: 0 1; background: $boost; }
    FilterLine.-open { display: block; }
    FilterLine > #sign { width: 2; color: $text-accent; text-style: bold; }
    FilterLine > #found { width: auto; margin-left: 2; color: $foreground-muted; }
    """

    def __init__(self, done: Callable[[bool], None]) -> None:
        """`done` as in `FilterBar`."""
        super().__init__()
        self._done = done

    def compose(self) -> ComposeResult:
        yield Said("/", id="sign")
        yield FilterBar(self._done)
        yield Said("", id="found")

    def count(self, target: Widget | None) -> None:
        """Say how many rows of this table are shown; a log says so in its title."""
        said = ""
        if isinstance(target, DataTable) and len(target.table.rows) >= target.row_count:
            said = f"{format_count(target.row_count)} of {format_count(len(target.table.rows))} rows"
        self.query_one("#found", Said).say(said)


class TooSmall(Widget):
    """Takes the screen in a terminal under 60x16, instead of a broken layout (see app.tcss)."""

    DEFAULT_CSS = """
    TooSmall { display: none; width: 1fr; height: 1fr; content-align: center middle; text-align: center; }
    """

    def render(self) -> Content:
        size = self.app.size
        wordings = (
            f"This terminal has {size.width}x{size.height} characters.\n"
            "ethosu-tui needs 60x16 or more; better 80x24.\nMake it larger, or press q to leave.",
            f"{size.width}x{size.height} is too small:\nat least 60x16.\nq quits",
            "too small\nq quits",
            "small",
        )
        for wording in wordings:
            lines = wording.split("\n")
            if max(map(len, lines)) <= size.width and len(lines) <= size.height:
                return Content(wording)
        return Content("")
