"""`ethosu-tui web`: the dashboard in a browser on this machine, or at the other end of an SSH tunnel."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util

from ...runners.job import InputError, MissingTool, UsageError
from ...runners.reading.paths import expand
from .saying import say

INSTALL = "pip install 'ethosu-tui[web]'"
_MOST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `web`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs, run folders or artefacts to open")
    parser.add_argument("--port", type=int, metavar="N", help="the port on 127.0.0.1 (default: 8477, or a free one)")


def execute(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C; the address is on stdout."""
    if options.port is not None and not 0 <= options.port <= _MOST_PORT:
        raise UsageError(f"--port {options.port} is not a port number", f"give a number up to {_MOST_PORT}")
    for needed in ("aiohttp", "textual_serve"):
        if importlib.util.find_spec(needed) is None:
            raise MissingTool(f"{needed.replace('_', '-')} is not installed, which the web page needs", INSTALL)
    paths = expand(options.paths, _say) if options.paths else []
    from ..web.server import serve

    asyncio.run(serve(paths, options.port, _tell))
    say("ethosu-tui: ended")
    return 0


def _tell(address: str) -> None:
    print(address, flush=True)
    port = address.rpartition(":")[2].partition("/")[0]
    say(
        f"ethosu-tui: anyone with this address can do what you can; from elsewhere: ssh -L {port}:127.0.0.1:{port} HOST"
    )
    say("ethosu-tui: Ctrl-C ends it and its pages, with the compiles in them; stored runs continue")


def _say(error: InputError) -> None:
    say(f"ethosu-tui: {error.message}; {error.hint}")
