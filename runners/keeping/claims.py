"""What a run needs for itself: a port or a machine that only one may use, or one of the slots of this machine.

The name of a claim is that of the thing itself (the device behind a link, the host), so that two people who call one board
by different names still do not meet on it.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ..job import JobError
from ..processors import processors
from ..run_request import RunRequest
from .locks import Lock


class Claim(NamedTuple):
    """`slots` runs at a time may use what `key` names."""

    key: str
    name: str
    """For people."""
    slots: int
    waits: bool
    """Whether a run stands in line for it, or ends when it is taken."""

    def lock(self) -> Lock:
        """To be taken before the start."""
        return Lock(self.key, self.slots)

    def taken(self, lock: Lock) -> JobError:
        """What is said when it is taken and the run does not wait."""
        holders = lock.holders()
        who = f" by {holders[0]}" if holders else ""
        run = next((holder.run for holder in holders if holder.run), "")
        stop = f", or end that run with `ethosu-tui runs stop {run}`" if run else ""
        return JobError(f"{self.name} is taken{who}", f"add --wait to stand in line{stop}")

    def queued(self, lock: Lock) -> str:
        """What is said while it waits."""
        holders = lock.holders()
        if self.slots == 1 and self.key.startswith(("serial:", "ssh:")):
            return f"waiting for {self.name}" + (f", which {holders[0].user} has" if holders else "")
        return f"waiting for one of {self.slots} slots of {self.name}" if self.slots > 1 else f"waiting for {self.name}"


def claim_of(request: RunRequest) -> Claim | None:
    """What this request needs for itself; None for what disturbs nobody."""
    kind, place = request.kind, request.place
    if kind == "replay":
        return None
    slots = request.slots or place.slots
    if kind == "serial":
        port = _port(request.port or place.url or request.at)
        return Claim(f"serial:{port}", port, slots or 1, request.wait)
    if kind == "ssh":
        host = place.host or request.at
        return Claim(f"ssh:{host}", host, slots or 1, request.wait)
    if place.slots is not None:
        return Claim(f"target:{place.origin}:{place.name}", place.name or kind, slots or 1, True)
    return Claim("machine", "this machine", slots or processors(), True)


def check_free(request: RunRequest) -> None:
    """JobError where this request would end at once because somebody else has what it needs."""
    claim = claim_of(request)
    if claim is None or claim.waits:
        return
    lock = claim.lock()
    if not lock.take(""):
        raise claim.taken(lock)
    lock.release()


def _port(url: str) -> str:
    """The device behind a link, or the URL as it stands."""
    bare = url.removeprefix("spy://").partition("?")[0] if url.startswith("spy://") else url
    return os.path.realpath(bare) if bare.startswith("/") else bare
