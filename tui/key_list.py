"""All names of key bindings, collected from the screens and widgets themselves, for whoever writes a keymap file."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

from . import screens, widgets


class KnownKey(NamedTuple):
    """One name of a keymap file."""

    name: str
    keys: tuple[str, ...]
    does: str


def known_keys(app: type[App[Any]]) -> list[KnownKey]:
    """Every binding with a name, of the app and of all its screens and widgets, by name."""
    found: dict[str, tuple[list[str], str]] = {}
    for binding in _bindings(app):
        if binding.id is not None:
            keys, _ = found.setdefault(binding.id, ([], binding.tooltip or binding.description))
            if binding.key not in keys:
                keys.append(binding.key)
    return [KnownKey(name, tuple(keys), does) for name, (keys, does) in sorted(found.items())]


def taken_keys(known: Iterable[KnownKey], keymap: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(name, key, the other's name) where a keymap puts something on a key that another of the same screen has."""
    held: dict[tuple[str, str], list[str]] = {}
    for one in known:
        place = one.name.partition(".")[0]
        keys = keymap[one.name].split(",") if one.name in keymap else one.keys
        for key in keys:
            held.setdefault((place, key), []).append(one.name)
    return [
        (name, key, next(other for other in names if other != name))
        for (_, key), names in held.items()
        if len(names) > 1
        for name in names
        if name in keymap
    ]


def _bindings(app: type[App[Any]]) -> Iterator[Binding]:
    classes: list[type[Any]] = [app]
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            loaded = import_module(module.name)
            classes += [one for one in vars(loaded).values() if isinstance(one, type) and issubclass(one, DOMNode)]
    for one in dict.fromkeys(classes):
        yield from Binding.make_bindings(one.__dict__.get("BINDINGS", ()))
