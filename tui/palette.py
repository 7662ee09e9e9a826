"""What the keys of a screen do, as commands that are found by typing: nobody has to know a key to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual import on
from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.screen import Screen
from textual.worker import Worker

from .widgets.chrome import ordered_bindings

_MOMENT_SECONDS = 0.05
_ELSEWHERE = ("quit", "command_palette", "app.page(", "tab(", "pane(", "begin_jump")
"""Actions that the palette has by another name, or is."""


class Palette(CommandPalette):
    """Textual's, whose search may still go on when the palette has gone, and then fails: that is nobody's loss."""

    @classmethod
    def is_shown(cls, app: App[None]) -> bool:
        """Whether it is what the keys go to."""
        return isinstance(app.screen, CommandPalette)

    def run_worker(self, *arguments: Any, **options: Any) -> Worker[Any]:
        """As everywhere, but what fails in it does not end the app."""
        return super().run_worker(*arguments, **{**options, "exit_on_error": False})

    @on(Worker.StateChanged)
    def _search_ended(self, event: Worker.StateChanged) -> None:
        event.stop()


def commands_of(app: App[None], screen: Screen[Any]) -> Iterator[SystemCommand]:
    """One for each action that has a sentence of its own and works now; its key is said, and pressed."""
    seen = {""}
    for key, active in ordered_bindings(screen):
        binding = active.binding
        if not binding.tooltip or not active.enabled or binding.action.startswith(_ELSEWHERE):
            continue
        title = binding.description
        if title in seen:
            continue
        seen.add(title)
        shown = app.get_key_display(binding)
        yield SystemCommand(f"{title} ({shown})", binding.tooltip, partial(_press, app, key))


def left_palette(app: App[None], again: Callable[[], None]) -> bool:
    """Close the palette, which was opened while a screen was on its way, so that it does not lie below that screen.

    False where it has not come yet itself, and cannot go: `again` is called a moment later.
    """
    if not app.screen.query("CommandList"):
        app.set_timer(_MOMENT_SECONDS, again)
        return False
    app.pop_screen()
    return True


def _press(app: App[None], key: str) -> None:
    """Once the palette has gone and the pane has the keys again."""
    app.call_later(app.simulate_key, key)
