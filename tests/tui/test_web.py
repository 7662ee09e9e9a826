"""The dashboard in a browser: a real server, real requests, and nobody gets in who has not the token."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ethosu_tui.runners.clipboard import takes_osc52

from .terminal import environment

try:
    import aiohttp
    import textual_serve  # noqa: F401
except ImportError:
    aiohttp = None  # type: ignore[assignment]

needs_extra = pytest.mark.skipif(aiohttp is None, reason="the extra web is not installed")


class Server:
    """`ethosu-tui web` as a process of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.folder = home / "work"
        self.folder.mkdir(parents=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ethosu_tui.tui", "web", *arguments],
            env={**os.environ, **environment(home), "TERM": "linux", "TMUX": "/nowhere,1,0"},  # which no page is in
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.base, _, self.token = self.address.partition("/?token=")

    def children(self) -> set[int]:
        """Processes of pages."""
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return {int(pid) for pid in listed.stdout.split()}

    def end(self, number: int = signal.SIGTERM) -> str:
        """What it says on stderr when it is over."""
        self.process.send_signal(number)
        return self.process.communicate(timeout=60)[1]


@pytest.fixture
def serve(tmp_path: Path, samples: Path) -> Iterator[Callable[[], Server]]:
    started: list[Server] = []

    def start() -> Server:
        started.append(Server(tmp_path / "home", "--port", "0", str(samples / "mnist_q.log")))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    log = Path(__file__).resolve().parents[2] / "sample_logs" / "mnist_q.log"
    started = Server(tmp_path_factory.mktemp("web") / "home", "--port", "0", str(log))
    yield started
    assert "Traceback" not in started.end()


def wait_for(condition: Callable[[], bool], what: str, limit: float = 60.0) -> None:
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def status(session: aiohttp.ClientSession, address: str, **headers: str) -> int:
    async with session.get(address, headers=headers, allow_redirects=False) as response:
        return response.status


async def refused(session: aiohttp.ClientSession, base: str, **headers: str) -> int:
    """The status with which a websocket is refused; 101 where it is not."""
    try:
        socket = await session.ws_connect(f"{base}/ws?width=80&height=24", headers=headers)
    except aiohttp.WSServerHandshakeError as error:
        return error.status
    await socket.close()
    return 101


def client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        cookie_jar=aiohttp.CookieJar(unsafe=True)
    )  # which keeps cookies of an address, as browsers


async def shown(socket: aiohttp.ClientWebSocketResponse, *texts: bytes) -> None:
    """Wait until the page has been sent these texts."""
    data = b""
    while not all(text in data for text in texts):
        message = await asyncio.wait_for(socket.receive(), 90)
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), f"{message} after {data[-500:]!r}"
        data += message.data if isinstance(message.data, bytes) else b""


@needs_extra
async def test_without_the_token_there_is_nothing_and_with_it_there_is_the_dashboard(server: Server) -> None:
    base = server.base
    async with client() as stranger:
        for path in ("/", "/?token=", f"/?token={server.token[:-1]}", f"/?token={server.token}x", "/static/js/textual.js",
                     "/download/x", "/nothing", "/page.js", "/pages", f"/static/js/textual.js?token={server.token}"):  # fmt: skip
            assert await status(stranger, base + path) == 403, path
        assert await refused(stranger, base, Origin=base) == 403
        assert await status(stranger, f"{base}/ws?token={server.token}", Upgrade="websocket", Origin=base) == 403
        assert not list(stranger.cookie_jar)
        async with stranger.post(server.address) as response:
            assert response.status == 403
    async with client() as browser:
        async with browser.get(server.address) as response:
            assert response.status == 200 and str(response.url) == f"{base}/", "the token leaves the address"
            page = await response.text()
            assert "googleapis" not in page and "https://" not in page, "nothing is fetched from elsewhere"
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert response.headers["Referrer-Policy"] == "no-referrer"
        cookie = response.history[0].headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and server.token not in cookie
        assert await status(browser, f"{base}/static/js/textual.js") == 200
        assert await status(browser, f"{base}/static/") in (403, 404)
        for path in re.findall(r'(?:src|href|url)[=(]"(/[^"]*)"', page):
            assert await status(browser, base + path) == 200, f"the page asks for {path}"
        for foreign in ("http://evil.example", "null", base.replace("http", "https"), "http://127.0.0.1:1"):
            assert await refused(browser, base, Origin=foreign) == 403, foreign
        assert await refused(browser, base) == 403, "a browser says where a websocket comes from"
        socket = await browser.ws_connect(f"{base}/ws?width=100&height=30", headers={"Origin": base})
        await shown(socket, b"mnist_q", b"passed")
        (child,) = server.children()
        await socket.send_json(["stdin", "2"])
        await shown(socket, b"method pool")
        await socket.close()
    wait_for(lambda: not alive(child), "the dashboard of a closed page ends")


@needs_extra
async def test_a_name_that_was_pointed_here_is_refused_even_with_the_token(server: Server) -> None:
    async with client() as browser:
        for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:80@127.0.0.1", "", "[::1"):
            assert await status(browser, server.address, Host=host) in (400, 403), host
        assert await status(browser, server.address, Host="localhost:9999") == 303, (
            "the end of a tunnel has its own port"
        )


@needs_extra
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_no_dashboard_outlives_the_server(serve: Callable[[], Server], number: int) -> None:
    server = serve()
    async with client() as browser:
        assert await status(browser, server.address) == 303
        socket = await browser.ws_connect(f"{server.base}/ws?width=80&height=24", headers={"Origin": server.base})
        await shown(socket, b"mnist_q")
        (child,) = server.children()
        closed = asyncio.create_task(_until_closed(socket))
        said = await asyncio.to_thread(server.end, number)
        assert "Traceback" not in said
        await asyncio.wait_for(closed, 60)
    wait_for(lambda: not alive(child), "the dashboard ends with the server")


@needs_extra
async def test_an_export_reaches_the_browser_under_its_name(serve: Callable[[], Server]) -> None:
    server = serve()
    async with client() as browser:
        assert await status(browser, server.address) == 303
        socket = await browser.ws_connect(f"{server.base}/ws?width=100&height=30", headers={"Origin": server.base})
        await shown(
            socket, b"mnist_q", b"passed", "\u2713".encode()
        )  # not in ASCII: TERM is that of the server's terminal
        await socket.send_json(["stdin", "w"])
        await shown(socket, b"your browser gets it, too")
        await socket.send_json(["stdin", "\r"])
        key = await offered(socket)
        async with browser.get(f"{server.base}/download/{key}") as response:
            data, headers = await response.read(), response.headers
        (path,) = server.folder.iterdir()
        assert path.name == "mnist_q-summary.md" and data == path.read_bytes() and b"# Summary" in data
        assert headers["Content-Disposition"] == "attachment; filename*=UTF-8''mnist_q-summary.md"
        assert headers["Content-Type"] == "application/octet-stream"
        assert await status(browser, f"{server.base}/download/{key}") == 404, "once"
        async with browser.get(f"{server.base}/pages") as response:
            assert await response.json() == {"open": 1, "most": 8}
        await socket.close()


async def offered(socket: aiohttp.ClientWebSocketResponse) -> str:
    """The key of the file that the page is told to fetch."""
    while True:
        message = await asyncio.wait_for(socket.receive(), 90)
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
        if message.type == aiohttp.WSMsgType.TEXT and json.loads(message.data)[0] == "deliver_file_start":
            return str(json.loads(message.data)[1])


@pytest.mark.parametrize("name", ["TMUX", "STY", "COLORFGBG", "WT_SESSION"])
def test_the_terminal_of_the_server_is_not_that_of_the_page(name: str) -> None:
    from ethosu_tui.tui.terminal.abilities import abilities
    from ethosu_tui.tui.web.child import of_a_page

    environment = {"TERM": "linux", "LANG": "C", name: "x", "NO_COLOR": ""}
    of_a_page(environment)
    able = abilities(environment)
    assert (able.colours, able.glyphs, able.plain, able.light) == ("truecolor", "unicode", False, False)
    assert name not in environment and takes_osc52(environment)


async def _until_closed(socket: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in socket:  # as a browser does
        pass


@needs_extra
def test_only_this_machine_can_connect_and_a_taken_port_is_told(server: Server, tmp_path: Path) -> None:
    port = int(server.base.rpartition(":")[2])
    listening = subprocess.run(["ss", "-ltnH", f"sport = :{port}"], capture_output=True, text=True).stdout
    if listening:
        assert listening.split()[3] == f"127.0.0.1:{port}"
    other = subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui", "web", "--port", str(port)],
        env={**os.environ, **environment(tmp_path / "other")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert other.returncode == 4 and "it is in use" in other.stderr and "--port" in other.stderr
    assert not other.stdout
    with socket.socket() as outside:
        outside.settimeout(5)
        with pytest.raises(OSError):
            outside.connect((_own_address(), port))


def _own_address() -> str:
    """An address of this machine that is not the loopback, or one of the loopback that nothing listens on."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.2"


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['textual_serve'] = None; from ethosu_tui.tui.cli import main; sys.exit(main(['web']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 4
    (line,) = done.stderr.splitlines()
    assert "pip install 'ethosu-tui[web]'" in line


@needs_extra
@pytest.mark.parametrize(
    ("asked", "taken"),
    [((120, 40), (120, 40)), ((100_000, 100_000), (1000, 500)), ((-1, 0), (1, 1)), (("x", None), None)],
)
def test_a_page_has_no_more_cells_than_a_window(asked: tuple[object, object], taken: tuple[int, int] | None) -> None:
    from textual.events import Resize

    from ethosu_tui.tui.web.child import PageDriver

    told: list[Resize] = []
    driver = object.__new__(PageDriver)
    driver._app = SimpleNamespace(post_message=told.append)  # type: ignore[assignment]
    driver.on_meta("resize", {"width": asked[0], "height": asked[1]})
    assert [tuple(event.size) for event in told] == ([taken] if taken else [])
