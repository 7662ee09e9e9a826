"""Reads the user's own vela.ini as Vela does: which system configs and memory modes it defines, and which fit together.

Vela reads the file twice, with Python's configparser and with a reader in its compiler core, and the two accept
different texts: the core knows option names in one spelling only and stops at `#` and `:`. If one of them silently
ignores a line, the figures are those of another memory system than the file describes. So such a line is refused here,
by its number.
"""

from __future__ import annotations

import configparser
import difflib
import math
import re
from collections.abc import Iterator, Mapping

from ..lines import clean
from ..named_tuple import NamedTuple
from ..targets import TARGETS
from .vendor_configs import VENDOR_CONFIGS

_MEMORIES = ("Sram", "Dram", "OnChipFlash", "OffChipFlash")
_OPTIONS = (
    "core_clock", "axi0_port", "axi1_port", "inherit", "const_mem_area", "arena_mem_area", "cache_mem_area", "arena_cache_size",
    *(f"{memory}_{what}" for memory in _MEMORIES
      for what in ("clock_scale", "ports_used", "burst_length", "read_latency", "write_latency", "max_reads", "max_writes")),
)  # fmt: skip
_SYSTEM, _MEMORY = "System_Config.", "Memory_Mode."
_MOST_PARENTS = 20
_FAMILY = re.compile(r"u(55|65|85)(?!\d)", re.IGNORECASE)
_LARGEST_CACHE_BYTES = {"ethos-u55": 1 << 32, "ethos-u65": 1 << 40, "ethos-u85": 1 << 40}
"""The address spaces; a larger cache is refused by Vela."""


class IniSystemConfig(NamedTuple):
    """One `System_Config` section; `axi0` and `axi1` are the memories on the ports."""

    name: str
    npu: str | None
    """The family that it describes; None where nothing in the section tells."""
    evidence: str
    clock_hz: float
    axi0: str
    axi1: str


class IniMemoryMode(NamedTuple):
    """One `Memory_Mode` section: the port ("Axi0", "Axi1") of constants, arena and cache."""

    name: str
    const: str
    arena: str
    cache: str
    arena_cache_bytes: int | None


class IniError(ValueError):
    """The text is no vela.ini that both readers of Vela accept; the message names the line."""


class VelaIni(NamedTuple):
    """What a vela.ini defines."""

    system_configs: Mapping[str, IniSystemConfig]
    memory_modes: Mapping[str, IniMemoryMode]
    broken: Mapping[str, str]
    """Sections that Vela would refuse, with the reason; they stand in neither of the others."""
    notes: tuple[str, ...]
    """What both readers pass over in silence, and is likely a slip."""

    def mismatch(self, target: str, system_config: str, memory_mode: str) -> str | None:
        """Why this combination cannot be compiled, in one sentence; None if it can."""
        npu = TARGETS[target].npu
        if npu is None:
            return None
        config, mode = self.system_configs[system_config], self.memory_modes[memory_mode]
        if config.npu not in (None, npu):
            return f"{system_config} describes {config.npu} ({config.evidence}), not {target}"
        ports = {"Axi0": config.axi0, "Axi1": config.axi1}
        const, arena, cache = (ports[port] for port in (mode.const, mode.arena, mode.cache))
        if const == "Sram" and not mode.const == mode.arena == mode.cache:
            return f"{memory_mode} keeps constants on {mode.const}, where {system_config} has Sram (Vela wants Dram or a flash)"
        if arena not in ("Sram", "Dram"):
            return f"{memory_mode} keeps the arena on {mode.arena}, where {system_config} has {arena} (Vela wants Sram or Dram)"
        if cache != "Sram":
            return f"{memory_mode} keeps the cache on {mode.cache}, where {system_config} has {cache} (Vela wants Sram)"
        if (mode.arena_cache_bytes or 0) > _LARGEST_CACHE_BYTES[npu]:
            return f"{memory_mode} has an arena_cache_size beyond the {_LARGEST_CACHE_BYTES[npu]:,} bytes that {npu} can address"
        return None

    def defaults(self, target: str) -> tuple[str | None, str | None]:
        """The system config and memory mode to take if the user names none.

        They are ExecuTorch's if the file has them, else the only ones that fit.
        """
        known = TARGETS[target]
        configs = [name for name, config in self.system_configs.items() if config.npu in (None, known.npu)]
        return _chosen(known.default_system_config, configs), _chosen(
            known.default_memory_mode, list(self.memory_modes)
        )


def _chosen(default: str | None, names: list[str]) -> str | None:
    return default if default in names else names[0] if len(names) == 1 else None


def parse_vela_ini(text: str) -> VelaIni:
    """What the text of a vela.ini defines.

    Raises:
        IniError: it is no such file, or Vela's two readers would understand it differently.
    """
    parser = configparser.ConfigParser()
    try:
        parser.read_string(text)
        sections = {name: dict(parser.items(name)) for name in parser.sections()}
    except configparser.MissingSectionHeaderError as error:
        raise IniError(
            f"line {error.lineno}: {clean(error.line.strip())[:60]!r} stands before any [section]"
        ) from error
    except (configparser.DuplicateSectionError, configparser.DuplicateOptionError) as error:
        what = f"{clean(error.section)} {clean(getattr(error, 'option', ''))}".strip()
        raise IniError(f"line {error.lineno}: {what} is defined twice") from error
    except configparser.ParsingError as error:
        line, said = error.errors[0]
        raise IniError(f"line {line}: {clean(str(said)).strip()[:60]} is neither [section] nor option=value") from error
    except configparser.InterpolationError as error:
        what = f"[{clean(error.section)}] {clean(error.option)}"
        raise IniError(f"{what}: a % stands for another option there; write %%") from error
    notes = tuple(_spelling(text))
    if parser.defaults():
        raise IniError("[DEFAULT] is read by one half of Vela only; write its options into each section")
    configs: dict[str, IniSystemConfig] = {}
    modes: dict[str, IniMemoryMode] = {}
    broken: dict[str, str] = {}
    for section in sections:
        kind, name = next(((k, section.removeprefix(k)) for k in (_SYSTEM, _MEMORY) if section.startswith(k)), ("", ""))
        try:
            if kind == _SYSTEM:
                configs[name] = _system_config(name, _inherited(sections, section))
            elif kind == _MEMORY:
                modes[name] = _memory_mode(name, _inherited(sections, section))
        except IniError as error:
            broken[name] = f"[{clean(section)}] {error}"
    if not configs and not modes and not broken:
        raise IniError("it defines no [System_Config.NAME] and no [Memory_Mode.NAME]")
    return VelaIni(configs, modes, broken, notes)


def _spelling(text: str) -> Iterator[str]:
    """Refuse what only one of the readers understands; yield what neither does."""
    known = {option.lower(): option for option in _OPTIONS}
    comment = 0
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith(";"):
            continue
        if stripped.startswith("#"):
            comment = comment or number
            continue
        if comment:
            raise IniError(f"line {comment}: Vela's compiler core takes no # comment; begin it with ;")
        if stripped.startswith("["):
            inside = stripped.startswith((f"[{_SYSTEM}", f"[{_MEMORY}"))
            continue
        if not inside:
            continue
        if line[0].isspace():
            raise IniError(f"line {number}: it is indented, so it continues the line above; take the blanks away")
        option, sign, _ = (
            re.split(r"([=:])", stripped, maxsplit=1) if re.search("[=:]", stripped) else (stripped, "", "")
        )
        if sign != "=":
            raise IniError(f"line {number}: Vela's compiler core takes option=value only")
        option = option.strip()
        meant = known.get(option.lower())
        if meant is None:
            near = difflib.get_close_matches(option.lower(), known, 1, 0.8)
            guess = f"; did you mean {known[near[0]]}?" if near else ""
            yield f"line {number}: Vela knows no option {clean(option)[:60]} and passes over it{guess}"
        elif meant != option:
            raise IniError(f"line {number}: Vela's compiler core knows {meant}, and passes over {clean(option)}")


def _inherited(sections: Mapping[str, Mapping[str, str]], name: str) -> dict[str, str]:
    """The options of a section over those of the sections that it inherits from; names in lower case."""
    merged: dict[str, str] = {}
    seen: list[str] = []
    place: str | None = name
    while place is not None:
        if place in seen or len(seen) >= _MOST_PARENTS:
            raise IniError(f"inherits from itself through {clean(place)[:80]}")
        if place not in sections:
            kind = f" (write the whole name: inherit={_MEMORY}NAME)" if "." not in place else ""
            raise IniError(f"inherits from {clean(place)[:80]}, which the file does not define{kind}")
        seen.append(place)
        merged = {**sections[place], **merged}
        place = sections[place].get("inherit")
    return merged


def _system_config(name: str, options: Mapping[str, str]) -> IniSystemConfig:
    clock = _number(options, "core_clock")
    if clock is None:
        raise IniError("defines no core_clock, and Vela would take 1 Hz")
    if clock <= 0:
        raise IniError(f"core_clock={clean(options['core_clock'])[:40]} is no clock")
    ports = []
    for port in ("axi0_port", "axi1_port"):
        memory = options.get(port)
        if memory is None:
            raise IniError(f"defines no {port}")
        if memory not in _MEMORIES:
            raise IniError(f"{port}={clean(memory)[:40]} is none of {', '.join(_MEMORIES)}")
        ports.append(memory)
        for what in ("clock_scale", "ports_used", "burst_length", "read_latency", "write_latency"):
            _number(options, f"{memory}_{what}", whole=what != "clock_scale")
    npu, evidence = _npu(name, clock, options)
    return IniSystemConfig(name, npu, evidence, clock, *ports)


def _npu(name: str, clock_hz: float, options: Mapping[str, str]) -> tuple[str | None, str]:
    """The family that a section is for, and what says so."""
    named = _FAMILY.search(name)
    if named is not None:
        return f"ethos-u{named[1]}", "its name says so"
    ports = {memory: _number(options, f"{memory}_ports_used", whole=True) or 1 for memory in _MEMORIES}
    several = next((memory for memory, count in ports.items() if count > 1), None)
    if several is not None:
        return "ethos-u85", f"{several}_ports_used={ports[several]:.0f}"
    vendor = VENDOR_CONFIGS.get(name)
    if vendor is not None and vendor.config.clock_hz == clock_hz:
        return vendor.config.npu, "a vendor publishes it for that"
    return None, ""


def _memory_mode(name: str, options: Mapping[str, str]) -> IniMemoryMode:
    areas = []
    for area in ("const_mem_area", "arena_mem_area", "cache_mem_area"):
        port = options.get(area)
        if port is None:
            raise IniError(f"defines no {area}")
        if port not in ("Axi0", "Axi1"):
            raise IniError(f"{area}={clean(port)[:40]} is neither Axi0 nor Axi1")
        areas.append(port)
    size = _number(options, "arena_cache_size", whole=True)
    const, arena, cache = areas
    return IniMemoryMode(name, const, arena, cache, None if size is None else int(size))


def _number(options: Mapping[str, str], option: str, *, whole: bool = False) -> float | None:
    """The value of an option; options are looked up as configparser keeps them."""
    text = options.get(option.lower())
    if text is None:
        return None
    try:
        value = float(int(text) if whole else float(text))
    except (ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise IniError(f"{option}={clean(text)[:40]} is no {'whole ' if whole else ''}number")
    return value
