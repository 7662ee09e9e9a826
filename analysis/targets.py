"""The Ethos-U targets as data: configurations, system configs, memory modes, and which of them fit together.

Figures are those of the `vela.ini` that ethos-u-vela 5.1.0 ships (system configs, memory modes) and of ExecuTorch
1.5.1's `--target` list.  Whether a combination is valid is decided here, before anything is compiled: Vela itself
accepts system configs of another NPU family in silence.
"""

from __future__ import annotations

from .named_tuple import NamedTuple


class NpuTarget(NamedTuple):
    """One value of `--target`: an NPU and its MAC configuration, and what it compiles with when nothing is said."""

    name: str
    npu: str | None
    macs: int | None
    default_system_config: str | None
    default_memory_mode: str | None
    fvp: str | None
    """Executable of the Fixed Virtual Platform that models it."""


class SystemConfig(NamedTuple):
    """One `System_Config` of vela.ini; `axi1` is the memory on the external port."""

    name: str
    npu: str
    clock_hz: float
    axi1: str
    peak_sram_bytes_per_s: float
    peak_axi1_bytes_per_s: float


_U55 = ("ethos-u55", "Ethos_U55_High_End_Embedded", "Shared_Sram", "FVP_Corstone_SSE-300_Ethos-U55")
_U65 = ("ethos-u65", "Ethos_U65_High_End", "Dedicated_Sram_384KB", "FVP_Corstone_SSE-300_Ethos-U65")
_U85 = ("ethos-u85", "Ethos_U85_SYS_DRAM_Mid", "Sram_Only", "FVP_Corstone_SSE-320")


def _npu(macs: int, family: tuple[str, str, str, str]) -> NpuTarget:
    npu, system_config, memory_mode, fvp = family
    return NpuTarget(f"{npu}-{macs}", npu, macs, system_config, memory_mode, fvp)


ETHOS_U_TARGETS: tuple[NpuTarget, ...] = (
    *(_npu(macs, _U55) for macs in (32, 64, 128, 256)),
    *(_npu(macs, _U65) for macs in (256, 512)),
    *(_npu(macs, _U85) for macs in (128, 256, 512, 1024, 2048)),
)
"""All eleven Ethos-U configurations, smallest first within a family."""

OTHER_TARGETS: tuple[NpuTarget, ...] = (
    NpuTarget("cortex-m55", None, None, None, None, None),
    NpuTarget("none", None, None, None, None, None),
)
"""Compiles without an NPU: for a Cortex-M55 CPU, and the plain portable program."""

CORTEX_M_TARGETS: tuple[NpuTarget, ...] = tuple(
    NpuTarget(f"cortex-m{core}", None, None, None, None, None)
    for core in ("0", "0plus", "3", "4", "7", "23", "33", "35p", "85")
)
"""The other CPUs that ExecuTorch compiles for; those with vector instructions (M55, M85) get one program, all others another."""

TARGETS: dict[str, NpuTarget] = {t.name: t for t in (*ETHOS_U_TARGETS, *OTHER_TARGETS, *CORTEX_M_TARGETS)}
LISTED_TARGETS: tuple[str, ...] = tuple(t.name for t in (*ETHOS_U_TARGETS, *OTHER_TARGETS))
"""Those that a form offers: the rest differ in name only."""

SYSTEM_CONFIGS: dict[str, SystemConfig] = {
    c.name: c
    for c in (
        SystemConfig("Ethos_U55_Deep_Embedded", "ethos-u55", 200e6, "OffChipFlash", 1.6e9, 0.1e9),
        SystemConfig("Ethos_U55_High_End_Embedded", "ethos-u55", 500e6, "OffChipFlash", 4e9, 0.5e9),
        SystemConfig("Ethos_U65_Embedded", "ethos-u65", 500e6, "OffChipFlash", 8e9, 0.5e9),
        SystemConfig("Ethos_U65_Mid_End", "ethos-u65", 500e6, "Dram", 8e9, 3.75e9),
        SystemConfig("Ethos_U65_High_End", "ethos-u65", 1000e6, "Dram", 16e9, 3.75e9),
        SystemConfig("Ethos_U65_Client_Server", "ethos-u65", 1000e6, "Dram", 16e9, 12e9),
        SystemConfig("Ethos_U85_SYS_Flash_Low", "ethos-u85", 200e6, "OffChipFlash", 6.4e9, 0.2e9),
        SystemConfig("Ethos_U85_SYS_Flash_High", "ethos-u85", 500e6, "OffChipFlash", 16e9, 0.5e9),
        SystemConfig("Ethos_U85_SYS_DRAM_Low", "ethos-u85", 500e6, "Dram", 16e9, 3.75e9),
        SystemConfig("Ethos_U85_SYS_DRAM_Mid", "ethos-u85", 1000e6, "Dram", 32e9, 12e9),
        SystemConfig("Ethos_U85_SYS_DRAM_High", "ethos-u85", 1000e6, "Dram", 64e9, 24e9),
    )
}

PORT_BYTES = {"ethos-u55": 8, "ethos-u65": 16, "ethos-u85": 16}
"""Width of a port: Vela's architecture description (U55 64 bits, U65 128), and vela.ini for U85 (2 ports, 32 GB/s at 1 GHz)."""

MEMORY_MODES: tuple[str, ...] = (
    "Sram_Only",
    "Shared_Sram",
    "Dedicated_Sram",
    "Dedicated_Sram_256KB",
    "Dedicated_Sram_384KB",
    "Dedicated_Sram_512KB",
)
_CACHE_BYTES = {f"Dedicated_Sram_{kib}KB": kib << 10 for kib in (256, 384, 512)}


def cache_bytes(memory_mode: str) -> int | None:
    """The SRAM that Vela takes as a cache by the name of the mode alone; None where the mode has none, or none in its name."""
    return _CACHE_BYTES.get(memory_mode)


def cut_off(field: str, name: str) -> bool:
    """Whether a name that a log gives is only the beginning or the end of one: its line was cut, torn, or goes on below.

    `field` is "name", "system_config" or "memory_mode"; names of one's own are no beginnings of these.
    """
    known = tuple({"system_config": SYSTEM_CONFIGS, "memory_mode": MEMORY_MODES}.get(field, TARGETS))
    glued = "--" in name  # what comes next in the log: the end of the line is lost
    return name not in known and (glued or any(whole.startswith(name) or whole.endswith(name) for whole in known))


def configs_of(npu: str) -> str:
    """The names of the system configs that Arm's vela.ini has for this family."""
    return ", ".join(config.name for config in SYSTEM_CONFIGS.values() if config.npu == npu)


def mismatch(target: str, system_config: str, memory_mode: str) -> str | None:
    """Why this combination cannot be compiled, in one sentence, or None where it can."""
    known = TARGETS.get(target)
    if known is None:
        return f"{target} is not a known target (one of {', '.join(TARGETS)})"
    if known.npu is None:
        return None
    config = SYSTEM_CONFIGS.get(system_config)
    if config is None:
        return f"{system_config} is not a system config of vela.ini ({known.npu} has {configs_of(known.npu)})"
    if memory_mode not in MEMORY_MODES:
        return f"{memory_mode} is not a memory mode of vela.ini (one of {', '.join(MEMORY_MODES)})"
    if config.npu != known.npu:
        return f"{system_config} describes {config.npu}, not {target}: Vela would compile it with meaningless cycles"
    if memory_mode.startswith("Dedicated_Sram") and config.axi1 != "Dram":
        return f"{memory_mode} keeps the arena in DRAM, and {system_config} has {config.axi1} on that port"
    return None
