"""The server of the page and of its websocket: one process of the dashboard for each page that is open."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import shlex
import signal
from collections.abc import Callable, Sequence
from importlib.resources import files
from urllib.parse import quote

from aiohttp import web
from textual_serve.server import Server

from ...analysis.export.page_style import ICON
from ...runners.job import JobError
from ...runners.own_python import own_python
from .admission import Admission, add_headers

ADDRESS = "127.0.0.1"
PORT = 8477
MOST_PAGES = 8
"""Each open page is a process of some 80 MB."""
_LOG = logging.getLogger("textual-serve")
_CLOSING_SECONDS = 0.5
_ENDING_SECONDS = 2.0
_BETWEEN_LOOKS_SECONDS = 0.02


class Dashboard(Server):  # type: ignore[misc, unused-ignore]
    """textual-serve's handlers behind our door, with a page of our own that fetches nothing from elsewhere."""

    def __init__(self, paths: Sequence[str]) -> None:
        command = f"exec {shlex.join(own_python('.tui.web.child', *paths))}"
        super().__init__(command, host=ADDRESS, title="ethosu-tui")
        self.admission = Admission()
        self._open = 0

    def application(self) -> web.Application:
        """The routes, each behind the door."""
        app = web.Application(middlewares=[self.admission.check])
        app.on_response_prepare.append(add_headers)
        app.add_routes(
            [
                web.get("/", self.page),
                web.get("/page.js", self.script),
                web.get("/pages", self.pages),
                web.get("/ws", self.terminal),
                web.get("/download/{key}", self.handle_download),
                web.static("/static", self.statics_path),
            ]
        )
        return app

    async def page(self, request: web.Request) -> web.Response:
        """The page with the terminal in it."""
        text = files(__package__).joinpath("page.html").read_text("utf-8")
        text = text.replace("{websocket}", f"ws://{request.host}/ws").replace("{icon}", ICON)  # the host was checked
        return web.Response(text=text, content_type="text/html")

    async def script(self, request: web.Request) -> web.Response:
        """What our page adds to the terminal."""
        text = files(__package__).joinpath("page.js").read_text("utf-8")
        return web.Response(text=text, content_type="text/javascript")

    async def pages(self, request: web.Request) -> web.Response:
        """How many pages are open, for a page that was closed and wants to say why."""
        return web.json_response({"open": self._open, "most": MOST_PAGES})

    async def handle_download(self, request: web.Request) -> web.StreamResponse:
        """A file that a page's dashboard delivers, under its name whatever is in it.

        Raises:
            HTTPNotFound: no dashboard offers this file (any more).
        """
        key = request.match_info["key"]
        try:
            offered = await self.download_manager.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound(text="ethosu-tui: this file is not offered any more\n") from None
        disposition = f"attachment; filename*=UTF-8''{quote(offered.file_name, safe='', errors='replace')}"
        response = web.StreamResponse(headers={"Content-Disposition": disposition})
        response.content_type = "application/octet-stream"  # whatever it is, it is saved and not shown on this address
        await response.prepare(request)
        async for chunk in self.download_manager.download(key):
            await response.write(chunk)
        await response.write_eof()
        return response

    async def terminal(self, request: web.Request) -> web.StreamResponse:
        """The websocket of one page."""
        if self._open >= MOST_PAGES:
            return web.Response(status=503, text=f"ethosu-tui: {MOST_PAGES} pages are open already; close one\n")
        self._open += 1
        try:
            response: web.StreamResponse = await self.handle_websocket(request)
            return response
        finally:
            self._open -= 1


async def serve(paths: Sequence[str], port: int | None, told: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `told` gets the address with the token once it can be opened.

    Raises:
        JobError: the port cannot be had; without one that was asked for, another free one is taken.
    """
    for handler in list(_LOG.handlers):
        _LOG.removeHandler(handler)
    _LOG.addHandler(logging.NullHandler())
    _LOG.propagate = False
    dashboard = Dashboard(paths)
    runner = web.AppRunner(dashboard.application(), access_log=None, shutdown_timeout=_CLOSING_SECONDS)
    await runner.setup()
    try:
        site = await _site(runner, port)
        number = site._server.sockets[0].getsockname()[1] if site._server is not None else port
        over = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(name, over.set)
        told(f"http://{ADDRESS}:{number}/?token={dashboard.admission.token}")
        await over.wait()
    finally:
        await runner.cleanup()
        await _pages_have_ended()


async def _pages_have_ended() -> None:
    """Wait until the processes of the pages are reaped, so that asyncio closes its ends of them before its loop closes.

    Else it complains of a closed loop, with a traceback, when Python ends.
    """
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)
        return
    loop = asyncio.get_running_loop()
    latest = loop.time() + _ENDING_SECONDS
    while loop.time() < latest:
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # none is left
            break
        await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)
    await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)  # a thread that reaped the last one tells the loop a moment later


async def _site(runner: web.AppRunner, port: int | None) -> web.TCPSite:
    wanted = [PORT, 0] if port is None else [port]
    reason = ""
    for one in wanted:
        site = web.TCPSite(runner, ADDRESS, one)
        try:
            await site.start()
            return site
        except OSError as error:
            with contextlib.suppress(RuntimeError):
                await site.stop()
            reason = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
    raise JobError(f"port {wanted[0]} cannot be had ({reason})", "choose another one with --port, or leave it out")
