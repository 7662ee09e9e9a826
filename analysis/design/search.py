"""The search over Vela's arena limit for one configuration: it says what to try next, and is told the results.

Vela may exceed the limit, and neither SRAM nor cycles follow it evenly. MobileNetV2 on an Ethos-U65 needs 14 % more
cycles with a cache of 384 KiB than with one of 256 KiB. And if everything is in one SRAM, a limit that cannot be kept
may still save cycles. So the search assumes no order: it tries a coarse row of limits, then the gaps beside the best
one. Its answer is the best configuration that was seen.
"""

from __future__ import annotations

import math

from ..named_tuple import NamedTuple
from .candidates import SIZE, Candidate, ignored_limit
from .limits import Limits, judge
from .objectives import Objective, rank

EVALUATIONS = 20
"""What a search may try by default."""
_ALIGNMENT = 16
"""Vela plans in steps of so many bytes."""
_COARSE = ((1.0, 0.75, 0.5), (0.375, 0.25, 0.125))
"""Limits that are tried first, as parts of the largest that can matter; the second row where less may be better."""
_FINEST = 64
"""Gaps of less than this part of the largest limit are not looked into."""
_PATIENCE = 2
"""Rounds without a better one after which the search is over."""


class Trial(NamedTuple):
    """What to ask Vela for; a limit of None leaves it to Vela."""

    arena_cache_bytes: int | None = None
    optimise: str | None = None


UNLIMITED = Trial()


class ArenaSearch:
    """Asks for trials in rounds until nothing more can be gained; `base` is the configuration without an arena limit."""

    def __init__(self, base: Candidate, limits: Limits, objective: Objective, evaluations: int = EVALUATIONS) -> None:
        self.seen: dict[Trial, Candidate] = {}
        """Trials with their figures, in the order in which they were told; a failed one has none."""
        self.over = False
        """Whether there is nothing more to ask."""
        self._base = base
        self._limits = limits
        self._objective = objective
        self._left = max(1, evaluations)
        self._asked: set[Trial] = set()
        self._waiting = 0
        self._round = 0
        self._idle = 0
        self._before: tuple[float, ...] | None = None

    def ask(self) -> tuple[Trial, ...]:
        """The trials of the next round, none of them twice; empty if the search is over or results are missing."""
        if self._waiting or self._left <= 0:
            return ()
        wanted = self._wanted()
        trials = tuple(trial for trial in dict.fromkeys(wanted) if trial not in self._asked)[: self._left]
        self._round += 1
        self._asked.update(trials)
        self._waiting = len(trials)
        self._left -= len(trials)
        self.over = not trials or not self._left
        return trials

    def tell(self, trial: Trial, found: Candidate | None) -> None:
        """Take the result of a trial that was asked for; None if it failed.

        Raises:
            ValueError: this trial was not asked for, or its result was told before.
        """
        if trial not in self._asked or trial in self.seen:
            raise ValueError(f"nobody waits for {trial}")
        self.seen[trial] = found if found is not None else self._base
        self._waiting -= 1

    def stop(self) -> None:
        """Ask for no more trials."""
        self._left = 0
        self.over = True

    @property
    def best(self) -> Trial | None:
        """The best configuration that was seen and keeps all limits."""
        fitting = [trial for trial, found in self.seen.items() if self._fits(found)]
        return min(fitting, key=lambda trial: rank(self.seen[trial], self._objective), default=None)

    def _fits(self, found: Candidate) -> bool:
        return self._objective.of(found) is not None and judge(found, self._limits).keeps == "fits"

    def _wanted(self) -> list[Trial]:
        if self._round == 0:
            if self._base.memory_mode is None:
                return [UNLIMITED]  # not for an NPU
            first = [UNLIMITED, Trial(None, SIZE)]
            sram = self._limits.get("sram")
            if sram is not None and not self._base.weights_in_sram:
                first.insert(1, Trial(_aligned(sram)))
            return first
        unlimited = self.seen.get(UNLIMITED)
        if unlimited is None or unlimited.sram_bytes is None:
            return []  # it does not compile, or nothing of it is on the NPU
        most = self._most(unlimited)
        if self._round <= len(_COARSE):
            row = _COARSE[self._round - 1] if self._round == 1 or self._less_helps() else ()
            trials = [Trial(_aligned(most * part)) for part in row if most * part >= _ALIGNMENT]
            if any(trial not in self._asked for trial in trials):
                return trials
        if not self._worth_it():
            return []
        return [Trial(limit) for limit in self._beside_the_best(most, unlimited.sram_bytes)]

    def _most(self, unlimited: Candidate) -> int:
        """The largest limit that can matter: what is left of the SRAM, or what Vela takes when it may."""
        used = unlimited.sram_bytes or 0
        if "sram" not in self._limits:
            return used
        weights = (unlimited.on_chip_flash_bytes or 0) if self._base.weights_in_sram else 0
        return max(0, min(used, self._limits["sram"] - weights))

    def _less_helps(self) -> bool:
        """Whether the least limit so far was kept, or gave a better result than the next one all the same."""
        limited = sorted((t.arena_cache_bytes, found) for t, found in self.seen.items() if t.arena_cache_bytes)
        (_, least), *more = limited or [(0, self._base)]
        if ignored_limit(least) is None:
            return True
        return bool(more) and rank(least, self._objective) < rank(more[0][1], self._objective)

    def _worth_it(self) -> bool:
        best = self.best
        now = rank(self.seen[best], self._objective) if best is not None else None
        better = now is not None and (self._before is None or now < self._before)
        self._idle = 0 if better else self._idle + 1
        self._before = now
        return self._idle < _PATIENCE

    def _beside_the_best(self, most: int, used: int) -> list[int]:
        """Limits half-way between the best one and those tried beside it, also above what may be used: the limit is soft."""
        limited = {trial: found for trial, found in self.seen.items() if trial.arena_cache_bytes}
        fitting = [trial for trial, found in limited.items() if self._fits(found)]
        if fitting:
            best = min(fitting, key=lambda trial: rank(limited[trial], self._objective))
        else:  # down to what needs least
            best = min(limited, key=lambda trial: limited[trial].need("sram") or math.inf, default=UNLIMITED)
        middle = best.arena_cache_bytes or most
        limits = sorted({t.arena_cache_bytes for t in self.seen if t.arena_cache_bytes} | {used})
        below = max((limit for limit in limits if limit < middle), default=0)
        above = min((limit for limit in limits if limit > middle), default=middle)
        finest = max(_ALIGNMENT, most // _FINEST)
        return [
            _aligned((middle + other) / 2)
            for other in (above, below)
            if abs(middle - other) > finest and (middle + other) / 2 >= _ALIGNMENT
        ]


def _aligned(size: float) -> int:
    return max(_ALIGNMENT, int(size) // _ALIGNMENT * _ALIGNMENT)
