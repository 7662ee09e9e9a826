"""What was found for the stylesheets of the last start, kept in a file for the next one, as Python keeps its modules.

Reading the stylesheets and looking through their rules takes a fifth of the time in which the dashboard comes up, and gives the
same each time.  It is taken from the file only where all that decides it is the same: the texts of the stylesheets in their
order, the variables of the theme, the types of the widgets, and the versions of Python and Textual.
"""

from __future__ import annotations

import io
import pickle
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.dom import DOMNode

from ...runners.kept_files import keep, kept
from . import internals

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_SHEETS = 24
MOST_STATES = 2_000
"""Of all sheets in one file."""
_LIMIT_BYTES = 4 << 20
_FORMAT = 1
"""Another number for another meaning of what is kept."""
_ROOMS = (__name__.partition(".")[0], "textual", "rich")
"""Packages whose classes a file may name."""


class Sheet(NamedTuple):
    """The stylesheets at one moment, and what was found while nothing was added to them."""

    variables: dict[str, str]
    sources: tuple[Any, ...]
    """Place, text, priority and scope of each, in order."""
    asked: dict[Any, Any]
    known: dict[Any, Any]
    parts: dict[Any, Any]


def read_sheets(name: str) -> list[Sheet]:
    """Those in the file of this name; none where it cannot be used, whatever the reason is."""
    data = kept(_file(name), _LIMIT_BYTES)
    if data is None:
        return []
    try:
        made_by, types, sheets = _Reader(io.BytesIO(data)).load()
        if made_by != _made_by() or any(one._css_type_names != names for one, names in types.items()):
            return []
        return [Sheet(*one) for one in sheets]
    except Exception:  # a damaged file, a class that is no more
        return []


def keep_sheets(name: str, sheets: Iterable[Sheet]) -> None:
    """Write the first of these, as many as are worth it; harmless where that cannot be done."""
    chosen: list[tuple[Any, ...]] = []
    states = 0
    for sheet in sheets:
        # the parts of widgets are in `parts`
        sheet = sheet._replace(known={state: one for state, one in sheet.known.items() if state[0][0] is not DOMNode})
        states += len(sheet.asked) + len(sheet.known) + len(sheet.parts)
        if len(chosen) == MOST_SHEETS or states > MOST_STATES:
            break
        chosen.append(tuple(sheet))
    types = {one: one._css_type_names for one in _types(chosen)}
    try:
        data = pickle.dumps((_made_by(), types, chosen), 5)
    except Exception:  # a class that stands in a function, a rule that holds one
        return
    keep(_file(name), data)


def _types(sheets: Iterable[tuple[Any, ...]]) -> set[Any]:
    """All types of nodes in the states of these."""
    found: set[Any] = set()
    for _, _, asked, known, parts in sheets:
        for kind in asked:
            found.add(kind[0])
        for state in (*known, *parts):
            found.update(part[0] for part in state if isinstance(part, tuple))
    return found


def _file(name: str) -> str:
    return f"styles-{name}.pickle"


def _made_by() -> tuple[object, ...]:
    return _FORMAT, sys.version, internals.INSTALLED_AS


class _Reader(pickle.Unpickler):
    """Reads a file that names nothing but classes of the packages that styles are made of."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] in _ROOMS or (module, name) == ("fractions", "Fraction"):
            found = super().find_class(module, name)
            own = (
                found.__module__ if isinstance(found, type) else ""
            )  # a name may lead through a module to another one's class
            if own.partition(".")[0] in _ROOMS or found is Fraction:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a style")
