"""Textual's driver, made to outlive its terminal, to be stopped and continued, and to send only what the terminal can show.

A terminal that has gone fails every write, with a signal or (where it was not the controlling one) without.  Textual's thread
of writes would end at the first of them, and the app would then wait for it for ever: it is given a file that fails once, to us.
While nothing is written that would not be seen, and Textual's thread of keys would read ends of file at full speed: we look.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from ..endings import leave
from ..gone_terminal import has_hung_up
from .abilities import Abilities
from .transcription import transcription

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver

_LEAVE_SECOND_SCREEN = "\x1b[?1049l"
_WIPED = "\x1b[0m\x1b[2J\x1b[H"
_LOOK_SECONDS = 1.0
_SETTLE_SECONDS = 0.05
"""After a signal to continue: one to end may have come with it, and is taken a few steps later."""
_NOT_FOR_OLD_ONES = frozenset(("\x1b[?2026$p", "\x1b[?2048$p", "\x1b[<u"))
"""Requests whose last letters a console may print."""


def lasting(driver_class: type[Driver], able: Abilities | None = None) -> type[Driver]:
    """The same driver for a terminal with these abilities (all, unless given)."""
    _take_any_bytes(driver_class)

    class Lasting(driver_class):  # type: ignore[misc, valid-type]
        """Writes to a file that cannot fail."""

        _file: Any
        _size: tuple[int, int] | None
        _away = False
        _to_stop = False
        _to_continue = False
        _looking: asyncio.TimerHandle | None = None

        def __init__(self, app: App[None], *arguments: Any, **options: Any) -> None:
            super().__init__(app, *arguments, **options)
            loop = asyncio.get_running_loop()
            gone = partial(loop.call_soon_threadsafe, leave, app, signal.SIGHUP)
            self._file = _Terminal(self._file, gone, able or Abilities())
            if self._size is None and hasattr(self, "_get_terminal_size"):
                # where the terminal says 0x0, rich would take 80x25 for it, and screens of two sizes resize each other for ever
                self._size = self._get_terminal_size()

        def start_application_mode(self) -> None:
            super().start_application_mode()
            self._look_later()

        def _look_later(self) -> None:
            if self._looking is not None:
                self._looking.cancel()
            self._looking = self._loop.call_later(_LOOK_SECONDS, self._look)

        def _look(self) -> None:
            """Leave where the terminal has hung up without a word."""
            descriptor: int | None = getattr(self, "fileno", None)
            if descriptor is not None and not self._away and has_hung_up(descriptor):
                leave(self._app, signal.SIGHUP)
            else:
                self._look_later()

        def write(self, data: str) -> None:
            """While we are away nobody writes, and what waits to be written would fill its queue: then we would wait for ever."""
            if not self._away:
                super().write(data)

        def suspend_application_mode(self) -> None:
            super().suspend_application_mode()
            self._away = True

        def resume_application_mode(self) -> None:
            self._away, writer = False, getattr(self, "_writer_thread", None)
            super().resume_application_mode()
            if writer is not None and self._writer_thread is writer:
                self._away = True  # in the background the terminal is not ours to take
            self._loop.call_soon_threadsafe(self._app.refresh)  # what others drew in between is not known

        def disable_input(self) -> None:
            if not self._away:
                super().disable_input()

        def stop_application_mode(self) -> None:
            """Who is away has given the terminal back: to touch it from the background would stop us (SIGTTOU)."""
            if not self._away:
                super().stop_application_mode()

        def _sigtstp_application(self, *arguments: Any) -> None:
            """In the loop: Python takes a signal between any two steps, also where we hold the lock of what is to be written."""
            if not self._auto_restart:
                super()._sigtstp_application()
                return
            self._to_continue = False  # as the kernel does it: of both kinds the newest counts
            if not self._to_stop:
                self._to_stop = True
                self._soon(self._stop)

        def _stop(self) -> None:
            if not self._to_stop:
                return
            self._to_stop = False  # before anything is done: what comes meanwhile is a request of its own
            if not self._away:
                self.suspend_application_mode()
            self._must_signal_resume = True
            if not self._to_continue:
                os.kill(os.getpid(), signal.SIGSTOP)

        def _sigcont_application(self, *arguments: Any) -> None:
            self._to_stop = False
            if self._auto_restart and not self._to_continue:  # once for all that come meanwhile
                self._to_continue = True
                self._soon(partial(self._loop.call_later, _SETTLE_SECONDS, self._continue))

        def _soon(self, act: Callable[[], object]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(act)

        def _continue(self) -> None:
            """Whoever stopped us without a word (SIGSTOP) left the terminal to others: it is taken anew, from the start.

            Taking it twice would take our own settings for those to give back, and read each key in two threads.
            """
            if not self._to_continue:
                return
            self._to_continue = False
            if self._app._exit:
                return  # a terminal that hangs up sends this signal too, and so does a shell that ends us
            if not self._away:
                self.suspend_application_mode()
                self._must_signal_resume = True
            super()._sigcont_application()

    return Lasting


def _take_any_bytes(driver_class: type[Driver]) -> None:
    """Bytes that are no UTF-8 (a key of another encoding, noise on a line) are a key that nobody knows, and no end of keys.

    Textual reads its input by a decoder that raises, which ends the app.
    """
    module: Any = sys.modules[driver_class.__module__]
    if hasattr(module, "getincrementaldecoder"):
        lenient = partial(codecs.getincrementaldecoder("utf-8"), errors="replace")
        module.getincrementaldecoder = lambda _: lenient


class _Terminal:
    """The terminal as a file to which writing succeeds; its first failure is told."""

    def __init__(self, file: TextIO, gone: Callable[[], object], able: Abilities) -> None:
        self._file = file
        self._gone: Callable[[], object] | None = gone
        self._plain = able.plain
        self._table = transcription(able.glyphs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        self._try(partial(self._file.write, self._fit(text)))
        return len(text)

    def _fit(self, text: str) -> str:
        if self._plain:
            if text in _NOT_FOR_OLD_ONES or text.startswith(("\x1b[>", "\x1b]22;")):
                return ""
            if text == _LEAVE_SECOND_SCREEN:  # where there is none, what we drew would stay behind
                return _WIPED + text
        return text if self._table is None or text.isascii() else text.translate(self._table)

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except (OSError, ValueError):  # gone, or closed
            if self._gone is not None:
                gone, self._gone = self._gone, None
                with contextlib.suppress(RuntimeError):  # the loop has ended as well
                    gone()
