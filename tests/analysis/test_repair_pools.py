"""Pools and what is planned in them: what is repaired by the other figures of the log, and what is left out."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import Run, read_capture

from .perf_log import DOUBTED, GOOD, read

BUFFER = "I [executorch:arm_executor_runner.cpp:740] Setting up planned buffer 0, size 752640."


def test_pool_is_repaired_from_its_parts() -> None:
    run, doubts = read({**GOOD, "memory.pools.method.used_bytes": 135_572})
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert "135572 used of 62914560" in doubts["pool-sum"]


def test_a_damaged_pool_without_parts_is_left_out() -> None:
    figures = {path: value for path, value in GOOD.items() if not path.endswith(("planned_bytes", "loaded_bytes"))}
    run, doubts = read({**figures, "memory.pools.method.used_bytes": 1_365_722})  # 2 %, like the right one
    assert "method" not in run.memory.pools
    assert set(doubts) == {"pool-sum"}
    assert "method_pool_use_percent" not in run.derived


def test_a_damaged_pool_is_repaired_by_its_percentage() -> None:
    figures = {path: value for path, value in GOOD.items() if not path.endswith(("planned_bytes", "loaded_bytes"))}
    figures["memory.pools.method.used_bytes"] = 1_355
    run, doubts = read(figures)  # 2 % of what the pool is said to hold can only be its capacity less what is free
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert "1355 used of 62914560" in doubts["pool-sum"]
    assert "1355722 used, by the percentage" in doubts["pool-sum"]


def peak_temp(*lines: str) -> tuple[Run, set[str]]:
    """The run of the log of a runner with these lines, and the rules of its findings."""
    log = "".join(
        f"I [executorch:arm_executor_runner.cpp:7 f()] {line}\n" for line in ("Running method forward", *lines)
    )
    capture = read_capture("x", log.encode())
    return capture.runs[0], {f.rule for f in capture.findings}


def test_a_peak_stands_beside_what_is_free_now() -> None:
    run, rules = peak_temp("peak_temp_allocator:       64 / 2097152 free: 2097152 ( used: 0 % )")
    assert run.memory.pools["temp"] == (64, 2_097_152, 2_097_152)
    assert "pool-sum" not in rules
    run, rules = peak_temp("peak_temp_allocator:       1000 / 2000 free: 1500 ( used: 50 % )")
    assert run.memory.pools["temp"] == (1_000, 1_500, 2_000)
    assert "pool-sum" not in rules


@pytest.mark.parametrize("figures", ["3000 / 2000 free: 1500 ( used: 150 % )", "1000 / 2000 free: 1500 ( used: 5 % )"])
def test_a_peak_beyond_its_bounds_is_no_measurement(figures: str) -> None:
    run, rules = peak_temp(f"peak_temp_allocator:       {figures}")
    assert "temp" not in run.memory.pools
    assert "pool-sum" in rules


def test_parts_larger_than_their_pool_are_left_out() -> None:
    run, doubts = read({**GOOD, "memory.input_bytes": 6_021_160})
    assert run.memory.pools["method"].used_bytes == 1_355_722
    assert (run.memory.planned_bytes, run.memory.loaded_bytes, run.memory.input_bytes) == (None, None, None)
    assert "6021160" in doubts["allocator-sum"]


def test_planned_bytes_that_the_buffers_confirm_are_kept_where_the_parts_are_too_large() -> None:
    run, doubts = read({**GOOD, "memory.input_bytes": 6_021_160}, before=BUFFER)
    assert (run.memory.planned_bytes, run.memory.loaded_bytes, run.memory.input_bytes) == (752_640, None, None)
    assert "6021160" in doubts["allocator-sum"]


def test_two_damaged_parts_are_not_repaired_by_the_planned_buffers() -> None:
    run, doubts = read({**GOOD, "memory.planned_bytes": 75_264, "memory.loaded_bytes": 5_000}, before=BUFFER)
    assert "repaired" not in doubts["allocator-sum"]
    assert run.memory.planned_bytes != 752_640


def test_what_a_port_takes_beside_the_parts_is_no_damage_of_theirs() -> None:
    run, doubts = read({**GOOD, "memory.input_bytes": 0})
    assert run.memory.planned_bytes == 752_640
    assert run.memory.input_bytes == 0
    assert "allocator-sum" in doubts
    assert (
        "allocator-sum" in read({**GOOD, "memory.loaded_bytes": 964})[1]
    )  # Arm's own measures differences: none is lost


def test_planned_buffers_in_a_memory_of_their_own() -> None:
    figures = {**GOOD, "memory.pools.method.used_bytes": 603_082, "memory.pools.method.free_bytes": 62_311_478}
    run, doubts = read(figures, before=BUFFER)
    assert doubts == {}
    assert run.memory.planned_bytes == 752_640
    assert "allocator-sum" in read(figures)[1]


SET_UP = "I [executorch:arm_executor_runner.cpp:719] Setup Method allocator pool. Size: 62914560 bytes."


@pytest.mark.parametrize("printed", [75_264, 7_526_400])
def test_what_was_planned_is_repaired_by_the_planned_buffers(printed: int) -> None:
    run, doubts = read({**GOOD, "memory.planned_bytes": printed}, before=BUFFER)
    assert (run.memory.planned_bytes, run.memory.loaded_bytes, run.memory.input_bytes) == (752_640, 966, 602_116)
    assert f"{printed} + 966" in doubts["allocator-sum"] and "repaired: 752640 planned" in doubts["allocator-sum"]
    run, doubts = read({**GOOD, "memory.planned_bytes": 752_650}, before=BUFFER)
    assert "repaired" not in doubts["allocator-sum"], "the buffers confirm what was planned"
    run, doubts = read({**GOOD, "memory.input_bytes": 602_000}, before=BUFFER)
    assert run.memory.input_bytes == 602_000 and "repaired" not in doubts["allocator-sum"], "which part, nothing tells"


@pytest.mark.parametrize(("part", "printed"), [("free", 61_558_839), ("capacity", 62_914_561)])
def test_a_pool_is_repaired_by_the_size_that_it_was_set_up_with(part: str, printed: int) -> None:
    figures = {**GOOD, f"memory.pools.method.{part}_bytes": printed}
    run, doubts = read(figures, before=SET_UP)
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert f"{part}, by the size that it was set up with" in doubts["pool-sum"]
    assert f"{printed}" in doubts["pool-sum"]
    assert read(figures)[0].memory.pools["method"][0] == 1_355_722, "without that line, only the parts tell"


MEMORY = "I [executorch:arm_executor_runner.cpp:481] "


def of_pool(
    *sizes: int, planned: int, capacity: int = 65_536, uses: int = 1, beside: str = ""
) -> tuple[Run, dict[str, str]]:
    """A run with these planned buffers, whose pool is said to hold so many planned bytes; `beside` are more lines."""
    used = planned + 3_200
    use = f"{MEMORY}method_allocator_used: {used} / {capacity} free: {65_536 - used} ( used: {used // 655} % )\n"
    text = (
        f"{MEMORY}Setup Method allocator pool. Size: 65536 bytes.\n"
        + "".join(f"{MEMORY}Setting up planned buffer {i}, size {size}.\n" for i, size in enumerate(sizes))
        + use * uses
        + beside
        + f"{MEMORY}method_allocator_planned: {planned} bytes\n{MEMORY}method_allocator_loaded: 2000 bytes\n"
        + f"{MEMORY}method_allocator_input: 1200 bytes\n{MEMORY}method_allocator_executor: 0 bytes\n"
        + f"{MEMORY}Program complete, exiting.\n"
    )
    capture = read_capture("x", text.encode())
    (run,) = capture.runs
    return run, {f.rule: f.detail for f in capture.findings if f.rule in DOUBTED}


@pytest.mark.parametrize(
    ("sizes", "planned"), [((9_600,), 9_600), ((9_601, 33), 9_648), ((9_601, 33), 9_761), ((), 9_600)]
)
def test_planned_buffers_that_the_allocator_confirms_are_kept(sizes: tuple[int, ...], planned: int) -> None:
    run, doubts = of_pool(*sizes, planned=planned)
    assert (run.memory.planned_buffers, doubts) == (sizes, {})


@pytest.mark.parametrize("sizes", [(960,), (96_000,), (9_600, 512)])
def test_planned_buffers_that_the_allocator_contradicts_are_left_out(sizes: tuple[int, ...]) -> None:
    run, doubts = of_pool(*sizes, planned=9_600)
    assert run.memory.planned_buffers == ()
    assert list(doubts) == ["planned-buffers-sum"]
    assert run.memory.planned_bytes == 9_600
    assert not any(path.startswith("memory.planned_buffers") for path in run.lines)


@pytest.mark.parametrize("planned", [9_633, 9_762])
def test_what_was_planned_exceeds_its_buffers_by_their_alignment_only(planned: int) -> None:
    run, doubts = of_pool(9_601, 33, planned=planned)
    assert run.memory.planned_buffers == ()
    assert f"9634 bytes, and {planned} bytes planned" in doubts["planned-buffers-sum"]


def test_buffers_in_fast_memory_are_planned_beside_the_method_pool() -> None:
    fast = f"{MEMORY}planned_fast_allocator:    512 / 1024 free: 512 ( used: 50 % )\n"
    run, doubts = of_pool(9_600, 512, planned=9_600, beside=fast)
    assert (run.memory.planned_buffers, doubts) == ((9_600, 512), {})


def test_a_line_of_use_that_came_twice_is_no_witness_of_its_own_size() -> None:
    run, doubts = of_pool(9_600, planned=9_600, capacity=95_536, uses=2)
    assert "repaired: 65536 capacity" in doubts["pool-sum"]
    assert run.memory.pools["method"] == (12_800, 52_736, 65_536)
