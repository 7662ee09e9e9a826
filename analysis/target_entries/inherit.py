"""What an entry is together with what it inherits: `base` names another target, whose settings hold where it has none.

Files are searched in order: the project's, the user's, those that come with the program.  A base of the same name is the
one of a later file, so that a shipped entry can be completed under its own name.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..compiles.vendor_configs import macs_of, system_config_named
from ..meaning.boards import BOARDS
from ..meaning.memory_mode import family
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..targets import ETHOS_U_TARGETS
from .entry import KEYS, Entry, Listed
from .problem import Problem, nearest, quoted

if TYPE_CHECKING:
    from typing import Any

_MOST_BASES = 16
_OF_FIGURES = ("macs", "clock", "cpu_clock", "memories")


class Place(NamedTuple):
    """A target as it is used: each key with its value, and the origin of each."""

    name: str
    values: dict[str, Any]
    """`npu` and `macs` are those of the board where nothing else is said."""
    origins: dict[str, str]
    """By key: the file, `shipped`, or `board NAME` with its source."""
    problems: tuple[Problem, ...]
    origin: str
    """Where the entry itself stands."""

    @property
    def npu_target(self) -> str | None:
        """As `ethos-u85-256`; None where the MACs are open, as of a simulator."""
        npu, macs = self.values.get("npu"), self.values.get("macs")
        return f"{npu}-{macs}" if npu and macs else None


def find(name: str, files: Sequence[Listed]) -> Entry | None:
    """The entry of this name in the first file that has one."""
    return next((listed.entries[name] for listed in files if name in listed.entries), None)


def place_of(name: str, files: Sequence[Listed]) -> Place:
    """The target of this name with all that it inherits.

    Raises:
        KeyError: there is none of this name.
    """
    start = next((depth for depth, listed in enumerate(files) if name in listed.entries), None)
    if start is None:
        raise KeyError(name)
    chain, problems = _chain(name, start, files)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    unverified: set[str] = set()
    for entry in reversed(chain):
        problems += [problem for problem in entry.problems if problem not in problems]
        own = {key: value for key, value in entry.values.items() if key not in ("base", "unverified")}
        if "npu" in own:
            values.pop("macs", None)  # a size belongs to the NPU that was named with it
        if "board" in own and own["board"] != values.get("board"):
            for key in _OF_FIGURES:
                values.pop(key, None)
            unverified.clear()
        values |= own
        origins |= dict.fromkeys(own, entry.origin)
        unverified = (unverified - own.keys()) | set(entry.values.get("unverified", ()))
    entry = chain[0]
    if entry.values.get("base"):
        values["base"] = entry.values["base"]
        origins["base"] = entry.origin
    if unverified:
        values["unverified"] = tuple(sorted(unverified))
        origins["unverified"] = entry.origin
    where = f"[targets.{name}]"
    problems += _whole(where, entry, values, origins, problems)
    values = {key: values[key] for key in KEYS if key in values}
    origins = {key: origins[key] for key in values}
    return Place(name, values, origins, tuple(problems), entry.origin)


def _chain(name: str, depth: int, files: Sequence[Listed]) -> tuple[list[Entry], list[Problem]]:
    chain = [files[depth].entries[name]]
    seen = {(depth, name)}
    while (base := chain[-1].values.get("base")) is not None:
        entry = chain[-1]
        places = range(depth + 1 if base == entry.name else 0, len(files))
        found = next((place for place in places if base in files[place].entries), None)
        if found is None:
            names = dict.fromkeys(other for listed in files for other in listed.entries if other != entry.name)
            near = nearest(base, names)
            advice = f"did you mean {near[0]}?" if near else "see `ethosu-tui targets` for those there are"
            text = f"there is no target {quoted(base)} to take settings from"
            return chain, [Problem(f"[targets.{entry.name}] base", text, advice, entry.file)]
        if (found, base) in seen or len(chain) >= _MOST_BASES:
            way = " -> ".join([*(one.name for one in chain), base])
            text = f"takes its settings from itself: {way}" if (found, base) in seen else "has too many bases"
            return chain, [Problem(f"[targets.{entry.name}] base", text, "take one of the bases away", entry.file)]
        depth = found
        seen.add((depth, base))
        chain.append(files[depth].entries[base])
    return chain, []


def _whole(
    where: str, entry: Entry, values: dict[str, Any], origins: dict[str, str], before: list[Problem]
) -> list[Problem]:
    """What can only be seen when all is together; completes `npu` and `macs` from the board."""
    problems = []
    file = entry.file

    def wrong(key: str, text: str, advice: str) -> None:
        problems.append(Problem(f"{where} {key}".strip(), text, advice, file))

    kind = values.get("kind")
    if kind is None:
        if not any(problem.where.endswith((" kind", " base")) for problem in before):
            wrong("", "does not say how it is reached", 'add kind = "serial" (or another), or base = "..."')
    else:
        for key in entry.values:
            if kind not in KEYS[key].kinds:
                others = " or ".join(KEYS[key].kinds)
                wrong(key, f"is for targets of kind {others}, and this one is {kind}", "take it away, or change kind")
    _npu(values, origins, wrong)
    npu, macs = values.get("npu"), values.get("macs")
    mode, config = values.get("memory_mode"), values.get("system_config")
    if npu == "ethos-u55" and mode is not None and family(mode) == "Dedicated_Sram":
        wrong("memory_mode", f"an Ethos-U55 cannot work with {mode}", "use Shared_Sram or Sram_Only")
    configured = system_config_named(config)
    size = macs_of(config)
    if (
        configured is not None
        and npu is not None
        and (configured.npu != npu or None not in (size, macs) and size != macs)
    ):
        wrong("system_config", f"{config} is not a system config of the {npu}", "name one of this NPU")
    return problems


def _npu(values: dict[str, Any], origins: dict[str, str], wrong: Any) -> None:
    board = BOARDS.get(values.get("board", ""))
    npu, macs = values.get("npu"), values.get("macs")
    if npu is not None and npu[-1].isdigit() and npu.count("-") == 2:
        npu, _, size = npu.rpartition("-")
        if macs not in (None, int(size)):
            wrong("macs", f"{macs} contradicts npu = {npu}-{size}", "take one of them away")
        macs = int(size)
        values["npu"], values["macs"] = npu, macs
        origins["macs"] = origins["npu"]
    if board is not None:
        text = f"board {board.name}"
        sure = board.macs if board.macs_verified else None
        if npu not in (None, board.npu) or None not in (macs, sure) and macs != sure:
            key = "npu" if npu is not None else "macs"
            wrong(key, f"the board {board.name} has an {board.npu_name}", "take it away, or name the board that it is")
            return
        if npu is None:
            npu = values["npu"] = board.npu
            origins["npu"] = text
        if macs is None and board.macs is not None:
            macs = values["macs"] = board.macs
            origins["macs"] = text
    sizes = [target.macs for target in ETHOS_U_TARGETS if target.npu == npu and target.macs is not None]
    if macs is not None and npu is None:
        wrong("macs", "is the size of an NPU that is not named", 'add npu = "ethos-u55", for example')
    elif macs is not None and macs not in sizes:
        wrong("macs", f"there is no {npu} with {macs} MACs", f"use one of {', '.join(map(str, sizes))}")
        values.pop("macs")
