"""One entry `[targets.NAME]` of a file: which keys there are, and what they say.

A key has the name of the field that it becomes, except `npu` (with or without `macs`) and `clock`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..compiles.vendor_configs import VENDOR_CONFIGS, VENDOR_MEMORY_MODES
from ..meaning.boards import BOARDS
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..targets import ETHOS_U_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS
from . import values as read
from .problem import Problem, one_of, quoted

if TYPE_CHECKING:
    from typing import Any

KINDS = ("fvp", "serial", "ssh", "command", "host", "replay")
"""The same as `runners.targets.KINDS`; a test compares them."""
NPUS = tuple(dict.fromkeys(target.npu for target in ETHOS_U_TARGETS if target.npu))
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_MOST_ENTRIES = 500
_MOST_PROBLEMS = 50
"""Of one entry, or of a file beside its entries: looking for what was meant takes its time."""
_ANY = KINDS
_HELD = ("fvp", "serial", "ssh", "command")
_LIVE = (*_HELD, "host")


class Key(NamedTuple):
    """One key: what reads its value, for which kinds it is (others would pass over it in silence), and what it means."""

    read: Callable[[object], object]
    kinds: tuple[str, ...]
    meaning: str


KEYS: dict[str, Key] = {
    "kind": Key(read.choice(KINDS), _ANY, "how it is reached: fvp, serial, ssh, command, host, replay"),
    "base": Key(read.text, _ANY, "the target whose settings this one takes over"),
    "title": Key(read.text, _ANY, "what it is called"),
    "board": Key(read.choice(BOARDS), _ANY, "entry of the board data: NPU, clocks and memories with their sources"),
    "npu": Key(read.choice((*NPUS, *(t.name for t in ETHOS_U_TARGETS))), _ANY, "ethos-u55-128, or a family with macs"),
    "macs": Key(read.whole(1, 1 << 20), _ANY, "multiply-accumulates a cycle of the NPU"),
    "clock": Key(read.clock, _ANY, "of the NPU, to turn its cycles into time"),
    "cpu_clock": Key(read.clock, _ANY, "of the CPU"),
    "memories": Key(read.sizes, _ANY, "by name, in place of those of the board"),
    "system_config": Key(read.choice((*SYSTEM_CONFIGS, *VENDOR_CONFIGS)), _ANY, "that the runner there was built for"),
    "memory_mode": Key(read.choice((*MEMORY_MODES, *VENDOR_MEMORY_MODES)), _ANY, "that the runner was built for"),
    "elf": Key(read.text, _HELD, "the runner, for programs that are put beside it"),
    "address": Key(read.address, _HELD, "where that runner looks for the program"),
    "fvp": Key(read.text, ("fvp",), "executable or folder of the FVP"),
    "fvp_args": Key(read.texts, ("fvp",), "more arguments of the FVP"),
    "fast": Key(read.boolean, ("fvp",), "whether the NPU is modelled without its timing"),
    "trace": Key(read.boolean, ("fvp",), "whether the trace of the NPU is kept"),
    "semihosting": Key(read.boolean, ("fvp",), "whether the runner reads program and inputs as files"),
    "url": Key(read.url, ("serial",), "device, /dev/serial/by-id/..., socket://, rfc2217://, spy://"),
    "baud": Key(read.whole(50, 20_000_000), ("serial",), "bits a second"),
    "appear_seconds": Key(read.seconds, ("serial",), "how long a port that is not there yet is waited for"),
    "host": Key(read.host, ("ssh",), "alias of ~/.ssh/config, or user@host"),
    "remote_folder": Key(read.text, ("ssh",), "folder on that machine"),
    "send": Key(read.texts, ("ssh",), "files that go there beside the artefact"),
    "fetch": Key(read.texts, ("ssh",), "files that are brought back afterwards"),
    "argv": Key(read.words, ("command", "ssh"), "what runs, as a list of words"),
    "cwd": Key(read.text, ("command", "ssh"), "folder that the command runs in"),
    "pty": Key(read.boolean, ("command",), "whether the command gets a terminal"),
    "python": Key(read.text, ("host",), "the Python that has ExecuTorch"),
    "log": Key(read.text, ("replay",), "the stored log"),
    "flash": Key(read.words, ("serial",), "command before the run, its output kept"),
    "reset": Key(read.reset, ("serial",), "command that resets the board, or dtr or rts for a line of the port"),
    "before": Key(read.words, ("serial",), "command before the run"),
    "after": Key(read.words, ("serial",), "command after it"),
    "until": Key(
        read.texts, ("serial", "command", "ssh"), "texts that end the run, beside the runner's own end markers"
    ),
    "timeout_seconds": Key(read.seconds, _LIVE, "time limit of a run"),
    "silence_seconds": Key(read.seconds, _LIVE, "silence that ends a run"),
    "grace_seconds": Key(read.seconds, ("ssh", "command"), "between being asked to end and being killed"),
    "max_log_bytes": Key(read.whole(1, 1 << 50), _LIVE, "bytes of console at which a run is ended"),
    "slots": Key(read.whole(1, 4096), _ANY, "runs at once"),
    "source": Key(read.text, _ANY, "who says so"),
    "unverified": Key(read.texts, _ANY, "keys of this entry that nobody has checked"),
}
"""In the order in which they are shown."""


class Entry(NamedTuple):
    """What one entry says itself, without what it inherits."""

    name: str
    values: dict[str, Any]
    """By key, as read."""
    problems: tuple[Problem, ...] = ()
    file: str = ""
    """Where it stands; empty for one that comes with the program."""

    @property
    def origin(self) -> str:
        """The file, or `shipped`."""
        return self.file or "shipped"


class Listed(NamedTuple):
    """All entries of one file, sound or not, and what is wrong with the file beside them."""

    file: str
    entries: dict[str, Entry]
    problems: tuple[Problem, ...] = ()

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Those of the entries too."""
        return (*self.problems, *(problem for entry in self.entries.values() for problem in entry.problems))


def read_file(document: Mapping[str, object], file: str, prefix: str = "") -> Listed:
    """The entries of a parsed file; `prefix` stands before `targets` where they lie deeper (`tool.ethosu-tui.`)."""
    problems = [
        Problem(f"[{prefix}{shown(name)}]" if isinstance(value, dict) else f"{prefix}{shown(name)}",
                "is not read here", one_of(name, ("targets",)), file)
        for name, value in list(document.items())[:_MOST_PROBLEMS]
        if name not in ("targets", "dashboard")
    ]  # fmt: skip
    tables = document.get("targets", {})
    if not isinstance(tables, dict):
        text = f"{quoted(tables)} is not a table of targets"
        return Listed(file, {}, (*problems, Problem(f"{prefix}targets", text, "write [targets.NAME]", file)))
    entries: dict[str, Entry] = {}
    if len(tables) > _MOST_ENTRIES:
        text = f"has {len(tables)} targets, of which {_MOST_ENTRIES} are read"
        problems.append(Problem(f"[{prefix}targets]", text, "split the file, or take some away", file))
    for name, table in list(tables.items())[:_MOST_ENTRIES]:
        where = f"[{prefix}targets.{shown(name)}]"
        wrong = name_problem(name)
        if wrong is not None:
            problems.append(Problem(where, *wrong, file))
        else:
            entries[name] = read_entry(name, table, file, where)
    return Listed(file, entries, tuple(problems))


def name_problem(name: str) -> tuple[str, str] | None:
    """What is wrong with the name of a target, and what to do; None for a good one."""
    if name in KINDS:
        return "is the name of a kind of place, and --on would take it as that", f"call it my-{name}, for example"
    if _NAME.fullmatch(name) is None:
        return (
            "is not a valid name for a target",
            "use at most 64 small letters, digits, dots, dashes and underscores, the first a letter or digit",
        )
    return None


def read_entry(name: str, table: object, file: str = "", where: str = "") -> Entry:
    """One entry; what is wrong with it is kept beside what is right."""
    where = where or f"[targets.{shown(name)}]"
    if not isinstance(table, dict):
        advice = f'write [targets.{name}] and below it kind = "..."'
        return Entry(name, {}, (Problem(where, f"{quoted(table)} is not a table", advice, file),), file)
    values: dict[str, object] = {}
    problems: list[Problem] = []
    for key, value in table.items():
        if len(problems) >= _MOST_PROBLEMS:
            problems.append(Problem(where, "has more problems, which are not listed", "correct these first", file))
            break
        known = KEYS.get(key)
        if known is None:
            problems.append(Problem(f"{where} {shown(key)}", "is not a key of a target", _meant(key), file))
            continue
        try:
            values[key] = known.read(value)
        except read.Wrong as wrong:
            problems.append(Problem(f"{where} {key}", wrong.text, wrong.advice, file))
    for key in list(values.get("unverified", ()))[:_MOST_PROBLEMS]:  # type: ignore[call-overload]
        if key not in KEYS:
            problems.append(
                Problem(f"{where} unverified", f"{quoted(key)} is not a key of a target", _meant(key), file)
            )
    return Entry(name, values, tuple(problems), file)


def _meant(key: str) -> str:
    other = {"ip": "host", "port": "url", "command": "argv", "device": "url", "markers": "until", "pre": "before"}
    near = other.get(key.lower())
    return f"did you mean {near}?" if near else one_of(key, KEYS)


def shown(name: str) -> str:
    """A key of a file as a sentence names it."""
    return name if _NAME.fullmatch(name.lower()) else quoted(name)
