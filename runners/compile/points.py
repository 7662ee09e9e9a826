"""The points of a sweep: which targets, system configs, memory modes and limits go together, before anything is compiled.

Everything here is pure; no file is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ...analysis.compiles.vela_ini import VelaIni
from ...analysis.targets import ETHOS_U_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS, TARGETS, mismatch
from ..job import UsageError
from ..suggestion import suggestion

DEFAULT_TARGET = "ethos-u55-128"
"""What ExecuTorch's ahead-of-time script compiles for when nothing is said."""

ALL = "all"
OPTIMISE = ("Performance", "Size")
"""What Vela can optimise for; the first is what it does when nothing is said."""
LARGEST_ARENA_BYTES = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class CompilePoint:
    """One job of a sweep: a target with its system config and memory mode (None where the target has none)."""

    target: str
    system_config: str | None = None
    memory_mode: str | None = None
    arena_cache_bytes: int | None = None
    """Vela's `--arena-cache-size`, a soft limit for the arena; None: that of the memory mode."""
    optimise: str | None = None
    """"Size" where Vela shall optimise for that; None: for speed, as it does when nothing is said."""

    @property
    def vela_flags(self) -> tuple[str, ...]:
        """What Vela is told besides the configuration: ExecuTorch's `EthosUCompileSpec` calls these extra flags."""
        flags = []
        if self.arena_cache_bytes is not None:
            flags.append(f"--arena-cache-size={self.arena_cache_bytes}")
        if self.optimise is not None:
            flags.append(f"--optimise={self.optimise}")
        return tuple(flags)

    @property
    def is_npu(self) -> bool:
        """Whether this target is an Ethos-U."""
        return TARGETS[self.target].npu is not None

    @property
    def label(self) -> str:
        """The target, and what differs from its defaults."""
        known = TARGETS[self.target]
        parts = [self.target]
        if self.system_config != known.default_system_config:
            parts.append(str(self.system_config))
        if self.memory_mode != known.default_memory_mode:
            parts.append(str(self.memory_mode))
        if self.arena_cache_bytes is not None:
            parts.append(f"arena={self.arena_cache_bytes}")
        if self.optimise is not None:
            parts.append(f"optimise={self.optimise}")
        return " ".join(parts)


Refusal = tuple[CompilePoint, str]


def plan(
    targets: Sequence[str],
    system_configs: Sequence[str] = (),
    memory_modes: Sequence[str] = (),
    arenas: Sequence[int | None] = (),
    optimise: Sequence[str] = (),
    ini: VelaIni | None = None,
) -> tuple[list[CompilePoint], list[Refusal]]:
    """The valid points of a sweep in the order given, and those refused with the reason.

    "all" stands for every value of an axis (for targets: all Ethos-U configurations), an empty axis for the target's
    default.  What only "all" brings in is left out without a refusal.  `arenas` are limits in bytes, None the default.
    With `ini`, a vela.ini of the user's own, the names are those that it defines.

    Raises:
        UsageError: a name is not known, or nothing valid remains.
    """
    chosen_targets = _expand(targets or (DEFAULT_TARGET,), TARGETS, "target", [t.name for t in ETHOS_U_TARGETS])
    known_configs, known_modes = (ini.system_configs, ini.memory_modes) if ini else (SYSTEM_CONFIGS, MEMORY_MODES)
    for name in (*system_configs, *memory_modes):
        if ini is not None and name in ini.broken:
            raise UsageError(f"Vela would refuse {name}: {ini.broken[name]}", "correct the file of --vela-config")
    chosen_configs = _expand(system_configs, known_configs, "system config")
    chosen_modes = _expand(memory_modes, known_modes, "memory mode")
    optimised = [_optimised(name) for name in _expand(optimise, OPTIMISE, "way to optimise")] or [None]
    limits = list(dict.fromkeys(_limit(bytes_) for bytes_ in arenas)) or [None]
    points: dict[CompilePoint, None] = {}
    refused: dict[CompilePoint, str] = {}
    for target in chosen_targets:
        configs, modes = _with_defaults(target, chosen_configs, chosen_modes, ini)
        for point in _points(target, configs, modes, list(product(limits, optimised))):
            if not point.is_npu:
                points[point] = None
                continue
            config, mode = str(point.system_config), str(point.memory_mode)
            reason = ini.mismatch(target, config, mode) if ini else mismatch(target, config, mode)
            if reason is None:
                points[point] = None
            elif not _uninteresting(point, known_configs[config].npu, ALL in system_configs, ALL in memory_modes):
                refused[point] = reason
    if not points:
        first = next(iter(refused.values()), "no system config of this NPU was chosen")
        raise UsageError(f"nothing to compile: {first}", "choose a combination that fits, or leave the option out")
    return list(points), list(refused.items())


def _uninteresting(point: CompilePoint, npu: str | None, all_configs: bool, all_modes: bool) -> bool:
    other_family = npu not in (None, TARGETS[point.target].npu)
    return all_configs and (other_family or all_modes)


def _with_defaults(
    target: str, configs: Sequence[str], modes: Sequence[str], ini: VelaIni | None
) -> tuple[Sequence[str], Sequence[str]]:
    """The chosen names, or what stands for an empty axis."""
    known = TARGETS[target]
    if known.npu is None:
        return (), ()
    config, mode = (known.default_system_config, known.default_memory_mode) if ini is None else ini.defaults(target)
    for chosen, default, option, names in (
        (configs, config, "--system-config", ini.system_configs if ini else ()),
        (modes, mode, "--memory-mode", ini.memory_modes if ini else ()),
    ):
        if not chosen and default is None:
            broken = f" ({next(iter(ini.broken.values()))})" if ini and ini.broken else ""
            hint = f"choose with {option}: {', '.join(names)}" if names else "add the sections that Arm's vela.ini has"
            raise UsageError(f"the file of --vela-config has no default for {target}{broken}", hint)
    return configs or [str(config)], modes or [str(mode)]


def _points(
    target: str, configs: Sequence[str], modes: Sequence[str], vela: Sequence[tuple[int | None, str | None]]
) -> Iterator[CompilePoint]:
    known = TARGETS[target]
    if known.npu is None:
        yield CompilePoint(target)
        return
    for config, mode, (arena, optimise) in product(configs, modes, vela):
        yield CompilePoint(target, config, mode, arena, optimise)


def _optimised(name: str) -> str | None:
    return None if name == OPTIMISE[0] else name


def _limit(arena_bytes: int | None) -> int | None:
    if arena_bytes is not None and not 0 < arena_bytes <= LARGEST_ARENA_BYTES:
        raise UsageError(
            f"an arena of {arena_bytes} bytes is none that Vela can be given", "give a size like 512KiB, or default"
        )
    return arena_bytes


def _expand(names: Iterable[str], known: Iterable[str], what: str, every: Sequence[str] = ()) -> list[str]:
    values = list(known)
    chosen: list[str] = []
    for name in names:
        if name == ALL:
            chosen += every or values
        elif name in values:
            chosen.append(name)
        else:
            raise UsageError(f"{name!r} is not a {what}", suggestion(name, values))
    return list(dict.fromkeys(chosen))
