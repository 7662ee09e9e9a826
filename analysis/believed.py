"""What may be believed of a single line: of one that was cut off, and of one that no port put a prefix before."""

from __future__ import annotations

from .collect.collect import FAILURES
from .patterns import Event


def trusted(event: Event, message: str) -> Event | None:
    """What to believe of a line that was cut off: no figure that may lack its last digits, but that something failed."""
    word = message.strip().rpartition(" ")[2] or "-"
    typed = word[0] == "(" and word[-1] == ")"  # "(float)", and no value yet
    open_ended = word[-1].isalnum() or typed or (word[-1] == "." and float in map(type, event.values.values()))
    if not event.values or not open_ended:
        return event
    return event._replace(values={**event.values, "status": None}) if event.kind in FAILURES else None


def is_error(message: str) -> bool:
    """Whether a line of a port that prints no prefixes is an error message all the same."""
    from .patterns.errors import is_error  # only such ports need it

    return is_error(message)
