"""A vela.ini of one's own: what it defines, and what Vela's two readers would not both take."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.compiles.vela_ini import IniError, VelaIni, parse_vela_ini
from ethosu_tui.analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS, TARGETS
from ethosu_tui.analysis.targets import mismatch as of_arm

SOUND = """\
; a board
[System_Config.Mine]
core_clock=400e6
axi0_port=Sram
axi1_port=OffChipFlash
Sram_clock_scale=1.0
Sram_burst_length=32
OffChipFlash_clock_scale=0.125
OffChipFlash_read_latency=64

[Memory_Mode.Shared]
const_mem_area=Axi1
arena_mem_area=Axi0
cache_mem_area=Axi0
"""


def test_what_a_file_defines() -> None:
    ini = parse_vela_ini(SOUND)
    (config,) = ini.system_configs.values()
    assert (config.name, config.npu, config.clock_hz, config.axi0, config.axi1) == (
        "Mine", None, 400e6, "Sram", "OffChipFlash",
    )  # fmt: skip
    (mode,) = ini.memory_modes.values()
    assert mode == ("Shared", "Axi1", "Axi0", "Axi0", None)
    assert ini.broken == {} and ini.notes == ()
    assert all(ini.mismatch(target, "Mine", "Shared") is None for target in TARGETS)
    assert ini.defaults("ethos-u85-256") == ("Mine", "Shared")


def test_arms_own_file_says_what_our_tables_say() -> None:
    vela = pytest.importorskip("ethosu.vela")
    path = f"{vela.__path__[0]}/../config_files/Arm/vela.ini"
    with open(path, encoding="utf-8") as stream:
        ini = parse_vela_ini(stream.read())
    assert ini.notes == () and ini.broken == {}
    assert {(c.name, c.npu, c.clock_hz, c.axi1) for c in ini.system_configs.values()} == {
        (c.name, c.npu, c.clock_hz, c.axi1) for c in SYSTEM_CONFIGS.values()
    }
    for target, config, mode in product(TARGETS, SYSTEM_CONFIGS, MEMORY_MODES):
        assert bool(ini.mismatch(target, config, mode)) == bool(of_arm(target, config, mode)), (target, config, mode)
    for target in TARGETS.values():
        if target.npu:
            assert ini.defaults(target.name) == (target.default_system_config, target.default_memory_mode)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("core_clock=400e6", "core_clock:400e6", "line 3: Vela's compiler core takes option=value only"),
        ("axi0_port", "  axi0_port", "line 4: it is indented"),
        ("OffChipFlash_clock", "offchipflash_clock", "line 8: Vela's compiler core knows OffChipFlash_clock_scale"),
        ("; a board", "# a board", "line 1: Vela's compiler core takes no # comment"),
        ("[Memory", "[System_Config.Mine]\n[Memory", "line 11: System_Config.Mine is defined twice"),
        ("axi0_port", "core_clock=1\naxi0_port", "line 4: System_Config.Mine core_clock is defined twice"),
        ("; a board", "hello", "line 1: 'hello' stands before any [section]"),
        ("axi0_port=Sram", "axi0_port", "line 4: "),
        ("; a board", "[DEFAULT]\nSram_clock_scale=1", "[DEFAULT] is read by one half of Vela only"),
        ("core_clock=400e6", "core_clock=%(x)s", "a % stands for another option"),
        (SOUND, "[Tool]\nx=1\n", "defines no [System_Config.NAME]"),
        (SOUND, "", "defines no [System_Config.NAME]"),
    ],
)
def test_what_one_of_velas_readers_would_not_take_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(IniError) as caught:
        parse_vela_ini(SOUND.replace(old, new, 1))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "name", "said"),
    [
        ("core_clock=400e6\n", "", "Mine", "defines no core_clock, and Vela would take 1 Hz"),
        ("400e6", "400MHz", "Mine", "core_clock=400MHz is no number"),
        ("400e6", "0", "Mine", "is no clock"),
        ("axi1_port=OffChipFlash\n", "", "Mine", "defines no axi1_port"),
        ("axi1_port=OffChipFlash", "axi1_port=Flash", "Mine", "axi1_port=Flash is none of Sram"),
        ("length=32", "length=3.5", "Mine", "Sram_burst_length=3.5 is no whole number"),
        ("0.125", "0.125 ; slow", "Mine", "is no number"),
        ("cache_mem_area=Axi0\n", "", "Shared", "defines no cache_mem_area"),
        ("cache_mem_area=Axi0", "cache_mem_area=Axi7", "Shared", "neither Axi0 nor Axi1"),
        ("[Memory_Mode.Shared]", "[Memory_Mode.Shared]\ninherit=Base", "Shared", "write the whole name"),
        ("[Memory_Mode.Shared]", "[Memory_Mode.Shared]\ninherit=Memory_Mode.Shared", "Shared", "inherits from itself"),
    ],
)
def test_a_section_that_vela_would_refuse_says_why(old: str, new: str, name: str, said: str) -> None:
    ini = parse_vela_ini(SOUND.replace(old, new, 1))
    assert said in ini.broken[name]
    assert name not in ini.system_configs and name not in ini.memory_modes


def test_sections_inherit_and_the_nearer_one_counts() -> None:
    ini = parse_vela_ini(
        SOUND
        + "[System_Config.Slow]\ninherit=System_Config.Mine\ncore_clock=1e6\n"
        + "[Memory_Mode.Small]\ninherit=Memory_Mode.Shared\narena_cache_size=65536\n"
    )
    assert (ini.system_configs["Slow"].clock_hz, ini.system_configs["Slow"].axi1) == (1e6, "OffChipFlash")
    assert ini.memory_modes["Small"] == ("Small", "Axi1", "Axi0", "Axi0", 65536)
    assert ini.defaults("ethos-u55-128") == (None, None), "two of each: one must be named"


def test_options_that_nobody_reads_are_told_with_what_was_meant() -> None:
    ini = parse_vela_ini(SOUND.replace("OffChipFlash_read_latency", "OffChipFlash_read_latncy"))
    assert ini.notes == (
        "line 9: Vela knows no option OffChipFlash_read_latncy and passes over it; did you mean OffChipFlash_read_latency?",
    )


@pytest.mark.parametrize(
    ("new", "npu", "evidence"),
    [
        ("[System_Config.Board_U65_Fast]", "ethos-u65", "its name says so"),
        ("[System_Config.Mine]\nSram_ports_used=2", "ethos-u85", "Sram_ports_used=2"),
        ("[System_Config.RTSS_HP_SRAM_MRAM]", "ethos-u55", "a vendor publishes it for that"),
        ("[System_Config.BU850]", None, ""),
    ],
)
def test_the_family_is_told_by_the_section(new: str, npu: str | None, evidence: str) -> None:
    (config,) = parse_vela_ini(SOUND.replace("[System_Config.Mine]", new)).system_configs.values()
    assert (config.npu, config.evidence) == (npu, evidence)
    ini = parse_vela_ini(SOUND.replace("[System_Config.Mine]", new))
    assert (ini.mismatch("ethos-u55-128", config.name, "Shared") is None) == (npu in (None, "ethos-u55"))


@pytest.mark.parametrize(
    ("areas", "said"),
    [
        (("Axi0", "Axi0", "Axi0"), None),
        (("Axi1", "Axi0", "Axi0"), None),
        (("Axi1", "Axi1", "Axi0"), "keeps the arena on Axi1"),
        (("Axi0", "Axi0", "Axi1"), "keeps constants on Axi0"),
        (("Axi1", "Axi0", "Axi1"), "keeps the cache on Axi1"),
    ],
)
def test_modes_fit_the_memories_on_the_ports(areas: tuple[str, str, str], said: str | None) -> None:
    text = SOUND[: SOUND.index("const_mem")]
    text += "".join(f"{name}_mem_area={port}\n" for name, port in zip(("const", "arena", "cache"), areas, strict=True))
    reason = parse_vela_ini(text).mismatch("ethos-u55-128", "Mine", "Shared")
    assert reason is None if said is None else said in str(reason)


@given(st.text(alphabet="[]=:;#%. \n\tSystem_ConfgMdr01aexi", max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for content in (text, SOUND + text, text + SOUND):
        try:
            assert isinstance(parse_vela_ini(content), VelaIni)
        except IniError as error:
            assert str(error)
