"""The search over arena limits: on what Vela really gave for MobileNetV2, and on any other behaviour."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.design.candidates import Candidate, ignored_limit
from ethosu_tui.analysis.design.fitting import Fitting
from ethosu_tui.analysis.design.limits import Limits, judge
from ethosu_tui.analysis.design.objectives import OBJECTIVES, rank
from ethosu_tui.analysis.design.search import EVALUATIONS, UNLIMITED, ArenaSearch, Trial

KIB = 1 << 10
Vela = Callable[[Trial], Candidate | None]

U55 = Candidate("U55-128", "ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
U65 = Candidate("U65-512", "ethos-u65-512", "Ethos_U65_High_End", "Dedicated_Sram_384KB")
U55_SMALL = Candidate("U55-64", "ethos-u55-64", "Ethos_U55_Deep_Embedded", "Sram_Only")


@cache
def _recorded() -> dict[tuple[str | None, ...], dict[Trial, tuple[int, float, float, int, int, int, int]]]:
    table: dict[tuple[str | None, ...], dict[Trial, tuple[int, float, float, int, int, int, int]]] = {}
    text = Path(__file__).with_name("arena_limits.tsv").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        target, config, mode, limit, optimise, cycles, seconds, clock, *sizes = line.split("\t")
        trial = Trial(None if limit == "-" else int(limit), None if optimise == "-" else optimise)
        sram, dram, on_chip, off_chip = map(int, sizes)
        figures = (int(cycles), float(clock), float(seconds), sram, dram, on_chip, off_chip)
        table.setdefault((target, config, mode), {})[trial] = figures
    return table


def recorded(base: Candidate) -> Vela:
    """What Vela gave for MobileNetV2; a limit that was not recorded counts as the next smaller one that was."""
    known = _recorded()[(base.target, base.system_config, base.memory_mode)]

    def vela(trial: Trial) -> Candidate:
        found = trial
        if trial not in known:
            assert trial.arena_cache_bytes is not None
            below = [t for t in known if (t.arena_cache_bytes or 1 << 60) <= trial.arena_cache_bytes and not t.optimise]
            found = max(below, key=lambda t: t.arena_cache_bytes or 0)
        return Candidate(*base[:4], *trial, *known[found])

    return vela


def run(search: ArenaSearch, vela: Vela) -> ArenaSearch:
    """Search to the end."""
    while trials := search.ask():
        for trial in trials:
            search.tell(trial, vela(trial))
    return search


class TestOnMobileNetV2:
    def test_half_a_mebibyte_costs_next_to_nothing(self) -> None:
        limits: Limits = {"sram": 512 * KIB}
        search = run(ArenaSearch(U55, limits, OBJECTIVES["cycles"]), recorded(U55))
        assert search.best is not None
        best, plain = search.seen[search.best], search.seen[UNLIMITED]
        assert judge(plain, limits).keeps == "exceeds"
        assert judge(best, limits).keeps == "fits"
        assert best.total_cycles is not None and plain.total_cycles is not None
        assert best.total_cycles <= 1.01 * plain.total_cycles
        assert best.total_cycles <= 1.0001 * plain.total_cycles  # more than was asked for, and what was measured
        assert len(search.seen) <= EVALUATIONS

    def test_nothing_fits_where_vela_does_not_go(self) -> None:
        search = run(ArenaSearch(U55, {"sram": 300 * KIB}, OBJECTIVES["cycles"]), recorded(U55))
        assert search.best is None
        assert min(found.sram_bytes or 0 for found in search.seen.values()) == 361984
        assert any(ignored_limit(found) for found in search.seen.values())

    def test_the_least_sram_is_found(self) -> None:
        search = run(ArenaSearch(U55, {}, OBJECTIVES["sram"]), recorded(U55))
        assert search.best is not None
        assert search.seen[search.best].sram_bytes == 361984

    def test_a_smaller_cache_may_be_faster(self) -> None:
        """Here the default of the memory mode fits, and is 16 % slower than what Vela finds with --optimise Size."""
        search = run(ArenaSearch(U65, {"sram": 400 * KIB}, OBJECTIVES["cycles"]), recorded(U65))
        assert search.best == Trial(None, "Size")
        found, plain = search.seen[search.best].total_cycles, search.seen[UNLIMITED].total_cycles
        assert found is not None and plain is not None
        assert found < 0.85 * plain

    def test_weights_in_the_same_sram_leave_less_for_the_arena(self) -> None:
        limits: Limits = {"sram": 4 << 20}
        search = run(ArenaSearch(U55_SMALL, limits, OBJECTIVES["cycles"]), recorded(U55_SMALL))
        asked = [trial.arena_cache_bytes for trial in search.seen if trial.arena_cache_bytes]
        assert max(asked) <= (4 << 20) - 3664928
        assert search.best is not None
        assert judge(search.seen[search.best], limits).keeps == "fits"

    def test_the_order_within_a_round_does_not_matter(self) -> None:
        vela = recorded(U55)
        limits: Limits = {"sram": 512 * KIB}
        forward = run(ArenaSearch(U55, limits, OBJECTIVES["cycles"]), vela)
        backward = ArenaSearch(U55, limits, OBJECTIVES["cycles"])
        while trials := backward.ask():
            for trial in reversed(trials):
                backward.tell(trial, vela(trial))
        assert set(forward.seen) == set(backward.seen)
        assert forward.best == backward.best


class TestAnyBehaviour:
    @given(
        st.lists(st.tuples(st.integers(1, 3_000_000), st.integers(1, 10**8)), min_size=2, max_size=12),
        st.sampled_from([U55, U65, U55_SMALL]),
        st.sampled_from(["cycles", "seconds", "sram", "flash"]),
        st.one_of(st.none(), st.integers(1, 4_000_000)),
        st.integers(1, 30),
        st.integers(0, 7),
    )
    def test_it_ends_asks_nothing_twice_and_keeps_the_best(
        self,
        steps: list[tuple[int, int]],
        base: Candidate,
        objective: str,
        sram: int | None,
        evaluations: int,
        fails: int,
    ) -> None:
        """Vela as a table in no order at all; some trials fail."""
        asked: list[Trial] = []

        def vela(trial: Trial) -> Candidate | None:
            asked.append(trial)
            if fails and len(asked) % (fails + 1) == 0:
                return None
            place = (trial.arena_cache_bytes or 1) * 2654435761 % len(steps)
            used, cycles = steps[0] if trial == UNLIMITED else steps[place]
            return Candidate(*base[:4], *trial, cycles, 5e8, cycles / 5e8, used, 0, 1000, 2000, 4000)

        limits: Limits = {} if sram is None else {"sram": sram}
        search = run(ArenaSearch(base, limits, OBJECTIVES[objective], evaluations), vela)
        assert len(asked) == len(set(asked)) == len(search.seen) <= evaluations
        assert all(trial.arena_cache_bytes is None or trial.arena_cache_bytes > 0 for trial in asked)
        assert search.ask() == ()
        fitting = [
            found
            for found in search.seen.values()
            if found.total_cycles is not None and judge(found, limits).keeps == "fits"
        ]
        if search.best is None:
            assert not fitting
        else:
            assert rank(search.seen[search.best], OBJECTIVES[objective]) == min(
                rank(found, OBJECTIVES[objective]) for found in fitting
            )

    @given(st.integers(64 * KIB, 4096 * KIB), st.integers(16, 60), st.integers(1, 99), st.integers(0, 20))
    def test_where_limits_are_kept_something_is_found(self, used: int, floor: int, part: int, slope: int) -> None:
        """A limit is kept down to a floor, and less SRAM costs cycles: what fits at all is found, and it uses most of it."""
        least = used * floor // 100
        room = used * part // 100

        def vela(trial: Trial) -> Candidate:
            wanted = used if trial.arena_cache_bytes is None else trial.arena_cache_bytes
            sram = least if trial.optimise else min(used, max(least, wanted))
            cycles = 10**6 + slope * (used - sram)
            return Candidate(*U55[:4], *trial, cycles, 5e8, cycles / 5e8, sram, 0, 0, 0, 4000)

        search = run(ArenaSearch(U55, {"sram": room}, OBJECTIVES["cycles"]), vela)
        if room < least:
            assert search.best is None
            return
        assert search.best is not None
        found = search.seen[search.best].sram_bytes or 0
        assert found <= room
        assert not slope or found >= min(room - 16, used - 16)


class TestItIsTold:
    def test_only_what_it_asked_for_and_once(self) -> None:
        search = ArenaSearch(U55, {}, OBJECTIVES["cycles"])
        with pytest.raises(ValueError, match="nobody waits"):
            search.tell(UNLIMITED, None)
        first = search.ask()
        assert search.ask() == ()  # results are still to come
        search.tell(first[0], None)
        with pytest.raises(ValueError, match="nobody waits"):
            search.tell(first[0], None)

    def test_nothing_more_is_tried_where_the_plain_one_fails(self) -> None:
        search = run(ArenaSearch(U55, {"sram": KIB}, OBJECTIVES["cycles"]), lambda _: None)
        assert len(search.seen) == 3
        assert search.best is None

    def test_a_target_without_an_npu_is_compiled_once(self) -> None:
        bare = Candidate("none", "none")
        fitting = Fitting([bare], {"sram": KIB}, "cycles")
        asked = fitting.ask()
        assert asked == ((0, UNLIMITED),)
        fitting.tell(asked[0], bare)
        assert fitting.ask() == ()


class TestSeveral:
    def test_what_is_far_slower_is_left_alone(self) -> None:
        bases = [U55, U65, U55_SMALL]
        velas = [recorded(base) for base in bases]
        fitting = Fitting(bases, {"sram": 2 << 20}, "cycles")
        tried = [0, 0, 0]
        while asked := fitting.ask():
            for place, trial in asked:
                tried[place] += 1
                fitting.tell((place, trial), velas[place](trial))
        assert fitting.left_alone == [0, 2]
        assert tried[0] == 3
        assert tried[1] > 5

    def test_many_share_a_bound(self) -> None:
        fitting = Fitting([U55] * 160, {"sram": 512 * KIB}, "cycles")
        vela = recorded(U55)
        total = 0
        while asked := fitting.ask():
            total += len(asked)
            for one in asked:
                fitting.tell(one, vela(one[1]))
        assert total == 160 * 4
