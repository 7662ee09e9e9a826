"""Runs that never began, and runners that could not read their input."""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..host.launches import refused_licence
from ..outcome import Outcome
from ..report import Finding, Run
from .causes import Failure, explain_text
from .causes_boards import UNREACHED
from .causes_launch import CRASHED_AT_ONCE, LAUNCH_FAILURES
from .evidence import error, saying
from .input_pool import input_pool
from .releases import simulator_parameter, surely_before
from .script import ended_with

_CAME_UP = ("fvp_terminal", "fvp_npu", "fvp_version")
"""What an FVP says once it is there."""
_UNOPENED = re.compile(r"\(file\.is_open\(\)\): Could not open file '([^'\n]{1,300})'")
"""What executor_runner says of its program, and of nothing else."""
_OPENED = re.compile(r"Failed to open (?!ETDump)(\S.{0,300}?): ([A-Z][\w ,.-]{2,80}) \(\d{1,4}\)")


def not_started(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A launch without a runner's line: why, as far as the console tells."""
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
    table = UNREACHED if "board" in launch.values else CRASHED_AT_ONCE if "called" in launch.values else ()
    rule, title, advice = _explained((*table, *LAUNCH_FAILURES), text)
    return error(
        rule, run, title, f"The launch failed: {text.rstrip('.')}.{_host(outcome)}{trust}", advice, launch.line
    )


def _explained(table: tuple[Failure, ...], text: str) -> tuple[str, str, str]:
    """Rule, title and advice for the line in which a launch failed."""
    found = explain_text(table, text)
    if found is not None:
        return found.failure.rule, found.title, found.advice
    return (
        "never-started",
        "The runner never started",
        "Check that the simulator is built for this machine and on PATH, and start it once by hand.",
    )


def _silent(run: Run, seen: Evidence, outcome: Outcome | None, trust: str) -> Finding:
    said = seen.first("console")
    limit = seen.first("time_limit")
    ended = f"; {limit.text.rstrip('.')}" if limit else ""
    if said is not None and refused_licence(said.text):
        rule, title, advice = _explained(LAUNCH_FAILURES, said.text)
        return error(rule, run, title, f"The last line is: {said.text}.{_host(outcome)}{trust}", advice, said.line)
    if "stranger" in seen.seen and ("fvp_npu" in seen.seen or limit is not None):
        return error(
            "other-program",
            run,
            "The simulator ran a program that is not a known runner",
            f"Its console has text, but no line of it comes from a runner{ended}.{_host(outcome)}{trust}",
            "Check which ELF was given to the simulator (arm_executor_runner, or one of ExecuTorch's Zephyr samples), and which UART was captured.",
            seen.seen["stranger"],
        )
    if limit is not None or (outcome is not None and outcome.reason in ("timeout", "silence")):
        return error(
            "runner-silent",
            run,
            "The simulator ran, but the runner printed nothing",
            f"Not one line of a runner follows the start{ended}.{_host(outcome)}{trust}",
            "Start a runner built with SEMIHOSTING, which is silent without it, with run_fvp.sh --semihosting-cwd=FOLDER (1.4 and later), or with -C "
            "cpu0.semihosting-enable=1 (Corstone-320: -C mps4_board.subsystem.cpu0.semihosting-enable=1). Otherwise check that the ELF is for this board "
            "and that its UART is the one captured.",
            *((limit.line,) if limit else (run.last_line,)),
        )
    unwritten = seen.first("image_write_failed")
    if unwritten is not None:
        return error(
            "image-not-loaded", run, "The simulator could not load the whole program into its memory, and nothing was printed",
            f"{_quoted(unwritten)} That may be why nothing follows.{_host(outcome)}{trust}", _UNWRITTEN, unwritten.line,
        )  # fmt: skip
    why = "A launch is visible, but no line of a runner follows."
    if said is not None:
        why = f"Nothing of a runner was printed; the last line is: {said.text}."
    elif outcome is not None:
        why = "Nothing of a runner was printed."
    advice = "Check that the simulator is built for this machine and on PATH, and start it once by hand."
    if outcome is not None and outcome.reason == "not_started" and outcome.text:
        advice = "Fix what the host reports, then run it again."
    came_up = max((seen.seen.get(kind, 0) for kind in _CAME_UP), default=0)
    if came_up and seen.last_event in (*_CAME_UP, "fvp_stopped") and outcome is None:
        return error(
            "never-started", run, "Nothing was captured after the simulator came up",
            f"The simulator came up, and no line of a runner follows.{trust}",
            "Capture until the runner has printed its end (a large model takes minutes on an FVP); if nothing comes, check that the ELF is for this board "
            "and that its UART is the one captured.", came_up,
        )  # fmt: skip
    return error(
        "never-started", run, "The runner never started", f"{why}{_host(outcome)}{trust}", advice, run.first_line
    )


_UNWRITTEN = (
    "Start the FVP that the program is linked for, set the memory's size (Corstone-300: -C cpu0.CFGITCMSZ and CFGDTCMSZ), or link the program for this one: "
    "it has no memory at those addresses."
)


def _quoted(said: Trouble) -> str:
    return f"The simulator says: {said.text.removeprefix('Warning: ').rstrip('.')}."


def image_unwritten(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A program ran with a part of it missing, which may be why it failed or hung; others run to their end."""
    unwritten = seen.first("image_write_failed")
    if unwritten is None or run.status == "not_started" or _faulted_at_once(run, seen):
        return None
    stopped = run.status in ("failed", "hung", "timeout")
    how = "The missing part may be what the run lacked." if stopped else "The program still went on to print."
    return Finding(
        "image-not-loaded", "warning" if stopped else "info", run.index, "The simulator could not load the whole program into its memory",
        f"{_quoted(unwritten)} {how}", _UNWRITTEN if stopped else f"Nothing, if the run is as expected. Otherwise: {_UNWRITTEN}", (unwritten.line,),
    )  # fmt: skip


def _faulted_at_once(run: Run, seen: Evidence) -> bool:
    """True where the program faulted and had not printed a line before."""
    printed = run.runner.kind != "other" or run.stage != "start" or not {"console", "stranger"}.isdisjoint(seen.seen)
    return not printed and run.status == "failed" and "hard_fault" in seen.seen


def image_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A program faulted before its first line, with a part of it missing in memory."""
    unwritten = seen.first("image_write_failed")
    if unwritten is None or not _faulted_at_once(run, seen):
        return None
    return error(
        "image-not-loaded", run, "The simulator could not load the whole program into its memory, and the program faulted before its first line",
        _quoted(unwritten), _UNWRITTEN, unwritten.line,
    )  # fmt: skip


def _host(outcome: Outcome | None) -> str:
    return f" The host says: {outcome.text.rstrip('.?')}." if outcome is not None and outcome.text else ""


_MODEL_PATH = "Check the path (--model_path; a relative one is resolved from the folder the runner was started in), and that this user may read it."
_IN_PARTITION = (
    "Add a partition of type data, spiffs with the label storage to the partition table (partitions.csv has names and sizes), and flash an image with "
    "model.pte into it (spiffs_create_partition_image, then idf.py flash)."
)


def _folder_option(run: Run) -> str:
    """What names the folder in which files of the target lie: run_fvp.sh does since 1.4, the simulator always did."""
    if not surely_before(run, (1, 4)):
        return "--semihosting-cwd"
    cwd = simulator_parameter(run.target.npu, "cpu0.semihosting-cwd")
    return f"-C {cwd}=FOLDER of the simulator, else the one in which it was started"


def file_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Semihosting and Linux runners that cannot read a file."""
    bad = seen.first("file_open_failed")
    if bad is not None:
        path, errno = bad.values.get("path"), bad.values.get("errno")
        if "errno" not in bad.values:
            return error(
                "input-file-missing", run, f"The application could not open {path}", "It reads its model from the SD card, and the file is not there.",
                "Check that the card is in the board and formatted as FAT, and that the .pte is on it under exactly this name.", bad.line,
            )  # fmt: skip
        why = "it does not exist" if errno == 2 else f"errno {errno}"
        return error(
            "input-file-missing", run, f"The runner could not open {path}", f"The file could not be read: {why}.",
            _IN_PARTITION if str(path).startswith("/spiffs") else
            f"Give the path as seen from the semihosting folder ({_folder_option(run)}), and check the file name.", bad.line,
        )  # fmt: skip
    bad = seen.first("runner_arguments")
    if bad is not None:
        return error(
            "runner-parameters", run, "The runner was started with arguments that are not options", f"It says: {bad.text}.",
            "Write each option with two hyphens: --model_path=FILE, --inputs=FILE[,FILE], --num_executions=N and others of its release (--helpshort lists "
            "them).", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Failed to mount SPIFFS", "SPIFFS partition not found", "SPIFFS init failed")
    if bad is not None:
        return error(
            "storage-not-mounted", run, "The partition that holds the model could not be mounted", f"The runner says: {bad.text.rstrip('.')}.",
            _IN_PARTITION, bad.line,
        )  # fmt: skip
    bad = saying(seen, "FileDataLoader::from() failed: 0x22", "MmapDataLoader::from() failed: 0x22")
    if bad is not None and not any(_OPENED.search(t.text) for t in seen.trouble):
        return error(
            "input-file-missing", run, "The runner could not open its model file", f"The runner says: {bad.text.rstrip('.')} (AccessFailed).",
            _MODEL_PATH, bad.line,
        )  # fmt: skip
    bad = next((t for t in seen.trouble if t.level == "F" and _UNOPENED.search(t.text)), None)
    found = _UNOPENED.search(bad.text) if bad is not None else None
    if bad is not None and found is not None:
        return error(
            "input-file-missing", run, f"The runner could not open {found[1]}", f"The runner says: {bad.text.rstrip('.')}.",
            _MODEL_PATH, bad.line,
        )  # fmt: skip
    no_room = input_pool(run, seen)
    if no_room is not None:
        return no_room
    bad = saying(seen, "ERROR Out of memory")
    if bad is not None:
        return error(
            "input-file-unreadable", run, "The runner could not read one of its input files",
            f"It says: {bad.text}. Runners of 0.7 to 1.2 print this for every read failure, even for a missing file.",
            "Check the file's name as seen from the semihosting folder first, and only then the size of the input pool.",
            bad.line,
        )  # fmt: skip
    bad = next((t for t in seen.trouble if t.level in ("E", "F") and _OPENED.search(t.text)), None)
    found = _OPENED.search(bad.text) if bad is not None else None
    if bad is not None and found is not None:
        return error(
            "input-file-missing", run, f"The runner could not open {found[1]}", f"The file could not be read: {found[2]}.",
            f"Check the path (--model_path{'' if surely_before(run, (1, 0)) else ', --inputs'}): a relative one is resolved from the folder the "
            "runner was started in.", bad.line,
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
            "input-file-unreadable", run, "The runner could not read one of its input files", f"It says: {bad.text.rstrip('.')}.",
            "Check the path as the runner sees it, and that the file is complete.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Unknown --print_output mode", "--output_file must be set in --server_mode")
    if bad is not None:
        return error(
            "runner-parameters", run, "The runner was started with wrong options", f"It says: {bad.text.rpartition('): ')[2].rstrip('.')}.",
            "Correct them as it says; executor_runner --helpshort lists all options of its release.", bad.line,
        )  # fmt: skip
    bad = saying(
        seen, "Not right number of parameters", "Missing required -o", "Model data is not initialized", *_OF_SERVER
    )
    if bad is not None and "Model data" in bad.text and "reading_model" in seen.seen:
        return error(
            "input-file-unreadable", run, "The program that the runner read is empty", f"It says: {bad.text}.",
            "Check the size of the .pte that follows -m: its export may have failed, or its disk was full.",
            seen.seen["reading_model"], bad.line,
        )  # fmt: skip
    if bad is not None:
        return error(
            "runner-parameters", run, "The runner was started with wrong parameters", f"It says: {bad.text}.",
            "Give --server_mode true or false." if bad.text.startswith(_OF_SERVER) else
            "Start a semihosting runner with: -m model.pte -i input.bin [-i input2.bin] -o output_basename.", bad.line,
        )  # fmt: skip
    return None


_OF_SERVER = ("Invalid --server_mode value", "--server_mode requires")


def recorder(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What plays inputs back and records outputs could not be started."""
    bad = seen.first("sds_failed")
    if bad is None:
        return None
    return error(
        "sds-not-reached", run, "The application cannot reach its data recording and playback server (SDS)",
        f"The log says: {bad.text.rstrip('!. ')}.",
        "Start sdsio-server on the host for the interface that the line names, check its cable, port or address, and reset the board. On an FVP check the "
        "SDS options in its configuration file.", bad.line,
    )  # fmt: skip


def false_success(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the script says is no verdict; it is mentioned where it contradicts the run."""
    line = seen.seen.get("script_no_problems")
    if line is None or run.status == "passed":
        return None
    return Finding(
        "false-success", "warning", run.index, 'The script says "No problems found!", but the run did not pass',
        "run_fvp.sh drops the simulator's exit status and only searches the log for lines that begin with known words.",
        'Trust the runner\'s own "Program complete, exiting.".', (line,),
    )  # fmt: skip
