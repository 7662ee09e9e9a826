"""Whether source lines are those of ExecuTorch's sample for Zephyr, whose file has the name of the bare-metal runner's."""

from __future__ import annotations

from functools import lru_cache

from ..named_tuple import TYPE_CHECKING
from .identify import DIGITS, best_match, tables

if TYPE_CHECKING:
    from .identify import Places

_FILE = "arm_executor_runner.cpp"


def of_zephyr_sample(places: Places) -> bool:
    """True where more of the lines of this file stand at their place in the sample than in any version of the runner."""
    return _of_sample(
        tuple((line, text.rstrip(DIGITS)) for (file, line), (text, _at) in places.items() if file == _FILE)
    )


@lru_cache(maxsize=256)
def _of_sample(lines: tuple[tuple[int, str], ...]) -> bool:
    most = 0
    for number, table in enumerate(tables(_FILE)):
        match = best_match(table, _FILE, list(lines))
        hits = len(match.hits) if match is not None else 0
        if number == 0:
            most = hits
            if hits == len(lines):
                return False  # nothing is better, and the other tables need not be imported
        elif hits > most:
            return True
    return False
