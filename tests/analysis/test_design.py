"""Limits, the Pareto front, its knee, objectives, boards, and arena limits that Vela did not keep."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.design.answers import answer
from ethosu_tui.analysis.design.candidates import Candidate, ignored_limit
from ethosu_tui.analysis.design.extremes import extremes
from ethosu_tui.analysis.design.front import knee, pareto_front
from ethosu_tui.analysis.design.limits import judge, parse_limits
from ethosu_tui.analysis.design.objectives import objective_for
from ethosu_tui.analysis.design.on_boards import best_per_board
from ethosu_tui.analysis.design.tables import board_reasons, boards_table, candidates_table, front_table, verdict
from ethosu_tui.analysis.meaning.boards import BOARDS
from ethosu_tui.analysis.report import CompileSummary
from ethosu_tui.analysis.tables.text import render

KIB, MIB = 1 << 10, 1 << 20
PLAIN = Candidate(
    "ethos-u55-128", "ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram", None, None,
    10634003, 500e6, 0.021268006, 1509824, 0, 0, 3665040, 3683904,
)  # fmt: skip
"""MobileNetV2 as Vela 5.1 compiles it."""
LIMITED = PLAIN._replace(
    label="limited", arena_cache_bytes=475136, total_cycles=10634460, inference_seconds=0.02126892, sram_bytes=470000
)
SIZE = PLAIN._replace(label="size", optimise="Size", total_cycles=10815304, inference_seconds=None, sram_bytes=361984)
SRAM_ONLY = Candidate(
    "ethos-u85-256", "ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Sram_Only", None, None,
    3779803, 1e9, 0.003779803, 1505280, 0, 3824896, 0, 3843000,
)  # fmt: skip
DEDICATED = Candidate(
    "ethos-u65-256", "ethos-u65-256", "Ethos_U65_High_End", "Dedicated_Sram_384KB", None, None,
    9834339, 1e9, 0.009834339, 384960, 4009648, 0, 0, 3683904,
)  # fmt: skip


class TestLimits:
    def test_sizes_are_read_in_every_unit(self) -> None:
        assert parse_limits(["sram=512KiB,flash=2MiB", "dram=64000"]) == {
            "sram": 512 * KIB, "flash": 2 * MIB, "dram": 64000,
        }  # fmt: skip
        assert parse_limits(["SRAM = 1.5 MB"]) == {"sram": 1_500_000}
        assert parse_limits(["sram=1KB"]) == {"sram": 1000}

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("sram", "'sram' is no limit"),
            ("", "a limit is empty"),
            ("sram=1KiB,", "a limit is empty"),
            ("itcm=1KiB", "'itcm' is no memory to limit: choose one of sram, dram, flash"),
            ("sram=", "sram= is no size"),
            ("sram=512K", "sram=512K is no size: write a number with B, KB, KiB"),
            ("sram=-5", "sram=-5 is no size"),
            ("sram=0.3B", "sram=0.3B is no size"),
            ("sram=0", "it must be more than nothing"),
            ("sram=9999999GiB", "at most 1,048,576.0 GiB"),
            ("sram=1KiB,sram=2KiB", "sram is limited twice"),
            ("sram=1=2", "sram=1=2 is no size"),
        ],
    )
    def test_a_bad_one_is_refused_in_one_sentence(self, text: str, said: str) -> None:
        with pytest.raises(ValueError, match="^[^\n]+$") as error:
            parse_limits([text])
        assert said in str(error.value)

    @given(st.text(max_size=30))
    def test_any_text_gives_limits_or_one_sentence(self, text: str) -> None:
        try:
            limits = parse_limits([text])
        except ValueError as error:
            assert str(error)
        else:
            assert all(0 < size <= 1 << 50 for size in limits.values())

    def test_what_exceeds_which_limit_is_said_with_the_bytes(self) -> None:
        found = judge(PLAIN, {"sram": 512 * KIB, "flash": 4 * MIB})
        assert found.keeps == "exceeds"
        assert [(one.memory, one.need_bytes) for one in found.broken] == [("sram", 1509824)]
        assert "1.4 MiB (1,509,824 bytes) is 962.4 KiB (985,536 bytes) over 512.0 KiB" in found.reason
        assert judge(LIMITED, {"sram": 512 * KIB, "flash": 4 * MIB}).keeps == "fits"

    def test_a_limit_is_kept_to_the_byte(self) -> None:
        assert judge(LIMITED, {"sram": 470000}).keeps == "fits"
        assert judge(LIMITED, {"sram": 469999}).keeps == "exceeds"

    def test_weights_lie_in_the_same_sram_in_sram_only(self) -> None:
        found = judge(SRAM_ONLY, {"sram": 2 * MIB})
        assert found.broken[0].need_bytes == 1505280 + 3824896
        assert "3.6 MiB are weights (Sram_Only)" in found.reason
        assert judge(SRAM_ONLY._replace(memory_mode="Shared_Sram"), {"sram": 2 * MIB}).keeps == "fits"

    def test_flash_holds_the_whole_program(self) -> None:
        assert PLAIN.need("flash") == 3683904
        assert PLAIN._replace(pte_bytes=None).need("flash") == 3665040
        assert DEDICATED._replace(pte_bytes=None).need("flash") is None

    def test_what_is_not_known_is_neither_kept_nor_exceeded(self) -> None:
        unknown = Candidate("x", "ethos-u55-128")
        found = judge(unknown, {"sram": KIB})
        assert (found.keeps, found.reason) == ("unknown", "how much SRAM it needs is not known")
        assert judge(SRAM_ONLY._replace(on_chip_flash_bytes=None), {"sram": 8 * MIB}).keeps == "unknown"
        both = judge(PLAIN._replace(pte_bytes=None, off_chip_flash_bytes=None), {"sram": KIB, "flash": KIB})
        assert both.keeps == "exceeds"


class TestIgnoredLimits:
    def test_a_limit_that_was_kept_is_none(self) -> None:
        assert ignored_limit(LIMITED) is None
        assert ignored_limit(PLAIN) is None
        assert ignored_limit(DEDICATED) is None

    def test_vela_used_more_than_it_was_asked_to(self) -> None:
        found = ignored_limit(PLAIN._replace(arena_cache_bytes=100000, sram_bytes=361984))
        assert found is not None
        assert (found.limit_bytes, found.used_bytes, found.given_by) == (100000, 361984, "--arena-cache-size")

    def test_the_name_of_a_memory_mode_is_a_limit_too(self) -> None:
        found = ignored_limit(DEDICATED._replace(memory_mode="Dedicated_Sram_256KB"))
        assert found is not None
        assert (found.limit_bytes, found.given_by) == (256 * KIB, "Dedicated_Sram_256KB")
        assert ignored_limit(DEDICATED._replace(memory_mode="Dedicated_Sram")) is None

    def test_optimise_size_does_not_look_at_it(self) -> None:
        found = ignored_limit(SIZE._replace(arena_cache_bytes=1000))
        assert found is not None
        assert "does not look at --arena-cache-size with --optimise Size" in found.reason


FIGURES = st.one_of(st.none(), st.integers(0, 20), st.floats(0, 1e12))


class TestFront:
    @given(st.lists(st.tuples(FIGURES, FIGURES), max_size=40))
    def test_nobody_beats_the_front_and_the_front_beats_the_rest(
        self, points: list[tuple[float | None, float | None]]
    ) -> None:
        front = pareto_front(points)
        known = {place: (x, y) for place, (x, y) in enumerate(points) if x is not None and y is not None}
        assert set(front) <= set(known)
        for place in front:
            x, y = known[place]
            assert not any(a <= x and b <= y and (a, b) != (x, y) for a, b in known.values())
        for place, (x, y) in known.items():
            assert any(known[one][0] <= x and known[one][1] <= y for one in front), place
        ordered = [known[place] for place in front]
        assert ordered == sorted(ordered)
        assert len(set(ordered)) == len(ordered)

    def test_the_first_of_equals_stands_for_all(self) -> None:
        assert pareto_front([(2, 2), (1, 1), (1, 1)]) == (1,)


class TestKnee:
    def test_it_is_where_the_front_bends(self) -> None:
        assert knee([(1, 1000), (1.1, 10), (100, 9)]) == 1

    def test_it_needs_three_points_and_a_bend(self) -> None:
        assert knee([(1, 2), (2, 1)]) is None
        assert knee([]) is None
        assert knee([(1, 100), (10, 10), (100, 1)]) is None  # straight, in ratios
        assert knee([(1, 100), (90, 99), (100, 1)]) is None  # it bends outwards

    @given(st.lists(st.tuples(st.floats(1e-6, 1e6), st.floats(1, 1e9)), max_size=20), st.floats(0.01, 100))
    def test_it_is_on_the_front_and_does_not_depend_on_units(
        self, points: list[tuple[float, float]], scale: float
    ) -> None:
        front = [points[place] for place in pareto_front(points)]
        found = knee(front)
        assert found is None or 0 < found < len(front) - 1
        if found is not None:  # powers of two, so that no rounding comes in
            power = 2.0 ** round(math.log2(scale))
            assert knee([(x * power, y) for x, y in front]) == found

    def test_a_zero_on_an_axis_is_no_error(self) -> None:
        assert knee([(1, 100), (1.1, 1), (10, 0)]) == 1


class TestObjectives:
    def test_cycles_of_one_clock(self) -> None:
        assert objective_for("cycles", [PLAIN, SIZE]).objective.name == "cycles"

    def test_cycles_of_several_clocks_become_time(self) -> None:
        chosen = objective_for("cycles", [PLAIN, SRAM_ONLY])
        assert chosen.objective.name == "seconds"
        assert chosen.reason is not None
        assert "500, 1000 MHz" in chosen.reason

    def test_time_is_cycles_at_the_core_clock_where_vela_does_not_say_it(self) -> None:
        assert SIZE.seconds == pytest.approx(10815304 / 500e6)
        assert SIZE._replace(core_clock_hz=None).seconds is None


class TestAnswers:
    def test_the_best_that_fits(self) -> None:
        answers = answer([PLAIN, LIMITED, SIZE], {"sram": 512 * KIB}, "cycles")
        assert answers.fit is not None
        assert (answers.fit.place, answers.fit.unlimited) == (1, 0)
        assert answers.ratio == pytest.approx(1.000043)
        assert "+0.004 % cycles, -68.9 % SRAM" in verdict(answers)
        assert answers.front == (0, 1, 2)
        assert answers.knee == 1

    def test_the_least_sram(self) -> None:
        answers = answer([PLAIN, LIMITED, SIZE], {}, "sram")
        assert answers.fit is not None
        assert answers.fit.place == 2

    def test_why_nothing_fits(self) -> None:
        answers = answer([PLAIN, SIZE, LIMITED], {"sram": 300 * KIB, "flash": 8 * MIB}, "cycles")
        assert answers.fit is not None
        assert (answers.fit.place, answers.ratio) == (None, None)
        assert "nothing fits SRAM 300.0 KiB, flash 8.0 MiB; nearest is size: SRAM: 353.5 KiB" in verdict(answers)

    def test_without_any_figures(self) -> None:
        failed = Candidate("failed", "ethos-u55-128")
        answers = answer([failed], {"sram": KIB}, "cycles")
        assert (answers.front, answers.knee, answers.boards) == ((), None, ())
        assert "no configuration was compiled" in verdict(answers)
        assert answer([], {}, "flash").fit is not None

    def test_places_of_failed_ones_stay(self) -> None:
        answers = answer([Candidate("failed", "ethos-u55-128"), PLAIN, LIMITED], {"sram": 512 * KIB})
        assert answers.front == (1, 2)
        assert answers.fit is not None
        assert answers.fit.place == 2

    def test_the_json_has_only_plain_values(self) -> None:
        candidates = [PLAIN, LIMITED, SIZE, SRAM_ONLY, Candidate("failed", "none")]
        for limits in (None, {"sram": 512 * KIB}, {"sram": KIB}):
            document = answer(candidates, limits, "cycles").to_dict()
            assert json.loads(json.dumps(document, allow_nan=False)) == document
        assert document["needs"][3] == {"sram_bytes": 5330176, "dram_bytes": 0, "flash_bytes": 3843000}
        assert document["needs"][4] == {"sram_bytes": None, "dram_bytes": None, "flash_bytes": None}

    def test_a_summary_becomes_a_row(self) -> None:
        summary = CompileSummary(total_cycles=7, core_clock_hz=0.0, sram_used_bytes=5)
        found = Candidate("x", "ethos-u55-128").with_figures(summary, 9)
        assert (found.total_cycles, found.sram_bytes, found.dram_bytes, found.pte_bytes) == (7, 5, None, 9)
        assert found.seconds is None

    def test_tables_say_what_stands_out(self) -> None:
        ignored = PLAIN._replace(label="ignored", arena_cache_bytes=1000)
        answers = answer([PLAIN, LIMITED, SIZE, ignored], {"sram": 512 * KIB})
        text = render(candidates_table(answers))
        assert "chosen, knee, front *" in text
        assert "limit not kept" in text
        assert "--arena-cache-size asks for 1,000 bytes at most" in text
        assert "DRAM" not in text  # nobody needs any
        assert "DRAM" in render(candidates_table(answer([DEDICATED])))
        assert len(front_table(answers).rows) == 3
        assert "No knee: a front of 1 has no knee." in render(front_table(answer([DEDICATED])))

    def test_rows_stand_best_first_and_what_does_not_fit_last(self) -> None:
        answers = answer([PLAIN, SIZE, LIMITED, Candidate("failed", "ethos-u55-128")], {"sram": 512 * KIB})
        labels = [row[0].value for row in candidates_table(answers).rows]
        assert labels == ["limited", "size", "ethos-u55-128", "failed"]
        plain = candidates_table(answer([SIZE, PLAIN, LIMITED]))
        assert [row[0].value for row in plain.rows] == ["ethos-u55-128", "limited", "size"]

    def test_labels_cannot_steer_the_terminal(self) -> None:
        answers = answer([PLAIN._replace(label="\x1b[2J\x07model"), LIMITED], {"sram": 512 * KIB})
        assert "\x1b" not in render(candidates_table(answers))


class TestBoards:
    def test_only_configurations_of_its_npu_count(self) -> None:
        answers = {
            one.board: one for one in best_per_board([PLAIN, SRAM_ONLY], objective_for("cycles", [PLAIN]).objective)
        }
        assert set(answers) == set(BOARDS)
        assert answers["ra8p1"].fit == "not compiled"
        assert "ethos-u55-256" in answers["ra8p1"].reason
        assert answers["corstone-300-u55"] == ("corstone-300-u55", "Corstone-300 FVP", "fits", 0, "", None)
        assert (answers["alif-e8-u85"].fit, answers["alif-e8-u85"].place) == ("fits", 1)

    def test_the_best_that_fits_is_taken_and_not_the_fastest(self) -> None:
        big = SRAM_ONLY._replace(sram_bytes=8 * MIB)
        shared = SRAM_ONLY._replace(memory_mode="Shared_Sram", inference_seconds=1.0, total_cycles=10**9)
        objective = objective_for("cycles", [big, shared]).objective
        (found,) = best_per_board([big, shared], objective, [BOARDS["corstone-320"]])
        assert (found.fit, found.place) == ("fits", 1)
        (found,) = best_per_board([big], objective, [BOARDS["corstone-320"]])
        assert (found.fit, found.place) == ("does not fit", None)
        assert "arena and weights: 11.6 MiB, sram: 4.0 MiB" in found.reason

    def test_memories_that_nobody_vouches_for_cannot_tell(self) -> None:
        small = PLAIN._replace(target="ethos-u55-64", sram_bytes=100 * KIB)
        (found,) = best_per_board([small], objective_for("cycles", [small]).objective, [BOARDS["himax-we2"]])
        assert (found.fit, found.place) == ("cannot tell", 0)
        assert "unverified" in found.reason

    def test_the_arena_of_a_dedicated_sram_needs_dram(self) -> None:
        objective = objective_for("cycles", [DEDICATED]).objective
        (found,) = best_per_board([DEDICATED], objective, [BOARDS["imx93"]])
        assert found.fit == "cannot tell"
        assert "arena and weights in DRAM" in found.reason
        (found,) = best_per_board([DEDICATED], objective, [BOARDS["corstone-300-u65"]])
        assert found.fit == "fits"

    def test_the_system_config_is_the_one_whose_clock_is_nearest(self) -> None:
        deep = PLAIN._replace(
            label="deep",
            system_config="Ethos_U55_Deep_Embedded",
            core_clock_hz=200e6,
            total_cycles=99,
            inference_seconds=0.9,
        )
        candidates = [PLAIN, deep]
        objective = objective_for("cycles", candidates).objective
        assert objective.name == "seconds"
        (found,) = best_per_board(candidates, objective, [BOARDS["alif-e7-he"]])
        assert (found.place, found.clock_hz) == (1, 160e6)

    def test_the_table_and_the_reasons(self) -> None:
        answers = answer([PLAIN, LIMITED])
        text = render(boards_table(answers))
        assert "corstone-300-u55  fits" in text
        assert "ra8p1" not in text
        reasons = board_reasons(answers)
        assert any(one.startswith("mps3-an552: program: 3.5 MiB") for one in reasons)
        assert "ra8p1" in reasons[-1]


def test_a_sweep_ends_on_its_fastest_and_its_smallest() -> None:
    unknown = Candidate("failed", "ethos-u55-32")
    few = answer([PLAIN, SRAM_ONLY, DEDICATED])
    said = extremes(few, ["u55", "u85", "u65"])
    assert said.startswith("Fastest: u85 (3.78 ms); least SRAM: u65 (375.9 KiB)"), (
        "the U85's SRAM holds its weights too"
    )
    assert ", of 2 that say it" in extremes(answer([PLAIN, unknown, DEDICATED]), ["u55", "none", "u65"])
    assert extremes(answer([PLAIN, unknown]), ["u55", "none"]) == "", "one alone is no choice"
