"""What reaches boards: serial ports, the right to open them, and SSH."""

from __future__ import annotations

import glob
import grp
import importlib.util
import os

from ..user import user_name
from .tool import Tool

_SERIAL_DEVICES = ("/dev/ttyACM*", "/dev/ttyUSB*", "/dev/cu.usb*")


def pyserial() -> Tool:
    """The library for serial ports."""
    found = importlib.util.find_spec("serial") is not None
    install = "" if found else 'pip install "ethosu-tui[serial]"'
    return Tool("pyserial", found, "installed" if found else "not installed", "boards on a serial port", install)


def serial_rights() -> Tool:
    """Whether we may open the ports that are connected."""
    what = "boards on a serial port"
    devices = sorted(device for pattern in _SERIAL_DEVICES for device in glob.glob(pattern))
    if not devices:
        return Tool(
            "serial port", False, "no USB serial device is connected", what, "connect the board, then look again"
        )
    closed = [device for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if not closed:
        return Tool("serial port", True, ", ".join(devices), what)
    group, user = _group_of(closed[0]), user_name("$USER")
    install = f"sudo usermod -aG {group} {user}   (then log in again)"
    return Tool("serial port", False, f"no right to open {', '.join(closed)}", what, install)


def _group_of(device: str) -> str:
    try:
        return grp.getgrgid(os.stat(device).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"
