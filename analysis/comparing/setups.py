"""How the setups of the columns differ: target, MACs, clock, memory mode, releases.

Only known settings are compared. A setting that one column does not give is neither equal nor different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..lines import clean
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import executions
from ..targets import ETHOS_U_TARGETS
from ..units import format_bytes, format_count, format_hz, format_status, is_number

if TYPE_CHECKING:
    from typing import Any

    from .sides import Side

_MACS = {target.name: target.macs for target in ETHOS_U_TARGETS}
_LISTED = 3
"""Up to so many columns, a sentence lists what each of them has."""


RELEASE = "ExecuTorch"
STATUS = "status"


class Setting(NamedTuple):
    """One setting in all columns; None for a column that does not give it."""

    name: str
    values: tuple[str | None, ...]

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The values as people read them."""
        if self.name != STATUS:
            return self.values
        return tuple(format_status(value) if value is not None else None for value in self.values)

    @property
    def state(self) -> str:
        """ "differs", "same", or "unknown": a column does not give it, or gives only a range, and the others agree."""
        if len(set(self.values)) == 1:
            return "same"
        exact = {
            value
            for value in self.values
            if value is not None and not (self.ranges and ("/" in value or ".." in value))
        }
        return "differs" if len(exact) > 1 else "unknown"

    @property
    def ranges(self) -> bool:
        """Whether a value may stand for several: a log gives its release as "1.0.0/1.0.1" or "1.4.0..main"."""
        return self.name == RELEASE


class Setups(NamedTuple):
    """All settings that at least one column gives; those that differ come first."""

    settings: tuple[Setting, ...]
    labels: tuple[str, ...]

    def of(self, state: str) -> tuple[Setting, ...]:
        """The settings in this state."""
        return tuple(one for one in self.settings if one.state == state)

    def brief(self, room: int) -> str:
        """What differs, in at most so many characters: names with values, else names only, else some names and how many
        more.
        """
        full = self.lines()[0]
        names = [one.name for one in self.of("differs")]
        for kept in range(len(names), 0, -1):
            if len(full) <= room:
                break
            more = f", +{len(names) - kept}" if kept < len(names) else ""
            full = f"Differs: {', '.join(names[:kept])}{more}"
        return full

    def lines(self) -> tuple[str, ...]:
        """What differs, what is the same and what some columns do not give: a line for each."""
        differs = [f"{one.name} ({self._listed(one)})" for one in self.of("differs")]
        same = [f"{one.name} {one.texts[0]}" for one in self.of("same")]
        unknown = [one.name for one in self.of("unknown")]
        found = [f"Differs: {'; '.join(differs)}" if differs else "Differs: nothing that is known of the setups"]
        if same:
            found.append(f"Same: {', '.join(same)}")
        if unknown:
            found.append(f"Not known of all: {', '.join(unknown)}")
        return tuple(found)

    def _listed(self, setting: Setting) -> str:
        if len(setting.texts) <= _LISTED:
            return " / ".join(text if text is not None else "?" for text in setting.texts)
        known = list(dict.fromkeys(text for text in setting.texts if text is not None))
        if len(known) <= _LISTED:
            return ", ".join(known)
        return f"{len(known)} kinds"

    def to_dict(self) -> list[dict[str, Any]]:
        """The list `setup` of ``ethosu-tui/comparison/1``."""
        return [{"name": one.name, "values": list(one.values), "state": one.state} for one in self.settings]


def setups(sides: Sequence[Side]) -> Setups:
    """The settings of these columns."""
    found = [Setting(name, tuple(get(side) for side in sides)) for name, get in _SETTINGS]
    told = [one for one in found if any(value is not None for value in one.values)]
    told = [one for one in told if one.state == "differs" or not _is_usual(one)]
    order = {"differs": 0, "same": 1, "unknown": 2}
    return Setups(tuple(sorted(told, key=lambda one: order[one.state])), tuple(side.label for side in sides))


def _is_usual(setting: Setting) -> bool:
    usual = _USUAL.get(setting.name, frozenset[str | None]())
    return usual is None or set(setting.values) <= usual


def facts_of(manifest: Mapping[str, Any], result: Mapping[str, Any] | None = None) -> dict[str, str]:
    """What the manifest of a run folder (and the compile result beside it) says of the setup, as text that may be shown."""
    versions = manifest.get("versions")
    versions = versions if isinstance(versions, Mapping) else {}
    place = manifest.get("place")
    place = place if isinstance(place, Mapping) else {}
    hashes = manifest.get("hashes")
    hashes = hashes if isinstance(hashes, Mapping) else {}
    artefact = manifest.get("artefact")
    program = hashes.get(artefact) if isinstance(artefact, str) else None
    clock, arena = place.get("npu_clock_hz"), (result or {}).get("arena_cache_bytes")
    said: dict[str, object] = {
        "model": manifest.get("model"),
        "program": program[:12] if isinstance(program, str) else None,
        "place": place.get("name") or place.get("board"),
        "clock": format_hz(clock) if is_number(clock) else None,
        "executorch": versions.get("executorch"),
        "vela": versions.get("ethos-u-vela"),
        "arena": format_bytes(arena) if is_number(arena) else None,
        "optimise": (result or {}).get("optimise"),
    }
    return {name: clean(value)[:200] for name, value in said.items() if isinstance(value, str) and value}


def _fact(name: str) -> Callable[[Side], str | None]:
    return lambda side: side.facts.get(name)


def _target(side: Side) -> str | None:
    return side.target


def _macs(side: Side) -> str | None:
    macs = side.run.target.macs if side.run is not None else None
    macs = macs if macs is not None else _MACS.get(side.target or "")
    return format_count(macs) if macs is not None else None


def _program_size(side: Side) -> str | None:
    """Of runs only: a compile for another target always gives another program."""
    size = side.run.model.pte_bytes if side.run is not None else None
    return f"{format_count(size)} B" if size is not None else None


def _kind(side: Side) -> str | None:
    return "estimate of Vela" if side.kind == "compile" else "run"


def _platform(side: Side) -> str | None:
    return side.run.target.platform if side.run is not None else None


def _system_config(side: Side) -> str | None:
    if side.run is not None:
        return side.run.target.system_config
    return side.summary.system_config if side.summary is not None else None


def _memory_mode(side: Side) -> str | None:
    if side.run is not None:
        return side.run.target.memory_mode
    return side.summary.memory_mode if side.summary is not None else None


def _clock(side: Side) -> str | None:
    if (known := side.facts.get("clock")) is not None:
        return known
    if side.summary is not None and side.run is None and side.summary.core_clock_hz:
        return format_hz(side.summary.core_clock_hz)
    return None


def _release(side: Side) -> str | None:
    said = side.run.runner.executorch_version if side.run is not None else None
    return said or side.facts.get("executorch")


def _runner(side: Side) -> str | None:
    kind = side.run.runner.kind if side.run is not None else None
    return kind if kind != "other" else None


def _inferences(side: Side) -> str | None:
    counts: Iterable[int | None] = dict.fromkeys(executions(run) for run in side.runs)
    known = [count for count in counts if count is not None]
    return ", ".join(format_count(count) for count in known) or None


def _status(side: Side) -> str | None:
    return side.run.status if side.run is not None else None


def _repeats(side: Side) -> str | None:
    if side.run is None:
        return None
    many = len(side.runs)
    return str(many) if not side.left_out else f"{many} of {many + side.left_out}"


_SETTINGS: tuple[tuple[str, Callable[[Side], str | None]], ...] = (
    ("figures", _kind),
    (STATUS, _status),
    ("model", _fact("model")),
    ("program", _fact("program")),
    ("program size", _program_size),
    ("target", _target),
    ("MACs", _macs),
    ("place", _fact("place")),
    ("platform", _platform),
    ("system config", _system_config),
    ("memory mode", _memory_mode),
    ("NPU clock", _clock),
    ("arena limit", _fact("arena")),
    ("optimise", _fact("optimise")),
    (RELEASE, _release),
    ("Vela", _fact("vela")),
    ("runner", _runner),
    ("inferences", _inferences),
    ("repeats", _repeats),
)
_USUAL: Mapping[str, frozenset[str | None] | None] = {
    "program size": None,
    "figures": frozenset(("run", "estimate of Vela")),
    STATUS: frozenset(("passed", None)),
    "repeats": frozenset(("1", None)),
}
"""What is worth no word unless columns differ; None stands for whatever they have."""
