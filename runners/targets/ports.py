"""The serial ports of this machine, by the names that stay when a board is plugged in elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ..job import MissingTool

BY_ID = Path("/dev/serial/by-id")


class Port(NamedTuple):
    """One port; `by_id` is None where the system has no such name for it."""

    device: str
    by_id: str | None
    description: str
    usb: str | None
    """Vendor and product, as 0d28:0204."""
    may_open: bool


def ports() -> tuple[Port, ...]:
    """The ports that pyserial finds, those of USB first.

    Raises:
        MissingTool: pyserial is not installed.
    """
    try:
        from serial.tools import list_ports
    except ImportError:
        raise MissingTool("pyserial is not installed", 'pip install "ethosu-tui[serial]"') from None
    names = _names()
    found = []
    for port in list_ports.comports():
        usb = f"{port.vid:04x}:{port.pid:04x}" if port.vid is not None and port.pid is not None else None
        text = port.description if port.description not in (None, "n/a") else ""
        by_id = names.get(os.path.realpath(port.device))
        found.append(Port(port.device, by_id, text, usb, os.access(port.device, os.R_OK | os.W_OK)))
    return tuple(sorted(found, key=lambda port: (port.usb is None, port.device)))


def _names() -> dict[str, str]:
    try:
        return {os.path.realpath(link): str(link) for link in sorted(BY_ID.iterdir())}
    except OSError:  # no USB port was ever there
        return {}
