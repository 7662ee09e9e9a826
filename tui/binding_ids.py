"""Gives each key binding a name, so that a keymap file can put it on another key.

The name is the screen or widget and what the key does, as the key line says it: `home.compile`, `table.sort`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

from textual.binding import Binding, BindingType


def named(place: str, bindings: Iterable[BindingType]) -> list[BindingType]:
    """The same bindings with names; those of one action have one name."""
    found: list[BindingType] = []
    actions: dict[str, str] = {}
    for one in bindings:
        binding = one if isinstance(one, Binding) else Binding(*one)
        if binding.id is None and binding.key != "ctrl+c":  # which leaves, whatever a keymap says
            name = f"{place}.{_slug(binding.description or binding.action)}"
            taken = actions.setdefault(name, binding.action)
            if taken != binding.action:
                name = f"{place}.{_slug(binding.description)}-{_slug(binding.action)}"
            binding = dataclasses.replace(binding, id=name)
        found.append(binding)
    return found


def name_bindings(cls: type[Any], ending: str = "Screen") -> None:
    """Name those that a class declares itself; to be called before Textual collects them."""
    own = cls.__dict__.get("BINDINGS")
    if own:
        place = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__.removesuffix(ending)).lower()
        cls.BINDINGS = named(place, own)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
