"""One page's dashboard: the app on the pipes of textual-serve, which ends with its page whatever becomes of the server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import MutableMapping
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver

from ...runners.storage import runs_root
from ..app import build_app
from ..state import Start
from ..terminal.abilities import abilities

_MOST = (1000, 500)
"""Columns and rows: a browser's window with the smallest letters has fewer."""


class PageDriver(WebDriver):
    """A server that was killed closes our input and says nothing: then we leave, too."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._running = asyncio.get_running_loop()
        write = self._write

        def try_to_write(data: bytes) -> int:
            try:
                return write(data)
            except OSError:  # nobody reads any more
                return len(data)

        self._write = try_to_write  # type: ignore[assignment]

        if self._size is not None:
            self._size = _bounded(*self._size)

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        if packet_type == "resize":
            width, height = payload.get("width"), payload.get("height")
            if not isinstance(width, int) or not isinstance(height, int):
                return
            payload = dict(zip(("width", "height"), _bounded(width, height), strict=True))
        super().on_meta(packet_type, payload)

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():
            with contextlib.suppress(RuntimeError):  # the loop has ended as well
                self._running.call_soon_threadsafe(self._app.exit)


def _bounded(width: int, height: int) -> tuple[int, int]:
    """A size that a page can have: each cell of it costs memory."""
    return min(max(width, 1), _MOST[0]), min(max(height, 1), _MOST[1])


_OF_THE_TERMINAL = ("TMUX", "TMUX_PANE", "STY", "WT_SESSION", "COLORFGBG")


def of_a_page(environment: MutableMapping[str, str]) -> None:
    """Make the environment that of a page: the terminal that the server was started in is not the one that is looked at."""
    for name in _OF_THE_TERMINAL:
        environment.pop(name, None)
    environment.update(TERM="xterm-256color", COLORTERM="truecolor")
    if abilities(environment).glyphs != "unicode":
        environment["LC_ALL"] = "C.UTF-8"


def main(*paths: str) -> None:
    """Show the dashboard on these paths until the page is closed."""
    of_a_page(os.environ)
    app = build_app(Start(tuple(paths)), root=runs_root())
    app.driver_class = PageDriver
    app.run()
    sys.exit(app.return_code or 0)
