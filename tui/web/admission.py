"""Who may use the dashboard in a browser: whoever has the token of this start, from a page of ours, on this machine.

Every user of a lab machine reaches its loopback, and so does any page that a browser shows: a token keeps the others out, a
look at `Host` keeps out names that were pointed here (DNS rebinding), one at `Origin` other pages.  The token is in the first
address only; then a cookie stands for it, which no script can read and no other page makes the browser send.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?")
REFUSED = "ethosu-tui: open the address with the token that `ethosu-tui web` printed\n"
_TOKEN_BYTES = 32


class Admission:
    """The door of one start of the server: `token` is for the address, the cookie has a secret of its own."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._secret = secrets.token_urlsafe(_TOKEN_BYTES)
        self._cookie = f"ethosu-tui-{secrets.token_hex(4)}"
        """Cookies are shared by all ports of a host: two servers must not take each other's away."""

    @web.middleware  # type: ignore[untyped-decorator]
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Middleware: refuse with 403, or let in; the token becomes the cookie and leaves the address."""
        if not (_asked_locally(request) and _from_our_page(request)):
            return _finished(web.Response(status=403, text=REFUSED))
        given = request.query.get("token")
        if given is not None and request.path == "/" and request.method == "GET" and _same(given, self.token):
            response: web.StreamResponse = web.Response(status=303, headers={"Location": "/"})
            response.set_cookie(self._cookie, self._secret, httponly=True, samesite="Strict", path="/")
            return _finished(response)
        if not _same(request.cookies.get(self._cookie, ""), self._secret):
            return _finished(web.Response(status=403, text=REFUSED))
        return await handler(request)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """What every answer says to the browser: nothing from elsewhere, in no frame, kept nowhere."""
    _finished(response, f"ws://{request.host}")


def _finished(response: web.StreamResponse, socket: str = "") -> Any:
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' {socket}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response


def _asked_locally(request: web.Request) -> bool:
    """Whether the address in the browser names this machine; the port may be that of a tunnel."""
    return _LOCAL.fullmatch(str(request.headers.get("Host", ""))) is not None


def _from_our_page(request: web.Request) -> bool:
    """Whether a page of this very address asks; only a websocket has to say where it comes from."""
    origin, host = str(request.headers.get("Origin", "")), str(request.headers.get("Host", ""))
    if not origin:
        return str(request.headers.get("Upgrade", "")).lower() != "websocket"
    return origin == f"http://{host}"


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
