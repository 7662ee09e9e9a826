"""Boards that tools of the host did not reach: no probe, no permission, no answer; a serial port that could not be opened."""

from __future__ import annotations

from .causes import Failure

_PROBE = (
    "Check that the machine sees it (lsusb), with a data cable and without a hub; a virtual machine, WSL or a "
    "container needs the USB device passed through, and Windows needs its driver. What the board printed afterwards "
    "comes from the program that was on it before."
)
_RIGHTS = (
    "Install the udev rules of the tool (60-openocd.rules, 99-jlink.rules, 49-stlink*.rules), run udevadm control "
    "--reload, and plug it in again; one run with sudo shows whether that is the cause."
)
_HELD = (
    "Close whatever holds it (a debugger, an IDE, another flash tool, a serial monitor; fuser -v on its device "
    "names the process), then flash again."
)

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
        "The board was not started: its probe or port is missing or held by another program",
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
        "Install its pack (pyocd pack update; pyocd pack install {name}), or use the name that pyocd list --targets "
        "shows for it.",
        (
            "0001190 C Target type 'xy12' not recognized. Use 'pyocd list --targets' to see currently available target types. [__main__]",
        ),
    ),
    Failure(
        "board-not-reached",
        r"in BOOTSEL mode were found|Failed to connect to E|Could not connect to an Espressif",
        "The board was not started: it is not in its boot mode, or not connected",
        "Hold its BOOT (BOOTSEL) button while you plug it in or reset it, use a data cable and give the right port; "
        "then flash again.",
        (
            "No accessible RP2040 devices in BOOTSEL mode were found.",
            "A fatal error occurred: Failed to connect to ESP32-S3: No serial data received.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"Error: (?:ST-LINK error \((?!DEV_USB)|No STM32 target|init mode failed|Error connecting DP)|Connecting to the chip was unsuccessful|"
        r"device is not responding|power up DAP|onnect to target|in Coresight setup",
        "The board was not started: the debug probe is there, but the chip does not answer it",
        "Check its power and the ribbon cable, lower the speed and connect under reset (the only way in if the "
        "program sleeps or has reused the debug pins), and check its boot mode and that debugging is not locked; "
        "then flash again.",
        (
            "Error: init mode failed (unable to connect to the target)",
            "Error: ST-LINK error (DEV_TARGET_HELD_UNDER_RESET)",
            "Cannot connect to target.",
            "Error(E3000105): The device is not responding.",
        ),
    ),
    Failure(
        "board-not-reached",
        r"\*\*\* Error: (?P<reason>(?:Failed to prepare for programming|Verification failed|Failed to download RAMCode)[^\n]{0,100})|"
        r"(?P<where>Programming failed @ address 0x[^\n]{0,80}|[Ff]lash [\w ]{4,40} failure \(address 0x[^)\n]{0,80}\))",
        "The board was not started: its flash could not be written ({reason}{where})",
        "Give the tool the exact chip name (-device) and an address inside its flash; MRAM and external flash need "
        "the loader from the vendor's package. Erase and unlock the flash if it is protected, and lower the speed.",
        (
            "****** Error: Failed to prepare for programming.",
            "****** Error: Programming failed @ address 0x80200004 (block verification error)",
            "0002101 C flash program page failure (address 0x80200000; result code 0x1) [__main__]",
        ),
    ),
    Failure(
        "board-not-reached",
        r"Flash Download failed|Flash Programming Algorithm",
        "The board was not started: its flash could not be written (the flash algorithm failed)",
        "In the project's debug settings choose the flash algorithm from this chip's pack for the addresses of the "
        "image (MRAM and external flash have their own), and give it RAM that the chip has; check that the probe "
        "reaches the core and that the chip is not locked.",
        ("Cannot Load Flash Programming Algorithm !", 'Error: Flash Download failed  -  "Cortex-M55"'),
    ),
    Failure(
        "board-not-reached",
        r"Memory transfer fault \((?P<reason>[^)\n]{1,80})\) @ (?P<range>[\w-]{1,40})",
        "The board was not started: the probe could not write or read {range} ({reason})",
        "Check that address against the memory map of the chip given to the tool (-t): MRAM and external flash can "
        "only be reached through the flash algorithm in the vendor's pack. If the address is right, the core is "
        "asleep, locked or unpowered: connect under reset.",
        ("0004120 C Memory transfer fault (Transfer error while reading) @ 0x80000000-0x80000fff [__main__]",),
    ),
    Failure(
        "board-not-reached",
        r"\[SES\] No ATOC",
        "The board has nothing to start: its Secure Enclave found no application table (ATOC) in MRAM",
        "Write one with Alif's SETOOLS (app-gen-toc -f CONFIG.json, then app-write-mram -p) or west flash, whose "
        "configuration names the image, its address and the core; an image at an address that the table covers, or "
        "a failed write, leaves the board without one.",
        ("[SES] No ATOC",),
    ),
    Failure(
        "board-not-reached",
        r"OpenOCD init|reset target|Programming Failed|J-Link|did not respond",
        "The board was not started: the flash or debug tool could not reach it",
        "Check cable, power and boot mode, that no other program (a debugger, a serial monitor) holds the probe or "
        "port, and that this user may open it (udev rules); then flash again. What the board printed afterwards "
        "comes from the program that was on it before.",
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
        "The serial port {port} could not be opened: permission denied",
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
        "Close that terminal, IDE or flash tool (fuser -v {port} names the process); a program that crashed may "
        "have left a lock file in /var/lock.",
        (
            "FATAL: cannot lock /dev/ttyUSB0: Resource temporarily unavailable",
            "serial.serialutil.SerialException: [Errno 16] could not open port /dev/ttyACM0: [Errno 16] Device or resource busy: '/dev/ttyACM0'",
        ),
    ),
    Failure(
        "serial-port-unopened",
        _PORT + r"(?:No such file|cannot find|FileNotFound|does(?: not|n't) exist)",
        "The serial port {port} does not exist",
        "Plug the board in and see which name it got (dmesg | tail; the names in ls -l /dev/serial/by-id stay the "
        "same); a virtual machine, WSL or a container needs the USB device passed through.",
        ("FATAL: cannot open /dev/ttyUSB9: No such file or directory",),
    ),
    Failure(
        "serial-port-unopened",
        r"Cannot exec '(?P<port>/dev/[^'\n]{1,100})'|openSerial could not open port (?P<other>\S{1,100})",
        "The serial port {port}{other} could not be opened",
        "List the ports that exist (ls -l /dev/serial/by-id): this one is missing, held by another program (fuser "
        "-v {port}{other} names the process), or not open to this user (group dialout).",
        (
            "Cannot exec '/dev/ttyACM0': No such file or directory",
            "[ERROR] openSerial could not open port /dev/ttyUSB0",
        ),
    ),
    Failure(
        "serial-port-unopened",
        r"Could not open tty device \((?P<reason>[^)\n]{1,120})\)",
        "The serial port could not be opened: {reason}",
        "Check whether another program holds it (fuser -v on the port), whether this user may open it (group "
        "dialout), and whether the board is plugged in (ls -l /dev/serial/by-id).",
        ("Error: Could not open tty device (Device or resource busy)",),
    ),
    Failure(
        "flash-too-small",
        r"app partition is too small for binary (?P<file>\S{1,200}) size (?P<size>0x[\da-f]{1,12})(?:[^\n]{0,100}\(overflow (?P<over>0x[\da-f]{1,12})\))?",
        "The firmware does not fit into its partition: {file} has {size} bytes",
        "Give the app a larger partition (partitions.csv, CONFIG_PARTITION_TABLE_SINGLE_APP_LARGE), put the model "
        "into its own partition, or use a smaller model.",
        ("Error: app partition is too small for binary et.bin size 0x1a2000:",),
    ),
    Failure(
        "flash-failed",
        r"contained an invalid memory range (?P<range>\S{1,60})",
        "The firmware is linked to addresses outside this chip's flash: {range}",
        "Check the linker script against the chip's memory map, and the chip name given to the tool (probe-rs "
        "--chip, picotool info); external flash and MRAM need the vendor's loader.",
        ("ERROR: File to load contained an invalid memory range 0x10000000-0x10500000",),
    ),
    Failure(
        "flash-failed",
        r"Error: (?:The flashing procedure failed for '(?P<file>[^'\n]{1,200})'|failed to download (?:Segment|the File))",
        "The board could not be flashed",
        "Read the tool's next lines for the reason. Erase the chip and unlock it if it is protected, lower the "
        "speed and connect under reset, and check that the file is linked for this chip's flash. What the board "
        "prints afterwards comes from the program that was on it before.",
        ("Error: The flashing procedure failed for 'a.elf'.", "Error: failed to download Segment[0]"),
    ),
    Failure(
        "flash-failed",
        r"FATAL ERROR: command exited with status \d{1,3}: \S{0,200}?(?P<tool>openocd|pyocd|JLink\w{0,20}|STM32_Programmer_CLI|rfp-cli|esptool|probe-rs|"
        r"nrfjprog|nrfutil|LinkServer|picotool|stm32flash|dfu-util)\b",
        "west could not flash the board: {tool} failed",
        "Read the lines above it for the reason; west flash --runner NAME uses another tool.",
        ("FATAL ERROR: command exited with status 1: /usr/bin/openocd -s /w -f board.cfg -c init",),
        1,
    ),
    Failure(
        "ssh-refused",
        r"ssh: connect to host (?P<host>[^\s:]{1,100}) port (?P<port>\d{1,5}): (?P<reason>[^\n]{1,120})",
        "SSH could not reach {host}: {reason}",
        "Check that the board is up and on this network (ping {host}), and that its SSH server runs and listens on port {port}.",
        ("ssh: connect to host imx93 port 22: No route to host",),
    ),
    Failure(
        "kernel-module-missing",
        r"modprobe: FATAL: Module (?P<module>ethosu\w{0,40}|ethos[\w-]{0,40}) not found in directory (?P<folder>\S{1,200})",
        "This kernel has no driver module for the NPU: {module}",
        "Use the vendor's image and kernel (NXP's i.MX kernel has it), or build the module for exactly this kernel "
        "(uname -r) from the Ethos-U Linux driver stack and run depmod; /dev/ethosu0 must be there before a runner "
        "can use it.",
        ("modprobe: FATAL: Module ethosu not found in directory /lib/modules/6.6.36",),
    ),
)
"""A part of `BUILD_FAILURES`."""
