"""What is typed on the run form: which fields each kind of place has, what is wrong with them, and the request they make.

Nothing here needs a screen, so that a test can go through all kinds.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...analysis.targets import TARGETS
from ...runners.run_request import MOST_REPEATS, RunRequest
from ...runners.target import Target
from .paths import check_readable

FIELDS: dict[str, tuple[str, ...]] = {
    "fvp": ("runner", "target", "artefact", "elf", "address", "timeout", "repeat", "warm_up"),
    "serial": ("runner", "place", "artefact", "baud", "until", "timeout", "silence", "repeat", "warm_up"),
    "ssh": ("runner", "place", "artefact", "command", "timeout", "silence", "repeat", "warm_up"),
    "command": ("runner", "command", "artefact", "until", "timeout", "silence", "repeat", "warm_up"),
    "host": ("runner", "artefact", "timeout", "repeat", "warm_up"),
    "replay": ("runner", "artefact", "pace"),
}
NAMED: dict[str, tuple[str, ...]] = {
    "fvp": ("runner", "target", "artefact", "elf", "address", "timeout", "repeat", "warm_up"),
    "serial": ("runner", "artefact", "timeout", "silence", "repeat", "warm_up"),
    "ssh": ("runner", "artefact", "command", "timeout", "silence", "repeat", "warm_up"),
    "command": ("runner", "artefact", "timeout", "silence", "repeat", "warm_up"),
    "host": ("runner", "artefact", "timeout", "repeat", "warm_up"),
    "replay": ("runner", "pace"),
}
"""The fields of a target that has a name: the rest is in its entry."""
SEVERAL = ("runner", "target", "artefact")
"""Fields that take several values."""
_MEANINGS = {
    "runner": "where it runs",
    "target": "the NPU that the FVP models",
    "elf": "for a .pte: the runner that reads it from memory",
    "address": "for a .pte: its place there, like 0x70000000",
    "baud": "bits per second",
    "until": "a text that ends it, too",
    "timeout": "seconds that it may take",
    "silence": "seconds without output that end it",
    "pace": "how fast the log is played",
    "repeat": "how many runs; the spread of their figures is shown",
    "warm_up": "how many runs before them that do not count",
}
_ARTEFACTS = {
    "fvp": "runner's ELF, or a .pte",
    "serial": "what the board runs, for the record (may be empty)",
    "ssh": ".pte program to copy there (may be empty with a command)",
    "command": "program of the command, {artefact} (may be empty)",
    "host": ".pte program",
    "replay": "stored log or run folder",
}
_PLACES = {
    "serial": "port, like /dev/serial/by-id/... or socket://HOST:PORT",
    "ssh": "host, as your ssh knows it",
}
_COMMANDS = {
    "ssh": "what runs there (empty: executor_runner with the program)",
    "command": "what runs here, like qemu-system-arm -M mps3-an547 -kernel {elf}",
}

_TIMEOUT = "600"
_UNSAID = (("pace", "original"), ("baud", "115200"), ("repeat", "1"), ("warm_up", "0"))
"""What holds where nothing is said."""
_USUAL = ("ethos-u55-128", "ethos-u65-256", "ethos-u85-256")
"""What ExecuTorch's scripts take where an NPU is named without its size."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What is to be run, as typed."""

    runner: str = "fvp"
    """A kind, or the name of a target."""
    kind: str = ""
    """The kind of the named target; empty where `runner` is a kind."""
    target: str = "ethos-u55-128"
    artefact: str = ""
    elf: str = ""
    address: str = ""
    place: str = ""
    """The port or the host."""
    baud: str = "115200"
    command: str = ""
    until: str = ""
    timeout: str = _TIMEOUT
    silence: str = ""
    pace: str = "original"
    repeat: str = "1"
    warm_up: str = "0"
    programs: tuple[str, ...] = ()
    """All that are to run, where they are more than `artefact`, which is the first of them."""
    npus: tuple[str, ...] = ()
    """All that are to be simulated, where they are more than `target`."""
    places: tuple[tuple[str, str], ...] = ()
    """All named targets and kinds to run on, each with its kind, where they are more than `runner`."""

    @property
    def is_several(self) -> bool:
        """Whether more than one program, NPU or place was chosen."""
        return bool(self.programs or self.npus or self.places)

    def several(self, field: str) -> tuple[str, ...]:
        """All values of a field that takes several."""
        if field == "runner":
            return tuple(name for name, _ in self.places) or (self.runner,)
        if field == "target":
            return self.npus or ((self.target,) if self.target else ())
        return self.programs or ((self.artefact,) if self.artefact else ())

    @property
    def fields(self) -> tuple[str, ...]:
        """Those that count for this place; for several places, those that count for all of them, and the NPU."""
        if self.places:
            kinds = [NAMED[kind] for _, kind in self.places]
            shared = [field for field in kinds[0] if all(field in other for other in kinds)]
            with_npu = any(kind == "fvp" for _, kind in self.places) and "target" not in shared
            return (*shared[:1], *(("target",) if with_npu else ()), *shared[1:])
        return NAMED[self.kind] if self.kind else FIELDS[self.runner]

    @property
    def _kind(self) -> str:
        return self.kind or self.runner

    def meaning(self, field: str) -> str:
        """What a field is for, in a few words."""
        if field == "artefact":
            return _ARTEFACTS[self._kind]
        if field == "place":
            return _PLACES[self._kind]
        return _COMMANDS[self._kind] if field == "command" else _MEANINGS[field]

    def shown(self, field: str) -> str:
        """The value as a row shows it."""
        values = self.several(field) if field in SEVERAL else ()
        if len(values) > 1:
            from ...runners.reading.programs import program_label

            names = (program_label(one) if field == "artefact" else one for one in values)
            return f"{', '.join(names)} ({len(values)})"  # the end is kept where there is little room
        if field == "target" and not self.target and self._kind == "fvp":
            return "that of the program"
        return str(getattr(self, field))

    @property
    def on(self) -> str:
        """As `--on` takes it."""
        if self.kind:
            return self.runner
        if self.runner == "replay":
            return f"replay:{self.artefact}"
        return f"{self.runner}:{self.place}" if "place" in self.fields else self.runner

    def words(self) -> list[str]:
        """Arguments of `ethosu-tui run` that do the same."""
        words = [] if self.on.startswith("replay:") or not self._given("artefact") else [*self.several("artefact")]
        for on in self.several("runner") if self.places else (self.on,):
            words += ["--on", on]
        for npu in self.npus if "target" in self.fields else ():
            words += ["--target", npu]
        for field in ("target", "elf", "address", "baud", "until", "timeout", "silence", "pace", "repeat", "warm_up"):
            value = "" if field == "target" and self.npus else self._given(field)
            if value and (field, value) not in _UNSAID:
                words += [f"--{field.replace('_', '-')}", value]
        argv = self._given("command")
        return [*words, "--", *shlex.split(argv)] if argv else words

    def _given(self, field: str) -> str:
        return str(getattr(self, field)) if field in self.fields else ""

    @property
    def started(self) -> bool:
        """Whether enough was typed to show a command."""
        return bool(self._given("artefact") or self._given("place") or self._given("command") or self.kind)

    def problem(self) -> str | None:
        """What is missing or wrong, in one sentence, or None."""
        for field in ("place", "command"):
            needed = field == "place" or self._kind == "command"
            if field in self.fields and needed and not self._given(field):
                return f"Give {'the ' if field == 'place' else ''}{self.meaning(field)}."
        if "artefact" in self.fields and not self.artefact and self._kind in ("fvp", "host", "replay"):
            return f"Give the {self.meaning('artefact')}."
        for program in self.programs if "artefact" in self.fields else ():
            if (wrong := check_readable(program)) is not None:
                return wrong
        for field, check in CHECKS.items():
            value = self._given(field)
            wrong = check(value) if value else None
            if wrong is not None:
                return wrong
        limited = self._given("timeout") or "timeout" not in self.fields or self.kind
        return None if limited else "Give a time limit in seconds."

    def request(self) -> RunRequest:
        """The same for `runners.launch`."""
        timeout, silence, baud = self._given("timeout"), self._given("silence"), self._given("baud")
        until = self._given("until")
        return RunRequest(
            self.on,
            None if self.on.startswith("replay:") else self._given("artefact") or None,
            target=self._given("target") or None,
            elf=self._given("elf") or None,
            address=self._given("address") or None,
            timeout=float(timeout) if timeout else None,
            silence=float(silence) if silence else None,
            baud=int(baud) if baud else None,
            until=(until,) if until else (),
            argv=tuple(shlex.split(self._given("command"))),
            pace=self._given("pace") or "original",
            repeat=int(self._given("repeat") or 1),
            warm_up=int(self._given("warm_up") or 0),
        )

    def requests(self) -> tuple[RunRequest, ...]:
        """One for each program, place and NPU; a folder stands for the programs in it.  Looks at the disk.

        Raises:
            JobError: a folder cannot be listed, or holds no program.
        """
        from ...runners.reading.programs import programs_of_all
        from ...runners.several import product

        if not self.takes_many:
            return (self.request(),)
        programs = programs_of_all(self.several("artefact")) if self._given("artefact") else ()
        places = self.several("runner") if self.places else (self.on,)
        npus = self.several("target") if "target" in self.fields else ()
        return product(self.request(), programs, places, npus)

    @property
    def takes_many(self) -> bool:
        """Whether this may be more than one run of one program on one place."""
        named = self._given("artefact") and self._kind != "replay"
        return self.is_several or bool(named and os.path.isdir(os.path.expanduser(self.artefact)))


def remembered_fields(entered: Entered) -> dict[str, Any]:
    """What is remembered of a form that was started: what differs from an empty one."""
    empty = Entered()
    return {
        f.name: getattr(entered, f.name)
        for f in dataclasses.fields(entered)
        if getattr(entered, f.name) != getattr(empty, f.name)
    }


def recalled(value: object) -> Entered:
    """The form as it was remembered; what makes no sense is left out."""
    if not isinstance(value, dict):
        return Entered()
    names = {f.name for f in dataclasses.fields(Entered)}
    texts: dict[str, Any] = {n: text for n, text in value.items() if n in names and isinstance(text, str)}
    entered = Entered(**{n: text for n, text in texts.items() if n not in ("programs", "npus", "places")})
    sound = entered.kind in NAMED if entered.kind else entered.runner in FIELDS
    if not sound:
        return Entered()
    programs, npus = (value.get(name) for name in ("programs", "npus"))
    places = [one for one in _list(value.get("places")) if isinstance(one, (list, tuple)) and len(one) == 2]
    kinds = tuple((str(name), str(kind)) for name, kind in places if kind in NAMED and kind != "replay")
    return replace(
        entered,
        programs=tuple(one for one in _list(programs) if isinstance(one, str)),
        npus=tuple(one for one in _list(npus) if one in TARGETS),
        places=kinds if len(kinds) > 1 else (),
    )


def chosen(entered: Entered, field: str, values: Sequence[str], kinds: Mapping[str, str]) -> Entered:
    """The form with these values of a field that takes several; `kinds` are those of the named targets."""
    many = tuple(values) if len(values) > 1 else ()
    if many and field != "target" and not entered.is_several:
        entered = replace(entered, target="")  # each program says its own
    if field == "artefact":
        return replace(entered, artefact=values[0] if values else "", programs=many)
    if field == "target":
        return replace(entered, target=values[0] if values else "", npus=many)
    if many:
        entered = replace(entered, target="", npus=(), elf="", address="")  # each place has its own
    return replace(entered, places=tuple((name, kinds.get(name, name)) for name in many))


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def at_place(entered: Entered, runner: str, named: Target | None = None) -> Entered:
    """The same at another place: a kind, or a target with its own NPU and limits."""
    if named is None:
        return replace(entered, runner=runner, kind="", places=(), timeout=entered.timeout or _TIMEOUT)
    target = named.npu_target or next((t for t in _USUAL if t.rpartition("-")[0] == named.npu), entered.target)
    return replace(
        entered,
        runner=runner,
        kind=named.kind,
        target=target,
        npus=(),
        places=(),
        timeout="",
        silence="",
        elf=named.elf or entered.elf,
        address=named.address or entered.address,
        command="",
    )


def check_address(text: str) -> str | None:
    """Why this is no address, or None."""
    try:
        return None if 0 <= int(text, 0) < 1 << 32 else f"{text} does not fit in 32 bits."
    except ValueError:
        return f"{text} is not an address; write it like 0x70000000."


def check_seconds(text: str) -> str | None:
    """Why this is no time limit, or None."""
    try:
        return None if 0 < float(text) < 1e9 else "The time limit must be above 0 seconds."
    except ValueError:
        return f"{text} is not a number of seconds."


def check_baud(text: str) -> str | None:
    """Why this is no speed of a serial port, or None."""
    return (
        None
        if text.isascii() and text.isdigit() and 0 < int(text) < 1 << 31
        else f"{text} is not a number of bits per second."
    )


def check_count(text: str) -> str | None:
    """Why this is not a number of runs, or None."""
    sound = text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= MOST_REPEATS
    return None if sound else f"{text} is not a number of runs (at most {MOST_REPEATS:,})."


def check_repeat(text: str) -> str | None:
    """Why this is not a number of runs that count, or None."""
    return "At least one run must count." if text.strip("0") == "" else check_count(text)


def check_command(text: str) -> str | None:
    """Why this cannot be taken apart into words, or None."""
    try:
        return None if shlex.split(text) else "The command is empty."
    except ValueError as error:
        return f"The command cannot be read: {error}."


CHECKS = {
    "artefact": check_readable,
    "elf": check_readable,
    "address": check_address,
    "baud": check_baud,
    "command": check_command,
    "timeout": check_seconds,
    "silence": check_seconds,
    "repeat": check_repeat,
    "warm_up": check_count,
}
"""What a typed text must be, where it is not empty."""
