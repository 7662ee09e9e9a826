"""The list of ports, from a tree as the kernel lays it out, and who has a port open, from the real /proc."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.runners.serial.holders import holders
from ethosu_tui.runners.serial.ports import list_ports

from .boards import Board


def put(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")
    return folder


@pytest.fixture
def machine(tmp_path: Path) -> tuple[Path, Path]:
    """An FT4232 with two of its ports, a CDC-ACM board with a hostile name, a UART that is there and one that is not."""
    sysfs, dev = tmp_path / "sys", tmp_path / "dev"
    bus = sysfs / "devices" / "pci0" / "usb1"
    adapter = put(bus / "1-2", idVendor="0403", idProduct="6011", product="Quad RS232-HS", manufacturer="FTDI")
    board = put(bus / "1-3", idVendor="0d28", idProduct="0204", product="DAP\x1b[2JLink", serial="0240000034544e45")
    ttys = sysfs / "class" / "tty"
    places = {}
    for number in range(2):
        interface = put(adapter / f"1-2:1.{number}", bInterfaceNumber=f"0{number}")
        places[f"ttyUSB{number}"] = put(interface / f"ttyUSB{number}")
    places["ttyACM0"] = put(board / "1-3:1.1", bInterfaceNumber="01", interface="mbed Serial Port")
    platform = put(sysfs / "devices" / "platform" / "serial8250")
    places["ttyS0"] = places["ttyS4"] = platform
    for name, place in places.items():
        put(ttys / name, type="0" if name == "ttyS4" else "4")
        (ttys / name / "device").symlink_to(place)
        put(dev, **{name: ""})
    put(ttys / "tty1")
    put(dev, tty1="")
    names = put(dev / "serial" / "by-id")
    (names / "usb-FTDI_Quad_RS232-HS-if01-port0").symlink_to("../../ttyUSB1")
    (names / "usb-Arm_DAPLink-if01").symlink_to("../../ttyACM0")
    return sysfs, dev


def test_each_port_has_what_the_kernel_knows_of_it(machine: tuple[Path, Path]) -> None:
    sysfs, dev = machine
    ports = list_ports(str(sysfs), str(dev))
    assert [Path(port.url).name for port in ports] == [
        "usb-Arm_DAPLink-if01",
        "usb-FTDI_Quad_RS232-HS-if01-port0",
        "ttyS0",
        "ttyUSB0",
    ]
    acm, second, uart, first = ports
    assert (acm.vendor_product, acm.serial_number) == ("0d28:0204", "0240000034544e45")
    assert acm.description == "DAP?[2JLink" and acm.interface == "mbed Serial Port" and acm.manufacturer is None
    assert (first.description, first.interface, second.interface) == ("Quad RS232-HS", "00", "01")
    assert first.by_id is None and uart.vendor_product is None and uart.description is None
    assert {port.right for port in ports} == {None}


def test_a_port_that_may_not_be_opened_says_what_is_missing(
    machine: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    (port, *_) = list_ports(*map(str, machine))
    assert port.right == "`sudo usermod -aG dialout $USER`, then log out and in again"


def test_a_machine_without_ports_has_none(tmp_path: Path) -> None:
    assert list_ports(str(tmp_path), str(tmp_path)) == []


def test_who_has_a_port_open_is_named(tmp_path: Path) -> None:
    board = Board(tmp_path / "port")
    assert holders(str(board.link)) == []
    other = subprocess.Popen([sys.executable, "-c", f"open({str(board.link)!r}, 'rb', 0).read()"])
    try:
        board.wait_opened()
        (holder,) = holders(str(board.link))
        assert holder.pid == other.pid and holder.command.startswith("python")
    finally:
        other.kill()
        other.wait()
    assert holders(str(board.link)) == []
    board.close()


def test_the_lock_file_of_a_terminal_program_counts_while_it_lives(tmp_path: Path) -> None:
    device = put(tmp_path, ttyX9="") / "ttyX9"
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    lock = put(tmp_path, **{"LCK..ttyX9": f"{child.pid:>10}"})
    assert [one.pid for one in holders(str(device), locks=(str(lock),))] == [child.pid]
    child.communicate(b"\n")
    assert holders(str(device), locks=(str(lock),)) == []
