"""Where the letters behind `g` lead: one table for the keys and for the line that names them."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where a letter leads."""

    name: str
    about: str


JUMPS: dict[str, Place] = {
    "h": Place("home", "Home"),
    "c": Place("compile", "Compile"),
    "r": Place("run", "Run"),
    "t": Place("targets", "Targets"),
    "d": Place("doctor", "Doctor"),
    "l": Place("latest", "Latest report"),
    "g": Place("first", "First row"),
}
