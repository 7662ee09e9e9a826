"""The part of the app that has a memory: what was looked at last time is looked at again, with the keys and colours chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work

from . import messages
from .memory import Memory
from .navigation import Navigation

if TYPE_CHECKING:
    from .state import FirstScreen


class Remembering(Navigation):
    """An app that remembers."""

    memory: Memory

    def recall(self, root: Path) -> Memory:
        """The memory of this workspace."""
        return Memory(self, root)

    def return_to_last(self) -> None:
        """Show what was in sight when somebody left the last time, with Home below it."""
        if (place := self.memory.place) is None:
            return
        name, path = place
        if path:
            self.post_message(messages.OpenReport(path))
        else:
            self.push_screen(self.page(cast("FirstScreen", name)))

    def exit(self, *arguments: Any, **options: Any) -> None:
        from .screens.page import Page

        self.memory.leave(page for page in self.screen_stack if isinstance(page, Page))
        super().exit(*arguments, **options)

    def search_themes(self) -> None:
        self._choose_theme()

    @work
    async def _choose_theme(self) -> None:
        """Choose the colours: ours first, which are found by `dark` and `light`, then all others."""
        from .screens.dialogs import AskScreen, Choice
        from .terminal.colours import SHORT_NAMES

        names = {name: full for name, full in SHORT_NAMES.items() if name not in self.available_themes}
        about = {"dark": "for a dark terminal", "light": "for a light one", "ansi": "the terminal's own 16 colours"}
        choices = [Choice(name, about.get(name, "")) for name in names]
        choices += [
            Choice(name, "dark" if theme.dark else "light")
            for name, theme in sorted(self.available_themes.items())
            if name not in names.values()
        ]
        now = next((name for name, full in names.items() if full == self.theme), self.theme)
        chosen = await self.push_screen_wait(AskScreen("Theme", value=now, choices=choices, free=False))
        if chosen is not None:
            self.theme = names.get(chosen, chosen)

    @work
    async def action_keymap(self) -> None:
        """Choose one of the keymap files."""
        from .screens.dialogs import AskScreen, Choice

        usual = "as they come"
        choices = [Choice(usual), *(Choice(file.name, file.path) for file in self.memory.keymaps)]
        chosen = await self.push_screen_wait(
            AskScreen("Keymap", value=self.memory.keymap or usual, choices=choices, free=False)
        )
        if chosen is not None:
            self.memory.choose_keymap(None if chosen == usual else chosen)
