"""What tools of the host say of a board: programmers and debug probes, serial terminals, ssh, the kernel's modules.

A programmer that finds no board is a launch of a target that failed; a terminal that cannot open its port captured nothing.
One that is at work tells that what follows comes from a board; where an emulator stands in for one, it comes from that.
"""

from __future__ import annotations

from .table import Pattern as P

_AT_WORK = (
    *((f"{mark}west flash: using runner {{probe:name}}", f"{mark}west flash: using runner jlink") for mark in ("-- ", "")),  # behind a stamp
    ("Open On-Chip Debugger {probe:rest}", "Open On-Chip Debugger 0.12.0+dev-01312-g18281b0c4"),
    ("SEGGER J-Link GDB Server {probe:rest}", "SEGGER J-Link GDB Server V7.96 Command Line Version"),
    ("SEGGER J-Link Commander {probe:rest}", "SEGGER J-Link Commander V7.94e (Compiled Jan 15 2024 15:17:38)"),
    ('Device "{probe:chip}" selected.', 'Device "MIMXRT798S_M33_0" selected.'),  # J-Link Commander, connecting
    *((f"Connecting to {{probe:word}} via {wires}", f"Connecting to target via {wires}") for wires in ("SWD", "JTAG", "cJTAG")),  # J-Link Commander
    ("SEGGER J-Link {probe:name} - Real time terminal output", "SEGGER J-Link V7.96 - Real time terminal output"),
)  # fmt: skip
"""Programmers and debug probes that are at work: nothing of theirs reaches a simulator."""

BOARDS: tuple[P, ...] = (
    *(P("board_called", text, (sample,)) for text, sample in _AT_WORK),
    P(
        "board_called", "## Starting auxiliary core {:text} = {probe:word}...",
        ("## Starting auxiliary core addr = 0x201E0000...", "## Starting auxiliary core stack = 0x20020000, pc = 0x1FFE05BD..."), "U-Boot",
    ),
    # Zephyr's target `run` of a board that QEMU emulates: behind ninja's step, or alone
    *(
        P("emulator_called", f"{step}[QEMU] CPU: {{machine:name}}", (f"{step.replace('{:int}', '0')}[QEMU] CPU: cortex-m55",))
        for step in ("[{:int}/{:int}] To exit from QEMU enter: 'CTRL+a, x'", "To exit from QEMU enter: 'CTRL+a, x'", "")
    ),
    *(
        P("board_called", f"GDB server {how} on port {{probe:int}} (core {{:rest}}", (f"0001422 I GDB server {how} on port 3333 (core 0) [gdbserver]",), anywhere=True)
        for how in ("listening", "started")
    ),
    *(
        P("board_unreached", text, (sample,))
        for text, sample in (
            # STM32CubeProgrammer
            ("Error: No debug probe detected.", "Error: No debug probe detected."),
            ("Error: No STM32 target found!{:rest}", "Error: No STM32 target found! If your product embeds Debug Authentication, x"),
            ("Error: ST-LINK error ({:name})", "Error: ST-LINK error (DEV_TARGET_HELD_UNDER_RESET)"),
            # Keil uVision
            ("Cannot Load Flash Programming Algorithm !", "Cannot Load Flash Programming Algorithm !"),
            ("Error: Flash Download failed - {:rest}", 'Error: Flash Download failed  -  "Cortex-M55"'),
            # OpenOCD
            ("Error: unable to find a matching CMSIS-DAP device", "Error: unable to find a matching CMSIS-DAP device"),
            ("Error: unable to open CMSIS-DAP device {:rest}", "Error: unable to open CMSIS-DAP device 0xd28:0x204"),
            ("Error: libusb_open() failed with {:rest}", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS"),
            ("Error: init mode failed ({:text})", "Error: init mode failed (unable to connect to the target)"),
            ("Error: Error connecting DP: {:rest}", "Error: Error connecting DP: cannot read IDR"),
            ("Error: No J-Link device found{:rest}", "Error: No J-Link device found"),
            # probe-rs, with its older and newer words
            ("Error: Connecting to the chip was unsuccessful.", "Error: Connecting to the chip was unsuccessful."),
            ("Error: Failed to open probe: {:rest}", "Error: Failed to open probe: Failed to open the debug probe."),
            ("Error{?:?} Failed to open the debug probe.", "Error Failed to open the debug probe."),
            ("Error: No connected probes were found.", "Error: No connected probes were found."),
            ("Error{?:?} No supported probe was found{?.?}", "Error No supported probe was found"),
            # pyOCD without a level, esptool, picotool, Renesas Flash Programmer
            ("No available debug probes are connected", "No available debug probes are connected"),
            ("A fatal error occurred: Could not open {:rest}", "A fatal error occurred: Could not open /dev/ttyUSB0, the port is busy or doesn't exist."),
            ("A fatal error occurred: Failed to connect to {:rest}", "A fatal error occurred: Failed to connect to ESP32-S3: No serial data received."),
            ("A fatal error occurred: Could not connect to {:rest}",
             "A fatal error occurred: Could not connect to an Espressif device on any of the 2 available serial ports."),
            ("No accessible RP{:word} devices in BOOTSEL mode were found{:rest}", "No accessible RP2040/RP2350 devices in BOOTSEL mode were found."),
            ("Error(E{:int}): The device is not responding.{:rest}", "Error(E3000105): The device is not responding."),
        )
    ),
    *(
        P("serial_port", text, (text.replace("{port:port}", "/dev/ttyACM1").replace("{:rest}", "115200").replace("{:word}", "1.5").replace("{?:?}", ""),))
        for text in (
            "port is : {port:port}",  # picocom
            "Connected to {port:port}",  # tio
            "Port {port:port}, {:rest}",  # minicom
            "--- Miniterm on {port:port}{?:?} {:rest}",
            "--- Terminal on {port:port} | {:rest}",
            "--- idf_monitor on {port:port} {:rest}",
            "--- esp-idf-monitor {:word} on {port:port} {:rest}",
            "---- Opened the serial port {port:port} ----",  # VS Code
            "ser2net port {:word} device {port:port} {:rest}",
        )
    ),
    *(P("serial_left", text, (text,)) for text in ("Terminating...", "Thanks for using picocom", "Disconnected", "--- exit ---", "[screen is terminating]")),
    P("serial_left", "---- Closed the serial port {:rest}", ("---- Closed the serial port COM7 ----",)),
    P("host_error", "minicom: cannot open {:rest}", ("minicom: cannot open /dev/ttyACM0: Permission denied",)),
    *(
        P("host_error", f"{mark}Could not open tty device ({{:text}})", (f"{mark}Could not open tty device (Device or resource busy)",), "tio")
        for mark in ("", "Error: ")
    ),
    P("host_error", "Cannot exec '/dev/{:text}': {:rest}", ("Cannot exec '/dev/ttyACM0': No such file or directory",), "screen"),
    P("host_error", "[ERROR] openSerial could not open port {:rest}", ("[ERROR] openSerial could not open port /dev/ttyUSB0",), "SETOOLS"),
    P("host_error", "FATAL: cannot open {:text}: {:rest}", ("FATAL: cannot open /dev/ttyUSB9: No such file or directory",)),
    P("host_error", "FATAL: cannot lock {:text}: {:rest}", ("FATAL: cannot lock /dev/ttyUSB0: Resource temporarily unavailable",)),
    P("host_error", "Cannot open line '{:text}' for R/W: {:rest}", ("Cannot open line '/dev/ttyACM0' for R/W: Permission denied",)),
    P("host_error", "ould not open port {:word}: {:rest}", ("could not open port '/dev/ttyACM0': [Errno 13] Permission denied",), anywhere=True),
    P("host_error", "ould not exclusively lock port {:rest}",
      ("serial.serialutil.SerialException: [Errno 11] Could not exclusively lock port /dev/ttyACM0: [Errno 11] Resource temporarily unavailable",), anywhere=True),
    P("host_error", "ssh: connect to host {:word} port {:int}: {:rest}", ("ssh: connect to host imx93 port 22: No route to host",)),
    P("host_error", "modprobe: FATAL: Module {:word} not found in directory {:rest}",
      ("modprobe: FATAL: Module ethosu not found in directory /lib/modules/6.6.36",)),
)  # fmt: skip
