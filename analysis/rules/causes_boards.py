"""Boards that tools of the host did not reach: no probe, no permission, no answer; a serial port that could not be opened."""

from __future__ import annotations

from .causes import Failure

_PROBE = (
    "See whether the machine has it (lsusb), with a cable that carries data and without a hub; in a virtual machine, WSL or a container the USB device "
    "must be handed on. On Windows its driver must be installed. What the board printed after it is of the program that it had before."
)
_RIGHTS = (
    "Install the udev rules of the tool (60-openocd.rules, 99-jlink.rules, 49-stlink*.rules), run udevadm control --reload, and plug it in again; "
    "sudo once shows whether it is that."
)
_HELD = "Close what holds it: a debugger, an IDE, another flash tool or a serial monitor (fuser -v on its device names the process); then flash again."

UNREACHED: tuple[Failure, ...] = (
    Failure(
        "board-not-reached",
        r"LIBUSB_ERROR_ACCESS|insufficient permissions|[Pp]ermission denied",
        "The board was not started: this user may not open the debug probe",
        _RIGHTS,
        ("Error: libusb_open() failed with LIBUSB_ERROR_ACCESS",),
    ),
    Failure(
        "board-not-reached",
        r"LIBUSB_ERROR_BUSY|[Rr]esource busy|already in use|the port is busy",
        "The board was not started: another program holds its probe or port, or it is not there",
        _HELD,
        (
            "Error: libusb_open() failed with LIBUSB_ERROR_BUSY",
            "A fatal error occurred: Could not open COM3, the port is busy or doesn't exist.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"No debug probe detected|unable to find a matching CMSIS-DAP|unable to open CMSIS-DAP|No J-Link device found|LIBUSB_ERROR_NO(?:_DEVICE|T_FOUND)|"
        r"No connected (?:debug )?probes|No available debug probes|No supported probe|J-Link via USB\.\.\.FAILED|[Ff]ailed to open (?:the debug )?probe",
        "The board was not started: no debug probe was found or opened",
        _PROBE,
        (
            "Error: No debug probe detected.",
            "0000412 C No connected debug probes [__main__]",
            "Error: unable to find a matching CMSIS-DAP device",
            "Error: Failed to open probe: Failed to open the debug probe.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"Target type '(?P<name>[^'\n]{1,80})' not recognized",
        "The board was not started: pyOCD does not know the chip {name}",
        "Install its pack (pyocd pack update; pyocd pack install {name}), or give the name that pyocd list --targets has for it.",
        (
            "0001190 C Target type 'xy12' not recognized. Use 'pyocd list --targets' to see currently available target types. [__main__]",
        ),
    ),
    Failure(
        "board-not-reached",
        r"in BOOTSEL mode were found|Failed to connect to E|Could not connect to an Espressif",
        "The board was not started: it is not in its boot mode, or not connected",
        "Hold its BOOT (BOOTSEL) button while it is plugged in or reset, with a cable that carries data, and give the right port; then flash again.",
        (
            "No accessible RP2040 devices in BOOTSEL mode were found.",
            "A fatal error occurred: Failed to connect to ESP32-S3: No serial data received.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"Error: (?:ST-LINK error \((?!DEV_USB)|No STM32 target|init mode failed|Error connecting DP)|Connecting to the chip was unsuccessful|"
        r"device is not responding|power up DAP|onnect to target|in Coresight setup",
        "The board was not started: the debug probe is there, the chip does not answer it",
        "Check its power and the ribbon cable, take a lower speed and connect under reset (a program that sleeps or has taken the debug pins answers "
        "only then), and check its boot mode and that debugging is not locked; then flash again.",
        (
            "Error: init mode failed (unable to connect to the target)",
            "Error: ST-LINK error (DEV_TARGET_HELD_UNDER_RESET)",
            "Cannot connect to target.",
            "Error(E3000105): The device is not responding.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"\*\*\* Error: (?P<reason>(?:Failed to prepare for programming|Verification failed|Failed to download RAMCode)[^\n]{0,100})",
        "The board was not started: its flash could not be written ({reason})",
        "Give the tool this very chip's name (-device) and an address inside of its flash; MRAM and external flash need the loader of the vendor's package. "
        "Erase and unlock it where it is protected, and take a lower speed.",
        ("****** Error: Failed to prepare for programming.",),
    ),
    Failure(
        "board-not-reached",
        r"Flash Download failed|Flash Programming Algorithm",
        "The board was not started: its flash could not be written (the algorithm for it did not work)",
        "In the project's debug settings choose the flash algorithm of this chip's pack for the addresses that the image has (MRAM and external flash have their own), "
        "and give it RAM that the chip has; see that the probe reaches the core, and that the chip is not locked.",
        ("Cannot Load Flash Programming Algorithm !", 'Error: Flash Download failed  -  "Cortex-M55"'),
    ),
    Failure(
        "board-not-reached",
        r"Memory transfer fault \((?P<reason>[^)\n]{1,80})\) @ (?P<range>[\w-]{1,40})",
        "The board was not started: the probe could not write or read {range} ({reason})",
        "Compare that address with the memory map of the chip that the tool was told (-t): MRAM and external flash are only reached through the flash algorithm of the "
        "vendor's pack. Where it is right, the core sleeps, is locked or has no power: connect under reset.",
        ("0004120 C Memory transfer fault (Transfer error while reading) @ 0x80000000-0x80000fff [__main__]",),
    ),
    Failure(
        "board-not-reached",
        r"\[SES\] No ATOC",
        "The board has nothing to start: its Secure Enclave found no table of applications (ATOC) in MRAM",
        "Write one with Alif's SETOOLS (app-gen-toc -f CONFIG.json, then app-write-mram -p) or west flash, whose configuration names the image, its address and "
        "the core; an address that the table covers, or a failed write, leaves none.",
        ("[SES] No ATOC",),
    ),
    Failure(
        "board-not-reached",
        r"OpenOCD init|reset target|Programming Failed|J-Link|did not respond",
        "The board was not started: what flashes or debugs it does not reach it",
        "Check cable, power and boot mode, that no other program (a debugger, a serial monitor) holds the probe or port, and that this user "
        "may open it (udev rules); then flash again. What the board printed after it is of the program that it had before.",
        ("** OpenOCD init failed **", "[ERROR] Target did not respond", "J-Link connection not established"),
    ),
)
"""Why a board was not started, by the words of what flashes it; tried from the top."""

_PORT = (
    r"(?:minicom: cannot open|FATAL: cannot (?:open|lock)|Cannot open line|ould not (?:open|exclusively lock) port) '?(?P<port>[^\s:',]{1,120}?(?::\d{1,5})?)'?"
    r"(?: for R/W)?: [^\n]{0,200}?"
)

BOARD_FAILURES: tuple[Failure, ...] = (
    Failure(
        "serial-port-unopened",
        _PORT + r"(?:Permission denied|Operation not permitted)",
        "The serial port {port} could not be opened: this user may not",
        "Join the group that owns it (ls -l {port} names it, mostly dialout: sudo usermod -aG dialout $USER), and log in again.",
        (
            "minicom: cannot open /dev/ttyACM0: Permission denied",
            "could not open port '/dev/ttyACM0': [Errno 13] Permission denied: '/dev/ttyACM0'",
            "Cannot open line '/dev/ttyACM0' for R/W: Permission denied",
        ),
    ),
    Failure(
        "serial-port-unopened",
        _PORT + r"(?:busy|in use|Resource temporarily unavailable|[Aa]ccess is denied|[Ll]ocked)",
        "The serial port {port} could not be opened: another program holds it",
        "Close that terminal, IDE or flash tool (fuser -v {port} names the process); a lock file of one that crashed lies in /var/lock.",
        (
            "FATAL: cannot lock /dev/ttyUSB0: Resource temporarily unavailable",
            "serial.serialutil.SerialException: [Errno 16] could not open port /dev/ttyACM0: [Errno 16] Device or resource busy: '/dev/ttyACM0'",
        ),
    ),
    Failure(
        "serial-port-unopened",
        _PORT + r"(?:No such file|cannot find|FileNotFound|does(?: not|n't) exist)",
        "The serial port {port} is not there",
        "Plug the board in and see which name it got (ls -l /dev/serial/by-id; dmesg | tail); those names stay the same, and in a virtual machine, WSL or "
        "a container the USB device must be handed on.",
        ("FATAL: cannot open /dev/ttyUSB9: No such file or directory",),
    ),
    Failure(
        "serial-port-unopened",
        r"Cannot exec '(?P<port>/dev/[^'\n]{1,100})'|openSerial could not open port (?P<other>\S{1,100})",
        "The serial port {port}{other} could not be opened",
        "It is not there, another program holds it (fuser -v {port}{other} names the process), or this user may not (group dialout); ls -l /dev/serial/by-id "
        "shows the ports that are.",
        (
            "Cannot exec '/dev/ttyACM0': No such file or directory",
            "[ERROR] openSerial could not open port /dev/ttyUSB0",
        ),
    ),
    Failure(
        "serial-port-unopened",
        r"Could not open tty device \((?P<reason>[^)\n]{1,120})\)",
        "The serial port could not be opened: {reason}",
        "Another program may hold it (fuser -v on the port), this user may lack the rights (group dialout), or the board is not plugged in "
        "(ls -l /dev/serial/by-id).",
        ("Error: Could not open tty device (Device or resource busy)",),
    ),
    Failure(
        "flash-too-small",
        r"app partition is too small for binary (?P<file>\S{1,200}) size (?P<size>0x[\da-f]{1,12})(?:[^\n]{0,100}\(overflow (?P<over>0x[\da-f]{1,12})\))?",
        "The firmware does not fit into its partition: {file} has {size} bytes",
        "Give the app a larger partition (partitions.csv, CONFIG_PARTITION_TABLE_SINGLE_APP_LARGE), put the model into a partition of its own, or take a smaller one.",
        ("Error: app partition is too small for binary et.bin size 0x1a2000:",),
    ),
    Failure(
        "flash-failed",
        r"contained an invalid memory range (?P<range>\S{1,60})",
        "The firmware is linked to addresses that are no flash of this chip: {range}",
        "Compare the linker script with the chip's memory map and with the chip's name that the tool was given (probe-rs --chip, picotool info); external flash and MRAM "
        "need the vendor's loader.",
        ("ERROR: File to load contained an invalid memory range 0x10000000-0x10500000",),
    ),
    Failure(
        "flash-failed",
        r"Error: (?:The flashing procedure failed for '(?P<file>[^'\n]{1,200})'|failed to download (?:Segment|the File))",
        "The board could not be flashed",
        "Its own next lines say why. Erase the chip and unlock it where it is protected, take a lower speed and connect under reset, and see that the file is linked for this "
        "chip's flash. What the board prints after it is of the program that it had before.",
        ("Error: The flashing procedure failed for 'a.elf'.", "Error: failed to download Segment[0]"),
    ),
    Failure(
        "flash-failed",
        r"FATAL ERROR: command exited with status \d{1,3}: \S{0,200}?(?P<tool>openocd|pyocd|JLink\w{0,20}|STM32_Programmer_CLI|rfp-cli|esptool|probe-rs|"
        r"nrfjprog|nrfutil|LinkServer|picotool|stm32flash|dfu-util)\b",
        "west could not flash the board: {tool} failed",
        "The lines above it say why; west flash --runner NAME takes another tool.",
        ("FATAL ERROR: command exited with status 1: /usr/bin/openocd -s /w -f board.cfg -c init",),
        1,
    ),
    Failure(
        "ssh-refused",
        r"ssh: connect to host (?P<host>[^\s:]{1,100}) port (?P<port>\d{1,5}): (?P<reason>[^\n]{1,120})",
        "SSH did not reach {host}: {reason}",
        "Check that the board is up and on this network (ping {host}), and that its SSH server runs and listens on port {port}.",
        ("ssh: connect to host imx93 port 22: No route to host",),
    ),
    Failure(
        "kernel-module-missing",
        r"modprobe: FATAL: Module (?P<module>ethosu\w{0,40}|ethos[\w-]{0,40}) not found in directory (?P<folder>\S{1,200})",
        "This kernel has no driver module for the NPU: {module}",
        "Take the vendor's image and kernel (NXP's i.MX kernel has it), or build the module for this very kernel (uname -r) from the Ethos-U driver stack for "
        "Linux and run depmod; /dev/ethosu0 must be there before a runner can use it.",
        ("modprobe: FATAL: Module ethosu not found in directory /lib/modules/6.6.36",),
    ),
)
"""A part of `BUILD_FAILURES`."""
