"""What commands say of inputs on stderr: the first inputs of a kind at once, the others with the same reason in one line."""

from __future__ import annotations

from ...analysis.named_tuple import TYPE_CHECKING
from .output import goes_elsewhere, print_heading, print_line, wants_long_tables
from .saying import say

if TYPE_CHECKING:
    from ...runners.reading.harvest import Remark

MOST_REMARKS = 500
"""Remarks on inputs that a report repeats."""
SAID_AT_ONCE = 3
"""Inputs with the same reason that are named while others are still read."""
_NAMED = 5
"""Further inputs that the line at the end names."""


class Remarks:
    """Says each remark, and keeps it for a report that goes to others, who do not see what was said."""

    def __init__(self, whole: str = "") -> None:
        """`whole` says where all inputs are named."""
        self._whole = f" ({whole})" if whole else ""
        self.texts: list[str] = []
        self.unread = 0
        """Inputs that gave nothing."""
        self.last_unread = ""
        self._times: dict[str, int] = {}
        """How many inputs have a reason."""
        self._later: dict[str, list[str]] = {}
        """Some of the inputs with a reason that was said often enough."""

    def __call__(self, remark: Remark) -> None:
        source, colon, why = remark.text.partition(": ")
        times = self._times[why] = self._times.get(why, 0) + 1
        if not colon or times <= SAID_AT_ONCE:
            say(f"ethosu-tui: {remark.text}")
        elif len(later := self._later.setdefault(why, [])) < _NAMED:
            later.append(source)
        if remark.code:
            self.unread += 1
            self.last_unread = source if colon else remark.text
        if len(self.texts) < MOST_REMARKS:
            self.texts.append(remark.text)
        elif len(self.texts) == MOST_REMARKS:
            self.texts.append("There were more messages than are kept here.")

    def close(self) -> None:
        """All inputs were read: a line for each reason that more of them have."""
        for why, named in self._later.items():
            more = self._times[why] - SAID_AT_ONCE - len(named)
            others = f" and {more:,} other{'s' if more > 1 else ''}{self._whole}" if more else ""
            say(f"ethosu-tui: {', '.join(named)}{others}: {why}")
        self._later.clear()


def print_unread(remarks: Remarks, read: int) -> None:
    """At the end, where it is seen: what gave nothing, and that the exit code is not for the inputs that were `read`."""
    if not remarks.unread or not read or goes_elsewhere():
        return
    others = "the other input was" if read == 1 else f"all {read:,} others were"
    if remarks.unread == 1:
        what = "1 input was not read or holds nothing known; stderr says why. Exit code 3 is for it alone"
        print_line(f"{what} ({remarks.last_unread}): {others} read.")
        return
    what = (
        f"{remarks.unread:,} inputs were not read or hold nothing known; stderr says why. Exit code 3 is for them alone"
    )
    print_line(f"{what}: {others} read.")


def print_remarks(remarks: list[str]) -> None:
    """The remarks in a report that is a file."""
    if remarks and wants_long_tables():
        from ...analysis.post_mortem.export import ON_INPUTS

        print_heading(ON_INPUTS)
        for text in remarks:
            print_line(text)
