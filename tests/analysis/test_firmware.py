"""What firmware takes over: estimates against recorded runs, names of each release, and text that stays where it is put."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.firmware.c_source import rows
from ethosu_tui.analysis.firmware.c_text import c_string, identifier, in_comment, is_operator, is_section
from ethosu_tui.analysis.firmware.calls import read_calls
from ethosu_tui.analysis.firmware.definitions import cmake_definitions, kconfig_definitions
from ethosu_tui.analysis.firmware.hand_over import HandOver, hand_over
from ethosu_tui.analysis.firmware.releases import RELEASES, release_named
from ethosu_tui.analysis.firmware.structures import loaded_bytes
from ethosu_tui.analysis.program.reader import ProgramError, read_program

from ..programs import PROGRAMS, program


def read(name: str) -> HandOver:
    data = program(name)
    return hand_over(name, data, read_program(data))


@pytest.mark.parametrize(
    ("name", "log"), [("softmax_float.pte", "softmax.log"), ("digits_cortex_m55.pte", "mnist_q.log")]
)
def test_the_estimate_is_what_the_runner_printed(name: str, log: str, samples: Path) -> None:
    printed = (samples / log).read_text(errors="replace")
    planned, loaded = (
        int(re.search(rf"method_allocator_{part}: +(\d+) bytes", printed)[1])  # type: ignore[index]
        for part in ("planned", "loaded")
    )
    data = program(name)
    (method,) = read_program(data).methods
    assert method.planned_buffers_bytes == (planned,)
    assert loaded_bytes(read_calls(data)[0], planned) == loaded
    used = int(re.search(r"method_allocator_used: +(\d+) /", printed)[1])  # type: ignore[index]
    pool = next(pool for pool in read(name).pools() if pool.name == "method")
    assert pool.certainty == "estimate" and pool.bytes is not None and used < pool.bytes <= used * 1.25 + 512
    assert pool.bytes == -(-sum(term.bytes or 0 for term in pool.terms) // 16) * 16


def test_the_values_of_a_recorded_failure_are_counted(samples: Path) -> None:
    text = (samples / "method_small_load.log").read_text(errors="replace")
    count = int(re.search(r"values array of size (\d+)", text)[1])  # type: ignore[index]
    assert len(read_calls(program("digits_cortex_m55.pte"))[0].values) == count
    assert f"{count * 16}B requested" in text


def test_each_release_has_its_names() -> None:
    found = read("adds_u85_512_dedicated.pte")
    for release in RELEASES:
        text = cmake_definitions(found, release)
        assert f"ExecuTorch {release.name}" in text
        settings = [line for line in text.splitlines() if line.startswith("set(")]
        fast = "set(ET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE 524288 CACHE"
        assert any(line.startswith(fast) for line in settings) == (release.name >= "1.2")
        assert f"# {fast}" in text or release.name >= "1.2"
        method = any(line.startswith("set(ET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE 1488 ") for line in settings)
        assert method == (release.name >= "1.1"), "what an older runtime lays out is not known"
        kconfig = kconfig_definitions(found, release)
        assert (kconfig is None) == (release.name < "1.1")
        if kconfig is not None:
            assert "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE=" in kconfig
            assert "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE=224\n" in kconfig
            assert "target_compile_definitions(app PRIVATE ET_ARM_BAREMETAL_FAST_SCRATCH" in kconfig
    assert release_named("v1.4.1") == release_named("1.4") and release_named("9.9") is None


def test_inputs_are_what_the_runner_of_each_release_takes() -> None:
    found = read("adds_u85_512_dedicated.pte")
    wanted = {"0.7": 8 + 2 * 128, "1.0": 8, "1.1": 40, "1.5": 40}
    for name, size in wanted.items():
        release = release_named(name)
        assert release is not None
        (method,) = (pool for pool in found.pools(release) if pool.name == "method")
        assert sum(term.bytes or 0 for term in method.terms if "input" in term.what) == size
        if release.zephyr:
            (method,) = (pool for pool in found.pools(release, "zephyr") if pool.name == "method")
            assert sum(term.bytes or 0 for term in method.terms if "input" in term.what) == 8 + 2 * 128


def test_kernels_that_take_memory_make_the_scratch_pool_a_lower_bound() -> None:
    data = program("two_parts_u55_128.pte").replace(b"aten::sort", b"aten::topk")
    found = hand_over("x.pte", data, read_program(data))
    (pool,) = (pool for pool in found.pools() if pool.name == "scratch")
    assert pool.certainty == "at least" and "aten::topk" in pool.note
    (pool,) = (pool for pool in read("two_parts_u55_128.pte").pools() if pool.name == "scratch")
    assert pool.certainty == "exact" and pool.bytes == 4864


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("add.pte", "add_pte"), ("MobileNet-v2 (int8).pte", "MobileNet_v2_int8_pte"), ("2nets.pte", "model_2nets_pte"),
        ("log", "model_log"), ("int", "model_int"), ("size_t", "model_size_t"), ("\u30c7\u30fc\u30bf", "model"),
        ("", "model"), ("__a__b__", "a_b"), ("a" * 200, "a" * 64), ("model_pte", "model_pte"), ("*/\n\\", "model"),
    ],
)  # fmt: skip
def test_names_are_mangled_predictably(text: str, name: str) -> None:
    assert identifier(text) == name


@given(st.text(max_size=300))
def test_any_text_stays_where_it_is_put(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", identifier(text)) and "__" not in identifier(text)
    shown = in_comment(text)
    assert re.fullmatch(r"[ -~]*", shown) and not set(shown) & set("*\\?`$") and len(shown) <= 160
    literal = c_string(text)
    assert re.fullmatch(r'"(?:[ !#$&-> @-\[\]-~]|\\[0-7]{3})*"', literal)
    back = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), literal[1:-1]).encode("latin-1")
    assert back == text.encode("utf-8", "surrogateescape")
    if is_operator(text):
        assert re.fullmatch(r"[A-Za-z0-9_.:]+", text)
    if is_section(text):
        assert re.fullmatch(r"[A-Za-z0-9_.$-]+", text)


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100, 65535, 65536, 65537, 140_001])
def test_rows_are_the_bytes(size: int) -> None:
    data = os.urandom(size)
    text = b"".join(rows(data))
    assert bytes(int(number, 16) for number in text.replace(b"\n", b"").split(b",")[:-1]) == data
    assert all(len(line) == 80 for line in text.split(b"\n")[:-2])


def test_a_mode_that_names_no_size_leaves_the_fast_scratch_pool_to_the_reader() -> None:
    data = program("adds_u85_512_dedicated.pte").replace(b"Dedicated_Sram_512KB", b"Dedicated_Sram      ")
    found = hand_over("x.pte", data, read_program(data))
    (pool,) = (pool for pool in found.pools() if pool.name == "fast_scratch")
    assert pool.bytes is None and pool.certainty == "not known" and "names no size" in pool.note
    text = cmake_definitions(found, RELEASES[-1])
    assert "# ET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE is left to you." in text
    assert "set(ET_ARM_BAREMETAL_FAST_SCRATCH" not in text
    assert "for example:\n" in (kconfig_definitions(found, RELEASES[-1]) or "")


def test_the_third_planned_buffer_has_a_pool_of_its_own_from_1_5() -> None:
    found = read("adds_float.pte")
    (method,) = found.program.methods
    found = found._replace(
        program=found.program._replace(methods=(method._replace(planned_buffers_bytes=(100, 0, 500)),))
    )
    sizes = {pool.name: pool for pool in found.pools()}
    assert sizes["planned_fast"].bytes == 512 and sizes["planned_fast"].certainty == "exact"
    assert [term.bytes for term in sizes["method"].terms if "planned" in term.what] == [112]
    assert "set(ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE 512 CACHE" in cmake_definitions(found, RELEASES[-1])
    for runner, release in (("zephyr", RELEASES[-1]), ("bare-metal", release_named("1.4"))):
        (pool,) = found.pools(release, runner)  # type: ignore[arg-type]
        assert [term.bytes for term in pool.terms if "planned" in term.what] == [112, 512]


def test_a_great_many_inputs_and_buffers_make_no_endless_list() -> None:
    data = program("adds_float.pte")
    (method,) = read_program(data).methods
    many = method._replace(inputs=method.inputs * 500, planned_buffers_bytes=(16,) * 500)
    found = read("adds_float.pte")
    release = release_named("0.7")
    assert release is not None
    pools = found._replace(program=found.program._replace(methods=(many,))).pools(release)
    (pool,) = (pool for pool in pools if pool.name == "method")
    assert len(pool.terms) < 140 and sum(term.bytes or 0 for term in pool.terms if "planned" in term.what) == 500 * 16


@pytest.mark.parametrize("name", PROGRAMS)
def test_damaged_calls_are_one_error(name: str) -> None:
    data = bytearray(program(name))
    for place in range(0, min(len(data), 3000), 7):
        kept = data[place]
        data[place] ^= 0xFF
        try:
            for method in read_calls(bytes(data)):
                assert loaded_bytes(method) >= 0
        except ProgramError:
            pass
        data[place] = kept
