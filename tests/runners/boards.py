"""Boards for tests: the far end of a pseudo-terminal, or of a TCP connection, that says what a test wants."""

from __future__ import annotations

import os
import pty
import select
import socket
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

LIMIT_SECONDS = 60.0


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait for a condition, with a limit for a slow machine."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while not true():
        assert time.monotonic() < deadline, f"{what}: not within {LIMIT_SECONDS} s"
        time.sleep(0.005)


class Board:
    """A pseudo-terminal under a name that stays the same when it goes and comes back, as one of /dev/serial/by-id."""

    def __init__(self, link: Path, present: bool = True) -> None:
        self.link = link
        self.master = -1
        if present:
            self.appear()

    def appear(self) -> None:
        """The port is there."""
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        staged = self.link.with_name(f"{self.link.name}.new")
        staged.symlink_to(name)
        staged.rename(self.link)

    def vanish(self) -> None:
        """The port is gone, as by a pulled cable; what was sent has been read before."""
        self.link.unlink()
        os.close(self.master)
        self.master = -1

    @property
    def opened(self) -> bool:
        """Whether somebody has the port open."""
        poll = select.poll()
        poll.register(self.master, 0)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

    def wait_opened(self) -> None:
        wait_until(lambda: self.opened, "the port is opened")

    def say(self, data: bytes, baud: int | None = None) -> None:
        """Send, at the pace of a line of this speed, or as fast as it is taken."""
        view, began, sent = memoryview(data), time.monotonic(), 0
        while view:
            piece = view[: 4096 if baud is None else max(1, baud // 1000)]
            written = os.write(self.master, piece)
            view, sent = view[written:], sent + written
            if baud is not None:
                time.sleep(max(0.0, began + sent * 10 / baud - time.monotonic()))

    def hear(self, count: int) -> bytes:
        """What was sent to the board."""
        heard = b""
        deadline = time.monotonic() + LIMIT_SECONDS
        while len(heard) < count and time.monotonic() < deadline:
            if select.select([self.master], [], [], 0.1)[0]:
                heard += os.read(self.master, 4096)
        return heard

    def close(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


class TcpBoard:
    """A board behind a TCP port (ser2net without RFC 2217): each connection is served by one call."""

    def __init__(self, serve: Callable[[socket.socket, int], None]) -> None:
        self._serve = serve
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            number += 1
            with connection:
                try:
                    self._serve(connection, number)
                except OSError:
                    pass

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)
