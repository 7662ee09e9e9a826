"""System configs and memory modes of vendors' own vela.ini files, as data: a log or a user names them like those of Arm.

Vela itself only knows a config by the file that it is given, so nothing is compiled with these here; they say at which clock
the NPU runs and what its memories can move.  Peaks are clock x clock scale x width of a port x ports used, as Vela computes
them.  A name counts only for the NPU that the file was written for: "My_Sys_Cfg" stands in Vela's own documentation too.
"""

from __future__ import annotations

from ..named_tuple import NamedTuple
from ..targets import MEMORY_MODES, PORT_BYTES, SYSTEM_CONFIGS, SystemConfig

_ALIF = (
    "https://github.com/alifsemi/alif_ml-embedded-evaluation-kit/blob/"
    "b1b93fc01d915da47a4f6ea8475c193aef56e871/scripts/vela/ensemble_vela.ini"
)
_HIMAX = (
    "https://github.com/HimaxWiseEyePlus/ML_FVP_EVALUATION/blob/"
    "bb77a7664a717c96b7a1031a684702660670b28b/vela/himax_vela.ini"
)
_KIT = (
    "https://github.com/alifsemi/alif_ml-embedded-evaluation-kit/blob/"
    "b1b93fc01d915da47a4f6ea8475c193aef56e871/scripts/vela/default_vela.ini, as in Arm's ml-embedded-evaluation-kit"
)
_RENESAS = "Renesas RUHMI compiler, ruhmi_g3e/get_ethos_config.py (2024)"


class VendorConfig(NamedTuple):
    """One section of a vendor's file; `macs` is the NPU that it is for, None where it is for all of the family."""

    config: SystemConfig
    macs: int | None
    source: str

    def fits(self, npu: str | None, macs: int | None) -> bool:
        """False where this is the config of another NPU."""
        return npu in (None, self.config.npu) and (None in (macs, self.macs) or macs == self.macs)


def _section(
    name: str, target: str, clock_hz: float, sram: float, axi1: str, axi1_scale: float, source: str, *, ports: tuple[int, int] = (1, 1)
) -> VendorConfig:  # fmt: skip
    """`sram` and `axi1_scale` are the clock scales of the file, `ports` the ports used of both memories."""
    npu, _, macs = target.rpartition("-")
    port = clock_hz * PORT_BYTES[npu]
    config = SystemConfig(name, npu, clock_hz, axi1, port * sram * ports[0], port * axi1_scale * ports[1])
    return VendorConfig(config, int(macs) if macs.isdigit() else None, source)


_HP, _HE, _U85 = "ethos-u55-256", "ethos-u55-128", "ethos-u85-256"

VENDOR_CONFIGS: dict[str, VendorConfig] = {
    section.config.name: section
    for section in (
        _section("RTSS_HP_SRAM_MRAM", _HP, 400e6, 0.762, "OffChipFlash", 0.121, _ALIF),
        _section("RTSS_HP_SRAM_OSPI", _HP, 400e6, 0.762, "OffChipFlash", 0.052, _ALIF),
        _section("RTSS_HP_SRAM_Only", _HP, 400e6, 1.0, "OnChipFlash", 1.0, _ALIF),
        _section("RTSS_HP_DTCM_Only", _HP, 400e6, 0.889, "OnChipFlash", 0.889, _ALIF),
        _section("RTSS_HP_DTCM_MRAM", _HP, 400e6, 0.889, "OffChipFlash", 0.118, _ALIF),
        _section("RTSS_HP_DTCM_Modem", _HP, 400e6, 0.889, "OffChipFlash", 0.2, _ALIF),
        _section("RTSS_HP_DTCM_SRAM", _HP, 400e6, 1.0, "Dram", 0.762, _ALIF),
        _section("RTSS_HE_SRAM_MRAM", _HE, 160e6, 1.0, "OffChipFlash", 0.303, _ALIF),
        _section("RTSS_HE_SRAM_Only", _HE, 160e6, 1.0, "OnChipFlash", 1.0, _ALIF),
        _section("RTSS_HE_DTCM_Only", _HE, 160e6, 0.889, "OnChipFlash", 0.889, _ALIF),
        _section("Ethos_U85_SRAM_Only", _U85, 400e6, 1.0, "OnChipFlash", 1.0, _ALIF, ports=(2, 2)),
        _section("Ethos_U85_SRAM_MRAM", _U85, 400e6, 1.0, "OffChipFlash", 0.121, _ALIF, ports=(2, 1)),
        _section("Ethos_U85_SRAM_OSPI", _U85, 400e6, 1.0, "Dram", 0.052, _ALIF, ports=(2, 1)),
        _section("My_Sys_Cfg", "ethos-u55-64", 400e6, 1.0, "OffChipFlash", 0.015625, _HIMAX),
        _section("RA8P1", "ethos-u55-256", 500e6, 0.5, "OffChipFlash", 0.5, _RENESAS),
        _section("Ethos_U85_SYS_DRAM_Mid_512", "ethos-u85-", 1e9, 1.0, "Dram", 0.75, _KIT, ports=(2, 1)),
        _section("Ethos_U85_SYS_DRAM_Mid_1024", "ethos-u85-", 1e9, 1.0, "Dram", 0.75, _KIT, ports=(2, 2)),
        _section("Ethos_U85_SYS_DRAM_High_2048", "ethos-u85-", 1e9, 1.0, "Dram", 0.75, _KIT, ports=(4, 2)),
    )
}
"""By name.  NXP publishes Arm's own file for the i.MX 93; Infineon's is not public."""

VENDOR_MEMORY_MODES: dict[str, tuple[str, str]] = {
    "Dtcm_Cache": ("Dedicated_Sram", _ALIF),
    "My_Mem_Mode_Parent": ("Shared_Sram", _HIMAX),
}
"""Memory modes of those files: the one of Arm's that places constants, arena and cache alike, and the source."""


MODE_FAMILIES = ("Sram_Only", "Shared_Sram", "Dedicated_Sram")
"""What a memory mode is one of, whatever its cache holds."""


def arms_mode(mode: str) -> str:
    """The one of Arm's that a vendor's mode is alike; any other as it is."""
    return VENDOR_MEMORY_MODES.get(mode, (mode,))[0]


def mode_family(mode: str | None) -> str | None:
    """ "Dedicated_Sram_384KB", "Dtcm_Cache" -> "Dedicated_Sram"; None for a mode that nobody has."""
    name = arms_mode(mode or "")
    return next((family for family in MODE_FAMILIES if name.startswith(family)), None)


def is_memory_mode(name: str) -> bool:
    """Whether a vela.ini of Arm or of a vendor has a memory mode of this name."""
    return name in MEMORY_MODES or name in VENDOR_MEMORY_MODES


def system_config_named(name: str | None, npu: str | None = None, macs: int | None = None) -> SystemConfig | None:
    """The system config of this name; None where nobody has it, or a vendor has it for another NPU than the one named."""
    known = SYSTEM_CONFIGS.get(name or "")
    vendor = VENDOR_CONFIGS.get(name or "")
    if known is None and vendor is not None and vendor.fits(npu, macs):
        return vendor.config
    return known


def macs_of(name: str | None) -> int | None:
    """The MACs of the NPU that a vendor's config is for."""
    vendor = VENDOR_CONFIGS.get(name or "")
    return vendor.macs if vendor is not None else None
