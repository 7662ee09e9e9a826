"""Our `NamedTuple` behaves as that of `typing`, before and after its constructor is compiled."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from ethosu_tui.analysis import named_tuple


class Ours(named_tuple.NamedTuple):
    """Of ours."""

    first: int
    second: str = "b"
    third: float | None = None

    @property
    def both(self) -> str:
        return f"{self.first}{self.second}"


class Theirs(typing.NamedTuple):
    """Of theirs."""

    first: int
    second: str = "b"
    third: float | None = None


class Below(Ours):
    """One that comes from ours."""


RIGHT: list[Callable[[Any], Any]] = [
    lambda made: made(1),
    lambda made: made(1, "x"),
    lambda made: made(1, third=2.5),
    lambda made: made(third=2.5, first=3),
    lambda made: made(1, "x", 2.0)._replace(second="y"),
    lambda made: made._make((1, 2, 3)),
    lambda made: made(1)._asdict(),
    lambda made: made(1).first,
    lambda made: made(1) == (1, "b", None),
    lambda made: hash(made(1)),
    lambda made: copy.copy(made(1)),
    lambda made: pickle.loads(pickle.dumps(made(1, third=0.5))),
    lambda made: (made._fields, made._field_defaults, made.__match_args__),
    lambda made: repr(made(1, "x")).partition("(")[2],
]
WRONG: list[Callable[[Any], Any]] = [
    lambda made: made(),
    lambda made: made(second="x"),
    lambda made: made(1, 2, 3, 4),
    lambda made: made(1, first=2),
    lambda made: made(1, fourth=2),
    lambda made: made(1, 2, 3, first=4),
    lambda made: made._make((1, 2)),
    lambda made: made(1)._replace(fourth=2),
]


@pytest.mark.parametrize("calls", [0, 20])
@pytest.mark.parametrize("ours", [Ours, Below])
def test_it_does_what_theirs_does(ours: Any, calls: int) -> None:
    for _ in range(calls):
        ours(1)
    for number, use in enumerate(RIGHT):
        assert use(ours) == use(Theirs), number
        assert type(use(ours)) in (type(use(Theirs)), ours), number
    for use in WRONG:
        with pytest.raises((TypeError, ValueError)) as expected:
            use(Theirs)
        with pytest.raises(expected.type):
            use(ours)
    assert ours(4).both == "4b"
    with pytest.raises(AttributeError):
        ours(1).first = 2
    assert type(ours(1)) is ours


def test_each_of_the_first_is_refused_as_the_others_are() -> None:
    for number, use in enumerate(WRONG):

        class Fresh(named_tuple.NamedTuple):
            """Never called before."""

            first: int
            second: str = "b"
            third: float | None = None

        with pytest.raises((TypeError, ValueError)):
            use(Fresh)
        assert Fresh(number, third=1.0) == (number, "b", 1.0)
