"""Timers for times that have passed ring, and stop nothing else."""

from __future__ import annotations

import itertools
import time

import pytest
from textual import timer
from textual.notifications import Notification
from textual.widgets._toast import Toast

from .conftest import MakeApp, on_screen, until

ENDLESS = 100_000
"""Looks at the clock: a few for each timer would do."""


@pytest.fixture
def not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer that never lets go fails, where it would hold the test for ever."""
    looks = itertools.count()

    def now() -> float:
        if next(looks) > ENDLESS:
            raise AssertionError("a timer counts for ever")
        return time.monotonic()

    monkeypatch.setattr(timer._time, "get_time", now)


@pytest.mark.usefixtures("not_for_ever")
@pytest.mark.parametrize("seconds", [-1e-9, -1e-6, -0.01, -5.0, -86_400.0, 0.0])
async def test_a_timer_for_a_time_that_has_passed_rings_once(make_app: MakeApp, seconds: float) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        rung: list[float] = []
        app.set_timer(seconds, lambda: rung.append(seconds))
        app.set_timer(0.2, lambda: rung.append(0.2))
        await until(pilot, lambda: 0.2 in rung, 30)
        assert rung == [seconds, 0.2]


@pytest.mark.usefixtures("not_for_ever")
async def test_a_notice_that_ends_while_it_is_drawn_goes(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await app.screen.mount(Toast(Notification("late", raised_at=time.time() - 60)))
        await until(pilot, lambda: not app.screen.query(Toast), 30)
        await pilot.press("question_mark")
        await on_screen(pilot, "HelpScreen")
