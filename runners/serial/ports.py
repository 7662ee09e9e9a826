"""The serial ports of this machine, as the kernel lists them: the name that stays, what is plugged in, and who may open it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..runs.folder import printable
from .holders import Holder, holders
from .port import missing_right

_MOST_PARENTS = 12
_TEXT_BYTES = 256


@dataclass(frozen=True, slots=True)
class Port:
    """One port; None is what nothing says."""

    device: str
    by_id: str | None = None
    """The name below /dev/serial/by-id, which is the same in whatever order boards are plugged in."""
    description: str | None = None
    manufacturer: str | None = None
    serial_number: str | None = None
    vendor_product: str | None = None
    """USB ids, as `0403:6011`."""
    interface: str | None = None
    """Which of several ports of one adapter this is: the name the adapter gives it, or its number."""
    held_by: tuple[Holder, ...] = ()
    """Processes that have it open; those of other users can be seen only by root."""
    right: str | None = None
    """What to do before it may be opened; None where it may be."""

    @property
    def url(self) -> str:
        """What to write for it: the name that stays, if it has one."""
        return self.by_id or self.device

    def to_json(self) -> dict[str, Any]:
        """As an object of JSON."""
        return {
            "device": self.device,
            "by_id": self.by_id,
            "description": self.description,
            "manufacturer": self.manufacturer,
            "serial_number": self.serial_number,
            "vendor_product": self.vendor_product,
            "interface": self.interface,
            "held_by": [one._asdict() for one in self.held_by],
            "right": self.right,
        }


def list_ports(sysfs: str = "/sys", dev: str = "/dev") -> list[Port]:
    """The ports that exist, those with a lasting name first; pyserial is not needed."""
    lasting = _lasting_names(Path(dev) / "serial" / "by-id")
    found = []
    for name, place in _ttys(Path(sysfs) / "class" / "tty"):
        device = f"{dev}/{name}"
        if not os.path.exists(device):
            continue
        found.append(
            Port(
                device,
                lasting.get(os.path.realpath(device)),
                *_usb(place),
                held_by=tuple(holders(device)),
                right=None if os.access(device, os.R_OK | os.W_OK) else missing_right(device),
            )
        )
    return sorted(found, key=lambda port: (port.by_id is None, port.by_id or "", _in_order(port.device)))


def _ttys(folder: Path) -> Iterator[tuple[str, Path]]:
    """Names of ttys with hardware behind them, and where that stands."""
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listdir(folder)
    for name in names:
        place = folder / name / "device"
        if not place.exists():
            continue  # a virtual console or a pseudo-terminal
        if _text(folder / name / "type") == "0":
            continue  # a UART that the kernel is ready for and the machine does not have
        yield printable(name), place.resolve()


def _usb(place: Path) -> tuple[str | None, str | None, str | None, str | None, str | None]:
    """Description, manufacturer, serial number, ids and interface of what a tty belongs to, as far as it is on USB."""
    interface: str | None = None
    for folder in (place, *place.parents)[:_MOST_PARENTS]:
        if interface is None and (folder / "bInterfaceNumber").exists():
            interface = _text(folder / "interface") or _text(folder / "bInterfaceNumber")
        vendor, product = _text(folder / "idVendor"), _text(folder / "idProduct")
        if vendor and product:
            return (
                _text(folder / "product"),
                _text(folder / "manufacturer"),
                _text(folder / "serial"),
                f"{vendor}:{product}",
                interface,
            )
    return None, None, None, None, None


def _text(path: Path) -> str | None:
    """A short file of sysfs, safe to print: names of devices come from the devices."""
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        return printable(stream.read(_TEXT_BYTES).decode("utf-8", "replace").strip()) or None
    return None


def _lasting_names(folder: Path) -> dict[str, str]:
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = sorted(os.listdir(folder))
    return {os.path.realpath(folder / name): str(folder / name) for name in names}


def _in_order(device: str) -> tuple[str, int]:
    stem = device.rstrip("0123456789")
    return stem, int(device[len(stem) :] or 0)
