"""When Python looks for garbage: not before the first frame is out, as of what is made until then none is."""

from __future__ import annotations

import gc

USUALLY = (2_000, 10, 100)
"""Objects between two looks: what is made while nobody touches the dashboard is little, and is not to wait for hours.  Of all
objects, those of a table of 100,000 rows among them, that takes as long as two keys may: that is done after millions."""


def leave_garbage() -> None:
    """Until `look_for_garbage`."""
    gc.disable()


def look_for_garbage() -> None:
    """After the first frame.  Where it was left until then, what is there stays, and no key waits while that is looked through."""
    gc.set_threshold(*USUALLY)
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
