"""Which variables a theme file may set, and to what: all of them go into the style sheet, where one wrong word ends the app."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_AUTO = re.compile(r"auto(?: \d{1,3}%)?")
_STYLE = re.compile(r"(?:(?:not )?(?:bold|b|dim|italic|underline|reverse|strike|none|blink)(?: |$))+")


def wrong_variable(values: Mapping[Any, Any], known: Mapping[str, str]) -> str | None:
    """What is wrong with the first of these values that cannot be used; `known` has the usual ones by name."""
    for name, value in values.items():
        usual = known.get(name)
        if usual is None:
            return f"[variables] has {name!r:.60}, which no style uses"
        if not isinstance(value, str):
            return f"{name} = {value!r:.60} is not a text"
        if is_colour(usual) or usual == "initial":
            if not is_colour(value):
                return f"{name} = {value!r:.60} is not a colour: write it like #3388ff"
        elif _STYLE.fullmatch(usual):
            if not _STYLE.fullmatch(value):
                return f"{name} = {value!r:.60} is not a text style: write it like bold, or bold underline"
        elif value != usual:
            return f"{name} cannot be changed"
    return None


def is_colour(text: str) -> bool:
    """Whether the style sheet takes it for a colour."""
    from textual.color import Color, ColorParseError

    if _AUTO.fullmatch(text):
        return True
    try:
        Color.parse(text)
    except ColorParseError:
        return False
    return "\n" not in text
