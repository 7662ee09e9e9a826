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
