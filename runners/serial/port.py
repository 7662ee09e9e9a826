"""One serial port, local or behind a URL, over pyserial: opened for us alone, read as the bytes come, and errors told apart.

pyserial throws away what has arrived when it opens a port; that is kept from it here, because after a reset those bytes
are the first lines of a run.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import queue
import select
import socket
import stat
import struct
import sys
import termios
import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from ..job import MissingTool, UsageError
from .holders import holders

BAUD = 115200
SCHEMES = ("socket", "rfc2217", "spy")

_READ_BYTES = 65536
_WRITE_SECONDS = 5.0
_PULSE_SECONDS = 0.1
_QUEUE_STEP_SECONDS = 0.05
_ABSENT = {
    *(errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOTDIR, errno.ECONNREFUSED, errno.ECONNRESET),
    *(errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT, errno.ECONNABORTED),
}
_TIOCGICOUNT = 0x545D
_COUNTED = {6: "framing errors", 7: "overruns", 8: "parity errors", 9: "breaks", 10: "buffer overruns"}
"""Positions in the kernel's `struct serial_icounter_struct`."""


class PortError(Exception):
    """A port cannot be used; `text` says which and why, `hint` what to do."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.text}; {self.hint}" if self.hint else self.text


class PortAbsent(PortError):
    """It is not there (yet)."""


class PortForbidden(PortError):
    """We may not open it."""


class PortBusy(PortError):
    """Somebody else has it."""


class PortLost(PortError):
    """It was there and went away."""


def pyserial() -> Any:
    """The module `serial`.

    Raises:
        MissingTool: it is not installed.
    """
    try:
        import serial
    except ImportError:
        raise MissingTool("serial ports need pyserial", '`pip install "ethosu-tui[serial]"`') from None
    return serial


def check_url(url: str) -> str:
    """The URL or device, if it can be one.

    Raises:
        UsageError: it cannot; the hint says what a port looks like.
    """
    scheme, mark, rest = url.partition("://")
    hint = "write /dev/ttyACM0, /dev/serial/by-id/..., socket://HOST:PORT, rfc2217://HOST:PORT or spy:///dev/ttyACM0"
    if not mark:
        if not url:
            raise UsageError("which port?", hint)
        if "/" not in url or url.endswith("/"):
            raise UsageError(f"{url} is not a serial port", f"{hint} (/dev/{url.strip('/')}?)")
        return url
    if scheme.lower() not in SCHEMES:
        raise UsageError(f"{scheme}:// is not a kind of port", hint)
    if scheme.lower() != "spy":
        try:
            host, port = urlsplit(url).hostname, urlsplit(url).port
        except ValueError:
            host, port = None, None
        if not host or not port:
            raise UsageError(f"{url} lacks a host or a port number", hint)
    elif not rest.startswith("/"):
        raise UsageError(f"{url} names no device", hint)
    return url


def check_baud(baud: int) -> int:
    """UsageError for what is no baud rate."""
    if not 50 <= baud <= 20_000_000:
        raise UsageError(f"{baud} is not a baud rate", "give bits per second, e.g. 115200 or 921600")
    return baud


def device_of(url: str) -> str | None:
    """The device file behind a URL; None for one on the network."""
    scheme, mark, _ = url.partition("://")
    if not mark:
        return url
    return urlsplit(url).path if scheme.lower() == "spy" else None


class SerialPort:
    """One port; opened, read and closed by one thread, written to and woken by any."""

    def __init__(self, url: str, baud: int = BAUD) -> None:
        self.url = check_url(url)
        self.baud = check_baud(baud)
        self.device = device_of(url)
        self._far = url.lower().startswith("rfc2217:")
        self._serial: Any = None
        self._queue: queue.Queue[bytes | None] | None = None
        self._direct = -1
        """The descriptor that is read without pyserial; -1 where pyserial must see what comes."""
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._wake_reading = self._wake_writing = -1
        self._poll: select.poll | None = None

    def open(self) -> None:
        """Open it for us alone, 8 data bits, no parity, one stop bit, no flow control.

        Raises:
            PortAbsent, PortForbidden, PortBusy: as they say.
            PortError: it is no serial port, or does not know this baud rate.
        """
        serial = pyserial()
        if self.device is not None and not _may_be_port(self.device):
            raise PortError(f"{self.url} is not a serial port")
        if self.device is not None and (others := holders(self.device)):
            raise PortBusy(f"{self.url} is in use by {_listed(others)}", "end that first: two readers share the bytes")
        try:
            port = serial.serial_for_url(self.url, self.baud, timeout=0, exclusive=True, do_not_open=True)
            if not self._far:  # there pyserial has a limit of its own
                port.write_timeout = _WRITE_SECONDS
            # what has arrived already belongs to the run
            port.reset_input_buffer = port._reset_input_buffer = lambda: None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # pyserial's own, of old names for thread settings
                port.open()
        except (serial.SerialException, OSError, ValueError, termios.error) as error:
            raise self._problem(error) from error
        self._queue = getattr(port, "_read_buffer", None) if self._far else None
        if self._queue is None:
            if self._wake_reading < 0:
                self._wake_reading, self._wake_writing = os.pipe()
                os.set_blocking(self._wake_writing, False)
            descriptor = port.fileno()
            if self.device is not None:
                with contextlib.suppress(
                    OSError
                ):  # some drivers do not know it; the lock of pyserial holds all the same
                    fcntl.ioctl(descriptor, termios.TIOCEXCL)
            self._direct = -1 if self.url.lower().startswith("spy:") else descriptor
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)
            self._poll.register(self._wake_reading, select.POLLIN)
        with self._lock:
            self._serial = port

    def read(self, seconds: float) -> bytes:
        """The bytes that are there, or the first that come within `seconds`; none when nothing did, or on `wake()`.

        Raises:
            PortLost: the port has gone; everything that it gave was returned before.
        """
        if self._queue is not None:
            return self._from_queue(self._queue, seconds)
        assert self._poll is not None
        ready = self._poll.poll(seconds * 1000)
        if any(descriptor == self._wake_reading for descriptor, _ in ready):
            os.read(self._wake_reading, 4096)
        if not any(descriptor != self._wake_reading for descriptor, _ in ready):
            return b""
        try:
            if self._direct < 0:
                return bytes(self._serial.read(_READ_BYTES))
            data = os.read(self._direct, _READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PortLost(f"{self.url} went away ({error.strerror or error})") from error
        if not data:
            raise PortLost(f"{self.url} went away")
        return data

    def _from_queue(self, arrived: queue.Queue[bytes | None], seconds: float) -> bytes:
        """What pyserial's thread for RFC 2217 took apart: single bytes, and None at the end of the connection.

        pyserial's own `read` forgets what is in the queue when that thread has ended.
        """
        data = bytearray()
        deadline = time.monotonic() + seconds
        while not data and not self._woken.is_set():
            thread = self._serial._thread
            alive = thread is not None and thread.is_alive()
            try:
                one = arrived.get(timeout=_QUEUE_STEP_SECONDS) if alive else arrived.get_nowait()
                while one is not None:
                    data += one
                    one = arrived.get_nowait()
                arrived.put(None)  # seen again when what came before it was handed over
                break
            except queue.Empty:
                if not data and not alive:
                    raise PortLost(f"{self.url} closed the connection") from None
                if time.monotonic() >= deadline:
                    break
        if not data and (thread := self._serial._thread) is not None and not thread.is_alive():
            raise PortLost(f"{self.url} closed the connection")
        self._woken.clear()
        return bytes(data)

    def wake(self) -> None:
        """Let a waiting `read` return, from any thread."""
        self._woken.set()
        with contextlib.suppress(BlockingIOError, OSError):  # full: it wakes just as well; closed: nobody waits
            if self._wake_writing >= 0:
                os.write(self._wake_writing, b"w")

    def write(self, data: bytes) -> None:
        """Send all of `data`, from any thread.

        Raises:
            PortLost: the port is not open, has gone, or takes nothing.
        """
        with self._lock:
            if self._serial is None:
                raise PortLost(f"{self.url} is not connected")
            try:
                self._serial.write(data)
            except OSError as error:  # SerialException is one
                raise PortLost(f"{self.url} takes no data ({error})") from error

    def pulse(self, line: str) -> None:
        """Reset a board by `dtr` (released, then asserted, as on opening) or `rts` (asserted, then released).

        Raises:
            PortLost: the port has no such line, or is gone.
        """
        states = (False, True) if line == "dtr" else (True, False)
        with self._lock:
            if self._serial is None:
                raise PortLost(f"{self.url} is not connected")
            try:
                for state in states:
                    setattr(self._serial, line, state)
                    time.sleep(_PULSE_SECONDS)
            except OSError as error:
                raise PortLost(f"{self.url} has no {line.upper()} line ({error.strerror or error})") from error

    def line_errors(self) -> dict[str, int] | None:
        """What the kernel counted of framing errors, overruns and so on; None where it does not count."""
        with self._lock:
            if self._serial is None or self.device is None:
                return None
            try:
                answer = fcntl.ioctl(self._serial.fileno(), _TIOCGICOUNT, bytes(80))
            except OSError:
                return None
        counts = struct.unpack("20i", answer)
        return {name: counts[position] for position, name in _COUNTED.items()}

    def close(self) -> None:
        """Close it; harmless when it is not open."""
        with self._lock:
            port, self._serial = self._serial, None
        if port is None:
            return
        self._direct, self._queue, self._poll = -1, None, None
        with contextlib.suppress(OSError, termios.error):  # it may have gone
            if self.device is not None:
                fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
        connection = getattr(port, "_socket", None)
        with contextlib.suppress(OSError):
            port.close()
        if connection is not None:  # pyserial leaves it open where the other end has closed it
            connection.close()
        shown = getattr(getattr(port, "formatter", None), "output", None)
        if shown is not None and shown is not sys.stderr:  # the file of a spy://, which pyserial leaves open
            shown.close()

    def dispose(self) -> None:
        """Close it for good."""
        self.close()
        descriptors, self._wake_reading = (self._wake_reading, self._wake_writing), -1
        self._wake_writing = -1
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)

    def _problem(self, error: Exception) -> PortError:
        number, reason = _cause(error)
        if number in (errno.EACCES, errno.EPERM):
            return PortForbidden(f"{self.url}: {reason}", missing_right(self.device))
        if number in (errno.EBUSY, errno.EAGAIN):
            others = holders(self.device) if self.device is not None else []
            return PortBusy(f"{self.url} is in use by {_listed(others) if others else 'another program'}", "end that")
        if number in _ABSENT or isinstance(error.__context__, socket.gaierror):
            return PortAbsent(f"{self.url}: {reason}")
        if number == errno.ENOTTY:
            return PortError(f"{self.url} is not a serial port")
        return PortError(f"{self.url}: {reason}")


def _may_be_port(device: str) -> bool:
    """False for a file, a folder, or a device of the kernel's memory group, as /dev/null."""
    try:
        found = os.stat(device)
    except OSError:
        return True  # opening it says what is wrong
    return stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) != 1


def _cause(error: BaseException) -> tuple[int | None, str]:
    """The number and text of the system's error below one of pyserial's."""
    for one in (error.__context__, error):
        if isinstance(one, TimeoutError):
            return errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)
        if isinstance(one, OSError) and one.errno is not None:
            return one.errno, one.strerror if one is error.__context__ and one.strerror else os.strerror(one.errno)
        if isinstance(one, termios.error) and len(one.args) == 2:
            return one.args[0], str(one.args[1])
    return None, str(error)


def _listed(others: Sequence[object]) -> str:
    return " and ".join(str(one) for one in others[:3])


def missing_right(device: str | None) -> str:
    """What a user lacks who may not open a device."""
    group = "dialout"
    with contextlib.suppress(OSError, KeyError):
        import grp

        found = os.stat(device or "")
        if found.st_gid and found.st_mode & 0o060 == 0o060:
            group = grp.getgrgid(found.st_gid).gr_name
    return f"`sudo usermod -aG {group} $USER`, then log out and in again"
