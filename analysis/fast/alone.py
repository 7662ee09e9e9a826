"""Reads one run line by line but apart from its capture, for runs between other programs' lines that no layout fits.

Most of them were cut short, each at another place. Without the other lines, most of what is left was printed by other
runs as well, byte for byte, so what such lines say is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dividing.left_off import UNKNOWN, Neighbours
from ..named_tuple import NamedTuple
from ..patterns import Event
from ..report import Finding, Run
from ..runs import RunBuilder
from .line_events import ELSEWHERE, event_of, line_of
from .parts import REFUSED, UnfitError

if TYPE_CHECKING:
    from .cleaned import Cleaned

MOST_LINES = 256
"""Longer runs hold dumps of tensors, which the capture's reader skips."""


class Alone(NamedTuple):
    """The result of reading one run apart."""

    run: Run
    findings: list[Finding]
    recognised: int
    lines: int
    """Number of lines that mean something, up to the first line of the next run."""
    trailing: int
    """How many of them do not count as the run's."""
    neighbours: Neighbours
    """What holds for the runs before and after it."""


def read_alone(cleaned: Cleaned, index: int) -> Alone | None:
    """Read these lines as run `index`; None where its capture may make something else of them."""
    if REFUSED in cleaned.text or cleaned.text.count(b"\n") > MOST_LINES:
        return None
    return read_lines([raw + b"\n" for raw in cleaned.text.split(b"\n")[:-1]], cleaned[:], index)


def read_lines(raws: Sequence[bytes], numbers: Sequence[int], index: int) -> Alone | None:
    """The same for lines with their numbers; the last line begins the next run."""
    builder = RunBuilder()
    builder.count, builder.left = index - 1, UNKNOWN
    builder.match = _match  # type: ignore[assignment]
    before, number = b"", numbers[0]
    try:
        for raw, here in zip(raws, numbers, strict=True):
            if raw == before or (here > number + 1 and not builder.unmoved):
                return None
            if here == numbers[-1]:
                break
            before, number = raw, here
            builder.feed(line_of(raw, number))
        recognised, open_run = builder.recognised, builder.draft
        if open_run is None:
            return None
        again = line_of(raws[-1], numbers[-1])
        builder.feed(again._replace(text=again.message))  # with the same stamp it would be a piece that came twice
    except UnfitError:
        return None
    runs, findings = builder.take()
    draft = builder.draft
    if len(runs) != 1 or draft is None or draft.first_line != numbers[-1] or not builder.undisturbed:
        return None
    run = runs[0]
    if run.first_line != numbers[0]:
        return None
    trailing = sum(number > run.last_line for number in numbers[:-1])
    return Alone(run, findings, recognised, len(raws) - 1, trailing, Neighbours.of(open_run))


def _match(message: str, number: int) -> Event | None:
    event = event_of(message, number)
    if event is not None and event.kind in ELSEWHERE:
        raise UnfitError
    return event
