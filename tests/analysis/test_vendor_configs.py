"""System configs of vendors' vela.ini files: named by a user, a banner or Vela itself, and only for the NPU they are for."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.compiles.vendor_configs import VENDOR_CONFIGS, VENDOR_MEMORY_MODES, system_config_named
from ethosu_tui.analysis.meaning.assumptions import NOTHING, Assumptions, checked
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.meaning.memory_mode import family
from ethosu_tui.analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS

from .perf_log import GOOD, U55, render

BUILT = "Build Arm Baremetal executor_runner for {} with m.pte using {} {}  to 'out'"


def derived(given: Assumptions = NOTHING, before: str = "") -> tuple[dict[str, float], dict[str, str], Capture]:
    capture = derive(read_capture("x", render(GOOD, U55, before=before)), given)
    values = {name: entry.value for name, entry in capture.runs[0].derived.items()}
    return values, {finding.rule: finding.detail for finding in capture.findings}, capture


def test_every_section_says_where_it_was_read_and_is_no_name_of_arms() -> None:
    assert not VENDOR_CONFIGS.keys() & SYSTEM_CONFIGS.keys()
    assert not VENDOR_MEMORY_MODES.keys() & set(MEMORY_MODES)
    for name, section in VENDOR_CONFIGS.items():
        assert section.config.name == name
        assert section.source.startswith("https://") or section.source.startswith("Renesas")
        assert section.config.peak_sram_bytes_per_s >= section.config.peak_axi1_bytes_per_s > 0


def test_peaks_are_those_that_vela_computes() -> None:
    """By hand: clock x scale x bytes of a port x ports."""
    hp = system_config_named("RTSS_HP_SRAM_MRAM")
    assert hp is not None
    assert (hp.clock_hz, hp.peak_sram_bytes_per_s) == (400e6, pytest.approx(2.4384e9))
    assert hp.peak_axi1_bytes_per_s == pytest.approx(0.3872e9)
    u85 = system_config_named("Ethos_U85_SRAM_MRAM")
    assert u85 is not None and u85.peak_sram_bytes_per_s == pytest.approx(12.8e9)
    assert u85.peak_axi1_bytes_per_s == pytest.approx(0.7744e9)


def test_the_user_names_one() -> None:
    values, rules, _ = derived(checked(Assumptions(system_config="RTSS_HE_SRAM_MRAM", memory_mode="Dtcm_Cache")))
    assert values["npu_clock"] == 160e6
    assert "system-config-not-of-this-run" not in rules


def test_the_banner_of_a_build_names_one() -> None:
    banner = BUILT.format("ethos-u55-256", "RTSS_HP_SRAM_MRAM", "Shared_Sram")
    values, _, capture = derived(before=banner)
    assert values["npu_clock"] == 400e6
    assert capture.runs[0].derived["npu_clock"].sources == ("target.system_config",)
    other = BUILT.format("ethos-u55-128", "My_Sys_Cfg", "Shared_Sram")
    assert "npu_clock" not in derived(before=other)[0], "that name is an example in Vela's own documentation"
    assert derived(before=other.replace("128", "64"))[0]["npu_clock"] == 400e6


def test_one_of_another_npu_is_not_used_and_said() -> None:
    banner = BUILT.format("ethos-u55-256", "Ethos_U55_High_End_Embedded", "Shared_Sram")
    values, rules, _ = derived(Assumptions(system_config="RTSS_HE_SRAM_MRAM"), before=banner)
    assert "ethos-u55-128" in rules["system-config-not-of-this-run"]
    assert values["npu_clock"] == 500e6


def test_a_known_name_with_another_clock_is_another_config() -> None:
    """Vendors write their own section under Arm's name; Vela prints the clock that it took."""
    vela = (
        "Network summary for out\nAccelerator configuration               Ethos_U55_128\n"
        "System configuration             Ethos_U55_High_End_Embedded\nMemory mode                      Shared_Sram\n"
        "Accelerator clock                        {} MHz\n"
    )
    log = render(GOOD, U55).decode()
    known = derive(read_capture("x", (vela.format(500) + log).encode())).runs[0].derived
    assert known["npu_clock"].value == 500e6
    other = derive(read_capture("x", (vela.format(200) + log).encode())).runs[0].derived
    assert other["npu_clock"].value == 200e6
    bandwidth = set(known) - set(other)
    assert bandwidth and all("peak" in name or "config" in name for name in bandwidth), bandwidth


def test_memory_modes_of_vendors_are_like_arms() -> None:
    assert family("Dtcm_Cache") == "Dedicated_Sram"
    assert family("My_Mem_Mode_Parent") == "Shared_Sram"


def test_an_unknown_name_is_refused_with_all_there_are() -> None:
    with pytest.raises(ValueError, match=r"RTSS_HP_SRAM_MRAM.*Ethos_U85_SYS_DRAM_Mid_1024"):
        checked(Assumptions(system_config="RTSS"))
    with pytest.raises(ValueError, match="Dtcm_Cache"):
        checked(Assumptions(memory_mode="Fast"))
