"""One key after the other: each does what it does before the next is looked at.

Textual hands a key to the widget that has the focus when the key comes, while what an earlier key does (a filter line that
opens, a screen that comes) may still be on its way.  Over a slow line keys come in bursts, and the rest of a typed word would
be taken for commands.  So a key that comes too early waits.  It waits for a mark that takes the same way as the key before it,
and never for long.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import App
from textual.message import Message

if TYPE_CHECKING:
    from textual.screen import Screen

LONGEST_SECONDS = 1.0
"""A widget that has gone hands nothing on, and one that is busy must not keep all keys."""
AT_ONCE = frozenset(("ctrl+c", "ctrl+z"))
"""Keys that wait for none."""
_STEPS = 3
"""Steps of the loop in which a task that a key has begun comes to show its screen."""


class Handled(Message):
    """It follows a key on its way; where it arrives, the key has been there."""

    def __init__(self, number: int, passed: int = 0) -> None:
        super().__init__()
        self.number = number
        self.passed = passed


class KeysInOrder(App[None]):
    """An app that takes keys and pasted texts one by one."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._early: deque[events.Key | events.Paste] = deque()
        self._event: events.Event | None = None
        self._number = 0
        self._under_way: asyncio.TimerHandle | None = None
        self._shown_before: Screen[Any] | None = None

    async def on_event(self, event: events.Event) -> None:
        """Keys wait for those before them."""
        if event is self._event and event.is_forwarded:  # no widget took it, so it has come back and is done here
            await super().on_event(event)
            self.post_message(Handled(self._number))
        elif not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            await super().on_event(event)
        elif self._under_way is None or (isinstance(event, events.Key) and event.key in AT_ONCE):
            await self._begin(event)
        else:
            self._early.append(event)

    async def _begin(self, event: events.Key | events.Paste) -> None:
        self._event = event
        self._number += 1
        if self._under_way is not None:
            self._under_way.cancel()
        mark = Handled(self._number)
        self._under_way = asyncio.get_running_loop().call_later(
            LONGEST_SECONDS, self.post_message, Handled(self._number, _STEPS)
        )
        self._shown_before = self.screen if self.screen_stack else None
        goes_to = (self.focused or self._shown_before) if self.screen_stack else None
        await super().on_event(event)
        if goes_to is None or not event.is_forwarded or not goes_to.post_message(mark):
            self.post_message(mark)  # what the app does by itself is done

    async def on_handled(self, mark: Handled) -> None:
        """The key has been everywhere; what it asked this app for stands in the queue, and a new screen gets ready."""
        mark.stop()
        if mark.number != self._number or self._under_way is None:
            return
        if mark.passed == 0:
            for _ in range(_STEPS):
                await asyncio.sleep(0)
            self.post_message(Handled(mark.number, 1))
            return
        if mark.passed == 1 and self.screen_stack and self.screen is not self._shown_before:
            self.screen.post_message(Handled(mark.number, 2))
            return
        self._under_way.cancel()
        self._under_way = None
        if self._early and self.screen_stack:
            await self._begin(self._early.popleft())
