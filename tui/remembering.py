"""The part of the app that has a memory: what was looked at last time is looked at again, with the keys and colours chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work

from . import messages
from .full_screen import FullScreen
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

    def begin_memory(self) -> None:
        """The app is there: say what is wrong with the user's files, and remember from now on."""
        self.memory.begin()
        if self.memory.keys:
            self._check_names()

    @work(thread=True, group="memory", exit_on_error=False)
    def _check_names(self) -> None:
        """Say which names of the keymap nothing has, and what it takes keys from; in a thread, as it looks at all screens."""
        from .key_list import known_keys, taken_keys

        known, keys = known_keys(type(self)), self.memory.keys
        unknown = sorted(keys.keys() - {one.name for one in known})
        if unknown:
            said = f"the keymap names {', '.join(unknown[:3])}, which nothing has"
            self.post_message(messages.Problem(said, "`ethosu-tui config keys` lists all names."))
        for name, key, other in taken_keys(known, keys)[:3]:
            said = f"the keymap gives {key} to {name}, and {other} has it too"
            self.post_message(messages.Problem(said, f"Give {other} another key in the same file."))

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
        self.memory.leave(screen.place for screen in self.screen_stack if isinstance(screen, FullScreen))
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
