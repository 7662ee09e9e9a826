"""Whether a run fits on a board: bounds where the log has no figure, no verdict where they differ, margins worked out by hand."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.answers.of_run import answers_of_run
from ethosu_tui.analysis.design.fit_table import compile_board_table
from ethosu_tui.analysis.fit.of_run import boards_with_npu, needs_of_run
from ethosu_tui.analysis.fit.on_boards import fit_on
from ethosu_tui.analysis.fit.tables import board_table, boards_table
from ethosu_tui.analysis.meaning.boards import BOARDS, BoardMemory, Sourced
from ethosu_tui.analysis.report import CompileSummary, Memory, Model, Pmu, Pool, Run, Target

K = 1024
BOARD = BOARDS["ra8p1"]._replace(
    memories=(
        BoardMemory("sram", Sourced(1000 * K, "t", "source")),
        BoardMemory("mram", Sourced(500 * K, "t", "source")),
    )
)


def run(used: int = 400 * K, temp: Pool | None = None, **changes: object) -> Run:
    pools = {"method": Pool(used, None, 4 << 20), **({"temp": temp} if temp is not None else {})}
    plain = Run(
        1, 1, 2, "passed", "complete", target=Target("ethos-u55-256", "ethos-u55", 256), model=Model(pte_bytes=250 * K),
        memory=Memory(pools, planned_bytes=300 * K, loaded_bytes=60 * K, input_bytes=30 * K), pmu=Pmu(1000),
    )  # fmt: skip
    return plain._replace(**changes)


def test_parts_margin_and_the_biggest_contributor() -> None:
    needs = needs_of_run(run(temp=Pool(200 * K, None, 1 << 20)))
    assert {item.name: item.bytes // K for item in needs.items} == {
        "planned": 300, "loaded": 60, "input": 30, "other": 10, "scratch": 200,
    }  # fmt: skip
    assert needs.least_bytes == needs.most_bytes == 600 * K and needs.biggest is not None
    assert needs.biggest.name == "planned"
    found = fit_on(run(), BOARD, needs)
    assert found.fit == "fits"
    assert {r.region: r.margin_percent for r in found.regions} == {"NPU": None, "RAM": 40.0, "program": 50.0}
    assert found.margin_percent == 40.0
    table = board_table(run(), needs, BOARD)
    assert "fits" in table.title and "planned, 300.0 KiB" in table.note


@pytest.mark.parametrize(("capacity", "fit"), [(500 * K, "fits"), (700 * K, "cannot tell")])
def test_scratch_that_is_not_printed_lies_between_nothing_and_its_pool(capacity: int, fit: str) -> None:
    one = run(temp=Pool(None, None, capacity))
    needs = needs_of_run(one)
    assert (needs.least_bytes, needs.most_bytes) == (400 * K, 400 * K + capacity)
    assert fit_on(one, BOARD, needs).fit == fit


def test_a_use_of_zero_beside_a_working_npu_is_no_use() -> None:
    """ExecuTorch 0.5 and 0.6 print 0 after the delegate has given the memory back."""
    assert needs_of_run(run(temp=Pool(0, None, 512 * K))).most_bytes == 912 * K


def test_what_is_not_known_at_all_leaves_no_verdict() -> None:
    one = run()
    needs = needs_of_run(one)
    assert needs.most_bytes is None and needs.unknown
    found = fit_on(one, BOARD, needs)
    assert found.fit == "cannot tell" and "scratch" in found.reason


def test_the_compile_in_the_capture_says_what_scratch_it_planned() -> None:
    needs = needs_of_run(run(), CompileSummary(memory_mode="Shared_Sram", sram_used_bytes=100 * K))
    assert needs.most_bytes == 500 * K and not needs.scratch_outside


def test_dedicated_sram_wants_its_scratch_in_dram() -> None:
    one = run(
        target=Target("ethos-u65-256", "ethos-u65", 256, memory_mode="Dedicated_Sram"),
        temp=Pool(5 << 20, None, 8 << 20),
    )
    needs = needs_of_run(one)
    assert needs.scratch_outside
    found = fit_on(one, BOARDS["imx93"], needs)
    assert found.fit == "cannot tell" and "scratch in DRAM" in found.reason


def test_planned_buffers_are_the_least_that_a_log_without_a_report_tells() -> None:
    """As the sample application for Zephyr prints it: what is set up, and not what is in use."""
    told = Memory({"method": Pool(None, None, 1 << 20)}, planned_buffers=(300 * K, 100 * K))
    silent = run(memory=told, pmu=None, target=Target())
    needs = needs_of_run(silent)
    assert (needs.least_bytes, needs.most_bytes, needs.unknown) == (400 * K, None, ("what else the method pool held",))
    answer = next(answer for answer in answers_of_run(silent, (), None, None) if answer.key == "fit")
    assert answer.answer == "in its pools, yes (39.06 % of the method pool for its planned buffers)"
    assert "needs at least 400.0 KiB" in answer.reason
    failed = silent._replace(status="failed")
    answer = next(answer for answer in answers_of_run(failed, (), None, None) if answer.key == "fit")
    assert answer.answer.startswith("it needs at least 400.0 KiB")
    elsewhere = silent._replace(memory=told._replace(planned_buffers=(1100 * K,)))  # the pool cannot hold them
    answer = next(answer for answer in answers_of_run(elsewhere, (), None, None) if answer.key == "fit")
    assert answer.answer.startswith("it needs at least 1.1 MiB")
    large = needs_of_run(run(memory=told._replace(planned_buffers=(1100 * K,))))
    assert "external memory is not in the board data" in fit_on(run(), BOARD, large).reason
    assert needs_of_run(run(memory=Memory(planned_buffers=(0,)))).items == ()


def test_the_arena_of_tensorflow_lite_micro_holds_the_scratch_memory_too() -> None:
    arena = Memory({"tensor_arena": Pool(600 * K, None, 700 * K)})
    needs = needs_of_run(run(memory=arena))
    assert ([item.name for item in needs.items], needs.most_bytes, needs.unknown) == (["tensor arena"], 600 * K, ())
    assert fit_on(run(), BOARD, needs).fit == "fits"
    large = needs_of_run(run(memory=Memory({"tensor_arena": Pool(1200 * K, None, 2 << 20)})))
    table = board_table(run(), large, BOARD)
    assert "cannot tell" in table.title and "the arena holds all activations" in table.note


def test_an_arena_in_dram_is_not_held_against_the_sram() -> None:
    arena = Memory({"tensor_arena": Pool(1200 * K, None, 2 << 20)})
    outside = run(memory=arena, target=Target("ethos-u55-256", "ethos-u55", 256, memory_mode="Dedicated_Sram"))
    needs = needs_of_run(outside)
    assert needs.scratch_outside and needs.most_bytes is None and "cache" in needs.unknown[0]
    ram = [check for check in fit_on(outside, BOARD, needs).regions if check.region == "RAM"]
    assert [check.check.reason.partition(":")[0] for check in ram] == ["tensor arena in DRAM"]


def test_too_large_for_the_sram_in_which_the_npu_wants_it() -> None:
    one = run(temp=Pool(2000 * K, None, 4 << 20))
    found = fit_on(one, BOARD, needs_of_run(one))
    assert found.fit == "does not fit" and found.regions[0].region == "RAM"
    margin = found.regions[0].margin_percent
    assert margin is not None and margin < 0


def test_another_npu_is_said_before_any_memory() -> None:
    one = run(temp=Pool(2000 * K, None, 4 << 20))
    found = fit_on(one, BOARDS["m55m1"]._replace(macs=128), needs_of_run(one))
    assert found.fit == "does not fit" and [r.region for r in found.regions] == ["NPU"]


def test_a_size_that_nobody_checked_gives_no_verdict() -> None:
    one = run(100, temp=Pool(100, None, 1000), target=Target(None, "ethos-u85", None))
    assert fit_on(one, BOARDS["mps4-u85"], needs_of_run(one)).fit == "cannot tell"


def test_boards_are_those_with_the_npu_and_none_without_one() -> None:
    assert {board.name for board in boards_with_npu(run())} == {"alif-e7-hp", "alif-e8-hp", "ra8p1", "m55m1"}
    assert boards_with_npu(run(target=Target())) == ()
    table = boards_table(run(temp=Pool(1, None, 2)), needs_of_run(run(temp=Pool(1, None, 2))), boards_with_npu(run()))
    assert [row[3].text for row in table.rows] == ["fits"] * 4
    margins = [row[4].value for row in table.rows]
    assert margins == sorted(margins, reverse=True)  # type: ignore[type-var]


def test_a_clock_that_nobody_has_checked_is_marked_in_both_lists_of_boards() -> None:
    summary = CompileSummary(total_cycles=7, core_clock_hz=5e8, sram_used_bytes=5, accelerator="ethos-u55-128")
    this = run()._replace(target=Target("ethos-u55-128", "ethos-u55", 128))
    of_compile = compile_board_table({"target": "ethos-u55-128"}, summary, None)
    of_run = boards_table(this, needs_of_run(this), boards_with_npu(this))
    seen = set()
    for table in (of_compile, of_run):
        column = [column.name for column in table.columns].index("Clock")
        for row in table.rows:
            clock = BOARDS[row[0].text].clock_hz
            if clock is not None:
                assert row[column].text.endswith("?") is not clock.verified and row[column].value == clock.value
                seen.add((table.title, clock.verified))
    assert len(seen) == 4, "checked and unchecked ones in both"
