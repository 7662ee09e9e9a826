"""What the dashboard remembers from one time to the next, and the key and colour files of its user, applied to the app.

Whatever is wrong with any of these files is told once and never in the way: the app then is as if the file were not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..runners.preferences import KEYMAPS, THEMES, Preference, preferences
from ..runners.remembered import Remembered, part, state_file, text_of
from . import messages
from .endings import needed
from .theme_variables import wrong_variable

if TYPE_CHECKING:
    from textual.app import App

SAVE_SECONDS = 1.0
"""So long after a change it is written, so that ten changes are one file."""
USUAL_KEYMAP = "default"
"""The keymap that holds where none was chosen, if there is a file of this name."""
RETURNS_TO = ("compile", "run", "targets", "doctor")
"""Screens that are shown again, besides reports."""
MODIFIERS = ("ctrl", "shift", "alt", "super", "meta", "hyper")


class Memory:
    """Of one app on one workspace."""

    def __init__(self, app: App[Any], root: Path) -> None:
        self._app = app
        self._kept = Remembered(state_file(root), root)
        self._notes: list[tuple[str, str]] = []
        self._waiting = False
        if self._kept.problem:
            self._notes.append((self._kept.problem, "The dashboard starts with its default settings."))
        self.keymaps = preferences(KEYMAPS)
        self._use_themes()
        self._use_keymap(self.keymap)

    # -- values ----------------------------------------------------------------------------------------------------

    def get(self, name: str) -> Any:
        """A remembered value, of any type: files are not believed."""
        return self._kept.get(name)

    def put(self, name: str, value: Any) -> None:
        """Remember it; the file follows."""
        if self._kept.put(name, value) and not self._waiting and self._app.is_running:
            self._waiting = True
            self._app.set_timer(SAVE_SECONDS, self._save_beside)

    def _save_beside(self) -> None:
        self._waiting = False
        self._app.run_worker(self._save, thread=True, group="memory", exit_on_error=False)

    def _save(self) -> None:
        with needed():
            problem = self._kept.save()
        if problem:
            self._app.post_message(messages.Problem("Settings are not remembered", problem))

    # -- the app's life --------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """The app is there: say what is wrong with the files, and watch what is to be remembered."""
        for message, hint in self._notes:
            self._app.post_message(messages.Problem(message, hint))
        self._app.watch(self._app, "theme", lambda theme: self.put("theme", theme), init=False)

    def leave(self, places: Iterable[tuple[str, ...]]) -> None:
        """Somebody leaves the app: the screen in sight is the one to come back to."""
        known = [place for place in places if place]
        self._kept.put("screen", list(known[-1]) if known else None)

    def end(self) -> None:
        """The app is going: write what was not written yet."""
        self._kept.save()

    @property
    def place(self) -> tuple[str, str] | None:
        """The screen of the last time, as (name, path), unless it was Home or is no more."""
        found = self.get("screen")
        if not isinstance(found, list) or not 1 <= len(found) <= 2 or not all(isinstance(one, str) for one in found):
            return None
        name, path = found[0], found[1] if len(found) > 1 else ""
        if name == "report":
            return (name, path) if os.path.exists(path) else None
        return (name, "") if name in RETURNS_TO else None

    # -- colours ---------------------------------------------------------------------------------------------------

    def _use_themes(self) -> None:
        for file in preferences(THEMES):
            problem = file.problem or self._register(file)
            if problem:
                self._notes.append((f"{file.path}: {problem}", "This theme is left out."))

    def use_theme(self) -> None:
        """Take the theme that was chosen last time."""
        chosen = self.get("theme")
        if isinstance(chosen, str) and chosen in self._app.available_themes and "TEXTUAL_THEME" not in os.environ:
            self._app.theme = chosen

    def _register(self, file: Preference) -> str | None:
        """Make a theme of the file; why that cannot be done."""
        from textual.color import Color, ColorParseError
        from textual.theme import Theme

        values = dict(file.values)
        variables = values.pop("variables", {})
        dark = values.pop("dark", True)
        if not isinstance(variables, Mapping) or not isinstance(dark, bool):
            return "[variables] holds texts, and dark is true or false"
        for name, value in values.items():
            if name not in _COLOURS:
                return f"{name} is not a colour of a theme (they are {', '.join(_COLOURS)})"
            try:
                Color.parse(value if isinstance(value, str) else "")
            except ColorParseError:
                return f"{name} = {value!r} is not a colour: write it like #3388ff"
        if "primary" not in values:
            return "it has no primary colour"
        theme = Theme(name=file.name, dark=dark, **values)
        usual = {**self._app.get_theme_variable_defaults(), **theme.to_color_system().generate()}
        problem = wrong_variable(variables, usual)
        if problem is None:
            theme.variables.update(variables)
            self._app.register_theme(theme)
        return problem

    # -- keys ------------------------------------------------------------------------------------------------------

    @property
    def keymap(self) -> str | None:
        """The name of the keymap that holds."""
        chosen = self.get("keymap")
        names = [file.name for file in self.keymaps]
        return chosen if chosen in names else USUAL_KEYMAP if USUAL_KEYMAP in names and chosen != "" else None

    def choose_keymap(self, name: str | None) -> None:
        """Use this one from now on; None for the keys as they come."""
        self.put("keymap", name or "")
        self._notes.clear()
        self._use_keymap(name)
        for message, hint in self._notes:
            self._app.post_message(messages.Problem(message, hint))

    def _use_keymap(self, name: str | None) -> None:
        file = next((file for file in self.keymaps if file.name == name), None)
        keys: dict[str, str] = {}
        if file is not None:
            if file.problem:
                self._notes.append((f"{file.path} {file.problem}", "The default keys are used."))
            keys, problems = read_keys(file.values)
            if problems:
                more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
                self._notes.append((f"{file.path}: {problems[0]}{more}", "`ethosu-tui config keys` lists all names."))
        self.keys = keys
        """The keys of the keymap that holds, by the names of what they do."""
        self._app.set_keymap(keys)


_COLOURS = (
    "primary", "secondary", "warning", "error", "success", "accent", "foreground", "background", "surface", "panel", "boost"
)  # fmt: skip


def read_keys(values: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Binding names with their keys, as Textual takes them, and what is wrong with the others."""
    keys: dict[str, str] = {}
    problems: list[str] = []
    wanted = part(values.get("keys"), dict)
    problems += [f"[{name}] is ignored: keys belong in [keys]" for name in values if name != "keys"]
    for name, value in wanted.items():
        if isinstance(value, dict):
            problems.append(f'{name} has a dot too many: write "{name}.{next(iter(value), "x")}" in quotes')
            continue
        given = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        wrong = [one for one in given if not isinstance(one, str) or not is_key(one)]
        if not given or wrong:
            shown = wrong[0] if wrong else value
            problems.append(f"{name} = {shown!r} is not a key: write it like f5, ctrl+r or x")
        else:
            keys[name] = ",".join(given)
    return keys, problems


def is_key(text: str) -> bool:
    """Whether a terminal could send such a key."""
    from textual.keys import Keys

    if len(text) == 1:
        return text.isprintable() and not text.isspace() and text != ","
    *modifiers, key = text.split("+")
    if not all(one in MODIFIERS for one in modifiers):
        return False
    return (len(key) == 1 and key.isprintable()) or key in {one.value for one in Keys} or _is_name(key)


def _is_name(key: str) -> bool:
    from textual.keys import KEY_NAME_REPLACEMENTS, REPLACED_KEYS

    known = {
        *KEY_NAME_REPLACEMENTS.values(),
        *REPLACED_KEYS.values(),
        "space",
        "slash",
        "question_mark",
        "colon",
        "comma",
    }
    return key in known


def sorted_and_hidden(value: Any) -> tuple[tuple[str, bool] | None, tuple[str, ...]]:
    """How a table was arranged: the column that sorts it and whether downwards, and the columns that are hidden."""
    found = part(value, dict)
    hidden = tuple(one for one in part(found.get("hidden"), list) if isinstance(one, str))
    name = text_of(found, "sort")
    return ((name, found.get("descending") is True) if name else None), hidden
