"""Runs that never began, and runners that could not read what they were told to read."""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..launches import refused_licence
from ..outcome import Outcome
from ..report import Finding, Run
from ..verdict import error, in_command, saying
from .causes import explain_text
from .causes_boards import UNREACHED
from .linux_start import ARCHITECTURE, crashed_at_once, not_usable
from .script import ended_with

CRASHED = (
    "Start it once by hand with the same command. An FVP for x86-64 does not run well under an emulator (docker on Apple silicon): install "
    "the one for AArch64; else reinstall it, and report a crash that stays to its vendor."
)
_KILLED = (
    "See whether it was for want of memory (dmesg | grep -i 'killed process'), and give the machine, or its container (docker run --memory), more; "
    "a CI job's own limit kills so too."
)
_CRASHES = ("Segmentation fault", "uncaught target signal", "Illegal instruction", "Aborted", "Bus error")
_CAME_UP = ("fvp_terminal", "fvp_npu", "fvp_version")
"""What an FVP says once it is there."""
_OPENED = re.compile(r"Failed to open (?!ETDump)(\S.{0,300}?): ([A-Z][\w ,.-]{2,80}) \(\d{1,4}\)")
_TEE = re.compile(r"tee: (\S.{0,200}?): Permission denied")
_REFUSED = re.compile(r"(?:\A|[:\s])\s{0,4}([^\s:]{1,200})(?:: can't execute)?: Permission denied")


def not_started(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A launch without a runner: why, as far as the console tells."""
    if run.status != "not_started":
        return None
    launch = seen.first("launch_failed", "licence_refused", "fvp_critical") or saying(seen, "[critical]")
    trust = ""
    if "script_no_problems" in seen.seen:
        trust = ' "No problems found!" proves nothing: run_fvp.sh only looks for known error lines.'
    elif (ended := ended_with(seen)) is not None:
        trust = f" run_fvp.sh says that the simulator ended with status {ended.code}."
    elif "script_done" in seen.seen:
        trust = ' "Simulation complete" with 0 proves nothing: run_fvp.sh drops the status of the simulator.'
    said = seen.first("script_failed")
    trust += f" The script says: {said.text}." if said is not None else ""
    if launch is None:
        return _silent(run, seen, outcome, trust)
    text = launch.text
    board = explain_text(UNREACHED, text) if "board" in launch.values else None
    if board is not None:
        rule, title, advice = board.failure.rule, board.title, board.advice
    else:
        rule, title, advice = crashed_at_once(text) if "called" in launch.values else _launch(text)
    return error(
        rule, run, title, f"The launch failed: {text.rstrip('.')}.{_host(outcome)}{trust}", advice, launch.line
    )


def _file(path: str) -> str:
    """A path where it may stand in a command that a reader copies."""
    return in_command(path, "FILE", "/")


def _launch(text: str) -> tuple[str, str, str]:
    if "executor_runner: " in text and (runner := not_usable(text)) is not None:
        return runner
    if any(words in text for words in ARCHITECTURE):
        return (
            "wrong-architecture",
            "The simulator never started: its binary is for another kind of machine",
            "Install the FVP for this machine (uname -m names it; Linux x86-64 and AArch64 have different downloads; on macOS use the wrappers "
            "of FVPs-on-Mac, which need docker), and put that one first on PATH.",
        )
    if "Killed" in text:
        return "simulator-killed", "The simulator was killed before the runner printed anything", _KILLED
    if (tee := _TEE.search(text)) is not None:
        return (
            "log-not-writable",
            f"Nothing of the runner was kept: the script may not write {tee[1]}",
            f"Most often another user's run made it: remove it (sudo rm {_file(tee[1])}), or give this user a folder of its own "
            "(TMPDIR=$HOME/tmp), and run it again.",
        )
    if "docker" not in text and (refused := _REFUSED.search(text)) is not None:
        return (
            "not-executable",
            f"The program never started: {refused[1]} may not be executed",
            f"Let it be: chmod +x {_file(refused[1])}; where it is set, the file lies on a file system that is mounted noexec "
            "(findmnt -T FILE): copy it elsewhere.",
        )
    if any(words in text for words in _CRASHES):
        return "simulator-crashed", "The simulator crashed before the runner printed anything", CRASHED
    if "arameter" in text or "unsupported machine" in text:
        return (
            "simulator-option",
            "The simulator never started: it does not know an option that it was given",
            "Correct the option that the line names (--list-params prints all): Corstone-300 calls its parts mps3_board.* and ethosu.*, "
            "Corstone-320 mps4_board.*, and an older FVP lacks newer ones.",
        )
    if refused_licence(text):
        return (
            "licence-refused",
            "The simulator never started: its licence was refused",
            "Activate an Arm licence for this user (armlm activate, or ARMLMD_LICENSE_FILE for a server), or use an FVP "
            "of the 11.2x series, which needs none.",
        )
    if text.startswith("Running ") and text.endswith("is not supported"):
        return (
            "other-target",
            "The simulator never started: run_fvp.sh knows no simulator for this target",
            "Give --target as the program was compiled for; it takes ethos-u55-*, ethos-u85-* and cortex-m*, newer ones ethos-u65-* too.",
        )
    if "bootable image" in text:
        return (
            "no-image",
            "The firmware never started: the bootloader (MCUboot) found no valid image",
            "Flash the signed image (zephyr.signed.hex) into its slot: built with --sysbuild, west signs it with the key that the bootloader "
            "holds, and west flash writes both. An image for another key, slot or header size counts as none.",
        )
    if " : rproc_" in text:
        return (
            "firmware-crashed-linux",
            "The firmware never started: Linux crashed while it loaded it into the core (remoteproc)",
            "The kernel wrote where no memory answers: compare the segments of the ELF (readelf -l FILE) with the core's memory map, link for its TCM or "
            "for DDR that the device tree reserves (no-map), boot the device tree that is meant for this core, and stop what ran on it before.",
        )
    if "remoteproc" in text:
        return (
            "firmware-refused",
            "The firmware never started: Linux could not load it into the core (remoteproc)",
            "-2: the file is not in /lib/firmware under the name that was written to .../remoteproc0/firmware. -22 or a bad phdr: a part of it is "
            "linked to an address that the core's memory map in the device tree does not have: link for the TCM or a reserved region, and "
            "boot the device tree that goes with it.",
        )
    if any(words in text for words in ("already in use", "ould not bind", "ailed to bind")):
        return (
            "port-in-use",
            "The simulator never started: another program holds a port that it needs",
            "End the simulator that still runs (ss -ltnp names who holds the port), or give this one other ports "
            "(-C mps3_board.telnetterminal0.start_port=5100, --iris-port; for QEMU the port of -gdb or -serial).",
        )
    if "from daemon: Get " in text and "/v2/" in text:
        return (
            "download-failed",
            "The simulator never started: docker could not fetch its image",
            "Check the network, its DNS and the proxy of the Docker daemon (docker info shows it), pull the image by hand, then launch again.",
        )
    if "docker" in text and "ermission denied" in text:
        return (
            "docker-missing",
            "The simulator never started: this user may not use docker",
            "Join its group (sudo usermod -aG docker $USER), and log in again.",
        )
    if "docker" in text or "Docker" in text:
        return (
            "docker-missing",
            "The simulator never started: docker is not there or does not run",
            "Install docker and start it (the FVP wrappers on macOS run the simulator in a container), or use a Linux machine.",
        )
    if "executable stack" in text:
        return (
            "executable-stack",
            "The simulator never started: this Linux refuses a library that asks for an executable stack",
            "Take the mark off the library that the line names (patchelf --clear-execstack libarmctmodel.so), or install a newer FVP.",
        )
    if "shared libraries" in text or "GLIBC" in text or ".dll " in text:
        return (
            "library-missing",
            "The simulator never started: a shared library is missing or too old",
            "Install the library that the line names (FVPs bring their own Python library: source their scripts/runtime.sh).",
        )
    if (
        "not found" in text
        or "not recognized" in text
        or "No such file" in text
        or "Could not find" in text
        or "Unable to find" in text
        or "Failed to open" in text
    ):
        return (
            "launcher-not-found",
            "The simulator never started: a program or file is not there",
            "Source examples/arm/arm-scratch/setup_path.sh, so that the FVP is on PATH, and check the path of the ELF.",
        )
    return (
        "never-started",
        "The runner never started",
        "Check that the simulator is built for this machine and on PATH, and start it by hand once.",
    )


def _silent(run: Run, seen: Evidence, outcome: Outcome | None, trust: str) -> Finding:
    said = seen.first("console")
    limit = seen.first("time_limit")
    ended = f"; {limit.text.rstrip('.')}" if limit else ""
    if said is not None and refused_licence(said.text):
        rule, title, advice = _launch(said.text)
        return error(rule, run, title, f"The last line is: {said.text}.{_host(outcome)}{trust}", advice, said.line)
    if "stranger" in seen.seen and ("fvp_npu" in seen.seen or limit is not None):
        return error(
            "other-program",
            run,
            "The simulator ran a program that is no runner known here",
            f"Its console has text, and no line of it is a runner's{ended}.{_host(outcome)}{trust}",
            "Check which ELF was given to the simulator (arm_executor_runner, or a sample of ExecuTorch for Zephyr), and which UART "
            "was captured.",
            seen.seen["stranger"],
        )
    if limit is not None or (outcome is not None and outcome.reason in ("timeout", "silence")):
        return error(
            "runner-silent",
            run,
            "The simulator ran, and the runner printed nothing",
            f"Not one line of a runner follows the start{ended}.{_host(outcome)}{trust}",
            "A runner built with SEMIHOSTING is silent without it: start it with run_fvp.sh --semihosting-cwd, or with -C "
            "cpu0.semihosting-enable=1 (Corstone-320: -C mps4_board.subsystem.cpu0.semihosting-enable=1). Otherwise check that "
            "the ELF is for this board and that its UART is the one captured.",
            *((limit.line,) if limit else (run.last_line,)),
        )
    unwritten = seen.first("image_write_failed")
    if unwritten is not None:
        return error(
            "image-not-loaded", run, "The simulator could not put the whole program into its memory, and nothing was printed",
            f"{_quoted(unwritten)} It may be why nothing follows.{_host(outcome)}{trust}", _UNWRITTEN, unwritten.line,
        )  # fmt: skip
    why = "A launch is visible, but no line of a runner follows."
    if said is not None:
        why = f"Nothing of a runner was printed; the last line is: {said.text}."
    elif outcome is not None:
        why = "Nothing of a runner was printed."
    advice = "Check that the simulator is built for this machine and on PATH, and start it by hand once."
    if outcome is not None and outcome.reason == "not_started" and outcome.text:
        advice = "Put right what the host says, then run it again."
    came_up = max((seen.seen.get(kind, 0) for kind in _CAME_UP), default=0)
    if came_up and seen.last_event in (*_CAME_UP, "fvp_stopped") and outcome is None:
        return error(
            "never-started", run, "Nothing was captured after the simulator came up",
            f"The simulator said that it is there, and no line of a runner follows.{trust}",
            "Capture on until the runner has printed its end (a large model takes minutes on an FVP); if nothing comes, check that the ELF is for "
            "this board and that its UART is the one captured.", came_up,
        )  # fmt: skip
    return error(
        "never-started", run, "The runner never started", f"{why}{_host(outcome)}{trust}", advice, run.first_line
    )


_UNWRITTEN = (
    "It has no memory at those addresses: start the FVP that the program is linked for, give the memory its size (Corstone-300: -C "
    "cpu0.CFGITCMSZ and CFGDTCMSZ), or link the program for this one."
)


def _quoted(said: Trouble) -> str:
    return f"The simulator says: {said.text.removeprefix('Warning: ').rstrip('.')}."


def image_unwritten(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A program that ran with a part of it missing, and failed or stood still: perhaps for that, though others run to their end."""
    unwritten = seen.first("image_write_failed")
    if unwritten is None or run.status not in ("failed", "hung"):
        return None
    return Finding(
        "image-not-loaded", "warning", run.index, "The simulator could not put the whole program into its memory",
        f"{_quoted(unwritten)} What lies there may be what the run lacked.", _UNWRITTEN, (unwritten.line,),
    )  # fmt: skip


def _host(outcome: Outcome | None) -> str:
    return f" The host says: {outcome.text.rstrip('.?')}." if outcome is not None and outcome.text else ""


def file_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Semihosting and Linux runners that cannot read a file."""
    bad = seen.first("file_open_failed")
    if bad is not None:
        path, errno = bad.values.get("path"), bad.values.get("errno")
        if "errno" not in bad.values:
            return error(
                "input-file-missing", run, f"The application could not open {path}", "It reads its model from the SD card, and there it is not.",
                "Check that the card is in the board and formatted as FAT, and that the .pte lies on it under just this name.", bad.line,
            )  # fmt: skip
        why = "it does not exist" if errno == 2 else f"errno {errno}"
        return error(
            "input-file-missing", run, f"The runner could not open {path}", f"The file could not be read: {why}.",
            "Give the path as seen from the semihosting folder (--semihosting-cwd), and check the file name.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "ERROR Out of memory")
    if bad is not None:
        return error(
            "input-file-unreadable", run, "The runner could not read a file that it was told to read",
            f"It says: {bad.text}. Runners of 0.7 to 1.2 print this for every read failure, also for a file that is not there.",
            "Check the file's name as seen from the semihosting folder first, and only then the size of the input pool.",
            bad.line,
        )  # fmt: skip
    bad = next((t for t in seen.trouble if t.level in ("E", "F") and _OPENED.search(t.text)), None)
    found = _OPENED.search(bad.text) if bad is not None else None
    if bad is not None and found is not None:
        return error(
            "input-file-missing", run, f"The runner could not open {found[1]}", f"The file could not be read: {found[2]}.",
            "Check the path (--model_path, --inputs): a relative one starts at the folder in which the runner was started.", bad.line,
        )  # fmt: skip
    bad = saying(
        seen,
        "Failed to open input file",
        "Failed to read input file",
        "Failed to read whole file",
        "Failed to allocate input file size",
        "Failed to parse FlatTensor header",
        "Reading pte model from file",
        "Reading input tensor",
    )
    if bad is not None and (bad.level in ("E", "F") or "ailed" in bad.text):
        return error(
            "input-file-unreadable", run, "The runner could not read a file that it was told to read", f"It says: {bad.text.rstrip('.')}.",
            "Check the path as the runner sees it, and that the file is whole.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Not right number of parameters", "Missing required -o", "Model data is not initialized")
    if bad is not None and "Model data" in bad.text and "reading_model" in seen.seen:
        return error(
            "input-file-unreadable", run, "The program that the runner read is empty", f"It says: {bad.text}.",
            "Look at the size of the .pte that follows -m: its export may have failed, or its disk was full.",
            seen.seen["reading_model"], bad.line,
        )  # fmt: skip
    if bad is not None:
        return error(
            "runner-parameters", run, "The runner was started with wrong parameters", f"It says: {bad.text}.",
            "A semihosting runner takes: -m model.pte -i input.bin [-i input2.bin] -o output_basename.", bad.line,
        )  # fmt: skip
    return None


def recorder(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What plays inputs back and records outputs did not come up."""
    bad = seen.first("sds_failed")
    if bad is None:
        return None
    return error(
        "sds-not-reached", run, "The application has no connection to what records and plays back its data (SDS)",
        f"The log says: {bad.text.rstrip('!. ')}.",
        "Start sdsio-server on the host for the interface that the line names, check its cable, port or address, and reset the board. "
        "On an FVP look at the SDS options of its configuration file.", bad.line,
    )  # fmt: skip


def false_success(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the script says is no verdict: it is worth a word where it contradicts the run."""
    line = seen.seen.get("script_no_problems")
    if line is None or run.status == "passed":
        return None
    return Finding(
        "false-success", "warning", run.index, 'The script says "No problems found!", and the run did not pass',
        "run_fvp.sh drops the simulator's exit status and only searches the log for lines that begin with known words.",
        'Trust the runner\'s own "Program complete, exiting.".', (line,),
    )  # fmt: skip
