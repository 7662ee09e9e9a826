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

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():
            with contextlib.suppress(RuntimeError):  # the loop has ended as well
                self._running.call_soon_threadsafe(self._app.exit)


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
