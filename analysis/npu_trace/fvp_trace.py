"""The PMU trace of an Arm FVP as a stream: Chrome-trace JSON whose numbers are strings, one event after the other.

A trace grows with every event of the NPU, so it never stands in memory: `TraceReader` takes decompressed pieces and gives
the events that they complete.  A piece is parsed at once where it can be (one call of the C parser for thousands of
events), else event by event; damage and a cut end stop it with a sentence, and what came before counts.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

EVENT_LIMIT_CHARACTERS = 1 << 16
"""An event longer than this is no event."""
_HEAD_LIMIT_CHARACTERS = 1 << 20
_SPACE = " \t\r\n"
_QUEUE = "qread"


class TraceEvent(NamedTuple):
    """An event of the trace; times are NPU cycles."""

    counter: str
    unit: str
    start_cycles: int
    cycles: int
    """How long it lasted; 0 for a moment."""
    read_bytes: int | None
    """For the command queue's events: how far the command stream has been read."""


class TraceReader:
    """Feed it text; it gives the events.

    `problem` says, once the trace has ended or is given up, what was wrong with it; None where it was whole.
    """

    def __init__(self, *, queue_only: bool = False) -> None:
        """`queue_only`: give the command queue's events only, which is faster."""
        self.problem: str | None = None
        self.events = 0
        """Events seen so far, whether given or not."""
        self.odd = 0
        """Events that could not be understood and were passed over."""
        self._decoder = json.JSONDecoder()
        self._queue_only = queue_only
        self._text = ""
        self._began = False
        self._ended = False

    @property
    def ended(self) -> bool:
        """True once the list of events is over, or the trace was given up."""
        return self._ended

    def feed(self, text: str) -> list[TraceEvent]:
        """Take the next text and give the events that it completes."""
        if self._ended:
            return []
        self._text += text
        if not self._began and not self._begin():
            return []
        return self._take()

    def finish(self) -> list[TraceEvent]:
        """No more text comes."""
        if self._ended:
            return []
        found = self._take() if self._began else []
        if not self._ended:
            self._ended = True
            what = "the list of events is cut off" if self._began else "no list traceEvents is in it"
            self.problem = f"{what} after {self.events:,} events" if self._began else what
        self._text = ""
        return found

    def _begin(self) -> bool:
        text = self._text.lstrip("\ufeff" + _SPACE)
        if text.startswith("["):
            self._text, self._began = text[1:], True
            return True
        at = self._text.find('"traceEvents"')
        start = self._text.find("[", at) if at >= 0 else -1
        if start >= 0 and not self._text[at + 13 : start].strip(_SPACE + ":"):
            self._text, self._began = self._text[start + 1 :], True
            return True
        if len(self._text) > _HEAD_LIMIT_CHARACTERS or (text and text[0] != "{"):
            self._give_up("no list traceEvents is in it")
        return False

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        self._ended = True
        self._text = ""

    def _take(self) -> list[TraceEvent]:
        found: list[TraceEvent] = []
        end = self._text.rfind("}")
        for _ in range(3):  # a brace may also end the arguments of the event that is still coming
            if end <= 0:
                break
            try:
                values = json.loads(f"[{self._text[: end + 1].strip(_SPACE + ',')}]")
            except (ValueError, RecursionError):
                end = self._text.rfind("}", 0, end)
                continue
            self._text = self._text[end + 1 :]
            self._give(values, found)
            break
        self._one_by_one(found)
        return found

    def _one_by_one(self, found: list[TraceEvent]) -> None:
        text, at = self._text, 0
        while True:
            while at < len(text) and text[at] in ", \t\r\n":
                at += 1
            if at >= len(text):
                break
            if text[at] == "]":
                self._ended = True
                break
            try:
                value, at = self._decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                if len(text) - at > EVENT_LIMIT_CHARACTERS or text[at] != "{":
                    self._give_up(f"it is damaged after {self.events:,} events")
                break
            self._give([value], found)
        self._text = "" if self._ended else text[at:]

    def _give(self, values: list[Any], found: list[TraceEvent]) -> None:
        self.events += len(values)
        for value in values:
            try:
                counter = value["tid"]
                if counter == _QUEUE:
                    read = value["args"][_QUEUE]
                    start = value["ts"]
                    found.append(TraceEvent(_QUEUE, "", _number(start), 0, 4 * _number(read)))
                elif not self._queue_only:
                    start, cycles = _number(value["ts"]), _number(value.get("dur") or 0)
                    found.append(TraceEvent(str(counter)[:64], str(value.get("pid", ""))[:64], start, cycles, None))
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                self.odd += 1


def _number(value: Any) -> int:
    """A whole number, written as such or as a string.

    Raises:
        ValueError: it is none, or none that a cycle counter can have.
    """
    number = int(value) if len(str(value)) < 20 else -1
    if number < 0:
        raise ValueError
    return number
