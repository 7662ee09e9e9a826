"""All targets that can be named from a working directory, each as a `Target` or with what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...analysis.target_entries.figures import unverified_keys
from ...analysis.target_entries.inherit import Place, place_of
from ...analysis.target_entries.problem import Problem, nearest
from ..job import InputError, UsageError
from ..target import KINDS, Target
from .files import Layer, TargetFile, absolute, local_command, target_files

_FIELDS = {"clock": "clock_hz", "cpu_clock": "cpu_clock_hz"}
_OWN = frozenset(("base", "npu", "macs", "unverified", "name", "origin"))


class Catalogue:
    """The files of one working directory, and the targets that follow from them."""

    def __init__(self, files: tuple[TargetFile, ...] | None = None, cwd: Path | None = None) -> None:
        self.files = files if files is not None else target_files(cwd)
        self._listed = [file.listed for file in self.files]

    def names(self) -> Iterator[tuple[str, Layer]]:
        """Each name once, with the layer of the entry that counts."""
        seen: set[str] = set()
        for file in self.files:
            for name in file.listed.entries:
                if name not in seen:
                    seen.add(name)
                    yield name, file.layer

    def others(self, path: str) -> tuple[TargetFile, ...]:
        """The files of people, without this one."""
        return tuple(file for file in self.files if file.path and os.path.realpath(file.path) != os.path.realpath(path))

    def known(self, name: str) -> Place:
        """All that is said of a target that `names` has, sound or not."""
        return place_of(name, self._listed)

    def place(self, name: str) -> Place:
        """All that is said of a target, sound or not.

        Raises:
            UsageError: there is none of this name.
            InputError: a file that could name it cannot be read.
        """
        for file in self.files:
            if file.broken:
                raise InputError(*_told(file.listed.problems))
            if name in file.listed.entries:
                return self.known(name)
        raise _unknown(name, [known for known, _ in self.names()], self.problems())

    def target(self, name: str) -> Target:
        """The target of this name, ready to run on.

        Raises:
            UsageError: there is none of this name.
            InputError: something is wrong with its entry, or with a file that could name it.
        """
        place = self.place(name)
        if place.problems:
            raise InputError(*_told(place.problems))
        return target_of(place)

    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong with these files and with what their entries inherit, each once."""
        found = dict.fromkeys(problem for listed in self._listed for problem in listed.all_problems)
        for name, _ in self.names():
            found |= dict.fromkeys(place_of(name, self._listed).problems)
        return tuple(found)


def target_of(place: Place) -> Target:
    """The target that a sound place is.

    Raises:
        InputError: a path in it begins with a home that nobody has.
    """
    values = {_FIELDS.get(key, key): value for key, value in place.values.items() if key not in _OWN}
    values["npu_target"] = place.npu_target
    values["npu"] = place.values.get("npu")
    if place.values.get("kind") == "command":  # on another machine these are paths of that machine
        try:
            if "argv" in values:
                values["argv"] = local_command(values["argv"], Path(place.origins["argv"]).parent)
            if "cwd" in values:
                values["cwd"] = absolute(values["cwd"], Path(place.origins["cwd"]).parent)
        except RuntimeError as error:
            raise InputError(f"{place.origin}: [targets.{place.name}]: {error}", "give the path in full") from None
    return Target(name=place.name, unverified=unverified_keys(place), origin=place.origin, **values)


def _told(problems: tuple[Problem, ...]) -> tuple[str, str]:
    first, *others = problems
    more = f" (and {len(others)} more: see `ethosu-tui targets check`)" if others else ""
    return first.sentence, f"{first.advice}{more}"


def _unknown(name: str, known: list[str], problems: tuple[Problem, ...]) -> UsageError:
    near = nearest(name, (*KINDS, *known), 3)
    meant = f"did you mean {' or '.join(near)}?" if near else f"--on takes {', '.join(KINDS)}, or a target's name"
    broken = (
        f"; {len(problems)} problem{'s' if len(problems) > 1 else ''} in the files of targets: see `ethosu-tui targets check`"
        if problems
        else ""
    )
    return UsageError(
        f"{name or 'nothing'} is not a runner, and no target has that name",
        f"{meant} (`ethosu-tui targets` lists them){broken}",
    )
