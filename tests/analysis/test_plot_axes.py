"""The figures beside the axes of a plot: inside of it, rising, and never so near each other that one looks superfluous."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.design.plot import _axis

UNITS = ((1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


@given(st.floats(1.0, 1e9), st.floats(1.001, 1e4))
def test_ticks_have_room(least: float, ratio: float) -> None:
    axis = _axis("SRAM needed", [least, least * ratio], UNITS)
    places = [place for place, _ in axis.ticks]
    assert len(places) >= 4
    assert all(axis.low < place < axis.high for place in places)
    spread = (axis.high - axis.low) / 5
    assert all(after - before > spread / 2 for before, after in zip(places, places[1:], strict=False))
    assert len({label for _, label in axis.ticks}) == len(axis.ticks)


def test_nine_tenths_and_one_do_not_stand_side_by_side() -> None:
    axis = _axis("SRAM needed", [380 << 10, 2 << 20], UNITS)
    assert "0.9" not in [label for _, label in axis.ticks]
    assert axis.ticks[0][0] > math.log(300 << 10)
