"""Boards that were not reached: what programmers, probes, serial terminals, ssh and the kernel say, and what to do about each."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

PROBE = "no debug probe was found or opened"
SILENT = "the debug probe is there, but the chip does not answer it"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$ STM32_Programmer_CLI -c port=SWD -w a.elf\nError: No debug probe detected.\n", PROBE),
        ("$ STM32_Programmer_CLI -c port=SWD\nError: ST-LINK error (DEV_TARGET_HELD_UNDER_RESET)\n", SILENT),
        (
            "Open On-Chip Debugger 0.12.0\nError: libusb_open() failed with LIBUSB_ERROR_ACCESS\n",
            "this user may not open",
        ),
        (
            "$ picotool load a.uf2\nNo accessible RP2040/RP2350 devices in BOOTSEL mode were found.\n",
            "not in its boot mode",
        ),
        (
            "Error: Connecting to the chip was unsuccessful.\n\nCaused by:\n    0: An ARM specific error occurred.\n",
            SILENT,
        ),
        (
            'Load "C:\\\\ws\\\\a.axf"\nCannot Load Flash Programming Algorithm !\nError: Flash Download failed  -  "Cortex-M55"\n',
            "flash could not be written",
        ),
        (
            "0001312 I Loading a.bin at 0x80000000 [load_cmd]\n"
            "0004120 C Memory transfer fault (Transfer error while reading) @ 0x80000000-0x80000fff [__main__]\n",
            "0x80000000-0x80000fff (Transfer error while reading)",
        ),
        (
            "J-Link: Flash download: Bank 0 @ 0x80000000: 1 range affected (65536 bytes)\n"
            "****** Error: Programming failed @ address 0x80210004 (block verification error)\nScript processing completed.\n",
            "(Programming failed @ address 0x80210004 (block verification error))",
        ),
        (
            "0001312 I Loading a.hex [load_cmd]\n0002101 C flash program page failure (address 0x80210000; result code 0x1) [__main__]\n",
            "(flash program page failure (address 0x80210000; result code 0x1))",
        ),
        ("SES A0 v1.110.0\n[SES] STOC DEVICE ok\n[SES] No ATOC\n[SES] LCS=1\n", "nothing to start"),
    ],
)
def test_a_board_that_was_not_reached_never_started(text: str, said: str) -> None:
    capture = read_capture("x", text.encode())
    assert [run.status for run in capture.runs] == ["not_started"]
    (finding,) = capture.findings
    assert finding.rule == "board-not-reached" and said in finding.title


def test_a_flash_that_failed_of_it_follows_from_it() -> None:
    text = "-- west flash: using runner openocd\nError: unable to find a matching CMSIS-DAP device\nFATAL ERROR: command exited with status 1: openocd -f a.cfg\n"
    capture = read_capture("x", text.encode())
    assert [(f.rule, f.severity) for f in capture.findings] == [
        ("board-not-reached", "error"),
        ("flash-failed", "info"),
    ]
    alone = read_capture("x", text.splitlines(keepends=True)[2].encode())
    assert [(f.rule, f.severity) for f in alone.findings] == [("flash-failed", "error")]


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("minicom: cannot open /dev/ttyACM3: Permission denied", "serial-port-unopened", "/dev/ttyACM3 could not be opened: permission denied"),
        ("FATAL: cannot lock /dev/ttyUSB1: Resource temporarily unavailable", "serial-port-unopened", "another program holds it"),
        ("FATAL: cannot open /dev/ttyUSB7: No such file or directory", "serial-port-unopened", "/dev/ttyUSB7 does not exist"),
        ("serial.serialutil.SerialException: could not open port 'COM12': PermissionError(13, 'Access is denied.', None, 5)", "serial-port-unopened",
         "COM12 could not be opened: another program"),
        ("Could not open tty device (Device or resource busy)", "serial-port-unopened", "Device or resource busy"),
        ("Cannot exec '/dev/ttyACM3': No such file or directory", "serial-port-unopened", "/dev/ttyACM3 could not be opened"),
        ("[ERROR] openSerial could not open port /dev/ttyUSB7", "serial-port-unopened", "/dev/ttyUSB7 could not be opened"),
        ("ssh: connect to host board9 port 2222: Connection refused", "ssh-refused", "board9: Connection refused"),
        ("modprobe: FATAL: Module ethosu not found in directory /lib/modules/6.1.1", "kernel-module-missing", "ethosu"),
    ],
)  # fmt: skip
def test_what_else_stands_between_host_and_board(line: str, rule: str, words: str) -> None:
    (finding,) = read_capture("x", f"$ it\n{line}\n".encode()).findings
    assert (finding.rule, finding.severity) == (rule, "error") and words in finding.title


@pytest.mark.parametrize(
    ("line", "rule", "advice"),
    [
        ("-sh: ./executor_runner: No such file or directory", "launcher-not-found", "ls -l"),
        ("./executor_runner: error while loading shared libraries: liba.so: cannot open shared object file: No such file or directory", "library-missing",
         "ldd executor_runner"),
    ],
)  # fmt: skip
def test_the_runner_for_linux_is_no_simulator(line: str, rule: str, advice: str) -> None:
    (finding,) = read_capture("x", f"root@imx93:~# ./executor_runner\n{line}\n".encode()).findings
    assert finding.rule == rule and finding.title.startswith("The runner never started") and advice in finding.advice


def test_a_port_behind_a_run_that_passed_is_no_launch() -> None:
    run = (
        "I [executorch:arm_executor_runner.cpp:1274 main()] PTE @ 0x70000000 [----ET12]\n"
        "I [executorch:arm_executor_runner.cpp:1292 main()] Program complete, exiting.\n"
    )
    capture = read_capture("x", (run + "Error: No debug probe detected.\n").encode())
    assert [run.status for run in capture.runs] == ["passed", "not_started"]


@pytest.mark.parametrize("times", [2, 3, 4])
@pytest.mark.parametrize(
    "said",
    [
        "Error: No debug probe detected.",
        "Error: Connecting to the chip was unsuccessful.",
        "Error: ST-LINK error (DEV_CONNECT_ERR)",
    ],
)
def test_a_board_that_is_tried_again_is_no_doubled_line(said: str, times: int) -> None:
    capture = read_capture("x", (f"{said}\n" * times).encode())
    assert [run.status for run in capture.runs] == ["not_started"]
    assert [finding.rule for finding in capture.findings] == ["board-not-reached"]


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("****** Error: Failed to prepare for programming.", "board-not-reached", "its flash could not be written"),
        (
            "****** Error: Verification failed @ address 0x80001000.",
            "board-not-reached",
            "its flash could not be written",
        ),
        (
            "0000980 C Target type 'ab34' not recognized. Use 'pyocd list --targets' to see currently available target types. [__main__]",
            "board-not-reached",
            "does not know the chip ab34",
        ),
        ("****** Error: Could not find core in Coresight setup", "board-not-reached", "the chip does not answer"),
        ("[  148.230190] remoteproc remoteproc0: request_firmware failed: -2", "firmware-refused", "remoteproc"),
        ("[  148.230190] remoteproc remoteproc0: can't start rproc imx-rproc: -110", "firmware-refused", "remoteproc"),
    ],
)
def test_what_a_probe_or_linux_says_of_firmware_that_did_not_start(line: str, rule: str, words: str) -> None:
    capture = read_capture("x", f"$ it\n{line}\n".encode())
    assert [run.status for run in capture.runs] == ["not_started"]
    assert (capture.findings[0].rule, words in capture.findings[0].title) == (rule, True)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            ("bad phdr da 0x1f40 mem 0x100", "Failed to load program segments: -22", "Boot failed: -22"),
            "Link that part for the core's TCM",
        ),
        (("Boot failed: -22",), "-22: "),
        (("request_firmware failed: -2",), "Put the file in /lib/firmware"),
        (("can't start rproc imx-rproc: -110", "Boot failed: -110"), "Stop what ran on that core"),
        (("can't start rproc imx-rproc: -22", "Boot failed: -22"), "See whether the core runs already"),
    ],
)
def test_what_to_do_begins_with_what_linux_said(lines: tuple[str, ...], words: str) -> None:
    said = "".join(f"[  148.230190] remoteproc remoteproc0: {line}\n" for line in lines)
    first = read_capture("x", f"$ echo start > state\n{said}".encode()).findings[0]
    assert (first.rule, first.advice[: len(words)]) == ("firmware-refused", words)


def test_sections_that_a_linker_laid_over_each_other_are_named() -> None:
    said = "/opt/ld: section .text VMA [10000000,1000ffff] overlaps section .data VMA [10000000,10000fff]\ncollect2: error: ld returned 1 exit status\n"
    first, second = read_capture("x", said.encode()).findings
    assert (first.rule, first.title) == ("sections-overlap", "Two sections overlap: .text and .data")
    assert second.severity == "info"


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        (
            "Error: app partition is too small for binary et.bin size 0x1b2000:",
            "flash-too-small",
            "et.bin has 0x1b2000 bytes",
        ),
        (
            "ERROR: File to load contained an invalid memory range 0x10000000-0x10600000",
            "flash-failed",
            "0x10000000-0x10600000",
        ),
        ("Error: The flashing procedure failed for 'et.elf'.", "flash-failed", "could not be flashed"),
        ("Error: failed to download Segment[0]", "flash-failed", "could not be flashed"),
        ("Error: /w/out is not a standalone arm_executor_runner build directory.", "build-reconfigure", "/w/out"),
        (
            "Error: MEMORY_MODE=Sram_Only in /w/out. Reconfigure CMake with -DMEMORY_MODE=Shared_Sram to use this run.sh invocation.",
            "build-reconfigure",
            "/w/out",
        ),
        (
            "[Arm Setup/fvp] Warning: FVP setup only supported on Linux; Mac users should install via https://example.org",
            "fvp-by-hand",
            "macOS",
        ),
        (
            "E   FileNotFoundError: Did not find elf file out/arm_executor_runner",
            "runner-not-built",
            "out/arm_executor_runner",
        ),
        ("Error: FVP_WORKDIR '/w/none' is not a valid directory", "folder-missing", "/w/none"),
    ],
)
def test_what_scripts_and_flash_tools_refuse_is_explained(line: str, rule: str, words: str) -> None:
    finding = read_capture("x", f"$ it\n{line}\n".encode()).findings[0]
    assert (finding.rule, finding.severity) == (rule, "error") and words in finding.title


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (
            "ERROR: Cannot connect to the Docker daemon at unix:///w/docker.sock. Is the docker daemon running?",
            "docker-missing",
        ),
        (
            "failed to connect to the docker API at unix:///w/docker.sock; check if the path is correct",
            "docker-missing",
        ),
        (
            'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: /w/.armlm/.',
            "docker-mount",
        ),
        *(
            (f"{mark}permission denied while trying to connect to the {what} at unix:///w/docker.sock: x", "docker-missing")
            for mark in ("", "ERROR: ", "docker: ")
            for what in ("Docker daemon socket", "docker API")
        ),
        ("docker: no matching manifest for linux/arm64/v8 in the manifest list entries.", "image-wrong-machine"),
        ("docker: Error response from daemon: pull access denied for a/fvp, repository does not exist.", "image-unreachable"),
        ("docker: Error response from daemon: manifest for a/fvp:9 not found: manifest unknown.", "image-unreachable"),
    ],
)  # fmt: skip
def test_a_container_that_was_not_started_is_a_simulator_that_was_not(line: str, rule: str) -> None:
    capture = read_capture("x", f"$ FVP_Corstone_SSE-300_Ethos-U55 -a a.elf\n{line}\n".encode())
    assert ([run.status for run in capture.runs], capture.findings[0].rule) == (["not_started"], rule)


@pytest.mark.parametrize(
    "left", ["Thanks for using picocom", "Disconnected", "--- exit ---", "[screen is terminating]"]
)
def test_what_runs_behind_a_terminal_that_was_left_is_not_said_to_be_on_its_board(left: str) -> None:
    port, line = "port is        : /dev/ttyACM0\n", "I [executorch:runner.cpp:9] {}\n"
    board = line.format("Model executed successfully.") + line.format("Program complete, exiting.")
    host = "I 00:00:00.000482 executorch:app.cpp:372] Model executed successfully.\n"
    for text, platforms in (
        (port + board + board, ["board", "board"]),
        (f"{port}{board}{left}\n{host}", ["board", None]),
    ):
        assert [run.target.platform for run in read_capture("x", text.encode()).runs] == platforms
