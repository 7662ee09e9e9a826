"""A timer for a time that has passed rings at once.

Textual's (8.2.8) counts its way to a ring that is still to come, which it never finds where the time to wait is negative: the
loop stands still, and no key, not even Ctrl-C, is taken any more; a wait of nothing divides by it and never rings.  Both come
by themselves: a notice that ends between the look whether it is still to be shown and its drawing asks for such a timer.
"""

from __future__ import annotations

from typing import Any

from textual.timer import Timer

SHORTEST_SECONDS = 0.02
"""What stands in place of a wait that is none; longer than a processor is taken away for, or the ring would be skipped."""
_known = Timer.__init__


def _begin(timer: Timer, target: Any, interval: float, **options: Any) -> None:
    _known(timer, target, interval if interval > 0 else SHORTEST_SECONDS, **options)


def ring_late_timers() -> None:
    """From now on, for all timers of this process."""
    Timer.__init__ = _begin  # type: ignore[method-assign, assignment]
