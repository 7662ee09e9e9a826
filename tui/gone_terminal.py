"""A terminal that has gone fails every write, and that must not get in the way of a good end."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from typing import IO


def has_hung_up(descriptor: int) -> bool:
    """Whether what this leads to has gone."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(events & (select.POLLHUP | select.POLLERR) for _, events in poll.poll(0))


def let_go_of(streams: Iterable[IO[str] | None]) -> None:
    """Send what is written to these nowhere from now on, where their terminal has hung up."""
    for stream in streams:
        if stream is None:
            continue
        try:
            descriptor = stream.fileno()
        except (OSError, ValueError):  # closed, or no file, as under a test or in an embedding program
            continue
        if has_hung_up(descriptor):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
